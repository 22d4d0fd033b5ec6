"""The follower: each event is considered once, whatever is killed."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from server.access.caller import OPERATOR
from server.crypto.keyring import EncryptionKeyError, Keyring
from server.event.disclosure import EVENTS
from server.group import commands as group_commands
from server.log.positions import assign
from server.push import commands, follower, leases, signing_secrets
from server.push.delivery_store import NewDelivery
from server.push.follower import PushFollower
from server.push.logout import LogoutTokens
from server.push.signing_secrets import SecretKind
from server.signing.signer import Signer
from server.store.database import Database, connected
from server.store.statement import statement
from server.validation.fields import read
from tests.support import given
from tests.support.databases import MakeDatabase

_KEYRING = Keyring([bytes(32)])


@pytest.fixture
async def database(make_database: MakeDatabase) -> AsyncIterator[Database]:
    """A database with an organization's subscription to its groups."""
    dsn = await make_database()
    await given.accept_every_key(dsn)
    async with given.sql(dsn) as sql:
        await given.claims_of_organizations(sql, "org", "other organization")
        await sql.execute("insert into organizations values ('org', 'Org', false, 1, now(), now())")
    async with connected(dsn, pool_size=8) as database:
        await _subscribe(database)
        yield database


async def _subscribe(database: Database, *event_types: str) -> str:
    fields = {"name": "All", "url": "https://example.com/", "event_types": event_types}
    command = read(
        commands.CreateSubscription, {"subscription": fields, "secret_kind": SecretKind.HMAC}
    )
    subscription_id, _, _ = await commands.add(
        database, _KEYRING, command, actor=OPERATOR, organization_id="org"
    )
    return subscription_id


async def _add_group(database: Database, name: str, organization_id: str = "org") -> str:
    command = read(group_commands.CreateGroup, {"name": name, "display_name": ""})
    group_id, _ = await group_commands.add(
        database, command, actor=OPERATOR, organization_id=organization_id
    )
    return group_id


def _follower(database: Database, woken: list[bool] | None = None) -> PushFollower:
    logouts = LogoutTokens(
        database,
        signer=Signer(database, _KEYRING),
        issuer="https://id.example.com",
        events=EVENTS.values(),
    )
    wake = (lambda: None) if woken is None else (lambda: woken.append(True))
    return PushFollower(database, logouts=logouts, wake=wake)


async def _written(database: Database) -> Sequence[Any]:
    return await database.fetch(_ALL)


async def test_each_event_has_a_delivery_and_one_only(database: Database) -> None:
    woken: list[bool] = []
    followers = [_follower(database, woken) for _ in range(4)]
    groups = [await _add_group(database, f"group-{n}") for n in range(5)]
    await _add_group(database, "elsewhere", "other organization")
    last = await assign(database)

    await asyncio.gather(*(each.advance(last) for each in followers))
    await asyncio.gather(*(each.advance(last) for each in followers))

    rows = await _written(database)
    assert [row["event_type"] for row in rows[:2]] == [
        "subscription.added",
        "subscription.secret_created",
    ]
    assert [row["aggregate_id"] for row in rows[2:]] == groups
    assert woken == [True]
    await _add_group(database, "later")
    assert not await _follows(followers[0], last, database)
    assert await _follows(followers[1], await assign(database), database)


async def _follows(follower: PushFollower, last: int, database: Database) -> bool:
    """Whether the follower writes deliveries."""
    before = len(await _written(database))
    await follower.advance(last)
    return len(await _written(database)) > before


async def test_a_killed_follower_loses_nothing_and_repeats_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _add_group(database, "engineering")
    last = await assign(database)
    add = leases.add
    written: list[NewDelivery] = []

    async def be_killed(transaction: Any, deliveries: Sequence[NewDelivery]) -> None:
        await add(transaction, deliveries)
        written.extend(deliveries)
        raise ConnectionError

    monkeypatch.setattr(leases, "add", be_killed)
    with pytest.raises(ConnectionError):
        await _follower(database).advance(last)
    assert await _written(database) == []
    monkeypatch.setattr(leases, "add", add)

    await _follower(database).advance(last)

    # The same events have the same IDs.
    rows = await _written(database)
    assert [row["delivery_id"] for row in rows] == [each.delivery_id for each in written]


async def test_many_events_are_written_in_pages(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "_PAGE", 3)
    groups = [await _add_group(database, f"group-{n}") for n in range(7)]

    await _follower(database).advance(await assign(database))

    assert [row["aggregate_id"] for row in await _written(database)][-7:] == groups


async def test_large_deliveries_are_written_in_smaller_pages(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise 32 changes of an application, for 100 subscriptions, stop all pushes for good."""
    monkeypatch.setattr(follower, "_MOST_BYTES", 1_500)
    pages: list[Sequence[NewDelivery]] = []
    add = leases.add

    async def observed(transaction: Any, deliveries: Sequence[NewDelivery]) -> None:
        pages.append(deliveries)
        await add(transaction, deliveries)

    monkeypatch.setattr(leases, "add", observed)
    for _ in range(4):
        await _subscribe(database)
    groups = [await _add_group(database, f"group-{n}") for n in range(5)]

    await _follower(database).advance(await assign(database))

    of_groups = [row["aggregate_id"] for row in await _written(database)][-5 * len(groups) :]
    assert of_groups == [each for each in groups for _ in range(5)]
    large = [page for page in pages if sum(len(each.payload) for each in page) > 1_500]
    assert len(large) >= len(groups)
    assert all(len({each.position for each in page}) == 1 for page in large)
    assert len(pages) > len(large)  # of several events


async def test_a_subscription_gets_no_event_before_it(database: Database) -> None:
    await _add_group(database, "before")
    subscription_id = await _subscribe(database, "group.added")
    after = await _add_group(database, "after")

    await _follower(database).advance(await assign(database))

    rows = await _written(database)
    assert [row["aggregate_id"] for row in rows if row["target_id"] == subscription_id] == [after]


async def test_a_follower_goes_on_after_a_failover_to_an_older_database(
    database: Database,
) -> None:
    one = _follower(database)
    await one.advance(await assign(database))
    lost = await _add_group(database, "lost")
    last = await assign(database)
    await one.advance(last)
    # The standby has neither the event nor its delivery nor the position.
    for sql in _FORGET:
        await database.fetch(sql, aggregate_id=lost)

    await one.advance(last - 1)
    kept = await _add_group(database, "kept")
    await one.advance(await assign(database))

    assert [row["aggregate_id"] for row in await _written(database)][-1] == kept


async def test_rotation_puts_secrets_under_the_first_key(database: Database) -> None:
    await _subscribe(database, "group.added")
    new = Keyring([bytes([1]) * 32, bytes(32)])

    assert await signing_secrets.rotate_secrets(database, new) == 2
    assert await signing_secrets.rotate_secrets(database, new) == 0

    only_new = Keyring([bytes([1]) * 32])
    assert [each async for each in signing_secrets.unreadable(database, only_new)] == []
    broken = [each async for each in signing_secrets.unreadable(database, _KEYRING)]
    assert len(broken) == 2
    with pytest.raises(EncryptionKeyError):
        await signing_secrets.rotate_secrets(database, Keyring([bytes([2]) * 32]))


_ALL = statement("select * from push_deliveries order by position, target_id")
_FORGET = [
    statement("delete from push_deliveries where aggregate_id = :aggregate_id"),
    statement("delete from event_positions where aggregate_id = :aggregate_id"),
    statement("update push_position set position = position - 1 where :aggregate_id <> ''"),
    statement("update last_event_position set position = position - 1 where :aggregate_id <> ''"),
]
