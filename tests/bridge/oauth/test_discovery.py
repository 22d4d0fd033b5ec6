"""The discovery documents, and that the server does what they say."""

import json
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, OKPKey

from keystead.application.v1 import application_service_pb2 as application_pb
from server.values.languages import LANGUAGES
from tests.application import calls
from tests.bridge.oauth.web_app import DOCUMENTS, WebApp, basic, error_of, sealed_request
from tests.conftest import MakeInstance
from tests.oauth import flow
from tests.oauth.flow import CALLBACK, App, PrivateKey
from tests.org import calls as orgs
from tests.session.sessions import SignedIn
from tests.support import given, rsa_keys
from tests.support.given import Client
from tests.support.web_client import web_client

_NAVIGATED = {"authorization_endpoint", "end_session_endpoint", "jwks_uri"}


@pytest.fixture
async def document(web: httpx2.AsyncClient) -> dict[str, Any]:
    answer = await web.get(DOCUMENTS[0])
    return answer.json()


# The second one is of programs that were given the issuer with a slash at its end.
@pytest.mark.parametrize("path", [*DOCUMENTS, f"/{DOCUMENTS[0]}"])
async def test_the_document_is_public_and_cached_for_minutes(
    web: httpx2.AsyncClient, path: str
) -> None:
    url = f"{str(web.base_url).rstrip('/')}{path}"
    answer = await web.get(url, headers={"origin": "https://shop.example.com"})
    known = await web.get(url, headers={"if-none-match": answer.headers["etag"]})
    head = await web.head(url)

    assert (answer.status_code, head.status_code, known.status_code) == (200, 200, 304)
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "public, max-age=300"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.json() == (await web.get(DOCUMENTS[0])).json()


