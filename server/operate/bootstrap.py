"""The first start on an empty database: an organization, its administrator and a token.

The rule: `admin.token` contains a token that is valid in its database, and is never replaced. The
token is first written to `admin.token.new`, which is renamed after the commit. If a start is killed
before the commit, the next start overwrites that file; if it is killed after the commit, the next
start renames it.
"""

import os
from pathlib import Path

from server.access.caller import OPERATOR
from server.access.roles import Role
from server.access.tokens import token_hash
from server.crypto.private_file import rename_private_file, write_private_file
from server.org import commands as org_commands
from server.org import store as org_store
from server.store.database import Database
from server.user import commands as user_commands
from server.user import roles as user_roles
from server.user import token_store
from server.user import tokens as user_tokens
from server.values.errors import Failure, Kind, OperatorError
from server.wiring.dependencies import OTHER_FEATURES

DEFAULT_ORGANIZATION = "default"
ADMINISTRATOR = "admin"


class TokenFileError(OperatorError):
    """The token file cannot be written; the message has the reason. Nothing was created."""


async def bootstrap(database: Database, token_file: Path) -> bool:
    """Initializes an empty database; returns whether it wrote the token file.

    Of concurrent processes, one succeeds. Raises TokenFileError if the file cannot be written or
    contains the token of another database.
    """
    prepared = token_file.with_name(f"{token_file.name}.new")
    # Checked before the database, because a concurrent process commits first and writes the file
    # afterwards.
    is_taken = _is_there(token_file)
    if await org_store.default_organization_id(database) is not None:
        is_left_over = not is_taken and await _has_token_of(database, prepared)
        return is_left_over and _put_in_place(prepared, token_file)
    if is_taken:
        raise TokenFileError(
            f"{token_file} contains a token of another database: the configured one is empty. Set"
            " KEYSTEAD_DATA_DIR to another folder, or move the file away if you no longer need it."
        )
    try:
        await _bootstrap(database, prepared)
    except Failure as failure:
        if failure.kind is not Kind.ALREADY_EXISTS:
            raise
        return False  # another process was first
    return _put_in_place(prepared, token_file)


async def _bootstrap(database: Database, prepared: Path) -> None:
    async with database.transaction() as transaction:
        organization = org_commands.CreateOrganization(name=DEFAULT_ORGANIZATION)
        organization_id, _ = await org_commands.create(
            transaction, organization, actor=OPERATOR, is_default=True
        )
        user = user_commands.CreateUser(
            user_name=ADMINISTRATOR, display_name="Administrator", email=""
        )
        user_id, _ = await user_commands.create(
            transaction, user, actor=OPERATOR, organization_id=organization_id
        )
        role = user_roles.GrantRole(
            user_id=user_id,
            role=Role.INSTANCE_OWNER,
            end_foreign_credentials=False,
            expires_at=None,
        )
        await user_roles.grant_role(transaction, role, actor=OPERATOR, others=OTHER_FEATURES)
        wanted = user_tokens.CreateToken(user_id=user_id, name="first token", expires_at=None)
        created = await user_tokens.create_token(
            transaction, wanted, actor=OPERATOR, limit=1, outbox=None
        )
        # Before the commit, since the token cannot be read from the database. Concurrent processes
        # wait for this transaction when they add the organization.
        try:
            write_private_file(prepared, created.token + "\n", replace=True)
        except OSError as error:
            raise TokenFileError(
                f"Cannot write the administrator's token to {prepared}: {error.strerror}."
                " Make the directory writable, or set KEYSTEAD_DATA_DIR to another one."
            ) from error


async def _has_token_of(database: Database, prepared: Path) -> bool:
    """Whether the prepared file contains a token of the database."""
    token = _read(prepared)
    return bool(token) and await token_store.find_caller(database, token_hash(token)) is not None


def _read(prepared: Path) -> str:
    try:
        return prepared.read_text("ascii", "replace").strip()
    except OSError:  # usually the file is missing
        return ""


def _is_there(path: Path) -> bool:
    return os.path.lexists(path)  # true for a broken link, too


def _put_in_place(prepared: Path, token_file: Path) -> bool:
    try:
        rename_private_file(prepared, token_file)
    except FileNotFoundError:
        return False  # another process renamed it
    return True
