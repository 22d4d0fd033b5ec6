"""The RPC methods of OpenID Connect settings: convert messages, and call commands."""

from keystead.idp.v1 import oidc_config_service_pb2 as pb
from keystead.idp.v1 import oidc_config_service_pb2_grpc as pb_grpc
from server.crypto.keyring import Keyring
from server.idp.commands import EndSessionsOfIDP, OneIDP
from server.idp.oidc import commands, store
from server.idp.oidc.commands import TokenEndpointAuthMethod
from server.idp.oidc.presets import admits_anybody, preset_of
from server.idp.oidc.store import OIDCConfig
from server.net.trial import Step
from server.relying_party.provider import Providers
from server.relying_party.trial import try_out
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import Nested, details_message, duration, nested, timestamp
from server.rpc.preconditions.changes import Objects
from server.store.database import Database
from server.validation.fields import Commands, read
from server.values.ids import created_at

COMMANDS: Commands = {
    "SetOIDCConfig": commands.SetOIDCConfig,
    "GetOIDCConfig": OneIDP,
    "RemoveOIDCConfig": OneIDP,
    "TestOIDCConfig": OneIDP,
}

OBJECTS: Objects = {"/v1/idps/{idp_id}/oidc": store.LOCK_SEQUENCE}


class OIDCConfigService(pb_grpc.OIDCConfigServiceServicer):
    """See `keystead/idp/v1/oidc_config_service.proto`."""

    def __init__(
        self,
        database: Database,
        keyring: Keyring,
        *,
        providers: Providers,
        end_sessions: EndSessionsOfIDP,
    ) -> None:
        self._database = database
        self._keyring = keyring
        self._providers = providers
        self._end_sessions = end_sessions

    @checks_caller
    async def SetOIDCConfig(
        self, request: pb.SetOIDCConfigRequest, call: AnyCall
    ) -> pb.SetOIDCConfigResponse:
        secret = request.client_secret if request.HasField("client_secret") else None
        command = read(
            commands.SetOIDCConfig,
            request,
            client_secret=secret,
            scopes=tuple(request.scopes),
        )
        details = await commands.set_config(
            self._database,
            self._keyring,
            command,
            **call.by_caller,
            end_sessions=self._end_sessions,
        )
        return pb.SetOIDCConfigResponse(details=details_message(details))

    async def GetOIDCConfig(
        self, request: pb.GetOIDCConfigRequest, call: AnyCall
    ) -> pb.GetOIDCConfigResponse:
        command = read(OneIDP, request)
        config = await commands.get(self._database, command, organization_id=call.organization_id)
        return pb.GetOIDCConfigResponse(oidc_config=_oidc_config(config))

    @checks_caller
    async def RemoveOIDCConfig(
        self, request: pb.RemoveOIDCConfigRequest, call: AnyCall
    ) -> pb.RemoveOIDCConfigResponse:
        command = read(OneIDP, request)
        details = await commands.remove(
            self._database, command, **call.by_caller, end_sessions=self._end_sessions
        )
        return pb.RemoveOIDCConfigResponse(details=details_message(details))

    async def TestOIDCConfig(
        self, request: pb.TestOIDCConfigRequest, call: AnyCall
    ) -> pb.TestOIDCConfigResponse:
        command = read(OneIDP, request)
        config = await commands.get(self._database, command, organization_id=call.organization_id)
        party = commands.relying_party(self._keyring, config)
        steps = await try_out(self._providers, party)
        return pb.TestOIDCConfigResponse(steps=map(_step, steps))


def _step(step: Step) -> Nested:
    return nested(pb.OIDCTestStep, step, duration=duration(step.seconds))


def _oidc_config(config: OIDCConfig) -> Nested:
    return nested(
        pb.OIDCConfig,
        config,
        client_secret_set=config.client_secret_id is not None,
        client_secret_set_at=timestamp(created_at(config.client_secret_id or "")),
        token_endpoint_auth_method=TokenEndpointAuthMethod[config.token_endpoint_auth_method],
        button=nested(pb.OIDCButton, config),
        preset=preset_of(config.issuer),
        admits_anybody=admits_anybody(
            config.issuer, config.auto_register_mail_domains, config.auto_register_hosted_domains
        ),
    )
