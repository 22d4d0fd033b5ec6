"""An object of the history, and the clients that use it."""

import random
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import grpc

from chaos.history import OK, History, Made
from tests.support.given import Client

# A call without an answer ends after this time, such as at a server that is frozen.
CALL_SECONDS = 5.0
# The age that the rows of a standby may have; PostgreSQL has no limit for it.
_STANDBY_SECONDS = 2.0
# Each of them doubles the orders that the judge may have to try.
_MOST_UNANSWERED = 3
# The statuses by which a call is refused. After all others it may have been executed.
_REFUSALS = {
    grpc.StatusCode.ALREADY_EXISTS,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.UNAUTHENTICATED,
}


# The calls that do not change the object: without an answer they say nothing.
_WITHOUT_EFFECT = ("read", "write")


@dataclass(frozen=True, slots=True)
class Hand:
    """A client with the administrator's token, connected to each server.

    `standbys` are the clients of servers beside a standby.
    """

    number: int
    admins: Sequence[Client]
    standbys: Sequence[Client]
    history: History

    @property
    def admin(self) -> Client:
        """The administrator at one of the servers."""
        return self.admins[chosen(len(self.admins))]

    @property
    def reader(self) -> tuple[Client, float]:
        """The administrator at any server, and the seconds by which its answers may be old."""
        servers = [*((each, 0.0) for each in self.admins)]
        servers += ((each, _STANDBY_SECONDS) for each in self.standbys)
        return servers[chosen(len(servers))]


class Subject(ABC):
    """An object that is used for `most_calls`, or until too many calls were not answered."""

    model: ClassVar[str]
    most_calls: ClassVar[int] = 60

    def __init__(self, name: str) -> None:
        self.name = name
        self._calls = self._unanswered = 0

    @classmethod
    @abstractmethod
    async def created(cls, hand: Hand, before: Self | None) -> Self:
        """A new object in the place of another one, if there was one. Raises `AioRpcError`."""

    @abstractmethod
    async def step(self, hand: Hand) -> Any:
        """Makes one call, chosen by chance. Gives None if there was no response."""

    @property
    def is_spent(self) -> bool:
        """Whether it is used no longer."""
        return self._calls >= self.most_calls or self._unanswered >= _MOST_UNANSWERED

    async def make(
        self,
        hand: Hand,
        name: str,
        call: Awaitable[Any],
        *,
        argument: str = "",
        answer: Callable[[Any], str] = lambda _: OK,
        stale_seconds: float = 0,
    ) -> Any:
        """Makes a call of the model, and records it. Gives the response, if there was one."""
        changes = name not in _WITHOUT_EFFECT
        stale = round(stale_seconds * 1e9)
        made = Made(hand.number, self.model, self.name, name, argument, stale=stale)
        self._calls += 1
        try:
            response = await call
        except grpc.aio.AioRpcError as error:
            if error.code() in _REFUSALS:
                hand.history.add(made, error.code().name)
            elif changes:
                self._unanswered += 1
                hand.history.calls.append(made)
            return None
        hand.history.add(made, answer(response))
        return response


def chosen(number: int) -> int:
    """A number below this one, by chance."""
    return random.randrange(number)  # noqa: S311 -- no secret


def by_chance(share: float) -> bool:
    """Whether something of this probability happens."""
    return random.random() < share  # noqa: S311 -- no secret
