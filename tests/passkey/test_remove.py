"""RemovePasskey, and the passkeys that RemoveUser removes."""

from secrets import token_bytes

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.passkey.ceremonies import (
    Begun,
    begin,
    expire,
    passkeys,
    register,
    remove,
)
from tests.support import given
from tests.support.given import Client
from tests.user import calls as users


async def test_a_removed_passkey_is_no_longer_listed_or_found(user: Client) -> None:
    kept, removed = await register(user), await register(user)

    await remove(user, removed.passkey_id)

    assert [passkey.passkey_id for passkey in await passkeys(user)] == [kept.passkey_id]
    again = await given.refusal(remove(user, removed.passkey_id))
    assert again.code is grpc.StatusCode.NOT_FOUND


async def test_the_details_are_as_of_the_removal(user: Client, org_id: str) -> None:
    begun = await register(user)
    [passkey] = await passkeys(user)

    details = (await remove(user, begun.passkey_id)).details

    assert details.creation_date == passkey.details.creation_date
    assert details.sequence == details.change_date.ToMicroseconds()
    assert details.sequence > passkey.details.sequence
    assert details.resource_owner == org_id


async def test_the_ceremony_of_a_removed_passkey_cannot_be_completed_again(user: Client) -> None:
    begun = await register(user)
    await remove(user, begun.passkey_id)

    assert await given.outcome(begun.verify()) == "CHALLENGE_USED"
    assert await passkeys(user) == []


@pytest.mark.parametrize("by", ["the same user", "another user"])
async def test_the_credential_of_a_removed_passkey_can_be_registered_again(
    by: str, user: Client, other_user: Client
) -> None:
    credential_id = token_bytes(32)
    begun = await register(user, credential_id=credential_id)

    await remove(user, begun.passkey_id)

    again = user if by == "the same user" else other_user
    await register(again, credential_id=credential_id)
    assert len(await passkeys(again)) == 1


async def test_a_pending_ceremony_ends_by_its_removal(
    begun: Begun, user: Client, org_id: str
) -> None:
    details = (await remove(user, begun.passkey_id)).details

    assert details.creation_date == begun.details.creation_date
    assert details.sequence == details.change_date.ToMicroseconds()
    assert details.resource_owner == org_id
    refused = await given.refusal(begun.verify(by=user))
    assert refused.code is grpc.StatusCode.NOT_FOUND


async def test_a_registration_token_ends_with_its_ceremony(begun: Begun, user: Client) -> None:
    await remove(user, begun.passkey_id)

    refused = await given.refusal(begun.verify(by=begun.token_holder))
    assert refused.code is grpc.StatusCode.UNAUTHENTICATED


async def test_nothing_of_a_pending_ceremony_is_in_the_log(
    begun: Begun, user: Client, rows: asyncpg.Connection
) -> None:
    await remove(user, begun.passkey_id)

    logged = await rows.fetchval(
        "select count(*) from events where payload->>'passkey_id' = $1", begun.passkey_id
    )
    assert logged == 0


async def test_an_expired_ceremony_can_be_removed_too(
    begun: Begun, user: Client, rows: asyncpg.Connection
) -> None:
    await expire(rows, begun)

    await remove(user, begun.passkey_id)

    refused = await given.refusal(begun.verify())
    assert refused.code is grpc.StatusCode.NOT_FOUND


async def test_the_credentials_of_a_removed_user_can_be_registered_by_others(
    admin: Client, user: Client, other_user: Client
) -> None:
    credential_id = token_bytes(32)
    await register(user, credential_id=credential_id)

    await users.remove(admin, user.user_id)

    await register(other_user, credential_id=credential_id)


async def test_the_ceremony_of_a_removed_user_cannot_be_completed(
    admin: Client, org_id: str, user: Client
) -> None:
    manager = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
    begun = await begin(user)

    await users.remove(admin, user.user_id)

    for by, code, reason in (
        (begun.token_holder, grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED"),
        (admin, grpc.StatusCode.NOT_FOUND, "USER_NOT_FOUND"),
        (manager, grpc.StatusCode.PERMISSION_DENIED, "PERMISSION_DENIED"),
    ):
        refused = await given.refusal(begun.verify(by=by))
        assert (refused.code, refused.reason) == (code, reason)
