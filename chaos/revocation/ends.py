"""The kinds of ends, each with the places that it concerns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import grpc

from chaos.people import Person
from chaos.revocation import places
from chaos.revocation.installation import Installation, ProxiedGate
from chaos.revocation.measured import Ask, Ended
from chaos.revocation.places import Place
from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.session.v1 import session_service_pb2 as session_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from keystead_client import RefusedSessionError, SessionVerifier
from tests.application import calls as applications
from tests.gate.behind import Browser
from tests.group import calls as groups
from tests.oauth import flow
from tests.oauth.flow import App
from tests.support import given
from tests.support.given import Client
from tests.user import calls as users

_REFUSED = (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED)
# Sessions whose ends are also seen by a gate, and those with tokens of an application.
_BY_GATE, _WITH_TOKENS = 25, 5


@dataclass
class Member:
    """A person and a service, whose credentials end one after the other."""

    at: Installation
    person: Person
    service: Client
    app: App

    @classmethod
    async def of(cls, at: Installation) -> Self:
        """A new member of the organization and of the group that the applications admit."""
        admin = at.admins[0]
        service = await given.user(admin, org_id=at.org_id, roles=[user_pb.ROLE_ORG_OWNER])
        app = await flow.app(at.owner, backchannel_logout_uri=at.target.url)
        return cls(at, await _person(at), service, app)

    @property
    def user_id(self) -> str:
        return self.person.client.user_id

    async def sign_in(self) -> Client:
        """A new session at the first server."""
        signed_in = await self.person.sign_in()
        return self.at.admins[0].with_token(signed_in.session_token, signed_in.session_id)

    def seen(self, token: str) -> dict[Place, Ask]:
        """The places that see a token or a session by calls without a role."""
        here, there = (each.with_token(token) for each in self.at.admins)
        web = replace(self.at.web, token=token)
        request = user_pb.GetCurrentUserRequest()

        async def over_web() -> bool | None:
            return _code(await web.call("GetCurrentUser", request))

        return {
            places.SAME_SERVER: lambda: _accepts(here.call(here.users.GetCurrentUser, request)),
            places.OTHER_SERVER: lambda: _accepts(there.call(there.users.GetCurrentUser, request)),
            places.GRPC_WEB: over_web,
        }


async def _person(at: Installation) -> Person:
    person = await Person.created(at.admins[0], org_id=at.org_id)
    await groups.add_member(at.owner, at.group_id, person.client.user_id)
    return person


async def _accepts(call: Any) -> bool:
    """Whether a call is accepted. Raises the errors of outages."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        if error.code() in _REFUSED:
            return False
        raise
    return True


def _code(answer: Any) -> bool | None:
    if answer.response is not None:
        return True
    return False if answer.code in _REFUSED else None


