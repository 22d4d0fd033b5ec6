"""Makers: everyone who may have a credential of a user, because they could have made it.

The makers of an object are its creator and the makers of the credential that the creator used. A
session has the makers of the passkey or link by which it began. If only creators counted, a manager
could register a passkey for a user, sign in by it, and then create a token whose only creator is
the user.

An identity provider can sign in as each of its users. Its settings are controlled by the owners of
its organization, so the organization is a maker of its links, and counts as one of its owners.

The rule: when a user is granted a role, each of its credentials ends that has a maker without the
permissions of the role (`server/user/roles.py`).
"""

from collections.abc import Collection, Sequence
from typing import Final

from server.access.caller import OPERATOR, Caller
from server.access.held_roles import held_roles, roles_of
from server.access.roles import Role
from server.store.database import Statements
from server.store.statement import statement

# SQL expressions. The rows of earlier releases have no makers.
OF_PASSKEY: Final = "coalesce(passkeys.makers, array[passkeys.began_by])"

# SQL: the projection of the field `makers` of an event.
PROJECTED: Final = """case when event.payload ? 'makers' then array(
                select jsonb_array_elements_text(event.payload->'makers')
            ) end"""


# The makers of an address that an earlier release stored: nobody with a role.
UNKNOWN: Final = ("unknown",)

# Those of the users with these ids who are not locked, as callers.
_LIST_CALLERS = statement(f"""
select id, owner, {held_roles()} as roles
from users where id = any(:user_ids::text[]) and locked_at is null""")


class MadeCredentials:
    """The credentials of users in one table, by their makers.

    `made_by` is the SQL expression of the makers of a row. Only rows that fulfil `condition` count.
    """

    def __init__(
        self, table: str, key: str, *, made_by: str = "makers", condition: str = "true"
    ) -> None:
        rows = f"{table} where user_id = :user_id and {condition}"
        self._list_makers = statement(f"select distinct unnest({made_by}) as id from {rows}")
        self._list_made_by = statement(
            f"select {key} as id from {rows} and {made_by} && :makers::text[] order by {key}"
        )

    async def list_makers(self, transaction: Statements, **user: str) -> set[str]:
        """The makers of the user's credentials."""
        return {row["id"] for row in await transaction.fetch(self._list_makers, **user)}

    async def list_made_by(
        self, transaction: Statements, makers: Sequence[str], **user: str
    ) -> list[str]:
        """The credentials of the locked user that any of these makers made."""
        rows = await transaction.fetch(self._list_made_by, makers=makers, **user)
        return [row["id"] for row in rows]


def of_link(organization_id: str) -> str:
    """SQL: the makers of a link of `idp_links`, of a user in this organization, an expression."""
    return f"""
        coalesce(idp_links.makers, array[]::text[]) || ({organization_id}) collate "default\""""


def owners_of(organization_id: str) -> Caller:
    """The owners of the organization, as one caller."""
    return Caller(organization_id, organization_id, frozenset({Role.ORG_OWNER}))


def trusts_providers(roles: frozenset[Role], organization_id: str) -> bool:
    """Whether a user with these roles may sign in with identity providers of its organization.

    Their owners control the providers, so they must have all permissions of the user.
    """
    return owners_of(organization_id).covers(roles)


async def list_below(
    transaction: Statements,
    roles: Collection[Role],
    makers: Collection[str],
    *,
    user_id: str,
    organization_id: str,
) -> list[str]:
    """The makers without the permissions of the roles in the user's organization.

    Makers who are no users, or locked ones, have no permissions, except for the operator and the
    organization. Their rows are not locked: a concurrent revocation takes effect before or after.
    """
    found = set(makers) - {user_id, OPERATOR.user_id}
    if not found or not roles:
        return []
    rows = await transaction.fetch(_LIST_CALLERS, user_ids=sorted(found))
    callers = [Caller(row["id"], row["owner"], roles_of(row)) for row in rows]
    trusted = {
        caller.user_id
        for caller in (*callers, owners_of(organization_id))
        if all(caller.covers_in(organization_id, role) for role in roles)
    }
    return sorted(found - trusted)
