"""PostgreSQL for the bench: the embedded one or another, and filled databases."""

import asyncio
import contextlib
import json
import os
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import cbor2
import psutil
from pydantic import SecretStr

from examples.software_authenticator import ES256, cose_key, generate_key
from server.access.caller import OPERATOR
from server.access.checked_append import credential_values
from server.access.tokens import TokenKind, new_token, token_hash
from server.application import commands, secrets
from server.application.fields import (
    CreateApplication,
    CreateApplicationSecret,
    NewApplication,
)
from server.idp.store import CHANGE as CHANGE_IDP
from server.log.positions import _ASSIGN as ASSIGN_POSITIONS
from server.oauth.refresh_token import RefreshToken
from server.process.embedded_postgres import running
from server.store.database import Statements, connected
from server.store.statement import statement
from server.wiring.dependencies import GROUPS

USERS = 10_000
SESSIONS = 1000
# Of the web application.
REDIRECT_URI = "https://shop.example.com/callback"
SCOPES = ("openid", "profile", "offline_access")
# The passkeys of all users have the same key, and credential ids of their own.
PASSKEY_KEY = generate_key(ES256)
_EVENTS_OF_AN_IDP = 10
_POSITIONS_AT_ONCE = 1_000_000

# The rows that `load.js` uses by number. $1 is the number of identity providers, $2 the sequence of
# the first event, $3 the organization. All providers are added, then all changed once, and so on.
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

# Users are not in the log, nor are their passkeys and sessions: ceremonies read the tables only.
_FILL_USERS = """
insert into users (id, owner, user_name, display_name, email, roles, user_handle, passkey_count,
    sequence, creation_date, change_date)
select '00000000-0000-7000-8000-' || lpad(number::text, 12, '0'), $2, 'user-' || number, '', '',
    '{}', decode(md5(number::text), 'hex'), 1, 1, now(), now()
from generate_series(0, $1::int - 1) as number"""

# $1 is the number of users, $2 the public key (COSE).
_FILL_PASSKEYS = """
insert into passkeys (user_id, passkey_id, name, began_by, rp_id, credential_id, public_key,
    algorithm, sign_count, aaguid, transports, attachment, attestation_format,
    user_verified, backup_eligible, backed_up, origin, top_origin, sequence,
    creation_date, change_date)
select id, id, '', id, 'localhost', decode(md5('passkey ' || number), 'hex'), $2::bytea, -7, 0, '',
    '{internal}', 'platform', 'none', true, false, false, 'http://localhost:8080',
    '', 1, now(), now()
from generate_series(0, $1::int - 1) as number,
    lateral (select '00000000-0000-7000-8000-' || lpad(number::text, 12, '0') as id) as numbered"""

_FILL_CLAIMS = """
insert into unique_claims (kind, value, aggregate_id)
select 'credential_id', rp_id || ':' || encode(credential_id, 'hex'), user_id from passkeys"""

# The sessions have one user each. $1 are the hashes of their tokens.
_FILL_SESSIONS = """
insert into sessions (user_id, session_id, passkey_id, hash, authenticated_at, expires_at, sequence,
    creation_date, change_date)
select id, id, id, hash, now(), now() + interval '1 day', 1, now(), now()
from unnest($1::bytea[]) with ordinality as token (hash, number),
    lateral (select '00000000-0000-7000-8000-' || lpad((number - 1)::text, 12, '0') as id)
        as numbered"""

# Every user with a session has granted the scopes $2 to the application $1.
_FILL_GRANTS = """
insert into application_grants (user_id, application_id, scopes, sequence, creation_date,
    change_date)
select user_id, $1, $2::text[], 1, now(), now() from sessions"""

# Authorizations of the application $1 with the scopes $2, whose refresh tokens have the families $3
# and the generations $4. Each is of another session.
_ADD_REFRESH_TOKENS = """
insert into oauth_authorizations (authorization_id, application_id, user_id, session_id,
    redirect_uri, code_challenge, nonce, scopes, id_token_claims, user_info_claims, resource,
    code_hash, code_expires_at, code_used_at, family, generation, idle_expires_at, expires_at)
select gen_random_uuid()::text, $1, id, id, '', '', '', $2::text[], '{}', '{}', '', family, now(),
    now(), family, generation, now() + interval '1 day', now() + interval '1 day'
from unnest($3::bytea[], $4::bytea[]) with ordinality as token (family, generation, number),
    lateral (select '00000000-0000-7000-8000-' || lpad((number - 1)::text, 12, '0') as id)
        as numbered"""

