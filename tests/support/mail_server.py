"""A real SMTP server (aiosmtpd) in the event loop of the test, with faults by command.

    async with mail_server(faults={"RCPT": reply("450 4.2.0 Later")}) as server:
        ...  # deliver to 127.0.0.1, server.port
        server.faults.clear()
        ...  # deliver again
    [received] = server.received

Faults are by command: CONNECT (instead of the greeting), EHLO, HELO, STARTTLS, AUTH, MAIL, RCPT,
DATA, BODY (when the whole message is there), RSET, QUIT. `server.faults` may be changed at any
time.
"""

import asyncio
import contextlib
import email
import email.policy
import hmac
import json
import re
import ssl
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from functools import partial
from typing import Any, Literal, TypeAlias

from aiosmtpd.smtp import MISSING, SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.support.closing import closing

# Replaces the answer to a command; gets the connection and the arguments of the command.
Fault: TypeAlias = Callable[["Connection", str], Awaitable[None]]


def reply(*lines: str) -> Fault:
    """Answers with these lines: `reply("550 5.1.1 No such user")`."""

    async def fault(connection: "Connection", _argument: str) -> None:
        for line in lines:
            await connection.push(line.encode())

    return fault


async def cut(connection: "Connection", _argument: str) -> None:
    """Closes the connection without an answer."""
    connection.abort()
    await hang(connection, "")


async def hang(_connection: "Connection", _argument: str) -> None:
    """Sends nothing more, and keeps the connection open."""
    await asyncio.Event().wait()


async def garbage(connection: "Connection", _argument: str) -> None:
    """Answers with garbage."""
    await connection.push(b"\x1b[31mHTTP/1.1 400 \xff\x00 Bad Request")


async def endless(connection: "Connection", _argument: str) -> None:
    """Answers with lines of an endless reply, as fast as the client reads them."""
    while True:
        await connection.push(b"250-" + b"x" * 1000)


async def dripping(connection: "Connection", _argument: str) -> None:
    """Answers byte by byte without an end, each byte in a short time."""
    while True:
        await connection.write(b"2")
        await asyncio.sleep(0.01)


def echo(code: int) -> Fault:
    """Echoes the command and every credential so far, as text and in base64."""

    async def fault(connection: "Connection", argument: str) -> None:
        seen = [argument, *connection.server.credentials]
        seen += [b64encode(each.encode()).decode() for each in seen]
        await connection.push(f"{code} 5.7.8 You said {' '.join(seen)}".encode())

    return fault


# Whether a mailbox may log in with this access token.
Accepts: TypeAlias = Callable[[str, str], bool]
# The first messages of XOAUTH2 and OAUTHBEARER (RFC 7628, section 3.1).
_TOKEN_MESSAGES: Mapping[str, re.Pattern[str]] = {
    "XOAUTH2": re.compile(r"user=([^\x01]+)\x01auth=Bearer ([^\x01]+)\x01\x01"),
    "OAUTHBEARER": re.compile(
        r"n,a=([^\x01,]+),\x01host=localhost\x01port=\d+\x01auth=Bearer ([^\x01]+)\x01\x01"
    ),
}
# https://github.com/jstedfast/MailKit/issues/1712
OF_MICROSOFT: Fault = reply("535 5.7.3 Authentication unsuccessful [AM0PR06CA0126.outlook.com]")


async def of_google(connection: "Connection", mechanism: str) -> None:
    """Explains the error in a challenge, waits for its end, and refuses.

    https://github.com/curl/curl/issues/10259; of XOAUTH2
    https://developers.google.com/workspace/gmail/imap/xoauth2-protocol.
    """
    scope = "https://mail.google.com/"
    problem = {"status": "400", "schemes": "Bearer", "scope": scope}
    if mechanism == "OAUTHBEARER":
        problem = {"status": "invalid_request", "scope": scope}
    end = await connection.challenge_auth(json.dumps(problem))
    assert end == (b"" if mechanism == "XOAUTH2" else b"\1")
    await reply(
        "535-5.7.8 Username and Password not accepted. Learn more at",
        "535 5.7.8  https://support.google.com/mail/?p=BadCredentials - gsmtp",
    )(connection, "")


