"""A little of everything, with secrets that can be recognized, over every way in.

Three marks tell what was wrong when one is found:

- the password: in every field that is for a password, and as the value of every other field, query
  parameter, header and member, malformed and oversized. It must be nowhere.
- the misplaced one: what a caller uses as a name: of a path, a field, a parameter, a header, an
  identifier. An answer may tell the caller the name again that nothing has; nothing else has it.
- the undecodable one: in headers of gRPC that are not text.
"""

import asyncio
import base64
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import asyncpg
import grpc
import httpx
from pydantic import SecretStr

from keystead.mail.v1 import mail_service_pb2 as mail_pb
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.encryption import load_keyring
from server.outbox import read_secrets
from tests import given
from tests.bridge import grpcweb_client
from tests.bridge.cast import METHODS
from tests.bridge.doors import Call, Door, Doors, GrpcWeb, Headers, Json, Native, authorization
from tests.bridge.raw_http import Connection
from tests.given import Instance
from tests.secrets import http2
from tests.smtp.mail_server import Connection as MailConnection
from tests.smtp.mail_server import MailServer, echo

_TOO_LARGE = 5 * 1024 * 1024
_GET = "/keystead.smtp.v1.SMTPService/GetSMTPConfig"
_ADD = "/keystead.smtp.v1.SMTPService/AddSMTPConfig"
_JSON = ("content-type", "application/json")
_RECEIVER = "ada@example.com"

PASSWORD, MISPLACED, UNDECODABLE = "a password", "a misplaced one", "an undecodable one"
# Of ceremonies; as it is in the table of those that are pending, and in no other.
CHALLENGE = "a challenge"


@dataclass
class Marks:
    """What is secret, by what it is; `secrets` are never to be seen anywhere."""

    # No secret, and put wherever it may be, so that what is searched is known to be the right text.
    canary: str = field(default_factory=lambda: f"canary-{uuid4().hex}")
    password: str = field(default_factory=lambda: uuid4().hex)
    misplaced: str = field(default_factory=lambda: uuid4().hex)
    undecodable: str = field(default_factory=lambda: uuid4().hex)
    secrets: dict[str, bytes] = field(default_factory=dict)
    # Those that the server was given, if it has no file of its own.
    encryption_keys: tuple[SecretStr, ...] = ()

    def __post_init__(self) -> None:
        for name, mark in (
            (PASSWORD, self.password),
            (MISPLACED, self.misplaced),
            (UNDECODABLE, self.undecodable),
        ):
            self.secrets[name] = mark.encode()

    def token(self, name: str, token: str) -> str:
        """Keeps a token that the server made."""
        # What comes before is the same in all tokens and no secret.
        self.secrets[name] = token.partition("_")[2].encode()
        return token


