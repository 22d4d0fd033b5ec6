"""Where an application can stand: runs `applications.test.js` in Chromium."""

from collections.abc import AsyncIterator, Mapping

import pytest

from e2e.conftest import kept_log
from e2e.programs import PROGRAM_SECONDS, chromium, run_node_tests
from tests.support.certificates import Authority
from tests.support.databases import MakeDatabase
from tests.support.process import free_port, serve


@pytest.fixture
async def described(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Mapping[str, object]]:
    """A server with TLS and one on localhost, and the places of applications (`world.js`)."""
    secure_port, local_port, listed_port, pages_port = (free_port() for _ in range(4))
    secure_dir, local_dir = tmp_path_factory.mktemp("secure"), tmp_path_factory.mktemp("local")
    certificate = Authority(secure_dir).certificate(
        ("keystead.test", "*.keystead.test", "related.example", "another.example")
    )
    own, local = "https://id.keystead.test", f"http://localhost:{local_port}"
    listed = [f"{own}:8443", "https://app.keystead.test"]
    called = [*listed, "https://callonly.keystead.test", "https://another.example"]
    related = "https://related.example"
    places = [f"http://{name}:{listed_port}" for name in ("localhost", "shop.localhost")]
    async with (
        serve(
            secure_dir,
            database_url=await make_database(),
            http_address=f"127.0.0.1:{secure_port}",
            tls_certificate_file=certificate.path,
            tls_key_file=certificate.path,
            rp_id="keystead.test",
            rp_origins=",".join([own, *listed]),
            rp_related_origins=related,
            cors_origins=",".join([*called, related]),
        ) as secure_server,
        serve(
            local_dir,
            database_url=await make_database(),
            http_address=f"127.0.0.1:{local_port}",
            rp_origins=f"{local},{places[0]}",
            cors_origins=",".join([*places, f"http://127.0.0.1:{listed_port}"]),
        ) as local_server,
        kept_log(secure_server, "applications-secure.log"),
        kept_log(local_server, "applications-local.log"),
    ):
        for server in (secure_server, local_server):
            await server.web_port()
        yield {
            "secure": {
                "origin": own,
                "port": secure_port,
                "token": (secure_dir / "admin.token").read_text().strip(),
            },
            "local": {
                "origin": local,
                "token": (local_dir / "admin.token").read_text().strip(),
            },
            "certificate": str(certificate.path),
            "securePort": pages_port,
            "listedPort": listed_port,
            "unlistedPort": free_port(),
        }


@pytest.mark.timeout(PROGRAM_SECONDS + 30)
async def test_an_application_has_what_the_table_says(described: Mapping[str, object]) -> None:
    await run_node_tests("applications.test.js", described, **chromium())
