"""CreateIDP, GetIDP, ListIDPs and RemoveIDP, and the details in their answers."""

import asyncpg
import grpc

from keystead.common.v1 import details_pb2
from keystead.idp.v1 import identity_provider_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.idp import calls
from tests.support import given
from tests.support.given import Client


def _microseconds(details: details_pb2.Details) -> int:
    return details.change_date.ToMicroseconds()


async def test_what_was_added_is_read_back(admin: Client) -> None:
    added = await calls.add(
        admin, name="Added", styling_type=pb.STYLING_TYPE_PROVIDER, auto_register=True
    )

    assert await calls.get(admin, added.idp_id) == pb.IDP(
        idp_id=added.idp_id,
        details=added.details,
        name="Added",
        styling_type=pb.STYLING_TYPE_PROVIDER,
        auto_register=True,
    )


async def test_two_may_have_the_same_name(admin: Client) -> None:
    first, second = await calls.add(admin, name="Same"), await calls.add(admin, name="Same")

    assert first.idp_id != second.idp_id


async def test_every_wrong_field_of_a_new_one_is_named(admin: Client) -> None:
    refused = await given.refusal(calls.add(admin, name="", styling_type=2))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {"name", "stylingType"}


async def test_the_list_has_those_of_the_organization_oldest_first(admin: Client) -> None:
    owner = await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER])
    idp_ids = [(await calls.add(owner)).idp_id for _ in range(3)]
    await given.idp(admin)

    listed = await owner.call(owner.idps.ListIDPs, pb.ListIDPsRequest())

    assert [idp.idp_id for idp in listed.idps] == idp_ids
    assert listed.idps[0] == await calls.get(owner, idp_ids[0])


async def test_of_concurrent_removals_one_succeeds(admin: Client, sql: asyncpg.Connection) -> None:
    idp_id = await given.idp(admin)

    ended = await given.outcomes(calls.remove(admin, idp_id) for _ in range(10))

    assert ended == {"OK": 1, "IDP_NOT_FOUND": 9}
    assert len(await given.logged(sql, idp_id, "idp.removed")) == 1


async def test_an_update_comes_before_the_removal_or_finds_nothing(
    admin: Client, sql: asyncpg.Connection
) -> None:
    idp_ids = [await given.idp(admin) for _ in range(20)]

    ended = await given.outcomes(
        call
        for idp_id in idp_ids
        for call in (calls.update(admin, idp_id, name="New"), calls.remove(admin, idp_id))
    )

    assert ended.keys() <= {"OK", "IDP_NOT_FOUND"}
    last = """
        select distinct on (aggregate_id) event_type from events where aggregate_id = any($1)
        order by aggregate_id, sequence desc"""
    types = [row["event_type"] for row in await sql.fetch(last, idp_ids)]
    assert types == ["idp.removed"] * 20


async def test_the_details_are_those_of_the_removal(admin: Client) -> None:
    added = await calls.add(admin)

    removed = await calls.remove(admin, added.idp_id)

    assert removed.details.sequence > added.details.sequence
    assert removed.details.creation_date == added.details.creation_date
    assert _microseconds(removed.details) == removed.details.sequence


async def test_all_details_of_a_new_provider_tell_of_its_first_event(admin: Client) -> None:
    org_id = await given.organization(admin)
    owner = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])

    details = (await calls.add(owner)).details

    assert details.sequence == _microseconds(details)
    assert details.creation_date == details.change_date
    assert details.resource_owner == org_id


async def test_an_update_keeps_the_creation_date_and_the_owner(admin: Client) -> None:
    added = await calls.add(admin)

    updated = await calls.update(admin, added.idp_id, name="Renamed")

    assert updated.details.sequence == _microseconds(updated.details)
    assert updated.details.sequence > added.details.sequence
    assert updated.details.creation_date == added.details.creation_date
    assert updated.details.resource_owner == added.details.resource_owner


async def test_a_sequence_from_the_future_is_followed_by_the_next_number(
    admin: Client, sql: asyncpg.Connection
) -> None:
    """As if the clock of the database was set back, or two events had the same microsecond."""
    idp_id = await given.idp(admin)
    future = 10**15 * 4
    await sql.execute("update idps set sequence = $2 where id = $1", idp_id, future)

    first = (await calls.update(admin, idp_id, name="First")).details
    second = (await calls.update(admin, idp_id, name="Second")).details

    assert (first.sequence, second.sequence) == (future + 1, future + 2)
    assert (_microseconds(first), _microseconds(second)) == (future + 1, future + 2)
