"""Notices to the old address when an email address is replaced or removed."""

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from keystead.user.v1 import user_service_pb2 as pb
from tests.cli.words import done
from tests.passkey import ceremonies, links
from tests.support import given, process
from tests.support.given import Client, Instance
from tests.user import addresses, calls
from tests.user.conftest import InTurn


async def _mails(sql: asyncpg.Connection, user: Client) -> Sequence[Any]:
    return await sql.fetch("select * from mails where user_id = $1 order by mail_id", user.user_id)


async def _told(sql: asyncpg.Connection, user: Client) -> list[tuple[str, str]]:
    """The notices in their order: recipient and content."""
    return [(mail["kind"], mail["recipient_address"]) for mail in await _mails(sql, user)]


async def _changes(sql: asyncpg.Connection, user: Client) -> Counter[str]:
    """The number of changes of which each address is notified, in one mail or several."""
    changes: Counter[str] = Counter()
    for mail in await _mails(sql, user):
        further = json.loads(mail["parameters"])["further_count"]
        changes[mail["recipient_address"]] += 1 + int(further or 0)
    return changes


async def _move(by: Client, user: Client, *to: str) -> None:
    """Changes the address, to one after the other."""
    for address in to:
        await calls.patch(by, user.user_id, ["email"], email=address)


async def test_the_old_address_is_told_of_which_user_and_not_of_the_new_one(
    admin: Client, sql: asyncpg.Connection
) -> None:
    user = await addresses.user(admin, user_name="ada", email=(old := addresses.unused()))
    new = addresses.unused()

    await calls.patch(admin, user.user_id, ["*"], display_name="Countess", email=new)

    [mail] = await _mails(sql, user)
    assert (mail["kind"], mail["reference"]) == ("email_changed", user.user_id)
    assert (mail["recipient_address"], mail["recipient_name"]) == (old, "Ada")
    assert json.loads(mail["parameters"]) == {"user_name": "ada", "further_count": ""}
    assert new not in str(mail)


async def test_a_change_by_the_command_line_is_told(
    instance: Instance, admin: Client, sql: asyncpg.Connection
) -> None:
    name = f"org {uuid4().hex}"
    org_id = await given.organization(admin, name=name)
    old = addresses.unused()
    user_id = (await calls.create(admin, org_id=org_id, user_name="ada", email=old)).user_id

    await done(
        process.keystead(
            *("user", "set", "ada", "--email", addresses.unused(), "--org", name),
            data_dir=instance.data_dir,
            database_url=instance.dsn,
        )
    )

    assert await _told(sql, admin.with_token("", user_id)) == [("email_changed", old)]


@pytest.mark.parametrize(
    ("old", "new", "is_told"),
    [
        ("removed@example.com", "", True),
        ("other.case@example.com", "OTHER.CASE@example.com", True),
        ("", "first@example.com", False),
    ],
)
async def test_an_address_that_is_replaced_or_removed_is_told(
    admin: Client, sql: asyncpg.Connection, old: str, new: str, is_told: bool
) -> None:
    user = await addresses.user(admin, email=old)

    await _move(admin, user, new)

    assert await _told(sql, user) == ([("email_changed", old)] if is_told else [])


async def test_a_removed_user_is_told_nothing_more(admin: Client, sql: asyncpg.Connection) -> None:
    user = await addresses.user(admin)
    await _move(admin, user, addresses.unused())

    await calls.remove(admin, user.user_id)

    assert await addresses.mails(sql, user) == [("email_changed", "cancelled", False)]


async def test_a_token_of_a_manager_that_was_stolen_takes_nobody_over_in_silence(
    admin: Client, sql: asyncpg.Connection, org_id: str
) -> None:
    thief = await given.user(admin, org_id=org_id, roles=[pb.ROLE_ORG_USER_MANAGER])
    old, new = addresses.unused(), addresses.unused()
    user_id = (await calls.create(admin, org_id=org_id, email=old)).user_id
    user = admin.with_token("", user_id)

    await _move(thief, user, new)
    await links.create(thief, user, send=True)
    await (await links.link(thief, user)).register()

    assert await _told(sql, user) == [
        ("email_changed", old),
        ("passkey_registration_link", new),
        ("passkey_added", new),
    ]


async def test_an_address_is_told_how_often_it_was_replaced(
    admin: Client, sql: asyncpg.Connection
) -> None:
    user = await addresses.user(admin, email=(first := addresses.unused()))
    second = addresses.unused()

    await _move(admin, user, second, first, second, first, addresses.unused())

    assert await _changes(sql, user) == {first: 3, second: 2}


async def test_a_new_passkey_and_a_changed_address_are_both_told(
    admin: Client, sql: asyncpg.Connection
) -> None:
    user = await addresses.user(admin, email=(old := addresses.unused()))

    await ceremonies.register(user)
    await _move(admin, user, new := addresses.unused(), old)
    await ceremonies.register(user)

    assert Counter(await _told(sql, user)) >= Counter(
        [("passkey_added", old), ("email_changed", old), ("email_changed", new)]
    )


async def test_of_changes_at_once_each_is_told_to_the_address_that_it_replaced(
    admin: Client, sql: asyncpg.Connection
) -> None:
    user = await addresses.user(admin, email=(first := addresses.unused()))
    others = [addresses.unused() for _ in range(10)]

    await asyncio.gather(*(_move(admin, user, address) for address in others))

    [last] = {first, *others} - {address for _, address in await _told(sql, user)}
    assert (await calls.whoami(user)).email == last
    assert await _changes(sql, user) == Counter({first, *others} - {last})


async def test_the_same_change_at_once_is_told_once(admin: Client, sql: asyncpg.Connection) -> None:
    user = await addresses.user(admin, email=(old := addresses.unused()))
    new = addresses.unused()

    await asyncio.gather(*(_move(admin, user, new) for _ in range(20)))

    assert await _changes(sql, user) == {old: 1}


@pytest.mark.parametrize("change_first", [True, False])
async def test_a_new_passkey_is_told_to_the_address_of_its_moment(
    admin: Client,
    elsewhere: Client,
    sql: asyncpg.Connection,
    in_turn: InTurn,
    change_first: bool,
) -> None:
    user = await addresses.user(admin, email=(old := addresses.unused()))
    begun, new = await ceremonies.begin(user), addresses.unused()
    made = [lambda: _move(elsewhere, user, new), begun.verify]

    await in_turn(user, *(made if change_first else reversed(made)))

    assert Counter(await _told(sql, user)) == Counter(
        [("email_changed", old), ("passkey_added", new if change_first else old)]
    )


async def test_a_change_that_is_given_up_tells_nobody(
    admin: Client, sql: asyncpg.Connection, holder: asyncpg.Connection
) -> None:
    user = await addresses.user(admin)
    async with holder.transaction():
        await holder.execute("select from users where id = $1 for update", user.user_id)
        moving = asyncio.ensure_future(_move(admin, user, addresses.unused()))
        await given.waiting_for_a_lock(sql)
        moving.cancel()
        await given.nothing_waiting_for_a_lock(sql)

    assert await _told(sql, user) == []
