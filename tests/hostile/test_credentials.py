"""Mutated credentials and attacks by size are verified, or refused for a reason.

Thousands more, and every attack by CBOR, are read without a server in
`tests/passkey/test_differential.py` and `test_cbor.py`. `python -m tests.hostile` sends 200,000 and
also checks their cost. These tests assert no times, which depend on the machine.
"""

from tests.hostile.credentials import BOMBS, OBJECTS, send_attacks, send_mutated
from tests.hostile.target import Target


async def test_every_attack_by_size_is_refused_for_a_reason(target: Target) -> None:
    await target.errors()

    results = await send_attacks(target, BOMBS, OBJECTS)

    assert not results.faults
    assert results.outcomes.keys() == {"CREDENTIAL_MALFORMED", "INVALID_FIELDS"}
    assert not await target.errors()


async def test_a_mutated_credential_is_verified_or_refused_for_a_reason(target: Target) -> None:
    await target.errors()

    results = await send_mutated(target, 300, callers=4, seed=1)

    assert not results.faults
    assert results.outcomes.total() == 300
    assert results.outcomes["verified"] > 0
    assert results.outcomes["CREDENTIAL_NOT_VERIFIED"] > 0
    assert not await target.errors()
