"""What protects codes: PKCE, a nonce, or neither (RFC 9700, section 2.1.1)."""

from typing import Any

import pytest

from keystead.application.v1 import application_service_pb2 as application_pb
from tests.oauth import flow, shared
from tests.oauth.flow import App
from tests.session import jwts
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client

org_id, owner, app, ada = shared.org_id, shared.owner, shared.app, shared.ada

_REQUIRED = application_pb.APPLICATION_PKCE_REQUIRED
_PKCE_OR_NONCE = application_pb.APPLICATION_PKCE_PKCE_OR_NONCE
_NONE = application_pb.APPLICATION_PKCE_NONE
_NOTHING = {**flow.WITHOUT_CHALLENGE, "nonce": ""}


# By default, Spring Security before 7 sends a nonce, and a challenge for public clients only
# (DefaultOAuth2AuthorizationRequestResolver.getBuilder); Authlib, and so pgAdmin, sends a nonce.
# Neither is sent by oauth2-proxy without `code_challenge_method` (`insecure_oidc_skip_nonce` is
# true by default: oauth2-proxy/oauth2-proxy#967) and by django-allauth without
# `OAUTH_PKCE_ENABLED`.
@pytest.mark.parametrize(
    ("pkce", "fields", "is_right"),
    [
        (_REQUIRED, {}, True),
        (_REQUIRED, {"nonce": ""}, True),
        (_REQUIRED, flow.WITHOUT_CHALLENGE, False),
        (_PKCE_OR_NONCE, {"nonce": ""}, True),
        (_PKCE_OR_NONCE, flow.WITHOUT_CHALLENGE, True),
        (_PKCE_OR_NONCE, _NOTHING, False),
        # Without an ID token, nothing brings the nonce back.
        (_PKCE_OR_NONCE, {**flow.WITHOUT_CHALLENGE, "scope": "profile"}, False),
        (_NONE, flow.WITHOUT_CHALLENGE, True),
        (_NONE, _NOTHING, True),
        (_NONE, {"code_challenge": ""}, False),
        (_NONE, {"code_challenge_method": "plain"}, False),
    ],
)
async def test_a_request_needs_what_protects_its_code(
    owner: Client, ada: SignedIn, pkce: Any, fields: dict[str, str], is_right: bool
) -> None:
    app = await flow.app(owner, pkce=pkce)
    request = {**flow.with_challenge(), **fields}

    started = await app.start(**request)
    pushed = app.push(**request)

    if is_right:
        assert started.sealed_request
        assert await app.start_pushed(await pushed)
    else:
        assert flow.parameters(started.redirect_uri)["error"] == "invalid_request"
        assert await given.outcome(pushed) == "INVALID_REQUEST"


async def test_the_error_says_what_is_missing(app: App) -> None:
    answer = await app.start(**_NOTHING)

    assert flow.parameters(answer.redirect_uri)["error_description"].startswith(
        "code_challenge is required (RFC 7636), or a nonce with the scope openid"
    )


async def test_an_application_that_may_not_request_openid_needs_a_challenge(owner: Client) -> None:
    app = await flow.app(owner, scopes=["profile"])

    answer = await app.start(**flow.WITHOUT_CHALLENGE, scope="openid profile")

    assert flow.parameters(answer.redirect_uri)["error"] == "invalid_request"


@pytest.mark.parametrize("pkce", [_PKCE_OR_NONCE, _NONE])
async def test_a_challenge_that_an_attacker_takes_away_is_missed_at_the_exchange(
    owner: Client, ada: SignedIn, pkce: Any
) -> None:
    """PKCE downgrade (RFC 9700, section 4.8.2): the application still sends its verifier."""
    app = await flow.app(owner, pkce=pkce)
    approved = await flow.approved(app, ada.client, **flow.WITHOUT_CHALLENGE)

    assert await given.outcome(app.redeem(approved)) == "INVALID_GRANT"
    assert (await app.redeem(approved, code_verifier="")).access_token


@pytest.mark.parametrize("pkce", [_PKCE_OR_NONCE, _NONE])
async def test_a_challenge_that_was_sent_needs_its_verifier(
    owner: Client, ada: SignedIn, pkce: Any
) -> None:
    app = await flow.app(owner, pkce=pkce)
    approved = await flow.approved(app, ada.client)

    for verifier in ("", "x" * 43):
        assert await given.outcome(app.redeem(approved, code_verifier=verifier)) == "INVALID_GRANT"
    assert (await app.redeem(approved)).access_token


async def test_an_injected_code_has_the_nonce_of_another_request(app: App, ada: SignedIn) -> None:
    """Code injection (RFC 9700, section 4.5.3.2): the application compares the nonces.

    The attacker stole the code of Ada's request, and brings it to the application in its own
    browser, where the application expects the nonce of the attacker's request.
    """
    stolen = await flow.approved(app, ada.client, **flow.WITHOUT_CHALLENGE, nonce="of Ada")

    tokens = await app.redeem(stolen, code_verifier="")

    assert jwts.unverified(tokens.id_token)["nonce"] == "of Ada"


async def test_an_injected_code_with_a_challenge_fails_for_another_verifier(
    app: App, ada: SignedIn
) -> None:
    """Code injection (RFC 9700, section 4.5.3.1)."""
    stolen = await flow.approved(app, ada.client)
    of_attacker = flow.Approved(stolen.parameters, "of the attacker".ljust(43, "x"))

    assert await given.outcome(app.redeem(of_attacker)) == "INVALID_GRANT"
