"""Targets that fail: each failure has a reason with a remedy, and delays no other target."""

import asyncio
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import Any

import pytest
from cryptography import x509

from keystead.push.v1 import push_service_pb2 as pb
from server.deliveries.http import client as http_client
from server.deliveries.http.client import (
    MAX_ANSWER,
    PushClient,
    PushFailedError,
    PushOptions,
    PushRequest,
    PushSteps,
)
from server.net.http_requests import explained
from server.push import sender
from tests.group import calls as groups
from tests.push import calls
from tests.push.conftest import ALLOWED_NETWORKS
from tests.support.certificates import Authority
from tests.support.given import Client
from tests.support.push_target import (
    NO_CONTENT,
    Answer,
    PushTarget,
    cut,
    dripping,
    endless,
    garbage,
    hang,
    interim,
    push_target,
    status,
)


@dataclass(frozen=True)
class WrongTarget:
    """A fault of a target: the step that fails, the reason, and a part of the advice."""

    step: str
    reason: str
    advice: str
    answer: Answer = NO_CONTENT
    certificate: dict[str, Any] = field(default_factory=dict)
    url: Callable[[PushTarget], str] = lambda target: target.url
    allowed: bool = True
    seconds: float = 10


def _closed_port(_target: PushTarget) -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"https://localhost:{server.getsockname()[1]}/"


