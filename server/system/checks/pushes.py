"""Webhooks and logout tokens that were not delivered."""

from server.push import delivery_store
from server.store.database import Statements
from server.system.checks.findings import Finding
from server.system.checks.reasons import FindingReason, Said, found
from server.values.counted import counted


async def check(database: Statements) -> list[Finding]:
    """Reports failed deliveries and failing targets, which nobody would notice."""
    unsent = await delivery_store.unsent(database)
    if not (unsent.failed or unsent.tried_again or unsent.failing_targets):
        return found(FindingReason.PUSHES)
    tokens = counted(unsent.failed, "webhook or logout token", "webhooks and logout tokens")
    targets = counted(unsent.failing_targets, "target gives", "targets give")
    values = {
        "failed": Said(tokens, unsent.failed),
        "tried_again": Said(counted(unsent.tried_again, "is", "are"), unsent.tried_again),
        "targets": Said(targets, unsent.failing_targets),
    }
    if unsent.last_reason:
        return found(FindingReason.PUSHES_UNDELIVERED, reason=unsent.last_reason, **values)
    return found(FindingReason.PUSHES_TRIED_AGAIN, **values)
