"""Credentials that break a rule and are signed after the change.

So a refusal is never due to the signature: `attacks.mutations` change bytes, these break rules.
Both depend on a seed; keys are new in each run.
"""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any

import cbor2
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from examples.software_authenticator import (
    EDDSA,
    ES256,
    RS256,
    PrivateKey,
    SoftwareAuthenticator,
    b64,
    cose_key,
    generate_key,
    sign,
    unb64,
)
from server.passkey.webauthn.attestation import AAGUID_EXTENSION
from tests.passkey.attacks import CBOR_ATTACKS, STRANGE
from tests.passkey.credentials import CHALLENGE, KINDS, ORIGIN, options

Credential = dict[str, Any]
Parts = dict[str, Any]

AAGUID = bytes(range(16))
_NAMES = {
    NameOID.COUNTRY_NAME: "SE",
    NameOID.ORGANIZATION_NAME: "Maker",
    NameOID.ORGANIZATIONAL_UNIT_NAME: "Authenticator Attestation",
    NameOID.COMMON_NAME: "Model",
}
# Deviations from the certificate of §8.2.1.
CERTIFICATES: tuple[Mapping[str, Any], ...] = (
    *({}, {"constraints": None}, {"constraints": True}, {"units": ()}, {"units": ("Unit",)}),
    {"units": ("Authenticator Attestation", "Unit")},
    *({"lacks": oid} for oid in (NameOID.COUNTRY_NAME, NameOID.ORGANIZATION_NAME)),
    *({"lacks": NameOID.COMMON_NAME}, {"aaguid": b"\x04\x10" + AAGUID}),
    *({"aaguid": b"\x04\x10" + bytes(16)}, {"aaguid": AAGUID}, {"aaguid": b""}),
    *({"aaguid": b"\x04\x10" + AAGUID, "critical": True}, {"key": "p384"}, {"key": EDDSA}),
    *({"key": RS256}, {"key": "rsa1024"}),
)

# Their statements must have exactly one certificate (§8.6), which few changes break alone.
_OFTEN = [kind for kind in KINDS if kind[1] == "fido-u2f"] * 4
_EXTENSIONS: tuple[Any, ...] = (
    *({}, {"credProtect": 2}, {"a": {"b": [1, True, None]}}, {"b": 1, "a": 2}, {1: 2}, [], 0, ""),
    *({"x": 1.5}, {"x": cbor2.CBORTag(0, "x")}, {"x": cbor2.undefined}),
)


@cache
def key_of(algorithm: int | str) -> PrivateKey:
    """One key of each kind for the whole run, because making an RSA key takes long."""
    if algorithm == "p384":
        return ec.generate_private_key(ec.SECP384R1())
    if algorithm == "rsa1024":
        return rsa.generate_private_key(65537, 1024)  # noqa: S505 -- the deviation to be tested
    assert isinstance(algorithm, int)
    return generate_key(algorithm)


@cache
def certificate(number: int) -> bytes:
    """The certificate (DER) with this deviation."""
    wish = CERTIFICATES[number]
    key = key_of(wish.get("key", ES256))
    units = wish.get("units", (_NAMES[NameOID.ORGANIZATIONAL_UNIT_NAME],))
    subject = x509.Name(
        [
            x509.NameAttribute(oid, value)
            for oid, value in _NAMES.items()
            if oid not in (NameOID.ORGANIZATIONAL_UNIT_NAME, wish.get("lacks"))
        ]
        + [x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, unit) for unit in units]
    )
    builder = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(datetime(2024, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2044, 1, 1, tzinfo=UTC))
    )
    if (authority := wish.get("constraints", False)) is not None:
        constraints = x509.BasicConstraints(ca=authority, path_length=None)
        builder = builder.add_extension(constraints, critical=True)
    if "aaguid" in wish:
        model = x509.UnrecognizedExtension(AAGUID_EXTENSION, wish["aaguid"])
        builder = builder.add_extension(model, critical=wish.get("critical", False))
    hashed = None if isinstance(key, ed25519.Ed25519PrivateKey) else hashes.SHA256()
    return builder.sign(key, hashed).public_bytes(Encoding.DER)


