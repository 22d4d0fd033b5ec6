"""Clients, and factories with valid defaults.

A test names only the values that it tests.
"""

import asyncio
import base64
import contextlib
import copy
import importlib
import json
from collections import Counter
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any, Self, TypeVar, cast
from uuid import uuid4

import asyncpg
import grpc
from google.protobuf import struct_pb2
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

import keystead
from keystead.application.v1 import application_service_pb2_grpc
from keystead.attribute.v1 import attribute_service_pb2_grpc
from keystead.event.v1 import event_service_pb2_grpc
from keystead.gate.v1 import gate_service_pb2_grpc
from keystead.group.v1 import group_service_pb2_grpc
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.idp.v1 import (
    identity_provider_service_pb2_grpc,
    mail_domain_service_pb2_grpc,
    oidc_config_service_pb2_grpc,
)
from keystead.mail.v1 import mail_service_pb2_grpc
from keystead.oauth.v1 import oauth_service_pb2_grpc
from keystead.org.v1 import brand_service_pb2_grpc, organization_service_pb2_grpc
from keystead.org.v1 import organization_service_pb2 as org_pb
from keystead.passkey.v1 import passkey_service_pb2_grpc
from keystead.push.v1 import push_service_pb2_grpc
from keystead.session.v1 import session_service_pb2_grpc
from keystead.signin.v1 import signin_service_pb2_grpc
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.smtp.v1 import smtp_service_pb2_grpc
from keystead.system.v1 import system_service_pb2_grpc
from keystead.user.v1 import idp_link_service_pb2_grpc, user_service_pb2_grpc
from keystead.user.v1 import user_service_pb2 as user_pb
from server.access.authenticator import Authenticator
from server.access.authorizer import Authorizer
from server.access.caller import Caller
from server.access.roles import Role
from server.crypto.keyring import Keyring
from server.rpc.call_log import CallLog
from server.rpc.methods import Methods
from server.rpc.preconditions.run import Preconditions
from server.store.database import Database
from server.telemetry.metrics import Metrics

Response = TypeVar("Response")

# Calls that prepare a test have more time than the default deadline of a server gives.
_PATIENT_SECONDS = 30.0

# A valid SMTP configuration.
SMTP_FIELDS: Mapping[str, Any] = {
    "sender_address": "noreply@example.com",
    "sender_name": "Example",
    "tls": True,
    "host": "smtp.example.com:587",
    "user": "mailer",
    "password": "mail-password",
}

# A newer release has migrated the database to version $1, on which servers of $2 or newer run.
NEWER_SCHEMA = "insert into schema_versions (version, compatible_since) values ($1, $2)"


def struct(value: Mapping[str, Any]) -> struct_pb2.Struct:
    """A JSON object as a `Struct`. Unlike `ParseDict`, it accepts NaN and infinity."""
    message = struct_pb2.Struct()
    message.update(value)
    return message


def encoded_keys(*keys: bytes) -> str:
    """A value of `encryption_keys`: a server encrypts with the first key."""
    return ",".join(base64.b64encode(key).decode() for key in keys)


def _service_modules() -> Iterator[ModuleType]:
    """The generated modules of Keystead's services. Several directories contain the package.

    Two of them contain the same modules if PYTHONPATH names one checkout and an editable install
    another.
    """
    names = {
        f"keystead.{path.parts[-3]}.v1.{path.stem}"
        for folder in keystead.__path__
        for path in Path(folder).glob("*/v1/*_service_pb2.py")
    }
    return map(importlib.import_module, sorted(names))


# Every method of Keystead's services, read from the schema.
METHODS: Sequence[MethodDescriptor] = [
    method
    for module in _service_modules()
    for service in module.DESCRIPTOR.services_by_name.values()
    for method in service.methods
]
METHOD = {method.name: method for method in METHODS}  # by name
# Unary methods, which JSON can carry.
UNARY_METHODS = [method for method in METHODS if not method.server_streaming]


