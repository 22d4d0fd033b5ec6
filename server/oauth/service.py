"""The RPC methods of the OpenID provider: convert messages, and call commands."""

import functools
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from keystead.oauth.v1 import oauth_service_pb2 as pb
from keystead.oauth.v1 import oauth_service_pb2_grpc as pb_grpc
from server.application.store import Application
from server.oauth import approval, authorization, exchange, introspection, logout, refusals
from server.oauth.authorization import Authorizations
from server.oauth.device import commands as device
from server.oauth.device.commands import Devices
from server.oauth.device.user_code import shown
from server.oauth.exchange import Exchange
from server.oauth.introspection import Introspection
from server.oauth.logout import Logouts
from server.oauth.pushed_request import PUSHED_LIFETIME
from server.oauth.refused.causes import Cause
from server.oauth.refused.recorder import Refusable, Refusals
from server.oauth.request import PushAuthorizationRequest, StartAuthorization
from server.oauth.tokens import BEARER
from server.rpc.call import AnyCall
from server.rpc.messages import message_of
from server.signing.signer import Signer
from server.validation.fields import Commands, read

COMMANDS: Commands = {
    "PushAuthorizationRequest": PushAuthorizationRequest,
    "StartAuthorization": StartAuthorization,
    "DescribeAuthorization": authorization.DescribeAuthorization,
    "ApproveAuthorization": authorization.ApproveAuthorization,
    "DenyAuthorization": authorization.DenyAuthorization,
    "OpenAuthorizationResponse": authorization.OpenAuthorizationResponse,
    "StartLogout": logout.StartLogout,
    "DescribeLogout": logout.DescribeLogout,
    "ExchangeToken": exchange.ExchangeToken,
    "IntrospectToken": introspection.ClientToken,
    "RevokeOAuthToken": introspection.ClientToken,
    "StartDeviceAuthorization": device.StartDeviceAuthorization,
    "DescribeDevice": device.UserCode,
    "ApproveDevice": device.ApproveDevice,
    "DenyDevice": device.UserCode,
}

# The other failures of an approval are steps of the page: a new sign-in, a consent.
_OF_APPROVALS: Final = frozenset({Cause.APPLICATION_NOT_ALLOWED, Cause.EMAIL_REQUIRED})

_Response = TypeVar("_Response")
_Handler: TypeAlias = Callable[["OAuthService", Any, AnyCall], Awaitable[_Response]]


def _refusable(endpoint: str) -> Callable[[_Handler[_Response]], _Handler[_Response]]:
    """Notes the failures of a method, whose request names the application by its `client_id`."""

    def noting(method: _Handler[_Response]) -> _Handler[_Response]:
        @functools.wraps(method)
        async def run(self: "OAuthService", request: Any, call: AnyCall) -> _Response:
            async with self._refused.noted(call, Refusable(endpoint, request.client_id, request)):
                return await method(self, request, call)

        return run

    return noting


