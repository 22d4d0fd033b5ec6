"""Ceremonies that go on although a token, a role or a user of another ends.

`test_orders.py` has those that end: they are in no list, so a revocation would otherwise miss them.
"""

from collections.abc import Awaitable, Callable

import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.passkey.ceremonies import begin
from tests.support import given
from tests.support.given import Client
from tests.user import calls

Change = Callable[[Client, Client], Awaitable[object]]

MANAGER, OWNER = user_pb.ROLE_ORG_USER_MANAGER, user_pb.ROLE_INSTANCE_OWNER


async def revoke_token(admin: Client, of: Client) -> None:
    [token] = await calls.tokens(admin, of.user_id)
    await calls.revoke_token(admin, of.user_id, token.token_id)


def revoke_role(admin: Client, of: Client) -> Awaitable[object]:
    return calls.revoke(admin, of.user_id, MANAGER)


def remove_user(admin: Client, of: Client) -> Awaitable[object]:
    return calls.remove(admin, of.user_id)


def grant_role(admin: Client, to: Client) -> Awaitable[object]:
    return calls.grant(admin, to.user_id, OWNER, end_foreign=True)


REVOCATIONS = {
    "token revoked": revoke_token,
    "role revoked": revoke_role,
    "user removed": remove_user,
}


@pytest.fixture
async def other_manager(admin: Client, org_id: str) -> Client:
    """A second manager."""
    return await given.user(admin, org_id=org_id, roles=[MANAGER])


@pytest.mark.parametrize("end", REVOCATIONS.values(), ids=REVOCATIONS)
async def test_a_ceremony_that_another_began_goes_on(
    end: Change, admin: Client, manager: Client, other_manager: Client, user: Client
) -> None:
    own, others = await begin(user), await begin(other_manager, user.user_id)

    await end(admin, manager)

    await own.verify()
    await others.verify()


async def test_a_ceremony_of_the_user_itself_goes_on_when_it_is_granted_a_role(
    admin: Client, user: Client, other_user: Client, manager: Client
) -> None:
    own, of_another = await begin(user), await begin(manager, other_user.user_id)

    await grant_role(admin, user)

    await own.verify()
    await of_another.verify()


async def test_a_ceremony_goes_on_where_nothing_is_revoked_or_granted(
    admin: Client, manager: Client, user: Client
) -> None:
    own, begun = await begin(manager), await begin(manager, user.user_id)

    await calls.grant(admin, manager.user_id, MANAGER)
    await calls.revoke(admin, manager.user_id, user_pb.ROLE_ORG_OWNER)
    await given.refusal(calls.revoke_token(admin, manager.user_id, "none"))

    await own.verify()
    await begun.verify()
