"""GetOrganizationFigures: each figure is the number that its list has."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

import asyncpg
import pytest

from keystead.org.v1 import organization_service_pb2 as pb
from keystead.session.v1 import session_service_pb2 as session_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.figures import counting, store
from server.figures.counting import Figured
from server.store.database import Database, connected
from server.user import figures as user_figures
from server.user.figures import UserFigures
from tests.conftest import MakeInstance
from tests.session import sessions
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls

_IDLE: Final = timedelta(days=1)
_DAY: Final = 86_400_000_000


async def _figures(client: Client, org_id: str) -> pb.OrganizationFigures:
    request = pb.GetOrganizationFiguresRequest(org_id=org_id)
    return (await client.call(client.orgs.GetOrganizationFigures, request)).figures


async def _total(client: Client, org_id: str, text: str) -> int:
    request = user_pb.ListUsersRequest(filter=text, with_total_size=True)
    listed = await client.call(client.users.ListUsers, request, x_service_orgid=org_id)
    return int(listed.total_size)


@pytest.fixture
async def org_id(admin: Client) -> str:
    """A new organization."""
    return await given.organization(admin)


async def test_the_figures_are_the_numbers_of_the_lists(
    admin: Client, org_id: str, sql: asyncpg.Connection
) -> None:
    names = ("ada", "bob", "eve", "joe", "zoe", "kim")
    ids = {
        name: (await calls.create(admin, org_id=org_id, user_name=name)).user_id for name in names
    }
    await calls.lock(admin, ids["eve"])
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    week, month = today - timedelta(days=7), today - timedelta(days=30)
    instant = timedelta(microseconds=1)
    await sql.executemany(
        "update users set last_sign_in_at = $2, invited_at = $3, passkey_count = $4 where id = $1",
        [
            (ids["ada"], week, None, 1),
            (ids["bob"], week - instant, None, 2),
            (ids["eve"], month, None, 1),
            (ids["joe"], month - instant, None, 1),
            (ids["zoe"], None, today, 0),
        ],
    )

    figures = await _figures(admin, org_id)

    lists = {
        "users": "",
        "users_active_7_days": f"last_sign_in_at >= {week:%Y-%m-%dT%H:%M:%SZ}",
        "users_active_30_days": f"last_sign_in_at >= {month:%Y-%m-%dT%H:%M:%SZ}",
        "users_invited": "state = INVITED",
        "users_with_one_passkey": "state = ACTIVE AND passkey_count = 1",
        "users_locked": "state = LOCKED",
    }
    listed = {name: await _total(admin, org_id, text) for name, text in lists.items()}
    assert {name: getattr(figures, name) for name in lists} == listed
    assert [*listed.values()] == [6, 1, 3, 1, 2, 1]


async def test_sessions_and_sign_ins_of_today_are_counted(admin: Client, org_id: str) -> None:
    person = await sessions.person(admin, org_id=org_id)
    signed_in = [await person.sign_in() for _ in range(3)]
    await sessions.sign_out(signed_in[0].client)
    await sessions.signed_in(admin)  # of another organization

    figures = await _figures(admin, org_id)

    assert figures.sessions == 2
    request = session_pb.ListOrganizationSessionsRequest()
    answer = await admin.call(
        admin.sessions.ListOrganizationSessions, request, x_service_orgid=org_id
    )
    assert len(answer.sessions) == figures.sessions
    assert len(figures.days) == counting.DAYS
    assert sum(each.sign_ins for each in figures.days) == figures.days[-1].sign_ins == 3
    assert figures.days[-1].day == f"{datetime.now(UTC):%Y-%m-%d}"


async def test_tokens_that_expire_within_30_days_are_named(admin: Client, org_id: str) -> None:
    user = await given.user(admin, org_id=org_id)
    ages: dict[str, float] = {"soon": 8, "later": 29, "much-later": 31, "short-lived": 6}
    for name, age in ages.items():
        expires_at = datetime.now(UTC) + timedelta(days=age, minutes=1)
        await calls.create_token(admin, user.user_id, name=name, expires_at=expires_at)

    figures = await _figures(admin, org_id)

    assert [each.name for each in figures.next_expiring_tokens] == ["soon", "later"]
    assert figures.expiring_tokens == 2
    assert {each.user_id for each in figures.next_expiring_tokens} == {user.user_id}


async def test_an_unknown_organization_has_no_figures(admin: Client) -> None:
    assert await given.outcome(_figures(admin, "nope")) == "ORGANIZATION_NOT_FOUND"


@pytest.fixture
async def database(instance: Instance) -> Any:
    """The database of the server."""
    async with connected(instance.dsn, pool_size=2) as opened:
        yield opened


async def _sign_in_on_earlier_days(sql: asyncpg.Connection, org_id: str, *days: int) -> None:
    """Repeats the sign-ins of the organization some days earlier."""
    columns = "aggregate_id, aggregate_type, event_type, revision, payload, creator, owner"
    for each in days:
        await sql.execute(
            f"insert into events ({columns}, sequence, created_at)"  # noqa: S608
            f" select {columns}, sequence - $2::bigint, created_at - $2 * interval '1 microsecond'"
            " from events where owner = $1 and event_type = 'user.session_started'"
            " and created_at > now() - interval '12 hours'",
            org_id,
            each * _DAY,
        )


async def test_a_past_day_is_counted_once(make_instance: MakeInstance) -> None:
    # No log can be replayed in which users sign in before they exist, so the database is its own.
    async with (
        make_instance() as fresh,
        connected(fresh.dsn, pool_size=2) as database,
        given.sql(fresh.dsn) as sql,
    ):
        org_id = await given.organization(fresh.admin)
        await sessions.signed_in(fresh.admin, org_id=org_id)
        await _sign_in_on_earlier_days(sql, org_id, 1, 3, 3 + counting.DAYS)
        figured = Figured(database, idle_timeout=_IDLE)

        before = await figured.of(org_id)
        await figured.keep()
        await figured.keep()
        await _sign_in_on_earlier_days(sql, org_id, 2)  # no server writes so late
        after = await Figured(database, idle_timeout=_IDLE).of(org_id)
        latest = await store.latest(database, org_id)

    assert [each.sign_ins for each in before.days[-4:]] == [1, 0, 1, 1]
    assert [each.sign_ins for each in after.days] == [each.sign_ins for each in before.days]
    assert [each.is_counted for each in after.days] == [True] * (counting.DAYS - 1) + [False]
    assert latest is not None
    assert (latest.users.user_count, latest.sessions) == (1, 1)


async def test_an_organization_that_takes_too_long_delays_no_others(
    admin: Client, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, later = [await given.organization(admin) for _ in range(2)]
    count = user_figures.count

    async def counted(statements: Any, organization_id: str, **options: Any) -> UserFigures:
        if organization_id == slow:
            raise TimeoutError
        return await count(statements, organization_id, **options)

    monkeypatch.setattr(user_figures, "count", counted)
    figured = Figured(database, idle_timeout=_IDLE)
    with pytest.raises(TimeoutError):
        await figured.keep()
    await figured.keep()

    assert await store.latest(database, later) is not None
    assert await store.latest(database, slow) is None


async def test_an_organization_of_many_users_shows_those_of_the_last_day(
    admin: Client, org_id: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ada", "bob"):
        await calls.create(admin, org_id=org_id, user_name=name)
    monkeypatch.setattr(counting, "MOST_COUNTED", 2)
    figured = Figured(database, idle_timeout=_IDLE)
    await figured.keep()
    for name in ("joe", "zoe"):
        await calls.create(admin, org_id=org_id, user_name=name)

    assert (await figured.of(org_id)).people.users.user_count == 2


async def test_an_organization_of_many_users_is_counted_in_part_on_its_first_day(
    admin: Client, org_id: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ada", "bob"):
        await calls.create(admin, org_id=org_id, user_name=name)
    monkeypatch.setattr(counting, "MOST_COUNTED", 1)

    figures = await Figured(database, idle_timeout=_IDLE).of(org_id)

    assert figures.people.users.user_count == 2


async def test_a_new_instance_has_nothing(make_instance: MakeInstance) -> None:
    async with make_instance() as fresh:
        figures = await _figures(fresh.admin, await _home(fresh.admin))

    assert (figures.users, figures.applications, figures.sends_mail) == (1, 0, False)


async def _home(client: Client) -> str:
    user = await calls.whoami(client)
    return str(user.details.resource_owner)
