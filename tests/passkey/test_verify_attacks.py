"""VerifyPasskeyRegistration: whatever is sent as a credential, the answer is one of its own."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import grpc
import pytest

from server.store.database import Database
from server.store.statement import statement
from tests.passkey.attacks import CBOR_ATTACKS, REASONS, mutations
from tests.passkey.ceremonies import ORIGIN, Begun, begin, remove
from tests.passkey.credentials import data_of
from tests.support import given
from tests.support.given import Client

PLACES: dict[str, Callable[[bytes], dict[str, Any]]] = {
    "as the attestation object": lambda attack: {"attestation_object": attack},
    "inside the statement": lambda attack: {
        "attestation_object": b"\xa3\x63fmt\x64none\x67attStmt\xa1\x61x"
        + attack
        + b"\x68authData\x40"
    },
    "as the public key": lambda attack: {"public_key": attack},
    "inside the public key": lambda attack: {"public_key": b"\xa1\x01" + attack},
    "inside the extensions": lambda attack: {
        "data": data_of(extensions={})[:-1] + b"\xa1\x61x" + attack
    },
}


async def _begin_without_end(user: Client, database: Database) -> Begun:
    """A ceremony that no number of tries ends."""
    begun = await begin(user)
    await database.fetch(
        statement(
            "update passkey_ceremonies set attempts = -1000000 where passkey_id = :passkey_id"
        ),
        passkey_id=begun.passkey_id,
    )
    return begun


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
async def test_every_attack_by_cbor_is_malformed(
    place: Callable[[bytes], dict[str, Any]], user: Client, database: Database
) -> None:
    begun = await _begin_without_end(user, database)

    for name, attack in CBOR_ATTACKS.items():
        refused = await given.refusal(begun.verify(begun.credential(**place(attack))))

        assert refused.code is grpc.StatusCode.INVALID_ARGUMENT, name
        assert refused.reason == "CREDENTIAL_MALFORMED", name
    await begun.verify()


# `cryptography` warns of certificates it may refuse one day; pytest makes that an exception.
@pytest.mark.filterwarnings("default::cryptography.utils.CryptographyDeprecationWarning")
async def test_every_mutated_credential_is_verified_or_refused_with_a_reason(
    admin: Client, org_id: str, database: Database
) -> None:
    users = [await given.user(admin, org_id=org_id) for _ in range(4)]

    async def answers(user: Client, seed: int) -> Counter[str]:
        begun = await _begin_without_end(user, database)
        found: Counter[str] = Counter()
        for credential in mutations(begun.options, ORIGIN, 250, seed):
            try:
                call = begun.verify(credential)
            except UnicodeEncodeError:
                continue  # a lone surrogate, which no client can send
            try:
                await call
            except grpc.aio.AioRpcError as error:
                found[given.read_refusal(error).reason] += 1
            else:
                found["verified"] += 1
                await _take_back(begun, database)
        return found

    found = sum(await asyncio.gather(*map(answers, users, range(4))), Counter[str]())

    assert set(found) <= REASONS | {"verified", "INVALID_FIELDS"}
    assert found["CREDENTIAL_MALFORMED"] > 300
    assert found["CREDENTIAL_NOT_VERIFIED"] > 3
    assert found["verified"] > 3


async def _take_back(begun: Begun, database: Database) -> None:
    """Makes a ceremony that was completed pending again."""
    await remove(begun.caller, begun.passkey_id)
    await database.fetch(
        statement(
            "update passkey_ceremonies set verified_at = null where passkey_id = :passkey_id"
        ),
        passkey_id=begun.passkey_id,
    )