class Client:
    """A caller: the stubs of all services, and the token that `call` sends."""

    def __init__(self, channel: grpc.aio.Channel, token: str, user_id: str = "") -> None:
        self.channel = channel
        self.token = token
        self.user_id = user_id
        self.smtp = smtp_service_pb2_grpc.SMTPServiceStub(channel)
        self.mails = mail_service_pb2_grpc.MailServiceStub(channel)
        self.passkeys = passkey_service_pb2_grpc.PasskeyServiceStub(channel)
        self.sign_ins = signin_service_pb2_grpc.SignInServiceStub(channel)
        self.sessions = session_service_pb2_grpc.SessionServiceStub(channel)
        self.events = event_service_pb2_grpc.EventServiceStub(channel)
        self.idps = identity_provider_service_pb2_grpc.IdentityProviderServiceStub(channel)
        self.mail_domains = mail_domain_service_pb2_grpc.MailDomainServiceStub(channel)
        self.oidc_configs = oidc_config_service_pb2_grpc.OIDCConfigServiceStub(channel)
        self.idp_links = idp_link_service_pb2_grpc.IDPLinkServiceStub(channel)
        self.orgs = organization_service_pb2_grpc.OrganizationServiceStub(channel)
        self.brands = brand_service_pb2_grpc.BrandServiceStub(channel)
        self.applications = application_service_pb2_grpc.ApplicationServiceStub(channel)
        self.groups = group_service_pb2_grpc.GroupServiceStub(channel)
        self.gate = gate_service_pb2_grpc.GateServiceStub(channel)
        self.oauth = oauth_service_pb2_grpc.OAuthServiceStub(channel)
        self.pushes = push_service_pb2_grpc.PushServiceStub(channel)
        self.attributes = attribute_service_pb2_grpc.AttributeServiceStub(channel)
        self.systems = system_service_pb2_grpc.SystemServiceStub(channel)
        self.users = user_service_pb2_grpc.UserServiceStub(channel)

    def call(
        self,
        method: Any,
        request: Any,
        *,
        timeout: float | None = None,
        wait_for_ready: bool | None = None,
        **headers: str,
    ) -> Any:
        """Calls a method of a stub. Headers are keyword arguments: `x_service_orgid="..."`."""
        metadata = [("authorization", f"Bearer {self.token}")] if self.token else []
        metadata += [(name.replace("_", "-"), value) for name, value in headers.items()]
        return method(request, metadata=metadata, timeout=timeout, wait_for_ready=wait_for_ready)

    def invoke(self, method: MethodDescriptor, request: Message, **headers: Any) -> Any:
        """Calls a method by its descriptor, for tests of all methods.

        The answer of a stream is its first message.
        """
        make = self.channel.unary_stream if method.server_streaming else self.channel.unary_unary
        stub = make(
            f"/{method.containing_service.full_name}/{method.name}",
            request_serializer=type(request).SerializeToString,
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )
        call = self.call(stub, request, **headers)
        return _FirstMessage(call) if method.server_streaming else call

    def with_token(self, token: str, user_id: str = "") -> "Client":
        """Another caller on the same channel, by the same stubs."""
        other = copy.copy(self)
        other.token, other.user_id = token, user_id
        return other


class _FirstMessage:
    """A call whose answer is the first message of a stream. The stream is cancelled then."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __await__(self) -> Generator[Any, None, Any]:
        return self._message().__await__()

    async def code(self) -> grpc.StatusCode:
        """OK if there is a message."""
        try:
            await self
        except grpc.aio.AioRpcError as error:
            return error.code()
        return grpc.StatusCode.OK

    async def _message(self) -> Any:
        try:
            return await anext(aiter(self._stream))
        finally:
            self._stream.cancel()


@dataclass(frozen=True)
class Refusal:
    """An error as a client sees it."""

    code: grpc.StatusCode
    message: str
    reason: str
    metadata: Mapping[str, str]
    request_id: str
    violations: Mapping[str, str]
    resource: tuple[str, str] | None
    retry_seconds: float | None


async def refusal(call: Awaitable[object]) -> Refusal:
    """The error that a call must end with."""
    try:
        answer = await call
    except grpc.aio.AioRpcError as error:
        return read_refusal(error)
    raise AssertionError(f"the call was not refused: {answer}")


async def outcome(call: Awaitable[object]) -> str:
    """`OK`, or the reason of the refusal."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return read_refusal(error).reason
    return "OK"


