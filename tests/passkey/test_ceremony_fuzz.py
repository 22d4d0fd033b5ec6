"""A registration with any bytes is verified or refused for one of the six reasons.

Mutations depend on a seed; keys and certificates are new in each run. Run the file as a script,
with a number of rounds, for more mutations and the time of the slowest call: `python -m
tests.passkey.test_ceremony_fuzz 100000`.
"""

import sys
import time
from collections import Counter
from random import Random
from typing import Any

import pytest

from examples.software_authenticator import b64
from server.passkey.webauthn.registration import verify_registration
from server.values.errors import Failure, Kind
from tests.passkey.attacks import REASONS, mutations
from tests.passkey.credentials import CHALLENGE, ORIGIN, POLICY, made, options


def outcome(credential: dict[str, Any]) -> str:
    """The reason of a refusal, or `verified`. Any exception other than a `Failure` is raised."""
    try:
        verify_registration(credential=credential, expected_challenge=CHALLENGE, policy=POLICY)
    except Failure as raised:
        failure = raised
    else:
        return "verified"
    assert failure.kind is Kind.INVALID_ARGUMENT
    assert failure.log_detail
    assert (failure.reason == "CREDENTIAL_MALFORMED") == ("path" in failure.metadata)
    for text in [*failure.metadata.values(), *(v.description for v in failure.violations)]:
        text.encode("utf-8")  # protobuf sends no other text
    return failure.reason


# `cryptography` warns of certificates that later versions may refuse; pytest raises the warning.
@pytest.mark.filterwarnings("default::cryptography.utils.CryptographyDeprecationWarning")
@pytest.mark.parametrize("seed", range(4))
def test_a_mutated_credential_ends_with_a_reason(seed: int) -> None:
    outcomes = Counter(
        outcome(credential) for credential in mutations(options(), ORIGIN, 2000, seed)
    )

    assert set(outcomes) <= REASONS | {"verified"}
    assert outcomes["CREDENTIAL_MALFORMED"] > 1000
    assert outcomes["CREDENTIAL_NOT_VERIFIED"] > 20
    assert outcomes["verified"] > 20


@pytest.mark.parametrize("seed", range(4))
def test_random_bytes_are_malformed(seed: int) -> None:
    random = Random(seed)  # noqa: S311 -- as above
    base = made()
    for size in range(200):
        for name in ("clientDataJSON", "attestationObject"):
            response = base["response"] | {name: b64(random.randbytes(size))}

            assert outcome(base | {"response": response}) == "CREDENTIAL_MALFORMED"


def measure(rounds: int) -> None:
    """Prints the outcomes of mutations, and the time of the slowest call."""
    outcomes: Counter[str] = Counter()
    slowest = total = 0.0
    for credential in mutations(options(), ORIGIN, rounds, time.time_ns()):
        started = time.perf_counter()
        outcomes[outcome(credential)] += 1
        taken = time.perf_counter() - started
        slowest, total = max(slowest, taken), total + taken
    mean = total / rounds
    sys.stdout.write(f"{outcomes}\nmean {mean * 1e3:.3f} ms, slowest {slowest * 1e3:.3f} ms\n")


if __name__ == "__main__":
    measure(int(sys.argv[1]))
