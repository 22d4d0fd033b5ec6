"""Runs plans of the OpenID conformance suite at a new server: see docs/conformance.md.

The suite is no package, so `make e2e` does not run this file.
"""

import os
import ssl
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest

from e2e.conftest import kept_log
from e2e.programs import ARTIFACTS, required, run_node_tests, trusting_home
from e2e.sessions import post
from tests.support.certificates import Authority
from tests.support.databases import MakeDatabase
from tests.support.process import free_port, serve

# The URL of the suite, and the file with the authority of its certificate.
_SUITE: Final = os.environ.get("CONFORMANCE_SUITE", "https://localhost:8443")
_SUITE_CA: Final = Path(os.environ.get("CONFORMANCE_SUITE_CA", "suite-ca.pem"))
_HOST: Final = "id.keystead.test"
_STATIC: Final = {"server_metadata": "discovery", "client_registration": "static_client"}
_LOGOUT: Final = {"response_type": "code", "client_registration": "static_client"}
_BACK_CHANNEL: Final = "oidcc-backchannel-rp-initiated-logout-certification-test-plan"
_RELYING_PARTY: Final = {
    "client_registration": "static_client",
    "request_type": "plain_http_request",
}
# The plans, with their variants. In those of relying parties, the suite is the provider.
_PLANS: Final[Mapping[str, Mapping[str, str]]] = {
    "oidcc-config-certification-test-plan": {},
    "oidcc-basic-certification-test-plan": _STATIC,
    "oidcc-formpost-basic-certification-test-plan": _STATIC,
    "oidcc-rp-initiated-logout-certification-test-plan": _LOGOUT,
    _BACK_CHANNEL: _LOGOUT,
    "oidcc-client-basic-certification-test-plan": _RELYING_PARTY,
    "oidcc-client-config-certification-test-plan": {
        **_RELYING_PARTY,
        "client_auth_type": "client_secret_basic",
        "response_mode": "default",
    },
}
_LOOPBACK: Final = "127.0.0.0/8,::1"
_SECONDS: Final = 3000


@pytest.fixture(params=_PLANS)
async def described(
    request: pytest.FixtureRequest, make_database: MakeDatabase, tmp_path: Path
) -> AsyncIterator[Mapping[str, object]]:
    """A server with its applications for a plan, and the description of both (`world.js`)."""
    plan: str = request.param
    web_port = free_port()
    origin = f"https://{_HOST}:{web_port}"
    # A new test of an alias ends an earlier one that runs.
    alias = f"keystead-{web_port}"
    authority = Authority(tmp_path)
    certificate = authority.certificate((_HOST, "localhost"))
    data_dir = tmp_path / "data"
    async with (
        serve(
            data_dir,
            database_url=await make_database(),
            http_address=f"127.0.0.1:{web_port}",
            rp_id=_HOST,
            rp_origins=origin,
            public_url=origin,
            tls_certificate_file=certificate.path,
            tls_key_file=certificate.path,
            idp_ca_file=_SUITE_CA,
            idp_allowed_networks=_LOOPBACK,
            push_ca_file=_SUITE_CA,
            push_allowed_networks=_LOOPBACK,
        ) as server,
        kept_log(server, f"{plan}.log"),
    ):
        web_url = f"https://localhost:{await server.web_port()}"
        admin = (data_dir / "admin.token").read_text().strip()
        trust = ssl.create_default_context(cafile=authority.ca_file)
        async with httpx2.AsyncClient(base_url=web_url, timeout=30, verify=trust) as http:
            clients = {
                name: await _client(http, admin, alias, method, plan)
                for name, method in (
                    ("client", "CLIENT_SECRET_BASIC"),
                    ("client2", "CLIENT_SECRET_BASIC"),
                    ("client_secret_post", "CLIENT_SECRET_POST"),
                )
            }
        configuration = {
            "alias": alias,
            "description": "Keystead",
            "server": {"discoveryUrl": f"{origin}/.well-known/openid-configuration"},
            **clients,
        }
        both = tmp_path / "both.pem"
        both.write_text(authority.ca_file.read_text() + _SUITE_CA.read_text())
        ARTIFACTS.mkdir(exist_ok=True)
        yield {
            "plan": plan,
            "variant": _PLANS[plan],
            "webUrl": web_url,
            "origin": origin,
            "token": admin,
            "suite": _SUITE,
            "configuration": configuration,
            "results": str(ARTIFACTS / "conformance.md"),
            "module": os.environ.get("CONFORMANCE_MODULE", ""),
            "caFiles": [str(authority.ca_file), str(_SUITE_CA)],
            "bothCaFile": str(both),
            "artifacts": "conformance",
        }


async def _client(
    http: httpx2.AsyncClient, admin: str, alias: str, method: str, plan: str
) -> Mapping[str, Any]:
    """An application for the suite."""
    application = {
        "name": "Conformance suite",
        "kind": "APPLICATION_KIND_WEB",
        "tokenEndpointAuthMethod": f"TOKEN_ENDPOINT_AUTH_METHOD_{method}",
        "redirectUris": [f"{_SUITE}/test/a/{alias}/callback"],
        "postLogoutRedirectUris": [f"{_SUITE}/test/a/{alias}/post_logout_redirect"],
        "scopes": ["openid", "profile", "email", "groups", "offline_access"],
        "pkce": "APPLICATION_PKCE_NONE",
    }
    if plan == _BACK_CHANNEL:  # modules of other plans expect no logout token
        application["backchannelLogoutUri"] = f"{_SUITE}/test/a/{alias}/backchannel_logout"
    added = await post(http, "/v1/applications", admin, application=application)
    path = f"/v1/applications/{added['applicationId']}/secrets"
    return {
        "client_id": added["applicationId"],
        "client_secret": (await post(http, path, admin))["secret"],
    }


@pytest.mark.timeout(_SECONDS + 60)
async def test_conformance(described: Mapping[str, Any], tmp_path: Path) -> None:
    ca_files: Sequence[str] = described["caFiles"]
    await run_node_tests(
        "conformance.test.js",
        described,
        seconds=_SECONDS,
        CHROMIUM=required("chromium", "chromium"),
        HOME=str(await trusting_home(tmp_path / "home", *map(Path, ca_files))),
        NODE_EXTRA_CA_CERTS=described["bothCaFile"],
    )
