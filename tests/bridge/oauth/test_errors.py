"""Failures of methods in the shape of OAuth's errors."""

import json
from datetime import timedelta
from typing import NoReturn
from urllib.parse import urlsplit

import pytest

from bridge.oauth import answers
from server.rpc.status import end_of_call
from server.signing.signer import Signer
from server.values.errors import Failure, Kind, Violation, invalid
from tests.bridge.oauth.web_app import WebApp, error_of
from tests.session.sessions import SignedIn


@pytest.mark.parametrize(
    ("kind", "reason", "status", "error"),
    [
        (Kind.FAILED_PRECONDITION, "INVALID_GRANT", 400, "invalid_grant"),
        (Kind.FAILED_PRECONDITION, "INVALID_SCOPE", 400, "invalid_scope"),
        (Kind.FAILED_PRECONDITION, "INVALID_TARGET", 400, "invalid_target"),
        (Kind.FAILED_PRECONDITION, "UNAUTHORIZED_CLIENT", 400, "unauthorized_client"),
        (Kind.FAILED_PRECONDITION, "UNSUPPORTED_GRANT_TYPE", 400, "unsupported_grant_type"),
        (Kind.FAILED_PRECONDITION, "AUTHORIZATION_PENDING", 400, "authorization_pending"),
        (Kind.FAILED_PRECONDITION, "SLOW_DOWN", 400, "slow_down"),
        (Kind.FAILED_PRECONDITION, "EXPIRED_TOKEN", 400, "expired_token"),
        (Kind.FAILED_PRECONDITION, "ACCESS_DENIED", 400, "access_denied"),
        (Kind.FAILED_PRECONDITION, "ANY", 400, "invalid_request"),
        (Kind.UNAUTHENTICATED, "INVALID_CLIENT", 400, "invalid_client"),
        (Kind.INVALID_ARGUMENT, "INVALID_FIELDS", 400, "invalid_request"),
        (Kind.INVALID_ARGUMENT, "MALFORMED_HEADER", 400, "invalid_request"),
        (Kind.INVALID_ARGUMENT, "UNSUPPORTED_MEDIA_TYPE", 415, "invalid_request"),
        (Kind.UNIMPLEMENTED, "METHOD_NOT_ALLOWED", 405, "invalid_request"),
        (Kind.RESOURCE_EXHAUSTED, "MESSAGE_TOO_LARGE", 413, "invalid_request"),
        (Kind.RESOURCE_EXHAUSTED, "RATE_LIMITED", 429, "temporarily_unavailable"),
        (Kind.PERMISSION_DENIED, "PERMISSION_DENIED", 403, "access_denied"),
        (Kind.UNAVAILABLE, "SHUTTING_DOWN", 503, "temporarily_unavailable"),
        (Kind.ABORTED, "CONFLICT", 503, "temporarily_unavailable"),
        (Kind.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED", 504, "temporarily_unavailable"),
        (Kind.INTERNAL, "INTERNAL", 500, "server_error"),
    ],
)
def test_every_failure_has_an_error_of_oauth(
    kind: Kind, reason: str, status: int, error: str
) -> None:
    failure = Failure(kind, reason, "Why. Do.", retry_after=timedelta(milliseconds=1500))

    answer = answers.client_error(end_of_call(failure, "id", (("x-request-id", "id"),)), [])

    assert answer.status == status
    assert answer.body == (
        f'{{"error":"{error}","error_description":"Why. Do. ({reason}, request id)"}}\n'.encode()
    )
    assert (b"retry-after", b"2") in answer.headers
    assert b"www-authenticate" not in dict(answer.headers)


def test_a_description_names_the_fields_in_the_characters_of_oauth() -> None:
    failure = invalid(
        Violation("codeVerifier", 'must be "b" or \\'), Violation("code", "is \u00fc\n")
    )

    answer = answers.client_error(end_of_call(failure, "id", (("x-request-id", "id"),)), [])

    assert json.loads(answer.body)["error_description"] == (
        "code_verifier must be 'b' or /. code is ??. (INVALID_FIELDS, request id)"
    )


async def test_a_missing_parameter_is_named(web_app: WebApp) -> None:
    answer = await web_app.post("token", **web_app.app.credentials)

    assert error_of(answer) == (400, "invalid_request", "INVALID_FIELDS")
    assert answer.json()["error_description"].startswith("grant_type must ")


@pytest.mark.parametrize(
    ("headers", "challenge"),
    [
        ({}, "Bearer"),
        ({"authorization": "Bearer unknown"}, 'Bearer error="invalid_token"'),
        ({"authorization": "Basic YTpi"}, 'Bearer error="invalid_token"'),
    ],
)
async def test_userinfo_challenges_a_request_without_a_valid_token(
    web_app: WebApp, headers: dict[str, str], challenge: str
) -> None:
    answer = await web_app.http.get("/oauth/userinfo", headers=headers)

    assert error_of(answer) == (401, "invalid_token", "INVALID_TOKEN")
    assert answer.headers["www-authenticate"] == challenge


async def test_userinfo_takes_no_token_of_a_query_or_a_form(web_app: WebApp, ada: SignedIn) -> None:
    token = (await web_app.tokens(ada.client))["access_token"]

    in_query = await web_app.http.get("/oauth/userinfo", params={"access_token": token})
    in_body = await web_app.post("userinfo", access_token=token)

    for answer in (in_query, in_body):
        assert error_of(answer)[:2] == (401, "invalid_token")


async def test_userinfo_needs_the_scope_openid(web_app: WebApp, ada: SignedIn) -> None:
    tokens = await web_app.tokens(ada.client, scope="profile")

    answer = await web_app.user_info(tokens["access_token"])

    assert error_of(answer) == (403, "insufficient_scope", "INSUFFICIENT_SCOPE")
    challenge = 'Bearer error="insufficient_scope", scope="openid"'
    assert answer.headers["www-authenticate"] == challenge


@pytest.mark.parametrize(
    ("error", "status", "code", "reason"),
    [
        (
            Failure(
                Kind.UNAVAILABLE,
                "SIGNING_KEY_UNAVAILABLE",
                "Try again.",
                retry_after=timedelta(seconds=60),
            ),
            503,
            "temporarily_unavailable",
            "SIGNING_KEY_UNAVAILABLE",
        ),
        (RuntimeError("a secret"), 500, "server_error", "INTERNAL"),
    ],
)
async def test_a_fault_of_the_server_has_its_own_status(
    web_app: WebApp,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: int,
    code: str,
    reason: str,
) -> None:
    async def fail(_signer: Signer) -> NoReturn:
        raise error

    monkeypatch.setattr(Signer, "now", fail)

    answer = await web_app.post("token", **web_app.app.credentials, grant_type="refresh_token")
    page = await web_app.authorize()

    assert error_of(answer) == (status, code, reason)
    assert answer.headers.get("retry-after") == ("60" if status == 503 else None)
    assert "secret" not in answer.text.replace("client_secret", "")
    assert urlsplit(page).fragment.partition("&request_id=")[0] == f"error={reason}"


async def test_a_malformed_header_is_refused_in_the_same_shape(web_app: WebApp) -> None:
    headers = {"grpc-timeout": "soon"}

    answer = await web_app.post("token", headers, grant_type="refresh_token")

    assert error_of(answer) == (400, "invalid_request", "MALFORMED_HEADER")