def test_the_document_has_these_members(document: dict[str, Any]) -> None:
    issuer = document["issuer"]
    methods = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]
    algorithms = ["ES256", "RS256", "PS256", "EdDSA"]
    authentication = {
        name: value
        for endpoint in ("token", "introspection", "revocation")
        for name, value in (
            (f"{endpoint}_endpoint_auth_methods_supported", methods),
            (f"{endpoint}_endpoint_auth_signing_alg_values_supported", algorithms),
        )
    }
    assert document == {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}/oauth/authorize",
        "pushed_authorization_request_endpoint": f"{issuer}/oauth/par",
        "token_endpoint": f"{issuer}/oauth/token",
        "userinfo_endpoint": f"{issuer}/oauth/userinfo",
        "device_authorization_endpoint": f"{issuer}/oauth/device",
        "introspection_endpoint": f"{issuer}/oauth/introspect",
        "revocation_endpoint": f"{issuer}/oauth/revoke",
        "end_session_endpoint": f"{issuer}/oauth/logout",
        "jwks_uri": f"{issuer}/.well-known/jwks.json",
        "scopes_supported": ["openid", "profile", "email", "groups", "offline_access"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query", "form_post"],
        "grant_types_supported": [
            *("authorization_code", "refresh_token", "client_credentials"),
            "urn:ietf:params:oauth:grant-type:token-exchange",
            "urn:ietf:params:oauth:grant-type:device_code",
        ],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256", "ES256"],
        "code_challenge_methods_supported": ["S256"],
        "prompt_values_supported": ["none", "login", "consent", "select_account"],
        "acr_values_supported": ["phr"],
        "claims_supported": [
            *("iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "sid"),
            *("at_hash", "org_id", "name", "preferred_username", "given_name", "family_name"),
            *("locale", "zoneinfo", "picture", "updated_at", "email", "email_verified", "groups"),
        ],
        "claims_parameter_supported": True,
        "request_parameter_supported": False,
        "request_uri_parameter_supported": False,
        "authorization_response_iss_parameter_supported": True,
        "backchannel_logout_supported": True,
        "backchannel_logout_session_supported": True,
        "ui_locales_supported": [*LANGUAGES],
        **authentication,
    }


async def test_the_issuer_is_that_of_the_settings(make_instance: MakeInstance) -> None:
    url = "https://id.example.com/below"
    async with make_instance(public_url=url) as instance, web_client(instance.web_port) as http:
        document = (await http.get(DOCUMENTS[0])).json()
        # RFC 8414, section 3.1: the path of the issuer after the well-known one.
        inserted = [(await http.get(f"{path}/below")).json() for path in DOCUMENTS]

    assert document["issuer"] == url
    assert inserted == [document] * 2
    assert document["token_endpoint"] == f"{url}/oauth/token"


async def test_metadata_documents_are_supported_while_an_organization_admits_some(
    make_instance: MakeInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("server.values.cache.monotonic", lambda: now)
    supported = []
    async with make_instance() as instance, web_client(instance.web_port) as http:
        admin = instance.admin
        org_id = await given.organization(admin)
        for hosts in ((), ("app.example.com",), ()):
            await orgs.patch(admin, org_id, client_metadata_hosts=hosts)
            for _ in range(2):
                document = (await http.get(DOCUMENTS[1])).json()
                supported.append(document.get("client_id_metadata_document_supported"))
                now += 4.9
            now += 0.2

    # The last document of each setting is kept for less than five seconds.
    assert supported == [None, None, True, True, None, None]


async def test_every_endpoint_of_the_document_answers(
    web: httpx2.AsyncClient, document: dict[str, Any]
) -> None:
    statuses = {}
    for name, value in document.items():
        if name.endswith(("_endpoint", "_uri")):
            path = urlsplit(value).path
            verb = "GET" if name in _NAVIGATED else "POST"
            statuses[name] = (await web.request(verb, path)).status_code

    assert statuses == {
        "authorization_endpoint": 303,
        "end_session_endpoint": 303,
        "pushed_authorization_request_endpoint": 415,
        "token_endpoint": 415,
        "userinfo_endpoint": 401,
        "device_authorization_endpoint": 415,
        "introspection_endpoint": 415,
        "revocation_endpoint": 415,
        "jwks_uri": 200,
    }


@pytest.mark.parametrize(
    "method", ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]
)
async def test_every_authentication_method_works_at_every_endpoint(
    web_app: WebApp, owner: Client, document: dict[str, Any], method: str
) -> None:
    key = ECKey.generate_key("P-256", {"alg": "ES256", "use": "sig"})
    app = await _app(owner, method, key)

    reasons = []
    regular = {**flow.with_challenge(), **app.parameters}
    regular |= {"token": "x", "grant_type": "refresh_token", "refresh_token": "x"}
    for endpoint in ("token", "introspection", "revocation", "pushed_authorization_request"):
        path = urlsplit(document[f"{endpoint}_endpoint"]).path
        headers, credentials = _credentials(app, method, document["issuer"], key)
        answer = await web_app.http.post(path, data={**regular, **credentials}, headers=headers)
        reasons.append((answer.status_code, answer.json()["error"] if answer.is_error else ""))

    assert method in document["token_endpoint_auth_methods_supported"]
    # The refresh token is invalid; the application is not.
    assert reasons == [(400, "invalid_grant"), (200, ""), (200, ""), (201, "")]


@pytest.mark.parametrize(
    ("alg", "key"),
    [
        ("ES256", ECKey.generate_key("P-256")),
        ("RS256", rsa_keys.jwk("a")),
        ("PS256", rsa_keys.jwk("a")),
        ("EdDSA", OKPKey.generate_key("Ed25519")),
    ],
)
@pytest.mark.filterwarnings("ignore:EdDSA is deprecated")  # by RFC 9864, for Ed25519
async def test_every_algorithm_of_assertions_works(
    web_app: WebApp, owner: Client, document: dict[str, Any], alg: str, key: PrivateKey
) -> None:
    app = await _app(owner, "private_key_jwt", key)
    _, credentials = _credentials(app, "private_key_jwt", document["issuer"], key, alg=alg)

    answer = await web_app.post("introspect", **credentials, token="x")

    assert answer.json() == {"active": False}
    assert alg in document["token_endpoint_auth_signing_alg_values_supported"]


async def test_every_grant_type_is_known(web_app: WebApp, document: dict[str, Any]) -> None:
    errors = set()
    for grant_type in document["grant_types_supported"]:
        answer = await web_app.post("token", **web_app.app.credentials, grant_type=grant_type)
        errors.add(error_of(answer)[1])

    assert errors == {"invalid_request", "unauthorized_client"}


async def test_every_scope_is_granted_and_every_claim_exists(
    web_app: WebApp, ada: SignedIn, document: dict[str, Any]
) -> None:
    scope = " ".join(document["scopes_supported"])
    tokens = await web_app.tokens(ada.client, scope=scope, nonce="a nonce")

    keys = (await web_app.http.get(urlsplit(document["jwks_uri"]).path)).json()
    id_token = jwt.decode(
        tokens["id_token"],
        KeySet.import_key_set(keys),
        algorithms=document["id_token_signing_alg_values_supported"],
    )
    claims = (await web_app.user_info(tokens["access_token"])).json()
    assert tokens["scope"] == scope
    assert id_token.claims["iss"] == document["issuer"]
    # The user has neither a mail address nor these fields.
    missing = set(document["claims_supported"]) - {*id_token.claims, *claims}
    of_person = {"given_name", "family_name", "locale", "zoneinfo", "picture"}
    assert missing <= {"email", "email_verified", "name"} | of_person
    assert {*id_token.claims, *claims} <= set(document["claims_supported"])


@pytest.mark.parametrize(
    ("member", "parameter"),
    [
        ("response_types_supported", "response_type"),
        ("response_modes_supported", "response_mode"),
        ("prompt_values_supported", "prompt"),
        ("code_challenge_methods_supported", "code_challenge_method"),
        ("acr_values_supported", "acr_values"),
        ("ui_locales_supported", "ui_locales"),
    ],
)
async def test_every_value_of_a_parameter_is_accepted(
    web_app: WebApp, document: dict[str, Any], member: str, parameter: str
) -> None:
    for value in document[member]:
        address = await web_app.authorize(**{parameter: value})
        described = await flow.describe(web_app.app.client, sealed_request(address))
        assert not described.error, value


@pytest.mark.parametrize("parameter", ["request", "request_uri"])
async def test_request_objects_are_refused_as_the_document_says(
    web_app: WebApp, document: dict[str, Any], parameter: str
) -> None:
    address = await web_app.authorize(**{parameter: "x", "prompt": "none"})

    assert document[f"{parameter}_parameter_supported"] is False
    assert address.startswith(CALLBACK)
    assert flow.parameters(address)["error"] == f"{parameter}_not_supported"


async def test_the_claims_parameter_and_the_issuer_work(
    web_app: WebApp, ada: SignedIn, document: dict[str, Any]
) -> None:
    claims = json.dumps({"userinfo": {"preferred_username": None}})
    approved = await web_app.approved(ada.client, scope="openid", claims=claims)

    tokens = (await web_app.redeem(approved)).json()

    assert approved.parameters["iss"] == document["issuer"]
    answer = await web_app.user_info(tokens["access_token"])
    assert "preferred_username" in answer.json()


async def _app(owner: Client, method: str, key: PrivateKey) -> App:
    if method == "none":
        return await flow.public_app(owner)
    enum = application_pb.TokenEndpointAuthMethod.Value(
        f"TOKEN_ENDPOINT_AUTH_METHOD_{method.upper()}"
    )
    if method != "private_key_jwt":
        return await flow.app(owner, token_endpoint_auth_method=enum)
    client_id = await calls.application(
        owner,
        redirect_uris=[CALLBACK],
        token_endpoint_auth_method=enum,
        jwks=json.dumps({"keys": [key.as_dict(private=False)]}),
    )
    return App(owner.with_token(""), client_id, "")


def _credentials(
    app: App, method: str, issuer: str, key: PrivateKey, *, alg: str = "ES256"
) -> tuple[dict[str, str], dict[str, str]]:
    """The headers and the parameters by which an application authenticates."""
    if method == "none":
        return {}, {"client_id": app.client_id}
    if method == "client_secret_basic":
        return basic(app.client_id, app.secret), {}
    if method == "client_secret_post":
        return {}, dict(app.credentials)
    return {}, flow.assertion(app.client_id, issuer, key, alg=alg)
