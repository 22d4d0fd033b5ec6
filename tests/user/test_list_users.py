"""Lists of users by filters, in their orders, with their number."""

import base64
import operator
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import asyncpg
import grpc
import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.user.v1 import user_service_pb2 as pb
from server.store.database import Database
from server.store.statement import statement
from server.user import list_store
from server.user.list_store import FILTERS
from tests.application import calls as application_calls
from tests.group import calls as group_calls
from tests.passkey import links
from tests.session import sessions
from tests.support import given
from tests.support.given import Client
from tests.user import calls

_DAY: Final = timedelta(days=1)
_START: Final = datetime(2036, 1, 1, tzinfo=UTC)


async def _list(client: Client, org_id: str, **fields: Any) -> pb.ListUsersResponse:
    request = pb.ListUsersRequest(**fields)
    return await client.call(client.users.ListUsers, request, x_service_orgid=org_id)


async def _names(client: Client, org_id: str, **fields: Any) -> list[str]:
    """The names on all pages."""
    names, token = list[str](), ""
    while True:
        page = await _list(client, org_id, page_token=token, **fields)
        names += [each.user_name for each in page.users]
        token = page.next_page_token
        if not token:
            return names


@pytest.fixture
async def people(admin: Client, org_id: str, sql: asyncpg.Connection) -> dict[str, str]:
    """The IDs of users of an organization by their names."""
    created = [
        (name, (await calls.create(admin, org_id=org_id, user_name=name)).user_id)
        for name in ("ada", "bob", "eve", "joe", "zoe")
    ]
    ids = dict(created)
    await calls.grant(admin, ids["ada"], pb.ROLE_ORG_OWNER)
    await calls.grant(admin, ids["ada"], pb.ROLE_GATE)
    await calls.grant(admin, ids["bob"], pb.ROLE_ORG_HELP_DESK)
    await calls.lock(admin, ids["eve"])
    await sql.executemany(
        "update users set last_sign_in_at = $2, invited_at = $3 where id = $1",
        [
            (ids["ada"], _START + 2 * _DAY, None),
            (ids["bob"], _START + _DAY, None),
            (ids["joe"], None, _START + 3 * _DAY),
            (ids["zoe"], _START + 3 * _DAY, _START + _DAY),
        ],
    )
    await sql.execute("update users set passkey_count = 1 where id = $1", ids["ada"])
    return ids


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "ada bob eve joe zoe"),
        ("state = LOCKED", "eve"),
        ("state = USER_STATE_INVITED", "joe"),
        ("state != LOCKED AND state != INVITED", "ada bob zoe"),
        ("state = LOCKED AND state = ACTIVE", ""),
        ("roles:*", "ada bob"),
        ("NOT roles:*", "eve joe zoe"),
        ("roles:* AND NOT roles:*", ""),
        ("roles:ORG_OWNER AND roles:ROLE_GATE", "ada"),
        ("-roles:ROLE_ORG_OWNER", "bob eve joe zoe"),
        ("passkey_count = 0", "bob eve joe zoe"),
        ("passkey_count > 0 AND passkey_count <= 1", "ada"),
        ("invited_at:*", "joe zoe"),
        ("invited_at:* AND NOT last_sign_in_at:*", "joe"),
        ("last_sign_in_at:* AND NOT last_sign_in_at:*", ""),
        ('last_sign_in_at < "2036-01-03T00:00:00Z"', "bob"),
        ("last_sign_in_at <= 2036-01-03T01:00:00+01:00", "ada bob"),
        ("last_sign_in_at > 2036-01-03T00:00:00Z", "zoe"),
        ("last_sign_in_at = 2036-01-03T00:00:00.000Z", "ada"),
        ("creation_date >= 2020-01-01T00:00:00Z", "ada bob eve joe zoe"),
        ("creation_date > 9999-12-31T23:59:59.999999Z", ""),
        ("creation_date < 0001-01-01T00:00:00Z", ""),
    ],
)
async def test_a_filter_selects_users(
    admin: Client, org_id: str, people: dict[str, str], text: str, found: str
) -> None:
    listed = await _list(admin, org_id, filter=text, with_total_size=True)

    assert sorted(each.user_name for each in listed.users) == found.split()
    assert (listed.total_size, listed.total_size_is_minimum) == (len(found.split()), False)
    assert await _names(admin, org_id, filter=text, page_size=1) == found.split()
    assert people


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "rol:*",
            "the fields are applications, creation_date, groups, invited_at, last_sign_in_at,",
        ),
        ("state = GONE", "compare state with one of ACTIVE, INVITED, LOCKED (character 1)"),
        ("passkey_count = 0 AND roles = GATE", "one of : after roles (character 23)"),
        ("roles:ROLE_KING", "one of INSTANCE_OWNER"),
        ("state! = ACTIVE", "must have = != <"),
        ("NOT state = ACTIVE", "NOT before a comparison with : only"),
        ("passkey_count = many", "a number"),
        ("passkey_count = -1", "a number"),
        ("passkey_count = \u0661", "a number"),
        ("last_sign_in_at < yesterday", "an instant as in RFC 3339"),
        ("last_sign_in_at < 2036-02-30T00:00:00Z", "an instant"),
        ("last_sign_in_at < 2036-01-01T00:00:00", "an instant"),
        ("last_sign_in_at < 0001-01-01T00:00:00+10:00", "an instant"),
        ("last_sign_in_at:2036", "last_sign_in_at:*"),
        ("groups:*", "groups:ID"),
        ("NOT groups:x", "groups:ID"),
        ("state = ACTIVE OR state = LOCKED", "there is no OR"),
        ("'; drop table users --", "the name of a field"),
        ("state = ACTIVE\n", "control characters"),
        ("x" * 1001, "at most 1000"),
    ],
)
async def test_a_wrong_filter_is_refused_with_the_correction(
    admin: Client, org_id: str, text: str, problem: str
) -> None:
    refused = await given.refusal(_list(admin, org_id, filter=text))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert set(refused.violations) == {"filter"}
    assert problem in str(refused.violations["filter"])


