"""PostgreSQL: one pool, statements that end with their call, the driver's exceptions wrapped once.

The rule: a statement ends with the call it belongs to. Whoever bounds a call cancels its task; that
frees the task at once, and the pool has PostgreSQL stop the statement. One that is through before
that arrives, a moment later, is written: a call that was cancelled or late promises nothing.
"""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from types import TracebackType
from typing import NamedTuple, NoReturn, Protocol
from urllib.parse import parse_qsl, unquote, urlsplit

import asyncpg

from server.store.statement import Statement
from server.store.turns import Claim, Turns, current_claimant
from server.values.errors import Failure, Kind, OperatorError, deadline_exceeded

_RETRY_AFTER = timedelta(seconds=1)
_CONNECT_SECONDS = 5.0
# How long PostgreSQL has to confirm that it stopped a statement; then the connection is cut.
_CANCEL_SECONDS = 1.0
# How long a statement of a call waits for a lock. It ends as ABORTED and gives its connection back
# well before the deadline of its call.
_LOCK_SECONDS = 3

# What PostgreSQL answers when it is going, not yet there, a standby, or out of something.
_UNAVAILABLE = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.PostgresSystemError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.IdleInTransactionSessionTimeoutError,
)

# A database that answers and takes no writes: full disk, read-only file system, standby.
_WRITES_REFUSED = (
    asyncpg.DiskFullError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.PostgresIOError,
)

# The same call may succeed when it is made again: somebody else was at the same rows at the same
# time, or has just migrated the schema.
_LOST_RACES = (
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.LockNotAvailableError,
    asyncpg.InvalidCachedStatementError,
    asyncpg.OutdatedSchemaCacheError,
)

# What the driver itself raises: a lost connection, and a mistake of ours.
_DRIVER_ERRORS = (asyncpg.InterfaceError, asyncpg.InternalClientError)

# All that a statement can end with, except for a cancellation.
_REFUSALS = (OSError, asyncpg.PostgresError, *_DRIVER_ERRORS)

Row = asyncpg.Record


class UniqueConflictError(Exception):
    """A primary key or unique index refused the statement; nothing of it was written."""

    def __init__(self, constraint: str) -> None:
        super().__init__(constraint)
        self.constraint = constraint

    def must_be(self, constraint: str) -> None:
        """Raises itself unless this was the constraint, which the caller knows how to answer."""
        if self.constraint != constraint:
            raise self


# PostgreSQL refuses the values of a statement: they are malformed, or break a constraint.
REFUSED_VALUES = (TypeError, UniqueConflictError, asyncpg.PostgresError)


class MissingRightsError(OperatorError):
    """The role that PostgreSQL knows us by may not do this; the message says what to do."""

    def __init__(self, refusal: str) -> None:
        super().__init__(
            f"PostgreSQL refuses: {refusal}. Connect as the role that owns the tables, or make the"
            " one that is used a member of it."
        )


class DatabaseUnreachableError(OperatorError):
    """No first connection; the message says to which database of which server, and why."""

    def __init__(self, dsn: str, reason: str) -> None:
        super().__init__(
            f"Cannot connect to {_place(dsn)}: {reason.rstrip(': .')}. See that PostgreSQL runs"
            " there and lets us in, and that KEYSTEAD_DATABASE_URL, if it is set, is right."
        )


class Statements(Protocol):
    """What can run statements: the database, each on its own, or one transaction."""

    async def fetch(self, statement: Statement, /, **values: object) -> list[Row]:
        """All rows."""

    async def fetch_row(self, statement: Statement, /, **values: object) -> Row | None:
        """The first row, None without one."""

    async def fetch_one(self, statement: Statement, /, **values: object) -> Row:
        """The row of a statement that always has one."""

    def transaction(self) -> AbstractAsyncContextManager["Transaction"]:
        """Several statements that are written together or not at all."""


class PoolState(NamedTuple):
    """Connections that may be open, those in use, and who waits for one."""

    size: int
    in_use: int
    waiting: int


