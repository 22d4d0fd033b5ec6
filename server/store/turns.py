"""Fair admission to the connections of a pool (decision 7).

Callers take turns, however many calls each of them makes, and no caller holds more than its share.
Of the calls that lock the same user only one at a time gets a connection; the others wait here, not
for the row lock. Connections can be reserved for calls that take access away.

The rule: no claim waits that could be served. So a new claim that is served at once delays no
waiting claim.
"""

import asyncio
from collections import OrderedDict
from contextvars import ContextVar
from typing import Any, Final, NamedTuple, Protocol, TypeAlias


class Claim(NamedTuple):
    """For whom a connection is used.

    `revokes`: the call takes access away; such calls are counted apart from the others of their
    caller. `target` is the user whose row the call locks, if any.
    """

    caller: str
    revokes: bool = False
    target: str = ""


class Claimant(Protocol):
    """The work of a task: a call, or the server. Its claim changes once its caller is known.

    `transaction` is the open `Transaction` that all statements of the task join; None without one.
    """

    claim: Claim
    transaction: Any


class _Work:
    """Work that is no call."""

    def __init__(self, name: str) -> None:
        self.claim = Claim(name)
        self.transaction: Any = None


# Neither name is the id of a user.
ANONYMOUS: Final = "anonymous"  # calls whose caller is not known yet
REQUEST: Final = _Work(ANONYMOUS)  # requests of anybody that are no calls
SERVER: Final = _Work("server")  # all work beside calls

current_claimant: ContextVar[Claimant] = ContextVar("claimant", default=SERVER)


def claim_for(caller: str, *, target: str) -> None:
    """Changes the claim of the current call, once its caller and target are known."""
    current_claimant.get().claim = Claim(caller, target=target)


# The waiting claims of one caller, by target, in the order of arrival.
_Line: TypeAlias = OrderedDict[str, OrderedDict[asyncio.Future[None], None]]


class Turns:
    """The places of a pool, each in use by one claim at a time."""

    def __init__(self, size: int, *, reserved: int = 0, share: int | None = None) -> None:
        """`reserved` places are for claims that revoke. A caller holds at most `share`."""
        self.size = size
        self.waiting = 0
        self._share = share or size
        # Places that are free: `False` for claims that do not revoke, `True` for all.
        self._free = {False: size - reserved, True: size}
        self._held: dict[tuple[str, bool], int] = {}  # places in use, by caller
        self._locked: set[tuple[bool, str]] = set()  # targets of claims that have a place
        # Waiting claims: one line per caller. A caller that is served goes to the end.
        self._lines: dict[bool, OrderedDict[str, _Line]] = {
            False: OrderedDict(),
            True: OrderedDict(),
        }

    @property
    def in_use(self) -> int:
        """Places that are not free."""
        return self.size - self._free[True]

    def occupy(self, claim: Claim) -> bool:
        """Takes a place, which is in use until `give_back`. False: the claim must `wait`."""
        held = self._held.get(claim[:2], 0)
        if (
            not self._free[True]
            or not self._free[claim.revokes]
            or held >= self._share
            or claim[1:] in self._locked
        ):
            return False
        self._free[True] -= 1
        self._free[False] -= not claim.revokes
        self._held[claim[:2]] = held + 1
        if claim.target:
            self._locked.add(claim[1:])
        return True

    async def wait(self, claim: Claim) -> None:
        """Waits for a place, which is in use until `give_back`."""
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
        """Frees the place and serves the waiting claims that can have it."""
        self._free[True] += 1
        self._free[False] += not claim.revokes
        held = self._held.pop(claim[:2]) - 1
        if held:
            self._held[claim[:2]] = held
        self._locked.discard(claim[1:])
        if self.waiting:
            self._serve()

    def _serve(self) -> None:
        # Claims that revoke come last: outside the reserved places they get only leftover ones.
        for revokes in (False, True):
            while self._free[True] and self._free[revokes] and self._serve_next(revokes):
                pass

    def _serve_next(self, revokes: bool) -> bool:
        """Gives a place to the next claim that can have it. False: there is none."""
        lines = self._lines[revokes]
        for caller, line in lines.items():
            if self._held.get((caller, revokes), 0) >= self._share:
                continue
            for target, waiting in line.items():
                claim = Claim(caller, revokes, target)
                # A cancelled one leaves when its task runs.
                turn = next((turn for turn in waiting if not turn.cancelled()), None)
                if turn is not None and self.occupy(claim):
                    turn.set_result(None)
                    lines.move_to_end(caller)
                    line.move_to_end(target)
                    self._leave(claim, turn)
                    return True
        return False

    def _leave(self, claim: Claim, turn: asyncio.Future[None]) -> None:
        """Removes a waiting claim, if it still waits, and its line if that is empty then."""
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
