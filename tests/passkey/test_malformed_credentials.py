"""Malformed credentials, which are refused before the `webauthn` library reads them."""

import json
from typing import Any

import cbor2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.software_authenticator import b64
from server.passkey.webauthn.attestation import read_attestation_object
from server.passkey.webauthn.authenticator_data import read_attested_data
from server.passkey.webauthn.client_data import read_client_data
from server.passkey.webauthn.credential import (
    ATTESTATION_OBJECT_MAX_BYTES,
    CLIENT_DATA_MAX_BYTES,
)
from server.passkey.webauthn.members import decode_base64url
from tests.passkey.credentials import (
    CHALLENGE,
    DATA,
    EXTENSIONS,
    OBJECT,
    ORIGIN,
    PUBLIC_KEY,
    STATEMENT,
    data_of,
    made,
    malformed_at,
    read,
    refused_at,
    verified,
)

CLIENT_DATA = "response.clientDataJSON"


def test_another_id_than_the_attested_one_is_malformed() -> None:
    other = b64(b"somebody else's")
    credential = made() | {"id": other, "rawId": other}

    assert malformed_at(verified, credential) == "id"


@pytest.mark.parametrize("length", [1, 1023])
def test_the_shortest_and_the_longest_id_are_accepted(length: int) -> None:
    assert verified(made(credential_id=bytes(length))).credential_id == bytes(length)


@pytest.mark.parametrize("length", [0, 1024, 60_000])
def test_an_id_outside_the_limits_is_malformed(length: int) -> None:
    other = b64(b"another id")
    credential = made(credential_id=bytes(length))

    assert malformed_at(read, credential) == "id"
    credential |= {"id": other, "rawId": other}
    assert malformed_at(verified, credential) == f"{DATA}.credentialId"


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("platform", "platform"),
        ("cross-platform", "cross-platform"),
        ("brain", ""),
        (None, ""),
    ],
)
def test_an_unknown_attachment_counts_as_none(value: str | None, kept: str) -> None:
    credential = made() | {"authenticatorAttachment": value}

    assert read(credential).attachment == kept


def test_an_attachment_that_is_not_text_is_malformed() -> None:
    credential = made() | {"authenticatorAttachment": 1.0}

    assert malformed_at(read, credential) == "authenticatorAttachment"


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (["usb", "telepathy", "usb"], ("usb", "telepathy")),
        (["x" * 32] * 16, ("x" * 32,)),
        ([], ()),
        (None, ()),
    ],
)
def test_unknown_transports_are_kept_and_doubled_ones_are_not(
    value: object, kept: tuple[str, ...]
) -> None:
    credential = made()
    credential["response"]["transports"] = value

    assert read(credential).response.transports == kept


@pytest.mark.parametrize(
    "value", ["usb", {}, 7.0, ["x" * 33], [""], ["usb"] * 17, [1.0], ["nul\0"], ["ü"], ["a\n"]]
)
def test_transports_that_cannot_be_stored_are_malformed(value: object) -> None:
    credential = made()
    credential["response"]["transports"] = value

    assert malformed_at(read, credential) == "response.transports"


@given(value=st.binary(max_size=64), padded=st.booleans(), standard=st.booleans())
@settings(derandomize=True, deadline=None)
def test_every_value_is_read_in_all_four_spellings(
    value: bytes, padded: bool, standard: bool
) -> None:
    text = b64(value)
    if standard:
        text = text.replace("-", "+").replace("_", "/")
    if padded:
        text += "=" * (-len(text) % 4)

    assert decode_base64url(text, max_bytes=64) == value


@pytest.mark.parametrize(
    "text",
    [
        "A",
        "AAAAA",
        "AA A",
        "AAA\n",
        "AAAA\n",
        "\nAAAA",
        "AA=",
        "AA===",
        "AAA==",
        "AAAA=",
        "=",
        "A=A=",
        "AB",
        "AAB",
        "-+AA",
        "_/AA",
        "AA!A",
        "AÀAA",
        "AA\x00A",
        "AA%3D%3D",
    ],
)
def test_text_that_is_not_base64url_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="base64url"):
        decode_base64url(text, max_bytes=64)


