"""The exchange of codes, of browsers and of devices."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import grpc
import pytest

from tests.application import calls
from tests.oauth import devices, flow, shared
from tests.oauth.flow import App, Approved
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client

org_id, owner = shared.org_id, shared.owner

_SCOPE = "openid offline_access"


@pytest.fixture
async def approved(app: App, ada: SignedIn) -> Approved:
    return await flow.approved(app, ada.client, scope=_SCOPE)


@dataclass(frozen=True)
class _Flow:
    """Two applications, and a person who approves requests of the first."""

    app: App
    other: App
    person: Client
    is_of_devices: bool

    async def approved(self, scope: str = _SCOPE) -> Callable[..., Any]:
        """Exchanges an approved code, by default as its own application."""
        if self.is_of_devices:
            code = await devices.approved(self.app, self.person, scope=scope)
            return lambda by=self.app: devices.poll(by, code)
        approved = await flow.approved(self.app, self.person, scope=scope)
        return lambda by=self.app: by.redeem(approved)


@pytest.fixture(params=[flow.app, devices.app], ids=["code", "device code"])
async def either(request: pytest.FixtureRequest, owner: Client, ada: SignedIn) -> _Flow:
    app, other = [await request.param(owner) for _ in range(2)]
    return _Flow(app, other, ada.client, is_of_devices=request.param is devices.app)


async def _is_refused(call: Any) -> bool:
    refused = await given.refusal(call)
    return (refused.code, refused.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "INVALID_GRANT",
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"redirect_uri": ""},
        {"redirect_uri": "https://shop.example.com/other"},
        {"code_verifier": ""},
        {"code_verifier": "x" * 43},
    ],
)
async def test_a_wrong_exchange_is_refused_and_uses_nothing_up(
    app: App, approved: Approved, fields: dict[str, str]
) -> None:
    assert await _is_refused(app.redeem(approved, **fields))

    assert (await app.redeem(approved)).access_token


async def test_the_second_use_of_a_code_ends_the_tokens_of_the_first(either: _Flow) -> None:
    """RFC 6749, section 4.1.2."""
    app, exchange = either.app, await either.approved()
    tokens = await exchange()
    assert await flow.user_info(app.client, tokens.access_token)

    assert await _is_refused(exchange())

    assert await given.outcome(flow.user_info(app.client, tokens.access_token)) == "INVALID_TOKEN"
    assert await _is_refused(app.refresh(tokens.refresh_token))
    assert await app.introspect(tokens.access_token) is None


async def test_of_two_exchanges_at_the_same_time_at_most_one_has_tokens(either: _Flow) -> None:
    exchange = await either.approved()

    answers = await asyncio.gather(*(exchange() for _ in range(4)), return_exceptions=True)

    tokens = [each for each in answers if not isinstance(each, BaseException)]
    assert len(tokens) == 1
    # The others were second uses.
    assert await either.app.introspect(tokens[0].access_token) is None


async def test_a_code_ends_with_its_session_although_its_tokens_would_not(either: _Flow) -> None:
    online, offline = await either.approved("openid"), await either.approved()

    await sessions.sign_out(either.person)

    assert await _is_refused(online())
    assert await _is_refused(offline())


async def test_a_code_authenticates_nobody(app: App, approved: Approved) -> None:
    refused = await given.refusal(sessions.current(app.client.with_token(approved.code)))

    assert refused.code is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize("grant_type", ["password", "implicit", "urn:ietf:params:oauth:x"])
async def test_other_grants_are_not_supported(app: App, grant_type: str) -> None:
    assert await given.outcome(app.exchange(grant_type=grant_type)) == "UNSUPPORTED_GRANT_TYPE"


@pytest.mark.parametrize(
    ("grant_type", "field"),
    [
        ("authorization_code", "code"),
        ("refresh_token", "refreshToken"),
        ("urn:ietf:params:oauth:grant-type:device_code", "deviceCode"),
    ],
)
async def test_an_exchange_without_its_code_or_token_names_it(
    app: App, grant_type: str, field: str
) -> None:
    """RFC 6749, section 5.2: `invalid_request`."""
    refused = await given.refusal(app.exchange(grant_type=grant_type))

    assert (refused.reason, [*refused.violations]) == ("INVALID_FIELDS", [field])


async def test_a_code_ends_with_the_registration_of_its_redirect_uri(
    owner: Client, app: App, ada: SignedIn
) -> None:
    approved = await flow.approved(app, ada.client)
    await calls.patch(owner, app.client_id, redirect_uris=["https://shop.example.com/other"])

    assert await given.outcome(app.redeem(approved)) == "INVALID_GRANT"
