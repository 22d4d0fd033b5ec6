"""Sign-ins with identity providers over the native port."""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any

from keystead.session.v1 import session_service_pb2 as session_pb
from keystead.signin.v1 import signin_service_pb2 as pb
from keystead.user.v1 import idp_link_service_pb2 as link_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.idp import oidc_calls
from tests.support import given
from tests.support.certificates import Authority
from tests.support.given import Client, Instance
from tests.support.oidc_provider import CLIENT_ID, CLIENT_SECRET, Provider

REDIRECT_URI = "https://id.example.com/signin/callback/{idp_id}"


def settings_for(authority: Authority) -> dict[str, Any]:
    """Settings of a server that trusts and reaches the providers of this authority."""
    return {
        "idp_ca_file": authority.ca_file,
        "idp_allowed_networks": ("127.0.0.0/8", "::1"),
        "idp_redirect_uris": (REDIRECT_URI,),
    }


@dataclass(frozen=True)
class Site:
    """An identity provider of an organization; `owner` administers it."""

    instance: Instance
    provider: Provider
    owner: Client
    org_id: str
    idp_id: str

    async def start(self, *, reauthenticate: bool = False) -> pb.StartIDPSignInResponse:
        return await start(self.instance.nobody, self.idp_id, reauthenticate=reauthenticate)

    async def callback(self, *, reauthenticate: bool = False) -> pb.CompleteIDPSignInRequest:
        """The request that the page sends when the browser has returned."""
        started = await self.start(reauthenticate=reauthenticate)
        return pb.CompleteIDPSignInRequest(
            idp_id=self.idp_id,
            flow_token=started.flow_token,
            callback_query=self.provider.authorize(started.authorization_url),
        )

    def complete(self, request: pb.CompleteIDPSignInRequest) -> Awaitable[pb.SignedIn]:
        return complete(self.instance.nobody, request)

    async def sign_in(self, *, reauthenticate: bool = False) -> "Session":
        answer = await self.complete(await self.callback(reauthenticate=reauthenticate))
        return Session(self.owner.with_token(answer.session_token, answer.user_id), answer)

    async def set_config(self, **fields: Any) -> None:
        """Sets settings for this provider."""
        await oidc_calls.set_config(
            self.owner,
            self.idp_id,
            **{
                "issuer": self.provider.issuer,
                "client_id": CLIENT_ID,
                "client_secret": CLIENT_SECRET,
            }
            | fields,
        )

    async def users(self) -> list[user_pb.User]:
        """The users of the organization without its owner."""
        answer = await self.owner.call(self.owner.users.ListUsers, user_pb.ListUsersRequest())
        return [user for user in answer.users if user.user_id != self.owner.user_id]


@dataclass(frozen=True)
class Session:
    """A session. `client` calls with its token."""

    client: Client
    answer: pb.SignedIn

    async def current(self) -> session_pb.Session:
        request = session_pb.GetCurrentSessionRequest()
        answer = await self.client.call(self.client.sessions.GetCurrentSession, request)
        return answer.session

    async def is_live(self) -> bool:
        request = user_pb.GetCurrentUserRequest()
        code = await self.client.call(self.client.users.GetCurrentUser, request).code()
        return bool(code.value[0] == 0)


async def site(
    instance: Instance, provider: Provider, *, org_id: str | None = None, **idp: Any
) -> Site:
    """A provider that registers users, in a new organization unless `org_id` is given."""
    org_id = org_id or await given.organization(instance.admin)
    owner = await given.user(instance.admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
    idp_id = await given.idp(owner, **{"auto_register": True} | idp)
    made = Site(instance, provider, owner, org_id, idp_id)
    await made.set_config()
    return made


def start(
    client: Client, idp_id: str, redirect_uri: str | None = None, *, reauthenticate: bool = False
) -> Awaitable[pb.StartIDPSignInResponse]:
    uri = REDIRECT_URI.format(idp_id=idp_id) if redirect_uri is None else redirect_uri
    request = pb.StartIDPSignInRequest(
        idp_id=idp_id, redirect_uri=uri, reauthenticate=reauthenticate
    )
    return client.call(client.sign_ins.StartIDPSignIn, request)


def complete(client: Client, request: pb.CompleteIDPSignInRequest) -> Awaitable[pb.SignedIn]:
    return client.call(client.sign_ins.CompleteIDPSignIn, request)


def link(
    client: Client, callback: pb.CompleteIDPSignInRequest, *, user_id: str | None = None
) -> Awaitable[link_pb.LinkIDPResponse]:
    """Links the identity of a callback to the caller."""
    request = link_pb.LinkIDPRequest(
        user_id=client.user_id if user_id is None else user_id,
        idp_id=callback.idp_id,
        flow_token=callback.flow_token,
        callback_query=callback.callback_query,
    )
    return client.call(client.idp_links.LinkIDP, request)


async def links(client: Client, user_id: str | None = None) -> list[link_pb.IDPLink]:
    request = link_pb.ListIDPLinksRequest(user_id=user_id or client.user_id)
    answer = await client.call(client.idp_links.ListIDPLinks, request)
    return list(answer.idp_links)


def unlink(
    client: Client, link_id: str, user_id: str | None = None, *, lost_or_stolen: bool = False
) -> Awaitable[link_pb.UnlinkIDPResponse]:
    request = link_pb.UnlinkIDPRequest(
        user_id=user_id or client.user_id, link_id=link_id, lost_or_stolen=lost_or_stolen
    )
    return client.call(client.idp_links.UnlinkIDP, request)
