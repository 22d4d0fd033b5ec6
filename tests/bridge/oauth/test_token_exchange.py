"""The token exchange of workloads (RFC 8693), as they call it over HTTP."""

import time
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from keystead.application.v1 import application_service_pb2 as application_pb
from tests.application import calls
from tests.bridge.oauth.web_app import error_of
from tests.idp.conftest import oidc_authority, provider, relying, zone
from tests.oauth.conftest import trusting_owner
from tests.support.given import Client, Instance
from tests.support.oidc_provider import Provider
from tests.support.web_client import web_client

__all__ = ["oidc_authority", "provider", "relying", "trusting_owner", "zone"]  # fixtures

_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
_ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
_AUDIENCE, _SUBJECT = "https://id.example.com", "project_path:example/shop"


@pytest.fixture
async def http(relying: Instance) -> AsyncIterator[httpx2.AsyncClient]:
    async with web_client(relying.web_port) as client:
        yield client


@pytest.fixture
async def form(trusting_owner: Client, provider: Provider) -> dict[str, Any]:
    """The parameters of a right request."""
    client_id = await calls.application(
        trusting_owner,
        kind=application_pb.APPLICATION_KIND_SERVICE,
        token_endpoint_auth_method=application_pb.TOKEN_ENDPOINT_AUTH_METHOD_NONE,
        scopes=["orders"],
        workload_issuers=[{"issuer": provider.issuer, "audience": _AUDIENCE, "subject": _SUBJECT}],
    )
    now = int(time.time())
    claims = {"iss": provider.issuer, "aud": _AUDIENCE, "sub": _SUBJECT, "exp": now + 3600}
    return {
        "grant_type": _EXCHANGE,
        "client_id": client_id,
        "subject_token": provider.signed(claims),
        "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
    }


async def test_the_answer_is_that_of_rfc_8693(
    http: httpx2.AsyncClient, form: dict[str, Any]
) -> None:
    answer = await http.post("/oauth/token", data=form)

    tokens = answer.json()
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert tokens.pop("access_token").count(".") == 2
    assert tokens == {
        "token_type": "Bearer",
        "expires_in": 300,
        "scope": "orders",
        "issued_token_type": _ACCESS_TOKEN,
    }


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"subject_token": "e30.e30.e30"}, (400, "invalid_request", "INVALID_SUBJECT_TOKEN")),
        ({"actor_token": "e30.e30.e30"}, (400, "invalid_request", "INVALID_FIELDS")),
        (
            {"resource": ["https://a.example", "https://b.example"]},
            (400, "invalid_target", "INVALID_TARGET"),
        ),
    ],
)
async def test_errors_of_an_exchange_are_those_of_oauth(
    http: httpx2.AsyncClient,
    form: dict[str, Any],
    changes: dict[str, Any],
    expected: tuple[int, str, str],
) -> None:
    answer = await http.post("/oauth/token", data=form | changes)

    assert error_of(answer) == expected


async def test_an_unreachable_issuer_is_retried(
    http: httpx2.AsyncClient, form: dict[str, Any], provider: Provider
) -> None:
    del provider.metadata["jwks_uri"]

    answer = await http.post("/oauth/token", data=form)

    assert error_of(answer) == (503, "temporarily_unavailable", "WORKLOAD_ISSUER_UNREACHABLE")
    assert answer.headers["retry-after"] == "5"
