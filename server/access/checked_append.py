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

# The argument `admitted` of `append`: whether the caller's token or session, by its hash, has not
# ended and its user still has the roles. No hash: not the caller of an RPC.
IS_ADMITTED: Final = """
    :credential::bytea is null
    or exists (
        select from tokens join users on users.id = tokens.user_id
        where tokens.hash = :credential and users.roles @> :caller_roles::text::text[]
            and (tokens.expires_at is null or tokens.expires_at > clock_timestamp()))
    or exists (
        select from sessions join users on users.id = sessions.user_id
        where sessions.hash = :credential and users.roles @> :caller_roles::text::text[]
            and sessions.expires_at > clock_timestamp())"""


def caller_values(actor: Actor) -> dict[str, object]:
    """The parameters `:creator` of `append`, and those of `IS_ADMITTED`.

    The roles are an array literal, which the driver encodes in a fraction of the time.
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
