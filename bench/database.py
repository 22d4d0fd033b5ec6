"""PostgreSQL for the bench: the embedded one or another, and filled databases."""

import asyncio
import contextlib
import json
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import psutil

from server.idp.store import _CHANGE as CHANGE_IDP
from server.process.embedded_postgres import running

USERS = 10_000
_EVENTS_OF_AN_IDP = 10

# The rows that `load.js` asks for by number. $1 is how many identity providers, $2 the sequence of
# the first event, $3 the organization. All of them are added, then all are changed once, and so on.
_FILL_EVENTS = f"""
insert into events (aggregate_id, sequence, aggregate_type, event_type, revision, payload, creator,
    owner, created_at)
select '00000000-0000-7000-8000-' || lpad(idp::text, 12, '0'), clock.sequence, 'idp',
    case step when 0 then 'idp.added' else 'idp.changed' end, 1,
    jsonb_build_object('name', 'Provider ' || step, 'styling_type', 0, 'auto_register', false),
    'operator', $3::text, 'epoch'::timestamptz + clock.sequence * interval '1 microsecond'
from generate_series(0, {_EVENTS_OF_AN_IDP} - 1) as step,
    generate_series(0, $1::bigint - 1) as idp,
    lateral (select $2::bigint + step * $1::bigint + idp as sequence) as clock"""

_FILL_IDPS = f"""
insert into idps (id, owner, name, styling_type, auto_register, sequence, creation_date,
    change_date)
select '00000000-0000-7000-8000-' || lpad(idp::text, 12, '0'), $3::text,
    'Provider ' || {_EVENTS_OF_AN_IDP} - 1, 0, false, clock.last,
    'epoch'::timestamptz + clock.first * interval '1 microsecond',
    'epoch'::timestamptz + clock.last * interval '1 microsecond'
from generate_series(0, $1::bigint - 1) as idp,
    lateral (select $2::bigint + idp as first,
        $2::bigint + ({_EVENTS_OF_AN_IDP} - 1) * $1::bigint + idp as last) as clock"""

# Users are not in the log: what begins and completes a passkey reads the table only.
_FILL_USERS = """
insert into users (id, owner, user_name, display_name, email, roles, user_handle, passkey_count,
    sequence, creation_date, change_date)
select '00000000-0000-7000-8000-' || lpad(number::text, 12, '0'), $2, 'user-' || number, '', '',
    '{}', decode(md5(number::text), 'hex'), 0, 1, now(), now()
from generate_series(0, $1::int - 1) as number"""

# From the WAL itself: a connection may deliver its part of `pg_stat_wal` ten seconds late.
_WAL_SINCE = """
select now_at.position - $1::text::pg_lsn as bytes,
    (select count(*) from pg_get_wal_block_info($1::text::pg_lsn, now_at.position, false)
        where block_fpi_length > 0) as full_pages
from pg_current_wal_flush_lsn() as now_at (position)"""

_YEAR_MICROSECONDS = 365 * 86_400 * 1_000_000


@dataclass(frozen=True)
class PostgreSQL:
    """A running server. `postmaster` is its first process, None if it runs elsewhere.

    `is_ours`: the bench has started it, and may pin it to processors.
    """

    dsn: str
    postmaster: psutil.Process | None
    is_ours: bool

    @contextlib.contextmanager
    def database(self) -> Iterator["Database"]:
        """An empty database until the end of the block."""
        name = f"keystead_bench_{uuid4().hex}"
        asyncio.run(_value(self.dsn, f"create database {name}"))
        try:
            yield Database(urlunsplit(urlsplit(self.dsn)._replace(path=f"/{name}")))
        finally:
            asyncio.run(_value(self.dsn, f"drop database {name} with (force)"))

    def checkpoint(self) -> None:
        """Writes out what has changed."""
        asyncio.run(_value(self.dsn, "checkpoint"))

    @property
    def version(self) -> str:
        """Like 18.1."""
        version: str = asyncio.run(_value(self.dsn, "show server_version")).split()[0]
        return version


