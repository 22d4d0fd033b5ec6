"""A service that watches the ends of sessions by the client."""

import asyncio
import logging
from datetime import timedelta

import grpc
import pytest

from keystead.session.v1 import session_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from keystead_client import (
    EndedSessions,
    Introspector,
    KeySet,
    RefusedSessionError,
    SessionVerifier,
    connect,
)
from tests.session import jwts, sessions
from tests.session.jwts import AUDIENCE, ISSUER
from tests.session.sessions import Person
from tests.support import given
from tests.support.given import Instance


async def _is_told(ended: EndedSessions) -> bool:
    return ended.behind < timedelta(days=1)


async def _has_ended(ended: EndedSessions, session_id: str) -> bool:
    return session_id in ended


async def test_a_session_that_has_ended_is_refused_within_two_seconds(
    issuing: Instance, channel: grpc.aio.Channel, person: Person
) -> None:
    keys = KeySet(f"http://127.0.0.1:{issuing.web_port}")
    signed_in, other = await person.sign_in(), await person.sign_in()
    token = (await jwts.issue(signed_in.client)).jwt
    async with EndedSessions(channel) as ended:
        verifier = SessionVerifier(keys, issuer=ISSUER, audience=AUDIENCE, ended=ended)
        introspector = Introspector(channel, ended=ended, cached=timedelta(hours=1))
        await given.eventually(lambda: _is_told(ended))
        await verifier.verify(token)
        assert (await introspector.introspect(signed_in.client.token)).active

        await sessions.sign_out(signed_in.client)
        async with asyncio.timeout(2):
            await given.eventually(lambda: _has_ended(ended, signed_in.session_id))

        with pytest.raises(RefusedSessionError, match="has ended"):
            await verifier.verify(token)
        refused = await introspector.introspect(signed_in.client.token)
        assert refused == pb.IntrospectSessionResponse()
        await verifier.verify((await jwts.issue(other.client)).jwt)


async def test_a_watch_resumes_where_it_was_interrupted(
    channel: grpc.aio.Channel, person: Person, caplog: pytest.LogCaptureFixture
) -> None:
    async with EndedSessions(channel) as first:
        await given.eventually(lambda: _is_told(first))
    signed_in = await person.sign_in()
    await sessions.sign_out(signed_in.client)

    # The connection is cut ten times a second.
    caplog.set_level(logging.ERROR, "keystead_client")
    async with EndedSessions(channel, after_cursor=first.cursor, silence=0.1) as resumed:
        await given.eventually(lambda: _has_ended(resumed, signed_in.session_id))
        later = await person.sign_in()
        await sessions.sign_out(later.client)
        await given.eventually(lambda: _has_ended(resumed, later.session_id))


async def test_a_watch_outlasts_every_failure(issuing: Instance, person: Person) -> None:
    verifier = await given.user(issuing.admin, roles=[user_pb.ROLE_SESSION_VERIFIER])
    tokens = iter(["unknown", verifier.token])

    def token() -> str:
        if not failed:
            failed.append(True)
            raise LookupError("no token yet")
        return next(tokens)

    failed: list[bool] = []
    signed_in = await person.sign_in()
    address = f"127.0.0.1:{issuing.port}"
    async with connect(address, token, plaintext=True) as channel, EndedSessions(channel) as ended:
        await given.eventually(lambda: _is_told(ended))
        await sessions.sign_out(signed_in.client)
        await given.eventually(lambda: _has_ended(ended, signed_in.session_id))


async def test_a_watch_begins_anew_after_the_database_was_restored(
    channel: grpc.aio.Channel, person: Person
) -> None:
    signed_in = await person.sign_in()
    async with EndedSessions(channel, after_cursor=str(2**60)) as ended:
        assert ended.behind == timedelta.max
        await given.eventually(lambda: _is_told(ended))
        await sessions.sign_out(signed_in.client)
        await given.eventually(lambda: _has_ended(ended, signed_in.session_id))

    assert 0 < int(ended.cursor) < 2**60


async def test_ends_are_forgotten_when_their_jwts_have_expired(
    channel: grpc.aio.Channel, person: Person
) -> None:
    first, second = await person.sign_in(), await person.sign_in()
    async with EndedSessions(channel, kept=timedelta(0)) as ended:
        await given.eventually(lambda: _is_told(ended))
        await sessions.sign_out(first.client)
        await given.eventually(lambda: _has_ended(ended, first.session_id))
        await sessions.sign_out(second.client)
        await given.eventually(lambda: _has_ended(ended, second.session_id))

        assert first.session_id not in ended


async def test_answers_to_introspection_are_remembered_for_their_time(
    issuing: Instance, channel: grpc.aio.Channel, person: Person
) -> None:
    signed_in = await person.sign_in()
    remembering = Introspector(channel, cached=timedelta(hours=1))
    asking = Introspector(channel, cached=timedelta(0))
    for introspector in (remembering, asking):
        answer = await introspector.introspect(signed_in.client.token)
        assert answer.session.session_id == signed_in.session_id

    await sessions.sign_out(signed_in.client)

    assert (await remembering.introspect(signed_in.client.token)).active
    assert not (await asking.introspect(signed_in.client.token)).active
