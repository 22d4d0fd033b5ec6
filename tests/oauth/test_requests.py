"""Authorization requests: those that never redirect, and those that redirect with an error."""

from typing import Any

import grpc
import pytest

from keystead.application.v1 import application_service_pb2 as application_pb
from tests.application import calls
from tests.oauth import flow, shared
from tests.oauth.flow import CALLBACK, App
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client

org_id, owner, app, ada = shared.org_id, shared.owner, shared.app, shared.ada


async def test_a_request_is_described_to_the_page(app: App, owner: Client) -> None:
    sealed = await flow.sealed(
        app, prompt="login consent", login_hint="ada", ui_locales="de en", scope="openid email x"
    )

    answer = await flow.describe(app.client, sealed)

    assert answer.client_id == app.client_id
    assert answer.client_name == "Application"
    assert answer.redirect_host == "shop.example.com"
    assert answer.scopes == ["openid", "email"]
    assert answer.prompts == ["login", "consent"]
    assert (answer.login_hint, answer.ui_locales) == ("ada", "de en")
    assert answer.org_id == (await calls.get(owner, app.client_id)).details.resource_owner


@pytest.mark.parametrize(
    ("redirect_uri", "shown"),
    [
        ("https://shop.example.com:8443/callback", "shop.example.com:8443"),
        ("com.example.shop:/callback", "com.example.shop"),
        ("com.example.shop://bank.example/callback", "com.example.shop"),
    ],
)
async def test_the_page_is_told_where_the_browser_returns(
    owner: Client, redirect_uri: str, shown: str
) -> None:
    kind = application_pb.APPLICATION_KIND_NATIVE
    app = await flow.public_app(owner, kind=kind, redirect_uris=[redirect_uri])
    sealed = await flow.sealed(app, redirect_uri=redirect_uri)

    assert (await flow.describe(app.client, sealed)).redirect_host == shown


# RFC 9700, section 4.1.3: compared as strings.
@pytest.mark.parametrize(
    "redirect_uri",
    [
        f"{CALLBACK}/",
        f"{CALLBACK}?x=1",
        f"{CALLBACK}#fragment",
        CALLBACK.replace("https", "http"),
        CALLBACK.replace("shop", "SHOP"),
        CALLBACK.replace("shop.example.com", "shop.example.com:443"),
        CALLBACK.replace("shop.example.com", "shop.example.com@evil.example"),
        CALLBACK.replace("//", "//user@"),
        CALLBACK.replace("/callback", "/other/../callback"),
        CALLBACK.replace("/callback", "/%63allback"),
        CALLBACK.replace("/callback", "\\callback"),
        CALLBACK.replace("/callback", "/./callback"),
        CALLBACK.replace("/callback", "/%2e%2e/callback"),
        CALLBACK.replace("/callback", "/callback/.."),
        CALLBACK.replace("/callback", "//callback"),
        CALLBACK.replace("/callback", "/callback%00"),
        CALLBACK.replace("/callback", "/callback "),
        CALLBACK.replace("/callback", "/callback#"),
        CALLBACK.replace(".com", ".com."),
        CALLBACK.replace(".com", ".com:0443"),
        CALLBACK.replace(".com", ".com:@evil.example"),
        CALLBACK.replace(".com", ".com%2eevil.example"),
        CALLBACK.replace(".com", ".com\\@evil.example"),
        CALLBACK.replace(".com", "。com"),
        CALLBACK.replace("//", "/"),
        CALLBACK.replace("//", "///"),
        CALLBACK.replace("https", "HTTPS"),
        f"{CALLBACK}&x=1",
        f"javascript:{CALLBACK}",
        "https://evil.example",
    ],
)
async def test_a_redirect_uri_in_another_spelling_is_refused(app: App, redirect_uri: str) -> None:
    refused = await given.refusal(app.start(redirect_uri=redirect_uri))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "REDIRECT_URI_NOT_REGISTERED"


