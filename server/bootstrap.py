"""The first start on an empty database: an organization, its administrator and a token."""

from pathlib import Path

from server.caller import Role
from server.database import Database
from server.errors import Failure, Kind, OperatorError
from server.eventstore import OPERATOR
from server.org import commands as org_commands
from server.org import store as org_store
from server.private_file import write_private_file
from server.user import commands as user_commands

DEFAULT_ORGANIZATION = "default"
ADMINISTRATOR = "admin"


class TokenFileError(OperatorError):
    """The first token cannot be written; the message says where and why. Nothing was made."""


async def bootstrap(database: Database, token_file: Path) -> bool:
    """Makes them if there are none, and says whether it did.

    Of two processes at once the database lets one. TokenFileError: the file cannot be written.
    """
    if await org_store.default_organization_id(database) is not None:
        return False
    try:
        await _bootstrap(database, token_file)
    except Failure as failure:
        if failure.kind is not Kind.ALREADY_EXISTS:
            raise
        return False  # another process was first
    return True


async def _bootstrap(database: Database, token_file: Path) -> None:
    async with database.transaction() as transaction:
        organization = org_commands.CreateOrganization(name=DEFAULT_ORGANIZATION)
        organization_id, _ = await org_commands.create(
            transaction, organization, caller_id=OPERATOR, is_default=True
        )
        user = user_commands.CreateUser(
            user_name=ADMINISTRATOR, display_name="Administrator", email=""
        )
        user_id, _ = await user_commands.create(
            transaction, user, caller_id=OPERATOR, organization_id=organization_id
        )
        role = user_commands.ChangeRole(user_id=user_id, role=f"ROLE_{Role.INSTANCE_OWNER}")
        await user_commands.grant_role(transaction, role, caller_id=OPERATOR)
        wanted = user_commands.CreateToken(user_id=user_id, name="first token", expires_at=None)
        created = await user_commands.create_token(transaction, wanted, caller_id=OPERATOR, limit=1)
        # Before the commit: who sees the administrator can count on the file. Only one process gets
        # this far at a time, and what a failed commit leaves behind is overwritten by the next.
        try:
            write_private_file(token_file, created.token + "\n", replace=True)
        except OSError as error:
            raise TokenFileError(
                f"Cannot write the administrator's token to {token_file}: {error.strerror}."
                " Make that possible, or set KEYSTEAD_DATA_DIR to another folder."
            ) from error
