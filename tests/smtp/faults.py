"""Faults of SMTP servers and configurations, each with the error that must be reported."""

import contextlib
import math
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from cryptography import x509

from server.deliveries.smtp import connection
from server.deliveries.smtp.destination import MailboxToken
from server.net.resolve import Address
from tests.support.certificates import Authority
from tests.support.mail_server import (
    Fault,
    cut,
    dripping,
    endless,
    garbage,
    hang,
    mail_server,
    reply,
)

USER, PASSWORD, TOKEN = "mailer", "a-password-to-be-found", "a-token-to-be-found"
# How a client logs in.
LOGINS = ("none", "password", "token")
# The addresses of the servers of these tests, and one where no server can be.
ALLOWED_NETWORKS = ("127.0.0.0/8", "::1", "255.255.255.255")


@dataclass(frozen=True)
class Wrong:
    """A fault: its set-up, and the step and the reason of the error that it must cause."""

    step: str
    reason: str
    # Fields of the configuration. `host` without a port gets that of the server.
    config: dict[str, Any] = field(default_factory=dict)
    faults: Mapping[str, Fault] = field(default_factory=dict)
    # Further properties of the server, which may need the authority.
    server: Callable[[Authority], dict[str, Any]] = lambda _: {}
    arrange: Callable[[pytest.MonkeyPatch, int], Awaitable[None]] | None = None
    receiver: str = "ada@example.com"
    is_permanent: bool = False
    advice: str = ""

    @property
    def logins(self) -> tuple[str, ...]:
        """The logins with which it occurs: any, or those that it is about."""
        return LOGINS[1:] if "user" in self.config else LOGINS


class _Tokens:
    """A new token for each login."""

    async def token(self, *, refused: MailboxToken | None = None) -> MailboxToken:
        assert refused is None
        return MailboxToken(TOKEN, host="localhost", seconds=3600, fetched_at=math.inf)


@contextlib.asynccontextmanager
async def going_on(
    wrong: Wrong,
    authority: Authority,
    monkeypatch: pytest.MonkeyPatch,
    *,
    login: str | None = None,
) -> AsyncIterator[dict[str, Any]]:
    """The fault until the end of the block. Gives the fields of the configuration.

    `login` None: that of the fault, if it has one.
    """
    of_server = {"faults": wrong.faults, **wrong.server(authority)}
    fields: dict[str, Any] = {"tls": False, "user": "", "password": "", "host": "localhost"}
    fields |= wrong.config
    knows_user = "users" in of_server or "user" not in wrong.config
    if login == "password" and "user" not in wrong.config:
        of_server["users"] = {USER: PASSWORD}
        fields |= _LOGIN
    elif login == "token":
        of_server.pop("users", None)
        of_server["mechanisms"] = ("XOAUTH2",)
        if knows_user:
            of_server["accepts"] = lambda *_: wrong.reason != "AUTH_FAILED"
        fields |= {"password": "", "tokens": _Tokens(), "user": USER}
    async with mail_server(**of_server) as server:
        if wrong.arrange:
            await wrong.arrange(monkeypatch, server.port)
        if ":" not in fields["host"]:
            fields["host"] = f"{fields['host']}:{server.port}"
        yield fields


def starttls(**of_certificate: Any) -> Callable[[Authority], dict[str, Any]]:
    return lambda authority: {"tls": authority.certificate(**of_certificate).context()}


def with_users(authority: Authority) -> dict[str, Any]:
    return {"users": {USER: PASSWORD}} | starttls()(authority)


def implicit(authority: Authority) -> dict[str, Any]:
    return {"tls": authority.certificate().context(), "mode": "implicit"}


