"""A stream ends when its caller no longer has the right to begin it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from server.access.authenticator import Authenticator
from server.access.authorizer import Access, Authorizer, Scope
from server.access.caller import Caller
from server.access.roles import Role
from server.access.tokens import TokenKind, new_token, thumbprint_hash, token_hash
from server.rpc import open_streams
from server.rpc.call import Call
from server.rpc.declared import Method
from server.rpc.guard import Guard
from server.rpc.open_streams import OpenStreams
from server.rpc.rate_limits import UNLIMITED
from server.store.clock import DatabaseClock
from server.values.errors import Failure, Kind

pytestmark = pytest.mark.python_differs("asyncio cancels and wakes tasks in another order")

_ACCESS = Access(
    "org.read", Scope.INSTANCE, by_self=False, by_registration_token=False, by_link_code=False
)
_OWNER = Caller("user", "org", frozenset({Role.INSTANCE_OWNER}))


class _Callers:
    """Callers by their tokens, with their open streams."""

    def __init__(self) -> None:
        self.by_hash: dict[bytes, Caller] = {}
        self.unreachable = False
        self.hanging: set[bytes] = set()
        self.look_ups = 0
        self.used = 0
        authenticator = Authenticator(
            find_user=self._find,
            find_workload=_nothing,
            find_session=self._use,
            peek_session=self._find,
            find_registration=_nothing,
            find_link=_nothing,
        )
        authorizer = Authorizer(find_user=_nothing, organization_exists=_no)
        guard = Guard(authenticator, authorizer, UNLIMITED)
        self.streams = OpenStreams(authenticator, guard.authorize)

    def token(self, caller: Caller, kind: TokenKind = TokenKind.USER) -> str:
        token = new_token(kind)
        self.by_hash[token_hash(token)] = caller
        return token

    def call(self, token: str, access: Access | None = _ACCESS) -> Call:
        return Call(
            Method("/a.Service/Method", access),
            [("authorization", f"Bearer {token}")],
            peer="",
            time_left=None,
            default_timeout=60,
        )

    def call_with_certificate(self, thumbprint: bytes) -> Call:
        self.by_hash[thumbprint_hash(thumbprint)] = _OWNER
        return Call(
            Method("/a.Service/Method", _ACCESS),
            [],
            peer="",
            time_left=None,
            default_timeout=60,
            thumbprint=thumbprint,
        )

    async def run(self, call: Call) -> None:
        """A stream without an end of its own."""
        call.begin(set())
        try:
            with self.streams.watched(call, None):
                await asyncio.Event().wait()
        except asyncio.CancelledError as error:
            call.end(error)

    async def _find(self, hashed: bytes) -> Caller | None:
        self.look_ups += 1
        if self.unreachable:
            raise Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "Unreachable.")
        if hashed in self.hanging:
            await asyncio.Event().wait()
        return self.by_hash.get(hashed)

    async def _use(self, hashed: bytes) -> Caller | None:
        self.used += 1
        return await self._find(hashed)


async def _nothing(_key: object) -> None:
    return None


async def _no(_organization_id: str) -> bool:
    return False


@pytest.fixture
def callers() -> _Callers:
    return _Callers()


@pytest.fixture
async def begin(callers: _Callers) -> AsyncIterator[Callable[[Call], Awaitable[None]]]:
    """Begins a stream, which ends at the end of the test at the latest."""
    tasks = []

    async def begin(call: Call) -> None:
        tasks.append(asyncio.create_task(callers.run(call)))
        await asyncio.sleep(0)

    yield begin
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


async def _ended(call: Call) -> Failure:
    while not hasattr(call, "code"):  # noqa: ASYNC110 -- nothing signals it
        await asyncio.sleep(0)
    assert call.failure is not None
    return call.failure


Begin = Callable[[Call], Awaitable[None]]


async def test_a_stream_goes_on_while_its_caller_may_have_it(
    callers: _Callers, begin: Begin
) -> None:
    call = callers.call(callers.token(_OWNER))
    await begin(call)

    await callers.streams.check()
    await asyncio.sleep(0)

    assert not hasattr(call, "code")


async def test_a_stream_ends_at_the_moment_at_which_the_role_ends_that_it_needs(
    callers: _Callers, begin: Begin
) -> None:
    clock = DatabaseClock(datetime.now(UTC))
    until = clock.now() + timedelta(seconds=0.05)
    calls = []
    for after in (Caller("user", "org", frozenset()), _OWNER):
        token = callers.token(replace(_OWNER, roles_end_at=until, clock=clock))
        call = callers.call(token)
        call.caller = callers.by_hash[token_hash(token)]
        await begin(call)
        callers.by_hash[token_hash(token)] = after
        calls.append(call)
    began = clock.now()

    failure = await _ended(calls[0])

    assert failure.reason == "PERMISSION_DENIED"
    assert timedelta(seconds=0.04) < clock.now() - began < timedelta(seconds=1)
    await asyncio.sleep(0)
    assert not hasattr(calls[1], "code")


def _revoke(callers: _Callers) -> None:
    callers.by_hash.clear()


def _demote(callers: _Callers) -> None:
    for hashed in callers.by_hash:
        callers.by_hash[hashed] = Caller("user", "org", frozenset({Role.ORG_OWNER}))


def _disconnect(callers: _Callers) -> None:
    callers.unreachable = True


@pytest.mark.parametrize(
    ("kind", "change", "reason"),
    [
        (TokenKind.USER, _revoke, "UNAUTHENTICATED"),
        (TokenKind.SESSION, _revoke, "UNAUTHENTICATED"),
        (TokenKind.USER, _demote, "PERMISSION_DENIED"),
        (TokenKind.USER, _disconnect, "DATABASE_UNAVAILABLE"),
    ],
)
async def test_a_stream_ends_unless_its_caller_is_confirmed_to_have_the_permission(
    callers: _Callers,
    begin: Begin,
    kind: TokenKind,
    change: Callable[[_Callers], None],
    reason: str,
) -> None:
    call = callers.call(callers.token(_OWNER, kind))
    await begin(call)
    change(callers)

    await callers.streams.check()

    assert (await _ended(call)).reason == reason


async def test_a_stream_ends_with_its_certificate_and_no_other(
    callers: _Callers, begin: Begin
) -> None:
    revoked, other = (callers.call_with_certificate(bytes([number]) * 32) for number in (1, 2))
    await begin(revoked)
    await begin(other)
    del callers.by_hash[thumbprint_hash(bytes([1]) * 32)]

    await callers.streams.check()

    assert (await _ended(revoked)).kind is Kind.UNAUTHENTICATED
    assert not hasattr(other, "code")


async def test_a_look_up_that_hangs_keeps_no_other_stream_waiting_and_ends_its_own(
    callers: _Callers, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = callers.token(_OWNER)
    callers.hanging.add(token_hash(token))
    hung, revoked = callers.call(token), callers.call(new_token(TokenKind.USER))
    await begin(hung)
    await begin(revoked)

    checking = asyncio.create_task(callers.streams.check())

    assert (await _ended(revoked)).kind is Kind.UNAUTHENTICATED
    assert not hasattr(hung, "code")
    checking.cancel()
    monkeypatch.setattr(open_streams, "_ANSWER_SECONDS", 0.01)
    await callers.streams.check()
    failure = await _ended(hung)
    assert (failure.kind, failure.reason) == (Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE")


async def test_many_look_ups_that_hang_end_together(
    callers: _Callers, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_streams, "_ANSWER_SECONDS", 0.01)
    calls = []
    for _ in range(100):
        token = callers.token(_OWNER)
        callers.hanging.add(token_hash(token))
        calls.append(callers.call(token))
        await begin(calls[-1])

    await callers.streams.check()

    assert {(await _ended(call)).reason for call in calls} == {"DATABASE_UNAVAILABLE"}
    assert callers.look_ups == 32  # the others did not begin another round


async def test_the_streams_of_a_token_share_a_look_up_which_is_no_use_of_a_session(
    callers: _Callers, begin: Begin
) -> None:
    token = callers.token(_OWNER, TokenKind.SESSION)
    for _ in range(10):
        await begin(callers.call(token))

    await callers.streams.check()

    assert (callers.look_ups, callers.used) == (1, 0)


async def test_a_stream_that_needs_no_token_is_left_alone(callers: _Callers, begin: Begin) -> None:
    call = callers.call("", access=None)
    await begin(call)

    await callers.streams.check()
    await asyncio.sleep(0)

    assert not hasattr(call, "code")
    assert callers.look_ups == 0
