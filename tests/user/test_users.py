"""CreateUser, GetUser, GetCurrentUser, ListUsers, RemoveUser."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as pb
from server.user import list_store
from tests.passkey import ceremonies
from tests.support import given
from tests.support.given import Client
from tests.user import calls


async def test_a_new_user_is_read_back(admin: Client, org_id: str) -> None:
    created = await calls.create(
        admin,
        org_id=org_id,
        user_name="ada",
        display_name="Ada Lovelace",
        email="Ada@\uff25xample.COM",
    )

    assert await calls.get(admin, created.user_id) == pb.User(
        user_id=created.user_id,
        details=created.details,
        user_name="ada",
        display_name="Ada Lovelace",
        email="Ada@example.com",
        roles=[],
        state=pb.USER_STATE_ACTIVE,
    )
    assert created.details.resource_owner == org_id


async def test_the_display_name_is_by_default_the_user_name(admin: Client) -> None:
    created = await calls.create(admin)

    user = await calls.get(admin, created.user_id)
    assert user.display_name == user.user_name


@pytest.mark.parametrize(
    ("name", "again"),
    [
        ("ada", "ada"),
        ("ada", "ADA"),
        ("ada", "\N{FULLWIDTH LATIN SMALL LETTER A}da"),
        ("ada", "\N{CYRILLIC SMALL LETTER A}d\u0430"),
        ("\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 200,) * 2,
    ],
    ids=["same", "upper case", "full width", "alike", "long characters"],
)
async def test_a_name_is_taken_once_in_an_organization(
    admin: Client, org_id: str, name: str, again: str
) -> None:
    await calls.create(admin, org_id=org_id, user_name=name)

    refused = await given.refusal(calls.create(admin, org_id=org_id, user_name=again))

    assert refused.code is grpc.StatusCode.ALREADY_EXISTS
    assert refused.reason == "USER_ALREADY_EXISTS"
    elsewhere = await given.organization(admin)
    created = await calls.create(admin, org_id=elsewhere, user_name=again)
    assert created.details.resource_owner == elsewhere


async def test_of_fifty_concurrent_creations_of_one_name_one_wins(
    admin: Client, org_id: str, sql: asyncpg.Connection
) -> None:
    names = ["ada", "Ada"] * 25

    ended = await given.outcomes(
        calls.create(admin, org_id=org_id, user_name=name) for name in names
    )

    assert ended == {"OK": 1, "USER_ALREADY_EXISTS": 49}
    events = "select count(*) from events where owner = $1 and event_type = 'user.added'"
    assert await sql.fetchval(events, org_id) == 1


_WRONG = [
    ({"user_name": ""}, {"userName"}),
    ({"user_name": "x" * 201}, {"userName"}),
    ({"user_name": "a\0"}, {"userName"}),
    ({"user_name": "admin "}, {"userName"}),
    ({"user_name": "ad\u200bmin"}, {"userName"}),
    ({"user_name": "\u202enimda"}, {"userName"}),
    ({"display_name": "x" * 201}, {"displayName"}),
    ({"display_name": " \u200b"}, {"displayName"}),
    ({"display_name": "Ada\u202e"}, {"displayName"}),
    ({"email": "ada"}, {"email"}),
    ({"email": "ada@example.com\r\nbcc: eve@example.com"}, {"email"}),
    ({"email": f"{'x' * 189}@example.com"}, {"email"}),
    (
        {"user_name": "", "display_name": "\n", "email": "@"},
        {"userName", "displayName", "email"},
    ),
]


async def test_every_wrong_field_is_named_as_in_a_patch(admin: Client, org_id: str) -> None:
    for fields, wrong in _WRONG:
        refused = await given.refusal(calls.create(admin, org_id=org_id, **fields))

        assert refused.code is grpc.StatusCode.INVALID_ARGUMENT, fields
        assert refused.violations.keys() == wrong, fields
        if mask := [name for name in fields if name != "user_name"]:
            before = await calls.whoami(admin)
            patched = await given.refusal(calls.patch(admin, admin.user_id, mask, **fields))
            assert patched.violations == {
                f"user.{name}": said
                for name, said in refused.violations.items()
                if name != "userName"
            }
            assert await calls.whoami(admin) == before


async def test_everybody_may_ask_who_they_are(admin: Client, org_id: str) -> None:
    user = await given.user(admin, org_id=org_id)

    myself = await calls.whoami(user)

    assert myself.user_id == user.user_id
    assert myself == await calls.get(user, user.user_id)


async def test_the_list_has_the_users_of_the_organization_oldest_first(
    admin: Client, org_id: str
) -> None:
    created = [(await calls.create(admin, org_id=org_id)).user_id for _ in range(3)]
    await calls.create(admin)

    listed = await admin.call(admin.users.ListUsers, pb.ListUsersRequest(), x_service_orgid=org_id)

    assert [user.user_id for user in listed.users] == created
    assert listed.users[0] == await calls.get(admin, created[0])


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("ADA", ["ada", "byron"]),
        ("@example", ["ada"]),
        ("\uff2c\uff4f\uff56\uff45", ["ada"]),
        ("%", ["per%cent"]),
        ("Lace Love", ["ada"]),
        ("  l\u00f3ve ADA ", ["ada"]),
        ("zoe", ["zoe"]),
        ("Zo\u00cb Muller", ["zoe"]),
        ("byron love", []),
        ("nobody", []),
    ],
)
async def test_a_search_finds_parts_of_names_and_addresses_regardless_of_case(
    admin: Client, org_id: str, query: str, found: list[str]
) -> None:
    people = [
        ("ada", "Love Lace", "ada@Example.com"),
        ("per%cent", "", ""),
        ("byron", "Adam", ""),
        ("zoe", "Zo\u00e9 M\u00fcller", ""),
    ]
    for user_name, display_name, email in people:
        fields = {"user_name": user_name, "display_name": display_name, "email": email}
        await calls.create(admin, org_id=org_id, **fields)
    await calls.create(admin, user_name=f"ada-{uuid4().hex}")

    listed = await _search(admin, org_id, query=query)

    assert sorted(user.user_name for user in listed.users) == sorted(found)
    assert listed.next_page_token == ""


async def test_a_search_finds_a_user_by_its_id(admin: Client, org_id: str) -> None:
    users = [(await calls.create(admin, org_id=org_id)).user_id for _ in range(2)]

    listed = await _search(admin, org_id, query=users[1])

    assert [user.user_id for user in listed.users] == users[1:]


async def test_a_page_of_a_search_examines_a_limited_number_of_users(
    admin: Client, org_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_store, "MOST_EXAMINED", 2)
    names = ["ada-1", "bob-1", "bob-2", "bob-3", "ada-2", "ada-3"]
    for each in names:
        await calls.create(admin, org_id=org_id, user_name=each)

    pages, token = list[list[str]](), ""
    while not pages or token:
        page = await _search(admin, org_id, query="ada", page_size=1, page_token=token)
        pages.append([user.user_name for user in page.users])
        token = page.next_page_token

    assert pages == [["ada-1"], [], ["ada-2"], ["ada-3"]]


async def test_the_page_token_of_a_search_belongs_to_its_text(admin: Client, org_id: str) -> None:
    for each in ("ada-1", "ada-2"):
        await calls.create(admin, org_id=org_id, user_name=each)
    token = (await _search(admin, org_id, query="ada", page_size=1)).next_page_token

    for query in ("ad", ""):
        refused = await given.refusal(_search(admin, org_id, query=query, page_token=token))
        assert set(refused.violations) == {"pageToken"}


async def test_the_text_of_a_search_is_printable(admin: Client, org_id: str) -> None:
    refused = await given.refusal(_search(admin, org_id, query="a\nb"))

    assert set(refused.violations) == {"query"}


async def _search(admin: Client, org_id: str, **fields: Any) -> pb.ListUsersResponse:
    request = pb.ListUsersRequest(**fields)
    return await admin.call(admin.users.ListUsers, request, x_service_orgid=org_id)


async def test_the_tokens_of_a_removed_user_end_at_once_and_its_name_is_free_again(
    admin: Client, org_id: str
) -> None:
    user = await given.user(admin, org_id=org_id, name="ada")
    await calls.whoami(user)  # so that the server has the token in its cache

    await calls.remove(admin, user.user_id)

    refused = await given.refusal(calls.whoami(user))
    assert refused.code is grpc.StatusCode.UNAUTHENTICATED
    assert (await calls.create(admin, org_id=org_id, user_name="Ada")).user_id != user.user_id


async def test_a_removed_user_is_not_found(admin: Client) -> None:
    user = await given.user(admin)

    removed = await calls.remove(admin, user.user_id)

    assert removed.details.sequence == removed.details.change_date.ToMicroseconds()
    for call in (
        calls.get(admin, user.user_id),
        calls.remove(admin, user.user_id),
        calls.grant(admin, user.user_id, pb.ROLE_ORG_OWNER),
        calls.revoke(admin, user.user_id, pb.ROLE_ORG_OWNER),
        calls.create_token(admin, user.user_id),
    ):
        refused = await given.refusal(call)
        assert (refused.code, refused.reason) == (grpc.StatusCode.NOT_FOUND, "USER_NOT_FOUND")
        assert refused.resource == ("user", user.user_id)


async def test_nothing_of_a_removed_user_remains_but_its_events(
    admin: Client, sql: asyncpg.Connection
) -> None:
    user = await given.user(admin)
    await ceremonies.register(user)
    pending = await ceremonies.begin(user)

    await calls.remove(admin, user.user_id)

    remains = """
        select (select count(*) from users where id = $1)
            + (select count(*) from tokens where user_id = $1)
            + (select count(*) from passkeys where user_id = $1)
            + (select count(*) from passkey_ceremonies where user_id = $1)
            + (select count(*) from unique_claims where aggregate_id = $1)"""
    assert await sql.fetchval(remains, user.user_id) == 0
    refused = await given.refusal(pending.verify(by=pending.token_holder))
    assert refused.code is grpc.StatusCode.UNAUTHENTICATED


async def test_a_user_who_reads_itself_when_it_is_removed_is_not_found(
    admin: Client, sql: asyncpg.Connection, holder: asyncpg.Connection
) -> None:
    user = await given.user(admin)
    await calls.whoami(user)  # so that the server has the token in its cache

    async with holder.transaction():
        await holder.execute("lock table users")
        await holder.execute("delete from users where id = $1", user.user_id)
        read = asyncio.ensure_future(given.refusal(calls.get(user, user.user_id)))
        await given.waiting_for_a_lock(sql)

    assert (await read).reason == "USER_NOT_FOUND"


async def test_of_concurrent_removals_one_succeeds(admin: Client, sql: asyncpg.Connection) -> None:
    user = await given.user(admin)

    ended = await given.outcomes(calls.remove(admin, user.user_id) for _ in range(10))

    assert ended == {"OK": 1, "USER_NOT_FOUND": 9}
    assert len(await given.logged(sql, user.user_id, "user.removed")) == 1


@pytest.mark.parametrize("method", ["grant", "revoke", "create_token", "remove", "patch"])
async def test_a_change_that_waited_for_the_removal_finds_nothing(
    admin: Client, sql: asyncpg.Connection, holder: asyncpg.Connection, method: str
) -> None:
    user_id = (await calls.create(admin)).user_id
    changes: dict[str, Callable[[], Awaitable[object]]] = {
        "grant": lambda: calls.grant(admin, user_id, pb.ROLE_ORG_OWNER),
        "revoke": lambda: calls.revoke(admin, user_id, pb.ROLE_ORG_OWNER),
        "create_token": lambda: calls.create_token(admin, user_id),
        "remove": lambda: calls.remove(admin, user_id),
        "patch": lambda: calls.patch(admin, user_id, ["email"], email="new@example.com"),
    }

    async with holder.transaction():
        await holder.execute("delete from users where id = $1", user_id)
        change = asyncio.ensure_future(given.refusal(changes[method]()))
        await given.waiting_for_a_lock(sql)

    assert (await change).reason == "USER_NOT_FOUND"
