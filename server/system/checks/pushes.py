"""Webhooks and logout tokens that were not delivered."""

from server.push import delivery_store
from server.store.database import Statements
from server.system.checks.findings import Finding, ok, warning
from server.values.counted import counted


async def check(database: Statements) -> list[Finding]:
    """Reports failed deliveries and failing targets, which nobody would notice."""
    unsent = await delivery_store.unsent(database)
    if not (unsent.failed or unsent.tried_again or unsent.failing_targets):
        return ok("pushes", "No webhook or logout token failed within a day or is tried again.")
    why = f"; the last reason was {unsent.last_reason}" if unsent.last_reason else ""
    return warning(
        "pushes",
        f"{counted(unsent.failed, 'webhook or logout token', 'webhooks and logout tokens')} failed"
        f" within a day, {counted(unsent.tried_again, 'is', 'are')} tried again after a failed"
        f" attempt, {counted(unsent.failing_targets, 'target gives', 'targets give')} no"
        f" answer{why}.",
        "See, with --org: keystead push deliveries",
    )
