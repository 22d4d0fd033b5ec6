"""The statements of calls with their arguments, recorded on one schema and replayed on another.

A recording is JSON. A step is `[connection, statement, arguments, rows]`: the number of rows of the
result, or the SQLSTATE of the error. A script without arguments, such as `begin`, is
`[connection, sql]`. Arguments that JSON lacks are objects with one member:

    bytes    base64
    in       a time, in seconds after the recording began; in texts, `@now+1.5s@`
    lasting  an interval in seconds
    of       a value of an earlier result: its step, row and column

So a replay has the same order of times as the recording, whenever it runs.
"""

import base64
import contextlib
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final
from unittest.mock import patch

import asyncpg

from server.store import database
from server.store.connecting import Connection
from server.store.turns import current_claimant
from tests.support import given

# Larger integers are sequences, which depend on the clock.
_LARGE: Final = 10**15
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
WRITES: Final = re.compile(r"\b(insert into|update \w+ set|update \w+ as|delete from)\b")
# A further result of a statement that only reads brings nothing new.
_READS: Final = 2
_RECORDED_TIME: Final = re.compile(r"@now([+-][\d.]+)s@")
_NO_CALL: Final = current_claimant.get()
_is_recorded: ContextVar[bool] = ContextVar("is_recorded", default=False)

Step = list[Any]


@contextlib.contextmanager
def recorded() -> Iterator[None]:
    """The statements of this task are recorded, as those of calls are."""
    token = _is_recorded.set(True)
    yield
    _is_recorded.reset(token)


@contextlib.contextmanager
def recording(names: Mapping[str, str]) -> Iterator[list[Step]]:
    """Records the statements of calls in this process. `names` are those of statements, by SQL.

    The steps are complete at the end of the block. Background work is left out: it has no order.
    """
    recorder = _Recorder(names)
    executed = partial(recorder.executed, database.__dict__["_executed"])
    with patch.object(database, "_executed", executed):
        yield recorder.steps


class _Recorder:
    def __init__(self, names: Mapping[str, str]) -> None:
        self.steps: list[Step] = []
        self._names = names
        self._began_at = datetime.now(UTC)
        self._times = Counter[str]()
        self._connections: dict[int, int] = {}
        self._results: dict[object, list[int]] = {}

    async def executed(
        self,
        original: Callable[..., Awaitable[Any]],
        execute: object,
        connection: Connection,
        sql: str,
        *arguments: Any,
    ) -> Any:
        """Runs a statement or a script, and records it."""
        if execute is asyncpg.Connection.execute:
            tag = await original(execute, connection, sql)
            self._add_script(connection, sql)
            return tag
        if execute is asyncpg.Connection.fetchmany:
            fetched = partial(self.executed, original, asyncpg.Connection.fetch, connection, sql)
            return [row for each in arguments[0] for row in await fetched(*each)]
        try:
            result = await original(execute, connection, sql, *arguments)
        except Exception as error:
            self._add(connection, sql, arguments, _sqlstate(error))
            raise
        self._add(connection, sql, arguments, _rows(result))
        return result

    def _add(
        self,
        connection: Connection,
        sql: str,
        arguments: Sequence[object],
        outcome: Sequence[Any] | str,
    ) -> None:
        if sql not in self._names and not arguments:  # `lock table` cannot be prepared
            self._add_script(connection, sql)
        elif not _is_skipped() and self._is_new(sql):
            written = [self._written(value) for value in arguments]
            if not isinstance(outcome, str):
                self._remember(outcome)
            count = outcome if isinstance(outcome, str) else len(outcome)
            self.steps.append([self._number(connection), self._names[sql], written, count])

    def _is_new(self, sql: str) -> bool:
        self._times[sql] += 1
        return self._times[sql] <= _READS or WRITES.search(sql) is not None

    def _add_script(self, connection: Connection, sql: str) -> None:
        if not _is_skipped():
            self.steps.append([self._number(connection), sql])

    def _remember(self, rows: Sequence[Any]) -> None:
        """Notes the values of the next step that later steps can refer to."""
        for row, record in enumerate(rows):
            for column, value in enumerate(record.values()):
                if _depends_on_the_clock(value):
                    self._results.setdefault(value, [len(self.steps), row, column])

    def _number(self, connection: Connection) -> int:
        return self._connections.setdefault(id(connection), len(self._connections))

    def _written(self, value: object) -> Any:
        """The value as JSON."""
        if _depends_on_the_clock(value) and (place := self._results.get(value)):
            return {"of": place}
        match value:
            case datetime():
                return {"in": self._seconds(value)}
            case timedelta():
                return {"lasting": value.total_seconds()}
            case bytes():
                return {"bytes": base64.b64encode(value).decode()}
            case str():
                return _TIME.sub(self._written_time, value)
            case list() | tuple() | set() | frozenset():
                return [self._written(item) for item in value]
            case _:
                return value

    def _written_time(self, match: re.Match[str]) -> str:
        return f"@now{self._seconds(datetime.fromisoformat(match[0])):+}s@"

    def _seconds(self, moment: datetime) -> float:
        return round((moment - self._began_at).total_seconds(), 3)


