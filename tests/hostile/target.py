"""The attacked server, as reflection and `/openapi.json` describe it to an outsider.

Nothing here is read from the code of this process, so new methods and routes are attacked without
changes to these tests.
"""

import contextlib
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

import grpc
import httpx2
import psutil
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)
from openapi_schema_validator import OAS31Validator

from keystead.oauth.v1 import oauth_service_pb2 as oauth_pb
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.application import calls as applications
from tests.group import calls as groups
from tests.idp import mail_domains, oidc_calls
from tests.oauth import devices, flow
from tests.org import mail_text_calls as mail_texts
from tests.org.brand_calls import FIELDS, set_brand, set_instance_brand
from tests.passkey import links
from tests.passkey.ceremonies import begin
from tests.push import calls as pushes
from tests.session.sessions import with_passkey
from tests.signup import calls as sign_ups
from tests.smtp import calls as smtp_calls
from tests.support import given, grpcweb_client
from tests.support.certificates import Authority
from tests.support.given import Client, Instance, Refusal
from tests.support.process import Server, serve_forked
from tests.support.transports import GrpcWeb, authorization
from tests.support.web_client import web_client
from tests.user import attribute_calls

# No client ever causes this code.
FAULTS = {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.DATA_LOSS}

Json = Mapping[str, Any]

# The settings that the examples of the document need.
AS_IN_EXAMPLES = {
    "public_url": "https://id.example.com",
    "jwt_audiences": "https://orders.example.com",
    "former_rp_ids": "example.com,old.example",
}

_GENEROUS = {
    "max_passkeys_per_user": 1000,
    "max_tokens_per_user": 10_000,
    "mail_hourly_limit": 10_000,
}
# Methods that need a session, and methods of sessions that do not.
_BY_SESSION = {
    *("LinkIDP", "ApproveAuthorization", "RequestEmailChange", "ConfirmEmailChange"),
    *("DescribeDevice", "ApproveDevice", "DenyDevice"),
}
_BY_SERVICE = {
    *("IntrospectSession", "ListOrganizationSessions", "ListSignInRefusals", "WatchEndedSessions"),
}
# Methods that read, or make an object of which there may be any number.
_HARMLESS = re.compile(
    "(Add|Check|Create|Describe|Introspect|Issue|Open|Push|Request|Start|Test)"
    "(?!.*(Secret|Certificate)$)"
)
_OF_APPLICATIONS = {
    *("application_id", "client_id", "client_secret", "secret_id"),
    *("sealed_request", "user_code", "sealed_logout", "sealed_response"),
}
_OF_SUBSCRIPTIONS = {"subscription_id", "rotated_id", "rotated_secret_id", "delivery_id"}
# Of the examples.
_ATTRIBUTE = "department"
# Names in camel case with a word that differs.
_SNAKE = re.compile(r"(?<!^)(?=[A-Z])")

_FAILED_DELIVERY = """
insert into push_deliveries (delivery_id, target_id, kind, owner, aggregate_id, event_type,
    position, payload, state, next_attempt_at, due_at, give_up_at, created_at, ended_at)
select $1, id, 'webhook', owner, id, 'group.added', 1, '{}', 'failed',
    now(), now(), now(), now(), now()
from push_subscriptions where id = $2"""


@dataclass(frozen=True)
class Operation:
    """A route of the JSON API, as the document describes it."""

    name: str
    verb: str
    path: str
    described: Json

    @property
    def parameters(self) -> Sequence[Json]:
        """The parameters of its path and query."""
        return [each for each in self.described.get("parameters", ()) if "name" in each]

    @property
    def examples(self) -> dict[str, Any]:
        """Examples of its path parameters by name."""
        return {each["name"]: each["example"] for each in self.parameters if each["in"] == "path"}

    @property
    def streams(self) -> bool:
        """Whether its answer is a stream of events."""
        return "text/event-stream" in self.described["responses"]["200"]["content"]

    @property
    def body(self) -> Json | None:
        """The description of its body, if it has one."""
        content: Json | None = self.described.get("requestBody", {}).get("content")
        return content["application/json"] if content else None


