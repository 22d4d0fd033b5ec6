"""The floor: the least work of a server with these libraries and this database.

grpc.aio, asyncpg and uvloop; each method runs only its statement of the product. There are no
callers, permissions, checks, logs, encryption or request IDs: everything that is not in the request
is a constant. Times of the product are given relative to the floor.

`python -m bench.floor DSN` says which port it serves, and ends with SIGTERM.
"""

import asyncio
import json
import os
import signal
import sys
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any, TypeAlias

import asyncpg
import grpc
import uvloop
from uuid_utils import uuid7

from bench.floor_oauth import OAuth
from keystead.gate.v1 import gate_service_pb2 as gate_pb
from keystead.gate.v1 import gate_service_pb2_grpc
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.idp.v1 import identity_provider_service_pb2_grpc
from keystead.oauth.v1 import oauth_service_pb2_grpc
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.passkey.v1 import passkey_service_pb2_grpc
from keystead.session.v1 import session_service_pb2 as session_pb
from keystead.session.v1 import session_service_pb2_grpc
from keystead.signin.v1 import signin_service_pb2 as signin_pb
from keystead.signin.v1 import signin_service_pb2_grpc
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.smtp.v1 import smtp_service_pb2_grpc
from keystead.user.v1 import user_service_pb2 as user_pb
from keystead.user.v1 import user_service_pb2_grpc
from server.access.tokens import token_hash
from server.idp.store import CHANGE as CHANGE_IDP
from server.idp.store import GET as GET_IDP
from server.log.positions import _LAST as LAST_POSITION
from server.log.positions import _READ as READ_POSITIONS
from server.passkey.ceremony_store import _BEGIN as BEGIN_CEREMONY
from server.passkey.signin.store import _FIND as FIND_PASSKEY
from server.passkey.signin.store import _START as START_SESSION
from server.passkey.store import _VERIFY as ADD_PASSKEY
from server.rpc.messages import Nested, timestamp
from server.session.events import SessionEnded
from server.session.store import _FIND_CALLER as FIND_SESSION
from server.smtp.store import _ADD as ADD_SMTP_CONFIG
from server.smtp.store import REMOVE as REMOVE_SMTP_CONFIG
from server.store.statement import Statement, statement
from server.user.store import GET as GET_USER

_CONNECTIONS = 10  # the default of the product
_CREATOR = "bench"
_USER = "00000000-0000-7000-8000-000000000000"
_SMTP_CONFIG_ID = "bench"
_CHALLENGE = b"challenge of the bare floor....."
# The result of `creation_options` of the product, with a constant challenge.
CREATION_OPTIONS: dict[str, Any] = {
    "rp": {"name": "Keystead", "id": "localhost"},
    "user": {"id": "dXNlcg", "name": "user", "displayName": "User"},
    "challenge": urlsafe_b64encode(_CHALLENGE).rstrip(b"=").decode(),
    "pubKeyCredParams": [{"type": "public-key", "alg": number} for number in (-8, -7, -257)],
    "timeout": 300_000,
    "excludeCredentials": [],
    "authenticatorSelection": {
        "residentKey": "required",
        "requireResidentKey": True,
        "userVerification": "required",
    },
    "attestation": "none",
}

Answer: TypeAlias = Any


class _Database:
    """A few open connections; of the free ones, the last one used goes first."""

    def __init__(self) -> None:
        self._free: asyncio.LifoQueue[asyncpg.Connection] = asyncio.LifoQueue()

    async def connect(self, dsn: str) -> None:
        for _ in range(_CONNECTIONS):
            self._free.put_nowait(await asyncpg.connect(dsn))

    async def fetch_row(self, statement: Statement, **values: object) -> Any:
        connection = await self._free.get()
        try:
            return await connection.fetchrow(statement.sql, *statement.arguments(values))
        finally:
            self._free.put_nowait(connection)

    async def fetch(self, statement: Statement, **values: object) -> Any:
        connection = await self._free.get()
        try:
            return await connection.fetch(statement.sql, *statement.arguments(values))
        finally:
            self._free.put_nowait(connection)


def _details(row: Any) -> Nested:
    return {
        "sequence": row["sequence"],
        "creation_date": timestamp(row["creation_date"]),
        "change_date": timestamp(row["change_date"]),
        "resource_owner": row["owner"],
    }


