"""A rebuild in several batches, by several connections, and after an interruption."""

import asyncio
from collections.abc import AsyncIterator, Callable
from itertools import product
from pathlib import Path

import asyncpg
import pytest

from server.access.caller import OPERATOR
from server.access.checked_append import written_by
from server.operate import doctor
from server.operate.doctor.findings import State
from server.operate.rebuild import rounds, workspace
from server.operate.rebuild.errors import ChangedLogError
from server.operate.rebuild.projections import TABLES
from server.operate.rebuild.run import RebuildStep, Report, rebuild
from server.operate.unfinished_rebuild import find_leftover
from server.org import store as org_store
from server.org.events import OrganizationAdded
from server.settings.settings import Settings
from server.store.database import Database, connected
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


def interrupting(*, after: int) -> Callable[[Progress], None]:
    """Interrupts the replay once this number of events is replayed."""

    def tell(progress: Progress) -> None:
        if progress.step is RebuildStep.REPLAY and progress.done >= after:
            raise InterruptionError

    return tell


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log of two hundred events has many batches and stages."""
    monkeypatch.setattr(rounds, "_EVENTS_OF_BATCH", 20)
    monkeypatch.setattr(rounds, "_EVENTS_OF_PIECE", 7)


@pytest.fixture
async def sql(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection to a database with the log, whose read tables are empty."""
    async with given.sql(dsn) as connection:
        await connection.execute(_LOG)
        yield connection


database = own_database


async def interrupt(database: Database, *, after: int = 100) -> None:
    """A rebuild that ends in the middle."""
    with pytest.raises(InterruptionError):
        await rebuild(database, repair=True, connections=2, tell=interrupting(after=after))


async def change_log(sql: asyncpg.Connection, statement: str) -> None:
    """Changes events, as a superuser can."""
    await sql.execute(
        f"""
        alter table events disable trigger user; {statement};
        alter table events enable trigger user"""
    )


async def test_several_connections_and_small_batches_give_the_same_tables(
    database: Database, sql: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = await rebuild(database, repair=True)
    expected = await dump(sql)
    assert whole.events == _EVENTS_OF_LOG
    assert [len(expected[table]) for table in ("users", "idp_links", "sessions")] == [32, 24, 24]

    for connections, (batch, piece) in product([1, 3], [(20, 7), (1, 1)]):
        monkeypatch.setattr(rounds, "_EVENTS_OF_BATCH", batch)
        monkeypatch.setattr(rounds, "_EVENTS_OF_PIECE", piece)
        await sql.execute("delete from organizations; delete from idps; delete from unique_claims")
        await sql.execute("delete from users where id <> 'user-1'")

        report = await rebuild(database, repair=True, connections=connections)

        assert report.events == _EVENTS_OF_LOG
        assert await dump(sql) == expected


@pytest.mark.usefixtures("small_batches")
async def test_an_interrupted_rebuild_changes_nothing_and_the_next_one_continues_it(
    dsn: str, database: Database, sql: asyncpg.Connection, tmp_path: Path
) -> None:
    untouched = await dump(sql)
    await interrupt(database, after=100)

    assert await dump(sql) == untouched
    leftover = await find_leftover(database)
    assert leftover is not None
    assert 100 <= leftover.replayed < leftover.events == _EVENTS_OF_LOG
    findings = await doctor.examine(Settings.model_validate({"data_dir": tmp_path}), dsn)
    [finding] = [each for each in findings if each.check == "rebuild"]
    assert finding.state is State.WARNING
    assert f"of {_EVENTS_OF_LOG} events are replayed. Run it again to continue" in finding.message

    # Meanwhile the log goes on: the links of a provider end, and a name is used again.
    await sql.execute(
        """
        insert into events values
            ('idp-2', 900, 'idp', 'idp.removed', 1, '{}', 'admin', 'org', now()),
            ('user-3', 901, 'user', 'user.removed', 1, '{}', 'admin', 'org', now()),
            ('another', 902, 'user', 'user.added', 1, '{"user_name": "user-3", "user_name_claim":
                "user-3", "display_name": "", "email": "", "user_handle": ""}', 'admin', 'org',
                now())"""
    )
    told: list[Progress] = []
    report = await rebuild(database, repair=True, connections=2, tell=told.append)
    continued = await dump(sql)

    verified = [each.done for each in told if each.step is RebuildStep.VERIFY]
    replayed = [each.done for each in told if each.step is RebuildStep.REPLAY]
    # A batch may have been committed while it was cancelled.
    assert leftover.replayed <= verified[-1] <= replayed[0]
    assert RebuildStep.READ not in {each.step for each in told}
    assert report.events == _EVENTS_OF_LOG + 3
    assert await sql.fetchval("select count(*) from idp_links where idp_id = 'idp-2'") == 0
    assert (await rebuild(database, repair=False, start_over=True)).differences == ()
    assert await dump(sql) == continued
    assert await find_leftover(database) is None


@pytest.mark.usefixtures("small_batches")
async def test_a_log_that_was_changed_meanwhile_is_refused_and_can_be_started_over(
    database: Database, sql: asyncpg.Connection
) -> None:
    await interrupt(database, after=150)
    await change_log(
        sql,
        """update events set payload = payload || '{"display_name": "Eve"}'
        where event_type = 'user.added'""",
    )

    for _ in range(2):
        with pytest.raises(ChangedLogError, match="--start-over"):
            await rebuild(database, repair=True)
    assert await sql.fetchval("select count(*) from users") == 0

    await rebuild(database, repair=True, start_over=True)

    assert await sql.fetchval("select display_name from users where id = 'user-1'") == "Eve"


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(
    "change",
    [
        "update keystead_rebuild.rebuild_run set projections = 'of another release'",
        # As after a crash of PostgreSQL, which empties unlogged tables.
        f"""truncate keystead_rebuild.rebuild_run, keystead_rebuild.rebuild_batches,
            keystead_rebuild.rebuild_pieces,
            {", ".join(f"keystead_rebuild.{table}" for table in TABLES)}""",
    ],
    ids=["of another release", "of which a crash left nothing"],
)
async def test_an_unfinished_rebuild_is_discarded(
    database: Database, sql: asyncpg.Connection, change: str
) -> None:
    await interrupt(database)
    await sql.execute(change)
    told: list[Progress] = []

    report = await rebuild(database, repair=True, tell=told.append)

    assert told[0].step is RebuildStep.READ
    assert report.events == _EVENTS_OF_LOG
    assert await sql.fetchval("select count(*) from users") == 32


@pytest.mark.usefixtures("small_batches")
async def test_a_rebuild_waits_for_what_a_killed_one_still_does(
    database: Database, sql: asyncpg.Connection
) -> None:
    await interrupt(database)
    first, *_, last = TABLES
    async with workspace.in_use(database) as left_over:
        await left_over.script(f"lock table keystead_rebuild.{last} in row exclusive mode")
        rebuilding = asyncio.create_task(rebuild(database, repair=True, start_over=True))
        await given.waiting_for_a_lock(sql)
        await left_over.script(f"lock table keystead_rebuild.{first} in row exclusive mode")

    assert (await rebuilding).events == _EVENTS_OF_LOG


async def test_the_lock_keeps_no_versions_of_rows(
    database: Database, sql: asyncpg.Connection
) -> None:
    async with workspace.locked(database):
        [holder] = await sql.fetch(
            """
            select state, backend_xmin from pg_stat_activity
            where pid in (select pid from pg_locks where locktype = 'advisory' and granted)
                and datname = current_database()"""
        )

    assert (holder["state"], holder["backend_xmin"]) == ("idle in transaction", None)


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