class Target:
    """A server in its own process, and a caller."""

    def __init__(
        self,
        server: Server,
        instance: Instance,
        http: httpx2.AsyncClient,
        methods: Sequence[MethodDescriptor],
        document: Json,
    ) -> None:
        self.server = server
        self.instance = instance
        self.http = http
        self.methods = methods
        self.document = document
        self.operations = [
            Operation(operation["operationId"], verb.upper(), path, operation)
            for path, operations in document["paths"].items()
            for verb, operation in operations.items()
            if "operationId" in operation  # not the members that all operations of the path share
        ]
        # Lines that are not log lines, written by libraries.
        self.prose: list[str] = []
        self._errors: list[str] = []
        self._validators: dict[str, OAS31Validator] = {}
        self._untouched: Victim | None = None
        self._log_read = 0

    @classmethod
    @contextlib.asynccontextmanager
    async def running(cls, data_dir: Path, dsn: str, **settings: object) -> AsyncIterator[Self]:
        """Starts the server on an empty database, with limits that no number of calls reaches."""
        settings = {"database_url": dsn, **_GENEROUS, **settings}
        async with serve_forked(data_dir, **settings) as server:
            port, web_port = await server.port(), await server.web_port()
            async with (
                Instance.connected(dsn, port, data_dir, web_port=web_port) as instance,
                web_client(web_port) as http,
            ):
                document = (await http.get("/openapi.json")).json()
                yield cls(server, instance, http, _reflected(port), document)

    @property
    def admin(self) -> Client:
        """The administrator."""
        return self.instance.admin

    def method(self, name: str) -> MethodDescriptor:
        """The method with this full name."""
        return next(method for method in self.methods if method.full_name == name)

    def operation(self, name: str) -> Operation | None:
        """The route of a method, if it has one."""
        return next((each for each in self.operations if each.name == name), None)

    def resolved(self, schema: Json) -> Json:
        """A schema of the document, with its reference resolved."""
        if "$ref" not in schema:
            return schema
        name = schema["$ref"].rpartition("/")[2]
        return self.document["components"]["schemas"][name]

    def misfit(self, operation: Operation, answer: httpx2.Response) -> str:
        """The reason why the document does not describe an answer; empty if it does."""
        responses = operation.described["responses"]
        response = responses.get(str(answer.status_code), responses["default"])
        if "$ref" in response:
            name = response["$ref"].rpartition("/")[2]
            response = self.document["components"]["responses"][name]
        if answer.headers["content-type"] == "text/event-stream":
            return "" if "text/event-stream" in response["content"] else "It is a stream."
        schema = json.dumps(response["content"]["application/json"]["schema"])
        if schema not in self._validators:
            whole = {**json.loads(schema), "components": self.document["components"]}
            self._validators[schema] = OAS31Validator(whole)
        error = next(self._validators[schema].iter_errors(answer.json()), None)
        return error.message if error else ""

    async def victim_of(self, method: str) -> "Victim":
        """A victim for attacks on a method. Methods that change no object of it share one.

        Others share the objects that their requests do not name.
        """
        self._untouched = self._untouched or await self.victim()
        operation = self.operation(method)
        if operation and operation.verb != "GET" and not _HARMLESS.match(method):
            [fields] = [_fields(each.input_type) for each in self.methods if each.name == method]
            if "Brand" in method:
                fields |= {"org_id"}
            victim = await self._victim(self.admin, self._untouched, fields)
            if method == "RemoveSMTPOAuth":
                await smtp_calls.set_oauth(self.admin)
            return victim
        await self._configure_smtp()
        return self._untouched

    async def victim(self, owner: Client | None = None) -> "Victim":
        """A new user, with one object of every kind that requests name.

        They are in the organization of `owner`, by default in that of the administrator.
        """
        return await self._victim(owner or self.admin, None, set())

    async def _victim(self, admin: Client, shared: "Victim | None", fields: set[str]) -> "Victim":
        """A victim whose objects are new, or those of `shared` that no field names."""
        user = await self._user(admin)
        another = user_pb.CreateTokenRequest(user_id=user.user_id)
        await self._configure_smtp()
        await mail_texts.set_text(self.admin, title="Welcome")
        person = await with_passkey(user)
        session = await person.sign_in()
        names = {
            "return_to": flow.CALLBACK,
            "token": "of no approval",
            "user_id": user.user_id,
            "attribute_id": await self._attribute(admin),
            "mail_domain_id": await self._mail_domain(admin),
            "domain": mail_domains.unused(),
            "mail_text_id": mail_texts.TEXT_ID,
            "session_id": session.session_id,
            "token_id": (await admin.call(admin.users.CreateToken, another)).token_id,
            "passkey_id": person.passkey_id,
            "mail_id": (await links.create(admin, user, send=True)).mail_id,
        }

        async def add(kind: set[str], make: Callable[[], Awaitable[Mapping[str, str]]]) -> None:
            if shared is None or kind & fields:
                names.update(await make())
            else:
                names.update({name: shared.names("")[name] for name in kind})

        await add({"certificate"}, self._certificate)
        await add({"idp_id"}, lambda: self._idp(admin))
        await add({"group_id"}, lambda: self._group(admin, user))
        await add(_OF_APPLICATIONS, lambda: self._application(admin, session.client))
        await add({"org_id", "sign_up_token"}, self._organization)
        await add(_OF_SUBSCRIPTIONS, lambda: self._subscription(admin))
        names["link_id"] = await self._link(user, names["idp_id"])
        return Victim(self, user, session.client, names, (await begin(user)).passkey_id)

    async def _certificate(self) -> Mapping[str, str]:
        return {"certificate": Authority(self.instance.data_dir).certificate().pem}

    async def _idp(self, admin: Client) -> Mapping[str, str]:
        idp_id = await given.idp(admin)
        await oidc_calls.set_config(admin, idp_id, issuer="https://127.0.0.1:1")
        return {"idp_id": idp_id}

    async def _group(self, admin: Client, user: Client) -> Mapping[str, str]:
        group_id = await groups.group(admin)
        await groups.add_member(admin, group_id, user.user_id)
        return {"group_id": group_id}

    async def _application(self, admin: Client, session: Client) -> Mapping[str, str]:
        """An application with a grant, and what it may send."""
        client_id = await applications.application(admin, redirect_uris=[flow.CALLBACK])
        secret = await applications.create_secret(admin, client_id)
        app = flow.App(self.instance.nobody, client_id, secret.secret)
        await flow.approve(session, await flow.sealed(app))
        refused = await app.start(response_mode="form_post", nonce="")
        return {
            "application_id": client_id,
            **app.credentials,
            "sealed_request": await flow.sealed(app),
            "user_code": (await devices.start(app)).user_code,
            "sealed_logout": (await _start_logout(admin)).sealed_request,
            "sealed_response": flow.parameters(refused.redirect_uri)["response"],
            "secret_id": secret.secret_id,
        }

    async def _organization(self) -> Mapping[str, str]:
        """An organization with a brand that lets people sign up, and the brand of the instance."""
        org_id = await given.organization(self.admin)
        await set_brand(self.admin, org_id, **FIELDS)
        await sign_ups.allow(self.admin, org_id)
        await set_instance_brand(self.admin, **FIELDS)
        return {
            "org_id": org_id,
            "sign_up_token": sign_ups.token(self.instance.data_dir, org_id),
        }

    async def _attribute(self, admin: Client) -> str:
        """The attribute that examples of users have. An organization has few of them."""
        with contextlib.suppress(grpc.aio.AioRpcError):  # an earlier victim has declared it
            return str((await attribute_calls.create(admin, _ATTRIBUTE)).attribute_id)
        return await attribute_calls.id_of(admin, _ATTRIBUTE)

    async def _mail_domain(self, admin: Client) -> str:
        """A mail domain. It replaces those of earlier victims: an organization has at most 50."""
        kept = self._untouched.names("")["mail_domain_id"] if self._untouched else ""
        earlier = await mail_domains.list_all(admin)
        for each in earlier if len(earlier) > 40 else ():
            if each.mail_domain_id != kept:
                await mail_domains.remove(admin, each.mail_domain_id)
        return (await mail_domains.create(admin)).mail_domain_id

    async def _subscription(self, admin: Client) -> Mapping[str, str]:
        """A subscription with a failed delivery, and one with two secrets.

        They replace those of earlier victims: an organization has at most 100.
        """
        kept = self._untouched.names("")["subscription_id"] if self._untouched else ""
        earlier = await pushes.list_all(admin, page_size=100)
        for each in earlier if len(earlier) > 90 else ():
            if each.subscription_id != kept:
                await pushes.remove(admin, each.subscription_id)
        subscription_id = await pushes.subscription(admin)
        rotated_id = await pushes.subscription(admin)
        secret = await pushes.create_secret(admin, rotated_id)
        return {
            "subscription_id": subscription_id,
            "rotated_id": rotated_id,
            "rotated_secret_id": secret.secret_id,
            "delivery_id": await self._failed_delivery(subscription_id),
        }

    async def _failed_delivery(self, subscription_id: str) -> str:
        """A failed delivery, written directly: no target can be reached."""
        delivery_id = str(uuid4())
        async with given.sql(self.instance.dsn) as rows:
            await rows.execute(_FAILED_DELIVERY, delivery_id, subscription_id)
        return delivery_id

    async def _configure_smtp(self) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError):  # one is set
            # No mail leaves this machine: no mail server may have this address.
            request = given.smtp_config(host="127.0.0.1:1")
            await self.admin.call(self.admin.smtp.AddSMTPConfig, request)
        with contextlib.suppress(grpc.aio.AioRpcError):  # none are set
            # They would bind the configuration to its host.
            removal = smtp_pb.RemoveSMTPOAuthRequest()
            await self.admin.call(self.admin.smtp.RemoveSMTPOAuth, removal)

    async def _link(self, user: Client, idp_id: str) -> str:
        """A link of the user, written directly: no provider can be reached."""
        link_id = uuid4().hex
        async with given.sql(self.instance.dsn) as rows:
            await rows.execute(
                "insert into idp_links values ($1, $2, $3, '', 'sub', 2, now(), now())",
                *(user.user_id, link_id, idp_id),
            )
        return link_id

    async def _user(self, admin: Client) -> Client:
        """A user with a mail address."""
        name = uuid4().hex
        request = user_pb.CreateUserRequest(user_name=name, email=f"{name}@example.com")
        user_id = (await admin.call(admin.users.CreateUser, request)).user_id
        return admin.with_token(await given.token(admin, user_id), user_id)

    async def native(
        self, method: MethodDescriptor, message: bytes, token: str = ""
    ) -> Refusal | None:
        """The answer of gRPC to the bytes of a message. Of a stream, the first message is read."""
        arity = f"{_arity(method.client_streaming)}_{_arity(method.server_streaming)}"
        call = getattr(self.instance.channel, arity)(path_of(method))(
            [message] if method.client_streaming else message, metadata=authorization(token)
        )
        try:
            if method.server_streaming:
                await call.read()
                call.cancel()
            else:
                await call
        except grpc.aio.AioRpcError as error:
            return given.read_refusal(error)
        return None

    async def grpc_web(
        self, method: MethodDescriptor, message: bytes, token: str = ""
    ) -> Refusal | None:
        """The answer of grpc-web to the bytes of a message. A stream ends at its deadline."""
        headers = [*authorization(token)]
        if method.server_streaming:
            headers.append(("grpc-timeout", "50m"))
        web = GrpcWeb(self.http, "application/grpc-web+proto")
        received = await web.post(path_of(method), grpcweb_client.frame(message), headers)
        answer = grpcweb_client.Answer.of(received)
        if answer.code is grpc.StatusCode.OK:
            return None
        return given.read_refusal(answer.error)

    def logged(self) -> list[dict[str, Any]]:
        """The log lines since the last call of this method."""
        with self.server.log_file.open("rb") as log:
            log.seek(self._log_read)
            lines = log.read().splitlines(keepends=True)
        if lines and not lines[-1].endswith(b"\n"):
            lines.pop()
        self._log_read += sum(map(len, lines))
        entries = [json.loads(line) for line in lines if line.startswith(b"{")]
        self._errors += [str(each) for each in entries if each["level"] in ("error", "critical")]
        self.prose += [line.decode().rstrip() for line in lines if not line.startswith(b"{")]
        return entries

    async def errors(self) -> list[str]:
        """The errors in the log since the last call of this method."""
        # Lines are written in batches: with the line of a last call, all others are there.
        last = uuid4().hex
        await self.http.get("/v1/users/me", headers={"x-request-id": last})
        await self.server.until(
            lambda: any(entry.get("request_id") == last for entry in self.logged())
        )
        errors, self._errors = self._errors, []
        return errors

    def processor_seconds(self) -> float:
        """The processor time that the process has used."""
        times = psutil.Process(self.server.process.pid).cpu_times()
        return float(times.user + times.system)

    def memory(self) -> int:
        """The resident bytes of the process."""
        return psutil.Process(self.server.process.pid).memory_info().rss


