"""The row of a user in SQL, for features whose objects are part of the user's aggregate.

An event and its projections are one statement. So the statements of passkeys and links cannot call
the user feature: they are composed of the fragments here, and do not name the table `users`.

The rule: an event of the aggregate locks the user's row (`part_of_user`) and moves its sequence
(`MOVED`, or one of the projections that also change another column).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from server.access.authorizer import user_not_found
from server.access.held_roles import held_roles, next_end
from server.store.database import Statements
from server.store.folding import folded
from server.store.rows import Query
from server.store.statement import statement

# Projections of events of the aggregate.
MOVED = """
        update users set sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""
SIGNED_IN = """
        update users set last_sign_in_at = event.created_at,
            sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""
# By a registration link; a recovery link leaves the time as it is.
INVITED = """
        update users set invited_at = case
                when event.payload->>'purpose' = 'recovery' then users.invited_at
                else event.created_at end,
            sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""
GAINED_PASSKEY = """
        update users set passkey_count = users.passkey_count + 1,
            sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""
GAINED_PASSKEYS = """
        update users set sequence = event.sequence, change_date = event.created_at,
            passkey_count = users.passkey_count + jsonb_array_length(event.payload->'passkeys')
        from event where users.id = event.aggregate_id"""
LOST_PASSKEY = """
        update users set passkey_count = users.passkey_count - 1,
            sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""


def part_of_user(
    *,
    join: str = "",
    where: str = "true",
    sequence: str = "account.sequence",
    creation_date: str = "account.creation_date",
    change_date: str = "account.change_date",
    changed: str = "true",
    columns: str = "",
) -> str:
    """The `target` of an event of the user `:user_id`: the rows of the user and of `join`, locked.

    The expressions may read `account`: owner, sequence, creation_date, change_date, passkey_count.
    The statement may return `columns`, and `email` and `display_name` as of before the event.
    """
    further = f", {columns}" if columns else ""
    return f"""
    select account.id, account.owner, {sequence} as sequence, {creation_date} as creation_date,
        {change_date} as change_date, account.email, account.display_name,
        {changed} as changed{further}
    from users as account {join}
    where account.id = :user_id and {where}
    for update"""


def part_of_users(*, join: str, columns: str) -> str:
    """The `target` of events of all users that `join` finds. Their rows must be locked already.

    `join` and `columns` may read `account`.
    """
    return f"""
    select account.id, account.owner, account.sequence, account.creation_date, account.change_date,
        true as changed, {columns}
    from users as account {join}"""


def part_of_imported() -> str:
    """The `target` of events of users that this transaction has added or locked.

    Its parameters are `:user_ids` and `:payloads`.
    """
    return """
    select account.id, account.owner, account.sequence, account.creation_date, account.change_date,
        true as changed, given.payload
    from unnest(:user_ids::text[], :payloads::text[]) as given (id, payload)
    join users as account on account.id = given.id collate "C\""""


def sequence_of_part(
    table: str, key: str, *, sequence: str = "part.sequence", where: str = "true"
) -> str:
    """A query of the sequence of a part of the user `:user_id`, by the name of its key.

    Locks both rows in the order of `part_of_user`. The expressions may read `part`.
    """
    return f"""
    select {sequence} as sequence
    from users as account join {table} as part on part.user_id = account.id
    where account.id = :user_id and part.{key} = :{key} and {where}
    for update"""


def account(user_id: str) -> str:
    """A query of the user with this id, an SQL expression."""
    return f"""
    select id, owner, user_name, display_name, email, user_handle, passkey_count,
        {held_roles()} as roles, {next_end()} as roles_end_at, sequence,
        locked_at is not null as is_locked,
        verified_email = email and email_verification not in ('', 'ADMINISTRATOR') as is_verified
    from users where id = {user_id}"""


def locale(user_id: str) -> str:
    """An expression for the preferred language of the user with this id; empty: none."""
    return f"coalesce((select locale from users where id = {user_id}), '')"


