"""The read tables equal the log; `rebuild` finds and repairs differences."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import asyncpg
import grpc
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as for_all
from hypothesis import strategies as st

from server.access.user_aggregate import MOVED, part_of_user
from server.log.append import append
from server.operate.rebuild.compare import Difference
from server.operate.rebuild.projections import TABLES
from server.operate.rebuild.run import rebuild
from server.store.database import Database, connected
from server.user.events import TokenRevoked
from server.values.errors import OperatorError
from tests.conftest import Installation, MakeInstance
from tests.idp import calls as idps
from tests.operate.world import COMMANDS, World, chooser, populate, settings_of_world
from tests.passkey import ceremonies
from tests.smtp import calls as smtp
from tests.support import given
from tests.support.certificates import Authority
from tests.support.databases import MakeDatabase
from tests.support.given import Instance
from tests.support.oidc_provider import Provider, oidc_provider
from tests.user import calls as users

_LEFT_BEHIND = "select count(*) from pg_class where relname = 'numbered_events'"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("provider"))


@pytest.fixture(scope="module")
async def provider(authority: Authority) -> AsyncIterator[Provider]:
    async with oidc_provider(authority) as provider:
        yield provider


@pytest.fixture(scope="module")
async def instance(
    make_instance: MakeInstance, authority: Authority, provider: Provider
) -> AsyncIterator[Instance]:
    """A server for this file, with tables that are damaged and repaired."""
    async with make_instance(**settings_of_world(authority)) as server:
        await populate(server, provider)
        yield server


async def dump(sql: asyncpg.Connection, *tables: str) -> dict[str, list[Any]]:
    """All rows of the named tables, or of all that are rebuilt."""
    return {
        table: sorted(map(str, await sql.fetch(f"select * from {table}")))  # noqa: S608 -- ours
        for table in tables or TABLES
    }


# After any commands, the read tables equal the log.


@settings(deadline=None, max_examples=4, suppress_health_check=[HealthCheck.too_slow])
@for_all(
    commands=st.lists(st.sampled_from(COMMANDS), min_size=3, max_size=15),
    choices=st.integers(min_value=0, max_value=2**32),
)
async def test_after_any_commands_the_read_tables_equal_the_log(
    instance: Instance,
    provider: Provider,
    database: Database,
    commands: list[Callable[[World], Awaitable[None]]],
    choices: int,
) -> None:
    world = World(instance, chooser(choices), provider)

    for command in commands:
        await command(world)

    assert (await rebuild(database, repair=False)).differences == ()


async def test_every_event_is_replayed(database: Database, sql: asyncpg.Connection) -> None:
    report = await rebuild(database, repair=False)

    assert report.events == await sql.fetchval("select count(*) from events")


@pytest.mark.parametrize("repair", [False, True], ids=["check", "repair"])
async def test_a_rebuild_changes_nothing_where_nothing_differs_and_leaves_nothing_behind(
    database: Database, sql: asyncpg.Connection, repair: bool
) -> None:
    before = await dump(sql)

    await rebuild(database, repair=repair)

    assert await dump(sql) == before
    assert await sql.fetchval(_LEFT_BEHIND) == 0


async def test_a_credential_may_move_from_a_removed_user_to_another(
    instance: Instance, database: Database
) -> None:
    credential_id = secrets.token_bytes(32)
    for _ in range(3):
        user = await given.user(instance.admin)
        await ceremonies.register(user, credential_id=credential_id)
        await users.remove(instance.admin, user.user_id)

    assert (await rebuild(database, repair=False)).differences == ()


async def test_a_long_history_of_one_aggregate_is_replayed(own_instance: Instance) -> None:
    """The replay drops old versions of rows several times during such a history.

    On a server of its own: each generation of the log costs every rebuild a statement.
    """
    idp_id = await given.idp(own_instance.admin)
    async with (
        given.sql(own_instance.dsn) as sql,
        connected(own_instance.dsn, pool_size=2) as database,
    ):
        await sql.execute(
            """
            insert into events
            select aggregate_id, sequence + n, 'idp', 'idp.changed', 1,
                jsonb_build_object('name', 'Name ' || n), creator, owner,
                created_at + n * interval '1 microsecond'
            from events, generate_series(1, 2500) as n where aggregate_id = $1""",
            idp_id,
        )

        report = await rebuild(database, repair=True)

    assert report.differences == (Difference("idps", surplus=1, missing=1),)
    assert (await idps.get(own_instance.admin, idp_id)).name == "Name 2500"


@dataclass(frozen=True)
class Damage:
    """Statements that change, delete or add a row of a table without an event.

    `where` finds the rows that can be deleted.
    """

    table: str
    changed: str
    surplus: str
    where: str = "true"

    def statement(self, kind: str) -> str:
        # S608: our own tables.
        any_row = f"(select ctid from {self.table} where {self.where} limit 1)"  # noqa: S608
        return {
            "changed": f"update {self.table} set {self.changed} where ctid = {any_row}",  # noqa: S608
            "lost": f"delete from {self.table} where ctid = {any_row}",  # noqa: S608
            "surplus": self.surplus,
        }[kind]


# For a log that ends without a configuration: there can be one row only.
_SURPLUS_SMTP_CONFIG = """
    insert into smtp_configurations
        (id, owner, sender_address, sender_name, tls, host, user_name, sequence,
        creation_date, change_date)
    values ('surplus', '', '', '', true, '', '', 1, now(), now())"""

DAMAGES = [
    Damage(
        "organizations",
        changed="name = 'Damaged'",
        surplus="insert into organizations values ('surplus', 'Surplus', false, 1, now(), now())",
        where="id not in (select org_id from brands)",
    ),
    Damage(
        "users",
        changed="roles = '{ORG_OWNER,ORG_OWNER}'",
        surplus="""
            insert into users select 'surplus', owner, user_name, display_name, email, roles,
                user_handle, passkey_count, sequence, creation_date, change_date
            from users limit 1""",
    ),
    Damage(
        "tokens",
        changed="expires_at = now()",
        surplus="""
            insert into tokens select user_id, 'surplus', name, creator, hash, expires_at,
                sequence, creation_date, change_date, makers
            from tokens limit 1""",
    ),
    Damage(
        "passkeys",
        changed="public_key = ''",
        surplus="""
            insert into passkeys
            select (jsonb_populate_record(passkeys, '{"passkey_id": "surplus"}')).*
            from passkeys limit 1""",
    ),
    Damage(
        "idps",
        changed="sequence = sequence + 1",
        surplus="insert into idps values ('surplus', '', 'Surplus', 0, false, 1, now(), now())",
    ),
    Damage(
        "smtp_configurations",
        changed="host = 'damaged:1'",
        surplus=_SURPLUS_SMTP_CONFIG,
    ),
    Damage(
        "unique_claims",
        changed="aggregate_id = 'damaged'",
        surplus="insert into unique_claims values ('user_name', 'surplus', 'surplus')",
    ),
]


# Revokes a token as servers did that know no certificates, and may run during an upgrade.
_REVOKE_WITHOUT_CLAIM = append(
    TokenRevoked,
    target=part_of_user(
        join="join tokens on tokens.user_id = account.id",
        where="tokens.token_id = :token_id",
        creation_date="tokens.creation_date",
    ),
    projections={
        TokenRevoked: [
            """
            delete from tokens using event
            where tokens.user_id = event.aggregate_id
                and tokens.token_id = event.payload->>'token_id'""",
            MOVED,
        ]
    },
)


# A read table that differs from the log.


@pytest.mark.parametrize("kind", ["changed", "lost", "surplus"])
async def test_a_damage_is_found_by_a_check_and_put_right_by_a_repair(
    instance: Instance, database: Database, sql: asyncpg.Connection, kind: str
) -> None:
    world = World(instance, chooser(3))
    if kind == "surplus":
        await world.remove_smtp()
    else:
        await world.set_smtp()
    before = await dump(sql)
    for damage in DAMAGES:
        await sql.execute(damage.statement(kind))
    damaged = await dump(sql)
    expected = tuple(
        Difference(
            table,
            surplus=len(set(damaged[table]) - set(before[table])),
            missing=len(set(before[table]) - set(damaged[table])),
        )
        for table in TABLES
        if damaged[table] != before[table]
    )
    assert {damage.table for damage in DAMAGES} <= {each.table for each in expected}

    checked = await rebuild(database, repair=False)

    assert checked.differences == expected
    assert await dump(sql) == damaged

    repaired = await rebuild(database, repair=True)

    assert repaired.differences == expected
    assert await dump(sql) == before


async def test_a_repair_leaves_secrets_and_pending_ceremonies_alone(
    instance: Instance, database: Database, sql: asyncpg.Connection
) -> None:
    user = await given.user(instance.admin)
    begun = await ceremonies.begin(user)
    await World(instance, chooser(4)).change_smtp()
    tables = "secrets", "passkey_ceremonies", "events", "event_checkpoints"
    kept = await dump(sql, *tables)
    await sql.execute("update users set display_name = 'Damaged'")
    await sql.execute("update smtp_configurations set host = 'damaged:1'")

    await rebuild(database, repair=True)

    assert await dump(sql, *tables) == kept
    await begun.verify()
    assert (await smtp.get(instance.admin)).password_set


async def test_a_certificate_revoked_by_a_release_without_certificates_can_be_added_again(
    instance: Instance, database: Database, authority: Authority
) -> None:
    admin, pem = instance.admin, authority.certificate().pem
    user = await given.user(admin)
    added = await users.create_certificate(admin, user.user_id, pem)
    await database.fetch_one(
        _REVOKE_WITHOUT_CLAIM,
        payload=TokenRevoked(added.token_id).payload(),
        creator=admin.user_id,
        user_id=user.user_id,
        token_id=added.token_id,
    )
    refused = await given.refusal(users.create_certificate(admin, user.user_id, pem))
    assert refused.reason == "CERTIFICATE_ALREADY_ADDED"

    report = await rebuild(database, repair=True)

    assert report.differences == (Difference("unique_claims", surplus=1, missing=0),)
    await users.create_certificate(admin, user.user_id, pem)


async def test_a_role_without_superuser_rights_can_repair(
    make_database: MakeDatabase, make_instance: MakeInstance
) -> None:
    async with given.application_role(await make_database(empty=True)) as dsn:
        async with make_instance(dsn=dsn) as application:
            await given.idp(application.admin)
        async with given.sql(dsn) as sql:
            await sql.execute("update idps set name = 'Damaged'")

        async with connected(dsn, pool_size=2) as database:
            repaired = await rebuild(database, repair=True)
            again = await rebuild(database, repair=False)

    assert [each.table for each in repaired.differences] == ["idps"]
    assert again.differences == ()


_FORGED = """
insert into events
select {aggregate}, sequence + 1, aggregate_type, {type}, {revision}, {payload}::jsonb, creator,
    owner, created_at