class _Pool:
    """Connections, opened when needed and kept, each for one statement or transaction at a time.

    asyncpg's own pool waits, without limit, until PostgreSQL confirms that a cancelled statement
    ended, so a call would outlive its deadline; and it spends a task and a timer on every use.
    """

    def __init__(self, connect: Callable[[], Awaitable[asyncpg.Connection]], turns: Turns) -> None:
        self._connect = connect
        self._turns = turns
        self._idle: list[asyncpg.Connection] = []
        self._ending: set[asyncio.Task[None]] = set()
        # Statements that ended since PostgreSQL takes no writes.
        self.writes_refused = 0

    @property
    def state(self) -> PoolState:
        """How busy it is."""
        return PoolState(self._turns.size, self._turns.in_use, self._turns.waiting)

    async def take(self, claim: Claim) -> asyncpg.Connection:
        """A connection that is in use until `give_back` or `give_up`."""
        await self._turns.take(claim)
        try:
            return self._still_open() or await self._connect()
        except BaseException:
            self._turns.give_back(claim)
            raise

    def give_back(self, connection: asyncpg.Connection, claim: Claim) -> None:
        """For the next one."""
        self._idle.append(connection)
        self._turns.give_back(claim)

    def give_up(self, connection: asyncpg.Connection, claim: Claim) -> None:
        """Its statement may still run, or its transaction be open.

        Only when PostgreSQL has stopped it is its place free, so their number holds.
        """
        self._end(connection).add_done_callback(lambda _ending: self._turns.give_back(claim))

    async def close(self) -> None:
        """Closes what is open and not in use."""
        while connection := self._still_open():
            self._end(connection)
        if self._ending:
            await asyncio.wait(self._ending)

    def _still_open(self) -> asyncpg.Connection | None:
        while self._idle:
            connection = self._idle.pop()  # the last one used, whose caches are warm
            if not connection.is_closed():
                return connection
        return None

    def _end(self, connection: asyncpg.Connection) -> asyncio.Task[None]:
        ending = asyncio.create_task(_closed(connection))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)
        return ending


class _Lease:
    """A connection of the pool for the block. `Failure` UNAVAILABLE when none can be opened.

    A class, because every statement has one.
    """

    __slots__ = ("_claim", "_connection", "_pool")

    def __init__(self, pool: _Pool) -> None:
        self._pool = pool

    async def __aenter__(self) -> asyncpg.Connection:
        self._claim = current_claimant.get().claim
        self._connection = await self._pool.take(self._claim)
        return self._connection

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        if error is not None and isinstance(error.__cause__, _WRITES_REFUSED):
            self._pool.writes_refused += 1
        if isinstance(error, asyncio.CancelledError):
            self._pool.give_up(self._connection, self._claim)
        else:
            self._pool.give_back(self._connection, self._claim)


class Database:
    """PostgreSQL, each statement in a transaction of its own.

    Every method raises `UniqueConflictError`, or `Failure` UNAVAILABLE, ABORTED, DEADLINE_EXCEEDED.
    """

    def __init__(self, pool: _Pool) -> None:
        self._pool = pool

    @property
    def pool(self) -> PoolState:
        """How busy it is."""
        return self._pool.state

    @property
    def writes_refused(self) -> int:
        """Statements that failed until now because PostgreSQL takes no writes."""
        return self._pool.writes_refused

    async def fetch(self, statement: Statement, /, **values: object) -> list[Row]:
        """All rows of one statement."""
        async with _Lease(self._pool) as connection:
            try:
                return await connection.fetch(statement.sql, *statement.arguments(values))
            except _REFUSALS as error:
                _raise(error, connection)

    async def fetch_row(self, statement: Statement, /, **values: object) -> Row | None:
        """The first row of one statement; None without one."""
        async with _Lease(self._pool) as connection:
            try:
                return await connection.fetchrow(statement.sql, *statement.arguments(values))
            except _REFUSALS as error:
                _raise(error, connection)

    async def fetch_one(self, statement: Statement, /, **values: object) -> Row:
        """The row of one statement that always has one."""
        return _present(await self.fetch_row(statement, **values))

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncIterator["Transaction"]:
        """Several statements that are written together or not at all (READ COMMITTED)."""
        async with _Lease(self._pool) as connection:
            transaction = Transaction(connection)
            await transaction.script("begin")
            try:
                yield transaction
            except Exception:  # not a cancellation: closing the connection undoes it
                await transaction.roll_back()
                raise
            await transaction.commit()


