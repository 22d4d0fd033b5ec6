"""PostgreSQL: statements and transactions, which end with their call.

The rule: a statement ends with the call it belongs to. A deadline cancels the task of the call: the
task ends at once, and the pool asks PostgreSQL to cancel the statement. A statement that completes
before the request arrives is committed: the effect of a cancelled or late call is undefined.
"""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, unquote, urlsplit

import asyncpg

from server.store.connecting import (
    Connection,
    Connector,
    Observe,
    PoolerError,
    is_of_pooler,
    require_session,
)
from server.store.pool import Pool, PoolState
from server.store.refusals import STATEMENT_ERRORS, connection_advice, raise_converted
from server.store.statement import Statement
from server.store.turns import Turns, current_claimant
from server.values.errors import Failure, OperatorError

# The lock timeout of the statements of calls. A statement ends as ABORTED and gives its connection
# back well before the deadline of its call.
_LOCK_SECONDS = 3

Row = asyncpg.Record

# A method of a connection that takes a statement and its arguments.
_Fetch: TypeAlias = Callable[..., Awaitable[Any]]


class DatabaseUnreachableError(OperatorError):
    """The first connection failed; the message has the server, the database and the remedy."""

    def __init__(self, dsn: str, failure: Failure) -> None:
        reason = failure.log_detail.rstrip(": .")
        super().__init__(f"Cannot connect to {_place(dsn)}: {reason}. {connection_advice(failure)}")


class Statements(ABC):
    """Runs statements: the database, each in a transaction of its own, or one transaction."""

    async def fetch(self, statement: Statement, /, **values: object) -> list[Row]:
        """All rows of one statement."""
        arguments = statement.arguments(values)
        rows: list[Row] = await self._run(asyncpg.Connection.fetch, statement, *arguments)
        return rows

    async def fetch_row(self, statement: Statement, /, **values: object) -> Row | None:
        """The first row of one statement; None without one."""
        arguments = statement.arguments(values)
        row: Row | None = await self._run(asyncpg.Connection.fetchrow, statement, *arguments)
        return row

    async def fetch_one(self, statement: Statement, /, **values: object) -> Row:
        """The row of one statement that always returns one."""
        row = await self.fetch_row(statement, **values)
        if row is None:
            raise LookupError("a statement that always has a row has none")
        return row

    @abstractmethod
    def transaction(self) -> AbstractAsyncContextManager["Transaction"]:
        """Several statements that are written together or not at all."""

    @abstractmethod
    def once_written(self, action: Callable[[], None]) -> None:
        """Runs the action once the statements until now are committed, or may be.

        A call that is cancelled, or loses its connection, does not learn whether PostgreSQL
        committed. So the action must be harmless if nothing was written, or if it runs twice.
        """

    @abstractmethod
    async def _run(self, fetch: _Fetch, statement: Statement, *arguments: object) -> Any:
        """The result of one statement."""


