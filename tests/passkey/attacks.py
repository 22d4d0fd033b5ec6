"""Expensive and ambiguous CBOR, and credentials with one wrong part."""

from collections.abc import Iterator
from random import Random
from typing import Any

import cbor2

from examples.software_authenticator import (
    EDDSA,
    ES256,
    RS256,
    SoftwareAuthenticator,
    attestation_certificate,
    b64,
    unb64,
)

REASONS = {
    "CREDENTIAL_MALFORMED",
    "CREDENTIAL_NOT_VERIFIED",
    "ORIGIN_NOT_ALLOWED",
    "USER_NOT_VERIFIED",
    "ALGORITHM_NOT_ALLOWED",
    "ATTESTATION_NOT_ALLOWED",
    "SIGN_IN_FAILED",
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
# Bytes with a meaning in CBOR, DER or UTF-8, or as a length.
TELLING = bytes.fromhex(
    "00 01 02 03 18 1b 1c 1f 30 40 58 5f 7f 80 81 9f a1 bf c2 d8 f5 f6 f7 fb ff"
)
# Values of every type of `google.protobuf.Struct`, and unusual strings.
STRANGE: tuple[Any, ...] = (
    *(None, True, 0.0, -1.5, float("nan"), float("inf"), [], {}, [[]], {"": ""}, "", "=", "A"),
    *("\0", "AAAA", "A" * 100_000, "=" * 100_000, "\u202e", b64(b"\x81" * 30_000)),
)
STATEMENT_VALUES: tuple[Any, ...] = (
    *(None, True, 0, 1, -7, -8, -36, -37, -257, -65535, -(2**64), 2**64 - 1, b"", b"\0", "", "x"),
    *([], {}, [b""], [[]], [None], [b"0"], [attestation_certificate()[1]], b"0\x82\xff\xff"),
)


def mutated(value: bytes, random: Random) -> bytes:
    """The value with one to four bytes changed, inserted, removed or moved."""
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
    """A copy of the credential with one wrong part, at any depth."""
    response = dict(credential["response"])
    credential = credential | {"response": response}
    members = cbor2.loads(unb64(response["attestationObject"]))
    # Half of them change only the attestation statement, so that they reach the library.
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


def mutations(
    options: dict[str, Any], origin: str, rounds: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Credentials that answer the options, each with one wrong part."""
    random = Random(seed)  # noqa: S311 -- a repeatable choice, not cryptography
    bases = [SoftwareAuthenticator().create(options, origin=origin, **shape) for shape in SHAPES]
    for _ in range(rounds):
        yield mutate(random.choice(bases), random)


def head(major: int, argument: int) -> bytes:
    """The longest head for this major type and argument."""
    return bytes([major << 5 | 27]) + argument.to_bytes(8)


# For each, the library needed milliseconds to a minute, or it is not CTAP2 canonical CBOR.
CBOR_ATTACKS = {
    "shared references": b"\xd8\x1c\x82\xd8\x1c\x82\x01\xd8\x1d\x00\xd8\x1d\x00",
    "string references": b"\xd9\x01\x00\x82\x64text\xd8\x19\x00",
    "decimal with a giant exponent": cbor2.dumps(cbor2.CBORTag(4, [2**60, 1])),
    "bigfloat": cbor2.dumps(cbor2.CBORTag(5, [2**60, 1])),
    "fraction": cbor2.dumps(cbor2.CBORTag(30, [1, 3])),
    "bignum": b"\xc2\x59\x40\x00" + b"\xff" * 0x4000,
    "date": b"\xc0\x74" + b"2026-01-01T00:00:00Z",
    "regular expression": cbor2.dumps(cbor2.CBORTag(35, "(a+)+$")),
    "set": cbor2.dumps(cbor2.CBORTag(258, [1, 2])),
    "tag without end": b"\xc1" * 20_000,
    "half float": b"\xf9\x3c\x00",
    "float": b"\xfa\x3f\x80\x00\x00",
    "double": b"\xfb\x3f\xf0" + bytes(6),
    "NaN": b"\xf9\x7e\x00",
    "undefined": b"\xf7",
    "simple value": b"\xf8\xff",
    "break": b"\xff",
    "indefinite bytes": b"\x5f\x41a\xff",
    "indefinite text": b"\x7f\x61a\xff",
    "indefinite list": b"\x9f\x01\xff",
    "indefinite map": b"\xbf\x01\x01\xff",
    "reserved length": b"\x1c",
    "giant list": head(4, 2**64 - 1),
    "giant map": head(5, 2**64 - 1),
    "giant bytes": head(2, 2**64 - 1),
    "giant text": head(3, 2**63),
    "long list": b"\x99\x27\x10" + b"\x01" * 10_000,
    "long map of colliding keys": b"\xb9\x03\xe8"
    + b"".join(b"\x1b" + (n * (2**61 - 1) % 2**64).to_bytes(8) + b"\x01" for n in range(1000)),
    "deep lists": b"\x81" * 20_000,
    "deep maps": b"\xa1\x01" * 20_000,
    "list as key": b"\xa1\x80\x01",
    "map as key": b"\xa1\xa0\x01",
    "bytes as key": b"\xa1\x41a\x01",
    "true as key": b"\xa2\x01\x01\xf5\x01",
    "null as key": b"\xa1\xf6\x01",
    "text that is not UTF-8": b"\x62\xc3\x28",
    "cut short": b"\x82\x01",
    "cut inside a length": b"\x59\x01",
}