async def outcomes(calls: Iterable[Awaitable[object]]) -> Counter[str]:
    """The outcomes of simultaneous calls."""
    return Counter(await asyncio.gather(*map(outcome, calls)))


def read_refusal(error: grpc.aio.AioRpcError) -> Refusal:
    """Reads the status of an error, which must have details."""
    status = rpc_status.from_call(error)
    assert status is not None, f"an error without details: {error}"
    assert (status.code, status.message) == (error.code().value[0], error.details())
    return read_status(status)


def read_status(status: status_pb2.Status) -> Refusal:
    """Reads a status, and checks the details that every error must have."""
    details: dict[str, Any] = {}
    for each in status.details:
        name = each.TypeName().rpartition(".")[2]
        details[name] = getattr(error_details_pb2, name)()
        assert each.Unpack(details[name])
    assert len(details) == len(status.details)
    info, request = details.pop("ErrorInfo"), details.pop("RequestInfo")
    assert info.domain == "keystead"
    bad_request = details.pop("BadRequest", error_details_pb2.BadRequest())
    resource, retry = details.pop("ResourceInfo", None), details.pop("RetryInfo", None)
    assert not details
    return Refusal(
        code=next(code for code in grpc.StatusCode if code.value[0] == status.code),
        message=status.message,
        reason=info.reason,
        metadata=dict(info.metadata),
        request_id=request.request_id,
        violations={each.field: each.description for each in bad_request.field_violations},
        resource=(resource.resource_type, resource.resource_name) if resource else None,
        retry_seconds=retry.retry_delay.ToTimedelta().total_seconds() if retry else None,
    )


@dataclass(frozen=True)
class Instance:
    """A running server."""

    dsn: str
    port: int
    web_port: int
    data_dir: Path
    channel: grpc.aio.Channel
    admin: Client

    @classmethod
    @contextlib.asynccontextmanager
    async def connected(
        cls,
        dsn: str,
        port: int,
        data_dir: Path,
        *,
        web_port: int = 0,
        ca_file: Path | None = None,
        client_certificate: Path | None = None,
    ) -> AsyncIterator[Self]:
        """An instance and a channel to it. `web_port` is for tests that also call the web port.

        With `ca_file` the channel uses TLS, and presents the certificate and key of a PEM file.
        """
        async with _channel(f"127.0.0.1:{port}", ca_file, client_certificate) as channel:
            token_file = data_dir / "admin.token"
            admin = Client(channel, token_file.read_text().strip())
            myself = await admin.call(
                admin.users.GetCurrentUser,
                user_pb.GetCurrentUserRequest(),
                timeout=_PATIENT_SECONDS,
            )
            admin = admin.with_token(admin.token, myself.user.user_id)
            yield cls(dsn, port, web_port, data_dir, channel, admin)

    @property
    def nobody(self) -> Client:
        """A caller without a token."""
        return Client(self.channel, "")


def _channel(
    address: str, ca_file: Path | None, client_certificate: Path | None
) -> grpc.aio.Channel:
    if ca_file is None:
        return grpc.aio.insecure_channel(address)
    pem = client_certificate.read_bytes() if client_certificate else None
    credentials = grpc.ssl_channel_credentials(ca_file.read_bytes(), pem, pem)
    return grpc.aio.secure_channel(address, credentials)


async def _organization_owner(_hashed: bytes) -> Caller | None:
    return Caller("user", "org", frozenset({Role.ORG_OWNER}))


