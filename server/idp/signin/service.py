"""The RPC methods of sign-ins by identity providers: convert messages, and call commands."""

from collections.abc import Awaitable, Callable
from typing import Any

from keystead.signin.v1 import signin_service_pb2 as pb
from server.idp.commands import StylingType
from server.idp.domains.commands import GetSignInDomain
from server.idp.oidc.presets import preset_of
from server.idp.signin import commands, flows, store
from server.idp.signin.commands import IDPSignInPolicy
from server.idp.signin.flows import Flows
from server.idp.signin.store import Option
from server.rpc.call import AnyCall
from server.rpc.messages import message_of, nested
from server.session.commands import SignInMethod
from server.session.fragments import Device
from server.session.refused import RefusedSignIns
from server.session.service import signed_in
from server.store.database import Database, Statements
from server.validation.fields import Commands, read

COMMANDS: Commands = {
    "ListSignInOptions": commands.ListSignInOptions,
    "GetSignInDomain": GetSignInDomain,
    "StartIDPSignIn": flows.StartIDPSignIn,
    "CompleteIDPSignIn": flows.CompleteFlow,
}


class IDPSignIn:
    """The methods of SignInService for identity providers.

    See `keystead/signin/v1/signin_service.proto`. `self_service` tells whether people of an
    organization register themselves, and recover by mail. `forget` removes a user whose sessions
    ended from the cache of callers.
    """

    def __init__(
        self,
        database: Database,
        flows: Flows,
        *,
        policy: IDPSignInPolicy,
        self_service: Callable[[Statements, str], Awaitable[tuple[bool, bool]]],
        forget: Callable[[str], None],
        refused: RefusedSignIns,
    ) -> None:
        self._database = database
        self._flows = flows
        self._policy = policy
        self._self_service = self_service
        self._forget = forget
        self._refused = refused

    async def ListSignInOptions(
        self, request: pb.ListSignInOptionsRequest, _context: Any
    ) -> pb.ListSignInOptionsResponse:
        page = read(commands.ListSignInOptions, request)
        options, next_page_token = await page.read(
            store.LIST_OPTIONS.all,
            self._database,
            lambda option: option.idp_id,
            organization_id=page.org_id,
        )
        allows_sign_up, allows_recovery = await self._self_service(self._database, page.org_id)
        return pb.ListSignInOptionsResponse(
            idps=map(_option, options),
            next_page_token=next_page_token,
            allows_sign_up=allows_sign_up,
            allows_mail_recovery=allows_recovery,
        )

    async def GetSignInDomain(
        self, request: pb.GetSignInDomainRequest, _context: Any
    ) -> pb.GetSignInDomainResponse:
        command = read(GetSignInDomain, request)
        found = await store.GET_DOMAIN.one_or_none(self._database, domain=command.domain)
        org_id, option = found or ("", None)
        return pb.GetSignInDomainResponse(org_id=org_id, idp=_option(option) if option else None)

    async def StartIDPSignIn(
        self, request: pb.StartIDPSignInRequest, _context: Any
    ) -> pb.StartIDPSignInResponse:
        started = await self._flows.start(read(flows.StartIDPSignIn, request))
        return message_of(pb.StartIDPSignInResponse, started)

    async def CompleteIDPSignIn(
        self, request: pb.CompleteIDPSignInRequest, call: AnyCall
    ) -> pb.SignedIn:
        client = call.client
        completed = await self._flows.complete(read(flows.CompleteFlow, request))
        session = await commands.sign_in(
            self._database,
            completed,
            policy=self._policy,
            device=Device(client.user_agent, client.ip_address),
            forget=self._forget,
            noted=self._refused.noted(SignInMethod.IDP, call),
        )
        return signed_in(session, registered=session.registered)


def _option(option: Option) -> pb.IDPOption:
    is_own = option.styling_type == StylingType.STYLING_TYPE_PROVIDER
    return pb.IDPOption(
        idp_id=option.idp_id,
        name=option.name,
        button=nested(pb.SignInButton, option) if is_own else None,
        preset=preset_of(option.issuer),
    )
