"""RenamePasskey."""

import grpc
import pytest

from keystead.passkey.v1 import passkey_service_pb2 as pb
from tests.passkey.ceremonies import begin, passkeys, register, rename
from tests.support import given
from tests.support.given import Client
from tests.user import calls as users


async def test_the_passkey_has_the_new_name_and_nothing_else_of_it_changes(user: Client) -> None:
    kept, begun = await register(user), await register(user)
    [_, before] = await passkeys(user)

    details = (await rename(user, begun.passkey_id, "Old phone")).details

    [other, after] = await passkeys(user)
    assert (other.passkey_id, other.name) == (kept.passkey_id, "Key")
    assert (after.name, after.details) == ("Old phone", details)
    after.name = before.name
    after.details.CopyFrom(before.details)
    assert after == before


async def test_the_details_are_as_of_the_renaming(user: Client, org_id: str) -> None:
    begun = await register(user)
    [before] = await passkeys(user)

    details = (await rename(user, begun.passkey_id, "Old phone")).details

    assert details.creation_date == before.details.creation_date
    assert details.sequence == details.change_date.ToMicroseconds()
    assert details.sequence > before.details.sequence
    assert details.resource_owner == org_id


async def test_the_same_name_again_changes_nothing(user: Client, admin: Client) -> None:
    begun, _later = await register(user), await register(user)
    [before, _] = await passkeys(user)
    owner = await users.get(admin, user.user_id)

    details = (await rename(user, begun.passkey_id, "Key")).details

    assert details == before.details
    assert (await passkeys(user))[0] == before
    assert await users.get(admin, user.user_id) == owner


@pytest.mark.parametrize("name", ["", "x" * 201, "a\u202eb"])
async def test_a_name_that_cannot_be_is_refused(user: Client, name: str) -> None:
    begun = await register(user)

    refused = await given.refusal(rename(user, begun.passkey_id, name))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {"name"}


async def test_every_wrong_field_is_named(user: Client) -> None:
    request = pb.RenamePasskeyRequest(user_id=user.user_id)

    refused = await given.refusal(user.call(user.passkeys.RenamePasskey, request))

    assert refused.violations.keys() == {"passkeyId", "name"}


async def test_one_that_is_only_begun_is_not_found(user: Client) -> None:
    begun = await begin(user)

    refused = await given.refusal(rename(user, begun.passkey_id, "Name"))

    assert refused.code is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize(
    ("aaguid", "provider"),
    [
        ("ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4", "Google Password Manager"),
        ("00000000-0000-0000-0000-000000000000", ""),
        ("ffffffff-ffff-ffff-ffff-ffffffffffff", ""),
    ],
)
async def test_the_provider_of_a_passkey_has_the_name_that_people_know(
    user: Client, aaguid: str, provider: str
) -> None:
    await register(user, aaguid=bytes.fromhex(aaguid.replace("-", "")))

    [passkey] = await passkeys(user)

    assert (passkey.aaguid, passkey.provider_name) == (aaguid, provider)
