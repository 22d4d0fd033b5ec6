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

from server.mail.delivery import DeliveryError, Destination
from server.mail.smtp_client import connection, tls
from server.mail.smtp_client.connection import TransportOptions
from server.mail.smtp_client.failures import MAX_SERVER_TEXT, SMTPReason
from server.mail.smtp_client.greeting import machine_name
from server.mail.smtp_client.transport import deliver, try_out
from server.net.resolve import Address
from tests.smtp.faults import ALLOWED_NETWORKS, PASSWORD, USER, WRONG, Wrong, going_on
from tests.support.certificates import Authority
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


@pytest.fixture
def options(authority: Authority) -> TransportOptions:
    return TransportOptions(
        greeting_name="keystead.example.com",
        ca_file=authority.ca_file,
        allowed_networks=[ip_network(each) for each in ALLOWED_NETWORKS],
        timeout=5,
    )


def destination(**fields: Any) -> Destination:
    defaults: dict[str, Any] = {
        "host": "localhost",
        "tls": False,
        "user": "",
        "password": "",
        "sender_address": "noreply@example.com",
        "sender_name": "Example",
    }
    return Destination(**(defaults | fields))


def message(text: str = "Good day\n", **headers: str | headerregistry.Address) -> EmailMessage:
    made = EmailMessage()
    for name, value in ({"From": "noreply@example.com", "Subject": "Hi"} | headers).items():
        made[name] = value
    made.set_content(text)
    return made


async def failure(to: Destination, options: TransportOptions, **given: Any) -> DeliveryError:
    """The error of a delivery that must fail."""
    with pytest.raises(DeliveryError) as raised:
        await deliver(to, message(), options=options, **({"recipient": "ada@example.com"} | given))
    return raised.value


def with_timeout(options: TransportOptions, seconds: float) -> TransportOptions:
    return dataclasses.replace(options, timeout=seconds)


