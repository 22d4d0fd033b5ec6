"""Refused sign-ins of known users are kept for their administrators, and bounded."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import asyncpg
import pytest

from keystead.org.v1 import organization_service_pb2 as org_pb
from keystead.session.v1 import session_service_pb2 as pb
from server.figures import store as figure_store
from server.operate.housekeeping import forget_ended
from server.rpc.client import Client as Browser
from server.session.commands import SignInMethod
from server.session.refused import RefusedSignIns, network_of
from server.store.counted import MAX_ROWS, MAX_VALUES
from server.store.database import Statements, connected
from server.values.errors import Failure, Kind
from tests.session import sessions
from tests.session.sessions import Person
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls


async def _page(client: Client, org_id: str, **fields: Any) -> pb.ListSignInRefusalsResponse:
    request = pb.ListSignInRefusalsRequest(**fields)
    return await client.call(client.sessions.ListSignInRefusals, request, x_service_orgid=org_id)


async def _written(
    client: Client, org_id: str, *, number: int = 1, **fields: Any
) -> list[pb.SignInRefusal]:
    """The refusals, once there are so many rows."""
    async with asyncio.timeout(20):
        while len(found := (await _page(client, org_id, **fields)).refusals) < number:  # noqa: ASYNC110 -- in the background
            await asyncio.sleep(0.1)
    return [*found]


@pytest.fixture
async def org_id(admin: Client) -> str:
    """A new organization."""
    return await given.organization(admin)


@pytest.fixture
async def person(admin: Client, org_id: str) -> Person:
    """A user of the organization with a passkey."""
    return await sessions.person(admin, org_id=org_id)


async def test_a_refusal_is_listed_with_its_reason_way_and_network(
    admin: Client, org_id: str, person: Person
) -> None:
    await calls.lock(admin, person.user_id)
    refused = [await given.refusal(person.sign_in()) for _ in range(2)]

    found = await _written(admin, org_id)
    async with asyncio.timeout(20):  # the second may have been written later
        while found[0].count < len(refused):
            await asyncio.sleep(0.1)
            found = await _written(admin, org_id, user_id=person.user_id)

    [refusal] = found
    assert (refusal.user_id, refusal.reason) == (person.user_id, "USER_LOCKED")
    assert refusal.method == pb.SIGN_IN_METHOD_PASSKEY
    assert refusal.network == "127.0.0.0/24"
    assert refusal.count == len(refused)
    assert refusal.request_id == refused[-1].request_id
    request = org_pb.GetOrganizationFiguresRequest(org_id=org_id)
    figures = (await admin.call(admin.orgs.GetOrganizationFigures, request)).figures
    assert figures.days[-1].refused_sign_ins == len(refused)


async def _with_wrong_signature(person: Person) -> None:
    credential, other = [person.assertion(await sessions.start(person.client)) for _ in range(2)]
    credential["response"]["signature"] = other["response"]["signature"]
    await sessions.complete(person.client, credential)


async def _elsewhere(person: Person) -> None:
    await person.sign_in(origin="https://evil.example")


async def _twice(person: Person) -> None:
    credential = person.assertion(await sessions.start(person.client))
    for _ in range(2):
        await sessions.complete(person.client, credential)


@pytest.mark.parametrize(
    ("attempt", "reason"),
    [
        (_with_wrong_signature, "SIGN_IN_FAILED"),
        (_elsewhere, "ORIGIN_NOT_ALLOWED"),
        (_twice, "CHALLENGE_USED"),
    ],
)
async def test_each_refusal_has_the_reason_of_its_answer(
    admin: Client, org_id: str, person: Person, attempt: Callable[[Person], Any], reason: str
) -> None:
    assert await given.outcome(attempt(person)) == reason

    [refusal] = await _written(admin, org_id)

    assert refusal.reason == reason


async def test_an_unknown_passkey_is_nobodys(admin: Client, org_id: str, person: Person) -> None:
    credential = person.assertion(await sessions.start(person.client))
    unknown = {"id": "dW5rbm93bg", "rawId": "dW5rbm93bg"}
    refused = sessions.complete(person.client, credential | unknown)
    assert await given.outcome(refused) == "PASSKEY_UNKNOWN"
    await given.outcome(_elsewhere(person))

    [refusal] = await _written(admin, org_id)

    assert refusal.reason == "ORIGIN_NOT_ALLOWED"


async def _no_days(_database: Statements, _days: object) -> None:
    """Counts nothing."""


def _call(address: str) -> Any:
    class Called:
        client = Browser(address, "")
        request_id = "request"

    return Called


_LOCKED = Failure(Kind.FAILED_PRECONDITION, "USER_LOCKED", "The user is locked.")


def _note(refused: RefusedSignIns, user_id: str, address: str, failure: Failure = _LOCKED) -> None:
    with pytest.raises(Failure), refused.noted(SignInMethod.IDP, _call(address))(user_id):
        raise failure


async def test_whatever_is_sent_the_rows_are_bounded(
    admin: Client, org_id: str, instance: Instance, sql: asyncpg.Connection
) -> None:
    users = [await given.user(admin, org_id=org_id) for _ in range(2)]
    async with connected(instance.dsn, pool_size=2) as database:
        refused = RefusedSignIns(database, count_days=_no_days)
        _note(refused, users[1].user_id, "192.0.2.7")
        for number in range(200):
            _note(refused, users[0].user_id, f"10.{number}.0.1")
            if number % 20 == 0:
                await refused.write()
        for number in range(2 * MAX_ROWS):
            _note(refused, f"unknown-{number}", "192.0.2.7")
        failure = Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "Try again.")
        _note(refused, users[1].user_id, "192.0.2.7", failure)
        await refused.write()
        await refused.write()

        found = (await _page(admin, org_id)).refusals
        assert sum(each.user_id == users[0].user_id for each in found) == MAX_VALUES
        assert [each.count for each in found if each.user_id == users[1].user_id] == [1]
        assert (
            await sql.fetchval(
                "select count(*) from sign_in_refusals where user_id like 'unknown-%'"
            )
            == 0
        )

        await sql.execute(
            "update sign_in_refusals set refused_at = now() - interval '31 days' where owner = $1",
            org_id,
        )
        assert not (await _page(admin, org_id)).refusals
        await forget_ended(database)
    assert not await sql.fetchval("select count(*) from sign_in_refusals where owner = $1", org_id)


async def test_all_pages_have_each_refusal_once(
    admin: Client, org_id: str, sql: asyncpg.Connection
) -> None:
    users = [await given.user(admin, org_id=org_id) for _ in range(3)]
    now = datetime.now(UTC)
    await sql.executemany(
        "insert into sign_in_refusals values ($1, $2, 'IDP', $3, '', 1, $4, '{request}')",
        [
            (user.user_id, org_id, reason, now)
            for user in users
            for reason in ("USER_LOCKED", "FLOW_USED")
        ],
    )

    found, token = list[tuple[str, str]](), ""
    while True:
        page = await _page(admin, org_id, page_size=1, page_token=token)
        found += [(each.user_id, each.reason) for each in page.refusals]
        token = page.next_page_token
        if not token:
            break

    assert len(found) == len(set(found)) == 6
    of_user = (await _page(admin, org_id, user_id=users[0].user_id)).refusals
    assert {each.reason for each in of_user} == {"USER_LOCKED", "FLOW_USED"}


async def test_the_refusals_of_a_removed_user_are_deleted(
    admin: Client, org_id: str, person: Person, sql: asyncpg.Connection
) -> None:
    await given.outcome(_elsewhere(person))
    await _written(admin, org_id)

    await calls.remove(admin, person.user_id)

    number = "select count(*) from sign_in_refusals where user_id = $1"
    assert await sql.fetchval(number, person.user_id) == 0


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.0/24"),
        ("2001:db8:1:2::7", "2001:db8:1::/48"),
        ("::ffff:192.0.2.7", "192.0.2.0/24"),
        ("", ""),
    ],
)
def test_the_network_is_that_of_a_place(address: str, network: str) -> None:
    assert network_of(address) == network


async def test_days_add_up(instance: Instance, admin: Client, org_id: str) -> None:
    today = datetime.now(UTC).date()
    async with connected(instance.dsn, pool_size=1) as database:
        for _ in range(2):
            await figure_store.count_refused(database, {(org_id, today): 2})
        [day] = await figure_store.LIST.all(database, organization_id=org_id, since=today)
    assert (day.refused_sign_ins, day.is_counted) == (4, False)
    assert admin
