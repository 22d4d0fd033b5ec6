"""The age of a sign-in is that of the authentication at the identity provider."""

import time
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import grpc
import jwt
import pytest

from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.operate.rebuild.run import rebuild
from server.store.database import connected
from tests.idp.signins import Session, Site
from tests.oauth import flow
from tests.session import sessions
from tests.support import given
from tests.support.given import Instance
from tests.support.oidc_provider import Provider
from tests.support.transports import Call, Transports

_DAY = 24 * 3600
_YEAR = 365 * _DAY


def _register_passkey(session: Session) -> Any:
    client = session.client
    request = passkey_pb.RegisterPasskeyRequest(user_id=client.user_id)
    return client.call(client.passkeys.RegisterPasskey, request)


async def _age(session: Session) -> float:
    """The seconds from the sign-in of a session to its start."""
    current = await session.current()
    return (
        float(
            current.details.creation_date.ToMicroseconds()
            - current.authenticated_at.ToMicroseconds()
        )
        / 1e6
    )


async def test_a_person_who_signed_in_at_the_provider_yesterday_has_no_recent_sign_in(
    site: Site, relying: Instance, provider: Provider
) -> None:
    told = int(time.time()) - _DAY
    provider.claims = {"auth_time": told}

    session = await site.sign_in()

    assert (await session.current()).authenticated_at.ToSeconds() == told
    refused = await given.refusal(_register_passkey(session))
    assert refused.code is grpc.StatusCode.UNAUTHENTICATED
    assert refused.reason == "REAUTHENTICATION_REQUIRED"
    async with connected(relying.dsn, pool_size=2) as database:
        assert (await rebuild(database, repair=False)).differences == ()


async def test_an_application_is_told_the_age_and_can_refuse_it(
    site: Site, relying: Instance, provider: Provider
) -> None:
    roles = [user_pb.ROLE_ORG_OWNER]
    owner = await (await sessions.person(relying.admin, org_id=site.org_id, roles=roles)).sign_in()
    shop = await flow.app(owner.client)
    told = int(time.time()) - _DAY
    provider.claims = {"auth_time": told}
    person = (await site.sign_in()).client

    for demanded in ({"max_age": _DAY - 60}, {"prompt": "login"}):
        request = await flow.sealed(shop, **demanded)
        refused = await given.refusal(flow.approve(person, request))
        assert refused.reason == "SIGN_IN_REQUIRED"
        provider.claims = {"auth_time": int(time.time())}
        again = (await site.sign_in(reauthenticate=True)).client
        assert (await flow.approve(again, request)).redirect_uri
    tokens = await flow.tokens(shop, person)

    claims = jwt.decode(tokens.id_token, options={"verify_signature": False})
    assert claims["auth_time"] == told


@pytest.mark.parametrize("seconds", [None, 50], ids=["which it does not tell", "in the future"])
async def test_the_time_of_arrival_is_the_latest(
    site: Site, provider: Provider, seconds: int | None
) -> None:
    provider.claims = {"auth_time": seconds and int(time.time()) + seconds}

    session = await site.sign_in()

    assert await _age(session) == 0
    assert (await _register_passkey(session)).passkey_id


@pytest.mark.parametrize("listed", [(), ("auth_time",)], ids=["like Google", "by the standard"])
async def test_the_request_of_a_browser_demands_the_time_and_a_new_sign_in_if_asked(
    site: Site, provider: Provider, listed: tuple[str, ...]
) -> None:
    provider.metadata["claims_supported"] = ["sub", *listed]

    ordinary, anew = (
        dict(parse_qsl(urlsplit(started.authorization_url).query))
        for started in (await site.start(), await site.start(reauthenticate=True))
    )

    assert (ordinary["max_age"], ordinary.get("prompt")) == (str(_YEAR), None)
    assert (anew["max_age"], anew.get("prompt")) == ("600", "login" if listed else None)


@pytest.mark.parametrize("behind", [0, 50], ids=["with equal clocks", "with a clock behind"])
async def test_a_new_sign_in_at_the_provider_is_recent(
    site: Site, provider: Provider, behind: int
) -> None:
    callback = await site.callback(reauthenticate=True)
    begun = int(time.time())
    provider.claims = {"auth_time": begun - behind}

    answer = await site.complete(callback)

    session = Session(site.owner.with_token(answer.session_token, answer.user_id), answer)
    assert (await session.current()).authenticated_at.ToSeconds() in (begun - 1, begun)
    assert (await _register_passkey(session)).passkey_id


@pytest.mark.parametrize("auth_time", [-_DAY, -62, None])
async def test_an_old_sign_in_is_refused_where_a_new_one_was_asked_for(
    site: Site, provider: Provider, auth_time: int | None
) -> None:
    """The user at the browser can remove `max_age` from the request, and then gets no time."""
    provider.metadata["claims_supported"] = ["sub", "auth_time"]
    provider.claims = {"auth_time": auth_time and int(time.time()) + auth_time}

    async with Transports.of(site.instance) as transports:
        for transport in transports.all.values():
            callback = await site.callback(reauthenticate=True)
            method = given.METHOD["CompleteIDPSignIn"]
            refusal = (await transport.answer(Call(method, callback))).refusal
            assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
            assert refusal.reason == "IDP_DID_NOT_REAUTHENTICATE"
            assert "Sign out at the identity provider" in refusal.message
    assert await site.users() == []


async def test_a_provider_that_never_tells_the_time_is_trusted(site: Site) -> None:
    session = await site.sign_in(reauthenticate=True)

    assert await _age(session) == 0
    assert (await _register_passkey(session)).passkey_id


async def test_an_ordinary_sign_in_without_the_time_that_is_due_is_the_oldest(
    site: Site, provider: Provider
) -> None:
    provider.metadata["claims_supported"] = ["sub", "auth_time"]

    session = await site.sign_in()

    assert _YEAR <= await _age(session) < _YEAR + 60
    assert await session.is_live()
    refused = await given.refusal(_register_passkey(session))
    assert refused.reason == "REAUTHENTICATION_REQUIRED"


async def test_a_session_is_idle_from_its_last_use_and_not_from_the_sign_in_at_the_provider(
    site: Site, relying: Instance, provider: Provider
) -> None:
    """Also without the row that records the use: a restored database may lack it."""
    provider.claims = {"auth_time": int(time.time()) - _DAY}
    session = await site.sign_in()

    async with given.sql(relying.dsn) as rows:
        session_id = session.answer.session_id
        await rows.execute("delete from session_activity where session_id = $1", session_id)

    assert await session.is_live()
