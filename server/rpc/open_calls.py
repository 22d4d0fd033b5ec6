"""Admission of calls that need no token, a few in each turn of the event loop (decision 7).

Any client can make any number of such calls. All calls ready in a turn would run before the
next step of any other call, and a sign-in has many steps. So only a few are admitted per turn. The
others wait, in a line for each network of clients (`Client.network`), and the lines take turns.

The rule: a call waits only for calls of the same method, and before its request is read. A network
with many calls delays its own calls.
"""

import asyncio
from collections import OrderedDict, deque
from typing import Final

# The number of networks that have a call admitted per turn, one each. More would delay all calls.
PER_TURN: Final = 4


class OpenCalls:
    """The calls to one method."""

    def __init__(self) -> None:
        self._admitted: set[str] = set()  # networks, in this turn
        # By network. The next call is admitted from the first line.
        self._lines: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def admit(self, network: str) -> None:
        """Waits for a turn with room for a call of this network, in the order of arrival."""
        if self._has_room(network):
            self._count(network)
            return
        turn = asyncio.get_running_loop().create_future()
        self._lines.setdefault(network, deque()).append(turn)
        await turn

    def _has_room(self, network: str) -> bool:
        return len(self._admitted) < PER_TURN and network not in self._admitted

    def _count(self, network: str) -> None:
        if not self._admitted:
            asyncio.get_running_loop().call_soon(self._next_turn)
        self._admitted.add(network)

    def _next_turn(self) -> None:
        self._admitted.clear()
        while self._lines and self._has_room(next(iter(self._lines))):
            network, line = self._lines.popitem(last=False)
            if _admit_first(line):
                self._count(network)
            if line:
                self._lines[network] = line


def _admit_first(line: deque[asyncio.Future[None]]) -> bool:
    """Admits the first call that still waits. False: all calls in the line have ended."""
    while line:
        turn = line.popleft()
        if not turn.done():
            turn.set_result(None)
            return True
    return False
