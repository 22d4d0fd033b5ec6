"""Sign-ins over the native port, with passkeys of the software authenticator."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import asyncpg
from google.protobuf import json_format

from examples.software_authenticator import SoftwareAuthenticator
from keystead.session.v1 import session_service_pb2 as pb
from keystead.signin.v1 import signin_service_pb2 as signin_pb
from tests.passkey import ceremonies
from tests.passkey.ceremonies import ORIGIN, Begun
from tests.support import given
from tests.support.given import Client


@dataclass(frozen=True)
class Person:
    """A user with a passkey. `client` calls with a service token of the user."""

    client: Client
    authenticator: SoftwareAuthenticator
    passkey_id: str
    credential_id: bytes

    @property
    def user_id(self) -> str:
        return self.client.user_id

    def assertion(self, options: dict[str, Any], **parts: Any) -> dict[str, Any]:
        """The credential that the browser sends, by the user's passkey."""
        regular = {"origin": ORIGIN, "credential_id": self.credential_id}
        return self.authenticator.get(options, **regular | parts)

    async def sign_in(self, *, device_name: str = "", **parts: Any) -> "SignedIn":
        """A new session."""
        options = await start(self.client)
        answer = await complete(
            self.client, self.assertion(options, **parts), device_name=device_name
        )
        return SignedIn(self, self.client.with_token(answer.session_token, answer.user_id), answer)


@dataclass(frozen=True)
class SignedIn:
    """A session. `client` calls with its token."""

    person: Person
    client: Client
    answer: signin_pb.SignedIn

    @property
    def session_id(self) -> str:
        return self.answer.session_id


async def person(admin: Client, **user: Any) -> Person:
    """A new user with a passkey, in a new organization unless the fields name one."""
    return await with_passkey(await given.user(admin, **user))


async def signed_in(admin: Client, **user: Any) -> SignedIn:
    """A session of a new user; see `person`."""
    return await (await person(admin, **user)).sign_in()


async def with_passkey(client: Client, **parts: Any) -> Person:
    """The user, with one more passkey."""
    return await registered(await ceremonies.begin(client), client, **parts)


async def registered(
    begun: Begun, user: Client, *, by: Client | None = None, **parts: Any
) -> Person:
    """The user, with a passkey of this ceremony."""
    authenticator = SoftwareAuthenticator()
    credential = authenticator.create(begun.options, **{"origin": ORIGIN} | parts)
    await begun.verify(credential, by=by)
    [credential_id] = authenticator.credentials
    return Person(user, authenticator, begun.passkey_id, credential_id)


async def start(client: Client) -> dict[str, Any]:
    """The request options of a sign-in."""
    nobody = client.with_token("")
    answer = await nobody.call(
        nobody.sign_ins.StartPasskeySignIn, signin_pb.StartPasskeySignInRequest()
    )
    return json_format.MessageToDict(answer.public_key_credential_request_options)


def complete(client: Client, credential: dict[str, Any], *, device_name: str = "") -> Any:
    """Completes a sign-in, without a token."""
    nobody = client.with_token("")
    return nobody.call(
        nobody.sign_ins.CompletePasskeySignIn,
        signin_pb.CompletePasskeySignInRequest(
            public_key_credential=given.struct(credential), device_name=device_name
        ),
    )


async def current(client: Client) -> pb.Session:
    """The session of the caller."""
    answer = await client.call(client.sessions.GetCurrentSession, pb.GetCurrentSessionRequest())
    return answer.session


async def set_sign_in(sql: asyncpg.Connection, signed_in: SignedIn, **ago: float) -> None:
    """Makes the last sign-in of a session one of this time ago."""
    await sql.execute(
        "update sessions set authenticated_at = clock_timestamp() - $2::interval"
        " where session_id = $1",
        signed_in.session_id,
        timedelta(**ago),
    )


async def introspect(verifier: Client, token: SignedIn | str) -> pb.IntrospectSessionResponse:
    """The session of a token, as a service with the role of a verifier sees it."""
    token = token if isinstance(token, str) else token.client.token
    request = pb.IntrospectSessionRequest(session_token=token)
    return await verifier.call(verifier.sessions.IntrospectSession, request)


def sign_out(client: Client) -> Any:
    return client.call(client.sessions.SignOut, pb.SignOutRequest())


async def listed(client: Client, user_id: str | None = None) -> list[pb.Session]:
    """The sessions of a user, as they are listed."""
    request = pb.ListSessionsRequest(user_id=user_id or client.user_id)
    return list((await client.call(client.sessions.ListSessions, request)).sessions)


def end(client: Client, session_id: str, user_id: str | None = None) -> Any:
    request = pb.EndSessionRequest(user_id=user_id or client.user_id, session_id=session_id)
    return client.call(client.sessions.EndSession, request)


def end_all(client: Client, user_id: str | None = None, *, keep_current: bool = False) -> Any:
    request = pb.EndSessionsRequest(user_id=user_id or client.user_id, keep_current=keep_current)
    return client.call(client.sessions.EndSessions, request)


async def start_reauthentication(client: Client) -> dict[str, Any]:
    """The request options of a reauthentication."""
    answer = await client.call(
        client.sessions.StartReauthentication, pb.StartReauthenticationRequest()
    )
    return json_format.MessageToDict(answer.public_key_credential_request_options)


def reauthenticate(client: Client, credential: dict[str, Any]) -> Any:
    request = pb.CompleteReauthenticationRequest(public_key_credential=given.struct(credential))
    return client.call(client.sessions.CompleteReauthentication, request)
