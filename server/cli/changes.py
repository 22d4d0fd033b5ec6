"""Changes of some fields of objects that the API only sets as a whole."""

from collections.abc import Mapping
from typing import Any

from server.access.caller import OPERATOR
from server.cli.declared.call import OperatorCall
from server.cli.declared.form import Values
from server.cli.installation import Installation
from server.org.brand import commands as brand_commands
from server.smtp import commands as smtp_commands


async def brand(at: Installation, call: OperatorCall, values: Values) -> Mapping[str, Any]:
    """Changes the brand of an organization, or of the instance."""
    changes = {name: value for (name,), value in values.items() if name != "org_id"}
    await brand_commands.change(
        at.database,
        changes,
        actor=OPERATOR,
        organization_id=call.organization_id or None,
    )
    return {}


async def smtp(at: Installation, call: OperatorCall, values: Values) -> Mapping[str, Any]:
    """Changes the SMTP configuration. Without a user there is no password."""
    changes = {name: value for (name,), value in values.items()}
    if changes.get("user") == "":
        changes.setdefault("password", "")
    keyring = await at.keyring_of_servers()
    await smtp_commands.patch(at.database, keyring, changes, **call.by_caller)
    return {}