@pytest.mark.parametrize(
    ("registered", "requested", "is_right"),
    [
        ("http://127.0.0.1/cb", "http://127.0.0.1:51004/cb", True),
        ("http://127.0.0.1:8080/cb", "http://127.0.0.1:51004/cb", True),
        ("http://[::1]/cb", "http://[::1]:1/cb", True),
        ("com.example.app:/cb", "com.example.app:/cb", True),
        ("http://127.0.0.1/cb", "http://127.0.0.1:51004/other", False),
        ("http://127.0.0.1/cb", "http://127.0.0.1:x/cb", False),
        ("http://127.0.0.1/cb", "http://127.0.0.1.example.com:80/cb", False),
        ("http://127.0.0.1/cb", "http://127.0.0.1:80@example.com/cb", False),
        ("http://127.0.0.1/cb", "http://user@127.0.0.1:80/cb", False),
        ("http://127.0.0.1/cb", "http://example.com\\@127.0.0.1:80/cb", False),
        ("http://127.0.0.1/cb", "http://127.0.0.1:80\\@example.com/cb", False),
        ("http://127.0.0.1/cb", "http://127.0.0.1:0080/cb", False),
        ("http://127.0.0.1/cb", "http://127.0.0.1:80/x/../cb", False),
        ("http://127.0.0.1/cb", "http://127.0.0.2:80/cb", False),
        ("http://127.0.0.1/cb", "http://2130706433:80/cb", False),
        ("http://127.0.0.1/cb", "http://localhost:80/cb", False),
        ("http://localhost/cb", "http://LOCALHOST:80/cb", False),
        ("http://127.0.0.1/cb", "http://[::1/cb", False),
        ("https://shop.example.com/cb", "https://shop.example.com:8443/cb", False),
    ],
)
async def test_an_application_on_a_device_chooses_the_port_of_a_loopback_address(
    owner: Client, registered: str, requested: str, is_right: bool
) -> None:
    """RFC 8252, section 7.3."""
    app = await flow.public_app(
        owner, kind=application_pb.APPLICATION_KIND_NATIVE, redirect_uris=[registered]
    )

    call = app.start(redirect_uri=requested, **flow.with_challenge())

    if is_right:
        assert (await call).sealed_request
    else:
        assert await given.outcome(call) == "REDIRECT_URI_NOT_REGISTERED"


async def test_people_do_not_sign_in_to_services(owner: Client) -> None:
    service = await flow.service(owner)

    assert await given.outcome(service.start()) == "UNKNOWN_CLIENT"


@pytest.mark.parametrize(
    ("redirect_uri", "is_right"),
    [
        ("https://gate-uris.example.com/.keystead/callback", True),
        ("https://gate-uris.example.com/.keystead/callback/", False),
        ("https://gate-uris.example.com/", False),
        ("https://other.example.com/.keystead/callback", False),
        ("http://gate-uris.example.com/.keystead/callback", False),
    ],
)
async def test_people_return_to_the_gate_at_an_origin_of_the_application(
    owner: Client, redirect_uri: str, is_right: bool
) -> None:
    client_id = await calls.application(
        owner,
        kind=application_pb.APPLICATION_KIND_GATE,
        origins=["https://gate-uris.example.com"],
    )
    application = flow.App(owner.with_token(""), client_id, "")

    call = application.start(redirect_uri=redirect_uri, **flow.with_challenge())

    if is_right:
        assert (await call).sealed_request
    else:
        assert await given.outcome(call) == "REDIRECT_URI_NOT_REGISTERED"
    await calls.remove(owner, client_id)


async def test_an_unknown_client_is_refused(app: App) -> None:
    assert await given.outcome(app.start(client_id="unknown")) == "UNKNOWN_CLIENT"


