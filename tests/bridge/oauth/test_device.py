"""The authorization of devices over HTTP (RFC 8628)."""

import asyncpg
import httpx2
import pytest

from tests.bridge.oauth.web_app import WebApp, error_of
from tests.oauth import devices
from tests.session.sessions import SignedIn
from tests.support.given import Client


@pytest.fixture
async def tv(web: httpx2.AsyncClient, owner: Client) -> WebApp:
    """A public application of devices."""
    return WebApp(web, await devices.app(owner))


async def _poll(app: WebApp, device_code: str) -> httpx2.Response:
    client_id = app.app.client_id
    grant = {"grant_type": devices.GRANT_TYPE, "device_code": device_code}
    return await app.post("token", client_id=client_id, **grant)


async def test_a_device_gets_tokens_as_the_rfc_says(tv: WebApp, ada: SignedIn) -> None:
    """RFC 8628, sections 3.1 to 3.5."""
    answer = await tv.post("device", client_id=tv.app.client_id, scope="openid offline_access")
    started = answer.json()
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert started.keys() == {
        *("device_code", "user_code", "verification_uri", "verification_uri_complete"),
        *("expires_in", "interval"),
    }
    assert (started["expires_in"], started["interval"]) == (600, 5)
    pending, early = [error_of(await _poll(tv, started["device_code"])) for _ in range(2)]
    assert pending == (400, "authorization_pending", "AUTHORIZATION_PENDING")
    assert early == (400, "slow_down", "SLOW_DOWN")
    await devices.approve(ada.client, started["user_code"])

    tokens = (await _poll(tv, started["device_code"])).json()

    assert (tokens["token_type"], tokens["scope"]) == ("Bearer", "openid offline_access")
    assert tokens.keys() >= {"access_token", "id_token", "refresh_token"}
    assert (await tv.user_info(tokens["access_token"])).json()["sub"] == ada.person.user_id


async def test_denied_and_expired_codes_have_errors_of_their_own(
    tv: WebApp, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    """RFC 8628, section 3.5."""
    denied, expired = [await devices.start(tv.app) for _ in range(2)]
    await devices.deny(ada.client, denied.user_code)
    by_denial = await _poll(tv, denied.device_code)
    await devices.expire(sql, tv.app)
    by_expiry = await _poll(tv, expired.device_code)

    assert error_of(by_denial) == (400, "access_denied", "ACCESS_DENIED")
    assert error_of(by_expiry) == (400, "expired_token", "EXPIRED_TOKEN")
    assert error_of(await _poll(tv, "kad_")) == (400, "invalid_grant", "INVALID_GRANT")
    assert error_of(await _poll(tv, "")) == (400, "invalid_request", "INVALID_FIELDS")
