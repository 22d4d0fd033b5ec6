"""The RPC methods of applications: convert messages, and call commands."""

from dataclasses import asdict

from keystead.application.v1 import application_service_pb2 as pb
from server.application import commands, fields, secrets, store
from server.application.claims import ApplicationClaim
from server.application.commands import Reserved
from server.application.fields import PATCHABLE
from server.application.groups import Groups
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import Nested, details_message, message_of, timestamp
from server.rpc.preconditions.changes import Objects
from server.rpc.update_mask import read_patch
from server.store.database import Database
from server.validation.fields import Commands, read

COMMANDS: Commands = {
    "CreateApplication": fields.CreateApplication,
    "GetApplication": fields.OneApplication,
    "ListApplications": fields.ListApplications,
    "PatchApplication": fields.PatchApplication,
    "RemoveApplication": fields.OneApplication,
    "CreateApplicationSecret": fields.CreateApplicationSecret,
    "RemoveApplicationSecret": fields.OneApplicationSecret,
}

OBJECTS: Objects = {"/v1/applications/{application_id}": store.LOCK_SEQUENCE}

# The fields with values of an enum, and the prefixes of its names.
_ENUMS = {
    "token_endpoint_auth_method": (pb.TokenEndpointAuthMethod, "TOKEN_ENDPOINT_AUTH_METHOD"),
    "id_token_alg": (pb.IDTokenAlg, "ID_TOKEN_ALG"),
    "pkce": (pb.ApplicationPKCE, "APPLICATION_PKCE"),
    "access_token_typ": (pb.AccessTokenTyp, "ACCESS_TOKEN_TYP"),
    "audience": (pb.ApplicationAudience, "APPLICATION_AUDIENCE"),
    "gate_jwt_header": (pb.GateJWTHeader, "GATE_JWT_HEADER"),
}


class Applications:
    """The methods of ApplicationService, except those on grants.

    See `keystead/application/v1/application_service.proto`.
    """

    def __init__(self, database: Database, *, groups: Groups, reserved: Reserved) -> None:
        self._database = database
        self._groups = groups
        self._reserved = reserved

    @checks_caller
    async def CreateApplication(
        self, request: pb.CreateApplicationRequest, call: AnyCall
    ) -> pb.CreateApplicationResponse:
        application = request.application
        given = {name: getattr(application, name) for name in (*PATCHABLE, "kind")}
        command = read(
            fields.CreateApplication, request, application=given | _optional(application)
        )
        added = await commands.add(
            self._database,
            command,
            groups=self._groups,
            reserved=self._reserved,
            **call.by_caller,
        )
        return message_of(pb.CreateApplicationResponse, added)

    async def GetApplication(
        self, request: pb.GetApplicationRequest, call: AnyCall
    ) -> pb.GetApplicationResponse:
        application = await commands.get(
            self._database,
            read(fields.OneApplication, request),
            organization_id=call.organization_id,
            groups=self._groups,
        )
        return pb.GetApplicationResponse(application=_application(application))

    async def ListApplications(
        self, request: pb.ListApplicationsRequest, call: AnyCall
    ) -> pb.ListApplicationsResponse:
        command = read(fields.ListApplications, request)
        listed = await store.LISTING.read(self._database, command, call.organization_id)
        applications = await commands.with_existing_groups(
            self._database, listed.items, self._groups
        )
        return pb.ListApplicationsResponse(
            applications=map(_application, applications), **listed.size_fields
        )

    @checks_caller
    async def PatchApplication(
        self, request: pb.PatchApplicationRequest, call: AnyCall
    ) -> pb.PatchApplicationResponse:
        command = read_patch(
            fields.PatchApplication,
            request,
            "application",
            "application_id",
            PATCHABLE,
            **_optional(request.application),
        )
        details = await commands.patch(
            self._database,
            command.application,
            groups=self._groups,
            reserved=self._reserved,
            **call.by_caller,
        )
        return pb.PatchApplicationResponse(details=details_message(details))

    @checks_caller
    async def RemoveApplication(
        self, request: pb.RemoveApplicationRequest, call: AnyCall
    ) -> pb.RemoveApplicationResponse:
        command = read(fields.OneApplication, request)
        details = await commands.remove(self._database, command, **call.by_caller)
        return pb.RemoveApplicationResponse(details=details_message(details))

    @checks_caller
    async def CreateApplicationSecret(
        self, request: pb.CreateApplicationSecretRequest, call: AnyCall
    ) -> pb.CreateApplicationSecretResponse:
        command = read(fields.CreateApplicationSecret, request)
        created = await secrets.create(self._database, command, **call.by_caller)
        return message_of(pb.CreateApplicationSecretResponse, created)

    @checks_caller
    async def RemoveApplicationSecret(
        self, request: pb.RemoveApplicationSecretRequest, call: AnyCall
    ) -> pb.RemoveApplicationSecretResponse:
        command = read(fields.OneApplicationSecret, request)
        details = await secrets.remove(self._database, command, **call.by_caller)
        return pb.RemoveApplicationSecretResponse(details=details_message(details))


def _optional(application: pb.Application) -> dict[str, object]:
    """The field whose default is not false."""
    admits = application.admits_groups_only if application.HasField("admits_groups_only") else None
    return {"admits_groups_only": admits}


def _claim(claim: ApplicationClaim) -> Nested:
    target = pb.ClaimTarget.Value(f"CLAIM_TARGET_{claim.target}")
    return {**asdict(claim), "target": target}


def _application(application: store.Application) -> Nested:
    configuration = application.configuration
    values = {name: getattr(configuration, name) for name in PATCHABLE}
    for name, (enum, prefix) in _ENUMS.items():
        values[name] = enum.Value(f"{prefix}_{values[name] or 'UNSPECIFIED'}")
    values["resource_scopes"] = map(asdict, configuration.resource_scopes)
    values["claims"] = map(_claim, configuration.claims)
    values["workload_issuers"] = map(asdict, configuration.workload_issuers)
    return {
        **values,
        "application_id": application.application_id,
        "details": details_message(application.details),
        "kind": pb.ApplicationKind.Value(f"APPLICATION_KIND_{application.kind}"),
        "secrets": [
            {
                "secret_id": each.secret_id,
                "created_at": timestamp(each.creation_date),
                "last_used_at": timestamp(each.last_used_at),
            }
            for each in application.secrets
        ],
    }
