"""`keystead export users`."""

import json
from functools import partial
from typing import Any

import click
from google.protobuf.json_format import MessageToDict

from keystead.user.v1 import user_import_pb2 as pb
from server.cli.declared.call import OperatorCall
from server.cli.declared.services import handler_of
from server.cli.installation import Installation, in_installation
from server.cli.names import organization_id_of
from server.cli.paging import pages
from server.cli.parameters import organization_option
from server.cli.private_files import PrivateFile
from server.values.counted import counted


@click.command("users")
@organization_option
@click.option(
    "--to",
    type=PrivateFile(),
    default="-",
    help="File for `keystead import`. Default: standard output.",
)
@in_installation
async def export_users(at: Installation, *, organization: str, to: Any) -> None:
    """Export the users of an organization with their passkeys, a JSON object per line.

    The file has names, mail addresses and the public keys of passkeys, but no secrets. Roles,
    tokens and sessions are not in it.
    """
    call = OperatorCall(await organization_id_of(at.database, organization))
    handler = handler_of(at, "UserService", "ExportUsers", None)
    request, number = pb.ExportUsersRequest(), 0
    async for page in pages(partial(handler, request, call), request):
        for user in page.users:
            print(json.dumps(MessageToDict(user), ensure_ascii=False), file=to)
        number += len(page.users)
    click.echo(f"{counted(number, 'user')} exported.", err=True)