@dataclass(frozen=True)
class Victim:
    """A user without roles, and the identifiers of its objects by field names."""

    target: Target
    user: Client
    session: Client
    _names: Mapping[str, str]
    _pending_passkey_id: str

    def caller_of(self, method: MethodDescriptor) -> Client:
        """A caller that may call the method."""
        is_of_session = method.containing_service.name == "SessionService"
        if method.name in _BY_SESSION or (is_of_session and method.name not in _BY_SERVICE):
            return self.session
        return self.target.admin

    def names(self, method: str) -> Mapping[str, str]:
        """The identifiers that a request of the method must contain."""
        if method == "VerifyPasskeyRegistration":  # for a new passkey
            return {**self._names, "passkey_id": self._pending_passkey_id}
        if method == "RemoveSubscriptionSecret":
            subscription_id, secret_id = self._names["rotated_id"], self._names["rotated_secret_id"]
            return {**self._names, "subscription_id": subscription_id, "secret_id": secret_id}
        if method == "CreateApplication":  # with an ID of the server
            return {**self._names, "application_id": ""}
        if method == "CreateWorkloadCredential":
            return {**self._names, "audience": self._names["user_id"]}
        if method == "DescribeLogout":
            return {**self._names, "sealed_request": self._names["sealed_logout"]}
        return self._names

    def right_request(self, method: MethodDescriptor) -> Message:
        """The document's example with existing identifiers. Empty for a method without a route."""
        message = GetMessageClass(method.input_type)()
        # Health has a Check, too, without a route. That of Envoy's service is the one of the gate.
        is_own = method.input_type.full_name.startswith("keystead.")
        if is_own and (operation := self.target.operation(method.name)):
            json_format.ParseDict(operation.examples, message, ignore_unknown_fields=True)
            if operation.body:
                json_format.ParseDict(operation.body["example"], message)
        _name(message, method.input_type, self.names(method.name))
        return message

    def path(self, operation: Operation) -> str:
        """The path of an operation, with existing identifiers."""
        path, names = operation.path, self.names(operation.name)
        for parameter, example in operation.examples.items():
            named = names.get(snake_case(parameter), example)
            path = path.replace(f"{{{parameter}}}", named)
        return path


