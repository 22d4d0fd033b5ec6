"""Checks the rights of a caller in the statement that appends its event.

For methods whose only effect is one event, marked by `checks_caller` (`rpc/declared.py`). Their
caller may come from the cache, which saves a look-up before each call. No revocation can come
between the check and the event.
"""

from typing import Final

from server.access.caller import Actor, Caller
from server.store.database import Row
from server.store.eventlog import Details, details
from server.values.errors import unauthenticated


def _is_valid(table: str, lock: str) -> str:
    """Whether `table` has the credential of a user with the roles.

    The expiry is no condition of the inner query, which is evaluated before it waits for its lock.
    """
    # S608: constants of this module.
    return f"""exists (
        select from (
            select {table}.expires_at from {table} join users on users.id = {table}.user_id
            where {table}.hash = :credential and users.roles @> :caller_roles::text::text[] {lock}
        ) as credential
        where credential.expires_at is null or credential.expires_at > clock_timestamp())"""  # noqa: S608


def _is_admitted(*, lock: bool = False) -> str:
    tokens, sessions = (
        _is_valid(table, f"for key share of {table}, users" if lock else "")
        for table in ("tokens", "sessions")
    )
    return f":credential::bytea is null or {tokens} or {sessions}"


# For the argument `admitted` of `append`: whether the caller's token or session, by its hash, has
# not ended, and its user still has the roles. No hash: not the caller of an RPC.
IS_ADMITTED: Final = _is_admitted()
# The same for writes that grant access, as `admission`: both stay so until the transaction ends.
IS_ADMITTED_LOCKED: Final = _is_admitted(lock=True)


def caller_values(actor: Actor) -> dict[str, object]:
    """The parameters `:creator` of `append`, and those of `admitted`.

    The roles are a text that PostgreSQL reads as an array: the driver encodes it in a fraction of
    the time.
    """
    if isinstance(actor, Caller):
        return {
            "creator": actor.user_id,
            "credential": actor.credential,
            "caller_roles": f"{{{','.join(actor.roles)}}}",
        }
    return {"creator": actor.user_id, "credential": None, "caller_roles": "{}"}


def checked_details(row: Row) -> Details:
    """The details object of a result row.

    `Failure` UNAUTHENTICATED: the caller's token has ended, or the caller has lost a role since it
    was looked up. Nothing was written.
    """
    if not row["is_admitted"]:
        raise unauthenticated()
    return details(row)