@pytest.mark.parametrize(
    ("order", "names"),
    [
        ("last_sign_in_at", "eve joe bob ada zoe"),
        ("last_sign_in_at desc", "zoe ada bob joe eve"),
        ("  invited_at   desc ", "joe zoe eve bob ada"),
        ("invited_at asc", "ada bob eve zoe joe"),
        ("creation_date desc", "zoe joe eve bob ada"),
        ("display_name", "ada bob eve joe zoe"),
        ("display_name desc", "zoe joe eve bob ada"),
    ],
)
@pytest.mark.usefixtures("people")
async def test_a_list_has_an_order(admin: Client, org_id: str, order: str, names: str) -> None:
    assert await _names(admin, org_id, order_by=order, page_size=2) == names.split()
    assert await _names(admin, org_id, order_by=order) == names.split()
    assert await _names(admin, org_id, order_by=order, filter="state = ACTIVE", page_size=1) == [
        each for each in names.split() if each not in ("eve", "joe")
    ]
    assert await _names(admin, org_id, order_by=order, query="o", page_size=1) == [
        each for each in names.split() if "o" in each
    ]


@pytest.mark.parametrize("order", ["user_name", "invited_at down", "invited_at desc, user_name"])
async def test_an_order_by_another_field_is_refused(admin: Client, org_id: str, order: str) -> None:
    refused = await given.refusal(_list(admin, org_id, order_by=order))

    assert set(refused.violations) == {"orderBy"}
    assert "creation_date, display_name, invited_at" in str(refused.violations["orderBy"])


