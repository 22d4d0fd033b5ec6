"""One delivery by SMTP: success, and the error of every failure."""

import asyncio
import contextlib
import dataclasses
import logging
import os
import socket
from collections.abc import AsyncIterator, Sequence
from email import headerregistry
from email.message import EmailMessage
from ipaddress import ip_network
from pathlib import Path
from ssl import TLSVersion
from typing import Any

import pytest

from server.deliveries.smtp import connection, tls
from server.deliveries.smtp.connection import TransportOptions
from server.deliveries.smtp.destination import DeliveryError, Destination
from server.deliveries.smtp.failures import MAX_SERVER_TEXT, SMTPReason
from server.deliveries.smtp.greeting import machine_name
from server.deliveries.smtp.transport import try_out
from server.net.resolve import Address
from server.net.trial import Step
from tests.smtp.faults import ALLOWED_NETWORKS, PASSWORD, TOKEN, USER, WRONG, Wrong, going_on
from tests.support.certificates import Authority
from tests.support.delivering import deliver
from tests.support.mail_server import (
    Connection,
    MailServer,
    dripping,
    echo,
    hang,
    mail_server,
    reply,
)
from tests.support.process import free_port

pytestmark = pytest.mark.python_differs("ssl has stricter defaults since 3.13")


class Client:
    """Delivers to servers with these options."""

    def __init__(self, options: TransportOptions) -> None:
        self.options = options

    def having(self, **options: Any) -> "Client":
        """A client with other options."""
        return Client(dataclasses.replace(self.options, **options))

    async def deliver(
        self,
        port: int,
        made: EmailMessage | None = None,
        *,
        recipient: str = "ada@example.com",
        **fields: Any,
    ) -> None:
        """Delivers a message to the server at the port. `fields` are those of the destination."""
        to = destination(port, **fields)
        await deliver(to, made or message(), recipient=recipient, options=self.options)

    async def failure(
        self, port: int, made: EmailMessage | None = None, **given: Any
    ) -> DeliveryError:
        """The error of a delivery that must fail."""
        with pytest.raises(DeliveryError) as raised:
            await self.deliver(port, made, **given)
        return raised.value

    async def steps(
        self,
        port: int,
        receiver: str | None = "ada@example.com",
        *,
        seconds: float | None = None,
        **fields: Any,
    ) -> list[Step]:
        """The steps of a trial."""
        to = destination(port, **fields)
        return await try_out(to, receiver_address=receiver, options=self.options, seconds=seconds)


@pytest.fixture
def client(authority: Authority) -> Client:
    """A client that trusts the authority and may connect to this machine."""
    return Client(
        TransportOptions(
            greeting_name="keystead.example.com",
            ca_file=authority.ca_file,
            allowed_networks=[ip_network(each) for each in ALLOWED_NETWORKS],
            timeout=5,
        )
    )


def destination(port: int, **fields: Any) -> Destination:
    defaults: dict[str, Any] = {
        "host": "localhost",
        "tls": False,
        "user": "",
        "password": "",
        "sender_address": "noreply@example.com",
        "sender_name": "Example",
    }
    return Destination(port=port, **(defaults | fields))


_LOGIN: dict[str, Any] = {"user": USER, "password": PASSWORD}


def message(text: str = "Good day\n", **headers: str | headerregistry.Address) -> EmailMessage:
    made = EmailMessage()
    for name, value in ({"From": "noreply@example.com", "Subject": "Hi"} | headers).items():
        made[name] = value
    made.set_content(text)
    return made


# A quarter of the time is for the handshake with a server that expects TLS.
_SECONDS_OF = {"TIMEOUT": 0.4, "NO_ANSWER": 0.4, "IMPLICIT_TLS_EXPECTED": 2}


