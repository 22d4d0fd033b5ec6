"""A new domain in Chromium, over two names with TLS: runs `former_domain.test.js`."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from e2e.conftest import kept_log, observer
from e2e.programs import PROGRAM_SECONDS, chromium, run_node_tests, trusting_home
from e2e.test_passkey_page import signed_in_an_hour_ago
from tests.support.certificates import Authority
from tests.support.databases import MakeDatabase
from tests.support.process import free_port, serve

_OLD, _NEW = "old.test", "new.test"


@pytest.fixture
async def described(
    make_database: MakeDatabase, tmp_path: Path
) -> AsyncIterator[Mapping[str, str]]:
    """A server that has moved, to which both names lead, and its description."""
    web_port, dsn = free_port(), await make_database()
    authority = Authority(tmp_path)
    certificate = authority.certificate((_OLD, _NEW, "127.0.0.1"))
    data_dir = tmp_path / "data"
    async with (
        serve(
            data_dir,
            database_url=dsn,
            http_address=f"127.0.0.1:{web_port}",
            rp_id=_NEW,
            rp_origins=f"https://{_NEW}",
            former_rp_ids=_OLD,
            tls_certificate_file=certificate.path,
            tls_key_file=certificate.path,
        ) as server,
        kept_log(server, "former_domain.log"),
        observer(signed_in_an_hour_ago(dsn)) as observer_url,
    ):
        await server.web_port()
        yield {
            "webUrl": f"https://127.0.0.1:{web_port}",
            "origin": f"https://{_NEW}",
            "formerOrigin": f"https://{_OLD}",
            "resolverRules": f"MAP *:443 127.0.0.1:{web_port}",
            "observerUrl": observer_url,
            "token": (data_dir / "admin.token").read_text().strip(),
            "caFile": str(authority.ca_file),
            "artifacts": "former_domain",
        }


@pytest.mark.timeout(PROGRAM_SECONDS + 60)
async def test_people_move_to_another_domain(described: Mapping[str, str], tmp_path: Path) -> None:
    home = await trusting_home(tmp_path / "home", Path(described["caFile"]))
    await run_node_tests(
        "former_domain.test.js",
        described,
        **chromium(),
        HOME=str(home),
        NODE_EXTRA_CA_CERTS=described["caFile"],
    )
