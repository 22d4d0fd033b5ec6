"""Pending ceremonies and links end with the token, the role or the user that began them.

They are in no list, so a revocation would otherwise miss them, and a lasting passkey could follow.
"""

from collections.abc import Awaitable, Callable

import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.passkey.ceremonies import Begun, begin, passkeys
from tests.support import given
from tests.support.given import Client, Refusal
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


async def refusals(admin: Client, begun: Begun) -> tuple[Refusal, Refusal]:
    """The refusals of the ceremony: for its registration token, and for a caller who may see it."""
    by_token = await given.refusal(begun.verify(by=begun.token_holder))
    return by_token, await given.refusal(begun.verify(by=admin))


async def assert_ended(admin: Client, begun: Begun) -> None:
    by_token, by_admin = await refusals(admin, begun)
    assert by_token.code is grpc.StatusCode.UNAUTHENTICATED
    assert (by_admin.code, by_admin.reason) == (grpc.StatusCode.NOT_FOUND, "PASSKEY_NOT_FOUND")
    assert begun.passkey_id not in {
        passkey.passkey_id for passkey in await passkeys(admin, begun.user_id)
    }


# A ceremony that was begun with a token.


async def test_a_ceremony_of_a_user_whose_token_is_revoked_ends(
    admin: Client, user: Client
) -> None:
    begun = await begin(user)

    await revoke_token(admin, user)

    await assert_ended(admin, begun)


@pytest.mark.parametrize("end", REVOCATIONS.values(), ids=REVOCATIONS)
async def test_a_ceremony_that_a_manager_began_ends_with_the_rights_of_the_manager(
    end: Change, admin: Client, manager: Client, user: Client
) -> None:
    begun = [await begin(manager, user.user_id) for _ in range(2)]

    await end(admin, manager)

    for each in begun:
        await assert_ended(admin, each)


async def test_a_ceremony_that_somebody_else_began_ends_when_its_user_is_granted_a_role(
    admin: Client, manager: Client, user: Client
) -> None:
    begun = await begin(manager, user.user_id)

    await grant_role(admin, user)

    await assert_ended(admin, begun)


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


@pytest.mark.parametrize("end", REVOCATIONS.values(), ids=REVOCATIONS)
async def test_a_ceremony_that_was_completed_says_so_and_leaves_its_passkey(
    end: Change, admin: Client, manager: Client, user: Client
) -> None:
    begun = await begin(manager, user.user_id)
    await begun.verify()

    await end(admin, manager)

    for refused in await refusals(admin, begun):
        assert refused.reason == "CHALLENGE_USED"
    [passkey] = await passkeys(admin, user.user_id)
    assert (passkey.passkey_id, passkey.began_by) == (begun.passkey_id, manager.user_id)