async def _port_465(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setattr(connection, "IMPLICIT_TLS_PORT", port)


async def _dns_is_away(monkeypatch: pytest.MonkeyPatch, _port: int) -> None:
    look_up = socket.getaddrinfo

    def getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host == "smtp.example.com":
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        if host == "nowhere.example.com":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return look_up(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


async def _is_elsewhere(monkeypatch: pytest.MonkeyPatch, _port: int) -> None:
    monkeypatch.setattr(Address, "is_loopback", False)


_LOGIN = {"user": USER, "password": PASSWORD}
_TLS = {"tls": True}

_STEPS = {
    **dict.fromkeys(("CONNECT", "EHLO"), "greeting"),
    "MAIL": "sender",
    **dict.fromkeys(("RCPT", "DATA", "BODY"), "message"),
}
_PERMANENT = {"RECIPIENT_REFUSED", "MESSAGE_REFUSED", "MESSAGE_TOO_LARGE"}

# What a server without TLS does when it is told something, the reason, and words of the advice.
_BEHAVIOURS: list[tuple[str, Fault | str, str, str]] = [
    ("CONNECT", hang, "NO_ANSWER", "no SMTP server listens"),
    ("MAIL", hang, "NO_ANSWER", "the server's log"),
    ("CONNECT", dripping, "NO_ANSWER", ""),
    ("BODY", dripping, "NO_ANSWER", ""),
    ("CONNECT", cut, "CONNECTION_LOST", ""),
    ("BODY", cut, "CONNECTION_LOST", ""),
    ("CONNECT", garbage, "NOT_SMTP", "correct the host"),
    ("MAIL", garbage, "NOT_SMTP", ""),
    ("CONNECT", endless, "NOT_SMTP", ""),
    ("MAIL", endless, "NOT_SMTP", ""),
    ("MAIL", "299 Well", "NOT_SMTP", ""),
    ("CONNECT", "554 5.7.1 On a list", "GREETING_REFUSED", '"554 5.7.1 On a list"'),
    ("CONNECT", "421 Busy", "TEMPORARILY_REFUSED", ""),
    ("EHLO", "421 Busy", "TEMPORARILY_REFUSED", ""),
    ("MAIL", "530 5.7.0 Authenticate", "AUTH_REQUIRED", "Set the user and password"),
    (
        "MAIL",
        "550 5.7.1 Not yours",
        "SENDER_REFUSED",
        'The sender noreply@example.com was refused: "550 5.7.1 Not yours".',
    ),
    ("MAIL", "451 4.7.1 Greylisted", "TEMPORARILY_REFUSED", ""),
    ("MAIL", "552 Too large", "MESSAGE_TOO_LARGE", ""),
    ("BODY", "554 5.3.4 Too large", "MESSAGE_TOO_LARGE", ""),
    (
        "RCPT",
        "550 5.1.1 No such user",
        "RECIPIENT_REFUSED",
        'The recipient ada@example.com was refused: "550 5.1.1 No such user".',
    ),
    ("RCPT", "553 5.7.1 Not owned by user", "SENDER_REFUSED", ""),
    ("RCPT", "554 5.7.1 Relay access denied", "SENDER_REFUSED", "set user and password"),
    ("RCPT", "552 5.2.2 Full", "RECIPIENT_REFUSED", ""),
    ("RCPT", "450 4.2.0 Later", "TEMPORARILY_REFUSED", ""),
    ("DATA", "554 5.7.1 Spam", "MESSAGE_REFUSED", ""),
    ("BODY", "554 5.7.1 Spam", "MESSAGE_REFUSED", ""),
    ("BODY", "451 4.3.0 Disk full", "TEMPORARILY_REFUSED", ""),
]


def _behaving(command: str, fault: Fault | str, reason: str, advice: str) -> Wrong:
    faults = {command: reply(fault) if isinstance(fault, str) else fault}
    is_permanent = reason in _PERMANENT
    return Wrong(_STEPS[command], reason, faults=faults, is_permanent=is_permanent, advice=advice)


def _named(fault: Fault | str) -> str:
    return fault if isinstance(fault, str) else getattr(fault, "__name__", "")


WRONG: Mapping[str, Wrong] = {
    **{f"{row[0]}: {_named(row[1])}": _behaving(*row) for row in _BEHAVIOURS},
    "a name that nobody has": Wrong(
        "resolve",
        "NAME_NOT_FOUND",
        {"host": "nowhere.example.com:587"},
        arrange=_dns_is_away,
        advice="Correct the name in host.",
    ),
    "a name that nobody can have": Wrong(
        "resolve", "NAME_NOT_FOUND", {"host": f"{'x' * 64}.example.com:587"}
    ),
    "no DNS": Wrong(
        "resolve", "NAME_LOOKUP_FAILED", {"host": "smtp.example.com:587"}, arrange=_dns_is_away
    ),
    "a private address": Wrong(
        "resolve",
        "ADDRESS_NOT_ALLOWED",
        {"host": "10.0.0.1:25"},
        advice="KEYSTEAD_SMTP_ALLOWED_NETWORKS",
    ),
    "nobody listens": Wrong(
        "connect", "CONNECTION_REFUSED", {"host": "127.0.0.1:1"}, advice="correct the port"
    ),
    "no route": Wrong("connect", "HOST_UNREACHABLE", {"host": "255.255.255.255:25"}),
    "cut off in STARTTLS": Wrong(
        "tls", "CONNECTION_LOST", _TLS, faults={"STARTTLS": cut}, server=starttls()
    ),
    "neither EHLO nor HELO": Wrong(
        "greeting", "GREETING_REFUSED", faults={"EHLO": reply("500 What"), "HELO": reply("500 No")}
    ),
    "STARTTLS towards implicit TLS": Wrong(
        "greeting",
        "IMPLICIT_TLS_EXPECTED",
        _TLS,
        server=implicit,
        advice="set host to port 465 of the server",
    ),
    "implicit TLS towards STARTTLS": Wrong(
        "tls",
        "IMPLICIT_TLS_NOT_OFFERED",
        _TLS,
        server=starttls(),
        arrange=_port_465,
        advice="usually 587",
    ),
    "a refusal after implicit TLS": Wrong(
        "greeting",
        "GREETING_REFUSED",
        _TLS,
        faults={"CONNECT": reply("554 5.7.1 On a list")},
        server=implicit,
        arrange=_port_465,
    ),
    "no STARTTLS": Wrong("tls", "STARTTLS_NOT_OFFERED", _TLS, advice="587 or 465"),
    "STARTTLS refused": Wrong(
        "tls",
        "STARTTLS_REFUSED",
        _TLS,
        faults={"STARTTLS": reply("501 5.7.0 No")},
        server=starttls(),
    ),
    "STARTTLS refused for now": Wrong(
        "tls",
        "TEMPORARILY_REFUSED",
        _TLS,
        faults={"STARTTLS": reply("454 4.7.0 No")},
        server=starttls(),
    ),
    "garbage instead of TLS": Wrong(
        "tls",
        "TLS_FAILED",
        _TLS,
        faults={"STARTTLS": reply("220 Go", "garbage")},
        server=starttls(),
    ),
    "a certificate that has expired": Wrong(
        "tls", "CERTIFICATE_EXPIRED", _TLS, server=starttls(days=-1), advice="renew"
    ),
    "a certificate from the future": Wrong(
        "tls", "CERTIFICATE_NOT_YET_VALID", _TLS, server=starttls(days=80), advice="clocks"
    ),
    "a certificate for another name": Wrong(
        "tls",
        "CERTIFICATE_NAME_MISMATCH",
        _TLS,
        server=starttls(names=["mail.example.com"]),
        advice="the name in the certificate",
    ),
    "a certificate for another address": Wrong(
        "tls",
        "CERTIFICATE_NAME_MISMATCH",
        _TLS | {"host": "127.0.0.1"},
        server=starttls(names=["localhost"]),
    ),
    "a self-signed certificate": Wrong(
        "tls",
        "CERTIFICATE_NOT_TRUSTED",
        _TLS,
        server=starttls(self_signed=True),
        advice="KEYSTEAD_SMTP_CA_FILE",
    ),
    "a certificate without an extension that RFC 5280 requires": Wrong(
        "tls",
        "CERTIFICATE_NOT_CONFORMANT",
        _TLS,
        server=starttls(without=[x509.AuthorityKeyIdentifier]),
        advice="RFC 5280 requires authorityKeyIdentifier=keyid",
    ),
    "a certificate that nobody checks without a password, with one": Wrong(
        "tls",
        "CERTIFICATE_NOT_TRUSTED",
        _LOGIN,
        server=lambda authority: with_users(authority) | starttls(self_signed=True)(authority),
        arrange=_is_elsewhere,
    ),
    "a password in clear": Wrong(
        "auth",
        "TLS_REQUIRED",
        _LOGIN,
        server=lambda _: {"users": {USER: PASSWORD}},
        arrange=_is_elsewhere,
        advice="set tls to true",
    ),
    "no AUTH": Wrong(
        "auth", "AUTH_NOT_OFFERED", _TLS | _LOGIN, server=starttls(), advice="submission port"
    ),
    "only AUTH that we cannot": Wrong(
        "auth",
        "AUTH_MECHANISM_NOT_SUPPORTED",
        _LOGIN,
        faults={"EHLO": reply("250-mail.example.com", "250 AUTH NTLM GSSAPI")},
        advice="offers only NTLM, GSSAPI",
    ),
    "a wrong password": Wrong(
        "auth",
        "AUTH_FAILED",
        _TLS | {"user": USER, "password": "wrong"},
        server=with_users,
        advice='The user mailer was refused: "535 5.7.8".',
    ),
    "AUTH not now": Wrong(
        "auth",
        "TEMPORARILY_REFUSED",
        _TLS | _LOGIN,
        faults={"AUTH": reply("454 4.7.0 Temporary authentication failure")},
        server=with_users,
    ),
    "a sender beyond ASCII": Wrong(
        "sender",
        "SMTPUTF8_NOT_OFFERED",
        {"sender_address": "jörg@example.com"},
        server=lambda _: {"smtputf8": False},
        advice="unlike jörg@example.com",
    ),
    "a receiver beyond ASCII": Wrong(
        "sender",
        "SMTPUTF8_NOT_OFFERED",
        server=lambda _: {"smtputf8": False},
        receiver="jörg@example.com",
        is_permanent=True,
    ),
    "too large by announcement": Wrong(
        "sender", "MESSAGE_TOO_LARGE", server=lambda _: {"size_limit": 100}, is_permanent=True
    ),
}
