"""Strangers at the gate cost the database nothing, so a flood of them delays nobody there."""

import pytest

from tests.gate import behind
from tests.gate.behind import Browser
from tests.session.sessions import SignedIn
from tests.support.given import Client

_INVALID = ("x" * 200, "gAAAAABl", "")


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_request_without_a_valid_cookie_makes_no_statement(
    owner: Client, browser: Browser, host: str, statements: list[str], method: str
) -> None:
    await behind.application(owner, host)
    await browser.get("/")  # the application is remembered for five seconds
    statements.clear()

    for number in range(30):
        browser.cookies = {"__Host-keystead-gate": _INVALID[number % 3]}
        answer = await browser.ask(method, f"/{number}", **behind.PAGE)
        assert not answer.is_allowed

    assert statements == []


async def test_a_remembered_person_costs_none(
    owner: Client, browser: Browser, host: str, ada: SignedIn, statements: list[str]
) -> None:
    await behind.application(owner, host)
    await browser.enter(ada.client)
    statements.clear()

    for number in range(30):
        assert (await browser.get(f"/{number}")).is_allowed

    assert statements == []