@pytest.mark.usefixtures("people")
async def test_a_page_token_is_of_its_filter_and_order(admin: Client, org_id: str) -> None:
    made = {"filter": "state = ACTIVE", "order_by": "invited_at", "page_size": 1}
    token = (await _list(admin, org_id, **made)).next_page_token

    assert (await _list(admin, org_id, **made, page_token=token)).users
    for changed in ({"filter": ""}, {"order_by": "invited_at desc"}, {"query": "a"}):
        refused = await given.refusal(_list(admin, org_id, **made | changed, page_token=token))
        assert set(refused.violations) == {"pageToken"}


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("key", [10**18 - 1, 1 - 10**18, 2**63, 1 - 10**19])
async def test_a_forged_page_token_has_a_page_or_a_refusal(
    admin: Client, org_id: str, key: int
) -> None:
    made = {"order_by": "invited_at", "page_size": 1}
    token = base64.urlsafe_b64decode((await _list(admin, org_id, **made)).next_page_token).decode()
    parent, _, user_id = token.rsplit(":", 2)
    forged = base64.urlsafe_b64encode(f"{parent}:{key}:{user_id}".encode()).decode()

    outcome = await given.outcome(_list(admin, org_id, **made, page_token=forged))

    assert outcome == ("OK" if abs(key) < 10**18 else "INVALID_FIELDS")


async def test_the_order_by_name_knows_no_case_and_no_accents(admin: Client, org_id: str) -> None:
    names = ["Émile", "Zoë", "eve", "ada", "\ufdfa" * 200, "", "Eve", "ÅSA"]
    for number, display_name in enumerate(names):
        name = f"carl-{number}"
        await calls.create(admin, org_id=org_id, user_name=name, display_name=display_name)
    shown = ["ada", "ÅSA", "carl-5", "Émile", "eve", "Eve", "Zoë", "\ufdfa" * 200]

    async def listed(order: str) -> list[str]:
        found, token, is_first = [], "", True
        while token or is_first:
            page = await _list(admin, org_id, order_by=order, page_size=1, page_token=token)
            found += [each.display_name for each in page.users]
            token, is_first = page.next_page_token, False
        return found

    assert await listed("display_name") == shown
    assert await listed("display_name desc") == shown[::-1]


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize(("key", "outcome"), [("ff", "OK"), ("", "OK"), ("00", "INVALID_FIELDS")])
async def test_a_forged_name_of_a_page_token_has_a_page_or_a_refusal(
    admin: Client, org_id: str, key: str, outcome: str
) -> None:
    made = {"order_by": "display_name", "page_size": 1}
    token = base64.urlsafe_b64decode((await _list(admin, org_id, **made)).next_page_token).decode()
    parent, _, user_id = token.rsplit(":", 2)
    forged = base64.urlsafe_b64encode(f"{parent}:{key}:{user_id}".encode()).decode()

    assert await given.outcome(_list(admin, org_id, **made, page_token=forged)) == outcome


async def test_a_filter_selects_the_members_of_groups(
    admin: Client, org_id: str, people: dict[str, str]
) -> None:
    owner = await given.user(admin, org_id=org_id, roles=[pb.ROLE_ORG_OWNER])
    staff, board = await group_calls.group(owner), await group_calls.group(owner)
    for group_id, name in ((staff, "ada"), (staff, "bob"), (board, "bob")):
        await group_calls.add_member(owner, group_id, people[name])

    assert await _names(admin, org_id, filter=f"groups:{staff}") == ["ada", "bob"]
    assert await _names(admin, org_id, filter=f"groups:{staff} AND groups:{board}") == ["bob"]
    assert await _names(admin, org_id, filter='groups:"unknown"') == []

    desk = await given.user(admin, org_id=org_id, roles=[pb.ROLE_ORG_HELP_DESK])
    refused = await given.refusal(_list(desk, org_id, filter=f"groups:{staff}"))
    assert refused.code is grpc.StatusCode.PERMISSION_DENIED


