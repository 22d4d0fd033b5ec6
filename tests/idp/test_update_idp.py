"""UpdateIDP replaces all fields, in the organization that owns the identity provider."""

import asyncio
from typing import Any

import asyncpg
import grpc
import pytest

from keystead.idp.v1 import identity_provider_service_pb2 as pb
from tests.idp import calls
from tests.support import given
from tests.support.given import Client, Instance

_ALL = {"name": "Other", "styling_type": pb.STYLING_TYPE_PROVIDER, "auto_register": True}


@pytest.mark.parametrize(
    ("before", "after"), [({}, _ALL), (_ALL, {"name": "Renamed"})], ids=["all sent", "some sent"]
)
async def test_every_field_is_replaced_by_what_is_sent_or_emptied(
    admin: Client, before: dict[str, Any], after: dict[str, Any]
) -> None:
    idp_id = await given.idp(admin, **before)

    await calls.update(admin, idp_id, **after)

    empty = {"styling_type": pb.STYLING_TYPE_UNSPECIFIED, "auto_register": False}
    assert await calls.fields(admin, idp_id) == tuple({**_ALL, **empty, **after}.values())


async def test_a_call_that_changes_nothing_adds_no_event_and_returns_the_details_as_they_were(
    admin: Client, sql: asyncpg.Connection
) -> None:
    added = await calls.add(admin, name="Same", styling_type=pb.STYLING_TYPE_PROVIDER)
    idp_id = added.idp_id

    updated = await calls.update(admin, idp_id, name="Same", styling_type=pb.STYLING_TYPE_PROVIDER)

    assert updated.details == added.details
    assert len(await given.logged(sql, idp_id)) == 1


@pytest.mark.parametrize(
    "field",
    [
        {"name": "Other"},
        {"name": "same"},
        {"name": "Same "},
        {"styling_type": pb.STYLING_TYPE_UNSPECIFIED},
        {"auto_register": False},
    ],
    ids=["name", "case of the name", "space in the name", "styling_type", "auto_register"],
)
async def test_a_call_that_changes_one_field_is_a_change(
    admin: Client, field: dict[str, object]
) -> None:
    before = {"name": "Same", "styling_type": pb.STYLING_TYPE_PROVIDER, "auto_register": True}
    added = await calls.add(admin, **before)

    updated = await calls.update(admin, added.idp_id, **before | field)

    assert updated.details.sequence > added.details.sequence


async def test_every_wrong_field_is_named(admin: Client) -> None:
    refused = await given.refusal(calls.update(admin, "", name="a\0b", styling_type=7))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {"idpId", "name", "stylingType"}


async def test_concurrent_updates_are_all_kept_and_numbered_apart(
    admin: Client, sql: asyncpg.Connection
) -> None:
    idp_id = await given.idp(admin)

    updates = await asyncio.gather(
        *(calls.update(admin, idp_id, name=f"Name {n}") for n in range(40))
    )

    sequences = [update.details.sequence for update in updates]
    assert len(set(sequences)) == 40
    assert len(await given.logged(sql, idp_id)) == 41
    idp = await calls.get(admin, idp_id)
    assert idp.details.sequence == max(sequences)
    assert idp.name == f"Name {sequences.index(max(sequences))}"
    assert (await given.logged(sql, idp_id))[-1]["payload"]["name"] == idp.name


async def test_an_update_that_waited_for_the_removal_finds_nothing(
    instance: Instance, admin: Client, sql: asyncpg.Connection
) -> None:
    idp_id = await given.idp(admin)

    async with given.locked_idp(instance.dsn, idp_id) as removal:
        update = asyncio.ensure_future(given.refusal(calls.update(admin, idp_id, name="Late")))
        await given.waiting_for_a_lock(sql)
        await removal.execute("delete from idps where id = $1", idp_id)

    assert (await update).code is grpc.StatusCode.NOT_FOUND
    assert len(await given.logged(sql, idp_id)) == 1


async def test_an_update_that_waited_for_the_same_update_changes_nothing(
    instance: Instance, admin: Client, sql: asyncpg.Connection
) -> None:
    idp_id = await given.idp(admin)

    async with given.locked_idp(instance.dsn, idp_id):
        updates = [
            asyncio.ensure_future(calls.update(admin, idp_id, name="Renamed")) for _ in range(2)
        ]
        await given.waiting_for_a_lock(sql, statements=2)

    first, second = await asyncio.gather(*updates)
    assert first.details == second.details
    assert len(await given.logged(sql, idp_id)) == 2
