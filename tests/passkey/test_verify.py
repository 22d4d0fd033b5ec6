"""VerifyPasskeyRegistration: callers, answers, and stored data."""

from base64 import b64encode
from secrets import token_bytes

import asyncpg
import pytest

from examples.software_authenticator import EDDSA, ES256, RS256
from tests.conftest import MakeInstance
from tests.passkey.ceremonies import ORIGIN, RP_ID, Begun, begin, passkeys, register
from tests.support import given
from tests.support.given import Client, Instance


@pytest.mark.parametrize("who", ["the user", "a manager", "the registration token"])
async def test_user_manager_and_registration_token_may_complete_a_ceremony(
    begun: Begun, user: Client, manager: Client, who: str
) -> None:
    callers = {"the user": user, "a manager": manager}

    await begun.verify(by=callers.get(who, begun.token_holder))

    assert [passkey.passkey_id for passkey in await passkeys(user)] == [begun.passkey_id]


async def test_the_details_have_no_creation_date(begun: Begun, org_id: str) -> None:
    details = (await begun.verify()).details

    assert not details.HasField("creation_date")
    assert details.sequence == details.change_date.ToMicroseconds()
    assert details.sequence > begun.details.sequence
    assert details.resource_owner == org_id


async def test_the_passkey_is_listed_with_all_that_was_verified(
    begun: Begun, user: Client, org_id: str
) -> None:
    credential = begun.credential(
        algorithm=ES256, attestation="packed", be=True, bs=True, aaguid=bytes(range(16))
    )

    details = (await begun.verify(credential, passkey_name="Ada's phone 📱")).details

    [passkey] = await passkeys(user)
    assert passkey.passkey_id == begun.passkey_id
    assert passkey.name == "Ada's phone 📱"
    assert passkey.began_by == user.user_id
    assert passkey.rp_id == RP_ID
    assert passkey.aaguid == "00010203-0405-0607-0809-0a0b0c0d0e0f"
    assert passkey.algorithm == ES256
    assert list(passkey.transports) == ["internal", "hybrid"]
    assert passkey.authenticator_attachment == "platform"
    assert (passkey.user_verified, passkey.backup_eligible, passkey.backed_up) == (True, True, True)
    assert passkey.attestation_format == "packed"
    assert not passkey.attestation_trusted
    assert not passkey.HasField("last_used_at")
    assert passkey.details.sequence == details.sequence
    assert passkey.details.creation_date == details.change_date
    assert passkey.details.change_date == details.change_date
    assert passkey.details.resource_owner == org_id


@pytest.mark.parametrize("algorithm", [EDDSA, ES256, RS256])
@pytest.mark.parametrize("attestation", ["none", "packed"])
async def test_every_algorithm_that_is_offered_is_accepted(
    algorithm: int, attestation: str, user: Client
) -> None:
    await register(user, algorithm=algorithm, attestation=attestation)

    [passkey] = await passkeys(user)
    assert (passkey.algorithm, passkey.attestation_format) == (algorithm, attestation)


async def test_what_the_client_leaves_out_is_empty(begun: Begun, user: Client) -> None:
    credential = begun.credential() | {"authenticatorAttachment": None}
    del credential["response"]["transports"]

    await begun.verify(credential)

    [passkey] = await passkeys(user)
    assert (list(passkey.transports), passkey.authenticator_attachment) == ([], "")


async def test_the_log_has_one_event_without_a_secret(
    user: Client, admin: Client, org_id: str, rows: asyncpg.Connection
) -> None:
    begun = await begin(admin, user.user_id)
    credential_id = token_bytes(30)

    answer = await begun.verify(begun.credential(credential_id=credential_id), by=user)

    [event] = await given.logged(rows, user.user_id, "user.passkey_verified")
    payload = event["payload"]
    assert event["sequence"] == answer.details.sequence
    assert event["owner"] == org_id
    assert (payload["began_by"], event["creator"]) == (admin.user_id, user.user_id)
    assert payload["credential_id"] == b64encode(credential_id).decode()
    assert payload["origin"] == ORIGIN
    assert begun.options["challenge"] not in str(event["payload"])
    assert begun.registration_token not in str(event["payload"])
    assert "challenge" not in payload


async def test_the_event_of_a_token_holder_is_the_users_own(
    begun: Begun, user: Client, rows: asyncpg.Connection
) -> None:
    await begun.verify(by=begun.token_holder)

    [event] = await given.logged(rows, user.user_id, "user.passkey_verified")
    assert event["creator"] == user.user_id


async def test_passkeys_are_listed_oldest_first(user: Client) -> None:
    made = [(await register(user)).passkey_id for _ in range(3)]

    listed = [passkey.passkey_id for passkey in await passkeys(user)]

    assert listed == made


async def test_a_ceremony_is_verified_by_what_it_stored_and_not_by_later_settings(
    instance: Instance, make_instance: MakeInstance, user: Client
) -> None:
    begun = await begin(user)

    async with make_instance(
        dsn=instance.dsn,
        data_dir=instance.data_dir,
        rp_id="example.org",
        rp_name="Other",
        rp_origins=("https://example.org",),
        rp_user_verification="discouraged",
    ) as after:
        user = after.admin.with_token(user.token, user.user_id)

        unverified = await given.refusal(begun.verify(begun.credential(uv=False), by=user))
        elsewhere = begun.credential(rp_id="example.org", origin="https://example.org")
        refused = await given.refusal(begun.verify(elsewhere, by=user))
        await begun.verify(by=user)

        assert unverified.reason == "USER_NOT_VERIFIED"
        assert refused.reason == "ORIGIN_NOT_ALLOWED"
        assert [passkey.rp_id for passkey in await passkeys(user)] == [RP_ID]
        options = (await begin(user)).options
        assert options["rp"] == {"id": "example.org", "name": "Other"}
        assert options["authenticatorSelection"]["userVerification"] == "discouraged"
        # The authenticator of the test has no passkey of another relying party.
        assert options["excludeCredentials"] == []
