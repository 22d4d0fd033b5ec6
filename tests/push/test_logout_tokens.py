"""Logout tokens as applications get them (OpenID Connect Back-Channel Logout 1.0)."""

import asyncio
import base64
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs
from urllib.request import urlopen

import pytest
from joserfc import jwt
from joserfc.jwk import KeySet

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.push.v1 import push_service_pb2 as pb
from keystead.session.v1 import session_service_pb2 as session_pb
from server.oauth import store as oauth_store
from server.store.database import connected
from server.store.retention import delete_ended
from tests.application import calls as applications
from tests.oauth import flow
from tests.oauth.flow import App
from tests.push import calls
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.push_target import PushTarget, Received, plain_target, status
from tests.user import calls as users

_EVENT = "http://schemas.openid.net/event/backchannel-logout"


@pytest.fixture
async def ada(pushing_instance: Instance, owner: Client) -> SignedIn:
    """A person of the owner's organization, with a session."""
    org_id = await _organization(owner)
    return await sessions.signed_in(pushing_instance.admin, org_id=org_id)


async def _organization(owner: Client) -> str:
    added = await applications.add(owner)
    return str(added.details.resource_owner)


async def _told_app(owner: Client, target: PushTarget, **fields: Any) -> App:
    return await flow.app(owner, backchannel_logout_uri=target.url, **fields)


def _keys(instance: Instance) -> KeySet:
    url = f"http://127.0.0.1:{instance.web_port}/.well-known/jwks.json"
    with urlopen(url) as answer:
        return KeySet.import_key_set(json.load(answer))


async def _claims(instance: Instance, received: Received, *, algorithm: str) -> Mapping[str, Any]:
    """The claims of a request, verified with the published keys."""
    assert received.headers["content-type"] == "application/x-www-form-urlencoded"
    [text] = parse_qs(received.content.decode())["logout_token"]
    keys = await asyncio.to_thread(_keys, instance)
    token = jwt.decode(text, keys, algorithms=[algorithm])
    assert token.header["typ"] == "logout+jwt"
    return token.claims


@pytest.mark.parametrize(
    ("algorithm", "value"),
    [("RS256", application_pb.ID_TOKEN_ALG_RS256), ("ES256", application_pb.ID_TOKEN_ALG_ES256)],
)
async def test_an_application_is_told_of_the_end_of_a_session(
    pushing_instance: Instance,
    owner: Client,
    ada: SignedIn,
    target: PushTarget,
    algorithm: str,
    value: application_pb.IDTokenAlg.ValueType,
) -> None:
    app = await _told_app(owner, target, id_token_alg=value)
    issued = await flow.tokens(app, ada.client)
    id_token = json.loads(_payload(issued.id_token))

    await ada.client.call(ada.client.sessions.SignOut, session_pb.SignOutRequest())

    [received] = await target.until(1)
    claims = dict(await _claims(pushing_instance, received, algorithm=algorithm))
    of_app = f"application_id = {app.client_id}"
    [delivery] = await calls.in_state(owner, pb.DELIVERY_STATE_SENT, text=of_app)
    assert claims.pop("exp") - claims.pop("iat") == 120
    assert claims == {
        "iss": id_token["iss"],
        "aud": app.client_id,
        "sub": ada.person.user_id,
        "sid": id_token["sid"],
        "jti": delivery.delivery_id,
        "events": {_EVENT: {}},
    }
    assert (delivery.application_id, delivery.subscription_id) == (app.client_id, "")
    assert (delivery.event_type, delivery.aggregate_id) == ("user.session_ended", ada.session_id)


async def test_an_application_on_the_same_machine_is_told_without_tls(
    pushing_instance: Instance, owner: Client, ada: SignedIn
) -> None:
    async with plain_target() as target:
        app = await _told_app(owner, target)
        await flow.tokens(app, ada.client)

        await ada.client.call(ada.client.sessions.SignOut, session_pb.SignOutRequest())

        [received] = await target.until(1)
    assert (await _claims(pushing_instance, received, algorithm="RS256"))["aud"] == app.client_id


