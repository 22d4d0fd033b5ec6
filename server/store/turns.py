"""Fair admission to the connections of a pool (decision 19).

Callers take turns, whatever number of calls each of them makes, and none holds more than its share.
Calls that lock the same user go one after the other, so that they wait here, and not each with a
connection for the lock of the row. Calls that take access away have connections that no others get.

The rule: at rest nobody waits who could be served. So a newcomer that can be served overtakes only
those that it does not keep waiting.
"""

import asyncio
from collections import OrderedDict
from contextvars import ContextVar
from typing import Final, NamedTuple, Protocol, TypeAlias


class Claim(NamedTuple):
    """For whom a connection is used.

    `revokes`: the call takes access away; such calls are counted apart from the others of their
    caller. `target` is the user whose row the call locks, if any.
    """

    caller: str
    revokes: bool = False
    target: str = ""


class Claimant(Protocol):
    """The work that this task does. Its claim changes with what is known of it."""

    claim: Claim


class _Server:
    claim = Claim("server")


# Neither name is the id of a user.
STRANGERS: Final = "strangers"  # calls whose caller is not known yet
_SERVER = _Server()  # work beside calls

current_claimant: ContextVar[Claimant] = ContextVar("claimant", default=_SERVER)


def claim_for(caller: str, *, target: str) -> None:
    """Changes the claim of the current call, once it is known for whom it works."""
    current_claimant.get().claim = Claim(caller, target=target)


# Who waits, by target, in the order of arrival.
_Line: TypeAlias = OrderedDict[str, OrderedDict[asyncio.Future[None], None]]


class Turns:
    """The places of a pool, each in use by one claim at a time."""

    def __init__(self, size: int, *, reserved: int = 0, share: int | None = None) -> None:
        """`reserved` places are for claims that revoke. A caller holds at most `share`."""
        self.size = size
        self.in_use = 0
        self.waiting = 0
        self._share = share or size
        # How many places there are, and how many are in use, for claims that do not revoke.
        self._ordinary = size - reserved
        self._ordinary_in_use = 0
        self._held: dict[tuple[str, bool], int] = {}  # places in use, by caller
        self._locked: set[tuple[bool, str]] = set()  # targets of claims that have a place
        # Those that wait: one line a caller. Whoever is served goes to the end.
        self._lines: dict[bool, OrderedDict[str, _Line]] = {
            False: OrderedDict(),
            True: OrderedDict(),
        }

    async def take(self, claim: Claim) -> None:
        """Waits for a place, which is in use until `give_back`."""
        if self._has_room(claim.revokes) and self._may(claim):
            self._occupy(claim)
            return
        turn = asyncio.get_running_loop().create_future()
        line = self._lines[claim.revokes].setdefault(claim.caller, OrderedDict())
        line.setdefault(claim.target, OrderedDict())[turn] = None
        self.waiting += 1
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._leave(claim, turn)
            else:  # it was served a moment before
                self.give_back(claim)
            raise

    def give_back(self, claim: Claim) -> None:
        """For those whose turn it is."""
        self.in_use -= 1
        self._ordinary_in_use -= not claim.revokes
        held = self._held.pop(claim[:2]) - 1
        if held:
            self._held[claim[:2]] = held
        self._locked.discard(claim[1:])
        if self.waiting:
            self._serve()

    def _has_room(self, revokes: bool) -> bool:
        return self.in_use < self.size and (revokes or self._ordinary_in_use < self._ordinary)

    def _may(self, claim: Claim) -> bool:
        return self._held.get(claim[:2], 0) < self._share and claim[1:] not in self._locked

    def _occupy(self, claim: Claim) -> None:
        self.in_use += 1
        self._ordinary_in_use += not claim.revokes
        self._held[claim[:2]] = self._held.get(claim[:2], 0) + 1
        if claim.target:
            self._locked.add(claim[1:])

    def _serve(self) -> None:
        # Those that revoke come last: beyond their own places they get what the others leave.
        for revokes in (False, True):
            while self._has_room(revokes) and (claim := self._next(revokes)):
                lines = self._lines[revokes]
                line = lines[claim.caller]
                turn = next(iter(line[claim.target]))
                if not turn.cancelled():
                    self._occupy(claim)
                    turn.set_result(None)
                    lines.move_to_end(claim.caller)
                    line.move_to_end(claim.target)
                self._leave(claim, turn)

    def _next(self, revokes: bool) -> Claim | None:
        for caller, line in self._lines[revokes].items():
            for target in line:
                claim = Claim(caller, revokes, target)
                if self._may(claim):
                    return claim
        return None

    def _leave(self, claim: Claim, turn: asyncio.Future[None]) -> None:
        """Removes it from those that wait, if it is there, and what is empty then."""
        lines = self._lines[claim.revokes]
        try:
            line = lines[claim.caller]
            del line[claim.target][turn]
        except KeyError:
            return
        self.waiting -= 1
        if not line[claim.target]:
            del line[claim.target]
        if not line:
            del lines[claim.caller]
