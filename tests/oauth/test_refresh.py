"""Refresh tokens: their rotation, and the end of a family by reuse (RFC 9700, section 4.14)."""

import asyncio
from typing import Any

import asyncpg
import pytest

from tests.oauth import flow
from tests.oauth.flow import App
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client
from tests.user import calls as users

_SCOPE = "openid profile offline_access"
_AGE = """
update oauth_authorizations set rotated_at = rotated_at - interval '31 seconds'
where application_id = $1"""


@pytest.fixture
async def tokens(app: App, ada: SignedIn) -> Any:
    return await flow.tokens(app, ada.client, scope=_SCOPE)


async def _is_refused(call: Any) -> bool:
    return await given.outcome(call) == "INVALID_GRANT"


async def test_each_use_replaces_the_token(app: App, tokens: Any) -> None:
    second = await app.refresh(tokens.refresh_token)
    third = await app.refresh(second.refresh_token)

    assert len({each.refresh_token for each in (tokens, second, third)}) == 3
    assert third.scope == tokens.scope
    assert third.id_token
    assert await flow.user_info(app.client, third.access_token)


async def test_an_application_that_lost_the_response_repeats_the_call(
    app: App, tokens: Any
) -> None:
    lost = await app.refresh(tokens.refresh_token)
    again = await app.refresh(tokens.refresh_token)

    assert (await app.refresh(again.refresh_token)).access_token
    assert await _is_refused(app.refresh(lost.refresh_token))


async def test_after_thirty_seconds_reuse_ends_the_family(
    app: App, tokens: Any, sql: asyncpg.Connection
) -> None:
    second = await app.refresh(tokens.refresh_token)
    await sql.execute(_AGE, app.client_id)

    assert await _is_refused(app.refresh(tokens.refresh_token))

    assert await _is_refused(app.refresh(second.refresh_token))
    assert await app.introspect(second.access_token) is None


async def test_reuse_of_an_older_token_ends_the_family(app: App, tokens: Any) -> None:
    second = await app.refresh(tokens.refresh_token)
    third = await app.refresh(second.refresh_token)

    assert await _is_refused(app.refresh(tokens.refresh_token))

    assert await _is_refused(app.refresh(third.refresh_token))


async def test_of_two_uses_at_the_same_time_both_are_of_the_window(app: App, tokens: Any) -> None:
    first, second = await asyncio.gather(
        app.refresh(tokens.refresh_token), app.refresh(tokens.refresh_token)
    )

    alive = [await app.introspect(each.refresh_token) for each in (first, second)]
    assert len([each for each in alive if each]) == 1


@pytest.mark.parametrize("text", ["kar_", "not a token", "kar_" + "0" * 72, "kac_" + "0" * 72])
async def test_another_text_is_refused(app: App, tokens: Any, text: str) -> None:
    assert await _is_refused(app.refresh(text))
    assert (await app.refresh(tokens.refresh_token)).access_token


async def test_another_application_neither_uses_nor_ends_it(
    app: App, owner: Client, tokens: Any
) -> None:
    other = await flow.app(owner)

    assert await _is_refused(other.refresh(tokens.refresh_token))
    await other.revoke(tokens.refresh_token)

    assert (await app.refresh(tokens.refresh_token)).access_token


async def test_scopes_can_be_fewer_for_one_access_token(app: App, tokens: Any) -> None:
    fewer = await app.refresh(tokens.refresh_token, scope="openid")
    whole = await app.refresh(fewer.refresh_token)

    assert (fewer.scope, whole.scope) == ("openid", _SCOPE)


async def test_scopes_cannot_be_more(app: App, tokens: Any) -> None:
    refused = await given.refusal(app.refresh(tokens.refresh_token, scope="openid email"))

    assert refused.reason == "INVALID_SCOPE"
    assert (await app.refresh(tokens.refresh_token)).access_token


