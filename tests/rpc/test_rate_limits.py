"""Clients that exceed their rate are refused, and told when to call again."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from grpc_reflection.v1alpha import reflection_pb2

from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.signin.v1 import signin_service_pb2 as signin_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.rpc import rate_limits
from server.rpc.rate_limits import RateLimit
from server.values.errors import Failure
from tests.conftest import MakeInstance
from tests.support import given
from tests.support.given import METHODS, Instance
from tests.support.scrape import scrape
from tests.support.transports import Call, Headers, Transports, authorization
from tests.support.web_client import web_client

_START = "/v1/signin/passkey:start"


class _Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def _admitted(limit: RateLimit, key: str, calls: int) -> int:
    admitted = 0
    for _ in range(calls):
        try:
            limit.admit(key)
        except Failure:
            continue
        admitted += 1
    return admitted


def test_a_burst_is_admitted_at_once_and_then_the_rate() -> None:
    clock = _Clock()
    limit = RateLimit(10, 5, now=clock)

    assert _admitted(limit, "network", 100) == 5
    clock.now += 0.3
    assert _admitted(limit, "network", 100) == 3
    clock.now += 3600
    assert _admitted(limit, "network", 100) == 5


def test_a_call_that_comes_after_the_retry_delay_is_admitted_and_not_before() -> None:
    clock = _Clock()
    limit = RateLimit(2, 1, now=clock)
    limit.admit("network")

    with pytest.raises(Failure) as refused:
        limit.admit("network")

    assert refused.value.retry_after is not None
    delay = refused.value.retry_after.total_seconds()
    assert delay == 0.5
    clock.now += delay - 0.01
    assert _admitted(limit, "network", 1) == 0
    clock.now += 0.01
    assert _admitted(limit, "network", 1) == 1


def test_keys_do_not_share_a_bucket() -> None:
    limit = RateLimit(1, 1)

    assert [_admitted(limit, key, 2) for key in ("one", "another")] == [1, 1]


def test_a_bucket_survives_the_generation_in_which_it_was_filled() -> None:
    clock = _Clock()
    limit = RateLimit(1, 10, now=clock)
    limit.admit("first")  # its generation ends ten seconds from now
    clock.now += 9
    assert _admitted(limit, "network", 10) == 10

    clock.now += 2

    assert _admitted(limit, "network", 10) == 2


def test_buckets_that_are_full_again_are_dropped() -> None:
    clock = _Clock()
    limit = RateLimit(1, 10, now=clock)
    for number in range(1000):
        limit.admit(str(number))

    for _ in range(2):
        clock.now += 10
        limit.admit("network")

    assert len(limit) < 5


def test_the_number_of_buckets_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_BUCKETS", 100)
    limit = RateLimit(1, 10)

    for number in range(1000):
        limit.admit(str(number))

    assert len(limit) <= 200


@pytest.fixture(scope="module")
async def limited(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server that admits one open call per network and twenty calls per user for a long time."""
    async with make_instance(
        open_rate_limit=0.001,
        open_rate_burst=1,
        caller_rate_limit=0.001,
        caller_rate_burst=20,
        trusted_proxies="127.0.0.1",
    ) as instance:
        yield instance


_OPEN: list[Message] = [
    signin_pb.StartPasskeySignInRequest(),
    signin_pb.CompletePasskeySignInRequest(),
    passkey_pb.RequestPasskeyRecoveryRequest(),
    signin_pb.RequestSignUpRequest(),
    # With the code of a link.
    passkey_pb.CheckPasskeyRegistrationRequest(user_id="someone", code="unknown"),
]


@pytest.mark.parametrize("request_", _OPEN, ids=lambda each: each.DESCRIPTOR.name)
async def test_anonymous_callers_beyond_their_limit_are_refused_on_every_transport(
    limited: Instance, request_: Message
) -> None:
    await _exhaust(limited)

    await _refused_everywhere(limited, request_, [])


@pytest.mark.parametrize("token", ["", "wrong", f"kst_{'a' * 43}"])
async def test_calls_without_a_valid_token_count_for_their_network(
    limited: Instance, token: str
) -> None:
    await _exhaust(limited)
    request = user_pb.GetCurrentUserRequest()

    await _refused_everywhere(limited, request, authorization(token) if token else [])

    await limited.admin.call(limited.admin.users.GetCurrentUser, request)


def _reflect(instance: Instance) -> Any:
    """A stream of requests to reflection."""
    return instance.channel.stream_stream(
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
        response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
    )()


async def test_reflection_beyond_the_limit_of_its_network_is_refused(limited: Instance) -> None:
    await _exhaust(limited)
    stream = _reflect(limited)
    await stream.write(reflection_pb2.ServerReflectionRequest(list_services=""))

    refused = await given.refusal(stream.read())

    assert (refused.code, refused.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")


async def test_each_request_of_a_reflection_stream_counts(make_instance: MakeInstance) -> None:
    async with make_instance(open_rate_limit=0.001, open_rate_burst=2) as instance:
        stream = _reflect(instance)
        for _ in range(2):
            await stream.write(reflection_pb2.ServerReflectionRequest(list_services=""))
            assert (await stream.read()).list_services_response.service
        await stream.write(reflection_pb2.ServerReflectionRequest(list_services=""))

        refused = await given.refusal(stream.read())

    assert refused.reason == "RATE_LIMITED"


async def test_a_caller_beyond_its_limit_is_refused_on_every_transport_and_no_other(
    limited: Instance,
) -> None:
    one, another = await given.user(limited.admin), await given.user(limited.admin)
    request = user_pb.GetCurrentUserRequest()
    for _ in range(20):
        await one.call(one.users.GetCurrentUser, request)

    await _refused_everywhere(limited, request, authorization(one.token))

    await another.call(another.users.GetCurrentUser, request)


async def test_networks_behind_a_trusted_proxy_have_limits_of_their_own(limited: Instance) -> None:
    async with web_client(limited.web_port) as http:
        statuses = [
            (await http.post(_START, json={}, headers={"x-forwarded-for": address})).status_code
            for address in (
                "192.0.2.1",
                "192.0.2.1",
                "192.0.2.2",
                "2001:db8::1",
                "2001:db8::ffff",
            )
        ]

    assert statuses == [200, 429, 200, 200, 429]


async def test_refused_calls_are_counted_by_the_kind_of_limit(limited: Instance) -> None:
    await _exhaust(limited)
    before = await scrape(limited.web_port)

    await _refused_everywhere(limited, _OPEN[0], [])

    after = await scrape(limited.web_port)
    name = "keystead_rate_limited_total"
    assert after.value(name, kind="open") == before.value(name, kind="open") + 4
    assert after.value(name, kind="caller") == before.value(name, kind="caller")


async def _exhaust(instance: Instance) -> None:
    """Makes the one call that the network of the tests may make."""
    nobody = instance.nobody
    with contextlib.suppress(grpc.aio.AioRpcError):  # another test has made it
        await nobody.call(nobody.sign_ins.StartPasskeySignIn, signin_pb.StartPasskeySignInRequest())


async def _refused_everywhere(instance: Instance, request: Message, headers: Headers) -> None:
    method = next(each for each in METHODS if each.input_type is request.DESCRIPTOR)
    async with Transports.of(instance) as transports:
        for transport in transports.all.values():
            answer = await transport.answer(Call(method, request, headers))

            assert answer.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert answer.refusal.reason == "RATE_LIMITED"
