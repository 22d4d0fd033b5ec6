"""PostgreSQL: one pool, bounded statements, and the driver's exceptions wrapped once.

The rule: a statement never outlives the call it belongs to. `deadline` is set by the seam for each call, and every
statement gets what is left of it.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager
from contextvars import ContextVar
from datetime import timedelta
from typing import Protocol

import asyncpg

from server.errors import Failure, Kind

# The loop time at which the current call must have ended; None outside of calls.
deadline: ContextVar[float | None] = ContextVar("deadline", default=None)

_RETRY_AFTER = timedelta(seconds=1)

# What asyncpg raises when the server is gone, going, not yet there, or out of something.
_UNAVAILABLE = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.InsufficientResourcesError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)


Row = asyncpg.Record


class UniqueConflictError(Exception):
    """A primary key or unique index refused the statement; nothing of it was written."""

    def __init__(self, constraint: str) -> None:
        super().__init__(constraint)
        self.constraint = constraint


class Statements(Protocol):
    """What can run statements: the database, each on its own, or one transaction."""

    async def fetch(self, sql: str, *args: object) -> list[Row]:
        """All rows."""

    async def fetch_row(self, sql: str, *args: object) -> Row | None:
        """The first row, None without one."""

    async def fetch_one(self, sql: str, *args: object) -> Row:
        """The row of a statement that always has one."""

    def transaction(self) -> AbstractAsyncContextManager["Transaction"]:
        """Several statements that are written together or not at all."""


class _Connection(asyncpg.Connection):
    def get_reset_query(self) -> str:
        # No statement of ours changes the session, so releasing a connection needs no round trip to reset it.
        return ""


class Database:
    """A pool of connections. Every method raises `Failure` UNAVAILABLE or DEADLINE_EXCEEDED, or UniqueConflictError."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def fetch(self, sql: str, *args: object) -> list[Row]:
        """All rows of one statement, in a transaction of its own."""
        with _wrapped():
            return await self._pool.fetch(sql, *args, timeout=_time_left())

    async def fetch_row(self, sql: str, *args: object) -> Row | None:
        """The first row of one statement, in a transaction of its own; None without one."""
        with _wrapped():
            return await self._pool.fetchrow(sql, *args, timeout=_time_left())

    async def fetch_one(self, sql: str, *args: object) -> Row:
        """The row of one statement that always has one, in a transaction of its own."""
        return _present(await self.fetch_row(sql, *args))

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncIterator["Transaction"]:
        """Several statements that are written together or not at all (READ COMMITTED)."""
        with _wrapped():
            async with (
                self._pool.acquire(timeout=_time_left()) as connection,
                connection.transaction(),
            ):
                yield Transaction(connection)


class Transaction:
    """The statements of one open transaction."""

    def __init__(self, connection: asyncpg.pool.PoolConnectionProxy) -> None:
        self._connection = connection

    async def fetch(self, sql: str, *args: object) -> list[Row]:
        """All rows of one statement."""
        with _wrapped():
            return await self._connection.fetch(sql, *args, timeout=_time_left())

    async def fetch_row(self, sql: str, *args: object) -> Row | None:
        """The first row of one statement; None without one."""
        with _wrapped():
            return await self._connection.fetchrow(sql, *args, timeout=_time_left())

    async def fetch_one(self, sql: str, *args: object) -> Row:
        """The row of one statement that always has one."""
        return _present(await self.fetch_row(sql, *args))

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncIterator["Transaction"]:
        """Itself: what is written in it belongs to the open one."""
        yield self

    async def script(self, sql: str) -> None:
        """Several statements without arguments."""
        with _wrapped():
            await self._connection.execute(sql, timeout=_time_left())


@contextlib.asynccontextmanager
async def connected(dsn: str, *, pool_size: int) -> AsyncIterator[Database]:
    """A database whose connections are closed at the end. `Failure` UNAVAILABLE when it cannot be reached now."""
    with _wrapped():
        pool = await asyncpg.create_pool(
            dsn,
            min_size=1,
            max_size=pool_size,
            connection_class=_Connection,
            server_settings={"application_name": "keystead", "timezone": "UTC"},
        )
    try:
        yield Database(pool)
    finally:
        try:
            await asyncio.wait_for(pool.close(), timeout=5)
        except TimeoutError:
            pool.terminate()


def _present(row: Row | None) -> Row:
    if row is None:
        raise LookupError("a statement that always has a row has none")
    return row


def _time_left() -> float | None:
    until = deadline.get()
    if until is None:
        return None
    # asyncpg refuses a timeout of zero or less with an error of its own
    return max(until - asyncio.get_running_loop().time(), 0.001)


@contextlib.contextmanager
def _wrapped() -> Iterator[None]:
    try:
        yield
    except asyncpg.UniqueViolationError as error:
        raise UniqueConflictError(error.constraint_name or "") from error
    except (TimeoutError, asyncpg.QueryCanceledError) as error:
        raise deadline_exceeded() from error
    except _UNAVAILABLE as error:
        raise Failure(
            Kind.UNAVAILABLE,
            "DATABASE_UNAVAILABLE",
            "The service cannot reach its database now. Try again in a moment.",
            retry_after=_RETRY_AFTER,
            log_detail=f"{type(error).__name__}: {error}",
        ) from error


def deadline_exceeded() -> Failure:
    """The call took longer than its caller, or the server, allows."""
    return Failure(
        Kind.DEADLINE_EXCEEDED,
        "DEADLINE_EXCEEDED",
        "The call did not finish within its deadline. Try again, with a longer deadline if it happens again.",
    )
