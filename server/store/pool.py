"""The pool: open connections, each for one statement or transaction at a time."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from server.store.connecting import CONNECT_ERRORS, Connection, Connector, Observe
from server.store.refusals import DRIVER_ERRORS, UNAVAILABLE, WRITES_REFUSED, unavailable
from server.store.turns import Claim, Turns

# Time for PostgreSQL to confirm that it stopped a statement, before the connection is cut.
_CANCEL_SECONDS = 1.0


class PoolState(NamedTuple):
    """The number of connections that may be open, of those in use, and of waiting claims."""

    size: int
    in_use: int
    waiting: int


class Pool:
    """Connections, opened when needed and kept, each for one statement or transaction at a time.

    asyncpg's own pool waits without limit until PostgreSQL confirms that a cancelled statement
    ended, so a call would outlive its deadline. It also needs a task and a timer for every use.
    """

    def __init__(self, connector: Connector, turns: Turns, observe: Observe | None) -> None:
        self._connector = connector
        self._observe = observe
        self._turns = turns
        self._open: set[Connection] = set()
        self._idle: list[Connection] = []
        self._ending: set[asyncio.Task[None]] = set()
        # The number of statements that failed because PostgreSQL takes no writes.
        self.writes_refused = 0

    @property
    def state(self) -> PoolState:
        """The use of the connections now."""
        return PoolState(self._turns.size, self._turns.in_use, self._turns.waiting)

    async def take(self, claim: Claim) -> Connection:
        """A connection that is in use until `give_back` or `give_up`."""
        if not self._turns.occupy(claim):
            await self._turns.wait(claim)
        try:
            while self._idle:
                connection = self._idle.pop()  # the last one used: its caches are warm
                if not connection.is_closed():
                    return connection
            return await self._connect()
        except BaseException:
            self._turns.give_back(claim)
            raise

    async def _connect(self) -> Connection:
        try:
            connection = await self._connector.connect()
        # For any reason, even a wrong password: an operator can correct it while the server runs.
        except CONNECT_ERRORS as error:
            raise unavailable(error) from error
        connection.observe = self._observe
        self._open.add(connection)
        connection.add_termination_listener(self._open.discard)
        return connection

    def drop(self) -> None:
        """Ends every connection, and so the statements that wait for an answer."""
        for connection in tuple(self._open):
            connection.terminate()

    def give_back(self, connection: Connection, claim: Claim) -> None:
        """Makes the connection available to the next claim."""
        self._idle.append(connection)
        self._turns.give_back(claim)

    def give_up(self, connection: Connection, claim: Claim, error: BaseException) -> None:
        """Takes back a connection whose use ended with an error.

        After a cancellation, or the close of a generator, the statement may still run, or the
        transaction be open. So the place is freed only once the connection is closed: the pool
        never exceeds its size.
        """
        self.note(error)
        if isinstance(error, Exception):
            self.give_back(connection, claim)
        else:
            self._end(connection).add_done_callback(lambda _ending: self._turns.give_back(claim))

    def once_ended(self, action: Callable[[], None]) -> None:
        """Runs the action when each connection is closed that is being closed now."""
        for ending in self._ending:
            ending.add_done_callback(lambda _ending: action())

    def note(self, error: BaseException) -> None:
        """Counts a statement that ended because PostgreSQL takes no writes."""
        if isinstance(error.__cause__, WRITES_REFUSED):
            self.writes_refused += 1

    async def close(self) -> None:
        """Closes the connections that are not in use."""
        while self._idle:
            self._end(self._idle.pop())
        if self._ending:
            await asyncio.wait(self._ending)

    def _end(self, connection: Connection) -> asyncio.Task[None]:
        ending = asyncio.create_task(_closed(connection))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)
        return ending


async def _closed(connection: Connection) -> None:
    """Closes a connection; PostgreSQL stops the statement that runs on it."""
    try:
        await connection.close(timeout=_CANCEL_SECONDS)
    except (*UNAVAILABLE, *DRIVER_ERRORS):
        connection.terminate()