@pytest.mark.parametrize("size", [1, 2, 3, 1023, 1024])
def test_the_size_limit_is_exact(size: int) -> None:
    full, larger = b64(bytes(size)), b64(bytes(size + 1))

    assert decode_base64url(full, max_bytes=size) == bytes(size)
    with pytest.raises(ValueError, match=f"at most {size} bytes"):
        decode_base64url(larger, max_bytes=size)


def test_the_members_of_a_response_have_their_limits() -> None:
    client_data = b" " * (CLIENT_DATA_MAX_BYTES + 1)
    attestation_object = bytes(ATTESTATION_OBJECT_MAX_BYTES + 1)

    assert refused_at(client_data=client_data) == CLIENT_DATA
    assert refused_at(attestation_object=attestation_object) == OBJECT


MEMBERS: dict[str, Any] = {
    "type": "webauthn.create",
    "challenge": b64(CHALLENGE),
    "origin": ORIGIN,
    "crossOrigin": False,
}


def test_members_of_client_data_that_browsers_add_are_ignored() -> None:
    more = {"other_keys_can_be_added_here": "do not compare", "tokenBinding": {}}

    client_data = read_client_data(json.dumps(MEMBERS | more).encode())

    assert client_data.model_dump() == {
        "type": "webauthn.create",
        "challenge": CHALLENGE,
        "origin": ORIGIN,
        "cross_origin": False,
        "top_origin": None,
    }


@pytest.mark.parametrize(
    ("encoded", "problem"),
    [
        (json.dumps(MEMBERS).encode("utf-16"), "UTF-16"),
        (json.dumps(MEMBERS).encode("utf-32-le"), "UTF-32 without a mark"),
        (b"\xef\xbb\xbf" + json.dumps(MEMBERS).encode("utf-8-sig"), "two byte order marks"),
        (json.dumps(MEMBERS).encode()[:-1] + b"\xff}", "not UTF-8 outside a string"),
        (b'{"\xfe": 1, "\xff": 2}', "twice, once decoded"),
        (json.dumps(MEMBERS).encode()[:-1] + b', "origin": "https://b.example"}', "twice"),
        (b'{"a": {"b": 1, "b": 2}}', "twice, further down"),
        (b'{"type": NaN}', "NaN"),
        (b'{"type": -Infinity}', "infinity"),
        (b'{"type": ' + b"1" * 5000 + b"}", "a number of 5000 digits"),
        (b"[" * 16_000, "nested"),
        (b'{"a":' * 3000 + b"1" + b"}" * 3000, "nested and complete"),
        (b"", "empty"),
        (b"[]", "list"),
        (b"null", "null"),
        (b"{} {}", "two"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_client_data_that_readers_could_understand_differently_is_malformed(
    encoded: bytes, problem: str
) -> None:
    assert malformed_at(read_client_data, encoded) == CLIENT_DATA, problem


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("type", None),
        ("type", 1),
        ("origin", None),
        ("origin", ["https://a.example"]),
        ("challenge", None),
        ("challenge", "AA=A"),
        ("challenge", "A" * 4096),
        ("challenge", "AA=="),
        ("challenge", "+/+/"),
        ("crossOrigin", None),
        ("crossOrigin", 1),
        ("crossOrigin", "false"),
        ("topOrigin", 0),
    ],
)
def test_a_member_of_client_data_of_the_wrong_type_is_malformed(name: str, wrong: object) -> None:
    encoded = json.dumps(MEMBERS | {name: wrong}).encode()

    assert malformed_at(read_client_data, encoded) == f"{CLIENT_DATA}.{name}"


@pytest.mark.parametrize(
    ("encoded", "decoded"),
    # As "UTF-8 decode" of the Encoding Standard does.
    [
        (b"\xff", "\ufffd"),
        (b"\xc0\xaf", "\ufffd" * 2),
        (b"\xed\xa0\x80", "\ufffd" * 3),
        (b"\xf0\x9f\x92", "\ufffd"),
        (b"\xef\xbb\xbf", "\ufeff"),
    ],
)
def test_bytes_that_are_not_utf_8_are_replaced(encoded: bytes, decoded: str) -> None:
    members = json.dumps(MEMBERS | {"origin": "https://@"}).encode()

    client_data = read_client_data(b"\xef\xbb\xbf" + members.replace(b"@", encoded))

    assert client_data.origin == f"https://{decoded}"


@pytest.mark.parametrize("name", ["type", "challenge", "origin"])
def test_a_missing_member_of_client_data_is_malformed(name: str) -> None:
    members = {key: value for key, value in MEMBERS.items() if key != name}

    encoded = json.dumps(members).encode()

    assert malformed_at(read_client_data, encoded) == f"{CLIENT_DATA}.{name}"


@pytest.mark.parametrize(
    "encoded",
    [
        cbor2.dumps([]),
        cbor2.dumps({"attStmt": {}, "authData": b""}),
        cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": b""}) + b"\0",
        b"",
    ],
)
def test_an_attestation_object_of_another_shape_is_malformed(encoded: bytes) -> None:
    assert malformed_at(read_attestation_object, encoded).startswith(OBJECT)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"fmt": 1}, f"{OBJECT}.fmt"),
        ({"fmt": b"none"}, f"{OBJECT}.fmt"),
        ({"attStmt": []}, STATEMENT),
        ({"attStmt": None}, STATEMENT),
        ({"authData": "text"}, DATA),
    ],
)
def test_a_member_of_an_attestation_object_of_the_wrong_type_is_malformed(
    change: dict[str, Any], path: str
) -> None:
    encoded = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": b""} | change)

    assert malformed_at(read_attestation_object, encoded) == path