def seam(
    *,
    default_timeout: float = 10,
    unread_seconds: float = 30,
    find_user: Callable[[bytes], Awaitable[Caller | None]] = _organization_owner,
) -> Methods:
    """A seam without a database that accepts every token, by default as an organization owner's."""

    async def find_nothing(_key: object) -> None:
        return None

    async def exists(_organization_id: str) -> bool:
        return False

    return Methods(
        authenticator=Authenticator(
            find_user=find_user,
            find_workload=find_nothing,
            find_session=find_nothing,
            peek_session=find_nothing,
            find_registration=find_nothing,
            find_link=find_nothing,
        ),
        authorizer=Authorizer(find_user=find_nothing, organization_exists=exists),
        default_timeout=default_timeout,
        call_log=CallLog(Metrics()),
        preconditions=Preconditions(cast(Database, None), cast(Keyring, None), {}),
        unread_seconds=unread_seconds,
    )


async def eventually(condition: Callable[[], Awaitable[bool]]) -> None:
    """Waits until the condition is true; the time limit of the test ends a wait that never does."""
    while not await condition():  # noqa: ASYNC110 -- the condition concerns another process
        await asyncio.sleep(0.01)


async def call_line(logs: Sequence[Mapping[str, Any]], **fields: Any) -> Mapping[str, Any]:
    """The line of the call that has these fields; it is logged a moment after the call ended."""
    while True:
        for line in logs:
            if line["event"] == "call" and fields.items() <= line.items():
                return line
        await asyncio.sleep(0.005)


async def organization(admin: Client, *, name: str | None = None) -> str:
    """A new organization's id."""
    request = org_pb.CreateOrganizationRequest(name=name or f"org {uuid4().hex}")
    return (await admin.call(admin.orgs.CreateOrganization, request)).org_id