class OAuthService(pb_grpc.OAuthServiceServicer):
    """See `keystead/oauth/v1/oauth_service.proto`."""

    def __init__(
        self,
        *,
        signer: Signer,
        authorizations: Authorizations,
        logouts: Logouts,
        exchange: Exchange,
        introspection: Introspection,
        devices: Devices,
        refused: Refusals,
    ) -> None:
        self._signer = signer
        self._authorizations = authorizations
        self._logouts = logouts
        self._exchange = exchange
        self._introspection = introspection
        self._devices = devices
        self._refused = refused

    @_refusable("par")
    async def PushAuthorizationRequest(
        self, request: pb.PushAuthorizationRequestRequest, call: AnyCall
    ) -> pb.PushAuthorizationRequestResponse:
        command = read(PushAuthorizationRequest, request, max_age=_max_age(request))
        request_uri = await self._authorizations.push(
            command,
            now=await self._signer.now(),
            hinted=await self._introspection.read_id_token(command.id_token_hint),
            network=call.client.network,
        )
        return pb.PushAuthorizationRequestResponse(
            request_uri=request_uri, expires_in=int(PUSHED_LIFETIME.total_seconds())
        )

    @_refusable("authorize")
    async def StartAuthorization(
        self, request: pb.StartAuthorizationRequest, call: AnyCall
    ) -> pb.StartAuthorizationResponse:
        command = read(StartAuthorization, request, max_age=_max_age(request))
        sealed, refused_at, cause = await self._authorizations.start(
            command,
            now=await self._signer.now(),
            hinted=await self._introspection.read_id_token(command.id_token_hint),
            network=call.client.network,
            request_id=call.request_id,
        )
        if cause:
            await self._refused.note(
                call, Refusable("authorize", command.client_id, request), cause
            )
            return pb.StartAuthorizationResponse(redirect_uri=refused_at, sealed_refusal=sealed)
        return pb.StartAuthorizationResponse(sealed_request=sealed)

    async def DescribeAuthorization(
        self, request: pb.DescribeAuthorizationRequest, call: AnyCall
    ) -> pb.DescribeAuthorizationResponse:
        command = read(authorization.DescribeAuthorization, request)
        described, application, found = await self._authorizations.describe(
            command, network=call.client.network
        )
        configuration = application.configuration
        return pb.DescribeAuthorizationResponse(
            client_id=application.application_id,
            client_name=configuration.name,
            logo=configuration.logo,
            redirect_host=authorization.host_of(described),
            client_host=authorization.client_host_of(described),
            scopes=approval.shared_scopes(described),
            prompts=described.prompts,
            login_hint=described.login_hint,
            ui_locales=described.ui_locales,
            org_id=application.details.owner,
            resources=_requested(found, described.resource_scopes),
            error=described.error,
            error_description=described.error_description,
            request_id=described.refused_in,
        )

    async def ApproveAuthorization(
        self, request: pb.ApproveAuthorizationRequest, call: AnyCall
    ) -> pb.ApproveAuthorizationResponse:
        command = read(authorization.ApproveAuthorization, request)
        opened = self._authorizations.opened(command.sealed_request)
        refusable = Refusable("authorize", opened.client_id)
        async with self._refused.noted(call, refusable, only=_OF_APPROVALS):
            redirect_uri = await self._authorizations.approve(
                opened,
                consents=command.consents,
                actor=call.caller,
                network=call.client.network,
            )
        return pb.ApproveAuthorizationResponse(redirect_uri=redirect_uri)

    async def DenyAuthorization(
        self, request: pb.DenyAuthorizationRequest, call: AnyCall
    ) -> pb.DenyAuthorizationResponse:
        command = read(authorization.DenyAuthorization, request)
        opened = self._authorizations.opened(command.sealed_request)
        error = command.error or "access_denied"
        redirect_uri = await self._authorizations.deny(
            opened, error=error, network=call.client.network
        )
        if not opened.error:
            refusable = Refusable("authorize", opened.client_id)
            await self._refused.note(call, refusable, Cause(error.upper()))
        return pb.DenyAuthorizationResponse(redirect_uri=redirect_uri)

    async def OpenAuthorizationResponse(
        self, request: pb.OpenAuthorizationResponseRequest, _context: Any
    ) -> pb.OpenAuthorizationResponseResponse:
        command = read(authorization.OpenAuthorizationResponse, request)
        form = self._authorizations.form(command)
        return pb.OpenAuthorizationResponseResponse(
            redirect_uri=form.redirect_uri, parameters=form.parameters
        )

    async def StartLogout(
        self, request: pb.StartLogoutRequest, call: AnyCall
    ) -> pb.StartLogoutResponse:
        refusable = Refusable("logout", request.client_id, request)
        async with self._refused.noted(call, refusable):
            command = read(logout.StartLogout, request)
            hinted = await self._introspection.read_id_token(command.id_token_hint)
            refusable.client_id = command.client_id or (hinted["aud"] if hinted else "")
            sealed = await self._logouts.start(command, hinted=hinted)
        return pb.StartLogoutResponse(sealed_request=sealed)

    async def DescribeLogout(
        self, request: pb.DescribeLogoutRequest, _context: Any
    ) -> pb.DescribeLogoutResponse:
        described = await self._logouts.describe(read(logout.DescribeLogout, request))
        return message_of(pb.DescribeLogoutResponse, described)

    @_refusable("token")
    async def ExchangeToken(
        self, request: pb.ExchangeTokenRequest, call: AnyCall
    ) -> pb.ExchangeTokenResponse:
        command = read(exchange.ExchangeToken, request)
        tokens = await self._exchange.exchange(command, network=call.client.network)
        return pb.ExchangeTokenResponse(
            access_token=tokens.access_token,
            token_type=BEARER,
            expires_in=int(tokens.lifetime.total_seconds()),
            scope=" ".join(tokens.scopes),
            id_token=tokens.id_token,
            refresh_token=tokens.refresh_token,
            issued_token_type=tokens.type,
        )

    async def GetUserInfo(
        self, _request: pb.GetUserInfoRequest, call: AnyCall
    ) -> pb.GetUserInfoResponse:
        sent = call.headers.get("authorization", ())
        if len(sent) > 1:
            raise refusals.several_authorizations()
        scheme, _, token = "".join(sent).partition(" ")
        if scheme.lower() != "bearer":
            raise refusals.invalid_token("no bearer token")
        claims = await self._introspection.read_access_token(token.strip())
        if claims is None:
            raise refusals.invalid_token()
        response = pb.GetUserInfoResponse()
        async with self._refused.noted(call, Refusable("userinfo", claims["client_id"])):
            response.claims.update(await self._introspection.user_info(claims))
        return response

    @_refusable("introspect")
    async def IntrospectToken(
        self, request: pb.IntrospectTokenRequest, call: AnyCall
    ) -> pb.IntrospectTokenResponse:
        command = read(introspection.ClientToken, request)
        claims = await self._introspection.introspect(command, network=call.client.network)
        response = pb.IntrospectTokenResponse(active=claims is not None)
        if claims is not None:
            response.claims.update(claims)
        return response

    @_refusable("revoke")
    async def RevokeOAuthToken(
        self, request: pb.RevokeOAuthTokenRequest, call: AnyCall
    ) -> pb.RevokeOAuthTokenResponse:
        command = read(introspection.ClientToken, request)
        await self._introspection.revoke(command, network=call.client.network)
        return pb.RevokeOAuthTokenResponse()

    @_refusable("device")
    async def StartDeviceAuthorization(
        self, request: pb.StartDeviceAuthorizationRequest, call: AnyCall
    ) -> pb.StartDeviceAuthorizationResponse:
        command = read(device.StartDeviceAuthorization, request)
        started = await self._devices.start(command, network=call.client.network)
        return pb.StartDeviceAuthorizationResponse(
            device_code=started.device_code,
            user_code=started.user_code,
            verification_uri=started.verification_uri,
            verification_uri_complete=started.verification_uri_complete,
            expires_in=int(started.lifetime.total_seconds()),
            interval=started.poll_seconds,
        )

    async def DescribeDevice(
        self, request: pb.DescribeDeviceRequest, call: AnyCall
    ) -> pb.DescribeDeviceResponse:
        command = read(device.UserCode, request)
        described, application, found = await self._devices.describe(command, actor=call.caller)
        configuration = application.configuration
        return pb.DescribeDeviceResponse(
            client_id=application.application_id,
            client_name=configuration.name,
            logo=configuration.logo,
            scopes=described.scopes,
            org_id=application.details.owner,
            user_code=shown(request.user_code),
            resources=_requested(found, described.resource_scopes),
        )

    async def ApproveDevice(
        self, request: pb.ApproveDeviceRequest, call: AnyCall
    ) -> pb.ApproveDeviceResponse:
        command = read(device.ApproveDevice, request)
        refusable = Refusable("device", "")
        async with self._refused.noted(call, refusable, only=_OF_APPROVALS):
            await self._devices.approve(command, actor=call.caller, refusable=refusable)
        return pb.ApproveDeviceResponse()

    async def DenyDevice(
        self, request: pb.DenyDeviceRequest, call: AnyCall
    ) -> pb.DenyDeviceResponse:
        command = read(device.UserCode, request)
        await self._devices.deny(command, actor=call.caller)
        return pb.DenyDeviceResponse()


def _requested(
    found: Sequence[Application], scopes: Sequence[str]
) -> Iterator[pb.RequestedResource]:
    """The resources of a request, with its scopes."""
    for each in found:
        configuration = each.configuration
        yield pb.RequestedResource(
            identifier=configuration.identifier,
            name=configuration.name,
            scopes=[
                pb.RequestedScope(name=scope.name, description=scope.description)
                for scope in configuration.resource_scopes
                if scope.name in scopes
            ],
        )


def _max_age(
    request: pb.StartAuthorizationRequest | pb.PushAuthorizationRequestRequest,
) -> int | None:
    """None: any. 0 asks for a new sign-in."""
    return request.max_age if request.HasField("max_age") else None
