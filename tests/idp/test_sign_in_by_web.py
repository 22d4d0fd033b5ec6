"""Sign-ins, links and refusals over the web port: the same as over gRPC, and with the cookie."""

from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from google.protobuf import json_format
from google.protobuf.message import Message

from keystead.signin.v1 import signin_service_pb2 as pb
from keystead.user.v1 import idp_link_service_pb2 as link_pb
from tests.idp import signins
from tests.idp.signins import Site
from tests.session import sessions
from tests.session.sessions import Person
from tests.support.browser import NAME, OPT_IN, PROTOCOLS, Browser
from tests.support.given import METHOD, Instance
from tests.support.oidc_provider import Provider
from tests.support.transports import Answer, Call, Transports, authorization
from tests.support.web_client import web_client

_EVIL = "https://evil.test"


@pytest.fixture
async def http(relying: Instance) -> AsyncIterator[httpx2.AsyncClient]:
    async with web_client(relying.web_port) as http:
        yield http


@pytest.fixture(params=PROTOCOLS)
def browser(http: httpx2.AsyncClient, request: pytest.FixtureRequest) -> Browser:
    return Browser(http, request.param)


@pytest.fixture
async def site(relying: Instance, provider: Provider) -> Site:
    return await signins.site(relying, provider)


async def _callback(browser: Browser, site: Site) -> dict[str, Any]:
    """The fields with which the page completes a flow that it has begun."""
    redirect_uri = signins.REDIRECT_URI.format(idp_id=site.idp_id)
    fields = {"idp_id": site.idp_id, "redirect_uri": redirect_uri}
    _, started = await browser.call("StartIDPSignIn", fields)
    return {
        "idp_id": site.idp_id,
        "flow_token": started.flow_token,
        "callback_query": site.provider.authorize(started.authorization_url),
    }


async def _signed_in(browser: Browser, site: Site) -> Person:
    """A user of the organization who signs in with a passkey."""
    person = await sessions.person(site.instance.admin, org_id=site.org_id)
    credential = person.assertion(await sessions.start(person.client))
    fields = {"public_key_credential": credential}
    await browser.call("CompletePasskeySignIn", fields, **OPT_IN)
    assert browser.token
    return person


async def test_a_browser_signs_in_and_its_token_is_in_the_cookie_alone(
    browser: Browser, site: Site
) -> None:
    _, options = await browser.call("ListSignInOptions", {"org_id": site.org_id})
    assert [option.idp_id for option in options.idps] == [site.idp_id]

    answer, signed_in = await browser.call(
        "CompleteIDPSignIn", await _callback(browser, site), **OPT_IN
    )

    (cookie,) = answer.headers.get_list("set-cookie")
    assert cookie.startswith(f"{NAME}=kss_")
    assert cookie.endswith("; Path=/; Secure; HttpOnly; SameSite=Lax")
    assert (signed_in.session_token, signed_in.registered) == ("", True)
    _, mine = await browser.call("GetCurrentSession")
    assert (mine.session.session_id, mine.session.idp_id) == (signed_in.session_id, site.idp_id)
    _, foreign = await browser.call("GetCurrentSession", origin=_EVIL)
    assert foreign is None


async def test_a_client_that_does_not_ask_gets_the_token_and_no_cookie(
    browser: Browser, site: Site
) -> None:
    answer, signed_in = await browser.call("CompleteIDPSignIn", await _callback(browser, site))

    assert "set-cookie" not in answer.headers
    assert signed_in.session_token.startswith("kss_")


@pytest.mark.parametrize("origin", [_EVIL, "null"])
async def test_a_page_of_another_site_gets_no_cookie(
    browser: Browser, site: Site, origin: str
) -> None:
    callback = await _callback(browser, site)

    answer, _ = await browser.call("CompleteIDPSignIn", callback, origin=origin, **OPT_IN)

    assert "set-cookie" not in answer.headers


async def test_a_refused_sign_in_leaves_the_cookie(browser: Browser, site: Site) -> None:
    callback = await _callback(browser, site)
    await browser.call("CompleteIDPSignIn", callback, **OPT_IN)

    answer, again = await browser.call("CompleteIDPSignIn", callback, **OPT_IN)

    assert again is None
    assert "set-cookie" not in answer.headers


async def test_a_browser_links_and_unlinks(browser: Browser, site: Site) -> None:
    user_id = (await _signed_in(browser, site)).user_id
    callback = await _callback(browser, site)

    _, linked = await browser.call("LinkIDP", {"user_id": user_id, **callback})

    _, listed = await browser.call("ListIDPLinks", {"user_id": user_id})
    assert [(link.link_id, link.subject) for link in listed.idp_links] == [(linked.link_id, "ada")]
    fields = {"user_id": user_id, "link_id": linked.link_id}
    _, unlinked = await browser.call("UnlinkIDP", fields)
    assert unlinked.details.sequence > linked.details.sequence
    _, listed = await browser.call("ListIDPLinks", {"user_id": user_id})
    assert not listed.idp_links