class _IDPs(identity_provider_service_pb2_grpc.IdentityProviderServiceServicer):
    def __init__(self, database: _Database, organization_id: str) -> None:
        self._database = database
        self._organization_id = organization_id

    async def UpdateIDP(self, request: idp_pb.UpdateIDPRequest, _context: Any) -> Answer:
        payload = {
            "name": request.name,
            "styling_type": request.styling_type,
            "auto_register": request.auto_register,
        }
        row = await self._database.fetch_row(
            CHANGE_IDP,
            payload=json.dumps(payload),
            creator=_CREATOR,
            idp_id=request.idp_id,
            organization_id=self._organization_id,
            credential=None,
            caller_roles="{}",
        )
        return idp_pb.UpdateIDPResponse(details=_details(row))

    async def GetIDP(self, request: idp_pb.GetIDPRequest, _context: Any) -> Answer:
        row = await self._database.fetch_row(
            GET_IDP, idp_id=request.idp_id, organization_id=self._organization_id
        )
        idp: Nested = {
            "idp_id": row["idp_id"],
            "details": _details(row),
            "name": row["name"],
            "styling_type": row["styling_type"],
            "auto_register": row["auto_register"],
            "is_disabled": row["is_disabled"],
        }
        return idp_pb.GetIDPResponse(idp=idp)


class _SMTP(smtp_service_pb2_grpc.SMTPServiceServicer):
    def __init__(self, database: _Database) -> None:
        self._database = database

    async def AddSMTPConfig(self, request: smtp_pb.AddSMTPConfigRequest, context: Any) -> Answer:
        secret_id = str(uuid7())
        payload = {
            "sender_address": request.sender_address,
            "sender_name": request.sender_name,
            "tls": request.tls,
            "host": request.host,
            "user": request.user,
            "password_secret_id": secret_id,
        }
        try:
            row = await self._database.fetch_row(
                ADD_SMTP_CONFIG,
                payload=json.dumps(payload),
                creator=_CREATOR,
                config_id=_SMTP_CONFIG_ID,
                organization_id="",
                secret_id=secret_id,
                key_id="key",
                ciphertext=request.password.encode(),
                credential=None,
                caller_roles="{}",
            )
        except asyncpg.UniqueViolationError:
            row = None
        if row is None or row["existing_sequence"] is not None:
            await context.abort(grpc.StatusCode.ALREADY_EXISTS)
        return smtp_pb.AddSMTPConfigResponse(details=_details(row))

    async def RemoveSMTPConfig(
        self, _request: smtp_pb.RemoveSMTPConfigRequest, context: Any
    ) -> Answer:
        row = await self._database.fetch_row(
            REMOVE_SMTP_CONFIG, payload="{}", creator=_CREATOR, config_id=_SMTP_CONFIG_ID
        )
        if row is None:
            await context.abort(grpc.StatusCode.NOT_FOUND)
        return smtp_pb.RemoveSMTPConfigResponse(details=_details(row))


class _Passkeys(passkey_service_pb2_grpc.PasskeyServiceServicer):
    def __init__(self, database: _Database, organization_id: str) -> None:
        self._database = database
        self._organization_id = organization_id

    async def RegisterPasskey(
        self, request: passkey_pb.RegisterPasskeyRequest, _context: Any
    ) -> Answer:
        passkey_id = str(uuid7())
        row = await self._database.fetch_row(
            BEGIN_CEREMONY,
            user_id=request.user_id,
            passkey_id=passkey_id,
            challenge=_CHALLENGE,
            rp_id="localhost",
            rp_name="Keystead",
            origins=["http://localhost:8080"],
            top_origins=[],
            algorithms=[-8, -7, -257],
            user_verification="required",
            is_conditional=False,
            creator=_CREATOR,
            registration_token_hash=passkey_id.encode(),  # instead of a token's hash
            link_id=None,
            makers=[_CREATOR],
            lifetime=timedelta(minutes=10),
            max_pending=1000,
            max_attempts=10,
            organization_id=self._organization_id,
        )
        response = passkey_pb.RegisterPasskeyResponse(details=_details(row), passkey_id=passkey_id)
        response.public_key_credential_creation_options.update(CREATION_OPTIONS)
        return response

    async def VerifyPasskeyRegistration(
        self, request: passkey_pb.VerifyPasskeyRegistrationRequest, _context: Any
    ) -> Answer:
        raw_id = urlsafe_b64decode(str(request.public_key_credential["rawId"]) + "==")
        payload = {
            "passkey_id": request.passkey_id,
            "name": request.passkey_name,
            "began_by": _CREATOR,
            "rp_id": "localhost",
            "credential_id": b64encode(raw_id).decode(),
            "public_key": "",
            "algorithm": -8,
            "sign_count": 0,
            "aaguid": "00000000-0000-0000-0000-000000000000",
            "transports": ["internal", "hybrid"],
            "attachment": "platform",
            "attestation_format": "none",
            "user_verified": True,
            "backup_eligible": False,
            "backed_up": False,
            "origin": "http://localhost:8080",
            "top_origin": "",
        }
        row = await self._database.fetch_row(
            ADD_PASSKEY,
            payload=json.dumps(payload),
            creator=_CREATOR,
            user_id=request.user_id,
            passkey_id=request.passkey_id,
            challenge=_CHALLENGE,
            max_attempts=10,
            max_passkeys=1000,
        )
        return passkey_pb.VerifyPasskeyRegistrationResponse(details=_details(row))


