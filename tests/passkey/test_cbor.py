"""The CBOR of authenticators: accepted values, and refused ones at any depth."""

from typing import Any

import cbor2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.software_authenticator import ES256
from server.passkey.webauthn import cbor
from server.passkey.webauthn.attestation import read_attestation_object
from tests.passkey.attacks import CBOR_ATTACKS, head
from tests.passkey.credentials import (
    EXTENSIONS,
    OBJECT,
    PUBLIC_KEY,
    data_of,
    made,
    refused_at,
    verified,
)

SCALARS = (
    st.integers(-(2**64), 2**64 - 1)
    | st.binary(max_size=300)
    | st.text(max_size=300)
    | st.booleans()
    | st.none()
)
KEYS = st.integers(-(2**64), 2**64 - 1) | st.text(max_size=40)
VALUES = SCALARS | st.lists(SCALARS, max_size=4) | st.dictionaries(KEYS, SCALARS, max_size=4)


def test_the_end_of_the_value_is_told_and_what_follows_is_not_looked_at() -> None:
    assert cbor.read(b"\xff\x82\x01\x20\xff", 1, canonical=True) == ([1, -1], 4)


def test_a_problem_is_told_with_its_place() -> None:
    with pytest.raises(cbor.CborError, match=r"^at byte 3: tags are not allowed$"):
        cbor.read(b"\xff\x81\xc1\x01", 1, canonical=True)


def test_four_levels_are_read_and_five_are_not() -> None:
    four, five = b"\x81" * 4 + b"\x01", b"\x81" * 5 + b"\x01"

    assert cbor.read(four, canonical=True) == ([[[[1]]]], 5)
    with pytest.raises(cbor.CborError, match="nested deeper than 4"):
        cbor.read(five, canonical=True)


def test_two_hundred_and_fifty_six_items_are_read_and_one_more_is_not() -> None:
    most, more = [0] * 255, [0] * 256

    assert cbor.read(cbor2.dumps(most), canonical=True)[0] == most
    with pytest.raises(cbor.CborError, match="more than 256 items"):
        cbor.read(cbor2.dumps(more), canonical=True)


@given(statement=st.dictionaries(KEYS, VALUES, max_size=4), canonical=st.booleans())
@settings(derandomize=True, deadline=None)
def test_plain_values_are_read_as_the_library_reads_them(
    statement: dict[Any, Any], canonical: bool
) -> None:
    members = {"fmt": "x", "attStmt": statement, "authData": b"data"}
    encoded = cbor2.dumps(members, canonical=canonical)

    assert cbor.read(encoded, canonical=False) == (members, len(encoded))
    assert read_attestation_object(encoded) == ("x", b"data")


def test_lengths_that_are_too_long_are_the_browsers_own_affair() -> None:
    text = [head(3, len(name)) + name.encode() for name in ("authData", "attStmt", "fmt", "x")]
    encoded = b"\xa3" + text[0] + head(2, 1) + b"\1" + text[1] + head(5, 0) + text[2] + text[3]

    assert read_attestation_object(encoded) == ("x", b"\1")


@pytest.mark.parametrize(
    ("encoded", "problem"),
    [
        (b"\xa2\x01\x02\x01\x02", "the same key twice"),
        (b"\xa2\x20\x02\x01\x02", "negative before positive"),
        (b"\xa2\x61a\x01\x01\x02", "text before number"),
        (b"\xa2\x62aa\x01\x61b\x02", "longer before shorter"),
        (b"\xa2\x61b\x01\x61a\x02", "b before a"),
        (b"\xa1\x18\x17\x01", "23 in two bytes"),
        (b"\xa1\x19\x00\xff\x01", "255 in three bytes"),
        (b"\xa1\x1a\x00\x00\xff\xff\x01", "65535 in five bytes"),
        (b"\xa1\x1b\x00\x00\x00\x00\xff\xff\xff\xff\x01", "2**32 - 1 in nine bytes"),
        (b"\xb8\x01\x01\x02", "a map with a long head"),
        (b"\xa1\x01\x58\x01x", "a byte string with a long head"),
    ],
)
def test_what_the_authenticator_writes_must_be_canonical(encoded: bytes, problem: str) -> None:
    extended = data_of(extensions={})[:-1] + encoded

    assert refused_at(public_key=encoded) == PUBLIC_KEY, problem
    assert refused_at(data=extended) == EXTENSIONS, problem


@pytest.mark.parametrize(
    "value",
    [
        {
            1: 23,
            24: 255,
            256: 65535,
            65536: 2**32 - 1,
            2**32: 2**64 - 1,
            -1: "",
            "a": b"",
            "aa": 0,
        },
        {"uvm": [[1, 2, 3], [4, 5, 6]]},
        {"credBlob": False, "hmac-secret": None},
        {},
    ],
)
def test_canonical_extensions_are_accepted(value: dict[Any, Any]) -> None:
    assert verified(made(extensions=value)).algorithm == ES256


@pytest.mark.parametrize("attack", CBOR_ATTACKS.values(), ids=CBOR_ATTACKS.keys())
def test_expensive_or_ambiguous_cbor_is_malformed_wherever_it_stands(attack: bytes) -> None:
    """For each, the library needed milliseconds to a minute, or it is not CTAP2 canonical CBOR."""
    statement = b"\xa3\x63fmt\x64none\x67attStmt\xa1\x61x" + attack + b"\x68authData\x40"
    extensions = data_of(extensions={})[:-1] + b"\xa1\x61x" + attack

    assert refused_at(attestation_object=attack).startswith(OBJECT)
    assert refused_at(attestation_object=statement) == OBJECT
    assert refused_at(public_key=attack) == PUBLIC_KEY
    assert refused_at(public_key=b"\xa1\x01" + attack) == PUBLIC_KEY
    assert refused_at(data=extensions) == EXTENSIONS
