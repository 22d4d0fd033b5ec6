"""The RPC methods of grants: convert messages, and call commands."""

from typing import Any

from keystead.application.v1 import application_service_pb2 as pb
from server.oauth import grant_store
from server.oauth.grants import commands
from server.oauth.grants.commands import NamedGrant
from server.oauth.resources import scope_names
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import details_message, timestamp
from server.rpc.preconditions.changes import Objects
from server.store.database import Database
from server.validation.fields import Commands, read

COMMANDS: Commands = {"ListGrants": commands.ListGrants, "RevokeGrant": commands.RevokeGrant}

OBJECTS: Objects = {"/v1/users/{user_id}/grants/{application_id}": grant_store.LOCK_SEQUENCE}


class Grants:
    """The methods of ApplicationService on grants.

    See `keystead/application/v1/application_service.proto`.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def ListGrants(
        self, request: pb.ListGrantsRequest, _context: Any
    ) -> pb.ListGrantsResponse:
        page = read(commands.ListGrants, request)
        found, next_page_token = await commands.list_grants(self._database, page)
        return pb.ListGrantsResponse(grants=map(_grant, found), next_page_token=next_page_token)

    @checks_caller
    async def RevokeGrant(
        self, request: pb.RevokeGrantRequest, call: AnyCall
    ) -> pb.RevokeGrantResponse:
        command = read(commands.RevokeGrant, request)
        details = await commands.revoke(self._database, command, actor=call.caller)
        return pb.RevokeGrantResponse(details=details_message(details))


def _grant(named: NamedGrant) -> pb.Grant:
    grant = named.grant
    return pb.Grant(
        application_id=grant.application_id,
        details=details_message(grant.details),
        application_name=named.application_name,
        scopes=sorted(scope_names(grant.scopes)),
        entered_at=timestamp(grant.entered_at),
    )
