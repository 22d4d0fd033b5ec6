"""Refusals of sign-ins: the same over every transport, and without hints for outsiders."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import grpc
import pytest

from examples.software_authenticator import SoftwareAuthenticator, b64
from keystead.signin.v1 import signin_service_pb2 as pb
from server.crypto.keyring import Keyring, load_keyring
from server.passkey.webauthn.challenge import SIGN_IN, new_challenge, reauthentication
from server.passkey.webauthn.checks import PagePolicy
from tests.passkey.ceremonies import ORIGIN, RP_ID
from tests.session import sessions
from tests.session.sessions import Person
from tests.support import given
from tests.support.given import Client, Instance, Refusal
from tests.support.transports import Call, Transports

_COMPLETE = given.METHOD["CompletePasskeySignIn"]
_POLICY = PagePolicy(rp_id=RP_ID, origins=(ORIGIN,))
_SIGN_IN_FAILED = (grpc.StatusCode.UNAUTHENTICATED, "SIGN_IN_FAILED")
_MALFORMED = (grpc.StatusCode.INVALID_ARGUMENT, "CREDENTIAL_MALFORMED")


@dataclass(frozen=True)
class _World:
    """A person with a passkey, an outsider's authenticator, and the keys of the server."""

    instance: Instance
    transports: Transports
    person: Person
    other: Person
    keyring: Keyring
    options: dict[str, Any]

    async def refused(self, credential: dict[str, Any]) -> Refusal:
        """The refusal of the credential, which must be the same over all transports."""
        request = pb.CompletePasskeySignInRequest(public_key_credential=given.struct(credential))
        return (await self.transports.one_answer(Call(_COMPLETE, request))).refusal

    def challenge(self, **changes: Any) -> str:
        """A challenge as this server makes it."""
        regular: dict[str, Any] = {
            "purpose": SIGN_IN,
            "policy": _POLICY,
            "expires_at": datetime.now(UTC) + timedelta(minutes=5),
        }
        return b64(new_challenge(self.keyring, **regular | changes))

    def signed(self, **parts: Any) -> dict[str, Any]:
        return self.person.assertion(self.options, **parts)


@pytest.fixture
async def world(instance: Instance, transports: Transports) -> _World:
    person, other = await sessions.person(instance.admin), await sessions.person(instance.admin)
    keyring = load_keyring((), instance.data_dir / "encryption.keys")
    return _World(instance, transports, person, other, keyring, await sessions.start(person.client))


def _by_another_passkey(world: _World) -> dict[str, Any]:
    """A valid assertion of another user, with the ID of this user's passkey."""
    credential = world.other.assertion(world.options)
    return credential | {
        "id": b64(world.person.credential_id),
        "rawId": b64(world.person.credential_id),
    }


