"""Checks the rights of a caller in the statement that writes for it.

A statement reads the caller as of its beginning, and may then wait for its object. So either an
earlier statement locks the object, or `IS_ADMITTED_LOCKED` reads the caller after the wait. Writes
of several statements call `check_admitted` once they have locked their object.

Methods all of whose writes are checked in this way, or by `admission.py`, are marked by
`checks_caller` (`rpc/declared.py`): their caller may come from the cache, which saves a look-up
before each call.
"""

from typing import Final

from server.access.caller import Actor, Caller
from server.access.held_roles import AFTER_LOCK, COLUMNS, held_roles
from server.store.database import Statements
from server.store.statement import statement
from server.values.errors import unauthenticated


def _is_valid(table: str, lock: str) -> str:
    """Whether `table` has the credential of a user with the roles.

    Times are no conditions of the inner query, which is evaluated before it waits for its lock.
    """
    # S608: constants of this module.
    return f"""exists (
        select from (
            select {table}.expires_at, {COLUMNS}
            from {table} join users on users.id = {table}.user_id
            where {table}.hash = :credential {lock}
        ) as credential
        where (credential.expires_at is null or credential.expires_at > clock_timestamp())
            and {held_roles("credential", now=AFTER_LOCK)} @> :caller_roles::text::text[])"""  # noqa: S608


def _is_admitted(*, lock: bool = False) -> str:
    tokens, sessions = (
        _is_valid(table, f"for key share of {table}, users" if lock else "")
        for table in ("tokens", "sessions")
    )
    return f":credential::bytea is null or {tokens} or {sessions}"


# A condition of a write: the caller's token or session, by its hash, has not ended, and its user
# still has the roles. No hash: the actor has no token of a user.
IS_ADMITTED: Final = _is_admitted()
# The same for writes that grant access, as `admission`, and for statements that wait for their
# object: as both are after the wait, and stay until the transaction ends.
IS_ADMITTED_LOCKED: Final = _is_admitted(lock=True)

_CHECK = statement(f"select {IS_ADMITTED} as is_admitted")


def written_by(actor: Actor) -> dict[str, object]:
    """The parameters of an append with an admission by which it names and checks its creator.

    The roles are a text that PostgreSQL reads as an array: the driver encodes it in a fraction of
    the time.
    """
    values: dict[str, object] = {"creator": actor.user_id, "credential": None, "caller_roles": "{}"}
    if isinstance(actor, Caller):
        values |= {"credential": actor.credential, "caller_roles": f"{{{','.join(actor.roles)}}}"}
    return values


def credential_values(actor: Actor) -> dict[str, object]:
    """The same for a statement that checks the actor and names no creator."""
    values = written_by(actor)
    del values["creator"]
    return values


async def check_admitted(transaction: Statements, actor: Actor) -> None:
    """Checks the actor of a write that ends access, without a lock. `Failure` UNAUTHENTICATED."""
    if not (await transaction.fetch_one(_CHECK, **credential_values(actor)))["is_admitted"]:
        raise unauthenticated()
