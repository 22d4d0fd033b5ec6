"""CheckReturn, and the return targets of registration and recovery links."""

import pytest

from keystead.application.v1 import application_service_pb2 as pb
from keystead.signin.v1 import signin_service_pb2 as signin_pb
from server.validation.uris import page_origin
from tests.application import calls
from tests.conftest import MakeInstance
from tests.passkey import links
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.url_spellings import REFUSED, TAKEN


async def _check(client: Client, return_to: str) -> str:
    nobody = client.with_token("")
    request = signin_pb.CheckReturnRequest(return_to=return_to)
    answer = await nobody.call(nobody.sign_ins.CheckReturn, request)
    return answer.return_to


async def _violation(client: Client, return_to: str) -> str:
    refused = await given.refusal(_check(client, return_to))
    assert refused.reason == "INVALID_FIELDS"
    return refused.violations["returnTo"]


@pytest.mark.parametrize("url", TAKEN)
def test_a_url_as_browsers_write_it_has_an_origin(url: str) -> None:
    origin = page_origin(url)

    assert url == origin or url.startswith((f"{origin}/", f"{origin}?", f"{origin}#"))


@pytest.mark.parametrize("url", REFUSED)
def test_another_spelling_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"^must "):
        page_origin(url)


async def test_pages_of_every_application_are_allowed_until_it_is_removed(admin: Client) -> None:
    uris = ["https://pages.example.com/callback", "http://127.0.0.1:3000/", "com.example.app:/x"]
    application_id = await calls.application(
        admin, kind=pb.APPLICATION_KIND_NATIVE, redirect_uris=uris
    )
    gate = await calls.application(
        admin, kind=pb.APPLICATION_KIND_GATE, origins=["https://wiki.example.com:8443"]
    )
    allowed = [
        "https://pages.example.com/today?sort=new#top",
        "https://pages.example.com",
        "http://127.0.0.1:3000/a",
        "https://wiki.example.com:8443/",
    ]

    for url in allowed:
        assert await _check(admin, url) == url
    await calls.patch(admin, application_id, redirect_uris=uris[1:])
    await calls.remove(admin, gate)

    for url in (allowed[0], allowed[3]):
        assert "of an application" in await _violation(admin, url)
    assert await _check(admin, allowed[2]) == allowed[2]


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.example.net.evil.example/",
        "https://shop.example.net:444/",
        "http://shop.example.net/",
        "https://sub.shop.example.net/",
        "https://example.net/shop.example.net",
    ],
)
async def test_an_origin_like_that_of_an_application_is_refused(admin: Client, url: str) -> None:
    await calls.application(admin, redirect_uris=["https://shop.example.net/callback"])

    assert await _violation(admin, url)


async def test_origins_of_the_settings_are_allowed(make_instance: MakeInstance) -> None:
    async with make_instance(return_origins=("https://intranet.example.com",)) as instance:
        url = "https://intranet.example.com/today"
        assert await _check(instance.admin, url) == url
        own = "http://localhost:8080/account/"
        assert await _check(instance.admin, own) == own
        assert await _violation(instance.admin, "https://intranet.example.com:444/")


async def test_a_link_leads_to_a_page_while_it_is_allowed(
    instance: Instance, admin: Client
) -> None:
    url = "https://orders.example.com/today"
    application_id = await calls.application(admin, redirect_uris=[url])
    user = await given.user(admin)

    link = await links.link(admin, user, return_to=url)
    before = await link.check()
    await calls.remove(admin, application_id)

    assert before.return_to == url
    assert (await link.check()).return_to == ""
    refused = await given.refusal(links.create(admin, user, return_to=url))
    assert list(refused.violations) == ["returnTo"]
    assert (await (await links.link(admin, user)).check()).return_to == ""