class _SignIns(signin_service_pb2_grpc.SignInServiceServicer):
    """A sign-in needs two statements: one reads the passkey, one writes it with the session."""

    def __init__(self, database: _Database) -> None:
        self._database = database

    async def StartPasskeySignIn(
        self, _request: signin_pb.StartPasskeySignInRequest, _context: Any
    ) -> Answer:
        response = signin_pb.StartPasskeySignInResponse()
        response.public_key_credential_request_options.update(
            {
                "challenge": urlsafe_b64encode(os.urandom(64)).rstrip(b"=").decode(),
                "rpId": "localhost",
                "timeout": 300_000,
                "userVerification": "required",
                "allowCredentials": [],
            }
        )
        return response

    async def CompletePasskeySignIn(
        self, request: signin_pb.CompletePasskeySignInRequest, _context: Any
    ) -> Answer:
        credential: Any = request.public_key_credential
        client_data = urlsafe_b64decode(str(credential["response"]["clientDataJSON"]) + "==")
        challenge = urlsafe_b64decode(json.loads(client_data)["challenge"] + "==")
        found = await self._database.fetch_row(
            FIND_PASSKEY,
            rp_id="localhost",
            credential_id=urlsafe_b64decode(str(credential["rawId"]) + "=="),
            challenge=challenge,
            max_sessions=20,
        )
        session_id = str(uuid7())
        payload = {
            "session_id": session_id,
            "ended_session_ids": list(found["surplus"]),
            "hash": b64encode(challenge[:32]).decode(),
            "lifetime_seconds": 86_400,
            "passkey_id": found["passkey_id"],
            "sign_count": 0,
            "backup_eligible": False,
            "backed_up": False,
            "user_verified": True,
            "origin": "http://localhost:8080",
            "top_origin": "",
            "sign_count_went_back": False,
            "backup_eligible_changed": False,
        }
        row = await self._database.fetch_row(
            START_SESSION,
            payload=json.dumps(payload),
            creator=found["user_id"],
            user_id=found["user_id"],
            sequence=found["sequence"],
            challenge=challenge,
            device_name="",
            user_agent="",
            ip_address="",
        )
        # None: a concurrent sign-in of the same user has changed the passkey.
        details = _details(row) if row else None
        return signin_pb.SignedIn(details=details, session_id=session_id, user_id=found["user_id"])


class _Users(user_service_pb2_grpc.UserServiceServicer):
    def __init__(self, database: _Database) -> None:
        self._database = database

    async def GetCurrentUser(
        self, _request: user_pb.GetCurrentUserRequest, _context: Any
    ) -> Answer:
        row = await self._database.fetch_row(GET_USER, user_id=_USER)
        user: Nested = {
            "user_id": row["user_id"],
            "details": _details(row),
            "user_name": row["user_name"],
        }
        return user_pb.GetCurrentUserResponse(user=user)


class _Sessions(session_service_pb2_grpc.SessionServiceServicer):
    def __init__(self, database: _Database) -> None:
        self._database = database
        self._ended = _Ended(database)

    async def GetCurrentSession(
        self, _request: session_pb.GetCurrentSessionRequest, context: Any
    ) -> Answer:
        metadata = dict(context.invocation_metadata())
        row = await self._database.fetch_row(
            FIND_SESSION,
            hash=token_hash(metadata["authorization"].removeprefix("Bearer ")),
            idle_timeout=timedelta(hours=1),
        )
        session: Nested = {"session_id": row["session_id"], "user_id": row["id"]}
        return session_pb.GetCurrentSessionResponse(session=session)

    async def IntrospectSession(
        self, request: session_pb.IntrospectSessionRequest, _context: Any
    ) -> Answer:
        row = await self._database.fetch_row(
            FIND_SESSION,
            hash=token_hash(request.session_token),
            idle_timeout=timedelta(hours=1),
        )
        session: Nested = {
            "session_id": row["session_id"],
            "authenticated_at": timestamp(row["authenticated_at"]),
            "expires_at": timestamp(row["expires_at"]),
            "idle_expires_at": timestamp(row["idle_expires_at"]),
        }
        user: Nested = {
            "user_id": row["id"],
            "org_id": row["owner"],
            "user_name": row["user_name"],
            "display_name": row["display_name"],
        }
        return session_pb.IntrospectSessionResponse(active=True, session=session, user=user)

    async def WatchEndedSessions(
        self, request: session_pb.WatchEndedSessionsRequest, _context: Any
    ) -> AsyncIterator[Answer]:
        yield session_pb.WatchEndedSessionsResponse(cursor=request.after_cursor)
        async for answer in self._ended.answers():
            yield answer


