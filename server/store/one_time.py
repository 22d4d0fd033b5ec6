"""Values that may be used once: challenges of sign-ins, flows of identity providers.

The rule: a value is marked as used in the transaction of the effect of its use. A second use
violates the primary key of the table, so exactly one of several simultaneous uses has an effect.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from server.store.database import Statements
from server.store.retention import retention
from server.store.statement import statement

# Whether a value was used.
_IS_USED = statement("""
select exists (
    select from used_values where kind = :kind and value = :value
) as is_used""")

# Marks a value as used. A second use violates the primary key.
_USE = statement("""
insert into used_values (kind, value, expires_at)
values (:kind::text, :value::bytea, clock_timestamp() + :lifetime::interval)""")

# A day after their expiry, because the clocks of servers differ.
ENDED: Final = retention("used_values", until="expires_at", after="now() - interval '1 day'")

USED_KEY: Final = "used_values_pkey"


@dataclass(frozen=True, slots=True)
class OneTime:
    """A kind of values of which each may be used once.

    `lifetime` is the longest time for which a value is accepted. It is counted from the use, by the
    clock of the database: the server that made the value may have another clock.
    """

    kind: str
    lifetime: timedelta

    def marked(self) -> Mapping[str, str]:
        """For `append(also=...)`: the event uses the value, a parameter named as the kind."""
        return {
            "used": f"""
    insert into used_values (kind, value, expires_at)
    select '{self.kind}', :{self.kind}::bytea,
        event.created_at + interval '{self.lifetime.total_seconds():g} seconds'
    from event"""  # noqa: S608 -- constants of the features
        }

    def is_marked(self, value: str = "") -> str:
        """An expression: whether the value was used.

        `value` is an expression, by default the parameter that is named as the kind.
        """
        return f"""exists (
        select from used_values where kind = '{self.kind}' and value = {value or f":{self.kind}"}
    )"""

    async def is_used(self, database: Statements, value: bytes) -> bool:
        """Whether the value was used."""
        return bool((await database.fetch_one(_IS_USED, kind=self.kind, value=value))["is_used"])

    async def use(self, transaction: Statements, value: bytes) -> None:
        """Marks the value as used. UniqueConflictError of `USED_KEY`: it was used already."""
        await transaction.fetch(_USE, kind=self.kind, value=value, lifetime=self.lifetime)
