"""RegisterPasskey begins a ceremony, with the options that a browser needs."""

from datetime import timedelta
from secrets import token_bytes

import asyncpg
import grpc
import pytest

from examples.software_authenticator import b64, unb64
from server.passkey.webauthn.registration import ALGORITHMS
from tests.passkey.ceremonies import RP_ID, begin, expire, passkeys, register, remove
from tests.support import given
from tests.support.given import Client
from tests.user import calls as users


async def test_the_details_say_when_it_began_and_for_which_organization(
    user: Client, org_id: str
) -> None:
    details = (await begin(user)).details

    assert details.sequence == details.change_date.ToMicroseconds()
    assert details.creation_date == details.change_date
    assert details.resource_owner == org_id


async def test_the_options_are_ready_for_a_browser(user: Client, admin: Client) -> None:
    named = await users.get(admin, user.user_id)

    options = (await begin(user)).options

    assert options["rp"] == {"id": RP_ID, "name": "Keystead"}
    assert options["user"]["name"] == named.user_name
    assert options["user"]["displayName"] == named.display_name
    assert options["pubKeyCredParams"] == [{"type": "public-key", "alg": a} for a in ALGORITHMS]
    assert options["timeout"] == timedelta(minutes=5) / timedelta(milliseconds=1)
    assert options["attestation"] == "none"
    assert options["authenticatorSelection"]["userVerification"] == "required"
    assert options["excludeCredentials"] == []


async def test_every_ceremony_has_a_challenge_of_its_own(user: Client) -> None:
    challenges = [unb64((await begin(user)).options["challenge"]) for _ in range(2)]

    assert [len(challenge) for challenge in challenges] == [32, 32]
    assert challenges[0] != challenges[1]


async def test_the_user_handle_is_random_and_stays_the_same(
    user: Client, other_user: Client
) -> None:
    first, second = [(await begin(user)).options["user"]["id"] for _ in range(2)]
    foreign = (await begin(other_user)).options["user"]["id"]

    assert first == second
    assert len(unb64(first)) == 64
    assert first != foreign
    assert user.user_id.encode() not in unb64(first)


async def test_the_passkeys_of_the_user_alone_are_excluded(
    user: Client, other_user: Client
) -> None:
    credential_id = token_bytes(20)
    await register(user, credential_id=credential_id)
    await register(other_user)

    excluded = (await begin(user)).options["excludeCredentials"]

    assert excluded == [
        {"type": "public-key", "id": b64(credential_id), "transports": ["internal", "hybrid"]}
    ]


async def test_beginning_again_leaves_the_other_ceremony_pending(user: Client) -> None:
    first = await begin(user)
    second = await begin(user)

    await second.verify()
    await first.verify()

    assert [passkey.passkey_id for passkey in await passkeys(user)] == [
        first.passkey_id,
        second.passkey_id,
    ]


async def test_the_eleventh_pending_ceremony_of_a_user_has_to_wait(
    user: Client, other_user: Client
) -> None:
    for _ in range(10):
        await begin(user)

    refused = await given.refusal(begin(user))

    assert refused.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refused.reason == "TOO_MANY_CEREMONIES"
    assert refused.retry_seconds == timedelta(minutes=10).total_seconds()
    await begin(other_user)


@pytest.mark.parametrize("end", ["verified", "removed", "expired", "tried too often"])
async def test_a_ceremony_that_ended_is_no_longer_pending(
    end: str, user: Client, rows: asyncpg.Connection
) -> None:
    begun = [await begin(user) for _ in range(10)][4]

    match end:
        case "verified":
            await begun.verify()
        case "removed":
            await remove(user, begun.passkey_id)
        case "expired":
            await expire(rows, begun)
        case _:
            for _ in range(10):
                await given.refusal(begun.verify(begun.credential(up=False)))

    await begin(user)


async def test_thirty_at_once_begin_ten(user: Client) -> None:
    ended = await given.outcomes(begin(user) for _ in range(30))

    assert ended == {"OK": 10, "TOO_MANY_CEREMONIES": 20}