class _Gate(gate_service_pb2_grpc.GateServiceServicer):
    def __init__(self, database: _Database) -> None:
        self._database = database

    async def Check(self, request: gate_pb.CheckRequest, _context: Any) -> Answer:
        headers = {each.key: each.value for each in request.attributes.request.http.headers}
        row = await self._database.fetch_row(
            FIND_SESSION,
            hash=token_hash(headers["cookie"].partition("=")[2]),
            idle_timeout=timedelta(hours=1),
        )
        user: Nested = {"header": {"key": "x-auth-request-user", "value": row["id"]}}
        allowed: Nested = {"headers": [user]}
        return gate_pb.CheckResponse(ok_response=allowed)


class _Ended:
    """The ends of sessions, read four times a second while there are watchers."""

    def __init__(self, database: _Database) -> None:
        self._database = database
        self._told: list[Answer] = []
        self._added = asyncio.Event()
        self._reading: asyncio.Task[None] | None = None

    async def answers(self) -> AsyncIterator[Answer]:
        self._reading = self._reading or asyncio.create_task(self._read())
        place = len(self._told)
        while True:
            added = self._added
            for answer in self._told[place:]:
                place += 1
                yield answer
            if place == len(self._told):
                await added.wait()

    async def _read(self) -> None:
        after = (await self._database.fetch_row(LAST_POSITION))["position"]
        while True:
            await asyncio.sleep(0.25)
            last = (await self._database.fetch_row(LAST_POSITION))["position"]
            if last == after:
                continue
            rows = await self._database.fetch(
                READ_POSITIONS, after=after, until=last, types=[SessionEnded.event_type]
            )
            after = last
            answer = session_pb.WatchEndedSessionsResponse(cursor=str(last))
            for row in rows:
                answer.ended_sessions.add(
                    session_id=json.loads(row["payload"])["session_id"],
                    user_id=row["aggregate_id"],
                    org_id=row["owner"],
                    ended_at=row["created_at"],
                )
            self._told.append(answer)
            self._added.set()
            self._added = asyncio.Event()


async def _serve(dsn: str) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    database = _Database()
    await database.connect(dsn)
    found = await database.fetch_row(statement("select id from organizations where is_default"))
    server = grpc.aio.server()
    # The missing methods answer UNIMPLEMENTED.
    idps = _IDPs(database, found["id"])  # type: ignore[abstract]
    smtp = _SMTP(database)  # type: ignore[abstract]
    passkeys = _Passkeys(database, found["id"])  # type: ignore[abstract]
    identity_provider_service_pb2_grpc.add_IdentityProviderServiceServicer_to_server(idps, server)
    smtp_service_pb2_grpc.add_SMTPServiceServicer_to_server(smtp, server)
    passkey_service_pb2_grpc.add_PasskeyServiceServicer_to_server(passkeys, server)
    sign_ins = _SignIns(database)  # type: ignore[abstract]
    signin_service_pb2_grpc.add_SignInServiceServicer_to_server(sign_ins, server)
    users = _Users(database)  # type: ignore[abstract]
    user_service_pb2_grpc.add_UserServiceServicer_to_server(users, server)
    sessions = _Sessions(database)  # type: ignore[abstract]
    session_service_pb2_grpc.add_SessionServiceServicer_to_server(sessions, server)
    oauth = OAuth(database)  # type: ignore[abstract]
    oauth_service_pb2_grpc.add_OAuthServiceServicer_to_server(oauth, server)
    gate_service_pb2_grpc.add_GateServiceServicer_to_server(_Gate(database), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(json.dumps({"event": "serving gRPC", "port": port}), flush=True)
    await stop.wait()
    await server.stop(None)


if __name__ == "__main__":
    uvloop.run(_serve(sys.argv[1]))