def _name(message: Message, descriptor: Descriptor, names: Mapping[str, str]) -> None:
    for field in descriptor.fields:
        if field.name in names:
            setattr(message, field.name, names[field.name])
        elif field.message_type and not field.is_repeated and message.HasField(field.name):
            _name(getattr(message, field.name), field.message_type, names)


def _fields(descriptor: Descriptor) -> set[str]:
    """The names of the fields of a request, also of the messages in it."""
    below = [field.message_type for field in descriptor.fields if field.message_type]
    return {field.name for field in descriptor.fields}.union(
        *(_fields(each) for each in below if each.full_name.startswith("keystead."))
    )


def _start_logout(client: Client) -> Any:
    return client.call(client.oauth.StartLogout, oauth_pb.StartLogoutRequest())


def path_of(method: MethodDescriptor) -> str:
    """The path of a method."""
    return f"/{method.containing_service.full_name}/{method.name}"


def snake_case(name: str) -> str:
    """The name of a field, from its name in JSON."""
    return _SNAKE.sub("_", name).lower()


def _arity(streaming: bool) -> str:
    return "stream" if streaming else "unary"


def _reflected(port: int) -> Sequence[MethodDescriptor]:
    """Every method that reflection lists, with descriptors of its making."""
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        reflection = ProtoReflectionDescriptorDatabase(channel)
        pool = DescriptorPool(reflection)
        return [
            method
            for service in reflection.get_services()
            for method in pool.FindServiceByName(service).methods
        ]
