"""Outsiders at the gate cost neither statements nor memory, so a flood of them delays nobody."""

import os
import secrets
import tracemalloc
from collections.abc import Awaitable, Callable

import pytest

from server.crypto.keyring import Keyring
from server.gate import upstream
from server.gate.cookie import GateSeals
from server.gate.forwarded import ForwardedHttp
from tests.gate import behind
from tests.gate.behind import Browser
from tests.session.sessions import SignedIn
from tests.support.given import Client

_INVALID = ("x" * 200, "gAAAAABl", "")


async def _fewest(statements: list[str], ask: Callable[[int], Awaitable[None]]) -> list[str]:
    """The statements of 30 requests; the fewest of two rounds.

    The five seconds for which applications and organizations are remembered can end in one of them.
    """
    rounds = list[list[str]]()
    for _ in range(2):
        statements.clear()
        for number in range(30):
            await ask(number)
        rounds.append([*statements])
    return min(rounds, key=len)


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_request_without_a_valid_cookie_makes_no_statement(
    owner: Client, browser: Browser, host: str, statements: list[str], method: str
) -> None:
    await behind.application(owner, host)
    await browser.get("/")

    async def ask(number: int) -> None:
        browser.cookies = {"__Host-keystead-gate": _INVALID[number % 3]}
        answer = await browser.ask(method, f"/{number}", **behind.PAGE)
        assert not answer.is_allowed

    assert await _fewest(statements, ask) == []


async def test_a_remembered_person_costs_none(
    owner: Client, browser: Browser, host: str, ada: SignedIn, statements: list[str]
) -> None:
    await behind.application(owner, host)
    await browser.enter(ada.client)

    async def ask(number: int) -> None:
        assert (await browser.get(f"/{number}")).is_allowed

    assert await _fewest(statements, ask) == []


def test_long_cookies_and_names_of_headers_are_not_remembered() -> None:
    """Envoy passes on 60 KiB of headers, and caches have 10,000 places."""
    seals = GateSeals(Keyring([os.urandom(32)]))

    tracemalloc.start()
    for _ in range(50):
        long = secrets.token_hex(25_000)
        assert seals.open_complete(long, "1") is None
        names = (f"x-auth-request-{long}", f"x-{long}")
        request = ForwardedHttp(
            method="GET",
            scheme="https",
            host="a.example",
            path="/",
            headers=tuple((name, "") for name in names),
        )
        assert names[0] in upstream.removed(request, {})
        assert names[1] not in upstream.removed(request, {})
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert kept < 1024**2