async def test_with_offline_access_it_outlives_the_session(
    app: App, ada: SignedIn, tokens: Any
) -> None:
    await sessions.sign_out(ada.client)

    refreshed = await app.refresh(tokens.refresh_token)

    assert refreshed.access_token
    assert not refreshed.id_token
    assert (await flow.user_info(app.client, refreshed.access_token))["sub"] == ada.person.user_id


async def test_without_offline_access_there_is_none(app: App, ada: SignedIn) -> None:
    assert not (await flow.tokens(app, ada.client, scope="openid")).refresh_token


@pytest.mark.parametrize(
    "expiry",
    [
        "update oauth_authorizations set expires_at = now() where application_id = $1",
        "update oauth_authorizations set idle_expires_at = now() where application_id = $1",
    ],
)
async def test_it_expires(app: App, tokens: Any, sql: asyncpg.Connection, expiry: str) -> None:
    await sql.execute(expiry, app.client_id)

    assert await _is_refused(app.refresh(tokens.refresh_token))
    assert await app.introspect(tokens.access_token) is None


async def test_the_lifetimes_are_those_of_the_application(
    owner: Client, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    app = await flow.app(
        owner, refresh_token_lifetime_seconds=7200, refresh_token_idle_seconds=3600
    )
    tokens = await flow.tokens(app, ada.client, scope=_SCOPE)
    await app.refresh(tokens.refresh_token)

    row: Any = await sql.fetchrow(
        "select expires_at - clock_timestamp() as whole, idle_expires_at - clock_timestamp() as"
        " idle from oauth_authorizations where application_id = $1",
        app.client_id,
    )

    assert row["whole"].total_seconds() == pytest.approx(7200, abs=60)
    assert row["idle"].total_seconds() == pytest.approx(3600, abs=60)


async def test_a_removed_user_has_none(
    app: App, admin: Client, ada: SignedIn, tokens: Any, sql: asyncpg.Connection
) -> None:
    await users.remove(admin, ada.person.user_id)

    assert await _is_refused(app.refresh(tokens.refresh_token))
    assert await app.introspect(tokens.access_token) is None
    count = "select count(*) from oauth_authorizations where user_id = $1"
    assert await sql.fetchval(count, ada.person.user_id) == 0


async def test_a_user_who_is_removed_at_the_same_time_gets_no_tokens(
    app: App, ada: SignedIn, tokens: Any, sql: asyncpg.Connection
) -> None:
    await sessions.sign_out(ada.client)
    await sql.execute(
        "update oauth_authorizations set user_id = 'removed' where application_id = $1",
        app.client_id,
    )

    assert await _is_refused(app.refresh(tokens.refresh_token))


async def test_another_text_revokes_nothing(app: App, tokens: Any) -> None:
    """RFC 7009, section 2.2."""
    await app.revoke("of nothing")

    assert (await app.refresh(tokens.refresh_token)).access_token


@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
async def test_a_revoked_token_ends_the_authorization(app: App, tokens: Any, kind: str) -> None:
    await app.revoke(getattr(tokens, kind))
    await app.revoke(getattr(tokens, kind))

    assert await _is_refused(app.refresh(tokens.refresh_token))
    assert await given.outcome(flow.user_info(app.client, tokens.access_token)) == "INVALID_TOKEN"


async def test_a_lock_in_the_middle_of_an_exchange_gives_no_tokens(
    app: App, ada: SignedIn, tokens: Any, sql: asyncpg.Connection
) -> None:
    """A rotation does not lock the user, who is therefore read afterwards (decision 12).

    The lock has committed, and the tokens that it ends are still there, as for the exchange.
    """
    lock = "update users set locked_at = now() where id = $1"
    await sql.execute(lock, ada.person.user_id)

    assert await _is_refused(app.refresh(tokens.refresh_token))
    assert await app.introspect(tokens.access_token) is None
    assert await given.outcome(flow.user_info(app.client, tokens.access_token)) == "INVALID_TOKEN"