@pytest.mark.parametrize("wrong", [pytest.param(each, id=name) for name, each in WRONG.items()])
async def test_whatever_is_wrong_has_its_own_reason(
    wrong: Wrong, authority: Authority, options: TransportOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_slow = wrong.reason in ("TIMEOUT", "NO_ANSWER", "IMPLICIT_TLS_EXPECTED")
    async with going_on(wrong, authority, monkeypatch) as config:
        host, _, port = config.pop("host").rpartition(":")
        error = await failure(
            destination(host=host, port=int(port), **config),
            with_timeout(options, 0.4) if is_slow else options,
            recipient=wrong.receiver,
        )

    assert (error.step, error.reason, error.is_permanent) == (
        wrong.step,
        wrong.reason,
        wrong.is_permanent,
    )
    assert wrong.advice in error.message
    assert PASSWORD not in str(error)


def test_every_reason_is_tried() -> None:
    elsewhere = {"CA_FILE_UNREADABLE", "ADDRESS_NOT_SENDABLE", "TIMEOUT"}

    assert {wrong.reason for wrong in WRONG.values()} | elsewhere == set(SMTPReason)
    assert all(reason == reason.name for reason in SMTPReason)


@pytest.mark.parametrize(
    ("mode", "is_required"), [("starttls", True), ("starttls", False), ("implicit", True)]
)
@pytest.mark.parametrize("mechanism", ["PLAIN", "LOGIN", "CRAM-MD5"])
async def test_a_message_arrives_over_every_kind_of_tls_by_every_mechanism(
    authority: Authority,
    options: TransportOptions,
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
        to = destination(port=server.port, tls=is_required, user=USER, password=PASSWORD)
        await deliver(to, message("Häppy\n"), recipient="ada@example.com", options=options)
        await server.said("QUIT")

    [received] = server.received
    assert received.sender == "noreply@example.com"
    assert received.recipients == ("ada@example.com",)
    assert received.message.get_content() == "Häppy\n"
    assert received.user == USER
    assert received.is_encrypted
    assert received.greeting_name == "keystead.example.com"


async def test_without_user_and_tls_it_is_sent_in_clear(options: TransportOptions) -> None:
    async with mail_server() as server:
        to = destination(port=server.port)
        await deliver(to, message(), recipient="ada@example.com", options=options)

    [received] = server.received
    assert not received.is_encrypted
    assert received.user == ""


async def test_a_password_may_go_to_this_machine_in_clear(options: TransportOptions) -> None:
    async with mail_server(users={USER: PASSWORD}) as server:
        to = destination(port=server.port, user=USER, password=PASSWORD)
        await deliver(to, message(), recipient="ada@example.com", options=options)

    assert server.received[0].user == USER


async def test_ipv6_is_delivered_to(authority: Authority, options: TransportOptions) -> None:
    async with mail_server(host="::1", tls=authority.certificate().context()) as server:
        to = destination(host="::1", port=server.port, tls=True)
        await deliver(to, message(), recipient="ada@example.com", options=options)

    assert server.received[0].is_encrypted


async def test_tls_that_is_not_required_is_used_whoever_signed_the_certificate(
    authority: Authority, options: TransportOptions
) -> None:
    context = authority.certificate(self_signed=True).context()
    async with mail_server(tls=context) as server:
        to = destination(port=server.port)
        await deliver(to, message(), recipient="ada@example.com", options=options)

    assert server.received[0].is_encrypted


async def test_tls_that_is_not_required_may_fail(
    authority: Authority, options: TransportOptions
) -> None:
    faults = {"STARTTLS": reply("454 4.7.0 Not today")}
    async with mail_server(tls=authority.certificate().context(), faults=faults) as server:
        to = destination(port=server.port)
        steps = await try_out(to, receiver_address="ada@example.com", options=options)

    assert all(step.succeeded for step in steps)
    assert not server.received[0].is_encrypted
    assert "goes on without TLS" in next(step.message for step in steps if step.name == "tls")


async def test_a_server_that_nobody_vouches_for_gets_no_password(
    authority: Authority, options: TransportOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Address, "is_loopback", False)
    context = authority.certificate(self_signed=True).context()
    for is_required in (True, False):
        async with mail_server(tls=context, users={USER: PASSWORD}) as server:
            to = destination(port=server.port, tls=is_required, user=USER, password=PASSWORD)
            error = await failure(to, options)

        assert error.reason == "CERTIFICATE_NOT_TRUSTED"
        assert "AUTH" not in server.commands


def test_no_tls_older_than_1_2_is_spoken() -> None:
    contexts = [tls.verifying(None), tls.encrypting()]

    assert {context.minimum_version for context in contexts} == {TLSVersion.TLSv1_2}


async def test_of_several_addresses_the_first_that_answers_is_used(
    options: TransportOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with mail_server(host="127.0.0.3", port=free_port()) as server:  # free on 127.0.0.1 too
        names_of(monkeypatch, "127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4")
        to = destination(host="smtp.example.com", port=server.port)
        steps = await try_out(to, receiver_address=None, options=options)

    assert steps[0].facts["addresses"] == "127.0.0.1, 127.0.0.2, 127.0.0.3, 127.0.0.4"
    assert steps[1].facts["address"] == "127.0.0.3"


async def test_addresses_that_are_not_allowed_are_never_connected_to(
    options: TransportOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with mail_server() as server:
        names_of(monkeypatch, "10.0.0.1", "169.254.169.254", "127.0.0.1")
        to = destination(host="smtp.example.com", port=server.port)
        steps = await try_out(to, receiver_address=None, options=options)

    assert steps[0].facts["addresses"] == "127.0.0.1"
    assert all(step.succeeded for step in steps)


async def test_an_address_that_drops_packets_leaves_time_for_the_next(
    options: TransportOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with mail_server() as server, dropping(server.port, "127.0.0.2"):
        names_of(monkeypatch, "127.0.0.2", "127.0.0.1")
        to = destination(host="smtp.example.com", port=server.port)
        steps = await try_out(to, receiver_address=None, options=with_timeout(options, 1))

    assert steps[1].facts["address"] == "127.0.0.1"


async def test_a_firewall_that_drops_packets_is_named_as_the_cause(
    options: TransportOptions,
) -> None:
    async with dropping(0, "127.0.0.1") as port:
        error = await failure(destination(port=port, host="127.0.0.1"), with_timeout(options, 0.2))

    assert (error.step, error.reason) == ("connect", "TIMEOUT")
    assert "firewall" in error.message


def names_of(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Resolves every name to these addresses."""

    async def getaddrinfo(_host: str, port: int, **_kwargs: Any) -> Sequence[Any]:
        kind = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
        return [(*kind, (address, port)) for address in addresses]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)


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


async def test_a_wrong_password_is_tried_once(
    authority: Authority, options: TransportOptions
) -> None:
    async with mail_server(tls=authority.certificate().context(), users={USER: "x"}) as server:
        to = destination(port=server.port, tls=True, user=USER, password=PASSWORD)
        await failure(to, options)

    assert server.commands.count("AUTH") == 1


async def test_a_mechanism_that_the_server_does_not_want_after_all_is_passed_over(
    options: TransportOptions,
) -> None:
    async with mail_server(users={USER: PASSWORD}) as server:

        async def only_login(client: Any, argument: str) -> None:
            if argument.startswith("PLAIN"):
                await client.push(b"504 5.5.4 Unrecognized authentication type")
            else:
                await client.smtp_AUTH(argument)

        server.faults["AUTH"] = only_login
        to = destination(port=server.port, user=USER, password=PASSWORD)
        await deliver(to, message(), recipient="ada@example.com", options=options)

    assert server.received[0].user == USER


@pytest.mark.parametrize("command", ["CONNECT", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "BODY"])
async def test_what_a_server_repeats_of_the_password_is_not_passed_on(
    options: TransportOptions, command: str
) -> None:
    faults = {command: echo(550), "HELO": echo(550)}
    async with mail_server(users={USER: PASSWORD}, faults=faults) as server:
        to = destination(port=server.port, user=USER, password=PASSWORD)
        steps = await try_out(to, receiver_address="ada@example.com", options=options)

    assert not steps[-1].succeeded
    shown = repr(steps).casefold()
    secrets = {PASSWORD, *server.credentials} - {USER}
    for secret in secrets:
        assert secret.casefold() not in shown
    assert bool(secrets - {PASSWORD}) == (command not in ("CONNECT", "EHLO"))


async def test_what_a_server_says_is_bounded_and_printable(options: TransportOptions) -> None:
    faults = {"MAIL": reply("550-5.7.1 \x1b[31mred", f"550 {'x' * 900}")}
    async with mail_server(faults=faults) as server:
        error = await failure(destination(port=server.port), options)

    assert error.message.isprintable()
    assert "?[31mred xxx" in error.message
    assert "x" * MAX_SERVER_TEXT not in error.message


async def test_a_size_limit_that_is_not_one_is_ignored(options: TransportOptions) -> None:
    """Python refuses to convert numbers of more than 4,300 digits."""

    async def ehlo(server: Connection, name: str) -> None:
        assert server.session
        server.session.host_name, server.session.extended_smtp = name, True
        await reply("250-localhost", f"250 SIZE {'9' * 5000}")(server, name)

    async with mail_server(faults={"EHLO": ehlo}) as server:
        to = destination(port=server.port)
        steps = await try_out(to, receiver_address=None, options=options)

    assert all(step.succeeded for step in steps), steps[-1]


async def test_the_password_is_in_no_log_and_no_text(
    authority: Authority, options: TransportOptions, caplog: pytest.LogCaptureFixture
) -> None:
    loop = asyncio.get_running_loop()
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.CRITICAL, logger="mail.log")  # the logger of the receiving server
    loop.set_debug(True)
    try:
        async with mail_server(
            tls=authority.certificate().context(), users={USER: PASSWORD}
        ) as server:
            to = destination(port=server.port, tls=True, user=USER, password=PASSWORD)
            await deliver(to, message(), recipient="ada@example.com", options=options)
            server.faults["AUTH"] = echo(535)
            error = await failure(to, options)
    finally:
        loop.set_debug(False)

    for secret in (PASSWORD, *server.credentials):
        assert secret == USER or secret not in caplog.text + repr(to) + repr(error) + str(error)


async def test_after_the_servers_250_nothing_fails_a_delivery(options: TransportOptions) -> None:
    async with mail_server(faults={"QUIT": hang}) as server:
        to = destination(port=server.port)
        await asyncio.wait_for(
            deliver(to, message(), recipient="ada@example.com", options=options), 4
        )

    assert len(server.received) == 1


async def test_a_delivery_that_is_cancelled_leaves_no_connection(
    options: TransportOptions,
) -> None:
    async with mail_server(faults={"MAIL": hang}) as server:
        to = destination(port=server.port)
        task = asyncio.create_task(
            deliver(to, message(), recipient="ada@example.com", options=options)
        )
        await server.said("MAIL")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while server.connections[0].transport is not None:  # noqa: ASYNC110 -- the server's
            await asyncio.sleep(0.001)

    assert server.received == []


async def test_addresses_beyond_ascii_are_sent_as_they_are_where_that_is_offered(
    options: TransportOptions,
) -> None:
    async with mail_server() as server:
        to = destination(port=server.port, sender_address="jörg@example.com")
        made = message(To="Ädä <ädä@example.com>")
        await deliver(to, made, recipient="ädä@bücher.example", options=options)

    [received] = server.received
    assert received.sender == "jörg@example.com"
    assert received.recipients == ("ädä@xn--bcher-kva.example",)
    assert "SMTPUTF8" in received.options
    assert "ädä@example.com".encode() in received.content


async def test_an_address_for_answers_may_need_what_the_server_lacks(
    options: TransportOptions,
) -> None:
    made = message(**{"Reply-To": "jörg@example.com"})
    async with mail_server(smtputf8=False) as server:
        with pytest.raises(DeliveryError, match="unlike jörg@") as raised:
            await deliver(
                destination(port=server.port), made, recipient="ada@example.com", options=options
            )

    assert (raised.value.reason, raised.value.is_permanent) == ("SMTPUTF8_NOT_OFFERED", False)


async def test_a_domain_beyond_ascii_needs_nothing_of_the_server(
    options: TransportOptions,
) -> None:
    async with mail_server(smtputf8=False) as server:
        to = destination(port=server.port, sender_address="post@bücher.example")
        steps = await try_out(to, receiver_address="ada@straße.example", options=options)

    assert steps[-1].succeeded
    [received] = server.received
    assert received.sender == "post@xn--bcher-kva.example"
    assert received.recipients == ("ada@xn--strae-oqa.example",)
    assert received.message["To"] == "ada@xn--strae-oqa.example"


async def test_no_line_of_a_message_can_end_it_or_be_a_command(options: TransportOptions) -> None:
    text = "one\n.\nMAIL FROM:<evil@example.com>\r.\rtwo\r\n.\r\n..three\n"
    made = message()
    made.set_payload(text)
    async with mail_server() as server:
        to = destination(port=server.port)
        await deliver(to, made, recipient="ada@example.com", options=options)
        await server.said("QUIT")

    [received] = server.received
    assert b"\r" not in received.content.replace(b"\r\n", b"")
    assert b"\n" not in received.content.replace(b"\r\n", b"")
    assert received.content.endswith(
        b"one\r\n.\r\nMAIL FROM:<evil@example.com>\r\n.\r\ntwo\r\n.\r\n..three\r\n"
    )
    assert server.commands.count("MAIL") == 1


async def test_an_address_that_no_domain_can_have_is_final(options: TransportOptions) -> None:
    async with mail_server() as server:
        error = await failure(destination(port=server.port), options, recipient="ada@ß\u2028.x")

    assert (error.step, error.reason, error.is_permanent) == (
        "sender",
        "ADDRESS_NOT_SENDABLE",
        True,
    )


async def test_a_sender_that_no_domain_can_have_is_to_be_corrected(
    options: TransportOptions,
) -> None:
    async with mail_server() as server:
        to = destination(port=server.port, sender_address="noreply@ß\u2028.x")
        error = await failure(to, options)

    assert (error.step, error.reason, error.is_permanent) == (
        "sender",
        "ADDRESS_NOT_SENDABLE",
        False,
    )


async def test_a_file_of_authorities_that_cannot_be_read_is_named(
    authority: Authority, options: TransportOptions, tmp_path: Path
) -> None:
    (tmp_path / "empty.pem").touch()
    async with mail_server(tls=authority.certificate().context()) as server:
        for name in ("missing.pem", "empty.pem"):
            unreadable = TransportOptions(
                "x.example.com", tmp_path / name, options.allowed_networks
            )
            error = await failure(destination(port=server.port, tls=True), unreadable)

            assert (error.step, error.reason) == ("tls", "CA_FILE_UNREADABLE")
            assert name in error.message


async def test_a_file_of_authorities_is_obeyed_as_it_is_now(
    authority: Authority, options: TransportOptions, tmp_path: Path
) -> None:
    file = tmp_path / "authorities.pem"
    file.write_bytes(Authority(tmp_path).ca_file.read_bytes())
    following = dataclasses.replace(options, ca_file=file)
    async with mail_server(tls=authority.certificate().context()) as server:
        to = destination(port=server.port, tls=True)
        error = await failure(to, following)
        file.write_bytes(authority.ca_file.read_bytes())
        os.utime(file, ns=(0, 0))
        await deliver(to, message(), recipient="ada@example.com", options=following)

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
async def test_it_greets_by_the_name_of_this_machine_or_by_its_address(
    options: TransportOptions,
    monkeypatch: pytest.MonkeyPatch,
    machine: str,
    host: str,
    greeting: str,
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: machine)
    monkeypatch.setattr(socket, "getfqdn", lambda name: name)
    machine_name.cache_clear()
    unnamed = dataclasses.replace(options, greeting_name=None)
    async with mail_server(host=host) as server:
        steps = await try_out(
            destination(host=host, port=server.port), receiver_address=None, options=unnamed
        )
    machine_name.cache_clear()

    assert steps[2].facts["greeting_name"] == greeting


async def test_a_server_older_than_ehlo_is_delivered_to(options: TransportOptions) -> None:
    async with mail_server(faults={"EHLO": reply("502 5.5.1 Never heard of")}) as server:
        to = destination(port=server.port)
        await deliver(to, message(), recipient="ada@example.com", options=options)

    assert len(server.received) == 1


async def test_no_address_writes_headers(options: TransportOptions) -> None:
    evil = "=?utf-8?q?=0d=0aBcc=3ax?="
    made = message(
        To=headerregistry.Address(evil, "ada", "example.com"),
        Cc=headerregistry.Address("", evil, "example.com"),
    )
    async with mail_server() as server:
        to = destination(port=server.port)
        await deliver(to, made, recipient="ada@example.com", options=options)

    [received] = server.received
    assert "Bcc" not in received.message
    assert received.message["To"].addresses[0].display_name == evil
    assert f"\r\nCc: {evil}@example.com\r\n".encode() in received.content


@pytest.mark.parametrize(
    "encoded", ["=0d=0aBcc=3ax", "=0dBcc=3ax", "=0aBcc=3ax", "a=00b", "=c2=85b"]
)
@pytest.mark.parametrize("header", ["Subject", "X-Other"])
async def test_a_header_with_an_encoded_line_break_is_not_sent(
    options: TransportOptions, header: str, encoded: str
) -> None:
    """Python writes some of them, depending on its release (CVE-2024-6923)."""
    broken = message(**{header: f"=?utf-8?q?{encoded}?="})
    async with mail_server() as server:
        to = destination(port=server.port)
        with pytest.raises(DeliveryError) as raised:
            await deliver(to, broken, recipient="ada@example.com", options=options)

    assert (raised.value.reason, raised.value.is_permanent) == ("ADDRESS_NOT_SENDABLE", True)
    assert not server.received


async def test_the_name_of_a_sender_writes_no_headers(options: TransportOptions) -> None:
    name = "=?utf-8?q?Ada=0d=0aBcc=3ax=40evil=2eexample?="
    async with mail_server() as server:
        to = destination(port=server.port, sender_name=name)
        steps = await try_out(to, receiver_address="ada@example.com", options=options)

    [received] = server.received
    assert steps[-1].succeeded
    assert "Bcc" not in received.message
    assert received.message["From"].addresses[0].display_name == name.replace("=?", "= ?")


async def test_a_slow_step_is_cut_as_a_whole_by_the_time_for_all(
    options: TransportOptions,
) -> None:
    loop = asyncio.get_running_loop()
    async with mail_server(faults={"RCPT": dripping}) as server:
        to, began = destination(port=server.port), loop.time()
        steps = await try_out(to, receiver_address="ada@example.com", options=options, seconds=2)

    assert loop.time() - began < options.timeout
    assert [step.name for step in steps] == ["resolve", "connect", "greeting", "sender", "message"]
    assert (steps[-1].succeeded, steps[-1].reason) == (False, "NO_ANSWER")
    assert all(step.succeeded for step in steps[:-1])


async def test_a_trial_tells_what_every_step_found(
    authority: Authority, options: TransportOptions
) -> None:
    certificate = authority.certificate()
    async with mail_server(tls=certificate.context(), users={USER: PASSWORD}) as server:
        to = destination(port=server.port, tls=True, user=USER, password=PASSWORD)
        steps = await try_out(to, receiver_address="ada@example.com", options=options)

    found = {step.name: step for step in steps}
    assert list(found) == ["resolve", "connect", "greeting", "tls", "auth", "sender", "message"]
    assert all(step.succeeded and step.message and not step.reason for step in steps)
    assert found["connect"].facts["address"] in ("127.0.0.1", "::1")
    assert "STARTTLS" in found["greeting"].facts["extensions"]
    assert found["tls"].facts["tls_version"] == "TLSv1.3"
    expires_at = certificate.expires_at.isoformat().replace("+00:00", "Z")
    assert found["tls"].facts["certificate_expiry_date"] == expires_at
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


async def test_without_a_receiver_nothing_is_sent(options: TransportOptions) -> None:
    async with mail_server() as server:
        to = destination(port=server.port)
        steps = await try_out(to, receiver_address=None, options=options)
        await server.said("QUIT")

    assert steps[-1].name == "sender"
    assert server.commands == ["CONNECT", "EHLO", "MAIL", "RSET", "QUIT"]


def test_loopback_is_what_never_leaves_the_machine() -> None:
    def is_loopback(ip: str) -> bool:
        return Address(socket.AF_INET6, (ip, 25)).is_loopback

    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert is_loopback("::ffff:127.0.0.1")
    assert not is_loopback("64:ff9b::7f00:1")  # a translator may forward it to this machine
    assert not is_loopback("192.0.2.1")
