"""A passkey authenticator and its browser in software, for tests and for `make try`.

It makes valid credentials: the dict that `PublicKeyCredential.toJSON()` returns in a browser, after
`navigator.credentials.create()` or `get()`. A test can replace every part.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from secrets import token_bytes
from typing import Any

import cbor2
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

EDDSA, ES256, RS256 = -8, -7, -257
FLAGS = {"up": 0x01, "uv": 0x04, "be": 0x08, "bs": 0x10}
ATTESTED_DATA, EXTENSION_DATA = 0x40, 0x80

PrivateKey = ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


def b64(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def unb64(value: str) -> bytes:
    return urlsafe_b64decode(value + "===")


def generate_key(algorithm: int) -> PrivateKey:
    if algorithm == EDDSA:
        return ed25519.Ed25519PrivateKey.generate()
    if algorithm == ES256:
        return ec.generate_private_key(ec.SECP256R1())
    return rsa.generate_private_key(65537, 2048)


def cose_key(key: PrivateKey) -> dict[int, int | bytes]:
    """The public key as WebAuthn L3 §6.5.1.1 writes it, members in CTAP2 canonical order."""
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return {1: 1, 3: EDDSA, -1: 6, -2: key.public_key().public_bytes_raw()}
    if isinstance(key, ec.EllipticCurvePrivateKey):
        point = key.public_key().public_numbers()
        return {1: 2, 3: ES256, -1: 1, -2: point.x.to_bytes(32), -3: point.y.to_bytes(32)}
    numbers = key.public_key().public_numbers()
    modulus = numbers.n.to_bytes((numbers.n.bit_length() + 7) // 8)
    return {1: 3, 3: RS256, -1: modulus, -2: numbers.e.to_bytes(3)}


def sign(key: PrivateKey, message: bytes) -> bytes:
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return key.sign(message)
    if isinstance(key, ec.EllipticCurvePrivateKey):
        return key.sign(message, ec.ECDSA(hashes.SHA256()))
    return key.sign(message, padding.PKCS1v15(), hashes.SHA256())


@cache
def attestation_certificate() -> tuple[ec.EllipticCurvePrivateKey, bytes]:
    """The manufacturer's key and its certificate (DER), as WebAuthn L3 §8.2.1 requires it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name(
        [
            x509.NameAttribute(NameOID.COUNTRY_NAME, "SE"),
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Software Authenticators"),
            x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, "Authenticator Attestation"),
            x509.NameAttribute(NameOID.COMMON_NAME, "Software Authenticator"),
        ]
    )
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(datetime(2024, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2044, 1, 1, tzinfo=UTC))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return key, certificate.public_bytes(Encoding.DER)


class Parts(dict[str, Any]):
    """The parts that a caller replaces; `take` removes and returns one, or the regular part."""

    def take(self, name: str, regular: Any) -> Any:
        return self.pop(name, regular)


class SoftwareAuthenticator:
    """Makes passkeys and keeps their private keys and user handles, by credential id."""

    def __init__(self) -> None:
        self.credentials: dict[bytes, PrivateKey] = {}
        self.user_handles: dict[bytes, bytes] = {}

    def create(self, options: dict[str, Any], *, origin: str, **overrides: Any) -> dict[str, Any]:
        """A new credential, as `navigator.credentials.create()` makes it on a page of `origin`.

        `options` are creation options as JSON. `overrides` replace single parts: the choices
        `algorithm`, `attestation` (none, packed, packed-x5c, fido-u2f), `up`, `uv`, `be`, `bs`,
        `sign_count`, `extensions`, `cross_origin`, `top_origin`, and by name every part that is
        taken below. TypeError for an override that no part has.
        """
        parts = Parts(overrides)
        attestation = parts.take("attestation", "none")
        regular = ES256 if attestation == "fido-u2f" else options["pubKeyCredParams"][0]["alg"]
        algorithm = parts.take("algorithm", regular)
        key = parts.take("key", None) or generate_key(algorithm)
        credential_id: bytes = parts.take("credential_id", token_bytes(32))
        client_data = parts.take("client_data", _client_data(options, origin, parts))
        data = parts.take("data", _authenticator_data(options, credential_id, key, parts))
        attestation_object = {
            "fmt": parts.take("format", attestation.removesuffix("-x5c")),
            "attStmt": parts.take("statement", _statement(attestation, key, data, client_data)),
            "authData": data,
        }
        encoded = parts.take("attestation_object", cbor2.dumps(attestation_object))
        if parts:
            raise TypeError(f"there are no such parts: {', '.join(parts)}")
        self.credentials[credential_id] = key
        self.user_handles[credential_id] = unb64(options["user"]["id"])
        return {
            "id": b64(credential_id),
            "rawId": b64(credential_id),
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {"credProps": {"rk": True}},
            "response": {
                "clientDataJSON": b64(client_data),
                "attestationObject": b64(encoded),
                "authenticatorData": b64(data),
                "transports": ["internal", "hybrid"],
            },
        }

    def get(
        self, options: dict[str, Any], *, origin: str, credential_id: bytes, **overrides: Any
    ) -> dict[str, Any]:
        """An assertion of this passkey, as `navigator.credentials.get()` makes it.

        `options` are request options as JSON. `overrides` replace single parts, as for `create`.
        TypeError for an override that no part has.
        """
        parts = Parts(overrides)
        parts.setdefault("client_data_type", "webauthn.get")
        parts.setdefault("rp_id", options["rpId"])
        client_data = parts.take("client_data", _client_data(options, origin, parts))
        data = parts.take("data", _assertion_data(parts))
        key = parts.take("key", None) or self.credentials[credential_id]
        signature = parts.take("signature", sign(key, data + sha256(client_data).digest()))
        user_handle = parts.take("user_handle", self.user_handles.get(credential_id, b"handle"))
        if parts:
            raise TypeError(f"there are no such parts: {', '.join(parts)}")
        return {
            "id": b64(credential_id),
            "rawId": b64(credential_id),
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": b64(client_data),
                "authenticatorData": b64(data),
                "signature": b64(signature),
                "userHandle": None if user_handle is None else b64(user_handle),
            },
        }