def link_exists(link_id: str) -> str:
    """A condition on an event: the user has the identity link of this expression."""
    return f"""exists (
            select from idp_links as link
            where link.user_id = event.aggregate_id and link.link_id = {link_id})"""


# The same of the link that the event names.
LINK_EXISTS: Final = link_exists("event.payload->>'link_id'")

# The number of users that are examined for a page of a list that can skip users.
MOST_EXAMINED: Final = 5000


def examined(where: str) -> str:
    """A query of at most `:examined` users from the ID `:after_user_id` on, numbered by `place`.

    `where` is a condition on `users`.
    """
    return f"""
    select id, owner, user_name, display_name, email, row_number() over (order by id) as place
    from users where {where} and id >= :after_user_id order by id limit :examined"""


def contains(columns: Iterable[str], text: str) -> str:
    """Whether the columns contain each word of the text, regardless of case and accents; SQL.

    The words may be in different columns. `offset 0` keeps the columns from being folded once for
    each word.
    """
    searched = without_accents(f"concat_ws(' ', {', '.join(columns)})")
    words = rf"regexp_split_to_table({without_accents(text)}, '\s+')"
    return f"""(select bool_and(strpos(searched, word) > 0)
        from (select {searched} as searched offset 0) as row, {words} as word)"""


def without_accents(text: str) -> str:
    """The text for a search, an SQL expression: without case, and without marks above letters."""
    # The block of combining diacritical marks.
    marks = r"'[\u0300-\u036f]', '', 'g'"
    return address_key(f"regexp_replace(normalize({text}, nfkd), {marks})")


def address_key(address: str) -> str:
    """The key of a mail address, an SQL expression: different spellings share one.

    Stored addresses are in normal form (`mail_address.py`), except for the case of the part before
    the @ and for addresses of older releases.
    """
    return folded(address)


@dataclass(frozen=True, slots=True)
class Account:
    """A user, for other features; read without a lock, so it may be out of date."""

    user_id: str
    organization_id: str
    user_name: str
    display_name: str
    user_handle: bytes
    passkey_count: int
    is_locked: bool


# A user, not locked.
ACCOUNT: Final = Query(
    f"""
select id as user_id, owner as organization_id, user_name, display_name, user_handle, passkey_count,
    is_locked
from ({account(":user_id")}) as account""",
    Account,
    missing=("user_id", user_not_found),
)

# Users of a mail address, in any of its spellings, who can recover by mail: without a role and with
# a passkey. The index `users_recoverable` has these users.
_RECOVERABLE = f"""
users where email <> '' and passkey_count > 0 and roles = '{{}}'
    and {address_key("email")} = {address_key(":address::text")}"""


@dataclass(frozen=True, slots=True)
class Recoverable:
    """A user who can recover by mail, if its organization allows it."""

    user_id: str
    organization_id: str


# The oldest of these users in each organization; the first user of every organization comes before
# the second of any. `owners` finds one organization after the other by the index, so that the users
# of one are not read before those of another.
LIST_RECOVERABLE: Final = Query(
    f"""
with recursive owners as (
    (select owner from {_RECOVERABLE} order by owner limit 1)
    union all
    select (select owner from {_RECOVERABLE} and owner > owners.owner order by owner limit 1)
    from owners where owners.owner is not null)
select found.id as user_id, owners.owner as organization_id
from owners cross join lateral (
    select id, row_number() over (order by id) as place
    from {_RECOVERABLE} and owner = owners.owner
    order by id limit :per_organization) as found
order by found.place, owners.owner""",
    Recoverable,
)

# Locks a user.
_LOCK = statement("select from users where id = :user_id for update")

# Locks users in the order of their ids, as `admission.py` does.
_LOCK_ALL = statement("""
select from users where id = any(:user_ids::text[]) order by id for update""")


async def lock(transaction: Statements, user_id: str) -> None:
    """Locks the user until the transaction ends, and so its passkeys and sessions."""
    await transaction.fetch(_LOCK, user_id=user_id)


async def lock_all(transaction: Statements, user_ids: Sequence[str]) -> None:
    """The same for several users."""
    await transaction.fetch(_LOCK_ALL, user_ids=user_ids)
