"""The registration ceremony: its options, the credentials that it accepts, and its refusals."""

import json
from dataclasses import replace
from typing import Any

import cbor2
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from examples.software_authenticator import (
    EDDSA,
    ES256,
    RS256,
    SoftwareAuthenticator,
    b64,
    cose_key,
    generate_key,
    unb64,
)
from server.passkey.webauthn import cose
from server.passkey.webauthn.options import CredentialDescriptor
from server.passkey.webauthn.registration import CeremonyPolicy, VerifiedCredential
from server.values.errors import Failure, Kind
from tests.passkey.credentials import (
    CHALLENGE,
    KINDS,
    ORIGIN,
    POLICY,
    PUBLIC_KEY,
    REQUIRED,
    key_of,
    made,
    options,
    refused_at,
    verified,
)


def test_creation_options_are_plain_json_that_a_browser_can_parse() -> None:
    ready = options()

    assert json.loads(json.dumps(ready)) == ready
    assert ready["rp"] == {"id": "example.org", "name": "Example"}
    assert ready["user"] == {
        "id": b64(b"handle"),
        "name": "ada",
        "displayName": "Ada Lovelace",
    }
    assert unb64(ready["challenge"]) == CHALLENGE
    assert ready["timeout"] == 300_000
    assert ready["attestation"] == "none"
    assert ready["extensions"] == {"credProps": True}


def test_creation_options_ask_for_a_discoverable_credential() -> None:
    selection = options(REQUIRED)["authenticatorSelection"]

    assert selection == {
        "residentKey": "required",
        "requireResidentKey": True,
        "userVerification": "required",
    }


def test_creation_options_offer_the_algorithms_of_the_policy_in_its_order() -> None:
    offered = options(replace(POLICY, algorithms=(RS256, ES256)))["pubKeyCredParams"]

    assert offered == [{"type": "public-key", "alg": -257}, {"type": "public-key", "alg": -7}]
    assert [type(parameter["alg"]) for parameter in offered] == [int, int]


def test_creation_options_exclude_known_passkeys_with_any_transports() -> None:
    known = [CredentialDescriptor(b"one", ("usb", "telepathy")), CredentialDescriptor(b"two")]

    assert options(exclude=known)["excludeCredentials"] == [
        {"id": b64(b"one"), "type": "public-key", "transports": ["usb", "telepathy"]},
        {"id": b64(b"two"), "type": "public-key", "transports": []},
    ]


@pytest.mark.parametrize(("algorithm", "attestation"), KINDS)
def test_every_offered_algorithm_and_format_is_accepted(algorithm: int, attestation: str) -> None:
    authenticator = SoftwareAuthenticator()
    credential = authenticator.create(
        options(), origin=ORIGIN, algorithm=algorithm, attestation=attestation, sign_count=7
    )

    result = verified(credential)

    key = authenticator.credentials[unb64(credential["id"])]
    assert result == VerifiedCredential(
        credential_id=unb64(credential["id"]),
        public_key=cbor2.dumps(cose_key(key)),
        algorithm=algorithm,
        sign_count=7,
        aaguid="00000000-0000-0000-0000-000000000000",
        attestation_format=attestation.removesuffix("-x5c"),
        transports=("internal", "hybrid"),
        user_verified=True,
        backup_eligible=False,
        backed_up=False,
        attachment="platform",
        origin=ORIGIN,
        top_origin="",
    )


def test_the_aaguid_is_kept() -> None:
    aaguid = verified(made(aaguid=bytes(range(16)))).aaguid

    assert aaguid == "00010203-0405-0607-0809-0a0b0c0d0e0f"


@pytest.mark.parametrize(
    "statement", [{}, {"sig": b"s"}, {"alg": None, "x5c": [b"junk"] * 2}, {1: [{"deep": b""}]}]
)
@pytest.mark.parametrize("attestation", ["none", "packed", "fido-u2f"])
def test_a_statement_is_no_evidence(attestation: str, statement: dict[Any, Any]) -> None:
    result = verified(made(attestation=attestation, statement=statement))

    assert result.attestation_format == attestation


