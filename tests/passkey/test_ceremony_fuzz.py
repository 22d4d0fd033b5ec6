"""Whatever bytes a client sends, a registration ends verified or with one of the six reasons.

Mutations come from a seed, keys and certificates are new in each run. Run the file as a script,
with a number of rounds, to search further and to see the slowest call: `python -m
tests.passkey.test_ceremony_fuzz 100000`.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any

import cbor2
import pytest

from server.errors import Failure, Kind
from server.passkey.ceremony import Policy, creation_options, verify_registration
from tests.software_authenticator import (
    EDDSA,
    ES256,
    RS256,
    SoftwareAuthenticator,
    attestation_certificate,
    b64,
    unb64,
)

CHALLENGE = bytes(range(32))
ORIGIN = "https://login.example.org"
POLICY = Policy("example.org", "Example", (ORIGIN,))
OPTIONS = creation_options(
    policy=POLICY,
    challenge=CHALLENGE,
    user_handle=b"handle",
    user_name="ada",
    user_display_name="Ada",
    exclude=[],
    timeout=timedelta(minutes=5),
)
REASONS = {
    "CREDENTIAL_MALFORMED",
    "CREDENTIAL_NOT_VERIFIED",
    "ORIGIN_NOT_ALLOWED",
    "USER_NOT_VERIFIED",
    "ALGORITHM_NOT_ALLOWED",
    "ATTESTATION_NOT_ALLOWED",
}
SHAPES: tuple[dict[str, Any], ...] = (
    {"algorithm": EDDSA, "attestation": "packed"},
    {"algorithm": ES256, "attestation": "none", "extensions": {"credProtect": 2}},
    {"algorithm": ES256, "attestation": "packed", "be": True, "bs": True},
    {"algorithm": ES256, "attestation": "packed-x5c"},
    {"algorithm": ES256, "attestation": "fido-u2f"},
    {"algorithm": RS256, "attestation": "packed"},
    {"algorithm": RS256, "attestation": "none"},
)
# Bytes that mean something in CBOR, DER, UTF-8 or as a length.
TELLING = bytes.fromhex("00 01 02 03 18 1b 1c 1f 30 40 58 5f 7f 80 81 9f a1 bf c2 d8 f5 f6 f7 fb ff")
# Values of every type that `google.protobuf.Struct` can give, and what strings can hold at worst.
STRANGE: tuple[Any, ...] = (
    *(None, True, 0.0, -1.5, float("nan"), float("inf"), [], {}, [[]], {"": ""}, "", "=", "A"),
    *("\0", "\ud800", "AAAA", "A" * 100_000, "=" * 100_000, "\u202e", b64(b"\x81" * 30_000)),
)
STATEMENT_VALUES: tuple[Any, ...] = (
    *(None, True, 0, 1, -7, -8, -36, -37, -257, -65535, -(2**64), 2**64 - 1, b"", b"\0", "", "x"),
    *([], {}, [b""], [[]], [None], [b"0"], [attestation_certificate()[1]], b"0\x82\xff\xff"),
)


def mutated(value: bytes, random: Random) -> bytes:
    """The value with one to four bytes changed, put in, taken out or moved."""
    changed = bytearray(value)
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(changed) + 1)
        match random.randrange(6):
            case 0:
                changed[at : at + 1] = bytes([random.choice(TELLING)])
            case 1:
                changed[at : at + 1] = random.randbytes(1)
            case 2:
                changed[at:at] = random.randbytes(random.randint(1, 9))
            case 3:
                del changed[at : at + random.randint(1, 9)]
            case 4:
                start = random.randrange(len(changed) + 1)
                changed[at:at] = changed[start : start + random.randint(1, 40)]
            case _:
                del changed[at:]
    return bytes(changed)


def with_statement(credential: dict[str, Any], members: dict[str, Any]) -> None:
    credential["response"]["attestationObject"] = b64(cbor2.dumps(members))


def mutate(credential: dict[str, Any], random: Random) -> dict[str, Any]:
    """A copy of the credential, broken in one place somewhere between the surface and the core."""
    response = dict(credential["response"])
    credential = credential | {"response": response}
    members = cbor2.loads(unb64(response["attestationObject"]))
    # Half of them leave everything outside the statement intact, so that they get to the library.
    match random.choice([0, 1, 2, 3, 3, 4, 4, 4, 5, 5, 5, 6]):
        case 0:
            target = random.choice([credential, response])
            target[random.choice(list(target))] = random.choice(STRANGE)
        case 1:
            response["clientDataJSON"] = b64(mutated(unb64(response["clientDataJSON"]), random))
        case 2:
            encoded = mutated(unb64(response["attestationObject"]), random)
            response["attestationObject"] = b64(encoded)
        case 3:
            with_statement(credential, members | {"authData": mutated(members["authData"], random)})
        case 4:
            name = random.choice(["alg", "sig", "x5c", "ver", "response"])
            statement = members["attStmt"] | {name: random.choice(STATEMENT_VALUES)}
            with_statement(credential, members | {"attStmt": statement})
        case 5:
            certificate = mutated(attestation_certificate()[1], random)
            statement = members["attStmt"] | {"x5c": [certificate]}
            with_statement(credential, members | {"attStmt": statement})
        case _:  # 6
            name = random.choice(["id", "rawId"])
            credential[name] = mutated(credential[name].encode(), random).decode("latin-1")
    return credential


def outcome(credential: dict[str, Any]) -> str:
    """The reason it was refused for, or `verified`. Anything but a `Failure` gets out of here."""
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
        text.encode("utf-8")  # protobuf refuses to send anything else
    return failure.reason


def mutations(rounds: int, seed: int) -> Iterator[dict[str, Any]]:
    random = Random(seed)  # noqa: S311 -- a repeatable choice of mutations, no secret
    bases = [SoftwareAuthenticator().create(OPTIONS, origin=ORIGIN, **shape) for shape in SHAPES]
    for _ in range(rounds):
        yield mutate(random.choice(bases), random)


# `cryptography` warns about certificates that it may refuse one day; pytest makes that an
# exception.
@pytest.mark.filterwarnings("default::cryptography.utils.CryptographyDeprecationWarning")
@pytest.mark.parametrize("seed", range(4))
def test_a_mutated_credential_ends_with_a_reason(seed: int) -> None:
    outcomes = Counter(outcome(credential) for credential in mutations(2000, seed))

    assert set(outcomes) <= REASONS | {"verified"}
    assert outcomes["CREDENTIAL_MALFORMED"] > 1000
    assert outcomes["CREDENTIAL_NOT_VERIFIED"] > 20
    assert outcomes["verified"] > 20


@pytest.mark.parametrize("seed", range(4))
def test_random_bytes_are_malformed(seed: int) -> None:
    random = Random(seed)  # noqa: S311 -- as above
    base = SoftwareAuthenticator().create(OPTIONS, origin=ORIGIN, algorithm=ES256)
    for size in range(200):
        for name in ("clientDataJSON", "attestationObject"):
            response = base["response"] | {name: b64(random.randbytes(size))}

            assert outcome(base | {"response": response}) == "CREDENTIAL_MALFORMED"


def measure(rounds: int) -> None:
    """Print how the mutations end and the slowest of all calls."""
    outcomes: Counter[str] = Counter()
    slowest = total = 0.0
    for credential in mutations(rounds, seed=time.time_ns()):
        started = time.perf_counter()
        outcomes[outcome(credential)] += 1
        taken = time.perf_counter() - started
        slowest, total = max(slowest, taken), total + taken
    mean = total / rounds
    sys.stdout.write(f"{outcomes}\nmean {mean * 1e3:.3f} ms, slowest {slowest * 1e3:.3f} ms\n")


if __name__ == "__main__":
    measure(int(sys.argv[1]))
