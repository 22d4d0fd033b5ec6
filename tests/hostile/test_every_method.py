"""Every method that reflection lists, sent what no client should send: it is never a fault of ours.

Whatever the bytes, a call succeeds or ends with a status that says what is wrong with them, with
all that a status must have, and the server goes on as it was.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from itertools import islice
from random import Random
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError

from tests.hostile.messages import MAX_RECEIVED_BYTES, Hostile, hostile, large
from tests.hostile.target import FAULTS, Target, Victim, path_of
from tests.hostile.wire import bytes_field
from tests.support import given
from tests.support.given import Client, Refusal
from tests.support.transports import Call, InexpressibleError, Transports, authorization

_AT_ONCE = 8
# Its refusals count; see tests/bridge/test_transports_agree_on_passkeys.py.
_COUNTS_ATTEMPTS = "VerifyPasskeyRegistration"
# HTTP refuses a longer path or query itself.
_MAX_TARGET_BYTES = 4096
# What is said of a request that is right, by who has looked at all of it: there is one already,
# and the example of a credential answers no ceremony.
_AS_GOOD_AS_DONE = {"ALREADY_EXISTS", "CREDENTIAL_MALFORMED"}

Send = Callable[[Target, MethodDescriptor, bytes, str], Awaitable[Refusal | None]]
Who = Callable[[Victim], Client]

CALLERS: dict[str, Who] = {
    "a stranger": lambda victim: victim.target.instance.nobody,
    "a user": lambda victim: victim.user,
    "a user with a session": lambda victim: victim.session,
    "the administrator": lambda victim: victim.target.admin,
}


async def _faults(
    target: Target, send: Send, method: MethodDescriptor, messages: Iterable[Hostile], token: str
) -> list[str]:
    """The messages that the server answers as it must not."""
    found: list[str] = []
    turn = asyncio.Semaphore(_AT_ONCE)

    async def attack(what: str, message: bytes) -> None:
        async with turn:
            try:
                refused = await send(target, method, message, token)
            except AssertionError as wrong:  # a status without all it must have
                found.append(f"{method.full_name}, {what}: {wrong}")
            else:
                if refused and refused.code in FAULTS:
                    found.append(f"{method.full_name}, {what}: {refused}")

    async with asyncio.TaskGroup() as attacks:
        for what, message in messages:
            attacks.create_task(attack(what, message))
    return found


async def _attack(
    target: Target, send: Send, who: Who, *, streaming: bool = False, every: int = 1
) -> None:
    """Sends everything, or every third or so of it, to every method of a kind."""
    await target.errors()
    for method in target.methods:
        if method.client_streaming is streaming:
            victim = await target.victim()
            dice = Random(method.full_name)  # noqa: S311 -- the same bytes in every run
            messages = hostile(victim.right_request(method), dice)
            chosen = islice(messages, 0, None, every)

            found = await _faults(target, send, method, chosen, who(victim).token)

            assert not found, "\n".join(found)
    assert not await target.errors()


async def test_every_attack_is_on_a_request_that_would_do_something(target: Target) -> None:
    """What it names is there: `Target.victim` must have one of every kind that requests name."""
    for method in target.methods:
        if not method.client_streaming:
            victim = await target.victim()
            request = victim.right_request(method).SerializeToString()
            is_of_session = method.containing_service.name == "SessionService"
            caller = victim.session if is_of_session else target.admin

            refused = await target.native(method, request, caller.token)

            said = {refused.code.name, refused.reason} if refused else _AS_GOOD_AS_DONE
            assert said & _AS_GOOD_AS_DONE, (method.name, refused)


@pytest.mark.parametrize("who", CALLERS.values(), ids=CALLERS.keys())
async def test_no_message_is_answered_as_a_fault_of_the_server(target: Target, who: Who) -> None:
    await _attack(target, Target.native, who)


async def test_nor_over_grpc_web(target: Target) -> None:
    await _attack(target, Target.grpc_web, CALLERS["the administrator"], every=9)


@pytest.mark.parametrize("who", ["the administrator", "a user"])
async def test_all_transports_refuse_a_message_alike(target: Target, who: str) -> None:
    """Only a message that gRPC refuses is sent again: after success, the next answer differs."""
    methods = [method for method in given.METHODS if method.name != _COUNTS_ATTEMPTS]
    refused: Counter[str] = Counter()
    async with Transports.of(target.instance) as transports:
        for method in methods:
            victim = await target.victim()
            right = victim.right_request(method)
            dice = Random(method.full_name)  # noqa: S311 -- the same bytes in every run
            for _, message in islice(hostile(right, dice), 0, None, 3):
                if len(message) > _MAX_TARGET_BYTES:
                    continue
                with contextlib.suppress(DecodeError, InexpressibleError):
                    request = type(right).FromString(message)
                    call = Call(method, request, authorization(CALLERS[who](victim).token))
                    if (await transports.native.answer(call)).code is not grpc.StatusCode.OK:
                        refused[method.name] += 1
                        await transports.one_answer(call)
    assert len(refused) > 20


async def test_nor_in_a_stream_of_requests(target: Target) -> None:
    await _attack(target, Target.native, CALLERS["a stranger"], streaming=True)


async def test_large_messages_are_read_or_refused(target: Target) -> None:
    await target.errors()
    victim = await target.victim()
    for method in target.methods:
        if not method.client_streaming:  # reflection repeats them, and the client refuses that
            messages = large(victim.right_request(method))

            found = await _faults(target, Target.native, method, messages, target.admin.token)

            assert not found, "\n".join(found)
    assert not await target.errors()


async def test_refused_messages_leave_no_memory_behind(target: Target) -> None:
    """A mask of 200,000 paths takes some 10 MiB once it is read."""
    method = target.method("keystead.idp.v1.IdentityProviderService.PatchIDP")
    message = bytes_field(2, bytes_field(1, b"") * 200_000)

    async def attack(times: int) -> int:
        for _ in range(times):
            assert await target.native(method, message, target.admin.token)
        return target.memory()

    before = await attack(5)  # what is allocated once
    after = await attack(30)

    assert after < before + 100 * 2**20


async def test_a_message_that_is_larger_than_grpc_receives_is_refused_by_grpc(
    target: Target,
) -> None:
    message = bytes(MAX_RECEIVED_BYTES + 1)
    method: Any = target.instance.channel.unary_unary(path_of(target.methods[0]))

    with pytest.raises(grpc.aio.AioRpcError) as error:
        await method(message)

    assert error.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
