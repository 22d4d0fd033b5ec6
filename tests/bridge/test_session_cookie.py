"""A session whose token a browser keeps in a cookie, from the sign-in to its end."""

import base64
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from bridge.grpcweb import frames
from tests.session import sessions
from tests.session.sessions import Person
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.transports import http_request

METHODS: Mapping[str, MethodDescriptor] = {method.name: method for method in given.METHODS}
NAME = "__Host-keystead"
OPT_IN = {"x-keystead-session": "cookie"}


class Browser:
    """A page of the server in a browser, which keeps cookies and names the origin."""

    def __init__(self, http: httpx.AsyncClient, protocol: str) -> None:
        self._http = http
        self._protocol = protocol
        self.token = ""

    async def call(
        self, name: str, fields: Mapping[str, Any] | None = None, **headers: str
    ) -> tuple[httpx.Response, Any]:
        """The answer, and the message in it; None for a refusal."""
        method = METHODS[name]
        request = json_format.ParseDict(dict(fields or {}), GetMessageClass(method.input_type)())
        sent = {"origin": str(self._http.base_url).rstrip("/"), **headers}
        if self.token:
            sent["cookie"] = f"{NAME}={self.token}"
        answer = await (self._json if self._protocol == "JSON" else self._grpc_web)(
            method, request, sent
        )
        for cookie in answer.headers.get_list("set-cookie"):
            self.token = cookie.partition("=")[2].partition(";")[0]
        return answer, self._message(method, answer)

    async def _json(
        self, method: MethodDescriptor, request: Message, headers: dict[str, str]
    ) -> httpx.Response:
        verb, path, body = http_request(method, request)
        if body is not None:
            headers["content-type"] = "application/json"
        return await self._http.request(verb, path, content=body, headers=headers)

    async def _grpc_web(
        self, method: MethodDescriptor, request: Message, headers: dict[str, str]
    ) -> httpx.Response:
        body = frames.message(request.SerializeToString())
        if self._protocol.startswith("application/grpc-web-text"):
            body = base64.b64encode(body)
        headers["content-type"] = self._protocol
        path = f"/{method.containing_service.full_name}/{method.name}"
        return await self._http.post(path, content=body, headers=headers)

    def _message(self, method: MethodDescriptor, answer: httpx.Response) -> Any:
        message = GetMessageClass(method.output_type)()
        if self._protocol == "JSON":
            return json_format.Parse(answer.text, message) if answer.is_success else None
        content = answer.content
        if self._protocol.startswith("application/grpc-web-text"):
            content = base64.b64decode(content)
        if answer.headers.get("grpc-status", "0") != "0" or content[:1] != b"\0":
            return None
        message.ParseFromString(content[5 : 5 + int.from_bytes(content[1:5])])
        return message


@pytest.fixture(params=["JSON", "application/grpc-web+proto", "application/grpc-web-text"])
async def browser(instance: Instance, request: pytest.FixtureRequest) -> AsyncIterator[Browser]:
    url = f"http://127.0.0.1:{instance.web_port}"
    async with httpx.AsyncClient(base_url=url) as http:
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
    left = signed_in.expiry_date.ToDatetime(UTC) - datetime.now(UTC)
    max_age = int(attributes[0].removeprefix("Max-Age="))
    assert max_age == pytest.approx(left.total_seconds(), abs=5)
    assert attributes[1:] == ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"]


async def test_a_client_that_does_not_ask_gets_the_token_and_no_cookie(
    browser: Browser, person: Person
) -> None:
    answer, signed_in = await _sign_in(browser, person)

    assert "set-cookie" not in answer.headers
    assert signed_in.session_token.startswith("kss_")


@pytest.mark.parametrize("origin", ["https://evil.test", "null"])
async def test_a_page_of_another_site_that_asks_gets_no_cookie(
    browser: Browser, person: Person, origin: str
) -> None:
    answer, _ = await _sign_in(browser, person, origin=origin, **OPT_IN)

    assert "set-cookie" not in answer.headers


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