async def test_a_request_without_a_redirect_uri_goes_nowhere(app: App) -> None:
    refused = await given.refusal(app.start(redirect_uri=""))

    assert refused.violations == {"redirectUri": "must not be empty without a pushed request"}


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"response_type": ""}, "unsupported_response_type"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "code id_token"}, "unsupported_response_type"),
        ({"response_mode": "fragment"}, "invalid_request"),
        ({"request": "e30.e30."}, "request_not_supported"),
        ({"request_uri": "https://shop.example.com/request"}, "request_uri_not_supported"),
        ({"scope": ""}, "invalid_scope"),
        ({"scope": "admin"}, "invalid_scope"),
        ({"scope": 'openid"'}, "invalid_scope"),
        ({"scope": 'openid profile"'}, "invalid_scope"),
        ({"prompt": "none login"}, "invalid_request"),
        ({"prompt": "create"}, "invalid_request"),
        ({"resource": ["https://a.example", "https://b.example"]}, "invalid_target"),
        ({"resource": ["https://a.example/#fragment"]}, "invalid_target"),
        ({"resource": ["/relative"]}, "invalid_target"),
        ({"resource": ["https://[/"]}, "invalid_target"),
        ({"id_token_hint": "e30.e30.e30"}, "invalid_request"),
        ({"claims": "[]"}, "invalid_request"),
        ({"claims": "[" * 8000}, "invalid_request"),
        *(
            ({"claims": f'{{"{place}": {{"{name}": {{"value": "{value}"}}}}}}'}, "invalid_request")
            for place, name in (("id_token", "sub"), ("userinfo", "sub"), ("id_token", "acr"))
            for value in (r"\ud800", r"\u0000")
        ),
        ({"claims": '{"userinfo": {"email": true}}'}, "invalid_request"),
        (
            {"claims": '{"id_token": {"acr": {"essential": true, "value": "urn:other"}}}'},
            "unmet_authentication_requirements",
        ),
        # PKCE and its downgrade (RFC 9700, section 2.1.1).
        ({"code_challenge": "", "code_challenge_method": "S256"}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": ""}, "invalid_request"),
        ({"code_challenge": "too short"}, "invalid_request"),
    ],
)
async def test_a_wrong_request_redirects_with_its_error(
    app: App, fields: dict[str, Any], error: str
) -> None:
    answer = await app.start(**{**flow.with_challenge(), **fields})

    assert not answer.sealed_request
    parameters = flow.parameters(answer.redirect_uri)
    assert answer.redirect_uri.startswith(f"{CALLBACK}?")
    assert parameters["error"] == error
    assert parameters["error_description"]
    assert parameters["state"] == "a state"
    assert parameters["iss"].startswith("http")


async def test_the_page_brings_the_error_of_a_request_by_a_press_or_after_the_sign_in(
    app: App, ada: SignedIn
) -> None:
    """RFC 9700, section 4.11.2."""
    answer = await app.start(**flow.with_challenge(), response_type="token")

    pressed = await flow.deny(app.client, answer.sealed_refusal)
    signed_in = await flow.approve(ada.client, answer.sealed_refusal)

    assert pressed.redirect_uri == signed_in.redirect_uri == answer.redirect_uri


async def test_the_query_of_a_registered_uri_stays(owner: Client, ada: SignedIn) -> None:
    uri = f"{CALLBACK}?tenant=a%20b"
    app = await flow.app(owner, redirect_uris=[uri])

    answer = await flow.approve(ada.client, await flow.sealed(app, redirect_uri=uri))

    assert answer.redirect_uri.startswith(f"{uri}&code=kac_")


async def test_a_response_can_be_posted(app: App, ada: SignedIn) -> None:
    sealed = await flow.sealed(app, response_mode="form_post")
    answer = await flow.approve(ada.client, sealed)

    form = await flow.form(app.client, flow.parameters(answer.redirect_uri)["response"])

    assert "kac_" not in answer.redirect_uri
    assert form.redirect_uri == CALLBACK
    assert form.parameters.keys() == {"code", "state", "iss"}


async def test_a_sealed_response_is_neither_a_request_nor_of_another(app: App) -> None:
    sealed = await flow.sealed(app)

    assert await given.outcome(flow.form(app.client, sealed)) == "AUTHORIZATION_REQUEST_EXPIRED"


async def test_a_hint_and_claims_cannot_ask_for_different_people(app: App, ada: SignedIn) -> None:
    tokens = await flow.tokens(app, ada.client)

    answer = await app.start(
        id_token_hint=tokens.id_token,
        claims='{"userinfo": {"sub": {"value": "another"}}}',
        **flow.with_challenge(),
    )

    assert flow.parameters(answer.redirect_uri)["error"] == "invalid_request"


async def test_a_state_of_4096_characters_comes_back(app: App, ada: SignedIn) -> None:
    approved = await flow.approved(app, ada.client, state="x" * 4096)

    assert approved.parameters["state"] == "x" * 4096
