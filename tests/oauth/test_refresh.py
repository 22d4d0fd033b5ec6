"""Refresh tokens: their rotation, and the end of a family by reuse (RFC 9700, section 4.14)."""

import asyncio
from datetime import timedelta
from typing import Any, NoReturn

import asyncpg
import pytest

from server.access.tokens import token_hash, with_checksum
from server.oauth.refresh_token import RefreshToken
from server.signing.signer import Signer
from server.values.errors import Failure, Kind
from tests.application import calls
from tests.oauth import flow, shared
from tests.oauth.flow import App
from tests.session import jwts, sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client
from tests.user import calls as users

org_id, owner = shared.org_id, shared.owner

_SCOPE = "openid profile offline_access"
_AGE = """
update oauth_authorizations set rotated_at = rotated_at - interval '66 seconds'
where application_id = $1"""
_EARLIER = """
update oauth_authorizations set rotated_at = rotated_at - $2::interval where application_id = $1"""


@pytest.fixture
async def tokens(app: App, ada: SignedIn) -> Any:
    return await flow.tokens(app, ada.client, scope=_SCOPE)


@pytest.fixture
async def public(owner: Client) -> App:
    """An application that does not authenticate itself."""
    return await flow.public_app(owner)


@pytest.fixture
async def rotating(public: App, ada: SignedIn) -> Any:
    """The tokens of the public application."""
    return await flow.tokens(public, ada.client, scope=_SCOPE)


async def _is_refused(call: Any) -> bool:
    return await given.outcome(call) == "INVALID_GRANT"


async def test_without_authentication_each_use_replaces_the_token(
    public: App, rotating: Any, sql: asyncpg.Connection
) -> None:
    second = await public.refresh(rotating.refresh_token)
    await sql.execute(_AGE, public.client_id)
    third = await public.refresh(second.refresh_token)

    assert len({each.refresh_token for each in (rotating, second, third)}) == 3
    assert third.scope == rotating.scope
    assert third.id_token
    assert await flow.user_info(public.client, third.access_token)


async def test_an_application_that_authenticates_itself_keeps_its_token(
    app: App, tokens: Any, sql: asyncpg.Connection
) -> None:
    """FAPI 2.0 Security Profile, section 5.3.2.1."""
    first = await app.refresh(tokens.refresh_token)
    await sql.execute(_AGE, app.client_id)
    second = await app.refresh(tokens.refresh_token)

    assert first.refresh_token == second.refresh_token == tokens.refresh_token


@pytest.mark.parametrize("seconds", [0, 31, 55])
async def test_an_application_that_lost_the_response_repeats_the_call(
    public: App, rotating: Any, sql: asyncpg.Connection, seconds: int
) -> None:
    """The suite of FAPI 2.0 repeats the call after 31 seconds."""
    lost = await public.refresh(rotating.refresh_token)
    await sql.execute(_EARLIER, public.client_id, timedelta(seconds=seconds))

    again = await public.refresh(rotating.refresh_token)

    assert again.refresh_token == lost.refresh_token
    assert (await public.refresh(again.refresh_token)).access_token
    assert (await public.refresh(rotating.refresh_token)).access_token


async def test_a_refresh_for_a_removed_resource_does_not_replace_the_token(
    owner: Client, public: App, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    removed, kept = await flow.api(owner), await flow.api(owner)
    both = [removed.identifier, kept.identifier]
    approved = await flow.approved(public, ada.client, resource=both, scope=_SCOPE)
    tokens = await public.redeem(approved, resource=[kept.identifier])
    await calls.remove(owner, removed.client_id)

    refused = public.refresh(tokens.refresh_token, resource=[removed.identifier])
    assert await given.outcome(refused) == "INVALID_TARGET"
    await sql.execute(_AGE, public.client_id)

    refreshed = await public.refresh(tokens.refresh_token, resource=[kept.identifier])
    assert jwts.unverified(refreshed.access_token)["aud"] == kept.identifier


async def test_after_a_minute_reuse_ends_the_family(
    public: App, rotating: Any, sql: asyncpg.Connection
) -> None:
    second = await public.refresh(rotating.refresh_token)
    await sql.execute(_AGE, public.client_id)

    assert await _is_refused(public.refresh(rotating.refresh_token))

    assert await _is_refused(public.refresh(second.refresh_token))
    assert (
        await given.outcome(flow.user_info(public.client, second.access_token)) == "INVALID_TOKEN"
    )


async def test_reuse_of_an_older_token_ends_the_family(
    public: App, rotating: Any, sql: asyncpg.Connection
) -> None:
    second = await public.refresh(rotating.refresh_token)
    await sql.execute(_AGE, public.client_id)
    third = await public.refresh(second.refresh_token)

    assert await _is_refused(public.refresh(rotating.refresh_token))

    assert await _is_refused(public.refresh(third.refresh_token))


@pytest.mark.parametrize("number", [2, 4, 20])
async def test_all_answers_to_simultaneous_uses_can_be_used(
    public: App, rotating: Any, sql: asyncpg.Connection, number: int
) -> None:
    answers = await asyncio.gather(*(public.refresh(rotating.refresh_token) for _ in range(number)))
    later = await asyncio.gather(*(public.refresh(each.refresh_token) for each in answers))
    await sql.execute(_AGE, public.client_id)
    much_later = await asyncio.gather(*(public.refresh(each.refresh_token) for each in later))

    for each in (*answers, *later, *much_later):
        assert await flow.user_info(public.client, each.access_token)
    assert len({each.refresh_token for each in much_later}) == 1


@pytest.mark.parametrize("text", ["kar_", "not a token", "kar_" + "0" * 72, "kac_" + "0" * 72])
async def test_another_text_is_refused(app: App, tokens: Any, text: str) -> None:
    assert await _is_refused(app.refresh(text))
    assert (await app.refresh(tokens.refresh_token)).access_token


def test_a_token_without_the_digits_of_a_database_keeps_its_family() -> None:
    for digits in ("", "000"):
        first = RefreshToken.read(with_checksum(f"kar_{digits}{'1' * 32}{'2' * 32}"))
        assert first
        next_one = RefreshToken.read(first.successor(b"salt").text)
        assert next_one
        assert next_one.text.startswith(f"kar_{digits}{'1' * 32}")
        assert next_one.family == first.family == token_hash(f"kar_{digits}{'1' * 32}")
        assert next_one.generation != first.generation


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
async def test_an_expired_refresh_token_is_refused(
    app: App, tokens: Any, sql: asyncpg.Connection, expiry: str
) -> None:
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


@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
async def test_a_token_is_revoked_while_no_key_signs(
    app: App, tokens: Any, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_key(*_arguments: Any) -> NoReturn:
        raise Failure(Kind.UNAVAILABLE, "SIGNING_KEY_UNAVAILABLE", "No key signs.")

    with monkeypatch.context() as patched:
        patched.setattr(Signer, "ready", no_key)
        unsigned = await given.refusal(app.refresh(tokens.refresh_token))
        await app.revoke(getattr(tokens, kind))

    assert unsigned.reason == "SIGNING_KEY_UNAVAILABLE"
    assert await _is_refused(app.refresh(tokens.refresh_token))


async def test_a_token_is_replaced_once_the_requests_of_the_window_have_ended(
    public: App, rotating: Any, sql: asyncpg.Connection
) -> None:
    second = await public.refresh(rotating.refresh_token)
    await sql.execute(_EARLIER, public.client_id, timedelta(seconds=61))

    third = await public.refresh(second.refresh_token)

    assert third.refresh_token == second.refresh_token