# The application behind the gate, at which all people with a session have been.
GATE_ID = "00000000-0000-7000-8000-999999999999"
GATE_HOST = "gate.example"
_FILL_APPLICATION = f"""
insert into applications (id, owner, kind, name, redirect_uris, post_logout_redirect_uris,
    backchannel_logout_uri, token_endpoint_auth_method, jwks, jwks_uri, scopes, id_token_alg,
    first_party, pkce, allowed_groups, admits_groups_only, audience,
    access_token_lifetime_seconds, refresh_token_lifetime_seconds, refresh_token_idle_seconds, logo,
    omits_id_token_claims, origins, sequence, creation_date, change_date)
values ('{GATE_ID}', $1, 'GATE', 'Gate', '{{}}', '{{}}', '', 'NONE', '', '', '{{openid,profile}}',
    'RS256', true, 'REQUIRED', '{{}}', false, 'ORGANIZATION', 300, 2592000, 604800, '', false,
    '{{https://{GATE_HOST}}}', 1, now(), now())"""
_FILL_ORIGIN = f"""
insert into unique_claims (kind, value, aggregate_id)
values ('application_origin', 'https://{GATE_HOST}', '{GATE_ID}')"""
_FILL_AUTHORIZATIONS = f"""
insert into oauth_authorizations (authorization_id, application_id, user_id, session_id,
    redirect_uri, code_challenge, nonce, scopes, id_token_claims, user_info_claims, resource,
    code_hash, code_expires_at, idle_expires_at, expires_at)
select session_id, '{GATE_ID}', user_id, session_id, '', '', '', '{{openid,profile}}', '{{}}',
    '{{}}', '', decode(md5(session_id), 'hex'), now(), now() + interval '1 day',
    now() + interval '1 day'
from sessions"""

# The key of the secrets that the floor stores.
_FILL_KEYS = "insert into encryption_keys (key_id, added_at) values ('key', now())"

_FILL_ACTIVITY = """
insert into session_activity (user_id, session_id, last_seen_at, device_name, user_agent,
    ip_address)
select user_id, session_id, now(), '', '', '' from sessions"""

# Reads the WAL, because a connection may report its part of `pg_stat_wal` ten seconds late.
_WAL_SINCE = """
select now_at.position - $1::text::pg_lsn as bytes,
    (select count(*) from pg_get_wal_block_info($1::text::pg_lsn, now_at.position, false)
        where block_fpi_length > 0) as full_pages
from pg_current_wal_flush_lsn() as now_at (position)"""

_NO_SECRET = SecretStr("")
_DEFAULT_ORGANIZATION = statement("select id from organizations where is_default")
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
        """Writes all changed pages to disk."""
        asyncio.run(_value(self.dsn, "checkpoint"))

    @property
    def version(self) -> str:
        """The version, such as 18.1."""
        version: str = asyncio.run(_value(self.dsn, "show server_version")).split()[0]
        return version


@contextlib.contextmanager
def postgresql(folder: Path) -> Iterator[PostgreSQL]:
    """The PostgreSQL of KEYSTEAD_DATABASE_URL, or the embedded one with its data in `folder`."""
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


@dataclass(frozen=True)
class Client:
    """An application, with a secret."""

    client_id: str
    secret: str