def test_padded_and_standard_base64_mean_the_same() -> None:
    credential_id = b"\xfb\xff\xfe" * 7 + b"\xff"
    credential = made(credential_id=credential_id)
    credential["id"] = credential["rawId"] = "+//+" * 7 + "/w=="
    response = credential["response"]
    for name in ("clientDataJSON", "attestationObject"):
        response[name] += "=" * (-len(response[name]) % 4)

    assert verified(credential).credential_id == credential_id


def test_the_claims_that_browsers_add_are_not_believed() -> None:
    credential = made()
    credential["response"] |= {"publicKey": "!", "authenticatorData": 7, "nonsense": None}
    credential["clientExtensionResults"] = "anything"

    assert verified(credential).algorithm == ES256


@pytest.mark.parametrize("algorithm", [EDDSA, RS256])
def test_an_algorithm_that_this_ceremony_did_not_offer_is_refused(algorithm: int) -> None:
    refused = refusal(made(algorithm=algorithm), replace(POLICY, algorithms=(ES256,)))

    assert refused == "ALGORITHM_NOT_ALLOWED"


@pytest.mark.parametrize("algorithm", [-35, -36, -47, -53, -37, -65535, 0])
def test_an_algorithm_that_no_ceremony_offers_is_refused(algorithm: int) -> None:
    key = cose_key(generate_key(ES256)) | {3: algorithm}

    assert refusal(made(public_key=cbor2.dumps(key))) == "ALGORITHM_NOT_ALLOWED"


@pytest.mark.parametrize(
    "name", ["tpm", "apple", "android-key", "android-safetynet", "compound", "", "NONE", "\0"]
)
def test_an_attestation_format_that_is_not_accepted_is_refused(name: str) -> None:
    assert refusal(made(format=name)) == "ATTESTATION_NOT_ALLOWED"


def refusal(credential: dict[str, Any], policy: CeremonyPolicy = POLICY) -> str:
    """The reason why a credential is refused."""
    with pytest.raises(Failure) as caught:
        verified(credential, policy)
    failure = caught.value
    assert failure.kind is Kind.INVALID_ARGUMENT
    assert failure.log_detail
    assert ORIGIN not in failure.message
    return failure.reason


def rsa_key(bits: int) -> dict[int, int | bytes]:
    return cose_key(rsa.generate_private_key(65537, bits))


EC = cose_key(generate_key(ES256))
OKP = cose_key(generate_key(EDDSA))
RSA = cose_key(key_of(RS256))

UNUSABLE_KEYS: dict[str, dict[int, Any]] = {
    "EC: y of zeros": EC | {-3: bytes(32)},
    "EC: x of one byte": EC | {-2: b"\1"},
    "EC: y of 31 bytes": EC | {-3: b"\0" * 31},
    "EC: x of 33 bytes": EC | {-2: b"\0" + bytes(32)},
    "EC: curve P-384": EC | {-1: 2},
    "EC: type of an OKP": EC | {1: 1},
    "EC: algorithm EdDSA": EC | {3: EDDSA},
    "EC: private part": EC | {-4: b""},
    "EC: no y": {label: EC[label] for label in (1, 3, -1, -2)},
    "OKP: algorithm ES256": OKP | {3: ES256},
    "OKP: curve Ed448": OKP | {-1: 7},
    "OKP: x of one byte": OKP | {-2: b"\1"},
    "OKP: x of 33 bytes": OKP | {-2: bytes(33)},
    "OKP: y": OKP | {-3: b""},
    "RSA: algorithm EdDSA": RSA | {3: EDDSA},
    "RSA: modulus of 8 bits": RSA | {-1: b"\xff"},
    "RSA: modulus of 4097 bits": RSA | {-1: b"\1" + bytes(511) + b"\1"},
    "RSA: modulus of leading zeros": RSA | {-1: bytes(600) + b"\1"},
    "RSA: even modulus": RSA | {-1: b"\xff" * 255 + b"\xfe"},
    "RSA: exponent of 33 bits": RSA | {-2: b"\1" + bytes(3) + b"\1"},
    "RSA: exponent 1": RSA | {-2: b"\1"},
    "RSA: exponent 2": RSA | {-2: b"\2"},
    "RSA: 1024 bits": rsa_key(1024),
    "EC: no algorithm": {1: 2, -1: 1},
    "EC: algorithm in bytes": {1: 2, 3: b"\x26", -1: 1},
    "empty": {},
}


