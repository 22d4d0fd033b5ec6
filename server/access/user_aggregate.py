"""The row of a user in SQL, for features whose objects are part of the user's aggregate.

An event and its projections are one statement. So the events of passkeys and links cannot call the
user feature: they are composed of the fragments here, which alone spell the table `users` for them.

The rule: an event of the aggregate locks the user's row (`part_of_user`) and moves its sequence
(`MOVED`, or one of the projections that also count passkeys).
"""

from dataclasses import dataclass

from server.store.database import Statements
from server.store.statement import statement

# Projections of events of the aggregate.
MOVED = """
        update users set sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""
GAINED_PASSKEY = """
        update users set passkey_count = users.passkey_count + 1,
            sequence = event.sequence, change_date = event.created_at
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
    The event may return `email` and `display_name`, as they were before it, and `columns`.
    """
    further = f", {columns}" if columns else ""
    return f"""
    select account.id, account.owner, {sequence} as sequence, {creation_date} as creation_date,
        {change_date} as change_date, account.email, account.display_name,
        {changed} as changed{further}
    from users as account {join}
    where account.id = :user_id and {where}
    for update"""


def account(user_id: str) -> str:
    """A query of the user with this id, an SQL expression."""
    return f"""
    select id, owner, user_name, display_name, user_handle, passkey_count, roles, sequence
    from users where id = {user_id}"""


# A user, not locked.
_FIND_ACCOUNT = statement(f"""
select id, owner, user_name, display_name, user_handle, passkey_count
from ({account(":user_id")}) as account""")

# Locks a user.
_LOCK = statement("select from users where id = :user_id for update")


@dataclass(frozen=True, slots=True)
class Account:
    """A user as other features see it; read without a lock, so it may change at once."""

    id: str
    owner: str
    user_name: str
    display_name: str
    user_handle: bytes
    passkey_count: int


async def find_account(database: Statements, user_id: str) -> Account | None:
    """Reads the user. None: there is no such user."""
    row = await database.fetch_row(_FIND_ACCOUNT, user_id=user_id)
    return Account(**row) if row else None


async def lock(transaction: Statements, user_id: str) -> None:
    """Until the transaction ends, nobody else changes the user, its passkeys or its sessions."""
    await transaction.fetch(_LOCK, user_id=user_id)