@dataclass(eq=False)
class Database:
    """A database with the schema of the product. `idps` is the number of its providers.

    `web` and `service` are applications of these kinds.
    """

    dsn: str
    idps: int = 0
    session_tokens: Sequence[str] = ()
    web: Client = Client("", "")
    service: Client = Client("", "")

    @property
    def session_ids(self) -> Sequence[str]:
        """The IDs of the sessions, which are also those of the authorizations at the gate."""
        count = len(self.session_tokens)
        return [f"00000000-0000-7000-8000-{number:012}" for number in range(count)]

    def fill(self, events: int) -> None:
        """Writes identity providers with events, users with sessions, and applications."""
        self.idps = events // _EVENTS_OF_AN_IDP
        self.session_tokens = [new_token(TokenKind.SESSION) for _ in range(SESSIONS)]
        asyncio.run(_fill(self.dsn, self.idps, self.session_tokens))
        self.web, self.service = asyncio.run(_applications(self.dsn))

    def new_refresh_tokens(self, number: int) -> Sequence[str]:
        """Refresh tokens of the web application, as many as there are sessions at most."""
        refresh_tokens = [RefreshToken.new() for _ in range(number)]
        families = [each.family for each in refresh_tokens]
        generations = [each.generation for each in refresh_tokens]
        values = (self.web.client_id, SCOPES, families, generations)
        asyncio.run(_value(self.dsn, _ADD_REFRESH_TOKENS, *values))
        return [each.text for each in refresh_tokens]

    def change_each(self, idps: int) -> None:
        """Changes a number of identity providers, spread evenly over all, once each."""
        asyncio.run(_change(self.dsn, range(0, self.idps, self.idps // idps)))

    def wal_position(self) -> str:
        """The present end of the WAL, for `wal_since`."""
        asyncio.run(_value(self.dsn, "create extension if not exists pg_walinspect"))
        position: str = asyncio.run(_value(self.dsn, "select pg_current_wal_flush_lsn()::text"))
        return position

    def wal_since(self, position: str) -> WAL:
        """The WAL that the whole server has written since the position."""
        return WAL(*asyncio.run(_row(self.dsn, _WAL_SINCE, position)))

    def sign_ins(self) -> int:
        """The number of used challenges."""
        counted = "select count(*) from used_values where kind = 'challenge'"
        count: int = asyncio.run(_value(self.dsn, counted))
        return count

    def transactions(self) -> int:
        """The number of transactions in this database that PostgreSQL has counted so far."""
        counted = "select xact_commit from pg_stat_database where datname = current_database()"
        count: int = asyncio.run(_value(self.dsn, counted))
        return count

    def events(self) -> int:
        """The number of events beyond those that the database was filled with."""
        recent = "select count(*) from events where created_at > now() - interval '1 day'"
        count: int = asyncio.run(_value(self.dsn, recent))
        return count


async def _fill(dsn: str, idps: int, session_tokens: Sequence[str]) -> None:
    first = int(time.time() * 1e6) - _YEAR_MICROSECONDS
    async with connection_to(dsn) as connection:
        owner = await connection.fetchval("select id from organizations where is_default")
        await connection.execute(_FILL_EVENTS, idps, first, owner)
        # Otherwise the server would assign the positions during the measurement.
        while await connection.fetchval("select exists (select from unpositioned_events)"):
            assigned = ASSIGN_POSITIONS.arguments({"batch": _POSITIONS_AT_ONCE})
            await connection.execute(ASSIGN_POSITIONS.sql, *assigned)
        await connection.execute(_FILL_IDPS, idps, first, owner)
        await connection.execute(_FILL_USERS, USERS, owner)
        await connection.execute(_FILL_PASSKEYS, USERS, cbor2.dumps(cose_key(PASSKEY_KEY)))
        await connection.execute(_FILL_CLAIMS)
        await connection.execute(_FILL_KEYS)
        await connection.execute(_FILL_SESSIONS, [token_hash(each) for each in session_tokens])
        await connection.execute(_FILL_ACTIVITY)
        await connection.execute(_FILL_APPLICATION, owner)
        await connection.execute(_FILL_ORIGIN)
        await connection.execute(_FILL_AUTHORIZATIONS)
        # Otherwise autovacuum would run during the measurement.
        await connection.execute("vacuum analyze")
        with contextlib.suppress(asyncpg.InsufficientPrivilegeError):
            await connection.execute("checkpoint")


async def _applications(dsn: str) -> tuple[Client, Client]:
    async with connected(dsn, pool_size=1) as database:
        row = await database.fetch_row(_DEFAULT_ORGANIZATION)
        assert row is not None  # noqa: S101 -- the schema has one
        web, service = [
            await _application(database, fields, row["id"])
            for fields in (
                {"kind": "WEB", "redirect_uris": (REDIRECT_URI,), "scopes": SCOPES},
                {"kind": "SERVICE", "scopes": ("orders.read",)},
            )
        ]
    async with connection_to(dsn) as connection:
        await connection.execute(_FILL_GRANTS, web.client_id, SCOPES)
    return web, service


async def _application(
    database: Statements, fields: Mapping[str, Any], organization_id: str
) -> Client:
    by: dict[str, Any] = {"actor": OPERATOR, "organization_id": organization_id}
    defaults = dict.fromkeys(NewApplication.model_fields)
    new = NewApplication(**{**defaults, "name": "Bench", **fields})
    command = CreateApplication(application=new, application_id="", secret=_NO_SECRET)
    added = await commands.add(
        database, command, groups=GROUPS, own_origins=set(), reserved_ids=set(), **by
    )
    named = CreateApplicationSecret(application_id=added.application_id, secret=_NO_SECRET)
    return Client(added.application_id, (await secrets.create(database, named, **by)).secret)


async def _change(dsn: str, idps: Iterable[int]) -> None:
    async with connection_to(dsn) as connection:
        owner = await connection.fetchval("select id from organizations where is_default")
        values = {
            "payload": json.dumps({"name": "Changed once"}),
            "organization_id": owner,
            "creator": OPERATOR.user_id,
            **credential_values(OPERATOR),
        }
        changes = [{**values, "idp_id": f"00000000-0000-7000-8000-{idp:012}"} for idp in idps]
        await connection.executemany(CHANGE_IDP.sql, map(CHANGE_IDP.arguments, changes))


@contextlib.asynccontextmanager
async def connection_to(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection to the database without the pool of the server."""
    connection = await asyncpg.connect(dsn)
    try:
        yield connection
    finally:
        await connection.close()


async def _value(dsn: str, sql: str, *args: object) -> Any:
    row = await _row(dsn, sql, *args)
    return row[0] if row else None


async def _row(dsn: str, sql: str, *args: object) -> Any:
    async with connection_to(dsn) as connection:
        return await connection.fetchrow(sql, *args)


async def _postmaster(dsn: str) -> psutil.Process | None:
    async with connection_to(dsn) as connection:
        try:
            backend = psutil.Process(await connection.fetchval("select pg_backend_pid()"))
            # If PostgreSQL runs on another machine, the process ID is that of any process here.
            return backend.parent() if backend.name() == "postgres" else None
        except psutil.NoSuchProcess:
            return None
