"""The users who can administer the instance."""

from server.store.database import Statements
from server.system.checks.findings import Finding
from server.system.checks.reasons import FindingReason, found
from server.user import token_store


async def check(database: Statements) -> list[Finding]:
    """Without an administrator, only the command line can administer the instance."""
    owners, owners_with_token = await token_store.count_owners(database)
    if not owners:
        return found(FindingReason.OWNER_NONE)
    if not owners_with_token:
        return found(FindingReason.OWNER_WITHOUT_TOKEN)
    return found(FindingReason.OWNERS, number=owners_with_token)