@pytest.mark.parametrize(
    ("wrong", "login"),
    [
        pytest.param(each, login, id=f"{name}-{login}")
        for name, each in WRONG.items()
        for login in each.logins
    ],
)
async def test_every_fault_has_its_own_reason_with_each_login(
    wrong: Wrong,
    login: str,
    authority: Authority,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with going_on(wrong, authority, monkeypatch, login=login) as config:
        host, _, port = config.pop("host").rpartition(":")
        sender = client.having(timeout=_SECONDS_OF.get(wrong.reason, client.options.timeout))
        error = await sender.failure(int(port), recipient=wrong.receiver, host=host, **config)

    assert (error.step, error.reason, error.is_permanent) == (
        wrong.step,
        wrong.reason,
        wrong.is_permanent,
    )
    # test_oauth_deliveries.py has the advice of a refused token.
    assert wrong.advice in error.message or (login, wrong.step) == ("token", "auth")
    assert PASSWORD not in str(error)
    assert TOKEN not in str(error)


def test_every_reason_is_tried() -> None:
    elsewhere = {"CA_FILE_UNREADABLE", "ADDRESS_NOT_SENDABLE", "TIMEOUT"}
    # tests/smtp/test_oauth_deliveries.py
    elsewhere |= {"TOKEN_ENDPOINT_FAILED", "TOKEN_REFUSED", "TOKEN_ANSWER_INVALID"}

    assert {wrong.reason for wrong in WRONG.values()} | elsewhere == set(SMTPReason)
    assert all(reason == reason.name for reason in SMTPReason)


@pytest.mark.parametrize(
    ("mode", "is_required"), [("starttls", True), ("starttls", False), ("implicit", True)]
)
@pytest.mark.parametrize("mechanism", ["PLAIN", "LOGIN", "CRAM-MD5"])
async def test_a_message_arrives_over_every_kind_of_tls_by_every_mechanism(
    authority: Authority,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    mode: Any,
    is_required: bool,
    mechanism: str,
) -> None:
    context = authority.certificate().context()
    async with mail_server(
        tls=context, mode=mode, users={USER: PASSWORD}, mechanisms=[mechanism]
    ) as server:
        if mode == "implicit":
            monkeypatch.setattr(connection, "IMPLICIT_TLS_PORT", server.port)
        await client.deliver(server.port, message("Häppy\n"), tls=is_required, **_LOGIN)
        await server.said("QUIT")

    [received] = server.received
    assert received.sender == "noreply@example.com"
    assert received.recipients == ("ada@example.com",)
    assert received.message.get_content() == "Häppy\n"
    assert received.user == USER
    assert received.is_encrypted
    assert received.greeting_name == "keystead.example.com"


@pytest.mark.parametrize(
    ("server", "fields", "certificate", "is_encrypted"),
    [
        ({}, {}, None, False),
        ({"users": {USER: PASSWORD}}, _LOGIN, None, False),
        ({"host": "::1"}, {"host": "::1", "tls": True}, {}, True),
        ({}, {}, {"self_signed": True}, True),
        ({"faults": {"EHLO": reply("502 5.5.1 Never heard of")}}, {}, None, False),
    ],
    ids=["plain", "a password on this machine", "IPv6", "unverified TLS", "older than EHLO"],
)
async def test_a_message_arrives(
    authority: Authority,
    client: Client,
    server: dict[str, Any],
    fields: dict[str, Any],
    certificate: dict[str, Any] | None,
    is_encrypted: bool,
) -> None:
    if certificate is not None:
        server = {**server, "tls": authority.certificate(**certificate).context()}
    async with mail_server(**server) as running:
        await client.deliver(running.port, **fields)

    [received] = running.received
    assert received.is_encrypted is is_encrypted
    assert received.user == fields.get("user", "")


async def test_tls_that_is_not_required_may_fail(authority: Authority, client: Client) -> None:
    faults = {"STARTTLS": reply("454 4.7.0 Not today")}
    async with mail_server(tls=authority.certificate().context(), faults=faults) as server:
        steps = await client.steps(server.port)

    assert all(step.succeeded for step in steps)
    assert not server.received[0].is_encrypted
    assert "goes on without TLS" in next(step.message for step in steps if step.name == "tls")


@pytest.mark.parametrize(
    ("certificate", "reason"),
    [(None, "STARTTLS_NOT_OFFERED"), ({"self_signed": True}, "CERTIFICATE_NOT_TRUSTED")],
)
async def test_no_configuration_goes_without_tls_where_it_is_required(
    authority: Authority,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    certificate: dict[str, Any] | None,
    reason: str,
) -> None:
    context = None if certificate is None else authority.certificate(**certificate).context()
    strict = client.having(require_tls=True)
    async with mail_server(tls=context) as server:
        await strict.deliver(server.port)  # on this machine
        monkeypatch.setattr(Address, "is_loopback", False)
        error = await strict.failure(server.port)

    assert (error.step, error.reason) == ("tls", reason)
    assert len(server.received) == 1


async def test_a_server_that_nobody_vouches_for_gets_no_password(
    authority: Authority, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Address, "is_loopback", False)
    context = authority.certificate(self_signed=True).context()
    for is_required in (True, False):
        async with mail_server(tls=context, users={USER: PASSWORD}) as server:
            error = await client.failure(server.port, tls=is_required, **_LOGIN)

        assert error.reason == "CERTIFICATE_NOT_TRUSTED"
        assert "AUTH" not in server.commands


def test_no_tls_older_than_1_2_is_spoken() -> None:
    contexts = [tls.verifying(None), tls.encrypting()]

    assert {context.minimum_version for context in contexts} == {TLSVersion.TLSv1_2}


async def test_of_several_addresses_the_first_that_answers_is_used(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with mail_server(host="127.0.0.3", port=free_port()) as server:  # free on 127.0.0.1 too
        names_of(monkeypatch, "127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4")
        steps = await client.steps(server.port, None, host="smtp.example.com")

    assert steps[0].facts["addresses"] == "127.0.0.1, 127.0.0.2, 127.0.0.3, 127.0.0.4"
    assert steps[1].facts["address"] == "127.0.0.3"


async def test_addresses_that_are_not_allowed_are_never_connected_to(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with mail_server() as server:
        names_of(monkeypatch, "10.0.0.1", "169.254.169.254", "127.0.0.1")
        steps = await client.steps(server.port, None, host="smtp.example.com")

    assert steps[0].facts["addresses"] == "127.0.0.1"
    assert all(step.succeeded for step in steps)


async def test_an_address_that_drops_packets_leaves_time_for_the_next(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with mail_server() as server, dropping(server.port, "127.0.0.2"):
        names_of(monkeypatch, "127.0.0.2", "127.0.0.1")
        steps = await client.having(timeout=1).steps(server.port, None, host="smtp.example.com")

    assert steps[1].facts["address"] == "127.0.0.1"


async def test_a_firewall_that_drops_packets_is_named_as_the_cause(
    client: Client,
) -> None:
    async with dropping(0, "127.0.0.1") as port:
        error = await client.having(timeout=0.2).failure(port, host="127.0.0.1")

    assert (error.step, error.reason) == ("connect", "TIMEOUT")
    assert "firewall" in error.message


def names_of(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Resolves every name to these addresses."""

    def getaddrinfo(_host: str, port: int, **_kwargs: Any) -> Sequence[Any]:
        kind = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
        return [(*kind, (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


@contextlib.asynccontextmanager
async def dropping(port: int, address: str) -> AsyncIterator[int]:
    """A port with a full queue, so that the kernel drops further connections."""
    with contextlib.ExitStack() as sockets:
        listening = sockets.enter_context(socket.create_server((address, port), backlog=0))
        for _ in range(3):
            filler = sockets.enter_context(socket.socket())
            filler.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                filler.connect(listening.getsockname())
        yield listening.getsockname()[1]


async def test_a_wrong_password_is_tried_once(authority: Authority, client: Client) -> None:
    async with mail_server(tls=authority.certificate().context(), users={USER: "x"}) as server:
        await client.failure(server.port, tls=True, **_LOGIN)

    assert server.commands.count("AUTH") == 1


async def test_a_mechanism_that_the_server_does_not_want_after_all_is_passed_over(
    client: Client,
) -> None:
    async with mail_server(users={USER: PASSWORD}) as server:

        async def only_login(client: Any, argument: str) -> None:
            if argument.startswith("PLAIN"):
                await client.push(b"504 5.5.4 Unrecognized authentication type")
            else:
                await client.smtp_AUTH(argument)

        server.faults["AUTH"] = only_login
        await client.deliver(server.port, **_LOGIN)

    assert server.received[0].user == USER


@pytest.mark.parametrize("command", ["CONNECT", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "BODY"])
async def test_a_password_that_a_server_echoes_is_not_shown(client: Client, command: str) -> None:
    faults = {command: echo(550), "HELO": echo(550)}
    async with mail_server(users={USER: PASSWORD}, faults=faults) as server:
        steps = await client.steps(server.port, **_LOGIN)

    assert not steps[-1].succeeded
    shown = repr(steps).casefold()
    secrets = {PASSWORD, *server.credentials} - {USER}
    for secret in secrets:
        assert secret.casefold() not in shown
    assert bool(secrets - {PASSWORD}) == (command not in ("CONNECT", "EHLO"))


async def test_the_shown_text_of_a_server_is_bounded_and_printable(client: Client) -> None:
    faults = {"MAIL": reply("550-5.7.1 \x1b[31mred", f"550 {'x' * 900}")}
    async with mail_server(faults=faults) as server:
        error = await client.failure(server.port)

    assert error.message.isprintable()
    assert "?[31mred xxx" in error.message
    assert "x" * MAX_SERVER_TEXT not in error.message


async def test_a_size_limit_that_is_not_one_is_ignored(client: Client) -> None:
    """Python refuses to convert numbers of more than 4,300 digits."""

    async def ehlo(server: Connection, name: str) -> None:
        assert server.session
        server.session.host_name, server.session.extended_smtp = name, True
        await reply("250-localhost", f"250 SIZE {'9' * 5000}")(server, name)

    async with mail_server(faults={"EHLO": ehlo}) as server:
        steps = await client.steps(server.port, None)

    assert all(step.succeeded for step in steps), steps[-1]


async def test_the_password_is_in_no_log_and_no_text(
    authority: Authority, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    loop = asyncio.get_running_loop()
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.CRITICAL, logger="mail.log")  # the logger of the receiving server
    loop.set_debug(True)
    try:
        async with mail_server(
            tls=authority.certificate().context(), users={USER: PASSWORD}
        ) as server:
            await client.deliver(server.port, tls=True, **_LOGIN)
            server.faults["AUTH"] = echo(535)
            error = await client.failure(server.port, tls=True, **_LOGIN)
    finally:
        loop.set_debug(False)

    shown = caplog.text + repr(destination(1, **_LOGIN)) + repr(error)
    for secret in (PASSWORD, *server.credentials):
        assert secret == USER or secret not in shown + str(error)


async def test_after_the_servers_250_nothing_fails_a_delivery(client: Client) -> None:
    async with mail_server(faults={"QUIT": hang}) as server:
        await asyncio.wait_for(client.deliver(server.port), 4)

    assert len(server.received) == 1


async def test_a_delivery_that_is_cancelled_leaves_no_connection(
    client: Client,
) -> None:
    async with mail_server(faults={"MAIL": hang}) as server:
        task = asyncio.create_task(client.deliver(server.port))
        await server.said("MAIL")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while server.connections[0].transport is not None:  # noqa: ASYNC110 -- the server's
            await asyncio.sleep(0.001)

    assert server.received == []


async def test_addresses_beyond_ascii_are_sent_as_they_are_where_that_is_offered(
    client: Client,
) -> None:
    async with mail_server() as server:
        made = message(To="Ädä <ädä@example.com>")
        fields: dict[str, Any] = {
            "recipient": "ädä@bücher.example",
            "sender_address": "jörg@example.com",
        }
        await client.deliver(server.port, made, **fields)

    [received] = server.received
    assert received.sender == "jörg@example.com"
    assert received.recipients == ("ädä@xn--bcher-kva.example",)
    assert "SMTPUTF8" in received.options
    assert "ädä@example.com".encode() in received.content


async def test_a_reply_to_address_may_need_an_extension_that_the_server_lacks(
    client: Client,
) -> None:
    made = message(**{"Reply-To": "jörg@example.com"})
    async with mail_server(smtputf8=False) as server:
        error = await client.failure(server.port, made)

    assert (error.reason, error.is_permanent) == ("SMTPUTF8_NOT_OFFERED", False)
    assert "unlike jörg@" in error.message


async def test_a_domain_beyond_ascii_needs_nothing_of_the_server(
    client: Client,
) -> None:
    async with mail_server(smtputf8=False) as server:
        steps = await client.steps(
            server.port, "ada@straße.example", sender_address="post@bücher.example"
        )

    assert steps[-1].succeeded
    [received] = server.received
    assert received.sender == "post@xn--bcher-kva.example"
    assert received.recipients == ("ada@xn--strae-oqa.example",)
    assert received.message["To"] == "ada@xn--strae-oqa.example"


async def test_no_line_of_a_message_can_end_it_or_be_a_command(client: Client) -> None:
    text = "one\n.\nMAIL FROM:<evil@example.com>\r.\rtwo\r\n.\r\n..three\n"
    made = message()
    made.set_payload(text)
    async with mail_server() as server:
        await client.deliver(server.port, made)
        await server.said("QUIT")

    [received] = server.received
    assert b"\r" not in received.content.replace(b"\r\n", b"")
    assert b"\n" not in received.content.replace(b"\r\n", b"")
    assert received.content.endswith(
        b"one\r\n.\r\nMAIL FROM:<evil@example.com>\r\n.\r\ntwo\r\n.\r\n..three\r\n"
    )
    assert server.commands.count("MAIL") == 1


@pytest.mark.parametrize(
    ("fields", "is_permanent"),
    [
        ({"recipient": "ada@ß\u2028.x"}, True),
        ({"sender_address": "noreply@ß\u2028.x"}, False),
    ],
    ids=["recipient", "sender"],
)
async def test_an_address_that_no_domain_can_have_is_not_sent(
    client: Client, fields: dict[str, Any], is_permanent: bool
) -> None:
    async with mail_server() as server:
        error = await client.failure(server.port, **fields)

    assert (error.step, error.reason) == ("sender", "ADDRESS_NOT_SENDABLE")
    assert error.is_permanent is is_permanent


async def test_a_file_of_authorities_that_cannot_be_read_is_named(
    authority: Authority, client: Client, tmp_path: Path
) -> None:
    (tmp_path / "empty.pem").touch()
    async with mail_server(tls=authority.certificate().context()) as server:
        for name in ("missing.pem", "empty.pem"):
            unreadable = client.having(ca_file=tmp_path / name)
            error = await unreadable.failure(server.port, tls=True)

            assert (error.step, error.reason) == ("tls", "CA_FILE_UNREADABLE")
            assert name in error.message


async def test_a_file_of_authorities_is_obeyed_as_it_is_now(
    authority: Authority, client: Client, tmp_path: Path
) -> None:
    file = tmp_path / "authorities.pem"
    file.write_bytes(Authority(tmp_path).ca_file.read_bytes())
    following = client.having(ca_file=file)
    async with mail_server(tls=authority.certificate().context()) as server:
        error = await following.failure(server.port, tls=True)
        file.write_bytes(authority.ca_file.read_bytes())
        os.utime(file, ns=(0, 0))
        await following.deliver(server.port, tls=True)

    assert error.reason == "CERTIFICATE_NOT_TRUSTED"
    assert len(server.received) == 1


@pytest.mark.parametrize(
    ("machine", "host", "greeting"),
    [
        ("mail.example.com", "127.0.0.1", "mail.example.com"),
        ("localhost", "127.0.0.1", "[127.0.0.1]"),
        ("localhost.localdomain", "127.0.0.1", "[127.0.0.1]"),
        ("3f2504e0", "::1", "[IPv6:::1]"),
        ("büro.example.com", "127.0.0.1", "[127.0.0.1]"),
    ],
)
async def test_the_client_greets_by_the_name_of_this_machine_or_by_its_address(
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    machine: str,
    host: str,
    greeting: str,
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: machine)
    monkeypatch.setattr(socket, "getfqdn", lambda name: name)
    machine_name.cache_clear()
    async with mail_server(host=host) as server:
        unnamed = client.having(greeting_name=None)
        steps = await unnamed.steps(server.port, None, host=host)
    machine_name.cache_clear()

    assert steps[2].facts["greeting_name"] == greeting


async def test_no_address_writes_headers(client: Client) -> None:
    evil = "=?utf-8?q?=0d=0aBcc=3ax?="
    made = message(
        To=headerregistry.Address(evil, "ada", "example.com"),
        Cc=headerregistry.Address("", evil, "example.com"),
    )
    async with mail_server() as server:
        await client.deliver(server.port, made)

    [received] = server.received
    assert "Bcc" not in received.message
    assert received.message["To"].addresses[0].display_name == evil
    assert f"\r\nCc: {evil}@example.com\r\n".encode() in received.content


@pytest.mark.parametrize(
    "encoded", ["=0d=0aBcc=3ax", "=0dBcc=3ax", "=0aBcc=3ax", "a=00b", "=c2=85b"]
)
@pytest.mark.parametrize("header", ["Subject", "X-Other"])
async def test_a_header_with_an_encoded_line_break_is_not_sent(
    client: Client, header: str, encoded: str
) -> None:
    """Python writes some of them, depending on its release (CVE-2024-6923)."""
    broken = message(**{header: f"=?utf-8?q?{encoded}?="})
    async with mail_server() as server:
        error = await client.failure(server.port, broken)

    assert (error.reason, error.is_permanent) == ("ADDRESS_NOT_SENDABLE", True)
    assert not server.received


async def test_the_name_of_a_sender_writes_no_headers(client: Client) -> None:
    name = "=?utf-8?q?Ada=0d=0aBcc=3ax=40evil=2eexample?="
    async with mail_server() as server:
        steps = await client.steps(server.port, sender_name=name)

    [received] = server.received
    assert steps[-1].succeeded
    assert "Bcc" not in received.message
    assert received.message["From"].addresses[0].display_name == name.replace("=?", "= ?")


async def test_a_slow_step_ends_at_the_time_limit_of_the_trial(
    client: Client,
) -> None:
    loop = asyncio.get_running_loop()
    async with mail_server(faults={"RCPT": dripping}) as server:
        began = loop.time()
        steps = await client.steps(server.port, seconds=2)

    assert loop.time() - began < client.options.timeout
    assert [step.name for step in steps] == ["resolve", "connect", "greeting", "sender", "message"]
    assert (steps[-1].succeeded, steps[-1].reason) == (False, "NO_ANSWER")
    assert all(step.succeeded for step in steps[:-1])


async def test_a_trial_has_the_findings_of_every_step(authority: Authority, client: Client) -> None:
    certificate = authority.certificate()
    async with mail_server(tls=certificate.context(), users={USER: PASSWORD}) as server:
        steps = await client.steps(server.port, tls=True, **_LOGIN)

    found = {step.name: step for step in steps}
    assert list(found) == ["resolve", "connect", "greeting", "tls", "auth", "sender", "message"]
    assert all(step.succeeded and step.message and not step.reason for step in steps)
    assert found["connect"].facts["address"] in ("127.0.0.1", "::1")
    assert "STARTTLS" in found["greeting"].facts["extensions"]
    assert found["tls"].facts["tls_version"] == "TLSv1.3"
    expires_at = certificate.expires_at.isoformat().replace("+00:00", "Z")
    assert found["tls"].facts["certificate_expires_at"] == expires_at
    assert "localhost" in found["tls"].facts["certificate_names"]
    assert found["auth"].facts["mechanism"] == "PLAIN"
    assert found["message"].facts["reply"]
    assert _is_the_trial(server)


def _is_the_trial(server: MailServer) -> bool:
    [received] = server.received
    headers = received.message
    assert headers["From"] == "Example <noreply@example.com>"
    assert headers["To"] == "ada@example.com"
    assert headers["Auto-Submitted"] == "auto-generated"
    assert headers["Message-ID"].endswith("@example.com>")
    assert headers["Date"]
    return True


async def test_without_a_receiver_nothing_is_sent(client: Client) -> None:
    async with mail_server() as server:
        steps = await client.steps(server.port, None)
        await server.said("QUIT")

    assert steps[-1].name == "sender"
    assert server.commands == ["CONNECT", "EHLO", "MAIL", "RSET", "QUIT"]


def test_loopback_addresses_never_leave_the_machine() -> None:
    def is_loopback(ip: str) -> bool:
        return Address(socket.AF_INET6, (ip, 25)).is_loopback

    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert is_loopback("::ffff:127.0.0.1")
    assert not is_loopback("64:ff9b::7f00:1")  # a translator may forward it to this machine
    assert not is_loopback("192.0.2.1")
