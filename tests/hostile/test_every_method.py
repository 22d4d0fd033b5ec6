"""Every method that reflection lists gets invalid messages, and never fails by a fault of its own.

For any bytes, a call succeeds or ends with a status that names the mistake and has all details, and
the server continues to work.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable
from random import Random

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass

from tests.hostile.messages import Hostile, hostile, large, share
from tests.hostile.target import FAULTS, Target, Victim
from tests.hostile.wire import bytes_field
from tests.support import given
from tests.support.given import Client, Refusal
from tests.support.transports import Answer, Call, InexpressibleError, Transports, authorization

_AT_ONCE = 8
# The server counts its refusals; see tests/passkey/test_verify_refusals.py.
_COUNTS_ATTEMPTS = "VerifyPasskeyRegistration"
# HTTP refuses a longer path or query itself.
_MAX_TARGET_BYTES = 4096
# The refusals of valid requests: the object exists already, the credential of the example answers
# no ceremony, its flow token continues no flow, and its token is of no mail.
_AS_GOOD_AS_DONE = {
    *("ALREADY_EXISTS", "CREDENTIAL_MALFORMED", "SIGN_IN_FAILED", "EMAIL_CHANGE_INVALID"),
    # A code and an access token that no approval gave.
    *("INVALID_GRANT", "INVALID_TOKEN"),
    # The domains of the examples have no records, and the machine may have no DNS.
    *("MAIL_DOMAIN_NOT_PROVEN", "DNS_UNAVAILABLE"),
    # The server sends its mails.
    "CAPTURED_MAIL_NOT_FOUND",
    # A network causes few mails for sign-ups.
    "RATE_LIMITED",
}
# The page in its example is on another server, or missing, which is checked first.
_NEED_A_PAGE = {"StartIDPSignIn", "StartAuthorization"}

# The time limit is that of a test, and there are many methods.
_PARTS = 4

Send = Callable[[Target, MethodDescriptor, bytes, str], Awaitable[Refusal | None]]
Who = Callable[[Victim], Client]
# Over which transport and as whom, and which share of the messages: see `share`.
Attack = tuple[Send, str, int, int]

CALLERS: dict[str, Who] = {
    "an outsider": lambda victim: victim.target.instance.nobody,
    "a user": lambda victim: victim.user,
    "a user with a session": lambda victim: victim.session,
    "the administrator": lambda victim: victim.target.admin,
}


async def _faults(
    target: Target, send: Send, method: MethodDescriptor, messages: Iterable[Hostile], token: str
) -> list[str]:
    """The messages whose answers are faults of the server."""
    found: list[str] = []
    turn = asyncio.Semaphore(_AT_ONCE)

    async def attack(what: str, message: bytes) -> None:
        async with turn:
            try:
                refused = await send(target, method, message, token)
            except AssertionError as wrong:  # a status without all details
                found.append(f"{method.full_name}, {what}: {wrong}")
            else:
                if refused and refused.code in FAULTS:
                    found.append(f"{method.full_name}, {what}: {refused}")

    async with asyncio.TaskGroup() as attacks:
        for what, message in messages:
            attacks.create_task(attack(what, message))
    return found


async def _attack(target: Target, method: MethodDescriptor, *attacks: Attack) -> None:
    """Sends shares of everything to a method; `attacks` are one after the other."""
    victim = await target.victim_of(method.name)
    dice = Random(method.full_name)  # noqa: S311 -- the same bytes in every run
    messages = list(hostile(victim.right_request(method), dice))
    for send, who, turn, every in attacks:
        chosen = share(messages, turn, every)

        found = await _faults(target, send, method, chosen, CALLERS[who](victim).token)

        assert not found, "\n".join([who, *found])


async def test_every_attack_is_on_a_request_that_would_do_something(target: Target) -> None:
    """All objects in the request exist: `Target.victim` must have one of every kind."""
    for method in target.methods:
        if not method.client_streaming and method.name not in _NEED_A_PAGE:
            victim = await target.victim_of(method.name)
            request = victim.right_request(method).SerializeToString()

            refused = await target.native(method, request, victim.caller_of(method).token)

            said = {refused.code.name, refused.reason} if refused else _AS_GOOD_AS_DONE
            assert said & _AS_GOOD_AS_DONE, (method.name, refused)


@pytest.mark.parametrize("part", range(_PARTS))
async def test_no_message_is_answered_as_a_fault_of_the_server(target: Target, part: int) -> None:
    await target.errors()
    for turn, method in list(enumerate(target.methods))[part::_PARTS]:
        if not method.client_streaming:
            await _attack(
                target,
                method,
                # Other callers are mostly refused earlier.
                (Target.native, "an outsider", turn, 24),
                (Target.native, "a user", turn, 24),
                (Target.native, "a user with a session", turn, 24),
                (Target.native, "the administrator", turn, 8),
                (Target.grpc_web, "the administrator", turn, 36),
            )
    assert not await target.errors()


async def test_no_message_in_a_stream_of_requests_is_answered_as_a_fault(target: Target) -> None:
    await target.errors()
    for method in target.methods:
        if method.client_streaming:
            await _attack(target, method, (Target.native, "an outsider", 0, 1))
    assert not await target.errors()


@pytest.mark.parametrize("part", range(_PARTS))
async def test_all_transports_refuse_a_message_alike(target: Target, part: int) -> None:
    """Only messages that gRPC refuses are sent again: after a success, the next answer differs."""
    methods = [method for method in given.UNARY_METHODS if method.name != _COUNTS_ATTEMPTS]
    refused: dict[str, set[str]] = {"a user": set(), "the administrator": set()}
    async with Transports.of(target.instance) as transports:
        for turn, method in list(enumerate(methods))[part::_PARTS]:
            victim = await target.victim_of(method.name)
            right = victim.right_request(method)
            dice = Random(method.full_name)  # noqa: S311 -- the same bytes in every run
            messages = [message for _, message in hostile(right, dice)]
            for who, every in (("a user", 30), ("the administrator", 24)):
                token = CALLERS[who](victim).token
                for message in share(messages, turn, every):
                    if await _is_refused_alike(transports, method, message, token):
                        refused[who].add(method.name)
    assert all(len(methods) > 20 // _PARTS for methods in refused.values()), refused


def _is_full(answer: Answer) -> bool:
    """Whether earlier messages had success, and the organization can have no further object."""
    return answer.refusal.reason == "TOO_MANY_SUBSCRIPTIONS"


async def _is_refused_alike(
    transports: Transports, method: MethodDescriptor, message: bytes, token: str
) -> bool:
    """Whether gRPC refuses a message that all transports can express; all must do so alike."""
    if len(message) > _MAX_TARGET_BYTES:
        return False
    with contextlib.suppress(DecodeError, InexpressibleError):
        request = GetMessageClass(method.input_type).FromString(message)
        call = Call(method, request, authorization(token))
        answer = await transports.native.answer(call)
        if answer.code is not grpc.StatusCode.OK and not _is_full(answer):
            await transports.one_answer(call)
            return True
    return False


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
    """A mask of 200,000 paths needs about 10 MiB when it is read."""
    method = target.method("keystead.idp.v1.IdentityProviderService.PatchIDP")
    message = bytes_field(2, bytes_field(1, b"") * 200_000)

    async def attack(times: int) -> int:
        for _ in range(times):
            assert await target.native(method, message, target.admin.token)
        return target.memory()

    before = await attack(5)  # memory that is allocated once
    after = await attack(30)

    assert after < before + 100 * 2**20
