"""Introspection: the answer to a service that has got a session token."""

from datetime import timedelta

import asyncpg
import grpc
import pytest

from keystead.session.v1 import session_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.access.tokens import TokenKind, new_token
from tests.session import sessions
from tests.session.sessions import SignedIn, introspect
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.transports import Call, Transports, authorization

_INACTIVE = pb.IntrospectSessionResponse()


@pytest.fixture
async def verifier(admin: Client) -> Client:
    return await given.user(admin, roles=[user_pb.ROLE_SESSION_VERIFIER])


async def test_a_service_learns_whose_session_it_is(
    org_id: str, admin: Client, verifier: Client
) -> None:
    signed_in = await sessions.signed_in(admin, org_id=org_id, name="Mia")

    found = await introspect(verifier, signed_in)

    session = await sessions.current(signed_in.client)
    assert found == pb.IntrospectSessionResponse(
        active=True,
        session=pb.IntrospectedSession(
            session_id=signed_in.session_id,
            authenticated_at=session.authenticated_at,
            expires_at=signed_in.answer.expires_at,
            idle_expires_at=session.idle_expires_at,
        ),
        user=pb.IntrospectedUser(
            user_id=signed_in.person.user_id,
            org_id=org_id,
            user_name="Mia",
            display_name="Mia",
        ),
    )


async def test_every_other_token_is_inactive_and_nothing_more(
    admin: Client, verifier: Client
) -> None:
    person = await sessions.person(admin)
    ended = await person.sign_in()
    await sessions.sign_out(ended.client)

    for token in (
        ended.client.token,
        person.client.token,  # valid, but not of a session
        verifier.token,
        new_token(TokenKind.SESSION),
        "kss_",
        "\N{SNOWMAN}",
        "x" * 1000,
    ):
        assert await introspect(verifier, token) == _INACTIVE


@pytest.mark.parametrize(
    "over",
    [
        "update sessions set expires_at = now() where session_id = $1",
        "update session_activity set last_seen_at = now() - interval '1 h' where session_id = $1",
    ],
    ids=["lifetime", "idle"],
)
async def test_an_expired_session_is_inactive(
    signed_in: SignedIn, verifier: Client, sql: asyncpg.Connection, over: str
) -> None:
    await sql.execute(over, signed_in.session_id)

    assert await introspect(verifier, signed_in) == _INACTIVE


async def test_an_introspection_is_a_use_of_the_session(
    signed_in: SignedIn, verifier: Client, sql: asyncpg.Connection
) -> None:
    half = "update session_activity set last_seen_at = now() - interval '30 minutes'"
    await sql.execute(f"{half} where session_id = $1", signed_in.session_id)

    await introspect(verifier, signed_in)

    session = await sessions.current(signed_in.client)
    idle = session.idle_expires_at.ToDatetime() - session.authenticated_at.ToDatetime()
    assert idle >= timedelta(hours=1)


async def test_repeated_introspections_cost_one_look_up(
    signed_in: SignedIn, verifier: Client, sql: asyncpg.Connection
) -> None:
    await introspect(verifier, signed_in)
    # A look-up would find nothing.
    await sql.execute("update sessions set hash = '' where session_id = $1", signed_in.session_id)

    for _ in range(20):
        assert (await introspect(verifier, signed_in)).active


@pytest.mark.parametrize("token", ["", "x" * 1001])
async def test_a_token_that_cannot_be_one_is_refused_without_its_text(
    verifier: Client, token: str
) -> None:
    refused = await given.refusal(introspect(verifier, token))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {"sessionToken"}
    assert "xx" not in repr(refused)


async def test_the_transports_answer_alike(
    signed_in: SignedIn, instance: Instance, verifier: Client
) -> None:
    method = given.METHOD["IntrospectSession"]

    async with Transports.of(instance) as transports:
        for token in (signed_in.client.token, new_token(TokenKind.SESSION), ""):
            await transports.one_answer(
                Call(
                    method,
                    pb.IntrospectSessionRequest(session_token=token),
                    authorization(verifier.token),
                )
            )
