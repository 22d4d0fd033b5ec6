"""RemovePasskey of a passkey that was lost or stolen ends the access that began with it."""

from collections.abc import Mapping

import pytest

from keystead.passkey.v1 import passkey_service_pb2 as pb
from tests.application import calls
from tests.oauth import flow
from tests.oauth.flow import App
from tests.passkey import ceremonies
from tests.session import sessions
from tests.session.sessions import Person, SignedIn
from tests.support import given
from tests.support.given import Client
from tests.user import calls as users

OFFLINE = "openid offline_access"


@pytest.fixture
async def lost(ada: SignedIn) -> Person:
    """A second passkey of the user."""
    return await sessions.with_passkey(ada.person.client)


def _numbers(answer: pb.RemovePasskeyResponse) -> Mapping[str, int]:
    ended = answer.ended
    return {
        "sessions": ended.sessions,
        "applications": ended.applications,
        "tokens": ended.tokens,
    }


async def test_grants_and_tokens_end_with_their_lost_passkey_and_others_stay(
    owner: Client, app: App, ada: SignedIn, lost: Person
) -> None:
    thief = (await lost.sign_in()).client
    other = await flow.app(owner)
    kept = await flow.tokens(other, ada.client, scope=OFFLINE)
    kept_token = await users.create_token(ada.client, ada.person.user_id)
    taken = await flow.tokens(app, thief, scope=OFFLINE)
    also_taken = await flow.tokens(other, thief, scope=OFFLINE)
    code = await flow.approved(app, thief)
    first = await users.create_token(thief, ada.person.user_id)
    second = await users.create_token(thief.with_token(first.token), ada.person.user_id)

    removed = await ceremonies.remove(ada.client, lost.passkey_id, lost_or_stolen=True)

    assert _numbers(removed) == {"sessions": 1, "applications": 2, "tokens": 2}
    refused = [
        await given.refusal(app.refresh(taken.refresh_token)),
        await given.refusal(other.refresh(also_taken.refresh_token)),
        await given.refusal(app.redeem(code)),
        await given.refusal(flow.user_info(app.client, taken.access_token)),
        await given.refusal(sessions.current(thief)),
    ]
    assert [each.reason for each in refused] == [
        *["INVALID_GRANT"] * 3,
        "INVALID_TOKEN",
        "UNAUTHENTICATED",
    ]
    assert (await other.refresh(kept.refresh_token)).access_token
    tokens = {each.token_id for each in await users.tokens(ada.client, ada.person.user_id)}
    assert kept_token.token_id in tokens
    assert tokens.isdisjoint({first.token_id, second.token_id})
    assert [each.application_id for each in await calls.grants(ada.client)] == [other.client_id]


async def test_a_grant_that_ends_takes_the_tokens_of_other_passkeys_at_its_application_along(
    app: App, ada: SignedIn, lost: Person
) -> None:
    thief = (await lost.sign_in()).client
    tokens = await flow.tokens(app, ada.client, scope=OFFLINE)
    await flow.tokens(app, thief, scope=f"{OFFLINE} email")

    removed = await ceremonies.remove(ada.client, lost.passkey_id, lost_or_stolen=True)

    assert removed.ended.applications == 1
    assert (await given.refusal(app.refresh(tokens.refresh_token))).reason == "INVALID_GRANT"


async def test_a_passkey_that_is_removed_otherwise_leaves_them(
    app: App, ada: SignedIn, lost: Person
) -> None:
    signed_in = (await lost.sign_in()).client
    tokens = await flow.tokens(app, signed_in, scope=OFFLINE)
    await users.create_token(signed_in, ada.person.user_id)

    removed = await ceremonies.remove(ada.client, lost.passkey_id)

    assert _numbers(removed) == {"sessions": 1, "applications": 0, "tokens": 0}
    assert (await app.refresh(tokens.refresh_token)).access_token


async def test_a_preview_counts_the_access_that_would_end_and_ends_none(
    app: App, ada: SignedIn, lost: Person
) -> None:
    signed_in = (await lost.sign_in()).client
    tokens = await flow.tokens(app, signed_in, scope=OFFLINE)
    await users.create_token(signed_in, ada.person.user_id)

    preview = await ceremonies.remove(
        ada.client, lost.passkey_id, lost_or_stolen=True, x_validate_only="true"
    )

    assert not preview.HasField("details")
    assert _numbers(preview) == {"sessions": 1, "applications": 1, "tokens": 1}
    assert (await app.refresh(tokens.refresh_token)).access_token
    removed = await ceremonies.remove(ada.client, lost.passkey_id, lost_or_stolen=True)
    assert removed.ended == preview.ended
