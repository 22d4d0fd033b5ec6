"""The order in which waiting claims get a connection."""

import asyncio
import contextlib
from collections.abc import Sequence

import pytest

from server.store.turns import Claim, Turns

pytestmark = pytest.mark.python_differs("asyncio cancels and wakes tasks in another order")


class Queue:
    """Claims on the places of a pool, and the order in which they were served."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.served: list[Claim] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def join(self, *claims: Claim) -> list[asyncio.Task[None]]:
        """Adds claims. Each is served at once, or waits."""
        joined = [asyncio.create_task(self._wait(claim)) for claim in claims]
        self.tasks += joined
        await asyncio.sleep(0)
        return joined

    async def end(self, claim: Claim) -> None:
        """Frees the place of a claim."""
        self.turns.give_back(claim)
        await asyncio.sleep(0)

    async def end_all(self) -> list[Claim]:
        """Ends the claims one after the other. Returns them in the order of service."""
        ended = 0
        while ended < len(self.served):
            await self.end(self.served[ended])
            ended += 1
        return self.served

    async def _wait(self, claim: Claim) -> None:
        if not self.turns.occupy(claim):
            await self.turns.wait(claim)
        self.served.append(claim)


def _names(claims: Sequence[Claim]) -> str:
    return "".join(claim.caller for claim in claims)


async def test_callers_take_turns_whatever_number_of_calls_each_makes() -> None:
    queue = Queue(Turns(1))

    await queue.join(*[Claim("a")] * 5, *[Claim("b")] * 2, Claim("c"))

    assert _names(await queue.end_all()) == "aabcabaa"
    assert queue.turns.waiting == queue.turns.in_use == 0


async def test_no_caller_holds_more_than_its_share() -> None:
    queue = Queue(Turns(4, share=2))

    await queue.join(*[Claim("a")] * 4)
    assert _names(queue.served) == "aa"
    assert (queue.turns.in_use, queue.turns.waiting) == (2, 2)

    await queue.join(Claim("b"), Claim("c"), Claim("d"))
    assert _names(queue.served) == "aabc"

    await queue.end(Claim("b"))
    assert _names(queue.served) == "aabcd"


async def test_a_place_that_is_freed_is_offered_to_no_claim_of_a_caller_with_its_share() -> None:
    class Watched(Turns):
        offers = 0

        def occupy(self, claim: Claim) -> bool:
            self.offers += 1
            return super().occupy(claim)

    turns = Watched(4, share=2)
    queue = Queue(turns)
    await queue.join(*[Claim("a", target=f"user-{number}") for number in range(100)], Claim("b"))
    turns.offers = 0

    await queue.end(Claim("b"))
    assert turns.offers == 0

    await queue.end(Claim("a", target="user-0"))
    assert turns.offers == 1
    assert _names(queue.served) == "aaba"


async def test_claims_on_one_target_go_one_after_the_other_with_callers_in_turn() -> None:
    queue = Queue(Turns(8))

    await queue.join(*[Claim("a", target="user")] * 3, Claim("b", target="user"))
    assert _names(queue.served) == "a"

    # Neither other claims of the same caller nor those without a target wait for it.
    await queue.join(Claim("a", target="other"), Claim("a"))
    assert _names(queue.served) == "aaa"

    queue.served = [Claim("a", target="user")]
    assert _names(await queue.end_all()) == "aaba"


async def test_a_place_is_kept_for_claims_that_revoke() -> None:
    queue = Queue(Turns(3, reserved=1))
    revoking = Claim("b", revokes=True, target="user")

    await queue.join(*[Claim("a", target="user")], *[Claim("a")] * 2)
    assert queue.turns.in_use == 2

    # It does not wait for claims that do not revoke: they would wait for their own turn.
    await queue.join(revoking)
    assert queue.served[-1] == revoking
    await queue.join(revoking)
    assert queue.turns.waiting == 2


async def test_those_that_revoke_do_not_keep_others_waiting() -> None:
    queue = Queue(Turns(2, reserved=1))
    revoking = Claim("b", revokes=True)

    await queue.join(revoking, revoking, revoking, Claim("a"))
    await queue.end(revoking)

    assert _names(queue.served) == "bba"


@pytest.mark.parametrize("position", [0, 1, 2])
async def test_who_gives_up_waiting_is_forgotten(position: int) -> None:
    queue = Queue(Turns(1))
    await queue.join(Claim("a"))
    waiting = await queue.join(Claim("b"), Claim("b"), Claim("c"))

    waiting[position].cancel()
    await asyncio.sleep(0)

    assert queue.turns.waiting == 2
    left = [name for at, name in enumerate("bbc") if at != position]
    assert sorted(_names(await queue.end_all())) == ["a", *left]
    assert queue.turns.waiting == queue.turns.in_use == 0


@pytest.mark.parametrize("given_up_first", [True, False])
async def test_the_turn_of_who_gives_up_at_the_same_moment_goes_to_the_next(
    *, given_up_first: bool
) -> None:
    queue = Queue(Turns(1))
    await queue.join(Claim("a"))
    gone, _ = await queue.join(Claim("b"), Claim("c"))

    if given_up_first:
        gone.cancel()
        queue.turns.give_back(Claim("a"))
    else:
        queue.turns.give_back(Claim("a"))
        gone.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await gone
    await asyncio.sleep(0)

    assert _names(queue.served) == "ac"
    await queue.end(Claim("c"))
    assert queue.turns.waiting == queue.turns.in_use == 0
