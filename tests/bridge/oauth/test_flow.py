"""Whole flows through the endpoints, and the answers of each."""

import secrets
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.bridge.oauth.web_app import WebApp, error_of, location, sealed_request
from tests.oauth import flow
from tests.oauth.flow import CALLBACK, Approved
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client


async def test_an_application_gets_tokens_of_a_person(web_app: WebApp, ada: SignedIn) -> None:
    answer = await web_app.redeem(
        await web_app.approved(ada.client, scope="openid offline_access groups")
    )

    tokens = answer.json()
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert (answer.headers["cache-control"], answer.headers["pragma"]) == ("no-store", "no-cache")
    assert tokens.keys() == {
        "access_token", "token_type", "expires_in", "scope", "id_token", "refresh_token",
    }  # fmt: skip
    assert (tokens["token_type"], tokens["expires_in"]) == ("Bearer", 300)
    assert tokens["scope"] == "openid offline_access groups"
    assert '"expires_in":300,' in answer.text


async def test_tokens_that_are_not_issued_are_left_out(web_app: WebApp, ada: SignedIn) -> None:
    tokens = await web_app.tokens(ada.client, scope="profile")

    assert tokens.keys() == {"access_token", "token_type", "expires_in", "scope"}


@pytest.mark.parametrize("verb", ["GET", "POST"])
async def test_userinfo_has_the_claims_at_the_top(
    web_app: WebApp, ada: SignedIn, verb: str
) -> None:
    tokens = await web_app.tokens(ada.client, scope="openid groups")

    answer = await web_app.user_info(tokens["access_token"], verb)

    assert answer.status_code == 200
    assert answer.json() == {"sub": ada.person.user_id, "groups": []}
    assert answer.headers["cache-control"] == "no-store"


async def test_userinfo_ignores_what_a_post_contains(web_app: WebApp, ada: SignedIn) -> None:
    tokens = await web_app.tokens(ada.client)
    headers = {"authorization": f"bearer {tokens['access_token']}", "content-type": "text/plain"}

    answer = await web_app.http.post("/oauth/userinfo?a=b", content=b"%", headers=headers)

    assert answer.json()["sub"] == ada.person.user_id


async def test_userinfo_takes_one_header_authorization(web_app: WebApp, ada: SignedIn) -> None:
    """RFC 6750, section 3.1."""
    bearer = ("authorization", f"bearer {(await web_app.tokens(ada.client))['access_token']}")

    answer = await web_app.http.get("/oauth/userinfo", headers=[bearer, ("authorization", "x")])

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


async def test_introspection_has_the_claims_at_the_top_and_integers(
    web_app: WebApp, ada: SignedIn
) -> None:
    tokens = await web_app.tokens(ada.client)

    answer = await web_app.post(
        "introspect", **web_app.app.credentials, token=tokens["access_token"]
    )

    claims = answer.json()
    assert (answer.status_code, claims["active"]) == (200, True)
    assert (claims["sub"], claims["token_type"]) == (ada.person.user_id, "Bearer")
    assert claims["exp"] - claims["iat"] == 300
    assert all(type(claims[name]) is int for name in ("exp", "iat", "auth_time"))


async def test_a_revoked_token_is_not_active(web_app: WebApp, ada: SignedIn) -> None:
    tokens = await web_app.tokens(ada.client)
    credentials = web_app.app.credentials

    revoked = await web_app.post("revoke", **credentials, token=tokens["access_token"])
    unknown = await web_app.post(
        "revoke", **credentials, token="unknown", token_type_hint="refresh_token"
    )

    assert (revoked.status_code, revoked.content) == (200, b"")
    assert (unknown.status_code, unknown.content) == (200, b"")
    introspected = await web_app.post(
        "introspect", **credentials, token=tokens["access_token"], token_type_hint="access_token"
    )
    assert introspected.json() == {"active": False}


async def test_an_authorization_request_may_be_posted(web_app: WebApp, ada: SignedIn) -> None:
    answer = await web_app.post("authorize", **web_app.request())

    sealed = sealed_request(location(answer))
    approved = await flow.approve(ada.client, sealed)
    assert flow.parameters(approved.redirect_uri)["state"] == "a state"


async def test_an_authorization_request_may_be_pushed(web_app: WebApp, ada: SignedIn) -> None:
    verifier = secrets.token_urlsafe(32)
    request = web_app.request(**flow.with_challenge(verifier), prompt="consent", max_age="60")

    answer = await web_app.post("par", **{**request, **web_app.app.credentials})
    pushed = answer.json()
    query = {"client_id": web_app.app.client_id, "request_uri": pushed["request_uri"]}
    sealed = sealed_request(location(await web_app.http.get("/oauth/authorize", params=query)))

    assert (answer.status_code, answer.headers["cache-control"]) == (201, "no-store")
    assert pushed == {"request_uri": pushed["request_uri"], "expires_in": 90}
    assert (await flow.describe(ada.client, sealed)).prompts == ["consent"]
    approved = await flow.approve(ada.client, sealed)
    parameters = flow.parameters(approved.redirect_uri)
    assert (await web_app.redeem(Approved(parameters, verifier))).status_code == 200


async def test_an_error_of_a_pushed_request_is_in_the_answer(web_app: WebApp) -> None:
    request = web_app.request(response_type="token")

    answer = await web_app.post("par", **{**request, **web_app.app.credentials})

    assert error_of(answer) == (400, "unsupported_response_type", "UNSUPPORTED_RESPONSE_TYPE")
    assert "response_type must be code" in answer.json()["error_description"]