async def test_a_page_of_another_site_neither_links_nor_unlinks(
    browser: Browser, site: Site
) -> None:
    user_id = (await _signed_in(browser, site)).user_id
    callback = {"user_id": user_id, **await _callback(browser, site)}

    planted, _ = await browser.call("LinkIDP", callback, origin=_EVIL)
    _, linked = await browser.call("LinkIDP", callback)  # the flow is not used up
    fields = {"user_id": user_id, "link_id": linked.link_id}
    removed, _ = await browser.call("UnlinkIDP", fields, origin=_EVIL)

    for answer in (planted, removed):
        assert answer.headers.get("grpc-status", "16") == "16"
        assert answer.status_code in (200, 401)
    _, listed = await browser.call("ListIDPLinks", {"user_id": user_id})
    assert [link.link_id for link in listed.idp_links] == [linked.link_id]


async def test_a_form_of_another_site_links_nothing(http: httpx2.AsyncClient, site: Site) -> None:
    """A form can send JSON as text, with the cookie if the browser takes it for same-site."""
    browser = Browser(http, "JSON")
    user_id = (await _signed_in(browser, site)).user_id
    callback = await _callback(browser, site)

    for content_type in ("text/plain", "application/x-www-form-urlencoded"):
        answer = await http.post(
            f"/v1/users/{user_id}/idpLinks",
            json=callback,
            headers={"content-type": content_type, "cookie": f"{NAME}={browser.token}"},
        )
        assert answer.status_code in (401, 415)
    _, listed = await browser.call("ListIDPLinks", {"user_id": user_id})
    assert not listed.idp_links


def _changed(callback: pb.CompleteIDPSignInRequest, **fields: str) -> pb.CompleteIDPSignInRequest:
    """The callback with changed fields."""
    same = json_format.MessageToDict(callback, preserving_proto_field_name=True)
    return pb.CompleteIDPSignInRequest(**same | fields)


async def _alike(instance: Instance, name: str, message: Message, token: str = "") -> Answer:
    async with Transports.of(instance) as transports:
        return await transports.one_answer(Call(METHOD[name], message, authorization(token)))


async def test_refusals_are_alike_over_all_transports(site: Site) -> None:
    instance, callback = site.instance, await site.callback()
    used = await site.callback()
    user = await site.sign_in()
    await site.complete(used)
    forged = _changed(callback, flow_token="gAAAAA")
    link = link_pb.LinkIDPRequest(
        user_id=user.answer.user_id,
        idp_id=callback.idp_id,
        flow_token=callback.flow_token,
        callback_query=callback.callback_query,
    )
    unlink = link_pb.UnlinkIDPRequest(user_id=user.answer.user_id, link_id="unknown")
    evil = pb.StartIDPSignInRequest(idp_id=site.idp_id, redirect_uri=f"{_EVIL}/")
    token = user.client.token

    reasons = [
        (await _alike(instance, name, message, token)).refusal.reason
        for name, message, token in (
            ("StartIDPSignIn", evil, ""),
            ("CompleteIDPSignIn", used, ""),
            ("CompleteIDPSignIn", forged, ""),
            ("CompleteIDPSignIn", _changed(callback, callback_query="?"), ""),
            ("CompleteIDPSignIn", _changed(callback, flow_token="x" * 4097), ""),
            ("LinkIDP", link, ""),
            ("LinkIDP", link, token),
            ("LinkIDP", link, site.owner.token),
            ("UnlinkIDP", unlink, token),
            ("UnlinkIDP", unlink, ""),
        )
    ]

    assert reasons == [
        "INVALID_FIELDS",
        "FLOW_USED",
        "SIGN_IN_FAILED",
        "SIGN_IN_FAILED",
        "INVALID_FIELDS",
        "UNAUTHENTICATED",
        "REAUTHENTICATION_REQUIRED",
        "PERMISSION_DENIED",
        "IDP_LINK_NOT_FOUND",
        "UNAUTHENTICATED",
    ]


async def test_answers_that_redeem_a_code_are_alike_over_all_transports(site: Site) -> None:
    """Each transport gets its own flow, because a code can be redeemed only once."""
    instance = site.instance
    answers: list[tuple[set[str], bool]] = []
    refused: list[Answer] = []
    async with Transports.of(instance) as transports:
        for transport in transports.all.values():
            call = Call(METHOD["CompleteIDPSignIn"], await site.callback())
            answer = await transport.answer(call)
            assert isinstance(answer.response, pb.SignedIn)
            fields = {field.name for field, _ in answer.response.ListFields()}
            answers.append((fields - {"registered"}, answer.response.registered))
        site.provider.speak_of("eve", preferred_username="ada@example.com")
        for transport in transports.all.values():
            call = Call(
                METHOD["CompleteIDPSignIn"],
                await site.callback(),
                [("x-request-id", "one answer")],
            )
            refused.append(await transport.answer(call))

    assert [registered for _, registered in answers] == [True, False, False, False]
    assert len({frozenset(fields) for fields, _ in answers}) == 1
    assert refused[0].refusal.reason == "USER_EXISTS_LINK_FIRST"
    assert all(each == refused[0] for each in refused)
