"""The pages over TLS without a proxy in Chromium: runs `tls.test.js`."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from e2e.conftest import kept_log, observer
from e2e.programs import PROGRAM_SECONDS, chromium, run_node_tests, trusting_home
from tests.support.certificates import Authority, Certificate
from tests.support.databases import MakeDatabase
from tests.support.process import Server, free_port, serve

_DOMAIN = "keystead.test"
_HOST = f"id.{_DOMAIN}"  # not localhost, where browsers are content with plaintext
_NAMES = (_HOST, "localhost", "127.0.0.1")


@pytest.fixture
async def described(
    make_database: MakeDatabase, tmp_path: Path
) -> AsyncIterator[Mapping[str, str]]:
    """A server with a certificate that Node and Chromium verify, and its description.

    It asks clients for certificates, as a server does whose services have some.
    """
    web_port = free_port()
    authority = Authority(tmp_path)
    certificate = authority.certificate(_NAMES)
    origin = f"https://{_HOST}:{web_port}"
    data_dir = tmp_path / "data"
    async with (
        serve(
            data_dir,
            database_url=await make_database(),
            http_address=f"127.0.0.1:{web_port}",
            rp_id=_DOMAIN,
            rp_origins=origin,
            tls_certificate_file=certificate.path,
            tls_key_file=certificate.path,
            tls_client_ca_file=authority.ca_file,
        ) as server,
        kept_log(server, "tls.log"),
        observer(_renewal(server, authority, certificate)) as observer_url,
    ):
        await server.web_port()
        yield {
            "webUrl": f"https://127.0.0.1:{web_port}",
            "origin": origin,
            "observerUrl": observer_url,
            "token": (data_dir / "admin.token").read_text().strip(),
            "caFile": str(authority.ca_file),
            "artifacts": "tls",
        }


def _renewal(server: Server, authority: Authority, certificate: Certificate) -> Route:
    """Replaces the certificate while the server runs. Responds with its expiry, as Unix time."""

    async def renew(_request: Request) -> JSONResponse:
        new = authority.certificate(_NAMES, days=40)
        new.path.replace(certificate.path)
        await server.until(lambda: server.events("the certificate is replaced"))
        return JSONResponse(int(new.expires_at.timestamp()))

    return Route("/renew-certificate", renew)


@pytest.fixture
async def home(described: Mapping[str, str], tmp_path: Path) -> Path:
    """The home of a user whose browser trusts the authority."""
    return await trusting_home(tmp_path / "home", Path(described["caFile"]))


@pytest.mark.timeout(PROGRAM_SECONDS + 60)
async def test_people_can_use_the_pages(described: Mapping[str, str], home: Path) -> None:
    await run_node_tests(
        "tls.test.js",
        described,
        **chromium(),
        HOME=str(home),
        NODE_EXTRA_CA_CERTS=described["caFile"],
    )
