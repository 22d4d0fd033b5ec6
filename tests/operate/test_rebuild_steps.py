"""A rebuild in many ranges of positions, after an interruption, and beside a writer."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

from server.access.caller import OPERATOR
from server.access.checked_append import written_by
from server.log.positions import assign
from server.operate.rebuild import replay
from server.operate.rebuild.errors import UnreplayableLogError
from server.operate.rebuild.run import RebuildStep, Report, rebuild
from server.org import store as org_store
from server.org.events import OrganizationAdded
from server.store.database import Database, Transaction, connected
from server.values.errors import Failure, Kind
from server.values.progress import Progress
from tests.conftest import own_database
from tests.operate.test_rebuild import dump
from tests.support import given

# Events of 40 users, of whom some have links, and some are removed. One user has many events. No
# event of a provider is newer than those of users, so that its place in the log does not matter.
_LOG = """
with users as (
    select n, format('user-%s', n) as id from generate_series(1, 40) as n),
written as (
    select 'org' as id, 1 as at, 'organization' as of, 'organization.added' as type,
        '{"name": "Org", "name_claim": "org", "is_default": true}'::jsonb as payload
    union all
    select format('idp-%s', n), 10 + n, 'idp', 'idp.added',
        jsonb_build_object('name', n, 'styling_type', 0, 'auto_register', true)
    from generate_series(0, 3) as n
    union all
    select id, 100 + n, 'user', 'user.added', jsonb_build_object('user_name', id,
        'user_name_claim', id, 'display_name', 'Ada', 'email', '', 'user_handle', 'AAAA')
    from users
    union all
    select id, 200 + n, 'user', 'user.idp_linked', jsonb_build_object('link_id', id,
        'idp_id', format('idp-%s', n % 4), 'issuer', 'https://idp.example.com', 'subject', id)
    from users
    union all
    select id, 300 + n, 'user', 'user.session_started_by_idp', jsonb_build_object(
        'session_id', id, 'hash', 'AAAA', 'lifetime_seconds', 1e9, 'link_id', id,
        'idp_id', format('idp-%s', n % 4), 'ended_session_ids', '[]'::jsonb)
    from users
    union all
    select 'user-7', 400 + n, 'user', 'user.changed',
        jsonb_build_object('display_name', format('Ada %s', n))
    from generate_series(1, 60) as n
    union all
    select 'idp-1', 500, 'idp', 'idp.removed', '{}'
    union all
    select id, 600 + n, 'user', 'user.removed', '{}' from users where n % 5 = 0)
insert into events
select id, at, of, type, 1, payload, 'admin', 'org', now() from written"""
_EVENTS_OF_LOG = 1 + 4 + 3 * 40 + 60 + 1 + 8


class InterruptionError(Exception):
    """Ends a rebuild in the middle."""


@pytest.fixture
async def sql(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection to a database with the log, whose read tables are empty."""
    async with given.sql(dsn) as connection:
        await connection.execute(_LOG)
        yield connection


database = own_database


async def test_ranges_of_any_size_give_the_same_tables(
    database: Database, sql: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = await rebuild(database, repair=True)
    expected = await dump(sql)
    assert whole.events == _EVENTS_OF_LOG
    assert [len(expected[table]) for table in ("users", "idp_links", "sessions")] == [32, 24, 24]

    for size in (20, 1):
        monkeypatch.setattr(replay, "RANGE", size)
        await sql.execute("delete from organizations; delete from idps; delete from unique_claims")
        await sql.execute("delete from users where id <> 'user-1'")

        report = await rebuild(database, repair=True)

        assert report.events == _EVENTS_OF_LOG
        assert await dump(sql) == expected


async def test_an_interrupted_rebuild_changes_nothing_and_leaves_nothing_behind(
    database: Database, sql: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.step is RebuildStep.REPLAY and progress.done >= 100:
            raise InterruptionError

    monkeypatch.setattr(replay, "RANGE", 20)
    untouched = await dump(sql)

    with pytest.raises(InterruptionError):
        await rebuild(database, repair=True, tell=interrupt)

    assert await dump(sql) == untouched
    assert await sql.fetchval("select count(*) from pg_class where relname = 'differing'") == 0


async def test_a_connection_that_is_lost_ends_a_rebuild_with_the_reason(
    database: Database, sql: asyncpg.Connection
) -> None:
    def lose(_progress: Progress) -> None:
        database.drop_connections()

    with pytest.raises(Failure) as refused:
        await rebuild(database, repair=True, tell=lose)

    assert refused.value.kind is Kind.UNAVAILABLE


async def test_a_log_that_lost_events_is_refused(
    database: Database, sql: asyncpg.Connection
) -> None:
    await assign(database)
    await sql.execute(
        """
        alter table events disable trigger user;
        delete from events where event_type = 'user.changed';
        alter table events enable trigger user"""
    )

    with pytest.raises(UnreplayableLogError, match="60 events of positions 1 to 194 are gone"):
        await rebuild(database, repair=True)

    assert await sql.fetchval("select count(*) from users") == 0


async def test_a_repair_includes_what_was_written_since_the_comparison_and_only_the_damage(
    dsn: str, database: Database, sql: asyncpg.Connection
) -> None:
    await rebuild(database, repair=True)
    versions = "select id, xmin::text from users where id <> 'user-2' order by id"
    await sql.execute(
        """
        update users set display_name = 'Damaged' where id = 'user-2';
        delete from sessions where user_id = 'user-4';
        insert into unique_claims values ('user_name', 'surplus', 'nobody')"""
    )
    before = await sql.fetch(versions)
    async with connected(dsn, pool_size=1) as writer, writer.transaction() as uncommitted:
        event = OrganizationAdded(name="New", name_claim="new", is_default=False)
        await org_store.ADD.details(
            uncommitted, event, **written_by(OPERATOR), organization_id="new"
        )
        repair = asyncio.ensure_future(rebuild(database, repair=True))
        await given.waiting_for_a_lock(sql)  # the comparison is over

    report: Report = await repair

    assert {each.table for each in report.differences} == {"users", "sessions", "unique_claims"}
    assert report.events == _EVENTS_OF_LOG + 1
    assert report.blocked_seconds > 0
    assert await sql.fetchval("select name from organizations where id = 'new'") == "New"
    assert await sql.fetch(versions) == before
    assert (await rebuild(database, repair=False)).differences == ()


async def test_events_of_the_last_steps_are_replayed_once_and_their_rows_repaired(
    database: Database, sql: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = ["user-3", "user-4"]
    waiting = list(changed)
    replay_last = replay.replay_last

    async def add_and_replay(transaction: Transaction, *, after: int) -> int:
        await sql.execute(
            """
            insert into events values
                ($1, 900, 'user', 'user.changed', 1, '{"display_name": "New"}', 'a',
                    'org', now())""",
            waiting.pop(0),
        )
        return await replay_last(transaction, after=after)

    await rebuild(database, repair=True)
    monkeypatch.setattr(replay, "replay_last", add_and_replay)

    report = await rebuild(database, repair=True)

    assert waiting == []
    assert report.events == _EVENTS_OF_LOG + len(changed)
    named = "select id from users where display_name = 'New' order by id"
    assert [row["id"] for row in await sql.fetch(named)] == changed