async def claims_of_organizations(sql: asyncpg.Connection, *org_ids: str) -> None:
    """Lets statements write rows of these organizations, which need nothing else of them."""
    await sql.execute(
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'organization_name', id, id from unnest($1::text[]) as id on conflict do nothing""",
        org_ids,
    )


async def user(
    admin: Client,
    *,
    org_id: str | None = None,
    name: str | None = None,
    roles: Sequence[user_pb.Role.ValueType] = (),
) -> Client:
    """A new user with a token of its own; without `org_id`, in a new organization."""
    request = user_pb.CreateUserRequest(user_name=name or f"user-{uuid4().hex}")
    headers: dict[str, Any] = {"x_service_orgid": org_id or await organization(admin)}
    user_id = (await admin.call(admin.users.CreateUser, request, **headers)).user_id
    for role in roles:
        await admin.call(
            admin.users.GrantRole, user_pb.GrantRoleRequest(user_id=user_id, role=role)
        )
    return admin.with_token(await token(admin, user_id), user_id)


async def token(admin: Client, user_id: str) -> str:
    """A new token of a user."""
    request = user_pb.CreateTokenRequest(user_id=user_id)
    return (await admin.call(admin.users.CreateToken, request)).token


def smtp_config(**fields: Any) -> smtp_pb.AddSMTPConfigRequest:
    """A valid SMTP configuration."""
    return smtp_pb.AddSMTPConfigRequest(**{**SMTP_FIELDS, **fields})


def smtp_update(**fields: Any) -> smtp_pb.UpdateSMTPConfigRequest:
    """The same configuration without a password, which keeps the stored one."""
    unchanged = {field.name: value for field, value in smtp_config().ListFields()}
    return smtp_pb.UpdateSMTPConfigRequest(**(unchanged | {"password": None} | fields))


async def waiting_statements(connection: asyncpg.Connection) -> int:
    """The number of statements on the database that wait for a lock."""
    # Not pg_stat_activity, which is a snapshot within a transaction. The lock of a transaction
    # belongs to no database, but its waiter has locked a table in its own database.
    return await connection.fetchval(
        """
        select count(distinct pid) from pg_locks
        where not granted and pid in (
            select pid from pg_locks
            where database = (select oid from pg_database where datname = current_database()))"""
    )


async def waiting_for_a_lock(connection: asyncpg.Connection, *, statements: int = 1) -> None:
    """Waits until this number of statements on the database wait for a lock."""
    while await waiting_statements(connection) < statements:  # noqa: ASYNC110 -- PostgreSQL does not signal it
        await asyncio.sleep(0.005)


async def nothing_waiting_for_a_lock(connection: asyncpg.Connection) -> None:
    """Waits until PostgreSQL has cancelled the statements of abandoned calls.

    That is a moment after the calls ended.
    """
    while await waiting_statements(connection):  # noqa: ASYNC110 -- as above
        await asyncio.sleep(0.005)


async def idp(admin: Client, **fields: Any) -> str:
    """A new identity provider's id."""
    request = idp_pb.CreateIDPRequest(**({"name": "Provider"} | fields))
    added = await admin.call(admin.idps.CreateIDP, request, timeout=_PATIENT_SECONDS)
    return added.idp_id


@contextlib.asynccontextmanager
async def locked_idp(dsn: str, idp_id: str) -> AsyncIterator[asyncpg.Connection]:
    """Locks the identity provider until the end of the block, so that calls that change it wait."""
    async with sql(dsn) as connection, connection.transaction():
        await connection.execute("select from idps where id = $1 for update", idp_id)
        yield connection


@contextlib.asynccontextmanager
async def sql(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection to the database of a server, to inspect or change it directly."""
    connection = await asyncpg.connect(dsn)
    try:
        yield connection
    finally:
        await connection.close()


async def logged(
    connection: asyncpg.Connection, aggregate_id: str, event_type: str = ""
) -> list[dict[str, Any]]:
    """The events of an aggregate, or those of a type, oldest first. Payloads are parsed."""
    rows = await connection.fetch(
        "select * from events where aggregate_id = $1 and $2 in (event_type, '') order by sequence",
        aggregate_id,
        event_type,
    )
    return [{**row, "payload": json.loads(row["payload"])} for row in rows]


_FOR_NEW_CONNECTIONS = """
do $$ begin
    execute format('alter database %I {}', current_database());
end $$"""
_END_CONNECTIONS = """
select pg_terminate_backend(pid, 5000) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid()"""


@contextlib.asynccontextmanager
async def read_only(dsn: str) -> AsyncIterator[None]:
    """Makes the database read-only until the end of the block, as an operator does."""
    async with sql(dsn) as rows:
        await rows.execute(_FOR_NEW_CONNECTIONS.format("set default_transaction_read_only = on"))
        await rows.execute(_END_CONNECTIONS)
        try:
            yield
        finally:
            await rows.execute(_FOR_NEW_CONNECTIONS.format("reset default_transaction_read_only"))
            await rows.execute(_END_CONNECTIONS)


_ACCEPT_EVERY_KEY = """
create function accept_every_key() returns trigger language plpgsql as $$begin
    insert into encryption_keys values (new.key_id, now()) on conflict do nothing;
    return new;
end$$;
create trigger accept_every_key before insert or update on secrets
for each row execute function accept_every_key();
create trigger accept_every_key before insert or update on idempotent_answers
for each row when (new.key_id is not null) execute function accept_every_key()"""


async def accept_every_key(dsn: str) -> None:
    """Lets a database store secrets under keys that no server has, for tests of functions."""
    async with sql(dsn) as rows:
        await rows.execute(_ACCEPT_EVERY_KEY)


async def aged_signing_keys(dsn: str, time: timedelta) -> None:
    """Makes the signing keys older by this time."""
    async with sql(dsn) as rows:
        await rows.execute("update signing_keys set signs_at = signs_at - $1::interval", time)
        await rows.execute("update rsa_signing_keys set signs_at = signs_at - $1::interval", time)


@contextlib.asynccontextmanager
async def application_role(dsn: str) -> AsyncIterator[str]:
    """The DSN of the database for an owner without superuser rights, as in production."""
    role = f"keystead_test_{uuid4().hex}"
    database = dsn.partition("?")[0].rpartition("/")[2]
    async with sql(dsn) as operator:
        await operator.execute(f"create role {role}; alter database {database} owner to {role}")
        yield f"{dsn}{'&' if '?' in dsn else '?'}role={role}"
        await operator.execute(f"alter database {database} owner to current_user")
        await operator.execute(f"drop owned by {role}; drop role {role}")