class Transaction:
    """The statements of one open transaction."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection

    async def fetch(self, statement: Statement, /, **values: object) -> list[Row]:
        """All rows of one statement."""
        try:
            return await self._connection.fetch(statement.sql, *statement.arguments(values))
        except _REFUSALS as error:
            _raise(error, self._connection)

    async def fetch_row(self, statement: Statement, /, **values: object) -> Row | None:
        """The first row of one statement; None without one."""
        try:
            return await self._connection.fetchrow(statement.sql, *statement.arguments(values))
        except _REFUSALS as error:
            _raise(error, self._connection)

    async def fetch_one(self, statement: Statement, /, **values: object) -> Row:
        """The row of one statement that always has one."""
        return _present(await self.fetch_row(statement, **values))

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncIterator["Transaction"]:
        """Itself: what is written in it belongs to the open one."""
        yield self

    async def script(self, sql: str) -> str:
        """Several statements without arguments; the command tag of the last one."""
        try:
            return await self._connection.execute(sql)
        except _REFUSALS as error:
            _raise(error, self._connection)

    async def commit(self) -> None:
        """Makes it all last."""
        # After a statement that failed PostgreSQL answers a commit by rolling back, without error.
        if await self.script("commit") != "COMMIT":
            raise RuntimeError("a transaction went on after one of its statements had failed")

    async def roll_back(self) -> None:
        """Undoes it all; what does not answer any more has undone it by itself."""
        with contextlib.suppress(Failure):
            if not self._connection.is_closed():
                await self.script("rollback")


@contextlib.asynccontextmanager
async def connected(
    dsn: str, *, pool_size: int, for_callers: bool = False
) -> AsyncIterator[Database]:
    """A database until the end of the block.

    `for_callers`: those who use it are strangers to each other. A caller gets half of the
    connections at most, one is kept for calls that take access away if there are two or more, and
    no statement waits long for a lock.

    DatabaseUnreachableError when it cannot be reached now. Later, every statement says so itself.
    """
    server_settings = {
        "application_name": "keystead",
        "timezone": "UTC",
        # A process that is frozen between two statements must not keep its locks.
        "idle_in_transaction_session_timeout": "60s",
    }
    turns = Turns(pool_size)
    if for_callers:
        server_settings["lock_timeout"] = f"{_LOCK_SECONDS}s"
        turns = Turns(pool_size, reserved=1 if pool_size > 1 else 0, share=(pool_size + 1) // 2)

    async def connect() -> asyncpg.Connection:
        try:
            return await asyncpg.connect(
                dsn, timeout=_CONNECT_SECONDS, server_settings=server_settings
            )
        # Whatever it is, a wrong password included: somebody can put it right while we go on.
        except (OSError, asyncpg.PostgresError, *_DRIVER_ERRORS) as error:
            raise _unavailable(error) from error

    pool = _Pool(connect, turns)
    try:
        try:
            async with _Lease(pool):
                pass
        except Failure as failure:
            raise DatabaseUnreachableError(dsn, failure.log_detail) from failure
        yield Database(pool)
    finally:
        await pool.close()


async def _closed(connection: asyncpg.Connection) -> None:
    """Closes a connection, and lets PostgreSQL stop what runs on it."""
    try:
        await connection.close(timeout=_CANCEL_SECONDS)
    except (*_UNAVAILABLE, *_DRIVER_ERRORS):
        connection.terminate()


def _present(row: Row | None) -> Row:
    if row is None:
        raise LookupError("a statement that always has a row has none")
    return row


def _raise(error: Exception, connection: asyncpg.Connection) -> NoReturn:
    """Makes an error of this server of what a statement ended with."""
    try:
        raise error
    except asyncpg.UniqueViolationError as error:
        if error.constraint_name == "events_pkey":  # somebody has just appended: again
            raise _lost_race(error) from error
        raise UniqueConflictError(error.constraint_name or "") from error
    except asyncpg.QueryCanceledError as error:
        raise deadline_exceeded() from error
    except _LOST_RACES as error:
        raise _lost_race(error) from error
    except asyncpg.InsufficientResourcesError as error:  # the connection is as good as before
        raise _unavailable(error) from error
    except _UNAVAILABLE as error:
        connection.terminate()  # the next one may reach a server that works
        raise _unavailable(error) from error
    except asyncpg.DataError as error:
        # In quotes, or behind a colon, is the value, which nobody may log, nor what caused it.
        text = re.sub('".*"', "...", str(error), flags=re.DOTALL)
        mistake = TypeError(text.partition(":")[0])
        try:
            raise mistake from None
        finally:
            mistake.__context__ = None
    except asyncpg.InsufficientPrivilegeError as error:
        raise MissingRightsError(str(error)) from error
    except asyncpg.PostgresError as error:
        error.detail = None  # like "Failing row contains (...)": the same
        raise
    except _DRIVER_ERRORS as error:
        if not connection.is_closed():
            raise
        raise _unavailable(error) from error


def _lost_race(error: Exception) -> Failure:
    return Failure(
        Kind.ABORTED,
        "CONCURRENT_CHANGE",
        "Another call changed the same at the same time. Try again.",
        retry_after=_RETRY_AFTER,
        log_detail=type(error).__name__,
    )


def _place(dsn: str) -> str:
    """The database and its server, for people: without user, password and further options."""
    url = urlsplit(dsn)
    options = dict(parse_qsl(url.query))
    host = url.netloc.rpartition("@")[2] or options.get("host", "the default host")
    port = f", port {options['port']}" if "port" in options else ""
    name = unquote(url.path.removeprefix("/")) or options.get("dbname", "of the user's name")
    return f"the database {name} on {host}{port}"


def _unavailable(error: Exception) -> Failure:
    return Failure(
        Kind.UNAVAILABLE,
        "DATABASE_UNAVAILABLE",
        "The service cannot reach its database now. Try again in a moment.",
        retry_after=_RETRY_AFTER,
        log_detail=f"{type(error).__name__}: {error}",
    )