@contextlib.contextmanager
def postgresql(folder: Path) -> Iterator[PostgreSQL]:
    """That of KEYSTEAD_DATABASE_URL, else the embedded one with its data in `folder`."""
    if url := os.environ.get("KEYSTEAD_DATABASE_URL"):
        yield PostgreSQL(url, asyncio.run(_postmaster(url)), is_ours=False)
    else:
        with running(folder) as cluster:
            dsn = cluster.admin_dsn
            yield PostgreSQL(dsn, asyncio.run(_postmaster(dsn)), is_ours=True)


@dataclass(frozen=True)
class WAL:
    """Bytes and full pages that PostgreSQL wrote to its write-ahead log."""

    bytes: float
    full_pages: float

    def __truediv__(self, requests: int) -> "WAL":
        return WAL(self.bytes / requests, self.full_pages / requests)


@dataclass(eq=False)
class Database:
    """A database with the schema of the product. `idps` is how many it has been filled with."""

    dsn: str
    idps: int = 0

    def fill(self, events: int) -> None:
        """Writes events of identity providers, their read table, and users."""
        self.idps = events // _EVENTS_OF_AN_IDP
        asyncio.run(_fill(self.dsn, self.idps))

    def change_each(self, idps: int) -> None:
        """Changes a number of identity providers, spread evenly over all, once each."""
        asyncio.run(_change(self.dsn, range(0, self.idps, self.idps // idps)))

    def wal_position(self) -> str:
        """Where the WAL has come to; from here on it can be read by `wal_since`."""
        asyncio.run(_value(self.dsn, "create extension if not exists pg_walinspect"))
        position: str = asyncio.run(_value(self.dsn, "select pg_current_wal_flush_lsn()::text"))
        return position

    def wal_since(self, position: str) -> WAL:
        """The WAL that the whole server has written since then."""
        return WAL(*asyncio.run(_row(self.dsn, _WAL_SINCE, position)))

    def events(self) -> int:
        """How many events there are beyond those that it was filled with."""
        recent = "select count(*) from events where created_at > now() - interval '1 day'"
        count: int = asyncio.run(_value(self.dsn, recent))
        return count


async def _fill(dsn: str, idps: int) -> None:
    first = int(time.time() * 1e6) - _YEAR_MICROSECONDS
    connection = await asyncpg.connect(dsn)
    try:
        owner = await connection.fetchval("select id from organizations where is_default")
        await connection.execute(_FILL_EVENTS, idps, first, owner)
        await connection.execute(_FILL_IDPS, idps, first, owner)
        await connection.execute(_FILL_USERS, USERS, owner)
        # Or PostgreSQL would do so while it is measured.
        await connection.execute("vacuum analyze")
        with contextlib.suppress(asyncpg.InsufficientPrivilegeError):
            await connection.execute("checkpoint")
    finally:
        await connection.close()


async def _change(dsn: str, idps: Iterable[int]) -> None:
    connection = await asyncpg.connect(dsn)
    try:
        owner = await connection.fetchval("select id from organizations where is_default")
        values = {
            "payload": json.dumps({"name": "Changed once"}),
            "creator": "operator",
            "organization_id": owner,
        }
        changes = [{**values, "id": f"00000000-0000-7000-8000-{idp:012}"} for idp in idps]
        await connection.executemany(CHANGE_IDP.sql, map(CHANGE_IDP.arguments, changes))
    finally:
        await connection.close()


async def _value(dsn: str, sql: str) -> Any:
    row = await _row(dsn, sql)
    return row[0] if row else None


async def _row(dsn: str, sql: str, *args: object) -> Any:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchrow(sql, *args)
    finally:
        await connection.close()


async def _postmaster(dsn: str) -> psutil.Process | None:
    connection = await asyncpg.connect(dsn)
    try:
        backend = psutil.Process(await connection.fetchval("select pg_backend_pid()"))
        # On another machine the number is that of anything here.
        return backend.parent() if backend.name() == "postgres" else None
    except psutil.NoSuchProcess:
        return None
    finally:
        await connection.close()
