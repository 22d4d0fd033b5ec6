"""Housekeeping of roles: revokes those whose time has passed.

The rule: nothing depends on it. A role gives no permission from its end on, since every statement
that reads roles compares the end (`server/access/held_roles.py`). The revocation makes it an event.
"""

from typing import Final

from server.store.database import Database
from server.user import roles, store
from server.user.other_features import OtherFeatures

INTERVAL_SECONDS: Final = 5
_MOST_AT_ONCE: Final = 100


async def end_roles(database: Database, *, others: OtherFeatures) -> None:
    """Revokes the roles that have ended, of at most 100 users."""
    for user_id, role in await store.list_ended_roles(database, limit=_MOST_AT_ONCE):
        await roles.end_role(database, user_id, role, others=others)