def test_every_flag_is_read() -> None:
    data = read_attested_data(data_of(up=False, uv=True, be=True, bs=True))

    assert (data.user_present, data.user_verified) == (False, True)
    assert (data.backup_eligible, data.backed_up) == (True, True)


def test_attested_data_that_is_cut_at_any_place_is_malformed() -> None:
    data = data_of(extensions={"credProtect": 2})

    for length in range(len(data)):
        path = malformed_at(read_attested_data, data[:length])
        assert path.startswith(DATA)


@pytest.mark.parametrize(
    ("parts", "path"),
    [
        ({"flags": 0x05}, DATA),
        ({"flags": 0x45 | 0x10}, f"{DATA}.flags"),
        ({"flags": 0x45, "extensions": {}}, PUBLIC_KEY),
        ({"flags": 0xC5}, EXTENSIONS),
        ({"extensions": []}, EXTENSIONS),
    ],
)
def test_flags_that_do_not_fit_what_follows_are_malformed(parts: dict[str, Any], path: str) -> None:
    assert refused_at(**parts) == path


def test_bytes_after_the_key_are_malformed() -> None:
    assert refused_at(data=data_of() + b"\0") == PUBLIC_KEY


@pytest.mark.parametrize(
    "key", [7, [], "text", {"kty": 2}, {1: True}, {1: "EC2"}, {1: [2]}, {1: None}]
)
def test_a_key_that_is_no_cose_key_is_malformed(key: object) -> None:
    assert refused_at(public_key=cbor2.dumps(key)) == PUBLIC_KEY


def test_the_key_of_old_eddsa_keys_with_a_wrong_map_size_is_not_repaired() -> None:
    """The library changes this byte, so the stored key would differ from the signed one."""
    broken = bytes.fromhex("a301634f4b500327206745643235353139")

    assert refused_at(public_key=broken + b"\x21\x58\x20" + bytes(32)) == PUBLIC_KEY
