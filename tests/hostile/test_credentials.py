"""Thousands of mutated credentials and every attack by CBOR are verified, or refused for a reason.

`python -m tests.hostile` sends 200,000 and also checks their cost. These tests assert no times,
which depend on the machine.
"""

from tests.hostile.credentials import BOMBS, OBJECTS, send_attacks, send_mutated
from tests.hostile.target import Target
from tests.passkey.attacks import CBOR_ATTACKS


async def test_every_attack_by_cbor_and_size_is_refused_for_a_reason(target: Target) -> None:
    await target.errors()

    attacks = await send_attacks(target, CBOR_ATTACKS, {})
    large = await send_attacks(target, BOMBS, OBJECTS)

    assert not attacks.faults + large.faults
    assert attacks.outcomes.keys() == {"CREDENTIAL_MALFORMED"}
    assert large.outcomes.keys() == {"CREDENTIAL_MALFORMED", "INVALID_FIELDS"}
    assert not await target.errors()


async def test_every_mutated_credential_is_verified_or_refused_for_a_reason(target: Target) -> None:
    await target.errors()

    results = await send_mutated(target, 1000, callers=4, seed=1)

    assert not results.faults
    assert results.outcomes.total() == 1000
    assert results.outcomes["verified"] > 20
    assert results.outcomes["CREDENTIAL_NOT_VERIFIED"] > 20
    assert not await target.errors()
