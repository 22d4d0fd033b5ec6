"""VerifyPasskeyRegistration: every reason to refuse a credential or a ceremony."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from itertools import cycle
from secrets import token_bytes
from typing import Any

import asyncpg
import cbor2
import grpc
import pytest

from examples.software_authenticator import ES256, cose_key, generate_key
from server.passkey import ceremony_store
from server.store.database import Database
from server.store.retention import delete_ended
from tests.passkey.ceremonies import Begun, begin, expire, register, remove
from tests.support import given
from tests.support.given import Client
from tests.support.transports import Call, Transports, authorization

VERIFY = given.METHOD["VerifyPasskeyRegistration"]
OBJECT = "response.attestationObject"
EC_KEY = cose_key(generate_key(ES256))
Credential = dict[str, Any]


def _made(**parts: Any) -> Callable[[Begun], Credential]:
    """A credential for the ceremony with these parts."""
    return lambda begun: begun.credential(**parts)


def _with(**members: Any) -> Callable[[Begun], Credential]:
    """A valid credential with these members instead."""
    return lambda begun: begun.credential() | members


# The credential, the reason, and the metadata; one of each kind of refusal. The others are those of
# `test_refused_credentials.py`.
REFUSED: Mapping[str, tuple[Callable[[Begun], Credential], str, dict[str, str]]] = {
    "rpIdHash": (_made(rp_id="evil.example"), "CREDENTIAL_NOT_VERIFIED", {}),
    "user verification": (_made(uv=False), "USER_NOT_VERIFIED", {}),
    "algorithm": (_made(public_key=cbor2.dumps(EC_KEY | {3: -35})), "ALGORITHM_NOT_ALLOWED", {}),
    "attestation format": (_made(format="tpm"), "ATTESTATION_NOT_ALLOWED", {}),
    **{
        f"origin: {origin[:20]}": (_made(origin=origin), "ORIGIN_NOT_ALLOWED", {"origin": origin})
        for origin in ("https://evil.example", "https://é.example/\N{GRINNING FACE}%", "é" * 200)
    },
    "a member": (_with(rawId="AAAA"), "CREDENTIAL_MALFORMED", {"path": "rawId"}),
    "inside of a member": (
        _made(data=bytes(36)),
        "CREDENTIAL_MALFORMED",
        {"path": "response.attestationObject.authData"},
    ),
}


# Refused credentials. The ceremony can still be completed after a failed attempt.


@pytest.mark.parametrize(("credential", "reason", "metadata"), REFUSED.values(), ids=REFUSED.keys())
async def test_a_wrong_credential_is_refused_over_every_transport(
    credential: Callable[[Begun], Credential],
    reason: str,
    metadata: dict[str, str],
    begun: Begun,
    transports: Transports,
) -> None:
    refused = await _refusal(transports, begun, credential(begun))

    assert (refused.code, refused.reason) == (grpc.StatusCode.INVALID_ARGUMENT, reason)
    assert refused.metadata == metadata
    assert list(refused.violations) == [
        f"publicKeyCredential.{path}" for name, path in metadata.items() if name == "path"
    ]
    assert reason != "ORIGIN_NOT_ALLOWED" or "localhost" not in refused.message
    await begun.verify()


async def test_a_credential_of_another_ceremony_of_the_same_user_is_refused(
    user: Client, begun: Begun
) -> None:
    other = await begin(user)

    assert await given.outcome(begun.verify(other.credential())) == "CREDENTIAL_NOT_VERIFIED"
    await begun.verify()


async def test_a_credential_that_somebody_has_already_is_refused(
    other_user: Client, begun: Begun, transports: Transports
) -> None:
    credential_id = token_bytes(32)
    await register(other_user, credential_id=credential_id)

    refused = await _refusal(transports, begun, begun.credential(credential_id=credential_id))

    assert refused.code is grpc.StatusCode.ALREADY_EXISTS
    assert refused.reason == "CREDENTIAL_ALREADY_REGISTERED"
    assert (refused.metadata, refused.resource) == ({}, None)
    assert other_user.user_id not in refused.message
    await begun.verify()


async def test_a_credential_that_the_user_has_already_is_refused_in_spite_of_the_exclude_list(
    user: Client, begun: Begun
) -> None:
    credential_id = token_bytes(32)
    await register(user, credential_id=credential_id)

    refused = await given.refusal(begun.verify(begun.credential(credential_id=credential_id)))

    assert refused.reason == "CREDENTIAL_ALREADY_REGISTERED"


async def _refusal(
    transports: Transports,
    begun: Begun,
    credential: Credential | None = None,
    *,
    by: Client | None = None,
) -> given.Refusal:
    """The refusal of a credential, which must be the same over all transports."""
    headers = authorization((by or begun.caller).token)
    return (await transports.one_answer(Call(VERIFY, begun.request(credential), headers))).refusal


# Only the ceremony of this user and this passkey ID; all others give the same NOT_FOUND.


@pytest.mark.parametrize("passkey_id", ["nope", "01890a5d-ac96-774b-bcce-b302099a8057"])
async def test_an_unknown_passkey_id_is_not_found(passkey_id: str, begun: Begun) -> None:
    refused = await given.refusal(begun.verify(passkey_id=passkey_id))

    _assert_passkey_not_found(passkey_id, refused)


async def test_the_ceremony_of_another_user_is_not_found(other_user: Client, begun: Begun) -> None:
    foreign = await begin(other_user)

    refused = await given.refusal(begun.verify(passkey_id=foreign.passkey_id))

    _assert_passkey_not_found(foreign.passkey_id, refused)


async def test_a_ceremony_that_was_removed_is_not_found(
    user: Client, begun: Begun, transports: Transports
) -> None:
    await remove(user, begun.passkey_id)

    refused = await _refusal(transports, begun)

    _assert_passkey_not_found(begun.passkey_id, refused)


def _assert_passkey_not_found(passkey_id: str, refused: given.Refusal) -> None:
    assert (refused.code, refused.reason) == (grpc.StatusCode.NOT_FOUND, "PASSKEY_NOT_FOUND")
    assert refused.resource == ("passkey", passkey_id)
    assert refused.message == (
        "The user has no such passkey. Find the right id with ListPasskeys, or begin a"
        " registration with RegisterPasskey."
    )


# A ceremony that no credential can complete any more.


async def test_a_ceremony_ends_after_ten_tries_over_any_transport(
    begun: Begun, transports: Transports
) -> None:
    request = begun.request(begun.credential(up=False))
    call = Call(VERIFY, request, authorization(begun.caller.token))
    for _, transport in zip(range(10), cycle(transports.all.values()), strict=False):
        assert (await transport.answer(call)).refusal.reason == "USER_NOT_VERIFIED"

    refused = await _refusal(transports, begun)

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "TOO_MANY_ATTEMPTS"


async def test_a_credential_that_somebody_has_is_a_try_too(
    other_user: Client, begun: Begun
) -> None:
    credential_id = token_bytes(32)
    await register(other_user, credential_id=credential_id)
    known = begun.credential(credential_id=credential_id)
    for _ in range(10):
        await given.refusal(begun.verify(known))

    assert await given.outcome(begun.verify()) == "TOO_MANY_ATTEMPTS"


@pytest.mark.parametrize(
    ("hours", "reason"), [(23, "CHALLENGE_EXPIRED"), (25, "PASSKEY_NOT_FOUND")]
)
async def test_a_ceremony_is_forgotten_a_day_after_it_expired(
    hours: int, reason: str, begun: Begun, rows: asyncpg.Connection, database: Database
) -> None:
    await expire(rows, begun, ago=timedelta(hours=hours))

    await delete_ended(database, ceremony_store.ENDED)

    assert await given.outcome(begun.verify()) == reason


async def test_nine_tries_leave_one_and_other_refusals_are_none(
    admin: Client, other_user: Client, begun: Begun
) -> None:
    for _ in range(9):
        await given.refusal(begun.verify(begun.credential(up=False)))
    for _ in range(10):
        await given.refusal(begun.verify(passkey_name=""))
        await given.refusal(begun.verify(by=admin, user_id=other_user.user_id))

    await begun.verify()
