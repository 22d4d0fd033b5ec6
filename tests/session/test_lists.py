"""The sessions of an organization and of the instance."""

from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import grpc
import pytest

from keystead.session.v1 import session_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.session import store
from tests.session import sessions
from tests.session.sessions import Person
from tests.support import given
from tests.support.given import Client


async def _page(
    client: Client, *, org_id: str = "", **fields: Any
) -> pb.ListOrganizationSessionsResponse:
    headers: dict[str, Any] = {"x_service_orgid": org_id} if org_id else {}
    return await client.call(
        client.sessions.ListOrganizationSessions,
        pb.ListOrganizationSessionsRequest(**fields),
        **headers,
    )


async def _ids(client: Client, **fields: Any) -> list[str]:
    return [each.session_id for each in (await _page(client, **fields)).sessions]


async def _ids_of_all_pages(client: Client, **fields: Any) -> list[str]:
    pages = [await _page(client, **fields)]
    while token := pages[-1].next_page_token:
        pages.append(await _page(client, **fields, page_token=token))
    return [each.session_id for page in pages for each in page.sessions]


@pytest.fixture
async def ada(admin: Client, org_id: str) -> Person:
    return await sessions.person(admin, org_id=org_id, name="ada")


async def test_the_sessions_of_an_organization_by_its_users(
    admin: Client, org_id: str, ada: Person
) -> None:
    bob = await sessions.person(admin, org_id=org_id, name="bob")
    await sessions.person(admin, org_id=org_id, name="nobody")
    of_bob = await bob.sign_in()
    first, second = await ada.sign_in(device_name="Laptop"), await ada.sign_in()
    elsewhere = await sessions.signed_in(admin)

    listed = list((await _page(admin, org_id=org_id)).sessions)

    assert [each.session_id for each in listed] == [
        first.session_id,
        second.session_id,
        of_bob.session_id,
    ]
    assert [each.user_name for each in listed] == ["ada", "ada", "bob"]
    # All further fields are those of the list of one user.
    assert listed[:2] == await sessions.listed(admin, ada.user_id)
    everywhere = await _ids_of_all_pages(admin, all_organizations=True, page_size=200)
    assert {elsewhere.session_id, of_bob.session_id} <= set(everywhere)
    await sessions.end(admin, first.session_id, ada.user_id)
    assert first.session_id not in await _ids(admin, org_id=org_id)


@pytest.mark.parametrize("role", [user_pb.ROLE_ORG_OWNER, user_pb.ROLE_ORG_USER_MANAGER])
async def test_managers_see_the_sessions_of_their_organization_only(
    admin: Client, org_id: str, ada: Person, role: user_pb.Role.ValueType
) -> None:
    manager = await given.user(admin, org_id=org_id, roles=[role])
    signed_in = await ada.sign_in()
    other = await given.organization(admin)

    assert await _ids(manager) == [signed_in.session_id]
    for denied in (
        _page(manager, org_id=other),
        _page(manager, all_organizations=True),
        _page(signed_in.client),
    ):
        assert (await given.refusal(denied)).code is grpc.StatusCode.PERMISSION_DENIED
    both = await given.refusal(_page(admin, org_id=org_id, all_organizations=True))
    assert set(both.violations) == {"allOrganizations"}


@pytest.mark.parametrize(
    ("query", "is_found"),
    [
        ("ADA", True),
        ("lapt", True),
        ("127.0.0.1", True),
        ("no such text", False),
        ("%", False),
    ],
)
async def test_a_search(
    admin: Client, org_id: str, ada: Person, query: str, *, is_found: bool
) -> None:
    signed_in = await ada.sign_in(device_name="Laptop")
    assert await _ids(admin, org_id=org_id, query=query) == [signed_in.session_id] * is_found


async def test_a_search_by_an_id(admin: Client, org_id: str, ada: Person) -> None:
    await sessions.signed_in(admin, org_id=org_id)
    signed_in = await ada.sign_in()
    for query in (ada.user_id, signed_in.session_id):
        assert await _ids(admin, org_id=org_id, query=query) == [signed_in.session_id]