def crafted(rounds: int, seed: int) -> Iterator[Credential]:
    """This number of credentials for the ceremony of `tests.passkey.credentials`."""
    random = Random(seed)  # noqa: S311 -- a repeatable choice, not cryptography
    for _ in range(rounds):
        algorithm, attestation = random.choice([*KINDS, *_OFTEN])
        parts: Parts = {"attestation": attestation, "credential_id": random.randbytes(32)}
        for change in random.choices(_PARTS, k=random.choice([0, 1, 1, 1, 1, 2])):
            change(random, parts, key_of(algorithm))
        credential = SoftwareAuthenticator().create(
            options(), **{"origin": ORIGIN, "key": key_of(algorithm), **parts}
        )
        if random.random() < 0.5:
            random.choice([_object, _certified])(random, credential)
        for dress in random.choices([_text, _ids, _claims], k=random.choice([0, 0, 0, 1, 2])):
            dress(random, credential)
        yield credential


def _flags(random: Random, parts: Parts, _key: PrivateKey) -> None:
    parts["flags"] = random.choice([random.randrange(256), 0x40 | random.randrange(64), 0x55])


def _counter_and_model(random: Random, parts: Parts, _key: PrivateKey) -> None:
    parts["sign_count"] = random.choice([0, 1, 2**31, 2**32 - 1])
    whole = [AAGUID, bytes(16)]
    # The software authenticator cannot sign bytes of a wrong length.
    cut = [] if parts["attestation"] == "fido-u2f" else [bytes(15), bytes(17)]
    parts["aaguid"] = random.choice(whole + cut)


def _credential_id(random: Random, parts: Parts, _key: PrivateKey) -> None:
    parts["credential_id"] = random.randbytes(random.choice([0, 1, 16, 255, 1023, 1024, 2000]))


def _relying_party(random: Random, parts: Parts, _key: PrivateKey) -> None:
    parts["rp_id"] = random.choice(["example.org", "Example.org", "org", "evil.example", ""])


def _extensions(random: Random, parts: Parts, _key: PrivateKey) -> None:
    parts["extensions"] = random.choice(_EXTENSIONS)


def _public_key(random: Random, parts: Parts, key: PrivateKey) -> None:
    members: dict[Any, Any] = dict(cose_key(key))
    strange = [0, 1, 2, 3, -7, -8, -257, -35, True, None, b"", b"\1", bytes(32), b"\xff" * 33, "x"]
    match random.randrange(8):
        case 0:
            members[random.choice([*members, -4, 2, 4, 5])] = random.choice(strange)
        case 1:
            del members[random.choice(list(members))]
        case 2:
            members = dict(reversed(members.items()))
        case 3:
            label = random.choice([label for label in members if isinstance(members[label], bytes)])
            members[label] = random.choice([b"\0", b"\xff"]) + members[label]
        case 4:
            members[3] = random.choice([-9, -35, -36, -37, -65535])
        case _:
            pass
    parts["public_key"] = _encoded(members, random)
    if parts["attestation"] == "fido-u2f":  # the authenticator cannot sign with such a key
        parts["attestation"] = "none"


def _client_data(random: Random, parts: Parts, _key: PrivateKey) -> None:
    challenge = random.choice([b64(CHALLENGE)] * 9 + [b64encode(CHALLENGE).decode()])
    members: dict[str, Any] = {
        "type": random.choice(["webauthn.create"] * 30 + ["webauthn.get", "", None, 1]),
        "challenge": random.choice([challenge] * 30 + [f"{challenge}\n", f"{challenge[:-1]}9", ""]),
        "origin": random.choice([ORIGIN] * 30 + [f"{ORIGIN}/", "https://evil.example", None, ""]),
        "crossOrigin": random.choice([False] * 6 + [True, True, None, 0, "false"]),
    }
    if random.random() < 0.4:
        name = random.choice(["topOrigin", "topOrigin", "tokenBinding", "extra", "__proto__"])
        members[name] = random.choice([ORIGIN, ORIGIN, None, {}])
    text = json.dumps(members, separators=random.choice([None, (",", ":")]))
    text = random.choice(
        [text] * 12 + [f" {text}\n", f"{text}x", f'{text[:-1]},"type":"x"}}', "NaN"]
    )
    encoding = random.choice(["utf-8"] * 16 + ["utf-8-sig", "utf-16", "utf-32"])
    parts["client_data"] = text.encode(encoding)


def _client_data_bytes(random: Random, parts: Parts, _key: PrivateKey) -> None:
    """The right members, in bytes that "UTF-8 decode" changes."""
    members = {"type": "webauthn.create", "challenge": b64(CHALLENGE), "origin": ORIGIN}
    encoded = json.dumps(members | {"extra": "@"}).encode()
    marked = b"\xef\xbb\xbf" + encoded
    parts["client_data"] = random.choice([encoded.replace(b"@", b"\xff"), marked])


_PARTS: tuple[Callable[[Random, Parts, PrivateKey], None], ...] = (
    _flags,
    _counter_and_model,
    _credential_id,
    _relying_party,
    _extensions,
    _public_key,
    _client_data,
    _client_data_bytes,
)


