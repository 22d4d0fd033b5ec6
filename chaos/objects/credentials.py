"""Tokens and sessions, which are used at all servers and ended at one of them."""

from dataclasses import replace
from itertools import count
from typing import Any, Self
from uuid import uuid4

from chaos.history import OK
from chaos.objects.subject import CALL_SECONDS, Hand, Subject, by_chance, chosen
from chaos.people import Person
from keystead.group.v1 import group_service_pb2 as group_pb
from keystead.session.v1 import session_service_pb2 as session_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.access.cached_callers import CACHE_SECONDS
from tests.support import given
from tests.support.given import Client

_REFUSED = "UNAUTHENTICATED"
_NUMBERS = count()


class _Credential(Subject):
    """A credential that ends at the server `home`. Others may have its caller in their cache."""

    model = "credential"
    most_calls = 30
    home = 0

    def server(self, hand: Hand) -> tuple[Client, float]:
        """One of the servers, and the age that its answers to reads may have."""
        server, stale_seconds = hand.reader
        return server, 0 if server is hand.admins[self.home] else CACHE_SECONDS + stale_seconds


class Token(_Credential):
    """A token of an owner of an organization, for reads and for writes."""

    def __init__(self, token_id: str, token: str, owner: Client, home: int) -> None:
        super().__init__(token_id)
        self.home, self._token, self.owner = home, token, owner

    @classmethod
    async def created(cls, hand: Hand, before: Self | None) -> Self:
        admin = hand.admin
        owner = (
            await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER])
            if before is None
            else before.owner
        )
        request = user_pb.CreateTokenRequest(user_id=owner.user_id)
        made = await admin.call(admin.users.CreateToken, request, timeout=CALL_SECONDS)
        return cls(made.token_id, made.token, owner, chosen(len(hand.admins)))

    async def step(self, hand: Hand) -> Any:
        if by_chance(0.1):
            home = hand.admins[self.home]
            revocation = user_pb.RevokeTokenRequest(user_id=self.owner.user_id, token_id=self.name)
            call = home.call(home.users.RevokeToken, revocation, timeout=CALL_SECONDS)
            return await self.make(hand, "end", call)
        if by_chance(0.2):
            owner = hand.admin.with_token(self._token)
            creation = group_pb.CreateGroupRequest(name=f"group-{next(_NUMBERS)}-{uuid4().hex}")
            call = owner.call(owner.groups.CreateGroup, creation, timeout=CALL_SECONDS)
            return await self.make(hand, "write", call)
        server, stale_seconds = self.server(hand)
        owner = server.with_token(self._token)
        request = user_pb.GetCurrentUserRequest()
        call = owner.call(owner.users.GetCurrentUser, request, timeout=CALL_SECONDS)
        return await self.make(hand, "read", call, stale_seconds=stale_seconds)


class Session(_Credential):
    """A session, which its user or an administrator ends."""

    def __init__(
        self, session_id: str, token: str, person: Person, verifier: Client, home: int
    ) -> None:
        super().__init__(session_id)
        self.home, self._token, self.person, self.verifier = home, token, person, verifier

    @classmethod
    async def created(cls, hand: Hand, before: Self | None) -> Self:
        admin = hand.admin
        if before is None:
            verifier = await given.user(admin, roles=[user_pb.ROLE_SESSION_VERIFIER])
            person = await Person.created(admin)
        else:
            verifier, person = before.verifier, before.person
        here = replace(person, client=admin.with_token("", person.client.user_id))
        begun = await here.sign_in()
        return cls(
            begun.session_id, begun.session_token, person, verifier, chosen(len(hand.admins))
        )

    async def step(self, hand: Hand) -> Any:
        if by_chance(0.1):
            return await self._end(hand, hand.admins[self.home])
        server, stale_seconds = self.server(hand)
        if by_chance(0.5):
            verifier = server.with_token(self.verifier.token)
            introspection = session_pb.IntrospectSessionRequest(session_token=self._token)
            call = verifier.call(
                verifier.sessions.IntrospectSession, introspection, timeout=CALL_SECONDS
            )
        else:
            person = server.with_token(self._token)
            request = user_pb.GetCurrentUserRequest()
            call = person.call(person.users.GetCurrentUser, request, timeout=CALL_SECONDS)
        return await self.make(hand, "read", call, answer=_answer, stale_seconds=stale_seconds)

    async def _end(self, hand: Hand, home: Client) -> Any:
        if by_chance(0.5):
            person = home.with_token(self._token)
            call = person.call(
                person.sessions.SignOut, session_pb.SignOutRequest(), timeout=CALL_SECONDS
            )
        else:
            end = session_pb.EndSessionRequest(
                user_id=self.person.client.user_id, session_id=self.name
            )
            call = home.call(home.sessions.EndSession, end, timeout=CALL_SECONDS)
        return await self.make(hand, "end", call)


def _answer(response: object) -> str:
    is_introspected = isinstance(response, session_pb.IntrospectSessionResponse)
    return _REFUSED if is_introspected and not response.active else OK  # type: ignore[attr-defined]