from events where event_type = 'user.added' order by sequence limit 1"""


def _forged(**columns: str) -> str:
    """An event like that of the first user, with other columns."""
    same = {"aggregate": "aggregate_id", "type": "event_type", "revision": "1", "payload": "'{}'"}
    return _FORGED.format(**(same | columns))


# An event that no release writes, or only a newer one.


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        (
            _forged(revision="2"),
            r"does not know event \d+ \(user\.added, revision 2\) of the user [0-9a-f-]{36}\. ",
        ),
        (
            _forged(type="'user.exploded'"),
            r"does not know event \d+ \(user\.exploded, .* Use a newer",
        ),
        (
            _forged(type="'idp.removed'"),
            r"does not know event \d+ \(idp\.removed, revision 1\) of the user ",
        ),
        (
            _forged(aggregate="'forged'"),
            r"event \d+ \(user\.added, revision 1\) of the user forged: null value in column",
        ),
        (
            _forged(type="'user.token_created'", payload="""'{"hash": "=secret="}'"""),
            r"\(user\.token_created, revision 1\) of the user [0-9a-f-]{36}: ",
        ),
        (
            _forged(aggregate="'forged'", payload="payload"),
            "the aggregates .*forged.* have the same user_name",
        ),
    ],
    ids=[
        "its revision",
        "its type",
        "its aggregate",
        "a payload without",
        "an unreadable one",
        "unique",
    ],
)
async def test_a_forged_event_is_named_and_nothing_is_left_behind(
    installation: Installation, statement: str, problem: str
) -> None:
    async with given.sql(installation.dsn) as sql:
        await sql.execute(statement)
        before = await dump(sql)

        for repair in (False, True):
            async with connected(installation.dsn, pool_size=2) as database:
                with pytest.raises(OperatorError, match=problem) as refused:
                    await rebuild(database, repair=repair)

            assert "secret" not in str(refused.value)
            assert await dump(sql) == before
            assert await sql.fetchval(_LEFT_BEHIND) == 0


async def _unless_it_waited_too_long(command: Awaitable[None]) -> None:
    """Ignores a call that waited three seconds for the locks of a repair, and wrote nothing."""
    try:
        await command
    except grpc.aio.AioRpcError as error:
        if error.code() is not grpc.StatusCode.ABORTED:
            raise


# Writers continue while the log is replayed.


@contextlib.asynccontextmanager
async def _writers(instance: Instance, provider: Provider) -> AsyncIterator[list[int]]:
    """Runs writers of every kind in loops until the end. Returns their numbers of rounds."""
    stop = asyncio.Event()
    rounds = [0] * 2

    async def write(number: int) -> None:
        world = World(instance, chooser(number), provider)
        while not stop.is_set():
            for command in COMMANDS:
                # there is one SMTP configuration, for one writer, and invitations need it
                if number == 0 or not any(each in command.__name__ for each in ("smtp", "invite")):
                    await _unless_it_waited_too_long(command(world))
            rounds[number] += 1

    async with asyncio.TaskGroup() as tasks:
        for number in range(len(rounds)):
            tasks.create_task(write(number))
        try:
            yield rounds
        finally:
            stop.set()


async def _gone_round(rounds: list[int]) -> None:
    """Waits until every writer has completed one more round."""
    goal = [done + 1 for done in rounds]

    async def reached() -> bool:
        return all(done >= wanted for done, wanted in zip(rounds, goal, strict=True))

    await given.eventually(reached)


async def test_a_check_finds_nothing_and_a_repair_only_the_damage(
    instance: Instance, provider: Provider, database: Database, sql: asyncpg.Connection
) -> None:
    """A repair ends only calls that waited too long for it."""
    async with _writers(instance, provider) as rounds:
        assert (await rebuild(database, repair=False)).differences == ()
        await sql.execute("insert into idps values ('surplus', '', 'x', 0, false, 1, now(), now())")
        report = await rebuild(database, repair=True)
        assert report.differences == (Difference("idps", surplus=1, missing=0),)
        await _gone_round(rounds)

    assert (await rebuild(database, repair=False)).differences == ()


async def test_a_repair_waits_for_a_transaction_that_has_locked_a_user(
    instance: Instance, database: Database, sql: asyncpg.Connection
) -> None:
    """The repair must not take a lock that the transaction still needs: that is a deadlock."""
    user = await given.user(instance.admin)
    async with given.sql(instance.dsn) as writer, writer.transaction():
        await writer.execute("select from users where id = $1 for update", user.user_id)
        await sql.execute("update users set email = 'damaged' where id <> $1", user.user_id)
        repair = asyncio.ensure_future(rebuild(database, repair=True))
        await given.waiting_for_a_lock(sql)

        await writer.execute("update tokens set name = name where user_id = $1", user.user_id)
        await writer.execute("delete from unique_claims where aggregate_id = 'nobody'")

    assert (await repair).differences


async def test_reading_goes_on_while_a_repair_holds_its_locks(
    instance: Instance, database: Database, sql: asyncpg.Connection
) -> None:
    user = await given.user(instance.admin)
    await sql.execute("update organizations set name = 'Damaged'")  # so that there is a repair
    async with given.sql(instance.dsn) as writer, writer.transaction():
        await writer.execute(f"lock table {TABLES[-1]} in row exclusive mode")
        repair = asyncio.ensure_future(rebuild(database, repair=True))
        await given.waiting_for_a_lock(sql)

        assert (await users.whoami(user)).user_id == user.user_id

    await repair


async def test_a_repair_does_not_wait_for_readers(
    database: Database, sql: asyncpg.Connection
) -> None:
    await sql.execute("update organizations set name = 'Damaged'")
    async with sql.transaction():
        await dump(sql)  # a reader that continues

        report = await rebuild(database, repair=True)

    assert [each.table for each in report.differences] == ["organizations"]


async def test_two_repairs_at_once_repair_once(
    instance: Instance, database: Database, sql: asyncpg.Connection
) -> None:
    await sql.execute("update organizations set name = 'Damaged'")

    async with connected(instance.dsn, pool_size=1) as another:
        reports = await asyncio.gather(
            rebuild(database, repair=True), rebuild(another, repair=True)
        )

    assert any(each.differences for each in reports)
    assert (await rebuild(database, repair=False)).differences == ()