def _encoded(value: Any, random: Random) -> bytes:
    """The value as CBOR, possibly not in canonical form."""
    regular = cbor2.dumps(value)
    match random.randrange(18):
        case 0:
            return b"\xbf" + b"".join(map(_pair, value.items())) + b"\xff"
        case 1:
            return b"\xb8" + bytes([len(value)]) + b"".join(map(_pair, value.items()))
        case 2:
            return bytes([regular[0] + 1]) + regular[1:] + _pair(next(iter(value.items()), (0, 0)))
        case 3:
            return b"\xd9\xd9\xf7" + regular
        case 4:
            return regular + b"\0"
        case 5:
            return cbor2.dumps(dict(reversed(value.items())))
        case 6:
            return random.choice(list(CBOR_ATTACKS.values()))
        case _:
            return regular


def _pair(pair: tuple[Any, Any]) -> bytes:
    return cbor2.dumps(pair[0]) + cbor2.dumps(pair[1])


def _object(random: Random, credential: Credential) -> None:
    """The attestation object in another encoding, or with other members."""
    members = cbor2.loads(unb64(credential["response"]["attestationObject"]))
    match random.randrange(8):
        case 0:
            members[random.choice(["fmt", "attStmt", "authData", "extra"])] = random.choice(
                ["none", "packed", "tpm", "NONE", "", None, 1, {}, [], b"", {"x": 1}]
            )
        case 1:
            del members[random.choice(list(members))]
        case 2 | 3:
            members["attStmt"][random.choice(["alg", "sig", "x5c", "ver", "ecdaaKeyId"])] = (
                random.choice([None, 0, -7, -8, b"", b"\1", "", [], [b""], {}, True])
            )
        case 4 | 5 | 6 if "x5c" in members["attStmt"]:
            members["attStmt"]["x5c"] *= 2
        case _:
            pass
    credential["response"]["attestationObject"] = b64(_encoded(members, random))


def _certified(random: Random, credential: Credential) -> None:
    """A packed statement of a maker whose certificate may break a rule."""
    members = cbor2.loads(unb64(credential["response"]["attestationObject"]))
    number = random.randrange(len(CERTIFICATES))
    key = key_of(CERTIFICATES[number].get("key", ES256))
    client_data = unb64(credential["response"]["clientDataJSON"])
    algorithm = random.choice([algorithm_of(key)] * 20 + [ES256, EDDSA, RS256, -35, -37, -65535])
    statement = {
        "alg": algorithm,
        "sig": sign(key, members["authData"] + sha256(client_data).digest()),
        "x5c": [certificate(number)] * random.choice([1, 1, 1, 2]),
    }
    members |= {"fmt": "packed", "attStmt": statement}
    credential["response"]["attestationObject"] = b64(cbor2.dumps(members))


def algorithm_of(key: PrivateKey) -> int:
    match key:
        case ed25519.Ed25519PrivateKey():
            return EDDSA
        case ec.EllipticCurvePrivateKey():
            return ES256
        case rsa.RSAPrivateKey():
            return RS256


def _text(random: Random, credential: Credential) -> None:
    """One of the four texts in another variant of base64."""
    place = random.choice([credential, credential["response"]])
    name = random.choice(
        sorted({"id", "rawId", "clientDataJSON", "attestationObject"} & set(place))
    )
    text = place[name]
    if not isinstance(text, str):
        return
    padded = text + "=" * (-len(text) % 4)
    standard = padded.replace("-", "+").replace("_", "/")
    broken = [f"{text}\n", f"{text[:2]} {text[2:]}", f"{text}=", text[:-1], f"{text}A"]
    place[name] = random.choice([padded, standard, *broken])


def _ids(random: Random, credential: Credential) -> None:
    """Other IDs than the attested one, or another text of the same ID."""
    other = random.choice([b64(b"somebody else's"), f"{credential['rawId']}=", None, ""])
    for name in random.choice([["id"], ["rawId"], ["id", "rawId"]]):
        credential[name] = other


def _claims(random: Random, credential: Credential) -> None:
    """Members that only the client asserts."""
    name = random.choice(["type", "authenticatorAttachment", "clientExtensionResults", "extra"])
    match random.randrange(6):
        case 0:
            credential.pop(name, None)
        case 1 | 2:
            strange = [*STRANGE, ["usb", "é"], ["usb"] * 99]
            credential["response"]["transports"] = random.choice(strange)
        case _:
            credential[name] = random.choice([*STRANGE, "public-key", "platform", "x"])
