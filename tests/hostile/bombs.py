"""CBOR and JSON of the largest size, for the places of a credential.

`tests.passkey.attacks.CBOR_ATTACKS` has the small ones.
"""

from typing import Any

import cbor2

# The largest attestation object that fits into a request.
_LARGEST = 700_000


def _head(major: int, argument: int) -> bytes:
    """The head of a CBOR value of this major type, with four bytes for the argument."""
    return bytes([major << 5 | 26]) + argument.to_bytes(4)


# CBOR_ATTACKS in the largest size, and values that expand when they are read.
BOMBS: dict[str, bytes] = {
    "shared references of shared references": b"\xd8\x1c\x82\xd8\x1c\x80\xd8\x1d\x01"
    + b"".join(b"\xd8\x1c\x82\xd8\x1d" + bytes([n % 24, 0xD8, 0x1D, n % 24]) for n in range(100)),
    "fraction of giants": cbor2.dumps(cbor2.CBORTag(30, [2**9000, 3**5000])),
    "tags at full size": b"\xc1" * _LARGEST,
    "deep lists at full size": b"\x81" * _LARGEST,
    "wide list at full size": _head(4, _LARGEST) + b"\x01" * _LARGEST,
    "wide list of empty lists": _head(4, _LARGEST // 2) + b"\x80" * (_LARGEST // 2),
    "text at full size": _head(3, _LARGEST) + b"a" * _LARGEST,
    "bytes at full size": _head(2, _LARGEST) + b"a" * _LARGEST,
    "map of canonical keys": _head(5, _LARGEST // 6)
    + b"".join(b"\x1a" + (n + 2**24).to_bytes(4) + b"\x01" for n in range(_LARGEST // 6)),
    "map of colliding keys at full size": _head(5, _LARGEST // 10)
    + b"".join(
        b"\x1b" + (n * (2**61 - 1) % 2**64).to_bytes(8) + b"\x01" for n in range(_LARGEST // 10)
    ),
}

# Objects of the largest size that are not credentials.
OBJECTS: dict[str, dict[str, Any]] = {
    "a text at full size": {"id": "A" * 1_048_000},
    "a text beyond the BMP at full size": {"id": "💥" * 1_000_000},
    "too large a text": {"id": "A" * 4_000_000},
    "9,990 numbers": {"id": "x" * 60, "values": [1.0] * 9_990},
    "9,990 texts": {"id": "x" * 60, "values": ["é" * 100] * 9_990},
    "9,990 empty objects": {"id": "x" * 60, **{f"member {n}": {} for n in range(9_990)}},
    "9,990 empty lists": {"id": "x" * 60, "values": [[] for _ in range(9_990)]},
    "too many numbers": {"id": "x" * 60, "values": [1.0] * 200_000},
}
