"""Thousands of mutated credentials, and every attack by CBOR: refused for a reason, or verified.

`python -m tests.hostile` sends 200,000 and looks at what they cost, too; times are not asserted
here, where they would be those of whatever else the machine does.
"""

from tests.hostile.credentials import send_attacks, send_mutated
from tests.hostile.target import Target


async def test_every_attack_by_cbor_and_size_is_refused_for_a_reason(target: Target) -> None:
    await target.errors()

    results = await send_attacks(target)

    assert not results.faults
    assert results.outcomes.keys() == {"CREDENTIAL_MALFORMED", "INVALID_FIELDS"}
    assert not await target.errors()


async def test_every_mutated_credential_is_verified_or_refused_for_a_reason(target: Target) -> None:
    await target.errors()

    results = await send_mutated(target, 2000, callers=4, seed=1)

    assert not results.faults
    assert results.outcomes.total() == 2000
    assert results.outcomes["verified"] > 20
    assert results.outcomes["CREDENTIAL_NOT_VERIFIED"] > 20
    assert not await target.errors()