# One of each kind; `tests/passkey/test_assertion.py` and `test_challenge.py` have the others.
_CASES: dict[str, tuple[Callable[[_World], dict[str, Any]], tuple[grpc.StatusCode, str]]] = {
    "a challenge of nobody": (lambda w: w.signed(challenge=b64(bytes(64))), _SIGN_IN_FAILED),
    "a challenge of nobody in a credential that is damaged further on": (
        lambda w: w.signed(challenge=b64(bytes(64)), data=b"?"),
        _SIGN_IN_FAILED,
    ),
    "a challenge of a reauthentication": (
        lambda w: w.signed(challenge=w.challenge(purpose=reauthentication("session"))),
        _SIGN_IN_FAILED,
    ),
    "an expired challenge": (
        lambda w: w.signed(challenge=w.challenge(expires_at=datetime.now(UTC))),
        (grpc.StatusCode.FAILED_PRECONDITION, "CHALLENGE_EXPIRED"),
    ),
    "another passkey": (_by_another_passkey, _SIGN_IN_FAILED),
    "an unknown passkey": (
        lambda w: w.signed(
            credential_id=b"unknown",
            key=w.person.authenticator.credentials[w.person.credential_id],
        ),
        (grpc.StatusCode.UNAUTHENTICATED, "PASSKEY_UNKNOWN"),
    ),
    "another origin": (
        lambda w: w.signed(origin="https://evil.test"),
        (grpc.StatusCode.INVALID_ARGUMENT, "ORIGIN_NOT_ALLOWED"),
    ),
    "no user verification": (
        lambda w: w.signed(uv=False),
        (grpc.StatusCode.INVALID_ARGUMENT, "USER_NOT_VERIFIED"),
    ),
    "short authenticator data": (lambda w: w.signed(data=bytes(36)), _MALFORMED),
    "nothing": (
        lambda _: {},
        (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELDS"),
    ),
}


@pytest.mark.parametrize("case", _CASES)
async def test_a_sign_in_that_is_not_right_is_refused(world: _World, case: str) -> None:
    make, expected = _CASES[case]

    refusal = await world.refused(make(world))

    assert (refusal.code, refusal.reason) == expected
    assert await sessions.listed(world.person.client) == []


async def test_anonymous_callers_cannot_tell_why_a_sign_in_failed(world: _World) -> None:
    messages = {
        (await world.refused(make(world))).message
        for make, expected in _CASES.values()
        if expected == _SIGN_IN_FAILED
    }

    assert len(messages) == 1


@pytest.mark.parametrize("size", [16 * 1024 + 1, 1024 * 1024])
async def test_of_a_request_16_kib_are_read(world: _World, size: int) -> None:
    refusal = await world.refused({"padding": "x" * size})

    assert refusal.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refusal.reason == "MESSAGE_TOO_LARGE"


async def test_a_token_is_not_looked_at(world: _World) -> None:
    """An expired token does not prevent its holder from signing in."""
    caller = world.person.client.with_token("no token")

    answer = await caller.call(caller.sign_ins.StartPasskeySignIn, pb.StartPasskeySignInRequest())

    assert answer.public_key_credential_request_options["rpId"] == RP_ID


# The sign count


async def _sign_count(rows: asyncpg.Connection, person: Person) -> int:
    return await rows.fetchval(
        "select sign_count from passkeys where passkey_id = $1", person.passkey_id
    )


async def test_a_device_bound_passkey_whose_counter_stands_still_is_refused_and_recorded(
    admin: Client, sql: asyncpg.Connection
) -> None:
    person = await sessions.with_passkey(await given.user(admin), sign_count=5)
    options = await sessions.start(person.client)
    credential = person.assertion(options, sign_count=5)

    refusal = await given.refusal(sessions.complete(person.client, credential))
    again = await given.refusal(sessions.complete(person.client, credential))

    assert (refusal.code, refusal.reason) == _SIGN_IN_FAILED
    assert again.reason == "CHALLENGE_USED"
    [event] = await given.logged(sql, person.user_id, "user.passkey_clone_suspected")
    counts = {"stored_sign_count": 5, "received_sign_count": 5}
    assert event["payload"] == {"passkey_id": person.passkey_id, **counts}
    assert await _sign_count(sql, person) == 5


async def test_a_counter_that_goes_up_is_stored(admin: Client, sql: asyncpg.Connection) -> None:
    person = await sessions.with_passkey(await given.user(admin), sign_count=5)

    await person.sign_in(sign_count=9)

    assert await _sign_count(sql, person) == 9


async def test_a_synchronized_passkey_may_count_back_which_is_recorded(
    admin: Client, sql: asyncpg.Connection
) -> None:
    person = await sessions.with_passkey(await given.user(admin), be=True, sign_count=5)

    await person.sign_in(be=True, sign_count=3)

    assert await _sign_count(sql, person) == 5
    [event] = await given.logged(sql, person.user_id, "user.session_started")
    assert event["payload"]["sign_count_went_back"] is True


async def test_a_flag_of_backup_eligibility_that_changed_is_accepted_and_recorded(
    admin: Client, sql: asyncpg.Connection
) -> None:
    person = await sessions.person(admin)

    await person.sign_in(be=True)

    [event] = await given.logged(sql, person.user_id, "user.session_started")
    assert event["payload"]["backup_eligible_changed"] is True


async def test_a_passkey_of_another_relying_party_is_unknown(
    admin: Client, sql: asyncpg.Connection
) -> None:
    person = await sessions.person(admin)
    await sql.execute(
        "update passkeys set rp_id = 'other.test' where passkey_id = $1", person.passkey_id
    )

    assert await given.outcome(person.sign_in()) == "PASSKEY_UNKNOWN"


async def test_an_outsider_with_an_authenticator_of_its_own_is_unknown(admin: Client) -> None:
    person = await sessions.person(admin)
    outsider = SoftwareAuthenticator()
    options = await sessions.start(person.client)
    registered = {
        "user": {"id": b64(b"x" * 64)},
        "rp": {"id": RP_ID},
        "challenge": b64(bytes(32)),
        "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
    }
    outsider.create(registered, origin=ORIGIN)
    [credential_id] = outsider.credentials

    refusal = await given.refusal(
        sessions.complete(
            person.client, outsider.get(options, origin=ORIGIN, credential_id=credential_id)
        )
    )

    assert refusal.reason == "PASSKEY_UNKNOWN"