@dataclass(frozen=True)
class Received:
    """An accepted message: its envelope and its bytes."""

    sender: str
    recipients: tuple[str, ...]
    content: bytes
    options: tuple[str, ...]  # of MAIL, such as SMTPUTF8
    user: str  # the authenticated user; empty: none
    greeting_name: str
    is_encrypted: bool

    @property
    def message(self) -> EmailMessage:
        """The content, parsed."""
        return email.message_from_bytes(self.content, policy=email.policy.default)


class MailServer:
    """The state of the server that tests inspect."""

    def __init__(
        self, faults: Mapping[str, Fault], users: Mapping[str, str], accepts: Accepts | None = None
    ) -> None:
        self.port = 0
        # Without it, no token is accepted. `refuse` answers a refused one, and may be replaced.
        self.accepts = accepts
        self.refuse = OF_MICROSOFT
        self.faults = dict(faults)
        self.users = users
        self.received: list[Received] = []
        # The commands of all connections in order, without arguments: EHLO, MAIL, BODY.
        self.commands: list[str] = []
        # The passwords and initial responses that clients have sent.
        self.credentials: list[str] = []
        self.connections: list[Connection] = []

    async def said(self, command: str, times: int = 1) -> None:
        """Waits until clients have sent the command this number of times."""
        while self.commands.count(command) < times:  # noqa: ASYNC110 -- nothing signals it
            await asyncio.sleep(0.001)


class Connection(SMTP):
    """One connection to it."""

    # RFC 4954, section 4.
    line_length_limit = 12_288

    def __init__(self, server: MailServer, hidden: Collection[str], **options: Any) -> None:
        super().__init__(
            _Handler(server, hidden),
            hostname="mail.example.com",
            authenticator=self._check,
            loop=asyncio.get_running_loop(),
            **options,
        )
        self.server = server
        self.command_size_limits["AUTH"] = self.line_length_limit
        self._smtp_methods = {
            name: partial(self._answer, name, method) for name, method in self._smtp_methods.items()
        }
        server.connections.append(self)

    @property
    def is_encrypted(self) -> bool:
        """By implicit TLS or STARTTLS."""
        return self.transport is not None and bool(self.transport.get_extra_info("ssl_object"))

    async def push(self, status: Any) -> None:
        """Sends a line. After a fault of BODY none is left to send."""
        if status:
            await super().push(status)

    async def write(self, data: bytes) -> None:
        """Sends bytes that are not a whole line."""
        self._writer.write(data)
        await self._writer.drain()

    def abort(self) -> None:
        """Closes the connection."""
        for transport in (self._original_transport, self.transport):
            if transport is not None:
                # Python before 3.11.5 cannot abort a TLS transport that was closed twice.
                with contextlib.suppress(AttributeError):
                    transport.abort()  # type: ignore[attr-defined] # every real transport has it

    def eof_received(self) -> bool:
        """Lets the handler read a QUIT that arrived with the end of the stream.

        aiosmtpd would cancel the handler at once. Over TLS, both are often decrypted together.
        """
        self.loop.call_soon(super().eof_received)
        return not self.is_encrypted  # TLS ends in both directions

    async def _handle_client(self) -> None:
        self.server.commands.append("CONNECT")
        if fault := self.server.faults.get("CONNECT"):
            await fault(self, "")
        else:
            await super()._handle_client()

    async def _answer(self, name: str, method: Any, argument: str | None) -> None:
        self.server.commands.append(name)
        if name == "AUTH" and argument:
            self.server.credentials += argument.split()[1:]
        if fault := self.server.faults.get(name):
            await fault(self, argument or "")
        else:
            await method(argument)

    async def challenge_auth(self, *args: Any, **kwargs: Any) -> Any:
        """Asks for the next part of a credential."""
        answer = await super().challenge_auth(*args, **kwargs)
        if isinstance(answer, bytes):
            self.server.credentials.append(answer.decode())
        return answer

    def _check(
        self, _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: Any
    ) -> AuthResult:
        login, password = data.login.decode(), data.password.decode()
        self.server.credentials.append(password)
        is_right = self.server.users.get(login) == password
        return AuthResult(success=is_right, handled=False, auth_data=data)