def _payload(token: str) -> bytes:
    part = token.split(".")[1]
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


async def test_a_token_is_made_anew_for_each_attempt(
    pushing_instance: Instance, owner: Client, ada: SignedIn, target: PushTarget
) -> None:
    target.answer = status("500 Error")
    app = await _told_app(owner, target)
    await flow.tokens(app, ada.client)
    await ada.client.call(ada.client.sessions.SignOut, session_pb.SignOutRequest())
    await target.until(1)
    delivery = await calls.attempted(owner)
    target.answer = status("200 OK")

    await calls.retry(owner, delivery.delivery_id)

    first, second = [
        await _claims(pushing_instance, each, algorithm="RS256") for each in await target.until(2)
    ]
    assert first["jti"] == second["jti"]
    assert first["iat"] <= second["iat"]


async def test_every_end_of_a_session_is_told_and_only_to_applications_of_the_session(
    pushing_instance: Instance, owner: Client, ada: SignedIn, target: PushTarget
) -> None:
    """The sessions of a removed user end, too."""
    first, second = await _told_app(owner, target), await _told_app(owner, target)
    silent = await flow.app(owner)
    other = await ada.person.sign_in()
    await flow.tokens(first, ada.client)
    await flow.tokens(second, other.client)
    await flow.tokens(second, other.client)
    await flow.tokens(silent, other.client)
    kept = await ada.person.sign_in()
    await flow.tokens(first, kept.client)

    await sessions.end(kept.client, kept.session_id)
    await target.until(1)
    await users.remove(pushing_instance.admin, ada.person.user_id)

    received = await target.until(3)
    told = [await _claims(pushing_instance, each, algorithm="RS256") for each in received]
    assert {(each["aud"], each["sid"]) for each in told} == {
        (first.client_id, kept.session_id),
        (first.client_id, ada.session_id),
        (second.client_id, other.session_id),
    }
    assert len(await calls.in_state(owner, pb.DELIVERY_STATE_SENT, 3)) == 3


@pytest.mark.parametrize("is_removed", [True, False])
async def test_a_removed_application_or_uri_cancels_the_delivery(
    owner: Client, ada: SignedIn, target: PushTarget, is_removed: bool
) -> None:
    target.answer = status("500 Error")
    app = await _told_app(owner, target)
    await flow.tokens(app, ada.client)
    await ada.client.call(ada.client.sessions.SignOut, session_pb.SignOutRequest())
    await target.until(1)
    delivery = await calls.attempted(owner)

    if is_removed:
        await applications.remove(owner, app.client_id)
    else:
        await applications.patch(
            owner, app.client_id, ["backchannel_logout_uri"], backchannel_logout_uri=""
        )
    await calls.retry(owner, delivery.delivery_id)

    [cancelled] = await calls.in_state(owner, pb.DELIVERY_STATE_CANCELLED)
    assert cancelled.attempts[-1].reason == "TARGET_REMOVED"
    assert len(target.received) == 1


async def test_applications_of_sessions_are_forgotten_after_ninety_days(
    pushing_instance: Instance, owner: Client, ada: SignedIn
) -> None:
    app = await flow.app(owner)
    await flow.tokens(app, ada.client)
    async with (
        connected(pushing_instance.dsn, pool_size=1) as database,
        given.sql(pushing_instance.dsn) as sql,
    ):
        session = "select expires_at - now() from oauth_sessions where session_id = $1"
        assert (await sql.fetchval(session, ada.session_id)).days == 89
        await sql.execute(
            "update oauth_sessions set expires_at = now() - interval '1 s' where session_id = $1",
            ada.session_id,
        )

        await delete_ended(database, oauth_store.ENDED_SESSIONS)

        assert await sql.fetchval(session, ada.session_id) is None