_P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1  # prime of the field
# The point with x = 5: only so small a coordinate has a second encoding of 32 bytes.
_X_5 = (5, 0x459243B9AA581806FE913BCE99817ADE11CA503C64D9A3C533415C083248FBCC)


@pytest.mark.parametrize("key", UNUSABLE_KEYS.values(), ids=UNUSABLE_KEYS)
def test_a_key_that_no_sign_in_could_use_is_malformed(key: dict[int, int | bytes]) -> None:
    assert refused_at(public_key=cbor2.dumps(key, canonical=True)) == PUBLIC_KEY


def test_a_coordinate_that_is_not_reduced_is_malformed() -> None:
    """OpenSSL reduces the coordinate, so that one key would have two encodings."""
    x, y = _X_5
    ec.EllipticCurvePublicNumbers(x + _P256, y, ec.SECP256R1()).public_key()  # no error
    reduced = EC | {-2: x.to_bytes(32), -3: y.to_bytes(32)}
    unreduced = reduced | {-2: (x + _P256).to_bytes(32)}

    assert verified(made(public_key=cbor2.dumps(reduced))).algorithm == ES256
    assert refused_at(public_key=cbor2.dumps(unreduced)) == PUBLIC_KEY


def test_a_key_on_another_curve_with_the_algorithm_es256_is_malformed() -> None:
    point = ec.generate_private_key(ec.SECP384R1()).public_key().public_numbers()
    key = {1: 2, 3: ES256, -1: 2, -2: point.x.to_bytes(48), -3: point.y.to_bytes(48)}

    assert refused_at(public_key=cbor2.dumps(key)) == PUBLIC_KEY


def _point(y: int, *, sign: int = 0) -> bytes:
    """The encoding of RFC 8032 §5.1.2 of a point with this sign of x."""
    return (y | sign << 255).to_bytes(32, "little")


_FIELD = 2**255 - 19
_Y_OF_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF2F289C345B027B2C28F95E826
# The eight points of small order, and invalid encodings that OpenSSL reads as such points.
EDWARDS_POINTS = {
    "order 1": _point(1),
    "order 2": _point(_FIELD - 1),
    **{
        f"order {order}, y {number}, sign {sign}": _point(y, sign=sign)
        for order, number, y in [(4, 1, 0), (8, 1, _Y_OF_ORDER_8), (8, 2, _FIELD - _Y_OF_ORDER_8)]
        for sign in (0, 1)
    },
    "order 1, sign of 0": _point(1, sign=1),
    "order 2, sign of 0": _point(_FIELD - 1, sign=1),
    "order 1, y beyond the field": _point(_FIELD + 1),
    "order 1, y beyond the field, sign of 0": _point(_FIELD + 1, sign=1),
    "order 4, y beyond the field": _point(_FIELD),
    "order 4, y beyond the field, sign": _point(_FIELD, sign=1),
    "y beyond the field": _point(_FIELD + 3),
    "off the curve": _point(2),
    "sum of a good one and one of order 8": bytes.fromhex(
        "e9b2fe981587efae6478f48ba1fa60cec6126d0e26dde72a0a24f640dcd783e5"
    ),
}


# Public keys of Ed25519 with 32 bytes for which no private key exists.


@pytest.mark.parametrize("x", EDWARDS_POINTS.values(), ids=EDWARDS_POINTS)
def test_a_point_for_which_no_private_key_exists_is_malformed(x: bytes) -> None:
    Ed25519PublicKey.from_public_bytes(x)  # OpenSSL accepts it

    assert refused_at(public_key=cbor2.dumps(OKP | {-2: x})) == PUBLIC_KEY


def test_the_neutral_point_is_malformed_because_anybody_can_sign() -> None:
    """OpenSSL accepts a signature that needs no private key."""
    neutral = EDWARDS_POINTS["order 1"]
    signature = neutral + bytes(32)
    Ed25519PublicKey.from_public_bytes(neutral).verify(signature, b"whatever was signed")

    assert refused_at(public_key=cbor2.dumps(OKP | {-2: neutral})) == PUBLIC_KEY


def test_every_key_that_is_generated_can_be_used() -> None:
    for _ in range(1_000):
        cose.load(cose_key(generate_key(EDDSA)))
