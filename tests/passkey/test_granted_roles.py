"""After a role is granted, no one with fewer permissions can act as the user."""

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as pb
from tests.passkey.ceremonies import begin
from tests.passkey.conftest import bare_user
from tests.passkey.links import link
from tests.support import given
from tests.support.given import Client
from tests.user import calls

MANAGER, ORG_OWNER, OWNER = (
    pb.ROLE_ORG_USER_MANAGER,
    pb.ROLE_ORG_OWNER,
    pb.ROLE_INSTANCE_OWNER,
)

user = bare_user


@pytest.fixture
async def owner(admin: Client, org_id: str) -> Client:
    """A second instance owner, in the organization of the user."""
    return await given.user(admin, org_id=org_id, roles=[OWNER])


async def holder(maker: Client, of: Client) -> Client:
    """A caller with a token of the user that the maker created."""
    return maker.with_token(await given.token(maker, of.user_id), of.user_id)


# A token of the user that a manager created.


async def test_a_token_that_a_manager_created_ends_at_once_and_by_an_event(
    admin: Client, manager: Client, user: Client, rows: asyncpg.Connection
) -> None:
    held, of_admin = await holder(manager, user), await holder(admin, user)
    assert await calls.is_good(held)  # it is cached now

    granted = await calls.grant(admin, user.user_id, ORG_OWNER, end_foreign=True)

    assert not await calls.is_good(held)
    assert await calls.is_good(of_admin)
    assert len(await given.logged(rows, user.user_id, "user.token_revoked")) == 1
    assert (await calls.get(admin, user.user_id)).details == granted.details


async def test_what_such_a_token_made_for_others_ends_when_they_are_raised(
    admin: Client, manager: Client, user: Client, other_user: Client
) -> None:
    await calls.grant(admin, user.user_id, MANAGER, end_foreign=True)
    by_it = await holder(manager, user)
    of_other = await holder(by_it, other_user)
    by_link = await link(by_it, other_user)
    begun = await begin(by_it, other_user.user_id)
    await calls.grant(admin, user.user_id, OWNER, end_foreign=True)

    await calls.grant(admin, other_user.user_id, ORG_OWNER, end_foreign=True)

    assert not await calls.is_good(of_other)
    assert (await given.refusal(by_link.begin())).code is grpc.StatusCode.UNAUTHENTICATED
    assert (await given.refusal(begun.verify(by=admin))).code is grpc.StatusCode.NOT_FOUND


async def test_a_token_goes_on_for_a_role_that_its_maker_covers(
    admin: Client, manager: Client, user: Client
) -> None:
    held = await holder(manager, user)

    await calls.grant(admin, user.user_id, MANAGER, end_foreign=True)

    assert await calls.is_good(held)


async def test_a_token_goes_on_where_the_user_has_the_role(
    admin: Client, owner: Client, user: Client
) -> None:
    await calls.grant(admin, user.user_id, OWNER, end_foreign=True)
    held = await holder(owner, user)
    await calls.revoke(admin, owner.user_id, OWNER)

    await calls.grant(admin, user.user_id, OWNER, end_foreign=True)

    assert await calls.is_good(held)


async def test_a_token_that_expired_takes_no_event(
    admin: Client, manager: Client, user: Client, rows: asyncpg.Connection
) -> None:
    await holder(manager, user)
    await rows.execute(
        "update tokens set expires_at = clock_timestamp() where user_id = $1", user.user_id
    )

    await calls.grant(admin, user.user_id, OWNER, end_foreign=True)

    assert len(await given.logged(rows, user.user_id, "user.token_revoked")) == 0


@pytest.mark.parametrize("demoted", calls.DEMOTIONS)
async def test_a_maker_counts_by_the_roles_that_it_has_now(
    demoted: str, admin: Client, owner: Client, user: Client
) -> None:
    held, by = await holder(owner, user), await link(owner, user)
    await calls.DEMOTIONS[demoted](admin, owner)

    await calls.grant(admin, user.user_id, MANAGER, end_foreign=True)

    assert not await calls.is_good(held)
    assert (await given.refusal(by.begin())).code is grpc.StatusCode.UNAUTHENTICATED


async def test_a_maker_of_another_organization_has_nothing_in_that_of_the_user(
    admin: Client, user: Client
) -> None:
    outsider = await given.user(admin, roles=[OWNER, ORG_OWNER])
    held = await holder(outsider, user)
    await calls.revoke(admin, outsider.user_id, OWNER)

    await calls.grant(admin, user.user_id, MANAGER, end_foreign=True)

    assert not await calls.is_good(held)