async def test_a_filter_selects_the_users_whom_applications_admit(
    admin: Client, org_id: str, people: dict[str, str]
) -> None:
    owner = await given.user(admin, org_id=org_id, roles=[pb.ROLE_ORG_OWNER])
    staff, board = await group_calls.group(owner), await group_calls.group(owner)
    for group_id, name in ((staff, "ada"), (staff, "bob"), (board, "zoe")):
        await group_calls.add_member(owner, group_id, people[name])
    of_all = await application_calls.application(owner)
    of_some = await application_calls.application(
        owner, admits_groups_only=True, allowed_groups=[staff, board]
    )
    of_board = await application_calls.application(
        owner, admits_groups_only=True, allowed_groups=[board]
    )
    of_nobody = await application_calls.application(owner, admits_groups_only=True)
    service = await application_calls.application(
        owner, kind=application_pb.APPLICATION_KIND_SERVICE, scopes=["orders"]
    )
    elsewhere = await application_calls.application(admin)
    everybody = {*people, (await calls.whoami(owner)).user_name}

    async def named(*application_ids: str) -> set[str]:
        text = " AND ".join(f"applications:{each}" for each in application_ids)
        return {*await _names(owner, org_id, filter=text)}

    assert await named(of_all) == everybody
    assert await named(of_some) == await named(of_some, of_all) == {"ada", "bob", "zoe"}
    assert await named(of_some, of_board) == {"zoe"}
    for none in (of_nobody, service, elsewhere, "unknown"):
        assert await named(none) == set()
    manager = await given.user(admin, org_id=org_id, roles=[pb.ROLE_ORG_USER_MANAGER])
    refused = await given.refusal(_list(manager, org_id, filter=f"applications:{of_all}"))
    assert refused.code is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.usefixtures("people")
async def test_a_number_is_a_minimum_beyond_a_bound(
    admin: Client, org_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_store, "MOST_COUNTED", 4)
    counted = await _list(admin, org_id, with_total_size=True)
    assert (counted.total_size, counted.total_size_is_minimum) == (4, True)

    monkeypatch.setattr(list_store, "_EXAMINED_FOR_NUMBER", 3)
    counted = await _list(admin, org_id, with_total_size=True, filter="state = ACTIVE")
    assert (counted.total_size, counted.total_size_is_minimum) == (2, True)

    assert (await _list(admin, org_id)).total_size == 0


@pytest.mark.usefixtures("people")
async def test_a_large_organization_has_no_order_by_a_time(
    admin: Client, org_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_store, "MOST_ORDERED", 5)
    assert len(await _names(admin, org_id, order_by="invited_at")) == 5

    monkeypatch.setattr(list_store, "MOST_ORDERED", 4)
    refused = await given.refusal(_list(admin, org_id, order_by="invited_at"))
    wanted = "must be empty or display_name for more than 4 users"
    assert refused.violations["orderBy"] == wanted
    assert len(await _names(admin, org_id, order_by="display_name")) == 5


@pytest.mark.usefixtures("people")
async def test_a_page_by_a_filter_examines_a_limited_number_of_users(
    admin: Client, org_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_store, "_EXAMINED", 2)

    first = await _list(admin, org_id, filter="state = LOCKED")
    assert (len(first.users), bool(first.next_page_token)) == (0, True)
    assert await _names(admin, org_id, filter="state = LOCKED") == ["eve"]


async def test_invitations_and_sign_ins_of_a_user_are_shown(admin: Client, org_id: str) -> None:
    user = await given.user(admin, org_id=org_id)
    new = await calls.get(admin, user.user_id)
    assert (new.state, new.HasField("invited_at")) == (pb.USER_STATE_ACTIVE, False)

    await links.create(admin, user)
    invited = await calls.get(admin, user.user_id)
    assert (invited.state, invited.passkey_count) == (pb.USER_STATE_INVITED, 0)
    assert invited.invited_at == invited.details.change_date

    signed_in = await (await sessions.with_passkey(user)).sign_in()
    seen = await calls.get(admin, user.user_id)
    assert (seen.state, seen.passkey_count) == (pb.USER_STATE_ACTIVE, 1)
    assert seen.last_sign_in_at == seen.details.change_date
    assert seen.invited_at == invited.invited_at
    assert signed_in.answer.user_id == user.user_id


