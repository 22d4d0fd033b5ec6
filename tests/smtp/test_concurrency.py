"""Commands that race: one has been executed but not committed when another is called.

Each statement of PostgreSQL sees the rows that were committed when it began (READ COMMITTED), also
after it has waited for a lock. These tests hold a call at exactly that point.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import asyncpg
import pytest

from server.access.caller import OPERATOR
from server.crypto.keyring import Keyring
from server.smtp import commands, stored_password
from server.store.database import Database, Row, Statements, Transaction
from server.store.refusals import UniqueConflictError
from server.store.statement import Statement
from server.validation.fields import read
from tests.smtp import at_rest, calls
from tests.support import given
from tests.support.given import Client

NEW_KEY = b"new".ljust(32)

Answer = TypeVar("Answer")
Command = Callable[[Statements, Keyring], Awaitable[object]]
Call = Callable[[Client], Awaitable[object]]


def adding(**fields: Any) -> Command:
    command = read(commands.AddSMTPConfig, given.smtp_config(**fields))
    return lambda database, keyring: commands.add(
        database, keyring, command, actor=OPERATOR, organization_id=""
    )


def updating(*, password: str | None = None, **fields: Any) -> Command:
    request = given.smtp_update(**fields)
    command = read(commands.UpdateSMTPConfig, request, password=password)
    return lambda database, keyring: commands.update(
        database, keyring, command, actor=OPERATOR, organization_id=""
    )


def updating_the_password(password: str) -> Command:
    command = commands.UpdateSMTPConfigPassword.model_validate({"password": password})
    return lambda database, keyring: commands.update_password(
        database, keyring, command, actor=OPERATOR, organization_id=""
    )


async def removing(database: Statements, _keyring: Keyring) -> None:
    await commands.remove(database, actor=OPERATOR, organization_id="")


def updated(admin: Client) -> Awaitable[object]:
    return calls.update(admin, given.smtp_update())


def set_password(admin: Client) -> Awaitable[object]:
    return calls.update_password(admin, "new")


def rotating(keys: list[bytes]) -> Command:
    async def rotate(database: Statements, _keyring: Keyring) -> None:
        assert await stored_password.rotate(database, Keyring([NEW_KEY, *keys]), "")

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


@dataclass(frozen=True)
class Race:
    """Commands that have been executed when another is called, and the outcome."""

    first: Sequence[Command]
    second: Call
    # Of the refusal of the second, if it is refused.
    reason: str = ""
    # Stored afterwards; None: no configuration is left.
    password: str | None = None
    # Further columns of the configuration afterwards.
    columns: Mapping[str, object] = field(default_factory=dict)
    is_committed: bool = True
    is_set_before: bool = True


_ADD = given.smtp_config(password="of-the-winner")
_RENAME = given.smtp_update(sender_name="Renamed")
_MOVED = updating(host="other.example.com:25", password="for-other")
_RACES = {
    "an addition loses against a committed one": Race(
        [adding(password="old")],
        calls.add,
        "SMTP_CONFIG_ALREADY_EXISTS",
        "old",
        is_set_before=False,
    ),
    "an addition wins against one that is rolled back": Race(
        [adding()],
        lambda admin: calls.add(admin, _ADD),
        password="of-the-winner",
        is_committed=False,
        is_set_before=False,
    ),
    "an addition wins against one that is removed until it is committed": Race(
        [adding(), removing],
        lambda admin: calls.add(admin, _ADD),
        password="of-the-winner",
        is_set_before=False,
    ),
    "a removal erases the password of an update": Race([updating(password="new")], calls.remove),
    "a removal erases a new password": Race([updating_the_password("new")], calls.remove),
    "a removal after a removal": Race([removing], calls.remove, "SMTP_CONFIG_NOT_FOUND"),
    "an update after a removal": Race([removing], updated, "SMTP_CONFIG_NOT_FOUND"),
    "a new password after a removal": Race([removing], set_password, "SMTP_CONFIG_NOT_FOUND"),
    "a password is kept only for the present server": Race(
        [_MOVED], updated, "SMTP_PASSWORD_REQUIRED", "for-other"
    ),
    "an update keeps the present password": Race(
        [updating_the_password("newer")],
        lambda admin: calls.update(admin, _RENAME),
        password="newer",
        columns={"sender_name": "Renamed"},
    ),
    "a new password is for the present server": Race(
        [_MOVED], set_password, password="new", columns={"host": "other.example.com:25"}
    ),
}


@pytest.mark.parametrize("race", [pytest.param(each, id=name) for name, each in _RACES.items()])
async def test_a_call_that_waited_obeys_the_outcome_of_the_first(
    admin: Client, sql: asyncpg.Connection, keyring: Keyring, meeting: Meeting, race: Race
) -> None:
    if race.is_set_before:
        await calls.add(admin, given.smtp_config(password="old"))
    latest = "select coalesce(max(sequence), 0) from events where creator = 'operator'"

    if race.reason:
        refused = await meeting.of(*race.first, then=lambda: given.refusal(race.second(admin)))
        assert refused.reason == race.reason
        if refused.reason == "SMTP_CONFIG_ALREADY_EXISTS":
            sequence = await sql.fetchval("select sequence from smtp_configs")
            assert refused.metadata == {"sequence": str(sequence)}
    else:
        run = meeting.of if race.is_committed else meeting.of_undone
        answer: Any = await run(*race.first, then=lambda: race.second(admin))
        assert answer.details.sequence > await sql.fetchval(latest)

    configs = await sql.fetch("select * from smtp_configs")
    if race.password is None:
        assert configs == await at_rest.secrets(sql) == []
    else:
        assert await at_rest.password(sql, keyring) == race.password
        assert race.columns.items() <= dict(configs[0]).items()


@pytest.mark.parametrize(
    ("first", "is_rotated", "password"),
    [(_MOVED, True, "for-other"), (removing, False, None)],
    ids=["a move", "a removal"],
)
async def test_a_rotation_that_waited_moves_the_present_password(
    admin: Client,
    sql: asyncpg.Connection,
    database: Database,
    keys: list[bytes],
    meeting: Meeting,
    first: Command,
    is_rotated: bool,
    password: str | None,
) -> None:
    await calls.add(admin)

    rotated = await meeting.of(
        first, then=lambda: stored_password.rotate(database, Keyring([NEW_KEY, *keys]), "")
    )

    assert rotated is is_rotated
    if password is None:
        assert await at_rest.secrets(sql) == []
    else:
        assert await at_rest.password(sql, Keyring([NEW_KEY])) == password


@pytest.mark.parametrize(
    ("call", "password"),
    [
        (lambda admin: calls.update(admin, _RENAME), "old"),
        (set_password, "new"),
        (calls.remove, None),
    ],
    ids=["an update that keeps it", "a new password", "a removal"],
)
async def test_a_call_that_waited_for_a_rotation_uses_its_outcome(
    admin: Client,
    sql: asyncpg.Connection,
    keys: list[bytes],
    meeting: Meeting,
    call: Call,
    password: str | None,
) -> None:
    await calls.add(admin, given.smtp_config(password="old"))

    await meeting.of(rotating(keys), then=lambda: call(admin))

    if password is None:
        assert await at_rest.secrets(sql) == []
    else:
        assert await at_rest.password(sql, Keyring([NEW_KEY, *keys])) == password


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