class _Answers:
    """All that was answered, but for what makes a secret and so tells it."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._is_private = False
        self.codes: set[grpc.StatusCode] = set()

    @property
    def text(self) -> bytes:
        return b"\n".join(self._parts)

    @contextlib.contextmanager
    def private(self) -> Iterator[None]:
        """What is answered in this block is for the caller."""
        self._is_private = True
        yield
        self._is_private = False

    def add(self, *parts: bytes) -> None:
        if not self._is_private:
            self._parts += parts

    async def add_response(self, response: httpx.Response) -> None:
        """A hook of httpx."""
        body = await response.aread()
        self.add(*(b": ".join(header) for header in response.headers.raw), body)
        if "grpc-web-text" in response.headers.get("content-type", ""):
            self.add(base64.b64decode(body))


class Run:
    """A server, and what is done to it."""

    def __init__(
        self,
        instance: Instance,
        http: httpx.AsyncClient,
        sql: asyncpg.Connection,
        marks: Marks,
        smtp: MailServer,
    ) -> None:
        self._instance = instance
        self._smtp = smtp
        self._http = http
        self._admin = instance.admin
        self._doors = Doors(
            Native(instance.channel),
            GrpcWeb(http, "application/grpc-web+proto"),
            GrpcWeb(http, "application/grpc-web-text+proto"),
            Json(http),
        )
        self._marks = marks
        self._sql = sql
        self.answers = _Answers()
        http.event_hooks = {"response": [self.answers.add_response]}
        # The statements that others who may look at the database saw.
        self.statements = b""

    @classmethod
    @contextlib.asynccontextmanager
    async def of(cls, instance: Instance, marks: Marks, smtp: MailServer) -> AsyncIterator["Run"]:
        """On a server that may send mail by the other one."""
        async with (
            httpx.AsyncClient(
                base_url=f"http://127.0.0.1:{instance.web_port}", timeout=30, trust_env=False
            ) as http,
            given.sql(instance.dsn) as sql,
        ):
            # What it changes is there after a crash, and what was changed before.
            await sql.execute("set synchronous_commit = on")
            yield cls(instance, http, sql, marks, smtp)

    async def everything(self) -> None:
        """In an order in which the last thing breaks the database."""
        marks = self._marks
        for way, door in self._doors.all.items():
            await self._configure(door)
            await self._misuse(door, await self._tokens(way, door))
            await self._deliver(way, door)
        tokens = await self._tokens("everything", self._doors.native)
        await self._misuse_headers(tokens)
        await self._misuse_urls(tokens)
        await self._misuse_bodies()
        await self._misuse_http(tokens)
        await self._misuse_http2()
        for door in self._doors.all.values():
            await self._break(door)
        self.answers.add(marks.canary.encode())
        await self._crash()

    async def _send(
        self, door: Door, method: str, request: Any, *headers: tuple[str, str], by: str = ""
    ) -> Any:
        """The response; None for a failure. Without a token, by the administrator."""
        all_headers: Headers = [
            *authorization(by or self._admin.token),
            ("x-request-id", self._marks.canary),
            *headers,
        ]
        answer = await door.answer(Call(METHODS[method], request, all_headers))
        self.answers.codes.add(answer.code)
        self.answers.add(answer.status.SerializeToString(), str(answer).encode())
        return answer.response

    async def page(self, path: str) -> bytes:
        """What the web port shows to everybody."""
        answer = await self._http.get(path)
        assert answer.status_code == 200
        return answer.content

    def _config(self, **fields: Any) -> smtp_pb.AddSMTPConfigRequest:
        return given.smtp_config(**({"password": f"{self._marks.password} and more"} | fields))

    def _update(self, **fields: Any) -> smtp_pb.UpdateSMTPConfigRequest:
        return given.smtp_update(**fields)

    def _trial(self, **fields: Any) -> smtp_pb.TestSMTPConfigRequest:
        return smtp_pb.TestSMTPConfigRequest(
            unsaved_config=self._update(**({"host": "127.0.0.1:1"} | fields))
        )

    async def _configure(self, door: Door) -> None:
        """The SMTP configuration: what succeeds, and what the fields refuse."""
        password = self._marks.password
        assert await self._send(door, "AddSMTPConfig", self._config())
        assert await self._send(door, "UpdateSMTPConfig", self._update(password=password))
        changed = smtp_pb.UpdateSMTPConfigPasswordRequest(password=password)
        assert await self._send(door, "UpdateSMTPConfigPassword", changed)
        assert await self._send(door, "GetSMTPConfig", smtp_pb.GetSMTPConfigRequest())
        refused: list[tuple[str, Any]] = [
            ("AddSMTPConfig", self._config()),
            ("UpdateSMTPConfig", self._update(host="other.example.com:25")),
            ("UpdateSMTPConfigPassword", type(changed)(password=f"{password}\n")),
            ("TestSMTPConfig", self._trial(host="other.example.com:25")),
            ("TestSMTPConfig", self._trial(password=password, host=password)),
            ("AddSMTPConfig", self._config(password=password * (_TOO_LARGE // len(password)))),
            *(
                ("AddSMTPConfig", self._config(**{"host": "nowhere"} | {name: wrong}))
                for name in ("sender_address", "sender_name", "host", "user", "password")
                for wrong in (password, f"{password}@{password}", f"{password}:{password}", "\0")
            ),
            ("UpdateSMTPConfig", self._update(user="", password=password)),
        ]
        for method, request in refused:
            assert await self._send(door, method, request) is None
        assert await self._send(door, "TestSMTPConfig", self._trial(password=password))
        assert await self._send(door, "RemoveSMTPConfig", smtp_pb.RemoveSMTPConfigRequest())
        assert await self._send(door, "UpdateSMTPConfigPassword", changed) is None

    async def _tokens(self, way: str, door: Door) -> "_Tokens":
        """One of each kind, made and used over this way in."""
        marks = self._marks
        request = user_pb.CreateUserRequest(
            user_name=f"user of {way}", display_name=marks.canary, email=_RECEIVER
        )
        user_id = (await self._send(door, "CreateUser", request)).user_id
        tokens = {}
        with self.answers.private():
            for name in ("used", "revoked", "expired"):
                token = user_pb.CreateTokenRequest(user_id=user_id, name=name)
                tokens[name] = await self._send(door, "CreateToken", token)
                marks.token(f"{name} token over {way}", tokens[name].token)
            used = tokens["used"].token
            registration = await self._send(
                door,
                "RegisterPasskey",
                passkey_pb.RegisterPasskeyRequest(user_id=user_id),
                by=used,
            )
            link = await self._link(door, user_id)
        marks.token(f"registration token over {way}", registration.registration_token)
        challenge = registration.public_key_credential_creation_options["challenge"]
        marks.secrets[f"{CHALLENGE} over {way}"] = base64.urlsafe_b64decode(f"{challenge}==")
        marks.token(f"code of a link over {way}", link)
        await self._mail_link(way, door, user_id)
        revoked = user_pb.RevokeTokenRequest(user_id=user_id, token_id=tokens["revoked"].token_id)
        assert await self._send(door, "RevokeToken", revoked, by=used)
        await self._sql.execute(
            "update tokens set expires_at = now() - interval '1 day' where name = 'expired'"
        )
        return _Tokens(
            user_id,
            registration.passkey_id,
            used,
            tokens["revoked"].token,
            tokens["expired"].token,
            registration.registration_token,
            link,
        )

    async def _mail_link(self, way: str, door: Door, user_id: str) -> None:
        """A link in a mail that waits: encrypted, which the server's key is needed to read."""
        assert await self._send(door, "AddSMTPConfig", self._config())
        sent = passkey_pb.CreatePasskeyRegistrationLinkRequest(
            user_id=user_id, send_link=passkey_pb.SendLink()
        )
        mail_id = (await self._send(door, "CreatePasskeyRegistrationLink", sent)).mail_id
        await self._mark_code(mail_id, f"code of a mailed link over {way}")
        assert await self._send(door, "RemoveSMTPConfig", smtp_pb.RemoveSMTPConfigRequest())

    async def _mark_code(self, mail_id: str, name: str) -> None:
        [secret] = read_secrets(
            load_keyring(self._marks.encryption_keys, self._instance.data_dir / "encryption.keys"),
            await self._sql.fetch("select * from secrets where aggregate_id = $1", mail_id),
            mail_id=mail_id,
            recipient_address=_RECEIVER,
        ).values()
        self._marks.token(name, secret.partition("code=")[2])

    async def _deliver(self, way: str, door: Door) -> None:
        """By a mail server that repeats what it was told, the password and the mail, and refuses.

        Then it takes the mail after all.
        """
        config = self._config(host=f"127.0.0.1:{self._smtp.port}", tls=False)
        self._smtp.users = {config.user: config.password}
        assert await self._send(door, "AddSMTPConfig", config)
        trial = smtp_pb.TestSMTPConfigRequest(receiver_address=_RECEIVER)
        for command in ("AUTH", "MAIL", "RCPT", "DATA", "BODY"):
            self._smtp.faults[command] = echo(550)
            tried = await self._send(door, "TestSMTPConfig", trial)
            assert not tried.steps[-1].succeeded
            del self._smtp.faults[command]

        self._smtp.faults["BODY"] = _repeat_the_message
        user = user_pb.CreateUserRequest(user_name=f"receiver of {way}", email=_RECEIVER)
        user_id = (await self._send(door, "CreateUser", user)).user_id
        link = passkey_pb.CreatePasskeyRegistrationLinkRequest(
            user_id=user_id, send_link=passkey_pb.SendLink()
        )
        mail_id = (await self._send(door, "CreatePasskeyRegistrationLink", link)).mail_id
        await self._mark_code(mail_id, f"code of a delivered link over {way}")
        listed = mail_pb.ListMailsRequest(user_id=user_id)

        async def is_refused() -> bool:
            [mail] = (await self._send(door, "ListMails", listed)).mails
            return any(attempt.reason for attempt in mail.attempts)

        async def is_sent() -> bool:
            [mail] = (await self._send(door, "ListMails", listed)).mails
            return bool(mail.state == mail_pb.MAIL_STATE_SENT)

        await given.eventually(is_refused)
        self._smtp.faults.clear()
        assert await self._send(door, "RetryMail", mail_pb.RetryMailRequest(mail_id=mail_id))
        await given.eventually(is_sent)
        assert await self._send(door, "RemoveSMTPConfig", smtp_pb.RemoveSMTPConfigRequest())

    async def _link(self, door: Door, user_id: str) -> str:
        """The code of the user's link, by which a ceremony was begun."""
        returned = passkey_pb.CreatePasskeyRegistrationLinkRequest(
            user_id=user_id, return_code=passkey_pb.ReturnCode()
        )
        created = await self._send(door, "CreatePasskeyRegistrationLink", returned)
        code: str = created.code
        assert created.link.endswith(f"#user={user_id}&code={code}")
        begin = passkey_pb.RegisterPasskeyRequest(user_id=user_id, code=code)
        assert (await door.answer(Call(METHODS["RegisterPasskey"], begin))).response
        return code

    async def _misuse(self, door: Door, tokens: "_Tokens") -> None:
        """Tokens that are no longer good, or not for this, and where they do not belong."""
        me, password = user_pb.GetCurrentUserRequest(), self._marks.password
        assert await self._send(door, "GetCurrentUser", me, by=tokens.used)
        for token in (tokens.revoked, tokens.expired, f"{tokens.used}0", tokens.used[:-1]):
            assert await self._send(door, "GetCurrentUser", me, by=token) is None
        assert await self._send(door, "GetCurrentUser", me, by=tokens.registration) is None
        assert await self._send(door, "AddSMTPConfig", self._config(), by=tokens.used) is None
        two = ("authorization", f"Bearer {tokens.used}")
        assert await self._send(door, "GetCurrentUser", me, two) is None
        for token in (tokens.used, tokens.registration, tokens.link, password):
            named = user_pb.CreateUserRequest(user_name=f" {token}", email=token)
            assert await self._send(door, "CreateUser", named) is None
            listed = user_pb.ListUsersRequest(page_token=token)
            assert await self._send(door, "ListUsers", listed) is None
        verified = passkey_pb.VerifyPasskeyRegistrationRequest(
            user_id=tokens.user_id, passkey_id=tokens.passkey_id, passkey_name="Key"
        )
        verified.public_key_credential.update(
            dict.fromkeys(("id", "rawId", "type", password), password)
            | {"response": {"clientDataJSON": password, "attestationObject": password}}
        )
        method = "VerifyPasskeyRegistration"
        assert await self._send(door, method, verified, by=tokens.registration) is None
        for name in ("GetUser", "RemoveUser"):
            request = getattr(user_pb, f"{name}Request")(user_id=self._marks.misplaced)
            assert await self._send(door, name, request) is None
        begin = passkey_pb.RegisterPasskeyRequest(user_id=tokens.user_id, code=tokens.link)
        assert await self._send(door, "RegisterPasskey", begin) is None
        assert await self._send(door, "GetCurrentUser", me, by=tokens.link) is None
        foreign = ("x-service-orgid", self._marks.misplaced)
        assert await self._send(door, "ListUsers", user_pb.ListUsersRequest(), foreign) is None

    async def _misuse_headers(self, tokens: "_Tokens") -> None:
        """Headers that mean nothing, or cannot be read."""
        password, misplaced = self._marks.password, self._marks.misplaced
        for headers in (
            [("cookie", f"token={tokens.used}"), ("referer", f"http://x/?{tokens.used}")],
            [("authorization", f"Basic {password}")],
            [("authorization", password)],
            [("x-service-orgid", ""), ("x-anything", password)],
            [("grpc-timeout", password)],
            [("anything-bin", f"{password}!")],
            [("x-request-id", f"\xff{password}")],
            [("content-encoding", password)],
            [("content-type", f"application/{password}")],
            [(f"x-{misplaced}", "x"), (f"x-{misplaced}-bin", "!")],
            [("origin", f"http://{misplaced}"), ("x-forwarded-for", misplaced)],
        ):
            for path in (_ADD, "/v1/smtp"):
                for content_type in ("application/grpc-web", "application/json"):
                    await self._post(path, b"{}", [("content-type", content_type), *headers])

    async def _misuse_urls(self, tokens: "_Tokens") -> None:
        password, misplaced = self._marks.password, self._marks.misplaced
        for target in (
            f"/v1/users?{misplaced}=1",
            f"/v1/users?pageToken={password}",
            f"/v1/users/me?access_token={tokens.used}",
            f"/v1/smtp?password={password}&token={tokens.used}",
            f"/v1/smtp?password={password}%ff",
            f"/v1/users/{misplaced}",
            f"/v1/users/{misplaced}/tokens/{misplaced}",
            f"/v1/users/{misplaced}%ff",
            f"/{misplaced}",
            f"/%0a{misplaced}",
            f"/{misplaced}/Get",
            f"/openapi.json/{misplaced}",
            f"/metrics?{misplaced}={password}",
            f"/docs/{misplaced}",
        ):
            for verb in ("GET", "DELETE", "POST", "OPTIONS"):
                await self._request(verb, target, b"", [_JSON])
            await self._post(target, b"", [("content-type", "application/grpc-web")])
        for path in (f"/{misplaced}/Get", f"/keystead.smtp.v1.SMTPService/{misplaced}"):
            answer = await self._doors.native.send(path, b"", [], smtp_pb.GetSMTPConfigResponse)
            self.answers.codes.add(answer.code)
            self.answers.add(str(answer).encode())

    async def _misuse_bodies(self) -> None:
        """Around the password everything is wrong that can be."""
        password, misplaced = self._marks.password, self._marks.misplaced
        for text in (
            f'{{"password": "{password}"',
            f'{{"password": "{password}",}}',
            f'{{"password": {password}}}',
            f'{{"password": "{password}\\x"}}',
            f'{{"password": "{password}\\ud800"}}',
            f'{{"password": "{password}", "password": "{password}"}}',
            f'{{"password": ["{password}"]}}',
            f'{{"tls": "{password}", "host": {{"{misplaced}": "{password}"}}}}',
            f'{{"{misplaced}": "{password}", "details": "{password}"}}',
            f'"{password}"',
            f"[{password}]",
            password,
            "[" * 5000 + password,
        ):
            await self._post("/v1/smtp", text.encode(), [_JSON])
        latin = f'{{"password": "{password}'.encode() + b"\xff"
        await self._post("/v1/smtp", latin, [_JSON])
        await self._request("GET", "/v1/smtp", password.encode(), [_JSON])
        for message in (
            b"\xff" + password.encode(),
            b"\x32\x7f" + password.encode(),
            b"\x32\x21" + password.encode() + b"\xff",
            b"\xfa\x07\x20" + password.encode(),  # a field that is unknown
        ):
            add = smtp_pb.AddSMTPConfigResponse
            headers = authorization(self._admin.token)
            for door in (self._doors.native, self._doors.grpc_web, self._doors.grpc_web_text):
                sent = message if door is self._doors.native else grpcweb_client.frame(message)
                self.answers.add(str(await door.send(_ADD, sent, headers, add)).encode())
        whole = grpcweb_client.frame(password.encode())
        for body in (whole[:-1], whole * 2, password.encode(), b"\x01" + whole[1:]):
            for content_type in ("application/grpc-web", "application/grpc-web-text"):
                await self._post(_ADD, body, [("content-type", content_type)])

    async def _misuse_http(self, tokens: "_Tokens") -> None:
        """What is refused before it is a request."""
        password, misplaced = self._marks.password, self._marks.misplaced
        for head in (
            f"GET /{misplaced} HTTP/9.9",
            f"{misplaced} / HTTP/1.1\r\nHost: x",
            f"GET /v1/smtp HTTP/1.1\r\nAuthorization: Bearer {tokens.used}",
            f"GET {misplaced} HTTP/1.1\r\nHost: x",
            f"GET /v1/smtp HTTP/1.1\r\nHost: x\r\n{misplaced} : {password}",
            f"GET /v1/smtp HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: {password}",
            f"GET /v1/smtp HTTP/1.1\r\nHost: x\r\nContent-Length: {password}",
            f"GET /v1/smtp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {password}\0",
            f"GET /v1/smtp HTTP/1.1\r\nHost: x\r\nX: {password * 1000}",
            f"GET /?{password * 300} HTTP/1.1\r\nHost: x",
            f"CONNECT {misplaced}:1 HTTP/1.1\r\nHost: x",
        ):
            self.answers.add(await asyncio.to_thread(self._exchange, f"{head}\r\n\r\n".encode()))

    def _exchange(self, request: bytes) -> bytes:
        with Connection(self._instance.web_port) as connection:
            connection.send(request)
            answer = connection.answer()
            return repr(answer).encode()

    async def _misuse_http2(self) -> None:
        """The native port with what is no text, or no metadata."""
        mark, misplaced = self._marks.undecodable.encode(), self._marks.misplaced.encode()
        token = f"Bearer {self._marks.undecodable}".encode()
        for path, headers in (
            (_GET.encode(), [(b"authorization", token + b"\xff")]),
            (_GET.encode(), [(b"x-request-id", mark + b"\xff")]),
            (_GET.encode(), [(b"x-" + misplaced + b"\xff", b"x")]),
            (_GET.encode(), [(b"authorization", token + b"\n")]),
            (_GET.encode(), [(b"anything-bin", mark + b"!")]),
            (_GET.encode(), [(b"grpc-timeout", mark)]),
            (_GET.encode(), [(b"grpc-encoding", mark)]),
            (_GET.encode(), [(b"content-type", mark)]),
            (b"/" + mark + b"/\xff", []),
        ):
            sent = asyncio.to_thread(http2.call, self._instance.port, path, headers)
            self.answers.add(await sent)

    async def _break(self, door: Door) -> None:
        """What nobody foresaw, and what everybody has to reckon with."""
        config = self._config()
        for table, method, request in (
            ("smtp_configs", "AddSMTPConfig", config),
            ("secrets", "AddSMTPConfig", config),
            ("users", "ListUsers", user_pb.ListUsersRequest(page_size=7)),
        ):
            await self._sql.execute(f"alter table {table} rename to hidden")
            assert await self._send(door, method, request) is None
            await self._sql.execute(f"alter table hidden rename to {table}")
        await self._sql.execute("""
            create function lose() returns trigger language plpgsql as
                $$begin raise serialization_failure using detail = new::text; end$$;
            create trigger lose before insert on secrets for each row execute function lose()""")
        assert await self._send(door, "AddSMTPConfig", config) is None
        await self._sql.execute("drop function lose cascade")
        # Where a caller puts a password, PostgreSQL shows it with the row that it refuses.
        await self._sql.execute("""
            create function refuse() returns trigger language plpgsql as
                $$begin raise check_violation using detail = new::text; end$$;
            create trigger refuse before insert on events for each row execute function refuse()""")
        named = user_pb.CreateUserRequest(user_name="refused", display_name=self._marks.password)
        assert await self._send(door, "CreateUser", named) is None
        await self._sql.execute("drop function refuse cascade")

        assert await self._send(door, "AddSMTPConfig", config)
        changed = smtp_pb.UpdateSMTPConfigPasswordRequest(password=self._marks.password)
        async with self._waiting(door, changed):
            seen = await self._sql.fetch(_ACTIVITY)
            self.statements += "\n".join(row["query"] for row in seen).encode()
            await self._sql.fetch(
                "select pg_terminate_backend($1)", await self._sql.fetchval(_WAITING)
            )
        if door is not self._doors.native:  # whose metadata has no timeout
            async with self._sql.transaction():
                await self._sql.execute("select from smtp_configs for update")
                timeout = ("grpc-timeout", "50m")
                method = "UpdateSMTPConfigPassword"
                assert await self._send(door, method, changed, timeout) is None
        assert await self._send(door, "RemoveSMTPConfig", smtp_pb.RemoveSMTPConfigRequest())

    @contextlib.asynccontextmanager
    async def _waiting(self, door: Door, request: Any) -> AsyncIterator[None]:
        """The call waits for a lock; at the end of the block it must fail."""
        async with self._sql.transaction():
            await self._sql.execute("lock table secrets in exclusive mode")
            call = asyncio.ensure_future(self._send(door, "UpdateSMTPConfigPassword", request))
            await given.waiting_for_a_lock(self._sql)
            yield
            assert await call is None

    async def _crash(self) -> None:
        """PostgreSQL goes down, and says which statement it was at."""
        door = self._doors.native
        assert await self._send(door, "AddSMTPConfig", self._config())
        request = smtp_pb.UpdateSMTPConfigPasswordRequest(password=self._marks.password)
        with contextlib.suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
            async with self._waiting(door, request):
                os.kill(await self._sql.fetchval(_WAITING), signal.SIGKILL)

        async def serves() -> bool:
            answer = await self._send(door, "ListUsers", user_pb.ListUsersRequest())
            # Readiness looks every second.
            return bool(answer) and (await self._http.get("/readyz")).status_code == 200

        await given.eventually(serves)

    def _post(self, target: str, body: bytes, headers: Headers) -> Awaitable[None]:
        return self._request("POST", target, body, headers)

    async def _request(self, verb: str, target: str, body: bytes, headers: Headers) -> None:
        """Anything, by the administrator unless the headers say otherwise."""
        if not any(name == "authorization" for name, _ in headers):
            headers = [*authorization(self._admin.token), *headers]
        last = {name.encode(): value.encode("latin-1") for name, value in headers}
        await self._http.request(
            verb, "/", content=body, headers=last, extensions={"target": target.encode()}
        )


async def _repeat_the_message(connection: MailConnection, _argument: str) -> None:
    """A refusal for now that shows all of it."""
    envelope: Any = connection.envelope
    text = " ".join(envelope.content.decode().split())
    await connection.push(f"451 4.7.1 You said {text[-400:]}".encode())


@dataclass(frozen=True)
class _Tokens:
    """Of one user, whose passkey ceremony has begun."""

    user_id: str
    passkey_id: str
    used: str
    revoked: str
    expired: str
    registration: str
    link: str


_WAITING = """
    select pid from pg_stat_activity
    where wait_event_type = 'Lock' and application_name = 'keystead'
        and datname = current_database()"""
_ACTIVITY = "select query from pg_stat_activity where datname = current_database()"
