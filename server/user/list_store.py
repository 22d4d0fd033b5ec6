"""The statements that list users: by filters, in several orders, and their number.

No index serves the filters and the orders by a time: `users` changes with each sign-in, and an
index on the time of it would cost each sign-in more than the lists cost (decision 1). So each page
examines a limited number of users, and such an order is offered up to a number of users of the
organization. Names have an index, since they seldom change.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from server.access.held_roles import held_roles
from server.access.listing import EVER, MOST_COUNTED, TotalSize, microseconds
from server.access.roles import Role
from server.access.user_aggregate import MOST_EXAMINED, contains, without_accents
from server.store.database import Row, Statements
from server.store.filters import Count, Filters, Instant, Labels, OneOf, Order, Sets
from server.store.statement import statement
from server.user.store import COLUMNS, STATE, User, UserState, user_of

FILTERS: Final = Filters(
    state=OneOf(STATE, [each.value for each in UserState], prefix="USER_STATE_"),
    roles=Labels(held_roles(), [each.value for each in Role], prefix="ROLE_"),
    role_expires_at=Instant("roles_end_at"),
    groups=Sets(),
    applications=Sets(),
    passkey_count=Count("passkey_count"),
    creation_date=Instant("creation_date"),
    invited_at=Instant("invited_at"),
    last_sign_in_at=Instant("last_sign_in_at"),
)
_TIMES: Final = ("creation_date", "invited_at", "last_sign_in_at")
NAME: Final = "display_name"
ORDERS: Final = ("creation_date", NAME, "invited_at", "last_sign_in_at")

# The users that are examined for a page, and for a number. A text is compared with each of them,
# which takes 10 microseconds.
_EXAMINED: Final = 100_000
_EXAMINED_FOR_NUMBER: Final = 200_000
# In the order of the names, each of which takes 5 microseconds.
_EXAMINED_BY_NAME: Final = 20_000
# The users of an organization whose lists have an order by a time.
MOST_ORDERED: Final = 200_000

_HAS_TEXT: Final = f"""
        (:query::text = '' or id = :query
            or {contains(("user_name", "display_name", "email"), ":query::text")})"""

# The matching users after an ID, and the last user that is examined.
_LIST = statement(f"""
with examined as (
    select id, row_number() over (order by id) as place,
        {FILTERS.condition} as is_selected
    from users where owner = :organization_id and id > :after order by id limit :examined),
compared as (
    select users.*, place, is_selected and {_HAS_TEXT} as matches
    from examined join users using (id) where is_selected or place = :examined)
select {COLUMNS}, matches, place
from compared as users where matches or place = :examined order by id limit :limit""")

# The shown name without case and accents, as the index `users_name` has it.
_NAME_KEY: Final = f"""(left({without_accents("coalesce(nullif(display_name, ''), user_name)")},
        100) collate "C")"""
# After all of them.
_LAST_NAME: Final = "\U0010ffff" * 101


def _by_name(direction: str, beyond: str) -> str:
    """The same in the order of the names, after that of one user and the ID."""
    order = f"key {direction}, id {direction}"
    return f"""
with examined as (
    select id, {_NAME_KEY} as key,
        row_number() over (order by {_NAME_KEY} {direction}, id {direction}) as place,
        {FILTERS.condition} as is_selected
    from users
    where owner = :organization_id and ({_NAME_KEY}, id) {beyond} (:after_key::text, :after::text)
    order by {order} limit :examined),
compared as (
    select users.*, key, place, is_selected and {_HAS_TEXT} as matches
    from examined join users using (id) where is_selected or place = :examined)
select {COLUMNS}, matches, place, key
from compared as users where matches or place = :examined order by {order} limit :limit"""


# Before any time, for users without it.
_NEVER: Final = -EVER


def _ordered(column: str, direction: str, beyond: str) -> str:
    """The same in the order of a time, after the microseconds of one and an ID."""
    key = f"coalesce({microseconds(column)}, {_NEVER})"
    order = f"key {direction}, id {direction}"
    return f"""
with selected as (
    select id, {key} as key from users
    where owner = :organization_id and {FILTERS.condition}),
examined as (
    select id, key, row_number() over (order by {order}) as place
    from (
        select id, key from selected where (key, id) {beyond} (:after_key::bigint, :after::text)
        order by {order} limit :examined) as next),
