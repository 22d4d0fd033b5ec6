"""Codes of an application, each exchanged by several clients, and the tokens that they get."""

import time
from dataclasses import replace
from typing import Any, Self

from chaos.history import OK, Made
from chaos.objects.subject import CALL_SECONDS, Hand, Subject, by_chance
from chaos.people import Person
from keystead.oauth.v1 import oauth_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.oauth import flow
from tests.oauth.flow import App, Approved
from tests.support import given
from tests.support.given import Client

# After it, an unused code may have expired.
_LIFETIME = 60 * 10**9


class Code(Subject):
    """A code, and the access token that one of its exchanges gave."""

    model = "code"
    most_calls = 10

    def __init__(self, app: App, session: Client, approved: Approved) -> None:
        super().__init__(approved.code[-12:])
        self.app, self.session, self._approved = app, session, approved
        self._access_token = ""

    @classmethod
    async def created(cls, hand: Hand, before: Self | None) -> Self:
        admin = hand.admin
        if before is None:
            app, session = await _app(admin)
        else:
            app, session = before.app, before.session
        begin = time.monotonic_ns()
        approved = await flow.approved(
            replace(app, client=admin.with_token("")), admin.with_token(session.token)
        )
        code = cls(app, session, approved)
        expiry = Made(hand.number, cls.model, code.name, "expire", begin=begin + _LIFETIME)
        hand.history.calls.append(expiry)
        return code

    async def step(self, hand: Hand) -> Any:
        if not self._access_token or by_chance(0.15):
            app = replace(self.app, client=hand.admin.with_token(""))
            exchanged = await self.make(hand, "exchange", _redeemed(app, self._approved))
            if exchanged is not None:
                self._access_token = exchanged.access_token
            return exchanged
        server, stale = hand.reader
        request = pb.IntrospectTokenRequest(**self.app.credentials, token=self._access_token)
        call = server.with_token("").call(
            server.oauth.IntrospectToken, request, timeout=CALL_SECONDS
        )
        return await self.make(hand, "read", call, answer=_answer, stale_seconds=stale)


def _redeemed(app: App, approved: Approved) -> Any:
    request = pb.ExchangeTokenRequest(
        **app.credentials,
        grant_type="authorization_code",
        code=approved.code,
        redirect_uri=flow.CALLBACK,
        code_verifier=approved.verifier,
    )
    return app.client.call(app.client.oauth.ExchangeToken, request, timeout=CALL_SECONDS)


async def _app(admin: Client) -> tuple[App, Client]:
    """An application, and a session of a person of its organization."""
    org_id = await given.organization(admin)
    owner = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
    person = await Person.created(admin, org_id=org_id)
    signed_in = await person.sign_in()
    session = person.client.with_token(signed_in.session_token, person.client.user_id)
    return await flow.app(owner), session


def _answer(response: pb.IntrospectTokenResponse) -> str:
    return OK if response.active else "UNAUTHENTICATED"
