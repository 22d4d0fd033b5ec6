"""The passkey page in Chromium: runs the programs of `passkey_page/`."""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from email.message import MIMEPart

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from e2e.conftest import kept_log, observer
from e2e.programs import PROGRAM_SECONDS, chromium, run_node_tests
from server.access.cached_callers import CACHE_SECONDS
from tests.support import given
from tests.support.certificates import Authority
from tests.support.databases import MakeDatabase
from tests.support.mail_server import MailServer, Received, mail_server
from tests.support.process import free_port, serve

_LINK = re.compile(r"^http://\S+", re.MULTILINE)


@pytest.fixture(scope="module")
async def described(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Mapping[str, object]]:
    """A server whose passkeys are for its own page, and its description (`world.js`)."""
    web_port, listed_port = free_port(), free_port()
    data_dir = tmp_path_factory.mktemp("data")
    dsn = await make_database()
    authority = Authority(tmp_path_factory.mktemp("authority"))
    origin = f"http://localhost:{web_port}"
    async with (
        mail_server() as mails,
        serve(
            data_dir,
            database_url=dsn,
            http_address=f"127.0.0.1:{web_port}",
            rp_origins=origin,
            cors_origins=f"http://localhost:{listed_port}",
            smtp_allowed_networks="127.0.0.0/8",
            push_allowed_networks="127.0.0.0/8,::1",
            push_ca_file=authority.ca_file,
        ) as server,
        kept_log(server, "passkey_page.log"),
        observer(signed_in_an_hour_ago(dsn), _mailed(mails)) as observer_url,
    ):
        yield {
            "smtpHost": f"127.0.0.1:{mails.port}",
            "webUrl": f"http://127.0.0.1:{await server.web_port()}",
            "origin": origin,
            "certificate": str(authority.certificate().path),
            "listedPort": listed_port,
            "observerUrl": observer_url,
            "token": (data_dir / "admin.token").read_text().strip(),
        }


def signed_in_an_hour_ago(dsn: str) -> Route:
    """Makes the sign-ins of a user older than methods accept that need a recent one."""

    async def age(request: Request) -> JSONResponse:
        async with given.sql(dsn) as rows:
            aged = await rows.execute(
                "update sessions set authenticated_at = authenticated_at - interval '1 hour'"
                " where user_id = $1",
                request.path_params["user_id"],
            )
        await asyncio.sleep(CACHE_SECONDS)  # for so long the server knows the time of the sign-in
        return JSONResponse(aged)

    return Route("/signed-in-an-hour-ago/{user_id}", age)


def _mailed(mails: MailServer) -> Route:
    """The mails to an address, oldest first, once one has these words in its subject."""

    async def wait(request: Request) -> JSONResponse:
        found: list[Mapping[str, str]] = []

        async def is_there() -> bool:
            to = (
                each for each in mails.received if request.path_params["address"] in each.recipients
            )
            found[:] = map(_mail, to)
            return any(request.query_params["subject"] in mail["subject"] for mail in found)

        await given.eventually(is_there)
        return JSONResponse(found)

    return Route("/mailed/{address}", wait)


def _mail(received: Received) -> Mapping[str, str]:
    part = received.message.get_body(("plain",))
    assert isinstance(part, MIMEPart)
    text: str = part.get_content()
    link = _LINK.search(text)
    return {"subject": received.message["subject"], "text": text, "link": link[0] if link else ""}


@pytest.mark.timeout(PROGRAM_SECONDS + 30)
@pytest.mark.parametrize(
    "program",
    [
        "account_pages.test.js",
        "openid_client.test.js",
        "passkey_page_refusals.test.js",
        "passkey_page.test.js",
        "account_pages_accessibility.test.js",
        "passkey_page_accessibility.test.js",
        "account_pages_cross_site.test.js",
        "account_pages_places.test.js",
        "account_email.test.js",
        "account_recovery.test.js",
        "account_sign_up.test.js",
        "authorization.test.js",
        "authorization_accessibility.test.js",
        "device_page.test.js",
    ],
)
async def test_people_can_use_the_page(described: Mapping[str, object], program: str) -> None:
    await run_node_tests(program, described, **chromium())