compared as (
    select users.*, key, place, {_HAS_TEXT} as matches from examined join users using (id))
select {COLUMNS}, matches, place, key
from compared as users where matches or place = :examined order by {order} limit :limit"""


_BY_NAME = statement(_by_name("asc", ">"))
_BY_NAME_DESCENDING = statement(_by_name("desc", "<"))
ASCENDING: Final = {
    NAME: _BY_NAME,
    **{each: statement(_ordered(each, "asc", ">")) for each in _TIMES},
}
DESCENDING: Final = {
    NAME: _BY_NAME_DESCENDING,
    **{each: statement(_ordered(each, "desc", "<")) for each in _TIMES},
}

# The number of matching users among those examined, and of the latter.
_COUNT = statement(f"""
select count(*) filter (where is_selected and {_HAS_TEXT}) as matching, count(*) as examined
from (
    select id, user_name, display_name, email,
        {FILTERS.condition} as is_selected
    from users where owner = :organization_id order by id limit :examined) as users""")

# Whether the organization has more than some number of users.
_HAS_MORE = statement("""
select exists (
    select from users where owner = :organization_id order by id offset :most) as has_more""")


@dataclass(frozen=True, slots=True)
class Selection:
    """Users of an organization: those that contain the text, and meet the filter.

    `filter` are the parameters of `FILTERS.condition`, with the users of groups and applications.
    """

    organization_id: str
    query: str
    filter: Mapping[str, object]

    def parameters(self, *, examined: int) -> dict[str, object]:
        """The parameters of a statement."""
        most = min(examined, MOST_EXAMINED) if self.query else examined
        return {
            "organization_id": self.organization_id,
            "query": self.query,
            "examined": most,
            **self.filter,
        }


class UserPosition(NamedTuple):
    """The place of a user in a list: its key, microseconds or a name if it has an order; its ID."""

    key: int | str
    user_id: str


class UserPage(NamedTuple):
    """Users in the order of the list, and the position after which the next page begins."""

    users: list[User]
    goes_on_after: UserPosition | None


async def list_page(
    database: Statements,
    selection: Selection,
    *,
    order: Order | None,
    after: UserPosition | None,
    size: int,
) -> UserPage:
    """A page of at most `size` users."""
    is_by_name = order is not None and order.field == NAME
    if order is None:
        compiled, after = _LIST, after or UserPosition(0, "")
    elif order.is_descending:
        last = _LAST_NAME if is_by_name else EVER
        compiled, after = DESCENDING[order.field], after or UserPosition(last, "~")
    else:
        first = "" if is_by_name else _NEVER
        compiled, after = ASCENDING[order.field], after or UserPosition(first, "")
    examined = _EXAMINED if order is None or selection.query else size + 1
    if is_by_name:
        examined = _EXAMINED_BY_NAME
    parameters = selection.parameters(examined=examined)
    if order is not None:
        parameters["after_key"] = after.key
    rows = await database.fetch(compiled, **parameters, after=after.user_id, limit=size + 1)
    found = [row for row in rows if row["matches"]]
    users = [user_of(row) for row in found[:size]]
    if len(found) > size:
        return UserPage(users, _position(found[size - 1], order))
    is_end = not rows or rows[-1]["place"] < parameters["examined"]
    return UserPage(users, None if is_end else _position(rows[-1], order))


def _position(row: Row, order: Order | None) -> UserPosition:
    return UserPosition(0 if order is None else row["key"], row["user_id"])


async def count(database: Statements, selection: Selection) -> TotalSize:
    """The number of users, at most `MOST_COUNTED`."""
    parameters = selection.parameters(examined=_EXAMINED_FOR_NUMBER)
    row = await database.fetch_one(_COUNT, **parameters)
    is_more = row["matching"] > MOST_COUNTED or row["examined"] == parameters["examined"]
    return TotalSize(min(row["matching"], MOST_COUNTED), is_more)


async def can_order(database: Statements, organization_id: str) -> bool:
    """Whether the lists of the organization can have an order by a time."""
    row = await database.fetch_one(_HAS_MORE, organization_id=organization_id, most=MOST_ORDERED)
    return not row["has_more"]
