"""What may not reach the `webauthn` library: all that is not built as the specification has it."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import cbor2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.errors import Failure, Kind
from server.passkey import precheck
from server.passkey.ceremony import Policy, creation_options
from tests.software_authenticator import ES256, SoftwareAuthenticator, b64, unb64

CHALLENGE = bytes(range(32))
ORIGIN = "https://login.example.org"
OBJECT = "response.attestationObject"
DATA = f"{OBJECT}.authData"
KEY = f"{DATA}.credentialPublicKey"
EXTENSIONS = f"{DATA}.extensions"
STATEMENT = f"{OBJECT}.attStmt"
CLIENT_DATA = "response.clientDataJSON"

OPTIONS = creation_options(
    policy=Policy("example.org", "Example", (ORIGIN,)),
    challenge=CHALLENGE,
    user_handle=b"handle",
    user_name="ada",
    user_display_name="Ada",
    exclude=[],
    timeout=timedelta(minutes=5),
)


def made(**parts: Any) -> dict[str, Any]:
    return SoftwareAuthenticator().create(OPTIONS, origin=ORIGIN, algorithm=ES256, **parts)


def malformed_at(read: Callable[..., object], *arguments: Any, **named: Any) -> str:
    """The path of the member for which `read` refuses its arguments."""
    with pytest.raises(Failure) as caught:
        read(*arguments, **named)
    failure = caught.value
    assert (failure.kind, failure.reason) == (Kind.INVALID_ARGUMENT, "CREDENTIAL_MALFORMED")
    path = failure.metadata["path"]
    assert [violation.field for violation in failure.violations] == [f"publicKeyCredential.{path}"]
    assert failure.log_detail.startswith(f"{path}: ")
    return path


def refused_at(**parts: Any) -> str:
    return malformed_at(precheck.read_registration, made(**parts))


def data_of(**parts: Any) -> bytes:
    """Authenticator data as the authenticator makes it."""
    members = cbor2.loads(unb64(made(**parts)["response"]["attestationObject"]))
    data: bytes = members["authData"]
    return data


def head(major: int, argument: int) -> bytes:
    return bytes([major << 5 | 27]) + argument.to_bytes(8)


class TestCredential:
    @pytest.mark.parametrize("wrong", [None, 7.0, True, [], {}])
    @pytest.mark.parametrize("name", ["id", "rawId", "type"])
    def test_a_member_that_is_not_text(self, name: str, wrong: object) -> None:
        assert malformed_at(precheck.read_registration, made() | {name: wrong}) == name

    @pytest.mark.parametrize("wrong", [None, 7.0, True, [], {}])
    @pytest.mark.parametrize("name", ["clientDataJSON", "attestationObject"])
    def test_a_member_of_the_response_that_is_not_text(self, name: str, wrong: object) -> None:
        credential = made()
        credential["response"][name] = wrong

        assert malformed_at(precheck.read_registration, credential) == f"response.{name}"

    @pytest.mark.parametrize("wrong", [None, 7.0, "text", []])
    def test_a_response_that_is_not_an_object(self, wrong: object) -> None:
        assert malformed_at(precheck.read_registration, made() | {"response": wrong}) == "response"

    @pytest.mark.parametrize("name", ["id", "rawId", "type", "response"])
    def test_a_member_that_is_missing(self, name: str) -> None:
        credential = made()
        del credential[name]

        assert malformed_at(precheck.read_registration, credential) == name

    @pytest.mark.parametrize("name", ["id", "rawId"])
    def test_an_id_that_is_not_the_attested_one(self, name: str) -> None:
        credential = made() | {name: b64(b"somebody else's")}

        assert malformed_at(precheck.read_registration, credential) == name

    def test_both_ids_of_somebody_else(self) -> None:
        other = b64(b"somebody else's")
        credential = made() | {"id": other, "rawId": other}

        assert malformed_at(precheck.read_registration, credential) == "id"

    @pytest.mark.parametrize("length", [1, 1023])
    def test_the_shortest_and_the_longest_id_are_accepted(self, length: int) -> None:
        response = precheck.read_registration(made(credential_id=bytes(length)))

        assert response.authenticator_data.credential_id == bytes(length)

    @pytest.mark.parametrize("length", [0, 1024, 60_000])
    def test_an_id_outside_the_limits(self, length: int) -> None:
        assert refused_at(credential_id=bytes(length)) == f"{DATA}.credentialId"

    @pytest.mark.parametrize(
        ("value", "kept"),
        [
            ("platform", "platform"),
            ("cross-platform", "cross-platform"),
            ("brain", None),
            (None, None),
        ],
    )
    def test_an_unknown_attachment_counts_as_none(self, value: str | None, kept: str | None) -> None:
        credential = made() | {"authenticatorAttachment": value}

        assert precheck.read_registration(credential).attachment == kept

    def test_an_attachment_that_is_not_text(self) -> None:
        credential = made() | {"authenticatorAttachment": 1.0}

        assert malformed_at(precheck.read_registration, credential) == "authenticatorAttachment"

    @pytest.mark.parametrize(
        ("value", "kept"),
        [
            (["usb", "telepathy", "usb"], ("usb", "telepathy")),
            (["x" * 32] * 16, ("x" * 32,)),
            ([], ()),
            (None, ()),
        ],
    )
    def test_unknown_transports_are_kept_and_doubled_ones_are_not(self, value: object, kept: tuple[str, ...]) -> None:
        credential = made()
        credential["response"]["transports"] = value

        assert precheck.read_registration(credential).transports == kept

    @pytest.mark.parametrize(
        "value", ["usb", {}, 7.0, ["x" * 33], [""], ["usb"] * 17, [1.0], ["nul\0"], ["ü"], ["a\n"]]
    )
    def test_transports_that_cannot_be_stored(self, value: object) -> None:
        credential = made()
        credential["response"]["transports"] = value

        assert malformed_at(precheck.read_registration, credential) == "response.transports"


class TestBase64:
    @given(value=st.binary(max_size=64), padded=st.booleans(), standard=st.booleans())
    @settings(derandomize=True, deadline=None)
    def test_every_value_is_read_in_all_four_spellings(self, value: bytes, padded: bool, standard: bool) -> None:
        text = precheck.write_base64url(value)
        if standard:
            text = text.replace("-", "+").replace("_", "/")
        if padded:
            text += "=" * (-len(text) % 4)

        assert precheck.read_base64url(text, "id", max_bytes=64) == value

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
    def test_junk_is_refused(self, text: str) -> None:
        assert malformed_at(precheck.read_base64url, text, "id", max_bytes=64) == "id"

    @pytest.mark.parametrize("size", [1, 2, 3, 1023, 1024])
    def test_the_size_limit_is_exact(self, size: int) -> None:
        full, larger = b64(bytes(size)), b64(bytes(size + 1))

        assert precheck.read_base64url(full, "id", max_bytes=size) == bytes(size)
        assert malformed_at(precheck.read_base64url, larger, "id", max_bytes=size) == "id"

    def test_the_members_of_a_response_have_their_limits(self) -> None:
        client_data = b" " * (precheck.CLIENT_DATA_MAX_BYTES + 1)
        attestation_object = bytes(precheck.ATTESTATION_OBJECT_MAX_BYTES + 1)

        assert refused_at(client_data=client_data) == CLIENT_DATA
        assert refused_at(attestation_object=attestation_object) == OBJECT


class TestClientData:
    MEMBERS: dict[str, Any] = {  # noqa: RUF012 -- read only
        "type": "webauthn.create",
        "challenge": b64(CHALLENGE),
        "origin": ORIGIN,
        "crossOrigin": False,
    }

    def test_members_that_browsers_add_are_ignored(self) -> None:
        more = {"other_keys_can_be_added_here": "do not compare", "tokenBinding": {"status": "x"}}

        client_data = precheck.read_client_data(json.dumps(self.MEMBERS | more).encode())

        assert client_data == precheck.ClientData(
            "webauthn.create", CHALLENGE, ORIGIN, cross_origin=False, top_origin=None
        )

    @pytest.mark.parametrize(
        ("encoded", "problem"),
        [
            (json.dumps(MEMBERS).encode("utf-16"), "UTF-16"),
            (json.dumps(MEMBERS).encode("utf-32-le"), "UTF-32 without a mark"),
            (json.dumps(MEMBERS).encode("utf-8-sig"), "byte order mark"),
            (b'{"type": "\xff"}', "not UTF-8"),
            (b'{"type": "\xc0\xaf"}', "overlong UTF-8"),
            (b'{"type": "\xed\xa0\x80"}', "surrogate in UTF-8"),
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
    def test_text_that_readers_could_understand_differently(self, encoded: bytes, problem: str) -> None:
        assert malformed_at(precheck.read_client_data, encoded) == CLIENT_DATA, problem

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
            ("crossOrigin", None),
            ("crossOrigin", 1),
            ("crossOrigin", "false"),
            ("topOrigin", None),
            ("topOrigin", 0),
        ],
    )
    def test_a_member_of_the_wrong_type(self, name: str, wrong: object) -> None:
        encoded = json.dumps(self.MEMBERS | {name: wrong}).encode()

        assert malformed_at(precheck.read_client_data, encoded) == f"{CLIENT_DATA}.{name}"

    @pytest.mark.parametrize("name", ["type", "challenge", "origin"])
    def test_a_member_that_is_missing(self, name: str) -> None:
        members = {key: value for key, value in self.MEMBERS.items() if key != name}

        encoded = json.dumps(members).encode()

        assert malformed_at(precheck.read_client_data, encoded) == f"{CLIENT_DATA}.{name}"


SCALARS = st.integers(-(2**64), 2**64 - 1) | st.binary(max_size=300) | st.text(max_size=300) | st.booleans() | st.none()
KEYS = st.integers(-(2**64), 2**64 - 1) | st.text(max_size=40)
VALUES = SCALARS | st.lists(SCALARS, max_size=4) | st.dictionaries(KEYS, SCALARS, max_size=4)


class TestCbor:
    @given(statement=st.dictionaries(KEYS, VALUES, max_size=4), canonical=st.booleans())
    @settings(derandomize=True, deadline=None)
    def test_plain_values_are_read_as_the_library_reads_them(self, statement: dict[Any, Any], canonical: bool) -> None:
        members = {"fmt": "x", "attStmt": statement, "authData": b"data"}
        encoded = cbor2.dumps(members, canonical=canonical)

        assert precheck.read_attestation_object(encoded) == ("x", statement, b"data")

    @pytest.mark.parametrize(
        "encoded",
        [
            cbor2.dumps([]),
            cbor2.dumps({"attStmt": {}, "authData": b""}),
            cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": b""}) + b"\0",
            b"",
        ],
    )
    def test_an_attestation_object_of_another_shape(self, encoded: bytes) -> None:
        assert malformed_at(precheck.read_attestation_object, encoded).startswith(OBJECT)

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
    def test_a_member_of_the_wrong_type(self, change: dict[str, Any], path: str) -> None:
        encoded = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": b""} | change)

        assert malformed_at(precheck.read_attestation_object, encoded) == path

    def test_lengths_that_are_too_long_are_the_browsers_own_affair(self) -> None:
        text = [head(3, len(name)) + name.encode() for name in ("authData", "attStmt", "fmt", "x")]
        encoded = b"\xa3" + text[0] + head(2, 1) + b"\1" + text[1] + head(5, 0) + text[2] + text[3]

        assert precheck.read_attestation_object(encoded) == ("x", {}, b"\1")

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
    def test_what_the_authenticator_writes_must_be_canonical(self, encoded: bytes, problem: str) -> None:
        extended = data_of(extensions={})[:-1] + encoded

        assert refused_at(public_key=encoded) == KEY, problem
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
    def test_canonical_extensions_are_accepted(self, value: dict[Any, Any]) -> None:
        response = precheck.read_registration(made(extensions=value))

        assert response.authenticator_data.cose_key[3] == ES256


ATTACKS = {
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


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
class TestCborAttack:
    """Each took the library from milliseconds to a minute, or is not CTAP2 canonical CBOR."""

    def test_as_the_whole_attestation_object(self, attack: bytes) -> None:
        assert refused_at(attestation_object=attack).startswith(OBJECT)

    def test_inside_the_statement(self, attack: bytes) -> None:
        members = b"\xa3\x63fmt\x64none\x67attStmt\xa1\x61x" + attack + b"\x68authData\x40"

        assert refused_at(attestation_object=members) == OBJECT

    def test_as_the_public_key(self, attack: bytes) -> None:
        assert refused_at(public_key=attack) == KEY

    def test_inside_the_public_key(self, attack: bytes) -> None:
        assert refused_at(public_key=b"\xa1\x01" + attack) == KEY

    def test_inside_the_extensions(self, attack: bytes) -> None:
        assert refused_at(data=data_of(extensions={})[:-1] + b"\xa1\x61x" + attack) == EXTENSIONS


class TestAuthenticatorData:
    def test_every_flag_is_read(self) -> None:
        data = precheck.read_authenticator_data(data_of(up=False, uv=True, be=True, bs=True))

        assert (data.user_present, data.user_verified) == (False, True)
        assert (data.backup_eligible, data.backed_up) == (True, True)

    def test_it_is_cut_at_any_place(self) -> None:
        data = data_of(extensions={"credProtect": 2})

        for length in range(len(data)):
            path = malformed_at(precheck.read_authenticator_data, data[:length])
            assert path.startswith(DATA)

    @pytest.mark.parametrize(
        ("parts", "path"),
        [
            ({"flags": 0x05}, DATA),
            ({"flags": 0x45 | 0x10}, f"{DATA}.flags"),
            ({"flags": 0x45, "extensions": {}}, KEY),
            ({"flags": 0xC5}, EXTENSIONS),
            ({"extensions": []}, EXTENSIONS),
        ],
    )
    def test_flags_that_do_not_fit_what_follows(self, parts: dict[str, Any], path: str) -> None:
        assert refused_at(**parts) == path

    def test_bytes_after_the_key(self) -> None:
        assert refused_at(data=data_of() + b"\0") == KEY

    @pytest.mark.parametrize("key", [7, [], "text", {"kty": 2}, {1: True}, {1: "EC2"}, {1: [2]}, {1: None}])
    def test_a_key_that_is_no_cose_key(self, key: object) -> None:
        assert refused_at(public_key=cbor2.dumps(key)) == KEY

    def test_the_key_of_old_eddsa_keys_with_a_wrong_map_size_is_not_repaired(self) -> None:
        """The library patches this byte; what is stored would not be what was signed."""
        broken = bytes.fromhex("a301634f4b500327206745643235353139")

        assert refused_at(public_key=broken + b"\x21\x58\x20" + bytes(32)) == KEY


class TestStatement:
    @pytest.mark.parametrize(
        ("name", "statement"),
        [
            ("none", {}),
            ("packed", {"alg": -7, "sig": b"s"}),
            ("packed", {"alg": -7, "sig": b"s", "x5c": [b"a", b"b"]}),
            ("fido-u2f", {"sig": b"s", "x5c": [b"a"]}),
        ],
    )
    def test_the_members_of_each_format(self, name: str, statement: dict[int | str, Any]) -> None:
        precheck.check_statement(name, statement)

        wrong = statement | {"ecdaaKeyId": b""}
        assert malformed_at(precheck.check_statement, name, wrong) == STATEMENT
        for member in set(statement) - ({"x5c"} if name == "packed" else set()):
            wrong = {key: value for key, value in statement.items() if key != member}
            assert malformed_at(precheck.check_statement, name, wrong) == STATEMENT

    @pytest.mark.parametrize(
        ("member", "wrong"),
        [
            ("alg", True),
            ("alg", "ES256"),
            ("alg", None),
            ("sig", "text"),
            ("sig", None),
            ("x5c", []),
            ("x5c", b"cert"),
            ("x5c", None),
            ("x5c", ["cert"]),
            ("x5c", [b"a", 1]),
        ],
    )
    def test_a_member_of_the_wrong_type(self, member: str, wrong: object) -> None:
        statement: dict[int | str, Any] = {"alg": -7, "sig": b"s", "x5c": [b"a"]}

        path = malformed_at(precheck.check_statement, "packed", statement | {member: wrong})

        assert path == f"{STATEMENT}.{member}"
