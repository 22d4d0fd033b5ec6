"""The RPC method on refusals: converts messages, and calls the store."""

from typing import Annotated

from pydantic import StringConstraints

from keystead.application.v1 import application_service_pb2 as pb
from server.application import store as application_store
from server.application.store import Application
from server.oauth.refused import remedies, store
from server.oauth.refused.store import KeptRefusal
from server.rpc.call import AnyCall
from server.rpc.messages import Nested, timestamp
from server.store.database import Statements
from server.validation.fields import Command, Commands, OptionalId, Printable, read


class ListRefusals(Command):
    """List the latest refusals of requests of applications."""

    application_id: OptionalId
    request_id: Annotated[Printable, StringConstraints(max_length=128)]


COMMANDS: Commands = {"ListRefusals": ListRefusals}


class RefusedRequests:
    """The method of ApplicationService on refusals.

    See `keystead/application/v1/application_service.proto`.
    """

    def __init__(self, database: Statements) -> None:
        self._database = database

    async def ListRefusals(
        self, request: pb.ListRefusalsRequest, call: AnyCall
    ) -> pb.ListRefusalsResponse:
        command = read(ListRefusals, request)
        of_organization = {"organization_id": call.organization_id}
        if command.application_id:
            await application_store.GET.one(
                self._database, application_id=command.application_id, **of_organization
            )
            application_ids = [command.application_id]
        else:
            application_ids = await store.refused_applications(self._database, call.organization_id)
        applications = {
            each.application_id: each
            for each in await application_store.LIST_NAMED.all(
                self._database, application_ids=application_ids, **of_organization
            )
        }
        found = await store.LIST.all(
            self._database,
            application_ids=[*applications],
            request_id=command.request_id,
            **of_organization,
        )
        return pb.ListRefusalsResponse(
            refusals=[
                _refusal(each, applications[each.application_id], command.request_id)
                for each in found
            ]
        )


def _refusal(
    refusal: KeptRefusal, application: Application, request_id: str
) -> pb.ApplicationRefusal:
    message = pb.ApplicationRefusal(
        application_id=refusal.application_id,
        application_name=application.configuration.name,
        refused_at=timestamp(refusal.refused_at),
        endpoint=refusal.endpoint,
        reason=refusal.reason,
        parameter=refusal.parameter,
        value=refusal.value,
        count=refusal.count,
        request_id=request_id or refusal.request_ids[0],
        remedy=remedies.text_of(refusal),
    )
    for field, value in remedies.setting_of(refusal, application).items():
        patched: Nested = {"application_id": refusal.application_id, field: value}
        message.patch.CopyFrom(pb.Application(**patched))
        message.patch_mask.paths.append(field)
    return message
