"""Commands that race: one has been executed but not committed when another is called.

Each statement of PostgreSQL sees the rows that were committed when it began (READ COMMITTED), also
after it has waited for a lock. These tests hold a call at exactly that point.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import asyncpg
import grpc
import pytest

from server.access.caller import OPERATOR
from server.crypto.keyring import Keyring
from server.operate.rebuild import rebuild
from server.smtp import commands, stored_password
from server.store.database import Database, Row, Statements, Transaction, connected
from server.store.refusals import UniqueConflictError
from server.store.statement import Statement
from server.validation.fields import read
from tests.conftest import MakeInstance
from tests.smtp import at_rest, calls
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.given import Client

NEW_KEY = b"new".ljust(32)

Answer = TypeVar("Answer")
Command = Callable[[Statements, Keyring], Awaitable[object]]


def adding(**fields: Any) -> Command:
    command = read(commands.AddSMTPConfig, given.smtp_config(**fields))
    return lambda database, keyring: commands.add(database, keyring, command, actor=OPERATOR)


def updating(*, password: str | None = None, **fields: Any) -> Command:
    request = given.smtp_update(**fields)
    command = read(commands.UpdateSMTPConfig, request, password=password)
    return lambda database, keyring: commands.update(database, keyring, command, actor=OPERATOR)


def updating_the_password(password: str) -> Command:
    command = commands.UpdateSMTPConfigPassword.model_validate({"password": password})
    return lambda database, keyring: commands.update_password(
        database, keyring, command, actor=OPERATOR
    )


async def removing(database: Statements, _keyring: Keyring) -> None:
    await commands.remove(database, actor=OPERATOR)


def rotating(keys: list[bytes]) -> Command:
    async def rotate(database: Statements, _keyring: Keyring) -> None:
        assert await stored_password.rotate(database, Keyring([NEW_KEY, *keys]))

    return rotate


class UndoneError(Exception):
    """Rolls a transaction back."""


class Meeting:
    """Holds a call while other commands have been executed and are not committed."""

    def __init__(self, database: Database, keyring: Keyring, sql: asyncpg.Connection) -> None:
        self._database = database
        self._keyring = keyring
        self._sql = sql

    async def of(self, *commands: Command, then: Callable[[], Awaitable[Answer]]) -> Answer:
        """The answer of the call after the commands were committed."""
        async with self._database.transaction() as transaction:
            waiting = await self._started(transaction, commands, then)
        return await waiting

    async def of_undone(self, *commands: Command, then: Callable[[], Awaitable[Answer]]) -> Answer:
        """The answer of the call after the commands were rolled back."""
        waiting: list[asyncio.Future[Answer]] = []

        async def interrupted() -> None:
            async with self._database.transaction() as transaction:
                waiting.append(await self._started(transaction, commands, then))
                raise UndoneError

        with pytest.raises(UndoneError):
            await interrupted()
        return await waiting[0]

    async def _started(
        self,
        transaction: Transaction,
        commands: tuple[Command, ...],
        call: Callable[[], Awaitable[Answer]],
    ) -> asyncio.Future[Answer]:
        for command in commands:
            await command(transaction, self._keyring)
        waiting = asyncio.ensure_future(call())
        await given.waiting_for_a_lock(self._sql)
        return waiting


@pytest.fixture
def meeting(database: Database, keyring: Keyring, sql: asyncpg.Connection) -> Meeting:
    return Meeting(database, keyring, sql)


async def test_add_loses_against_one_that_is_committed(
    admin: Client, sql: asyncpg.Connection, meeting: Meeting
) -> None:
    refused = await meeting.of(adding(), then=lambda: given.refusal(calls.add(admin)))

    assert refused.reason == "SMTP_CONFIG_ALREADY_EXISTS"
    sequence = await sql.fetchval("select sequence from smtp_configs")
    assert refused.metadata == {"sequence": str(sequence)}


async def test_add_wins_against_one_that_is_rolled_back(
    admin: Client, sql: asyncpg.Connection, keyring: Keyring, meeting: Meeting
) -> None:
    request = given.smtp_config(password="of-the-winner")

    await meeting.of_undone(adding(), then=lambda: calls.add(admin, request))

    assert await at_rest.password(sql, keyring) == "of-the-winner"


async def test_add_wins_against_one_that_is_removed_by_the_time_it_is_committed(
    admin: Client, sql: asyncpg.Connection, keyring: Keyring, meeting: Meeting
) -> None:
    request = given.smtp_config(password="of-the-winner")

    await meeting.of(adding(), removing, then=lambda: calls.add(admin, request))

    assert await at_rest.password(sql, keyring) == "of-the-winner"


async def test_add_wins_when_the_one_it_lost_against_is_removed_before_it_looks_again(
    database: Database, keyring: Keyring, sql: asyncpg.Connection, meeting: Meeting
) -> None:
    class RemovedMeanwhile(Database):
        """Removes the other configuration between the lost race and the next look."""

        def __init__(self) -> None:
            pass  # its statements run on `database`

        async def fetch_row(self, statement: Statement, /, **values: object) -> Row | None:
            try:
                return await database.fetch_row(statement, **values)
            except UniqueConflictError:
                await removing(database, keyring)
                raise

    add = adding(password="of-the-winner")

    await meeting.of(adding(), then=lambda: add(RemovedMeanwhile(), keyring))

    assert await at_rest.password(sql, keyring) == "of-the-winner"


async def test_add_does_not_wait_for_a_removal_that_is_not_committed(
    admin: Client, database: Database, keyring: Keyring
) -> None:
    added = await calls.add(admin)

    async with database.transaction() as transaction:
        await removing(transaction, keyring)
        refused = await given.refusal(calls.add(admin))

    assert refused.metadata == {"sequence": str(added.details.sequence)}


@pytest.mark.parametrize(
    "change",
    [updating(password="new"), updating_the_password("new")],
    ids=["update", "update of the password"],
)
async def test_remove_erases_a_password_that_was_stored_while_it_waited(
    admin: Client, sql: asyncpg.Connection, meeting: Meeting, change: Command
) -> None:
    await calls.add(admin)

    await meeting.of(change, then=lambda: calls.remove(admin))

    assert await sql.fetch("select from smtp_configs") == []
    assert await sql.fetch("select from secrets") == []


async def test_remove_is_numbered_after_an_update_that_it_waited_for(
    admin: Client, sql: asyncpg.Connection, meeting: Meeting
) -> None:
    await calls.add(admin)

    removed = await meeting.of(updating(sender_name="Renamed"), then=lambda: calls.remove(admin))

    before_it = await sql.fetchval("""
        select max(sequence) from events
        where event_type = 'smtp_config.changed' and creator = 'operator'""")
    assert removed.details.sequence > before_it


@pytest.mark.parametrize(
    "call",
    [
        calls.remove,
        lambda admin: calls.update(admin, given.smtp_update()),
        lambda admin: calls.update_password(admin, "new"),
    ],
    ids=["remove", "update", "update of the password"],
)
async def test_what_waited_for_a_removal_finds_nothing(
    admin: Client,
    sql: asyncpg.Connection,
    meeting: Meeting,
    call: Callable[[Client], Awaitable[object]],
) -> None:
    await calls.add(admin)

    refused = await meeting.of(removing, then=lambda: given.refusal(call(admin)))

    assert refused.code is grpc.StatusCode.NOT_FOUND
    assert await sql.fetch("select from secrets") == []


async def test_a_password_is_kept_only_for_the_destination_that_is_set_by_then(
    admin: Client, sql: asyncpg.Connection, keyring: Keyring, meeting: Meeting
) -> None:
    await calls.add(admin)

    refused = await meeting.of(
        updating(host="other.example.com:25", password="for-other"),
        then=lambda: given.refusal(calls.update(admin, given.smtp_update())),
    )

    assert refused.reason == "SMTP_PASSWORD_REQUIRED"
    assert await at_rest.password(sql, keyring) == "for-other"


async def test_update_keeps_the_password_that_is_set_by_then(
    admin: Client, sql: asyncpg.Connection, keyring: Keyring, meeting: Meeting
) -> None:
    await calls.add(admin)

    await meeting.of(
        updating_the_password("new"),
        then=lambda: calls.update(admin, given.smtp_update(sender_name="Renamed")),
    )

    assert (await calls.get(admin)).sender_name == "Renamed"
    assert await at_rest.password(sql, keyring) == "new"


async def test_a_new_password_is_for_the_destination_that_is_set_by_then(
    admin: Client, sql: asyncpg.Connection, keyring: Keyring, meeting: Meeting
) -> None:
    await calls.add(admin)

    await meeting.of(
        updating(host="other.example.com:25", password="for-other"),
        then=lambda: calls.update_password(admin, "the last"),
    )

    assert (await calls.get(admin)).host == "other.example.com:25"
    assert await at_rest.password(sql, keyring) == "the last"


async def test_rotation_moves_the_password_that_is_set_by_then(
    admin: Client, sql: asyncpg.Connection, database: Database, keys: list[bytes], meeting: Meeting
) -> None:
    await calls.add(admin)

    rotated = await meeting.of(
        updating(host="other.example.com:25", password="for-other"),
        then=lambda: stored_password.rotate(database, Keyring([NEW_KEY, *keys])),
    )

    assert rotated
    assert await at_rest.password(sql, Keyring([NEW_KEY])) == "for-other"


async def test_rotation_that_waited_for_a_removal_finds_nothing(
    admin: Client, sql: asyncpg.Connection, database: Database, keys: list[bytes], meeting: Meeting
) -> None:
    await calls.add(admin)

    rotated = await meeting.of(
        removing, then=lambda: stored_password.rotate(database, Keyring([NEW_KEY, *keys]))
    )

    assert not rotated
    assert await sql.fetch("select from secrets") == []


@pytest.mark.parametrize(
    ("call", "password"),
    [
        (lambda admin: calls.update(admin, given.smtp_update(sender_name="Renamed")), "old"),
        (lambda admin: calls.update_password(admin, "new"), "new"),
    ],
    ids=["update that keeps it", "update of the password"],
)
async def test_what_waited_for_a_rotation_goes_on_with_its_outcome(
    admin: Client,
    sql: asyncpg.Connection,
    keys: list[bytes],
    meeting: Meeting,
    call: Callable[[Client], Awaitable[object]],
    password: str,
) -> None:
    await calls.add(admin, given.smtp_config(password="old"))

    await meeting.of(rotating(keys), then=lambda: call(admin))

    assert await at_rest.password(sql, Keyring([NEW_KEY, *keys])) == password


async def test_remove_erases_a_password_that_was_rotated_while_it_waited(
    admin: Client, sql: asyncpg.Connection, keys: list[bytes], meeting: Meeting
) -> None:
    await calls.add(admin)

    await meeting.of(rotating(keys), then=lambda: calls.remove(admin))

    assert await sql.fetch("select from secrets") == []


async def test_rotations_and_updates_at_once_lose_no_password(
    admin: Client, sql: asyncpg.Connection, database: Database, keys: list[bytes]
) -> None:
    await calls.add(admin)
    there, back = Keyring([NEW_KEY, *keys]), Keyring([*keys, NEW_KEY])

    async def rotate() -> None:
        for _ in range(20):
            await stored_password.rotate(database, there)
            await stored_password.rotate(database, back)

    async def rename_and_set() -> None:
        for n in range(20):
            await calls.update(admin, given.smtp_update(sender_name=f"Name {n}"))
            await calls.update_password(admin, f"password {n}")

    await asyncio.gather(rotate(), rename_and_set())

    assert await at_rest.password(sql, back) == "password 19"


async def test_whatever_is_done_at_once_on_two_servers_is_consistent(
    make_instance: MakeInstance, make_database: MakeDatabase
) -> None:
    dsn = await make_database()
    rename = given.smtp_update(sender_name="Renamed")
    move = given.smtp_update(host="other.example.com:25", password="for-other")
    back = given.smtp_update(password="mail-password")
    kinds: dict[str, Callable[[Client], Awaitable[object]]] = {
        "smtp_config.added": calls.add,
        "smtp_config.removed": calls.remove,
        "smtp_config.password_changed": lambda admin: calls.update_password(admin, "new"),
        "rename": lambda admin: calls.update(admin, rename),
        "move": lambda admin: calls.update(admin, move),
        "back": lambda admin: calls.update(admin, back),
    }
    ended: Counter[str] = Counter()

    async def repeatedly(name: str, admin: Client) -> None:
        for _ in range(20):
            try:
                await kinds[name](admin)
                ended[name] += 1
            except grpc.aio.AioRpcError as error:
                ended[given.read_refusal(error).reason] += 1

    async with (
        make_instance(dsn=dsn) as one,
        make_instance(dsn=dsn, data_dir=one.data_dir) as two,
    ):
        await asyncio.gather(
            *(repeatedly(name, each.admin) for name in kinds for each in (one, two))
        )

    refusals = {
        "SMTP_CONFIG_ALREADY_EXISTS",
        "SMTP_CONFIG_NOT_FOUND",
        "SMTP_PASSWORD_REQUIRED",
    }
    assert ended.keys() <= kinds.keys() | refusals
    await _assert_consistent(dsn, ended)


async def _assert_consistent(dsn: str, ended: Counter[str]) -> None:
    """One event for each acknowledged command; a configuration has only its own password."""
    sql = await asyncpg.connect(dsn)
    rows = await sql.fetch("select event_type, count(*) as events from events group by event_type")
    events = Counter({row["event_type"]: row["events"] for row in rows})
    for name in ("smtp_config.added", "smtp_config.removed", "smtp_config.password_changed"):
        assert events[name] == ended[name]
    assert events["smtp_config.changed"] <= ended["rename"] + ended["move"] + ended["back"]
    configs = await sql.fetch("select id, password_secret_id from smtp_configs")
    assert len(configs) == ended["smtp_config.added"] - ended["smtp_config.removed"]
    assert await sql.fetch("select aggregate_id, secret_id from secrets") == configs
    await sql.close()
    async with connected(dsn, pool_size=2) as database:
        assert (await rebuild(database, repair=False)).differences == ()