async def _session(member: Member, number: int) -> tuple[Client, Ended]:
    """A session with the places that see it; `end` is still that of a sign-out."""
    at = member.at
    has_gate = bool(at.gates) and number % _BY_GATE == 0
    if has_gate:  # a gate reads persons anew for seconds after an end
        member.person = await _person(at)
    session = await member.sign_in()
    session_id = session.user_id
    asked = member.seen(session.token)
    introspection = session_pb.IntrospectSessionRequest(session_token=session.token)
    verifier = at.session_verifier

    async def is_active() -> bool:
        answer = await verifier.call(verifier.sessions.IntrospectSession, introspection)
        return bool(answer.active)

    asked[places.INTROSPECTION] = is_active
    request = session_pb.IssueSessionJWTRequest(audience="orders")
    issued = await session.call(session.sessions.IssueSessionJWT, request)
    asked[places.VERIFIER] = _verifies(at.verifiers[True], issued.jwt)
    told = {
        places.WATCH: lambda: at.watched(session_id),
        places.WEBHOOK: lambda: at.arrival("webhook", session_id),
    }
    if number % _WITH_TOKENS == 0:
        tokens = await flow.tokens(member.app, session)
        asked[places.OAUTH] = _introspects(member.app, at.admins[1], tokens.access_token)
        told[places.LOGOUT] = lambda: at.arrival("logout", session_id)
    if has_gate:
        gate = at.gates[number // _BY_GATE % len(at.gates)]
        asked[places.GATES[gate.name]] = await _entered(gate, session)

    def sign_out() -> Any:
        return session.call(session.sessions.SignOut, session_pb.SignOutRequest())

    return session, Ended("sign-out", sign_out, asked, told)


def _verifies(verifier: SessionVerifier, jwt: str) -> Ask:
    async def verifies() -> bool:
        try:
            await verifier.verify(jwt)
        except RefusedSessionError:
            return False
        return True

    return verifies


def _introspects(app: App, server: Client, token: str) -> Ask:
    elsewhere = replace(app, client=server.with_token(""))

    async def introspects() -> bool:
        return await elsewhere.introspect(token) is not None

    return introspects


async def _entered(gate: ProxiedGate, session: Client) -> Ask:
    browser = gate.browser()
    await browser.enter(session)
    return _admits(browser)


def _admits(browser: Browser) -> Ask:
    async def admits() -> bool | None:
        status = (await browser.get("/")).status
        return True if status == 200 else False if status in (302, 401, 403) else None

    return admits


async def _sign_out(member: Member, number: int) -> Ended:
    _, ended = await _session(member, number)
    return ended


async def _session_ended(member: Member, number: int) -> Ended:
    session, ended = await _session(member, number)
    admin = member.at.admins[0]
    request = session_pb.EndSessionRequest(user_id=member.user_id, session_id=session.user_id)
    return replace(
        ended,
        kind="session ended",
        end=lambda: admin.call(admin.sessions.EndSession, request),
    )


async def _user_locked(member: Member, number: int) -> Ended:
    _, ended = await _session(member, number)
    user_id = member.user_id
    member.person = await _person(member.at)
    return replace(ended, kind="user locked", end=lambda: users.lock(member.at.admins[0], user_id))


async def _passkey_removed(member: Member, number: int) -> Ended:
    _, ended = await _session(member, number)
    admin, user_id = member.at.admins[0], member.user_id
    listing = passkey_pb.ListPasskeysRequest(user_id=user_id)
    [passkey] = (await admin.call(admin.passkeys.ListPasskeys, listing)).passkeys
    member.person = await _person(member.at)
    request = passkey_pb.RemovePasskeyRequest(user_id=user_id, passkey_id=passkey.passkey_id)
    return replace(
        ended,
        kind="passkey removed",
        end=lambda: admin.call(admin.passkeys.RemovePasskey, request),
    )


async def _token_revoked(member: Member, number: int) -> Ended:
    admin, user_id = member.at.admins[0], member.service.user_id
    request = user_pb.CreateTokenRequest(user_id=user_id)
    created = await admin.call(admin.users.CreateToken, request)
    return Ended(
        "token revoked",
        lambda: users.revoke_token(admin, user_id, created.token_id),
        member.seen(created.token),
    )


async def _role_taken(member: Member, number: int) -> Ended:
    at = member.at
    here, there = (each.with_token(member.service.token) for each in at.admins)
    web, request = replace(at.web, token=member.service.token), user_pb.ListUsersRequest()
    role = user_pb.ROLE_ORG_OWNER
    await users.grant(at.admins[0], member.service.user_id, role)

    async def over_web() -> bool | None:
        return _code(await web.call("ListUsers", request))

    return Ended(
        "role taken",
        lambda: users.revoke(at.admins[0], member.service.user_id, role),
        {
            places.SAME_SERVER: lambda: _accepts(here.call(here.users.ListUsers, request)),
            places.OTHER_SERVER: lambda: _accepts(there.call(there.users.ListUsers, request)),
            places.GRPC_WEB: over_web,
        },
    )


async def _group_left(member: Member, number: int) -> Ended:
    at = member.at
    member.person = await _person(at)
    session, user_id = await member.sign_in(), member.user_id
    gate = at.gates[number % len(at.gates)]
    asked = {places.GATES[gate.name]: await _entered(gate, session)}
    return Ended("group left", lambda: groups.remove_member(at.owner, at.group_id, user_id), asked)


async def _grant_ended(member: Member, number: int) -> Ended:
    at, session = member.at, await member.sign_in()
    tokens = await flow.tokens(member.app, session)
    admin = at.admins[0]
    request = application_pb.RevokeGrantRequest(
        user_id=member.user_id, application_id=member.app.client_id
    )
    return Ended(
        "grant ended",
        lambda: admin.call(admin.applications.RevokeGrant, request),
        {places.OAUTH: _introspects(member.app, at.admins[1], tokens.access_token)},
    )


async def _key_revoked(member: Member, number: int) -> Ended:
    at, client_id = member.at, member.app.client_id
    created = await applications.create_secret(at.owner, client_id)
    asked: dict[Place, Ask] = {}
    for place, admin in zip((places.SAME_SERVER, places.OTHER_SERVER), at.admins, strict=True):
        app = App(admin.with_token(""), client_id, created.secret)
        asked[place] = lambda app=app: _accepts(app.introspect("unknown"))  # type: ignore[misc]
    return Ended(
        "application key revoked",
        lambda: applications.remove_secret(at.owner, client_id, created.secret_id),
        asked,
    )


Kind = Callable[[Member, int], Any]
# By their shares of 50.
_SHARES: Mapping[Kind, int] = {
    _sign_out: 16,
    _session_ended: 14,
    _token_revoked: 10,
    _role_taken: 3,
    _user_locked: 2,
    _passkey_removed: 1,
    _group_left: 1,
    _grant_ended: 2,
    _key_revoked: 1,
}
_KINDS: Sequence[Kind] = [kind for kind, share in _SHARES.items() for _ in range(share)]


def kind_of(number: int) -> Kind:
    """The kind of an end by its number; all kinds are among any 50."""
    return _KINDS[number * 7 % len(_KINDS)]


async def offline(member: Member) -> Ended:
    """A session whose JWT is verified without the watch of ended sessions."""
    session = await member.sign_in()
    request = session_pb.IssueSessionJWTRequest(audience="orders")
    issued = await session.call(session.sessions.IssueSessionJWT, request)
    verifier = member.at.verifiers[False]
    return Ended(
        "sign-out",
        lambda: session.call(session.sessions.SignOut, session_pb.SignOutRequest()),
        {places.OFFLINE: _verifies(verifier, issued.jwt)},
    )
