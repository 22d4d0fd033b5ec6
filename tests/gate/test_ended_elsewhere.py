"""The log ends visits that a gate remembers, which it would otherwise keep for seconds."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias

import pytest

from server.gate import commands
from tests.application import calls
from tests.gate import behind
from tests.gate.behind import Browser, EnvoyProxy
from tests.group import calls as groups
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client
from tests.user import calls as users


class _Visit(NamedTuple):
    """A person at an application that admits a group."""

    admin: Client
    owner: Client
    ada: SignedIn
    group_id: str
    application_id: str


_End: TypeAlias = Callable[[_Visit], Awaitable[object]]

_ENDS: dict[str, _End] = {
    "signed out": lambda visit: sessions.sign_out(visit.ada.client),
    "user locked": lambda visit: users.lock(visit.admin, visit.ada.person.user_id),
    "group left": lambda visit: groups.remove_member(
        visit.owner, visit.group_id, visit.ada.person.user_id
    ),
    "grant ended": lambda visit: calls.revoke_grant(visit.ada.client, visit.application_id),
}


@pytest.fixture
async def visit(admin: Client, owner: Client, ada: SignedIn, host: str) -> _Visit:
    group_id = await groups.group(owner)
    await groups.add_member(owner, group_id, ada.person.user_id)
    application_id = await behind.application(owner, host, allowed_groups=[group_id])
    return _Visit(admin, owner, ada, group_id, application_id)


@pytest.mark.parametrize("end", _ENDS.values(), ids=_ENDS.keys())
async def test_the_end_of_access_closes_the_gate_before_it_forgets_the_visit(
    end: _End, visit: _Visit, gate: Client, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Browser(EnvoyProxy(gate), host)
    monkeypatch.setattr(commands, "CACHE_SECONDS", 3600)  # until the test has failed
    await browser.enter(visit.ada.client)
    assert (await browser.get("/")).is_allowed

    await end(visit)

    async def is_closed() -> bool:
        return not (await browser.get("/")).is_allowed

    await given.eventually(is_closed)