async def test_pages_end_after_the_examined_users(
    admin: Client, org_id: str, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = [(await ada.sign_in()).session_id for _ in range(3)]
    for number in range(5):
        person = await sessions.person(admin, org_id=org_id, name=f"user {number}")
        if number % 3 == 2:
            expected += [(await person.sign_in()).session_id for _ in range(2)]

    for examined in (2, 3, 5000):
        monkeypatch.setattr(store, "MOST_EXAMINED", examined)
        for size in (1, 2, 3, 50):
            found, token, turns = [], "", 0
            while turns == 0 or token:
                page = await _page(admin, org_id=org_id, page_size=size, page_token=token)
                assert len(page.sessions) <= size
                found += [each.session_id for each in page.sessions]
                token, turns = page.next_page_token, turns + 1
            assert found == expected, (examined, size)


async def test_a_token_of_another_list(admin: Client, org_id: str, ada: Person) -> None:
    await ada.sign_in()
    await ada.sign_in()
    token = (await _page(admin, org_id=org_id, query="ada", page_size=1)).next_page_token
    others: list[dict[str, Any]] = [
        {"org_id": org_id, "query": "ad"},
        {"org_id": org_id},
        {"query": "ada"},
        {"query": "ada", "all_organizations": True},
        {"org_id": org_id, "query": "ada", "method": pb.SIGN_IN_METHOD_PASSKEY},
    ]
    for other in others:
        refused = await given.refusal(_page(admin, **other, page_token=token))
        assert set(refused.violations) == {"pageToken"}, other


async def test_wrong_fields_of_a_list_of_sessions_are_named(admin: Client) -> None:
    request: dict[str, Any] = {"query": "a" * 201, "method": 9, "page_size": -1}
    refused = await given.refusal(_page(admin, **request))
    assert set(refused.violations) == {"query", "method", "pageSize"}


async def test_a_filter_selects_sessions_and_their_number(
    admin: Client, org_id: str, ada: Person, sql: asyncpg.Connection
) -> None:
    old, new = await ada.sign_in(), await ada.sign_in()
    await sessions.set_sign_in(sql, old, days=2)
    since = f"{datetime.now(UTC) - timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"
    found = {
        "": {old.session_id, new.session_id},
        f"authenticated_at < {since}": {old.session_id},
        f"authenticated_at >= {since} AND last_seen_at >= {since}": {new.session_id},
        f"expires_at < {since}": set[str](),
        "user_verified = true": {old.session_id, new.session_id},
        "user_verified != true": set(),
    }
    for text, expected in found.items():
        page = await _page(admin, org_id=org_id, filter=text, with_total_size=True)
        assert {each.session_id for each in page.sessions} == expected, text
        assert (page.total_size, page.total_size_is_minimum) == (len(expected), False), text
        assert set(await _ids_of_all_pages(admin, org_id=org_id, filter=text, page_size=1)) == (
            expected
        )
    everywhere = await _page(admin, all_organizations=True, with_total_size=True, query="ada")
    assert everywhere.total_size >= 2
    refused = await given.refusal(_page(admin, org_id=org_id, filter="user_name = ada"))
    assert refused.violations.keys() == {"filter"}


async def test_sessions_of_more_users_than_are_examined_may_be_more(
    admin: Client, org_id: str, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ada.sign_in()
    monkeypatch.setattr(store, "MOST_EXAMINED", 1)

    page = await _page(admin, org_id=org_id, with_total_size=True)

    assert (page.total_size, page.total_size_is_minimum) == (1, True)


async def test_pages_go_on_after_a_user_whose_id_was_imported(
    admin: Client, org_id: str, ada: Person, sql: asyncpg.Connection
) -> None:
    for _ in range(2):
        await ada.sign_in()
    imported = "auth0.ada:1"
    await sql.execute(
        "insert into users select (jsonb_populate_record(users,"
        " jsonb_build_object('id', $2::text))).* from users where id = $1",
        ada.user_id,
        imported,
    )
    for table in ("passkeys", "sessions"):
        await sql.execute(
            f"insert into {table} select (jsonb_populate_record({table},"  # noqa: S608
            f" jsonb_build_object('user_id', $2::text))).* from {table} where user_id = $1",
            ada.user_id,
            imported,
        )

    assert len(await _ids_of_all_pages(admin, org_id=org_id, page_size=1)) == 4
