"""The RPC methods of links: convert messages, and call commands."""

from collections.abc import Callable
from functools import partial
from typing import Any

from keystead.common.v1 import details_pb2 as common_pb
from keystead.user.v1 import idp_link_service_pb2 as pb
from keystead.user.v1 import idp_link_service_pb2_grpc as pb_grpc
from server.access.began_with import EndBegunWith
from server.access.forgetting import forgetting
from server.idp.links import commands, store
from server.idp.signin.flows import Flows
from server.mail.outbox import Outbox
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import details_message, nested
from server.rpc.preconditions.changes import Objects
from server.session.commands import EndCeremonies
from server.store.database import Database
from server.validation.fields import Commands, read

COMMANDS: Commands = {
    "LinkIDP": commands.LinkIDP,
    "ListIDPLinks": commands.ListIDPLinks,
    "UnlinkIDP": commands.UnlinkIDP,
}

OBJECTS: Objects = {"/v1/users/{user_id}/idpLinks/{link_id}": store.LOCK_SEQUENCE}

_idp_link = partial(nested, pb.IDPLink)


class IDPLinkService(pb_grpc.IDPLinkServiceServicer):
    """See `keystead/user/v1/idp_link_service.proto`.

    `forget` removes a user whose sessions ended from the cache of callers; `end_ceremonies` ends
    the ceremonies that the user began.
    """

    def __init__(
        self,
        database: Database,
        flows: Flows,
        *,
        outbox: Outbox,
        forget: Callable[[str], None],
        end_ceremonies: EndCeremonies,
        end_begun_with: EndBegunWith,
    ) -> None:
        self._database = database
        self._flows = flows
        self._outbox = outbox
        self._forget = forget
        self._end_ceremonies = end_ceremonies
        self._end_begun_with = end_begun_with

    async def LinkIDP(self, request: pb.LinkIDPRequest, call: AnyCall) -> pb.LinkIDPResponse:
        link_id, details = await commands.link(
            self._database,
            self._flows,
            read(commands.LinkIDP, request),
            actor=call.caller,
            outbox=self._outbox,
        )
        return pb.LinkIDPResponse(details=details_message(details), link_id=link_id)

    async def ListIDPLinks(
        self, request: pb.ListIDPLinksRequest, _context: Any
    ) -> pb.ListIDPLinksResponse:
        page = read(commands.ListIDPLinks, request)
        links, next_page_token = await page.read(
            store.LIST.all, self._database, lambda link: link.link_id, user_id=page.user_id
        )
        return pb.ListIDPLinksResponse(
            idp_links=map(_idp_link, links), next_page_token=next_page_token
        )

    @checks_caller
    async def UnlinkIDP(self, request: pb.UnlinkIDPRequest, call: AnyCall) -> pb.UnlinkIDPResponse:
        command = read(commands.UnlinkIDP, request)
        with forgetting(self._forget, command.user_id):
            details, ended = await commands.unlink(
                self._database,
                command,
                actor=call.caller,
                end_ceremonies=self._end_ceremonies,
                end_begun_with=self._end_begun_with,
                outbox=self._outbox,
            )
        return pb.UnlinkIDPResponse(
            details=details_message(details), ended=nested(common_pb.EndedAccess, ended)
        )