# A row of `users` as the filter sees it.
@dataclass(frozen=True)
class _Row:
    roles: tuple[str, ...]
    passkey_count: int
    locked_at: datetime | None
    invited_at: datetime | None
    last_sign_in_at: datetime | None
    creation_date: datetime

    @property
    def state(self) -> str:
        if self.locked_at:
            return "LOCKED"
        is_new = not self.passkey_count and not self.last_sign_in_at
        return "INVITED" if self.invited_at and is_new else "ACTIVE"


_COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
_times = st.sampled_from([_START + n * timedelta(microseconds=1) for n in range(3)])
_rows = st.builds(
    _Row,
    roles=st.lists(st.sampled_from(["GATE", "ORG_OWNER"]), unique=True).map(tuple),
    passkey_count=st.integers(0, 2),
    locked_at=st.none() | _times,
    invited_at=st.none() | _times,
    last_sign_in_at=st.none() | _times,
    creation_date=_times,
)
_comparisons = st.one_of(
    st.tuples(
        st.sampled_from(["invited_at", "last_sign_in_at", "creation_date"]),
        st.sampled_from(["<", ">", "<=", ">=", "="]),
        _times,
    ),
    st.tuples(
        st.just("passkey_count"), st.sampled_from(["<", ">", "<=", ">=", "="]),
        st.integers(0, 3),
    ),
    st.tuples(
        st.just("state"), st.sampled_from(["=", "!="]),
        st.sampled_from(["ACTIVE", "INVITED", "LOCKED"]),
    ),
    st.tuples(
        st.sampled_from(["roles", "NOT roles"]), st.just(":"),
        st.sampled_from(["GATE", "ORG_OWNER", "*"]),
    ),
    st.tuples(
        st.sampled_from(["invited_at", "NOT last_sign_in_at"]), st.just(":"), st.just("*")
    ),
)  # fmt: skip


def _meets(row: _Row, field: str, comparison: str, value: Any) -> bool:
    name = field.removeprefix("NOT ")
    stored = getattr(row, name)
    if comparison != ":":
        return stored is not None and _COMPARE[comparison](stored, value)
    has = bool(stored) if value == "*" else value in stored
    return has != field.startswith("NOT ")


# S608: constants.
_SELECTED = statement(f"""
select coalesce(({FILTERS.condition}), false) as is_selected
from (
    select 'id' as id, :roles_stored::text[] as roles, :passkey_count_stored::int as passkey_count,
        :locked_at_stored::timestamptz as locked_at, :invited_at_stored::timestamptz as invited_at,
        :last_sign_in_at_stored::timestamptz as last_sign_in_at,
        :creation_date_stored::timestamptz as creation_date, '{{}}'::jsonb as role_grants,
        null::timestamptz as roles_end_at
) as users""")  # noqa: S608


@settings(max_examples=150)
@for_all(row=_rows, made=st.lists(_comparisons, max_size=4))
async def test_a_filter_in_sql_selects_what_it_selects_in_python(
    database: Database, row: _Row, made: list[tuple[str, str, Any]]
) -> None:
    text = " AND ".join(
        f"{field} {comparison} {value.isoformat() if isinstance(value, datetime) else value}"
        for field, comparison, value in made
    )
    stored = {f"{name}_stored": value for name, value in asdict(row).items()}

    selected = await database.fetch_one(_SELECTED, **stored, **FILTERS.read(text))

    assert selected["is_selected"] is all(_meets(row, *each) for each in made), text
