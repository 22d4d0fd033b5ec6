"""A session with its token in a cookie, from the sign-in to its end."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from google.protobuf import json_format

from tests.session import sessions
from tests.session.sessions import Person
from tests.support.browser import NAME, OPT_IN, PROTOCOLS, Browser
from tests.support.given import Client, Instance
from tests.support.web_client import web_client


@pytest.fixture(params=PROTOCOLS)
async def browser(instance: Instance, request: pytest.FixtureRequest) -> AsyncIterator[Browser]:
    async with web_client(instance.web_port) as http:
        yield Browser(http, request.param)


@pytest.fixture
async def person(admin: Client) -> Person:
    return await sessions.person(admin)


async def _sign_in(browser: Browser, person: Person, **headers: str) -> tuple[Any, Any]:
    credential = person.assertion(await sessions.start(person.client))
    fields = {"public_key_credential": credential}
    return await browser.call("CompletePasskeySignIn", fields, **headers)


async def test_the_token_of_a_sign_in_is_in_the_cookie_alone(
    browser: Browser, person: Person
) -> None:
    answer, signed_in = await _sign_in(browser, person, **OPT_IN)

    (cookie,) = answer.headers.get_list("set-cookie")
    value, *attributes = cookie.split("; ")
    assert value == f"{NAME}={browser.token}"
    assert browser.token.startswith("kss_")
    assert signed_in.session_token == ""
    assert signed_in.user_id == person.user_id
    left = signed_in.expires_at.ToDatetime(UTC) - datetime.now(UTC)
    max_age = int(attributes[0].removeprefix("Max-Age="))
    assert max_age == pytest.approx(left.total_seconds(), abs=5)
    assert attributes[1:] == ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"]


async def test_a_client_that_does_not_ask_gets_the_token_and_no_cookie(
    browser: Browser, person: Person
) -> None:
    answer, signed_in = await _sign_in(browser, person)

    assert "set-cookie" not in answer.headers
    assert signed_in.session_token.startswith("kss_")


async def test_the_cookie_is_the_session(browser: Browser, person: Person) -> None:
    await _sign_in(browser, person, **OPT_IN)

    _, mine = await browser.call("GetCurrentSession")
    _, foreign = await browser.call("GetCurrentSession", origin="https://evil.test")

    assert mine.session.user_id == person.user_id
    assert foreign is None


async def test_a_reauthentication_replaces_the_cookie(browser: Browser, person: Person) -> None:
    await _sign_in(browser, person, **OPT_IN)
    before = browser.token
    _, started = await browser.call("StartReauthentication")
    options = json_format.MessageToDict(started.public_key_credential_request_options)

    _, renewed = await browser.call(
        "CompleteReauthentication", {"public_key_credential": person.assertion(options)}
    )

    assert browser.token not in ("", before)
    assert renewed.session_token == ""
    _, current = await browser.call("GetCurrentSession")
    assert current is not None


async def test_signing_out_takes_the_cookie_away(browser: Browser, person: Person) -> None:
    await _sign_in(browser, person, **OPT_IN)

    answer, _ = await browser.call("SignOut")

    attributes = "Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax"
    assert answer.headers.get_list("set-cookie") == [f"{NAME}=; {attributes}"]
    assert await sessions.listed(person.client) == []


async def test_signing_out_another_session_leaves_the_cookie(
    browser: Browser, person: Person
) -> None:
    other = await person.sign_in()
    token = other.answer.session_token

    answer, _ = await browser.call("SignOut", authorization=f"Bearer {token}")

    assert "set-cookie" not in answer.headers


async def test_a_refused_sign_in_leaves_the_cookie(browser: Browser, person: Person) -> None:
    credential = person.assertion(await sessions.start(person.client))
    credential["response"]["signature"] = credential["response"]["authenticatorData"]

    fields = {"public_key_credential": credential}
    answer, signed_in = await browser.call("CompletePasskeySignIn", fields, **OPT_IN)

    assert signed_in is None
    assert "set-cookie" not in answer.headers