class _Handler:
    """The hooks of aiosmtpd."""

    def __init__(self, server: MailServer, hidden: Collection[str]) -> None:
        self._server = server
        self._hidden = tuple(hidden)

    async def handle_EHLO(  # noqa: N802 -- named by aiosmtpd
        self, _connection: Any, session: Any, _envelope: Any, name: str, lines: list[str]
    ) -> list[str]:
        session.host_name = name
        return [line for line in lines if not line[4:].startswith(self._hidden)]

    async def handle_DATA(  # noqa: N802
        self, connection: Connection, session: Any, envelope: Any
    ) -> Any:
        self._server.commands.append("BODY")
        if fault := self._server.faults.get("BODY"):
            await fault(connection, "")
            return b""
        self._server.received.append(
            Received(
                sender=envelope.mail_from,
                recipients=tuple(envelope.rcpt_tos),
                content=envelope.content,
                options=tuple(envelope.mail_options),
                user=session.auth_data.login.decode() if session.authenticated else "",
                greeting_name=session.host_name,
                is_encrypted=connection.is_encrypted,
            )
        )
        return MISSING

    async def auth_XOAUTH2(self, connection: Connection, args: list[str]) -> AuthResult:  # noqa: N802
        return await self._by_token(connection, *args)

    async def auth_OAUTHBEARER(self, connection: Connection, args: list[str]) -> AuthResult:  # noqa: N802
        return await self._by_token(connection, *args)

    async def _by_token(self, connection: Connection, mechanism: str, first: str) -> AuthResult:
        said = _TOKEN_MESSAGES[mechanism].fullmatch(b64decode(first, validate=True).decode())
        assert said is not None
        mailbox, token = said.groups()
        self._server.credentials.append(token)
        if self._server.accepts is not None and self._server.accepts(mailbox, token):
            return AuthResult(success=True, auth_data=LoginPassword(mailbox.encode(), b""))
        await self._server.refuse(connection, mechanism)
        return AuthResult(success=False, handled=True)

    async def auth_CRAM__MD5(  # noqa: N802
        self, connection: Connection, _args: list[str]
    ) -> AuthResult:
        challenge = b"<1896.697170952@mail.example.com>"
        login, _, digest = (await connection.challenge_auth(challenge)).decode().partition(" ")
        password = self._server.users.get(login, "")
        expected = hmac.new(password.encode(), challenge, "md5").hexdigest()
        data = LoginPassword(login.encode(), b"")
        return AuthResult(success=digest == expected, handled=False, auth_data=data)


@contextlib.asynccontextmanager
async def mail_server(
    *,
    tls: ssl.SSLContext | None = None,
    mode: Literal["starttls", "implicit"] = "starttls",
    users: Mapping[str, str] | None = None,
    mechanisms: Collection[str] = ("LOGIN", "PLAIN"),
    faults: Mapping[str, Fault] | None = None,
    accepts: Accepts | None = None,
    smtputf8: bool = True,
    size_limit: int = 2**20,
    host: str = "127.0.0.1",
    port: int = 0,
) -> AsyncIterator[MailServer]:
    """A server on this port of `host`, 0 for any free one, until the end of the block.

    `tls` makes it offer TLS, in this `mode`. It offers AUTH only if it has `users`, names with
    their passwords, or `accepts` tokens. It offers AUTH without TLS too, to test the client.
    """
    server = MailServer(faults or {}, users or {}, accepts)
    hidden = [] if users or accepts else ["AUTH"]
    excluded = {"CRAM-MD5", "LOGIN", "PLAIN", *_TOKEN_MESSAGES} - set(mechanisms)
    listening = await asyncio.get_running_loop().create_server(
        lambda: Connection(
            server,
            hidden,
            tls_context=tls if mode == "starttls" else None,
            auth_require_tls=False,
            auth_exclude_mechanism=excluded,
            enable_SMTPUTF8=smtputf8,
            data_size_limit=size_limit,
        ),
        host,
        port,
        ssl=tls if mode == "implicit" else None,
    )
    server.port = listening.sockets[0].getsockname()[1]
    try:
        async with closing(listening):
            yield server
    finally:
        for connection in server.connections:
            connection.abort()
        await listening.wait_closed()
