"""Methods that need a recent sign-in of callers with a session, read from the schema."""

from functools import reduce
from typing import Any

import asyncpg
import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass

from bridge.json.routing import routes_of
from keystead.options.v1 import options_pb2
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.passkey import ceremonies
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.transports import Call, Transports, authorization

_GUARDED = {
    method.name: method
    for method in given.METHODS
    if method.GetOptions().Extensions[options_pb2.access].recent_sign_in
}
_REQUIRED = (grpc.StatusCode.UNAUTHENTICATED, "REAUTHENTICATION_REQUIRED")


def _request(name: str, user_id: str) -> Any:
    """A request for this user, and for unknown objects otherwise."""
    request: Any = GetMessageClass(_GUARDED[name].input_type)()
    routes = routes_of([_GUARDED[name].containing_service.full_name])
    for path in next(route.variables for route in routes if route.method.name == name):
        *parents, field = path.split(".")
        if field != "role":
            setattr(reduce(getattr, parents, request), field, "unknown")
    if name == "PatchUser":
        request.user.user_id = user_id
    elif "user_id" in request.DESCRIPTOR.fields_by_name:
        request.user_id = user_id
    if name in ("GrantRole", "RevokeRole"):
        request.role = user_pb.ROLE_ORG_OWNER
    return request


@pytest.fixture(scope="module")
async def owner(instance: Instance) -> SignedIn:
    """An instance owner, who may call every method."""
    roles = [user_pb.ROLE_INSTANCE_OWNER]
    return await sessions.signed_in(instance.admin, roles=roles)


async def _target(name: str, owner: SignedIn, admin: Client) -> str:
    """The user of a request: the caller itself, unless the call would remove it."""
    return (await given.user(admin)).user_id if name == "RemoveUser" else owner.person.user_id


@pytest.mark.parametrize("name", sorted(_GUARDED))
async def test_an_old_sign_in_is_not_enough(
    admin: Client, transports: Transports, sql: asyncpg.Connection, owner: SignedIn, name: str
) -> None:
    await sessions.set_sign_in(sql, owner, minutes=10)
    request = _request(name, await _target(name, owner, admin))

    answer = await transports.one_answer(
        Call(_GUARDED[name], request, authorization(owner.client.token))
    )
    by_service_token = owner.person.client.invoke(_GUARDED[name], request)

    assert (answer.refusal.code, answer.refusal.reason) == _REQUIRED
    assert await by_service_token.code() is not grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize("name", sorted(_GUARDED))
async def test_a_recent_sign_in_is_enough(
    admin: Client, sql: asyncpg.Connection, owner: SignedIn, name: str
) -> None:
    request = _request(name, await _target(name, owner, admin))
    await sessions.set_sign_in(sql, owner, minutes=9, seconds=50)

    call = owner.client.invoke(_GUARDED[name], request)

    assert await call.code() is not grpc.StatusCode.UNAUTHENTICATED


async def test_who_lacks_the_permission_is_not_asked_to_sign_in(
    signed_in: SignedIn, sql: asyncpg.Connection
) -> None:
    await sessions.set_sign_in(sql, signed_in, minutes=11)

    call = signed_in.client.invoke(_GUARDED["AddSMTPConfig"], _request("AddSMTPConfig", ""))

    assert await call.code() is grpc.StatusCode.PERMISSION_DENIED


async def test_a_reauthentication_makes_the_sign_in_recent(
    signed_in: SignedIn, sql: asyncpg.Connection
) -> None:
    await sessions.set_sign_in(sql, signed_in, hours=2)
    assert await given.outcome(ceremonies.begin(signed_in.client)) == _REQUIRED[1]

    options = await sessions.start_reauthentication(signed_in.client)
    answer = await sessions.reauthenticate(signed_in.client, signed_in.person.assertion(options))

    assert await ceremonies.begin(
        signed_in.client.with_token(answer.session_token, signed_in.person.user_id)
    )


# Reauthentication


@pytest.mark.parametrize("user_handle", [None, b""], ids=["none", "empty"])
async def test_a_reauthentication_names_the_passkeys_of_the_user(
    admin: Client, user_handle: bytes | None
) -> None:
    """Safari sends an empty one for security keys (https://bugs.webkit.org/show_bug.cgi?id=239737)."""
    person = await sessions.person(admin)
    other = await sessions.with_passkey(person.client)
    signed_in = await person.sign_in()

    options = await sessions.start_reauthentication(signed_in.client)

    allowed = options["allowCredentials"]
    assert [each["transports"] for each in allowed] == [["internal", "hybrid"]] * 2
    answer = await sessions.reauthenticate(
        signed_in.client, other.assertion(options, user_handle=user_handle)
    )
    renewed = await sessions.current(signed_in.client.with_token(answer.session_token))
    assert renewed.passkey_id == other.passkey_id


async def test_a_reauthentication_by_another_user_is_refused(
    signed_in: SignedIn, admin: Client
) -> None:
    other = await sessions.person(admin)
    options = await sessions.start_reauthentication(signed_in.client)

    refusal = await given.refusal(
        sessions.reauthenticate(signed_in.client, other.assertion(options))
    )

    assert refusal.reason == "SIGN_IN_FAILED"


async def test_a_challenge_is_of_one_session_and_purpose(instance: Instance, admin: Client) -> None:
    person = await sessions.person(admin)
    signed_in, other = await person.sign_in(), await person.sign_in()
    of_the_other = await sessions.start_reauthentication(other.client)
    of_a_sign_in = await sessions.start(person.client)

    for options in (of_the_other, of_a_sign_in):
        refusal = await given.refusal(
            sessions.reauthenticate(signed_in.client, person.assertion(options))
        )
        assert refusal.reason == "SIGN_IN_FAILED"


async def test_a_session_that_has_ended_is_not_renewed(
    signed_in: SignedIn, sql: asyncpg.Connection
) -> None:
    options = await sessions.start_reauthentication(signed_in.client)
    # Directly in the database: the server caches the caller.
    await sql.execute("delete from sessions where session_id = $1", signed_in.session_id)

    refusal = await given.refusal(
        sessions.reauthenticate(signed_in.client, signed_in.person.assertion(options))
    )

    assert refusal.code is grpc.StatusCode.UNAUTHENTICATED
    assert refusal.reason == "UNAUTHENTICATED"