async def test_a_pushed_request_that_is_too_long_for_a_url_is_refused(web_app: WebApp) -> None:
    request = web_app.request(state="x" * 4000, nonce="x" * 2000, login_hint="x" * 200)

    answer = await web_app.post("par", **{**request, **web_app.app.credentials})

    assert error_of(answer) == (413, "invalid_request", "MESSAGE_TOO_LARGE")


async def test_the_longest_request_uri_arrives(web_app: WebApp) -> None:
    request = web_app.request(state="x" * 2000, nonce="x" * 2000)
    answer = await web_app.post("par", **{**request, **web_app.app.credentials})
    query = {"client_id": web_app.app.client_id, "request_uri": answer.json()["request_uri"]}

    address = location(await web_app.http.get("/oauth/authorize", params=query))

    assert 5000 < len(query["request_uri"]) <= 7000
    assert "/signin/#request=" in address


async def test_a_request_uri_that_has_expired_goes_to_the_page(web_app: WebApp) -> None:
    address = await web_app.authorize(request_uri="urn:ietf:params:oauth:request_uri:x")

    page = "https://proxy.example.com/below/signin/#error=AUTHORIZATION_REQUEST_EXPIRED"
    assert address.startswith(f"{page}&request_id=")


async def test_an_error_of_the_request_goes_to_the_application_once_the_user_has_signed_in(
    web_app: WebApp, ada: SignedIn
) -> None:
    """RFC 9700, section 4.11.2."""
    sealed = sealed_request(await web_app.authorize(response_type="token"))

    described = await flow.describe(ada.client, sealed)
    refused = await given.refusal(flow.approve(ada.client.with_token(""), sealed))
    address = (await flow.approve(ada.client, sealed, consents=False)).redirect_uri

    assert (described.error, described.redirect_host) == (
        "unsupported_response_type",
        "shop.example.com",
    )
    assert refused.reason == "UNAUTHENTICATED"
    # The link of the page that shows the error to a visitor without a session.
    assert (await flow.deny(ada.client.with_token(""), sealed)).redirect_uri == address
    assert address.startswith(f"{CALLBACK}?")
    parameters = flow.parameters(address)
    assert (parameters["error"], parameters["state"]) == ("unsupported_response_type", "a state")
    assert parameters["iss"]


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"client_id": "unknown"}, "UNKNOWN_CLIENT"),
        ({"redirect_uri": "https://evil.example.com/callback"}, "REDIRECT_URI_NOT_REGISTERED"),
        ({"redirect_uri": ""}, "INVALID_FIELDS"),
        ({"client_id": ""}, "INVALID_FIELDS"),
        ({"state": "x" * 4097}, "INVALID_FIELDS"),
        ({"max_age": "soon"}, "INVALID_REQUEST"),
        ({"max_age": "-1"}, "INVALID_REQUEST"),
        ({"max_age": "\u0664"}, "INVALID_REQUEST"),
        ({"max_age": "1" * 10}, "INVALID_REQUEST"),
    ],
)
@pytest.mark.parametrize("verb", ["GET", "POST"])
async def test_an_error_before_the_application_is_known_goes_to_the_page(
    web_app: WebApp, parameters: dict[str, str], reason: str, verb: str
) -> None:
    request = web_app.request(**parameters)
    if verb == "GET":
        answer = await web_app.http.get("/oauth/authorize", params=request)
    else:
        answer = await web_app.post("authorize", **request)

    page = f"https://proxy.example.com/below/signin/#error={reason}"
    assert location(answer) == f"{page}&request_id={answer.headers['x-request-id']}"


async def test_a_post_of_another_type_goes_to_the_page(web_app: WebApp) -> None:
    answer = await web_app.http.post("/oauth/authorize", json=web_app.request())

    assert urlsplit(location(answer)).fragment.startswith(
        "error=UNSUPPORTED_MEDIA_TYPE&request_id="
    )


async def test_an_empty_parameter_counts_as_absent(web_app: WebApp, ada: SignedIn) -> None:
    address = await web_app.authorize(max_age="", prompt="", resource="", unknown="a")

    answer = await flow.approve(ada.client, sealed_request(address))

    assert flow.parameters(answer.redirect_uri)["code"]


@pytest.mark.parametrize("verb", ["GET", "POST"])
async def test_a_request_to_sign_out_leads_to_the_page(web_app: WebApp, verb: str) -> None:
    parameters = {"client_id": web_app.app.client_id, "state": "a state"}
    sent: dict[str, Any] = {"params": parameters} if verb == "GET" else {"data": parameters}

    answer = await web_app.http.request(verb, "/oauth/logout", **sent)
    refused = await web_app.http.get(
        "/oauth/logout", params={"post_logout_redirect_uri": "https://evil.example"}
    )

    assert answer.status_code == refused.status_code == 303
    assert answer.headers["location"].startswith("../signin/#logout=gAAAA")
    assert refused.headers["location"].startswith(
        "../signin/#error=POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED&request_id="
    )
    assert "set-cookie" not in answer.headers


async def test_the_answer_says_that_no_scope_was_granted(web_app: WebApp, owner: Client) -> None:
    """RFC 6749, section 5.1: without `scope`, the application has what it asked for."""
    api = await flow.api(owner, resource_scopes=[])
    service = await flow.service(owner, scopes=["read"])

    answer = await web_app.post(
        "token",
        **service.credentials,
        grant_type="client_credentials",
        resource=api.identifier,
    )

    assert answer.json()["scope"] == ""
