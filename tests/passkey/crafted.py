"""Credentials that break a rule and are signed after the change, and assertions of both kinds.

So a refusal is never due to the signature: `attacks.mutations` change bytes, these break rules.
Both depend on a seed; keys are new in each run.
"""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import cbor2

from examples.software_authenticator import (
    PrivateKey,
    SoftwareAuthenticator,
    b64,
    cose_key,
    unb64,
)
from tests.passkey.assertions import ALGORITHMS, CREDENTIAL_ID, USER_HANDLE, asserted, stored
from tests.passkey.attacks import CBOR_ATTACKS, STRANGE, mutated
from tests.passkey.credentials import CHALLENGE, KINDS, ORIGIN, key_of, options

Credential = dict[str, Any]
Parts = dict[str, Any]

AAGUID = bytes(range(16))
_EXTENSIONS: tuple[Any, ...] = (
    *({}, {"credProtect": 2}, {"a": {"b": [1, True, None]}}, {"b": 1, "a": 2}, {1: 2}, [], 0, ""),
    *({"x": 1.5}, {"x": cbor2.CBORTag(0, "x")}, {"x": cbor2.undefined}),
)


def registrations(rounds: int, seed: int) -> Iterator[Credential]:
    """This number of credentials for the ceremony of `tests.passkey.credentials`."""
    random = Random(seed)  # noqa: S311 -- a repeatable choice, not cryptography
    for _ in range(rounds):
        algorithm, attestation = random.choice(KINDS)
        parts: Parts = {"attestation": attestation, "credential_id": random.randbytes(32)}
        for change in random.choices(_PARTS, k=random.choice([0, 1, 1, 1, 1, 2])):
            change(random, parts, key_of(algorithm))
        credential = SoftwareAuthenticator().create(
            options(), **{"origin": ORIGIN, "key": key_of(algorithm), **parts}
        )
        if random.random() < 0.5:
            _object(random, credential)
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


def assertions(rounds: int, seed: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Algorithms and assertions. Half have wrong bytes, the others break rules."""
    random = Random(seed)  # noqa: S311 -- a repeatable choice, not cryptography
    bases = {a: asserted(a, sign_count=9, extensions={"uvm": [[1]]}) for a in ALGORITHMS}
    for number in range(rounds):
        algorithm = random.choice(ALGORITHMS)
        if number % 2:
            yield algorithm, _broken(random, bases[algorithm])
        else:
            yield algorithm, _crafted(random, algorithm)


def _broken(random: Random, base: dict[str, Any]) -> dict[str, Any]:
    response = dict(base["response"])
    credential = base | {"response": response}
    target = random.choice([credential, response, response])
    name = random.choice(sorted(target))
    match random.randrange(4):
        case 0:
            target[name] = random.choice(STRANGE)
        case 1 if isinstance(target[name], str):
            target[name] = mutated(target[name].encode(), random).decode("latin-1")
        case 2 if isinstance(target[name], str):
            text = target[name]
            padded = text + "=" * (-len(text) % 4)
            standard = padded.replace("-", "+").replace("_", "/")
            target[name] = random.choice([padded, standard, f"{text}\n", f"{text}=", text[:-1]])
        case _:
            name = random.choice(["clientDataJSON", "authenticatorData", "signature", "userHandle"])
            response[name] = b64(mutated(unb64(response[name]), random))
    return credential


def _crafted(random: Random, algorithm: int) -> dict[str, Any]:
    if random.random() < 0.05:
        return asserted(algorithm, data=_attested(algorithm))
    parts: dict[str, Any] = {"sign_count": random.choice([6, 9, 2**32 - 1, 6, 9, 0, 5])}
    for change in random.choices(["flags", "extensions", "client data", "rest"], k=2):
        match change:
            case "flags" if "data" not in parts:
                parts["flags"] = random.choice([random.randrange(64), 0x05, 0x0D, 0x1D, 0x15, 0x45])
                parts.pop("extensions", None)
            case "extensions" if "flags" not in parts:
                parts["extensions"] = random.choice(
                    [{}, {"a": 1}, {"b": 1, "a": 2}, [], 0, "", {"x": 1.5}, {"c": [True, None]}]
                )
                if random.random() < 0.3:
                    tail = random.choice(list(CBOR_ATTACKS.values()))[:3000]
                    head = unb64(asserted(sign_count=9)["response"]["authenticatorData"])
                    parts = {"data": head[:32] + b"\x85" + head[33:] + tail}
            case "client data":
                parts["client_data"] = _asserted_client_data(random)
            case _:
                parts["user_handle"] = random.choice([USER_HANDLE, None, b"other", bytes(64)])
    if "data" in parts:
        parts = {name: parts[name] for name in parts if name not in ("sign_count", "flags")}
        parts.pop("extensions", None)
    credential = asserted(algorithm, **parts)
    if random.random() < 0.1:
        credential["type"] = random.choice(["password", None, 1.0])
    return credential


def _attested(algorithm: int) -> bytes:
    """Authenticator data of a registration."""
    head = unb64(asserted(sign_count=9, flags=0x45)["response"]["authenticatorData"])
    return head + bytes(16) + b"\x00\x20" + CREDENTIAL_ID + stored(algorithm).public_key


def _asserted_client_data(random: Random) -> bytes:
    challenge = random.choice([b64(CHALLENGE)] * 6 + [b64encode(CHALLENGE).decode(), ""])
    members: dict[str, Any] = {
        "type": random.choice(["webauthn.get"] * 8 + ["webauthn.create", None]),
        "challenge": challenge,
        "origin": random.choice([ORIGIN] * 8 + [f"{ORIGIN}/", None]),
        "crossOrigin": random.choice([False] * 8 + [True, None]),
    }
    if random.random() < 0.4:
        name = random.choice(["topOrigin", "tokenBinding", "extra"])
        members[name] = random.choice([ORIGIN, None, {}])
    text = json.dumps(members)
    encoded = random.choice([text] * 6 + [f"{text}x", f'{text[:-1]},"type":"x"}}']).encode()
    match random.randrange(10):
        case 0:
            return b"\xef\xbb\xbf" + encoded
        case 1:
            return encoded.replace(b"{", b'{"\xff":1,', 1)
        case _:
            return encoded
