"""The RPC method on the claims of a user: converts messages, and calls the command."""

from typing import Any

from google.protobuf.struct_pb2 import Struct

from keystead.application.v1 import application_service_pb2 as pb
from server.oauth.preview.commands import GetApplicationClaims, claims_of_user
from server.rpc.call import AnyCall
from server.store.database import Statements
from server.validation.fields import Commands, read

COMMANDS: Commands = {"GetApplicationClaims": GetApplicationClaims}


class ClaimsPreview:
    """The method of ApplicationService on claims.

    See `keystead/application/v1/application_service.proto`.
    """

    def __init__(self, database: Statements, *, issuer: str) -> None:
        self._database = database
        self._issuer = issuer

    async def GetApplicationClaims(
        self, request: pb.GetApplicationClaimsRequest, call: AnyCall
    ) -> pb.GetApplicationClaimsResponse:
        shown = await claims_of_user(
            self._database,
            read(GetApplicationClaims, request),
            actor=call.caller,
            organization_id=call.organization_id,
            issuer=self._issuer,
        )
        claims = pb.ApplicationClaims(
            is_admitted=shown.is_admitted,
            id_token=_struct(shown.id_token),
            userinfo=_struct(shown.userinfo),
        )
        return pb.GetApplicationClaimsResponse(claims=claims)


def _struct(claims: dict[str, Any]) -> Struct:
    struct = Struct()
    struct.update(claims)
    return struct
