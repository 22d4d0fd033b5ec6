"""The users who can administer the instance."""

from server.store.database import Statements
from server.system.checks.findings import Finding, ok, problem
from server.user import token_store


async def check(database: Statements) -> list[Finding]:
    """Without an administrator, only the command line can administer the instance."""
    owners, owners_with_token = await token_store.count_owners(database)
    if not owners:
        return problem(
            "administrator",
            "No user has the role INSTANCE_OWNER.",
            "Start the server once if this is a new database, otherwise run: keystead user grant"
            " USER INSTANCE_OWNER",
        )
    if not owners_with_token:
        return problem(
            "administrator",
            "No user with the role INSTANCE_OWNER has a token that is valid.",
            "Run: keystead token create USER",
        )
    return ok("administrator", f"{owners_with_token} with a valid token.")