def _client_data(options: dict[str, Any], origin: str, parts: Parts) -> bytes:
    """The client data of the browser, WebAuthn L3 §5.8.1."""
    members = {
        "type": parts.take("client_data_type", "webauthn.create"),
        "challenge": parts.take("challenge", options["challenge"]),
        "origin": origin,
        "crossOrigin": parts.take("cross_origin", regular=False),
    }
    if "top_origin" in parts:
        members["topOrigin"] = parts.pop("top_origin")
    return json.dumps(members).encode()


def _flags(parts: Parts, extensions: Any) -> int:
    flags = 0 if extensions is None else EXTENSION_DATA
    for name, bit in FLAGS.items():
        flags |= bit if parts.take(name, regular=name in ("up", "uv")) else 0
    return flags


def _assertion_data(parts: Parts) -> bytes:
    """WebAuthn L3 §6.1."""
    extensions = parts.take("extensions", None)
    flags = _flags(parts, extensions)
    return b"".join(
        [
            sha256(parts.pop("rp_id").encode()).digest(),
            bytes([parts.take("flags", flags)]),
            parts.take("sign_count", 0).to_bytes(4),
            b"" if extensions is None else cbor2.dumps(extensions),
        ]
    )


def _authenticator_data(
    options: dict[str, Any], credential_id: bytes, key: PrivateKey, parts: Parts
) -> bytes:
    """WebAuthn L3 §6.1 and §6.5.1."""
    extensions = parts.take("extensions", None)
    flags = ATTESTED_DATA | _flags(parts, extensions)
    return b"".join(
        [
            sha256(parts.take("rp_id", options["rp"]["id"]).encode()).digest(),
            bytes([parts.take("flags", flags)]),
            parts.take("sign_count", 0).to_bytes(4),
            parts.take("aaguid", bytes(16)),
            len(credential_id).to_bytes(2),
            credential_id,
            parts.take("public_key", cbor2.dumps(cose_key(key))),
            b"" if extensions is None else cbor2.dumps(extensions),
        ]
    )


def _statement(
    attestation: str, key: PrivateKey, data: bytes, client_data: bytes
) -> dict[str, Any]:
    """The attestation statement, WebAuthn L3 §8.2, §8.6 and §8.7."""
    client_data_hash = sha256(client_data).digest()
    if attestation == "packed":
        return {"alg": cose_key(key)[3], "sig": sign(key, data + client_data_hash)}
    maker_key, certificate = attestation_certificate()
    if attestation == "packed-x5c":
        signature = sign(maker_key, data + client_data_hash)
        return {"alg": ES256, "sig": signature, "x5c": [certificate]}
    if attestation == "fido-u2f":
        id_end = 55 + int.from_bytes(data[53:55])
        point = cbor2.loads(data[id_end:])
        u2f_key = b"\x04" + point[-2] + point[-3]
        message = b"\0" + data[:32] + client_data_hash + data[55:id_end] + u2f_key
        return {"sig": sign(maker_key, message), "x5c": [certificate]}
    return {}
