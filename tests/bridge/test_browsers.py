"""Headers for browsers: pages that may call, readable headers, and forbidden behaviour."""

from collections.abc import AsyncIterator

import httpx2
import pytest

from tests.conftest import MakeInstance
from tests.support.given import Instance
from tests.support.web_client import web_client

ALLOWED = "https://app.example.com"
FOREIGN = "https://evil.example.com"
HEADERS = ("authorization", "content-type", "x-grpc-web", "x-service-orgid")
PATHS = ["/v1/idps/an-id", "/keystead.idp.v1.IdentityProviderService/UpdateIDP"]


@pytest.fixture(scope="module")
async def origins_instance(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    async with make_instance(cors_origins=(ALLOWED, "http://localhost:5173")) as instance:
        yield instance


@pytest.fixture
async def web(origins_instance: Instance) -> AsyncIterator[httpx2.AsyncClient]:
    async with web_client(origins_instance.web_port) as client:
        yield client


async def _preflight(web: httpx2.AsyncClient, path: str, origin: str) -> httpx2.Response:
    return await web.options(
        path,
        headers={
            "origin": origin,
            "access-control-request-method": "PUT",
            "access-control-request-headers": ",".join(HEADERS),
        },
    )


def _names(value: str) -> set[str]:
    return {name.strip().lower() for name in value.split(",")}


@pytest.mark.parametrize("path", PATHS)
async def test_a_listed_origin_may_call_with_credentials_and_its_headers(
    web: httpx2.AsyncClient, path: str
) -> None:
    answer = await _preflight(web, path, ALLOWED)

    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == ALLOWED
    assert answer.headers["access-control-allow-credentials"] == "true"
    assert _names(answer.headers["access-control-allow-methods"]) >= {"post", "put", "patch"}
    assert _names(answer.headers["access-control-allow-headers"]) >= set(HEADERS)
    assert int(answer.headers["access-control-max-age"]) > 0
    assert "origin" in _names(answer.headers["vary"])


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "origin", [FOREIGN, "null", f"{ALLOWED}.evil.com", "http://app.example.com"]
)
async def test_another_origin_is_refused_its_preflight(
    web: httpx2.AsyncClient, path: str, origin: str
) -> None:
    answer = await _preflight(web, path, origin)

    assert answer.status_code == 400
    assert "access-control-allow-origin" not in answer.headers


async def test_a_listed_origin_may_read_a_refusal_and_the_headers_it_needs(
    web: httpx2.AsyncClient,
) -> None:
    answer = await web.get("/v1/idps", headers={"origin": ALLOWED})

    assert answer.status_code == 401
    assert answer.headers["access-control-allow-origin"] == ALLOWED
    exposed = _names(answer.headers["access-control-expose-headers"])
    assert exposed >= {"grpc-status", "grpc-message", "grpc-status-details-bin", "x-request-id"}
    assert exposed >= {"deprecation", "link", "sunset", "retry-after", "www-authenticate"}


async def test_another_origin_may_read_nothing(web: httpx2.AsyncClient) -> None:
    answer = await web.get("/v1/idps", headers={"origin": FOREIGN})

    assert "access-control-allow-origin" not in answer.headers


async def test_without_configured_origins_nobody_may_call_from_elsewhere(
    instance: Instance,
) -> None:
    async with web_client(instance.web_port) as web:
        answer = await _preflight(web, PATHS[0], ALLOWED)

    assert answer.status_code == 400


@pytest.mark.parametrize("path", ["/v1/idps", "/livez", "/no/such/page"])
async def test_answers_are_not_sniffed_stored_framed_or_referred(
    web: httpx2.AsyncClient, path: str
) -> None:
    answer = await web.get(path)

    _assert_is_hardened(answer)
    assert "strict-transport-security" not in answer.headers  # the port itself has no TLS


@pytest.mark.parametrize("origin", [ALLOWED, FOREIGN])
async def test_preflights_are_answered_with_the_same_headers(
    web: httpx2.AsyncClient, origin: str
) -> None:
    _assert_is_hardened(await _preflight(web, PATHS[0], origin))


def _assert_is_hardened(answer: httpx2.Response) -> None:
    headers = answer.headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


@pytest.mark.parametrize(
    ("subdomains", "value"),
    [(False, "max-age=31536000"), (True, "max-age=31536000; includeSubDomains")],
)
async def test_behind_a_proxy_with_tls_browsers_are_told_to_stay_with_it(
    make_instance: MakeInstance, subdomains: bool, value: str
) -> None:
    forwarded = {"x-forwarded-proto": "https"}
    async with (
        make_instance(trusted_proxies=("127.0.0.1",), hsts_subdomains=subdomains) as instance,
        web_client(instance.web_port) as web,
    ):
        answer = await web.get("/v1/idps", headers=forwarded)

    assert answer.headers["strict-transport-security"] == value