WRONG = {
    "an unknown host": WrongTarget(
        "resolve", "NAME_NOT_FOUND", "Correct the URL", url=lambda _: "https://nowhere.invalid/"
    ),
    "a private address": WrongTarget(
        "resolve", "ADDRESS_NOT_ALLOWED", "KEYSTEAD_PUSH_ALLOWED_NETWORKS", allowed=False
    ),
    "a closed port": WrongTarget("connect", "UNREACHABLE", "firewall", url=_closed_port),
    "a certificate of another host": WrongTarget(
        "tls", "CERTIFICATE_NOT_ACCEPTED", "renew", certificate={"names": ["other.example"]}
    ),
    "an expired certificate": WrongTarget(
        "tls", "CERTIFICATE_NOT_ACCEPTED", "renew", certificate={"days": -1}
    ),
    "a certificate without an extension": WrongTarget(
        "tls",
        "CERTIFICATE_NOT_CONFORMANT",
        "authorityKeyIdentifier=keyid",
        certificate={"without": [x509.AuthorityKeyIdentifier]},
    ),
    "no answer": WrongTarget("answer", "TIMEOUT", "answer soon", answer=hang, seconds=0.5),
    "a cut connection": WrongTarget("answer", "NOT_HTTP", "correct the URL", answer=cut),
    "garbage": WrongTarget("answer", "NOT_HTTP", "correct the URL", answer=garbage),
    "endless interim responses": WrongTarget(
        "answer", "NOT_HTTP", "correct the URL", answer=interim
    ),
    "a dripping answer": WrongTarget(
        "answer", "TIMEOUT", "answer soon", answer=dripping, seconds=0.5
    ),
    "a redirect": WrongTarget(
        "answer",
        "REDIRECTED",
        "final address",
        answer=status("302 Found", headers="location: https://localhost/\r\n"),
    ),
    "a server error": WrongTarget(
        "answer", "UNEXPECTED_STATUS", "status 500", answer=status("500 Internal Server Error")
    ),
    "not found": WrongTarget(
        "answer", "UNEXPECTED_STATUS", "status 404", answer=status("404 Not Found")
    ),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
async def test_every_fault_has_a_step_a_reason_and_a_remedy(
    push_authority: Authority, wrong: WrongTarget
) -> None:
    steps = PushSteps()
    async with push_target(push_authority, answer=wrong.answer, **wrong.certificate) as target:
        request = PushRequest(wrong.url(target), {"webhook-id": "id"}, b"{}")
        client = _client(push_authority, wrong)
        try:
            steps.answered(await client.post(request, steps=steps))
        except PushFailedError as error:
            steps.failed(error.reason, error.message)

    *before, last = steps.steps
    assert all(step.succeeded for step in before)
    assert (last.name, last.reason, last.succeeded) == (wrong.step, wrong.reason, False)
    assert wrong.advice in last.message


def _client(authority: Authority, wrong: WrongTarget) -> PushClient:
    networks = [ip_network(each) for each in ALLOWED_NETWORKS] if wrong.allowed else []
    return PushClient(PushOptions(networks, authority.ca_file, wrong.seconds))


async def test_a_certificate_file_that_cannot_be_used_is_a_failure_of_the_target(
    push_authority: Authority, target: PushTarget
) -> None:
    networks = [ip_network(each) for each in ALLOWED_NETWORKS]
    client = PushClient(PushOptions(networks, push_authority.ca_file.parent / "missing.pem"))

    with pytest.raises(PushFailedError, match="KEYSTEAD_PUSH_CA_FILE"):
        await client.post(PushRequest(target.url, {}, b""))


async def test_of_an_endless_answer_a_kilobyte_is_read(
    push_authority: Authority, target: PushTarget
) -> None:
    target.answer = endless
    client = _client(push_authority, WRONG["not found"])

    answer = await client.post(PushRequest(target.url, {}, b""))

    await client.close()
    assert (answer.status, answer.content, answer.refusal) == (200, "x" * MAX_ANSWER, None)


async def test_a_name_is_resolved_once_and_the_checked_address_gets_the_push(
    push_authority: Authority, target: PushTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second look-up would give another address (DNS rebinding)."""
    found = [[("127.0.0.1", target.port)], [("10.0.0.1", target.port)]]

    def resolve(host: str, *_: Any, **__: Any) -> list[tuple[Any, ...]]:
        kind = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
        return [(*kind, address) for address in found.pop(0)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    client = PushClient(PushOptions([ip_network("127.0.0.1")], push_authority.ca_file))

    answer = await client.post(PushRequest(target.url, {}, b""))

    await client.close()
    assert answer.status == 204
    [received] = target.received
    assert received.headers["host"] == f"localhost:{target.port}"
    assert len(found) == 1


async def test_dead_targets_delay_no_other(
    owner: Client, push_authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty targets that never answer hold more attempts than a server makes at once."""
    # They hold the attempts until the end of the test, and no load makes the other target slow.
    monkeypatch.setattr(http_client, "explained", lambda host, _: explained(host, 100))
    monkeypatch.setattr(sender, "_SLOW_SECONDS", 100)
    async with (
        push_target(push_authority) as healthy,
        push_target(push_authority, answer=hang) as dead,
    ):
        types = ["group.added"]
        await calls.add(owner, url=healthy.url, event_types=types)
        await groups.group(owner)
        await calls.in_state(owner, pb.DELIVERY_STATE_SENT)
        for _ in range(60):
            await calls.add(owner, url=dead.url, event_types=types)
        await groups.group(owner)
        await healthy.until(2)
        await dead.until(48)

        for number in range(3, 6):
            await groups.group(owner)
            await healthy.until(number)

        assert dead.answering == len(dead.received) == 48
        for each in await calls.list_all(owner):
            await calls.remove(owner, each.subscription_id)


async def test_a_target_without_an_answer_waits_until_it_is_reached(
    owner: Client, target: PushTarget
) -> None:
    target.answer = cut
    subscription_id = await calls.subscription(owner, url=target.url, event_types=["group.added"])
    for _ in range(3):
        await groups.group(owner)
    await target.until(1)
    await asyncio.sleep(0.5)
    tried = len(target.received)
    await groups.group(owner)
    await asyncio.sleep(0.5)
    # Some attempts were made at once before the first one failed.
    assert len(target.received) == tried <= 4
    target.answer = status("200 OK")

    steps = await calls.try_out(owner, subscription_id)

    assert [step.name for step in steps] == ["resolve", "connect", "tls", "answer"]
    assert all(step.succeeded and step.HasField("duration") for step in steps)
    assert steps[0].facts["addresses"]
    assert steps[-1].facts["status"] == "200"
    await calls.in_state(owner, pb.DELIVERY_STATE_SENT, 4)


async def test_a_test_says_what_is_wrong(owner: Client, target: PushTarget) -> None:
    subscription_id = await calls.subscription(owner, url=target.url, event_types=["group.added"])
    target.answer = status("401 Unauthorized", b"who are you")

    steps = await calls.try_out(owner, subscription_id)

    assert steps[-1].reason == "UNEXPECTED_STATUS"
    assert steps[-1].facts == {"status": "401", "answer": "who are you"}
    target.answer = cut
    [*_, last] = await calls.try_out(owner, subscription_id)
    assert (last.name, last.reason) == ("answer", "NOT_HTTP")


async def test_events_of_an_aggregate_are_sent_one_after_the_other(
    owner: Client, target: PushTarget
) -> None:
    async def slowly(writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.05)
        await status("200 OK")(writer)

    target.answer = slowly
    types = ["group.added", "group.changed", "group.removed"]
    await calls.add(owner, url=target.url, event_types=types)
    group_id = await groups.group(owner)
    for number in range(4):
        await groups.patch(owner, group_id, ["display_name"], display_name=f"Name {number}")
    await groups.remove(owner, group_id)

    received = await target.until(6)

    expected = ["group.added", *["group.changed"] * 4, "group.removed"]
    assert [_type_of(each.content) for each in received] == expected
    assert target.most_answering == 1


def _type_of(content: bytes) -> str:
    return content.decode().split('"')[3]