def _is_skipped() -> bool:
    return current_claimant.get() is _NO_CALL and not _is_recorded.get()


def _depends_on_the_clock(value: object) -> bool:
    return isinstance(value, datetime) or (isinstance(value, int) and value > _LARGE)


def _rows(result: Any) -> list[Any]:
    if isinstance(result, list):
        return result
    return [] if result is None else [result]


def _sqlstate(error: Exception) -> str:
    cause = error if isinstance(error, asyncpg.PostgresError) else error.__cause__
    return str(getattr(cause, "sqlstate", None) or type(error).__name__)


async def replay(
    dsn: str, steps: Sequence[Step], statements: Mapping[str, str]
) -> list[int | str | None]:
    """Runs the steps in order, and returns the outcome of each: rows or SQLSTATE; None of a script.

    `statements` have the SQL by name.
    """
    async with _connections(dsn, max(step[0] for step in steps) + 1) as connections:
        replayed = _Replay(connections, statements)
        return [await replayed.take(step) for step in steps]


@contextlib.asynccontextmanager
async def _connections(dsn: str, count: int) -> AsyncIterator[list[asyncpg.Connection]]:
    async with contextlib.AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(given.sql(dsn)) for _ in range(count)]
        for connection in opened:
            await connection.execute("set lock_timeout = '10s'; set timezone = 'UTC'")
        yield opened


class _Replay:
    def __init__(
        self, connections: Sequence[asyncpg.Connection], statements: Mapping[str, str]
    ) -> None:
        self._connections = connections
        self._statements = statements
        self._began_at = datetime.now(UTC)
        self._results: list[list[Any]] = []

    async def take(self, step: Step) -> int | str | None:
        connection, rows = self._connections[step[0]], list[Any]()
        self._results.append(rows)
        try:
            if len(step) == 2:
                await connection.execute(step[1])
                return None
            arguments = [self._read(value) for value in step[2]]
            rows += await connection.fetch(self._statements[step[1]], *arguments)
        except asyncpg.PostgresError as error:
            return str(error.sqlstate)
        return len(rows)

    def _read(self, value: Any) -> Any:
        match value:
            case {"of": [step, row, column]}:
                return self._results[step][row][column]
            case {"in": seconds}:
                return self._began_at + timedelta(seconds=seconds)
            case {"lasting": seconds}:
                return timedelta(seconds=seconds)
            case {"bytes": text}:
                return base64.b64decode(text)
            case str():
                return _RECORDED_TIME.sub(self._time, value)
            case list():
                return [self._read(item) for item in value]
            case _:
                return value

    def _time(self, match: re.Match[str]) -> str:
        moment = self._began_at + timedelta(seconds=float(match[1]))
        return moment.isoformat().replace("+00:00", "Z")