class Database(Statements):
    """PostgreSQL, each statement in a transaction of its own.

    Every method raises `UniqueConflictError`, or `Failure` UNAVAILABLE, ABORTED, DEADLINE_EXCEEDED.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @property
    def pool(self) -> PoolState:
        """The use of the connections now."""
        return self._pool.state

    @property
    def writes_refused(self) -> int:
        """Statements that failed until now because PostgreSQL takes no writes."""
        return self._pool.writes_refused

    def drop_connections(self) -> None:
        """Ends every connection: statements that wait for an answer end as UNAVAILABLE."""
        self._pool.drop()

    async def _run(self, fetch: _Fetch, statement: Statement, *arguments: object) -> Any:
        """The result of one statement, in the transaction that the call has open, if any."""
        claimant = current_claimant.get()
        if claimant.transaction is not None:
            kept = statement.survives_failure
            async with self._part(claimant.transaction, kept=kept) as part:
                return await _executed(fetch, part.connection, statement.sql, *arguments)
        claim = claimant.claim
        connection = await self._pool.take(claim)
        try:
            result = await _executed(fetch, connection, statement.sql, *arguments)
        except BaseException as error:
            self._pool.give_up(connection, claim, error)
            raise
        self._pool.give_back(connection, claim)
        return result

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncIterator["Transaction"]:
        """Several statements that are written together or not at all (READ COMMITTED)."""
        claimant = current_claimant.get()
        if claimant.transaction is not None:
            async with self._part(claimant.transaction) as part:
                yield part
            return
        claim = claimant.claim
        connection = await self._pool.take(claim)
        transaction = Transaction(connection)
        try:
            await transaction.script("begin")
            try:
                yield transaction
            except Exception:  # not a cancellation: closing the connection undoes it
                await transaction.roll_back()
                raise
            await transaction.commit()
        except BaseException as error:
            self._pool.give_up(connection, claim, error)
            if transaction.may_be_committed:
                self._run_written(transaction.run_actions)
            raise
        self._pool.give_back(connection, claim)
        transaction.run_actions()

    def once_written(self, action: Callable[[], None]) -> None:
        """Runs the action once the transaction that the call has open, if any, is committed.

        Without one, the action runs now.
        """
        transaction: Transaction | None = current_claimant.get().transaction
        if transaction is None:
            self._run_written(action)
        else:
            transaction.once_written(action)

    def _run_written(self, action: Callable[[], None]) -> None:
        """Runs the action now, and again when PostgreSQL has ended each cancelled statement."""
        action()
        self._pool.once_ended(action)

    @contextlib.asynccontextmanager
    async def _part(
        self, transaction: "Transaction", *, kept: bool = False
    ) -> AsyncIterator["Transaction"]:
        """A savepoint in an open transaction: if the block fails, only the block is undone.

        `kept`: `undo_trial` does not undo the block.
        """
        kept = kept and transaction.is_trial
        await transaction.script(
            "rollback to savepoint trial; savepoint part" if kept else "savepoint part"
        )
        try:
            yield transaction
        except Exception as error:
            self._pool.note(error)
            if not transaction.connection.is_closed():
                with contextlib.suppress(Failure):  # then the whole transaction is undone
                    await transaction.script("rollback to savepoint part; release savepoint part")
            raise
        await transaction.script(
            "release savepoint part; savepoint trial" if kept else "release savepoint part"
        )

    @contextlib.asynccontextmanager
    async def whole(self) -> AsyncIterator["Transaction"]:
        """One transaction for all statements of the current call in the block.

        Each statement and transaction of the call becomes a savepoint in it. One that fails is
        undone alone, so the call can go on.
        """
        claimant = current_claimant.get()
        async with self.transaction() as transaction:
            claimant.transaction = transaction
            try:
                yield transaction
            finally:
                claimant.transaction = None


class Transaction(Statements):
    """The statements of one open transaction, and the actions to run once it is committed."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.may_be_committed = False
        self.is_trial = False
        self._actions: list[Callable[[], None]] = []

    async def _run(self, fetch: _Fetch, statement: Statement, *arguments: object) -> Any:
        return await _executed(fetch, self.connection, statement.sql, *arguments)

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncIterator["Transaction"]:
        """This transaction itself: there is no nested one."""
        yield self

    def once_written(self, action: Callable[[], None]) -> None:
        """Runs the action once the transaction is committed, or may be."""
        self._actions.append(action)

    def run_actions(self) -> None:
        """Runs the actions."""
        for action in self._actions:
            action()

    async def script(self, sql: str) -> str:
        """Several statements without arguments; the command tag of the last one."""
        tag: str = await _executed(asyncpg.Connection.execute, self.connection, sql)
        return tag

    async def begin_trial(self) -> None:
        """From here on `undo_trial` undoes all but the statements that survive a failure."""
        self.is_trial = True
        await self.script("savepoint trial")

    async def undo_trial(self) -> None:
        """Undoes the trial."""
        await self.script("rollback to savepoint trial")

    async def commit(self) -> None:
        """Commits the transaction."""
        self.may_be_committed = True
        # After a failed statement PostgreSQL answers a commit by rolling back, without an error.
        if await self.script("commit") != "COMMIT":
            raise RuntimeError("a transaction went on after one of its statements had failed")

    async def roll_back(self) -> None:
        """Rolls back. PostgreSQL rolls back by itself when the connection is lost."""
        with contextlib.suppress(Failure):
            if not self.connection.is_closed():
                await self.script("rollback")


@contextlib.asynccontextmanager
async def connected(
    dsn: str, *, pool_size: int, for_callers: bool = False, observe: Observe | None = None
) -> AsyncIterator[Database]:
    """A database until the end of the block.

    `for_callers`: callers of the API share the pool. Each gets half of the connections at most, one
    is reserved for calls that take access away if there are two or more, and no statement waits
    long for a lock. `observe` is called with the SQL of each statement and returns a context
    manager, in which the statement runs.

    DatabaseUnreachableError if the database cannot be reached; the errors of `require_session`.
    """
    server_settings = {
        "application_name": "keystead",
        "timezone": "UTC",
        # A time limit of the role would end migrations, and the wait of a commit for a synchronous
        # standby: PostgreSQL then acknowledges the write without one. Calls have their own limits.
        "statement_timeout": "0",
        # A process that freezes between two statements must not keep its locks.
        "idle_in_transaction_session_timeout": "60s",
    }
    turns = Turns(pool_size)
    if for_callers:
        server_settings["lock_timeout"] = f"{_LOCK_SECONDS}s"
        turns = Turns(pool_size, reserved=1 if pool_size > 1 else 0, share=(pool_size + 1) // 2)

    pool = Pool(Connector(dsn, server_settings), turns, observe)
    try:
        await _try_out(pool, dsn)
        yield Database(pool)
    finally:
        await pool.close()


async def _try_out(pool: Pool, dsn: str) -> None:
    """Opens the first connection."""
    claim = current_claimant.get().claim
    try:
        connection = await pool.take(claim)
    except Failure as failure:
        if is_of_pooler(failure.__cause__):
            raise PoolerError from failure
        raise DatabaseUnreachableError(dsn, failure) from failure
    pool.give_back(connection, claim)
    await require_session(connection)


async def _executed(
    execute: Callable[..., Awaitable[Any]], connection: Connection, sql: str, *arguments: object
) -> Any:
    """The result of SQL. `execute` is the method of a connection that runs it."""
    try:
        if connection.observe is None:
            return await execute(connection, sql, *arguments)
        with connection.observe(sql):
            return await execute(connection, sql, *arguments)
    except STATEMENT_ERRORS as error:
        raise_converted(error, connection)


def _place(dsn: str) -> str:
    """The database and its server, for people: without user, password and further options."""
    url = urlsplit(dsn)
    options = dict(parse_qsl(url.query))
    host = url.netloc.rpartition("@")[2] or options.get("host", "the default host")
    port = f", port {options['port']}" if "port" in options else ""
    name = unquote(url.path.removeprefix("/")) or options.get("dbname", "of the user's name")
    return f"the database {name} on {host}{port}"
