"""A connection to an SMTP server (RFC 5321), with one method per step of a delivery.

The rule: a password or an access token is sent only over TLS with a verified certificate, or to a
loopback address.
"""

import asyncio
import contextlib
import math
import re
import socket
import ssl
from collections.abc import Sequence
from dataclasses import dataclass, replace
from email.message import EmailMessage
from pathlib import Path
from typing import Final, NamedTuple, Self

from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPException,
    SMTPHeloError,
    SMTPResponseException,
)

from server.deliveries.smtp import tls
from server.deliveries.smtp.alignment import alignment_problem
from server.deliveries.smtp.auth import (
    MECHANISMS,
    TOKEN_MECHANISMS,
    log_in,
    log_in_with_token,
)
from server.deliveries.smtp.destination import Destination, MailboxToken, TokenSource
from server.deliveries.smtp.envelope import Envelope, content, envelope
from server.deliveries.smtp.failures import (
    ServerText,
    SMTPReason,
    failure,
    token_not_accepted,
)
from server.deliveries.smtp.greeting import address_literal, machine_name
from server.deliveries.smtp.reach import connected, connected_to_first
from server.net.resolve import Address, Network, UnresolvedError, resolve
from server.values.mail_address import ascii_domain, with_ascii_domain

# The port of implicit TLS (RFC 8314, section 3.3). All other ports use STARTTLS.
IMPLICIT_TLS_PORT = 465
_NO_TOKENS: Final = (
    "For OAuth, Keystead supports XOAUTH2 and OAUTHBEARER: correct the host, or remove the OAuth"
    " settings with RemoveSMTPOAuth."
)
# Authentication credentials invalid (RFC 4954, section 6).
_REFUSED: Final = 535
# The longest wait for the reply to QUIT.
_QUIT_SECONDS: Final = 1.0
# Connections that end, since the event loop keeps no reference to its tasks.
_LEAVING: Final[set[asyncio.Task[None]]] = set()
# The limit of the extension SIZE (RFC 1870, section 3).
_SIZE = re.compile(r"[0-9]{1,20}")
# The limit of messages in a connection. That of recipients is at least 1, and each mail has one.
_MAIL_MAX = re.compile(r"\bMAILMAX=([0-9]{1,6})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TransportOptions:
    """Options of all deliveries. `greeting_name` None: the machine's name. `timeout` in seconds.

    Owners of organizations choose their servers, so the operator's networks are not open to them.
    """

    greeting_name: str | None = None
    ca_file: Path | None = None
    allowed_networks: Sequence[Network] = ()
    org_allowed_networks: Sequence[Network] = ()
    timeout: float = 30
    require_tls: bool = False

    def of(self, organization_id: str) -> Self:
        """The options of the configuration of an organization; empty: of the instance."""
        if not organization_id:
            return self
        return replace(self, allowed_networks=self.org_allowed_networks)


class Found(NamedTuple):
    """The findings of a step: a sentence for people, facts for programs."""

    message: str
    facts: dict[str, str]


class SMTPConnection:
    """A connection whose methods are the steps of a delivery, to be called in this order.

    Each method returns its findings, or raises DeliveryError or an exception for
    `failures.explained`.
    """

    def __init__(self, destination: Destination, options: TransportOptions) -> None:
        self._to = destination
        self._options = options.of(destination.organization_id)
        self._place = f"{destination.host}, port {destination.port},"
        self.said = ServerText.of(destination)
        # The caller limits the time of each step.
        self._smtp = SMTP(timeout=None)
        # The name in EHLO.
        self._name = ""
        # The refusal that came in place of a greeting over implicit TLS.
        self._refusal: SMTPResponseException | None = None
        self._addresses: Sequence[Address] = ()
        # Connected, but no byte is read yet.
        self._socket: socket.socket | None = None
        self._is_local = False
        # The bytes of the message, once the sender was accepted.
        self._data = b""
        # The access token, and the loop time when the connection began to get it.
        self._token: MailboxToken | None = None
        self._began_at = 0.0
        # The deadline of the step (loop time).
        self.until = 0.0

    @property
    def _needs_tls(self) -> bool:
        """Whether the delivery fails without TLS and a valid certificate."""
        return self._to.tls or (self._options.require_tls and not self._is_local)

    @property
    def is_implicit(self) -> bool:
        """Whether TLS precedes the greeting."""
        return self._needs_tls and self._to.port == IMPLICIT_TLS_PORT

    @property
    def wants_starttls(self) -> bool:
        """Whether TLS follows the greeting."""
        offered = self._smtp.supports_extension("starttls")
        return not self.is_implicit and (self._needs_tls or offered)

    @property
    def max_mails(self) -> float:
        """The number of messages that the server takes in a connection (RFC 9422)."""
        limit = _MAIL_MAX.search(self._smtp.esmtp_extensions.get("limits", ""))
        return int(limit[1]) if limit else math.inf

    async def resolve(self) -> Found:
        """Finds the allowed addresses of the server."""
        networks = self._options.allowed_networks
        try:
            self._addresses = await resolve(self._to.host, self._to.port, allowed=networks)
        except UnresolvedError as error:
            raise failure("resolve", SMTPReason(error.reason), error.observed) from None
        addresses = ", ".join(map(str, self._addresses))
        return Found(f"{self._to.host} is at {addresses}.", {"addresses": addresses})

    async def connect(self) -> Found:
        """Connects to the first address that answers."""
        self._socket, address = await connected_to_first(
            self._addresses, until=self.until, place=self._place
        )
        self._addresses, self._is_local = [address], address.is_loopback
        self._name = (
            self._options.greeting_name
            or await asyncio.to_thread(machine_name)
            or address_literal(self._socket.getsockname()[0])
        )
        text = f"Connected to {address}, port {self._to.port}."
        return Found(text, {"address": str(address)})

    async def implicit_tls(self) -> Found:
        """Performs the TLS handshake of implicit TLS. Then the client waits for the greeting."""
        try:
            await self._open(tls.verifying(self._options.ca_file))
        except SMTPResponseException as refusal:
            self._refusal = refusal
            return Found("The connection was encrypted.", {})
        return self._encryption()

    async def greet(self) -> Found:
        """Sends EHLO, after the server's greeting."""
        if self._refusal is not None:
            raise self._refusal
        if not self.is_implicit:
            await self._wait_for_greeting()
        return await self._introduce()

    async def starttls(self) -> Found:
        """Encrypts the connection with STARTTLS."""
        if not self._smtp.supports_extension("starttls"):
            raise failure(
                "tls", SMTPReason.STARTTLS_NOT_OFFERED, f"{self._place} does not offer STARTTLS."
            )
        if not self._needs_tls and (not self._to.has_secret or self._is_local):
            return await self._starttls_or_clear()
        context = tls.verifying(self._options.ca_file)
        await self._smtp.starttls(tls_context=context, server_hostname=self._certificate_name)
        found = self._encryption()
        await self._introduce()
        return found

    async def authenticate(self) -> Found:
        """Authenticates with the first mechanism that both sides support."""
        if not self._is_encrypted and not self._is_local:
            raise failure(
                "auth", SMTPReason.TLS_REQUIRED, f"{self._place} does not offer STARTTLS."
            )
        offered = self._smtp.server_auth_methods
        if not offered:
            raise failure(
                "auth", SMTPReason.AUTH_NOT_OFFERED, f"{self._place} offers no authentication."
            )
        supported = MECHANISMS if self._to.tokens is None else TOKEN_MECHANISMS
        mechanisms = [each for each in supported if each in offered]
        if not mechanisms:
            names = self.said.clean(", ".join(offered).upper())
            raise failure(
                "auth",
                SMTPReason.AUTH_MECHANISM_NOT_SUPPORTED,
                f"{self._place} offers only {names}.",
                advice=None if self._to.tokens is None else _NO_TOKENS,
            )
        if self._to.tokens is None:
            mechanism = (await log_in(self._smtp, self._to, mechanisms)).upper()
        else:
            mechanism = (await self._with_token(self._to.tokens, mechanisms)).upper()
        text = f"Authenticated as {self._to.user} by {mechanism}."
        return Found(text, {"mechanism": mechanism})

    async def fetch_token(self, tokens: TokenSource) -> Found:
        """Gets an access token."""
        self._began_at = asyncio.get_running_loop().time()
        token = self._token = await tokens.token()
        return Found(
            f"{token.host} issued an access token.",
            {"token_endpoint": token.host, "token_expires_in": f"{token.seconds:.0f}"},
        )

    async def _with_token(self, tokens: TokenSource, mechanisms: Sequence[str]) -> str:
        """Logs in; a refused token from the cache is replaced once."""
        token = self._token
        assert token is not None  # noqa: S101 -- the step before has got it
        try:
            return await self._logged_in(token, mechanisms)
        except SMTPAuthenticationError as error:
            if error.code != _REFUSED or token.fetched_at >= self._began_at:
                raise token_not_accepted(self._to, error, self.said) from None
        try:
            return await self._logged_in(await tokens.token(refused=token), mechanisms)
        except SMTPAuthenticationError as error:
            raise token_not_accepted(self._to, error, self.said) from None

    async def _logged_in(self, token: MailboxToken, mechanisms: Sequence[str]) -> str:
        self.said.hide(token.value)
        return await log_in_with_token(self._smtp, self._to, mechanisms, token.value)

    async def begin(self, message: EmailMessage, recipient: str | None) -> Found:
        """Sends MAIL FROM. Without a recipient, resets the transaction."""
        sender = self._to.sender_address
        parties = envelope(message, sender=sender, recipient=recipient or sender)
        self._check_utf8(parties)
        self._data = content(message, utf8=parties.needs_utf8 is not None)
        options = ["SMTPUTF8"] if parties.needs_utf8 else []
        if self._smtp.supports_extension("size"):
            self._check_size(len(self._data))
            options.append(f"SIZE={len(self._data)}")
        await self._smtp.mail(parties.sender, options=options, encoding="utf-8")
        if recipient is None:
            await self._smtp.rset()
        problem = alignment_problem(sender, self._to.user)
        text = f"The sender {sender} was accepted."
        return Found(f"{text} {problem}".strip(), {"dmarc": "unaligned"} if problem else {})

    async def hand_over(self, recipient: str) -> Found:
        """Sends the message."""
        await self._smtp.rcpt(with_ascii_domain(recipient), encoding="utf-8")
        response = await self._smtp.data(self._data)
        return Found(
            f"The message to {recipient} was accepted.", {"reply": self.said.clean(str(response))}
        )

    def leave(self) -> None:
        """Sends QUIT, and closes the connection later, so that nobody waits for the reply."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        if self._smtp.is_connected:
            task = asyncio.create_task(_quit(self._smtp))
            _LEAVING.add(task)
            task.add_done_callback(_LEAVING.discard)

    @property
    def _certificate_name(self) -> str:
        """The host name that the certificate must match."""
        return ascii_domain(self._to.host).rstrip(".")

    @property
    def _is_encrypted(self) -> bool:
        return self._smtp.get_transport_info("ssl_object") is not None

    def _encryption(self) -> Found:
        facts = tls.facts(self._smtp.get_transport_info("ssl_object"))
        return Found(f"The connection is encrypted by {facts['tls_version']}.", facts)

    async def _open(self, context: ssl.SSLContext | None = None) -> None:
        """Waits for the server's greeting, over implicit TLS if there is a context."""
        sock, self._socket = self._socket, None
        self._smtp = SMTP(
            hostname=self._certificate_name,
            local_hostname=self._name,
            sock=sock,
            use_tls=context is not None,
            start_tls=False,
            tls_context=context,
            timeout=None,
        )
        await self._smtp.connect()

    async def _wait_for_greeting(self) -> None:
        """Waits for the greeting. If there is none, tests whether the server expects TLS."""
        try:
            async with asyncio.timeout(0.75 * (self.until - asyncio.get_running_loop().time())):
                await self._open()
        except TimeoutError:
            if await self._speaks_tls():
                raise failure(
                    "greeting",
                    SMTPReason.IMPLICIT_TLS_EXPECTED,
                    f"{self._place} sends no greeting.",
                ) from None
            raise

    async def _speaks_tls(self) -> bool:
        """Whether the silent server answers a TLS handshake."""
        try:
            _, writer = await asyncio.open_connection(
                sock=await connected(self._addresses[0]),
                ssl=tls.encrypting(),
                server_hostname=self._certificate_name,
            )
        except OSError:
            return False
        writer.transport.abort()
        return True

    async def _introduce(self) -> Found:
        try:
            await self._smtp.ehlo()
        except SMTPHeloError as error:
            if error.code < 500:
                raise
            await self._smtp.helo()  # for servers without ESMTP
        extensions = self.said.clean(" ".join(sorted(self._smtp.esmtp_extensions)).upper())
        return Found(
            f"The server was greeted as {self._name}.",
            {"greeting_name": self._name, "extensions": extensions},
        )

    async def _starttls_or_clear(self) -> Found:
        """Opportunistic TLS without verification (RFC 7435); falls back to plaintext."""
        try:
            await self._smtp.starttls(
                tls_context=tls.encrypting(), server_hostname=self._certificate_name
            )
        except (SMTPException, OSError):
            self.leave()
            self._socket = await connected(self._addresses[0])
            await self.greet()
            return Found(
                "STARTTLS failed. Since tls is false, the delivery goes on without TLS.", {}
            )
        found = self._encryption()
        await self._introduce()
        text = "Its certificate was not verified, because tls is false."
        return Found(f"{found.message} {text}", found.facts)

    def _check_utf8(self, parties: Envelope) -> None:
        address = parties.needs_utf8
        if address is not None and not self._smtp.supports_extension("smtputf8"):
            raise failure(
                "sender",
                SMTPReason.SMTPUTF8_NOT_OFFERED,
                f"{self._place} takes only ASCII addresses, unlike {address}.",
                is_ours=address != parties.recipient,
            )

    def _check_size(self, size: int) -> None:
        limit = self._smtp.esmtp_extensions["size"].strip()
        if _SIZE.fullmatch(limit) and 0 < int(limit) < size:  # 0 means no limit
            raise failure(
                "sender",
                SMTPReason.MESSAGE_TOO_LARGE,
                f"The message has {size} bytes, and the server takes {int(limit)}.",
            )


async def _quit(smtp: SMTP) -> None:
    with contextlib.suppress(SMTPException, OSError):
        await smtp.quit(timeout=_QUIT_SECONDS)
    smtp.close()
