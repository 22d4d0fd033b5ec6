"""Logout tokens (OpenID Connect Back-Channel Logout 1.0).

An application gets one when a session ends in which it got an ID token. The token is made anew for
each attempt, since it expires soon; its `jti` is the ID of the delivery.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Final
from urllib.parse import urlencode

from pydantic_core import to_json

from server.application import store as application_store
from server.deliveries.http.client import PushRequest
from server.log.event import Event
from server.log.positions import PositionedEvent
from server.oauth import store as oauth_store
from server.push.delivery_store import NewDelivery, PushKind
from server.session.ended import ended_by
from server.session.events import EndsSessions
from server.signing.private_key import Algorithm
from server.signing.signer import Signer
from server.store.database import Database, Statements

_TYPE: Final = "logout+jwt"
_EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"
_LIFETIME: Final = timedelta(minutes=2)


class LogoutTokens:
    """Writes the deliveries of logout tokens, and makes their requests."""

    def __init__(
        self, database: Database, *, signer: Signer, issuer: str, events: Iterable[type[Event]]
    ) -> None:
        """`events` are those of all features."""
        self._database = database
        self._signer = signer
        self._issuer = issuer
        self.event_types: Sequence[str] = [
            each.event_type for each in events if issubclass(each, EndsSessions)
        ]

    async def deliveries(
        self, transaction: Statements, events: Sequence[PositionedEvent]
    ) -> list[NewDelivery]:
        """The deliveries of events, one for each session and application that got tokens in it."""
        ends = {
            session_id: event
            for event in events
            if event.event_type in self.event_types
            for session_id in ended_by(event)
        }
        if not ends:
            return []
        told = await oauth_store.take_applications(transaction, list(ends))
        if not told:
            return []
        owners = await application_store.owners_of_told(
            transaction, [each.application_id for each in told]
        )
        return [
            NewDelivery.of(
                ends[each.session_id],
                kind=PushKind.LOGOUT,
                target_id=each.application_id,
                owner=owners[each.application_id],
                aggregate_id=each.session_id,
                payload=to_json({"sub": each.user_id, "sid": each.session_id}).decode(),
            )
            for each in told
            if each.application_id in owners
        ]

    async def request(
        self, application_id: str, *, token_id: str, claims: Mapping[str, str]
    ) -> PushRequest | None:
        """The request with a new token. None: the application does not get tokens any more.

        `Failure` UNAVAILABLE: no key signs.
        """
        client = await application_store.find_client(self._database, application_id)
        configuration = client.application.configuration if client else None
        if configuration is None or not configuration.backchannel_logout_uri:
            return None
        algorithm = Algorithm(configuration.id_token_alg)
        signing = await self._signer.ready({algorithm})
        issued_at = int(signing.now.timestamp())
        token = signing.sign(
            {
                "iss": self._issuer,
                "aud": application_id,
                "iat": issued_at,
                "exp": issued_at + int(_LIFETIME.total_seconds()),
                "jti": token_id,
                "events": {_EVENT: {}},
                **claims,
            },
            type=_TYPE,
            algorithm=algorithm,
        )
        return PushRequest(
            configuration.backchannel_logout_uri,
            {"content-type": "application/x-www-form-urlencoded"},
            urlencode({"logout_token": token}).encode(),
        )
