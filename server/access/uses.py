"""The table `credential_uses`: the last use of each token of a user and secret of an application.

The rules: a use is written at most once an hour, and never makes the request fail. It is no event,
so a rebuild leaves it. A row is deleted 400 days after the use, whether or not its credential is
still there.
"""

import contextlib
from typing import Final

from server.store.database import Statements
from server.store.retention import retention
from server.store.statement import statement
from server.values.errors import Failure

# Uses that are newer need no further row.
_RECENT: Final = "clock_timestamp() - interval '1 hour'"


def last_used_at(credential_id: str) -> str:
    """An expression: the last recorded use of a credential; null without one."""
    # S608: an expression of a store.
    return f"""(
        select used.last_used_at from credential_uses as used
        where used.credential_id = {credential_id})"""  # noqa: S608


def is_due(credential_id: str) -> str:
    """An expression: whether a use must be recorded; false on a read-only database."""
    return f"""(current_setting('transaction_read_only') = 'off' and not exists (
        select from credential_uses as used
        where used.credential_id = {credential_id} and used.last_used_at > {_RECENT}))"""


# Records a use. Of several concurrent ones only one is written.
_RECORD = statement(f"""
insert into credential_uses as used (credential_id, last_used_at)
values (:credential_id, clock_timestamp())
on conflict (credential_id) do update set last_used_at = excluded.last_used_at
where used.last_used_at <= {_RECENT}""")  # noqa: S608 -- a constant

# Uses of long ago.
ENDED: Final = retention(
    "credential_uses", until="last_used_at", after="now() - interval '400 days'"
)


async def record(database: Statements, credential_id: str) -> None:
    """Records a use that is due."""
    with contextlib.suppress(Failure):
        await database.fetch(_RECORD, credential_id=credential_id)
