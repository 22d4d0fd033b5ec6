"""One assertion for two relying parties: Keystead and Yubico's `fido2`.

As in `second_opinion.py` for registrations, every disagreement has a row. Some assertions have
wrong bytes (JSON, base64url, authenticator data, extensions, DER signatures), the others break
rules and are signed after the change. For more of them, with the time of the slowest call: `python
-m tests.passkey.second_opinion_on_assertions 200000`.
"""

import json
import sys
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    PublicKeyCredentialRpEntity,
    UserVerificationRequirement,
)

from examples.software_authenticator import b64, unb64
from server.values.errors import Failure
from tests.passkey.assertions import (
    ALGORITHMS,
    CREDENTIAL_ID,
    POLICY,
    USER_HANDLE,
    asserted,
    signed_in,
    stored,
)
from tests.passkey.attacks import CBOR_ATTACKS, STRANGE, mutated
from tests.passkey.credentials import CHALLENGE, ORIGIN
from tests.passkey.second_opinion import (
    AMBIGUOUS_CLIENT_DATA,
    ANOTHER_TYPE,
    NOT_BASE64URL,
    Credential,
    Rule,
    explain,
    report,
    tally,
)

REASONS = {
    "CREDENTIAL_MALFORMED",
    "SIGN_IN_FAILED",
    "ORIGIN_NOT_ALLOWED",
    "USER_NOT_VERIFIED",
}

# Sections are those of WebAuthn Level 3, https://www.w3.org/TR/webauthn-3/, unless stated
# otherwise.
RULES = (
    NOT_BASE64URL,
    Rule(
        "ids that are the same bytes in another text",
        "fido2",
        r"^ValueError: id does not match rawId$",
        "§5.1, id",
        "Both are compared as bytes; the text of neither is stored.",
    ),
    ANOTHER_TYPE,
    Rule(
        "a user handle of nobody, or of another user",
        "us",
        r"userHandle: must |there is no user handle$|the user handle is not",
        "§7.2 step 6; §5.4.3",
        "fido2 leaves it to whoever calls it. It is the only name of the user in a sign-in.",
    ),
    AMBIGUOUS_CLIENT_DATA,
    Rule(
        "client data after a byte order mark",
        "fido2",
        r"JSONDecodeError\('Unexpected UTF-8 BOM",
        "§7.2 step 8; Encoding Standard, UTF-8 decode",
        "The mark is stripped before the text is read. The signature covers it.",
    ),
    Rule(
        "bytes that are not UTF-8 in a member that nothing reads",
        "fido2",
        r"UnicodeDecodeError\('utf-8'",
        "§7.2 step 8; Encoding Standard, UTF-8 decode",
        "They become U+FFFD, which no value that is compared contains.",
    ),
    Rule(
        "a frame in a page that is not allowed",
        "us",
        r"^ORIGIN_NOT_ALLOWED (the page around the frame|frames of other pages)",
        "§7.2 steps 13 and 14",
        "fido2 reads crossOrigin and compares it with nothing.",
    ),
    Rule(
        "a credential that is attested by an assertion",
        "us",
        r"authenticatorData\.flags: say that a credential",
        "§6.1: AT must not be set for assertions",
        "fido2 reads it and ignores it. No key may come in but by a registration.",
    ),
    Rule(
        "backed up, but not eligible for backup",
        "us",
        r"authenticatorData\.flags: backed up, but not eligible",
        "§7.2 step 18; §6.1.3",
        "fido2 reads both flags and compares them with nothing.",
    ),
    Rule(
        "extensions that are not one map in CTAP2 canonical CBOR",
        "us",
        r"authenticatorData(\.extensions)?: (is not the CBOR expected|must be a map)",
        "§6.1; CTAP 2.1 §8",
        "An authenticator must write this form.",
    ),
    Rule(
        "extension results that are no object",
        "fido2",
        r"^AttributeError: '(str|float|list|bool|int)' object has no attribute 'items'$",
        "§7.2 step 23; §9",
        "A relying party may ignore them. They come from the client alone, and nothing reads them.",
    ),
    Rule(
        "a counter of a device-bound passkey that does not go up",
        "us",
        r"^SIGN_IN_FAILED the counter is ",
        "§7.2 step 22",
        "fido2 leaves it to whoever calls it.",
    ),
)

STORED_COUNT = 5


def compare(algorithm: int, credential: Credential) -> str:
    """The outcome: `both accept`, `both refuse`, or the name of a rule.

    AssertionError: no rule explains it, or the reason of the refusal is not documented.
    """
    ours, theirs = _ours(algorithm, credential), _theirs(algorithm, credential)
    assert ours is None or ours.split()[0] in REASONS, ours
    if ours is None and theirs is None:
        return "both accept"
    if ours is not None and theirs is not None:
        return "both refuse"
    return explain(RULES, "us", ours) if ours is not None else explain(RULES, "fido2", theirs or "")


def _ours(algorithm: int, credential: Credential) -> str | None:
    try:
        signed_in(dict(credential), stored(algorithm, sign_count=STORED_COUNT))
    except Failure as failure:
        for text in [*failure.metadata.values(), *(v.description for v in failure.violations)]:
            text.encode("utf-8")  # protobuf sends no other text
        return f"{failure.reason} {failure.log_detail}"
    return None


def _theirs(algorithm: int, credential: Credential) -> str | None:
    state = {
        "challenge": b64(CHALLENGE),
        "user_verification": UserVerificationRequirement.REQUIRED,
    }
    try:
        _FIDO2.authenticate_complete(state, [_known(algorithm)], credential)
    except Exception as error:  # noqa: BLE001 -- every exception is a refusal
        cause = f": {error.__context__!r}" if error.__context__ else ""
        return f"{type(error).__name__}: {error}{cause}"
    return None


@cache
def _known(algorithm: int) -> Any:
    key = stored(algorithm).public_key
    return AttestedCredentialData(bytes(16) + b"\x00\x20" + CREDENTIAL_ID + key)


_FIDO2 = Fido2Server(
    PublicKeyCredentialRpEntity(id=POLICY.rp_id, name="Example"),
    verify_origin=lambda origin: origin == ORIGIN,
)


def assertions(rounds: int, seed: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Algorithms and assertions. Half have wrong bytes, the others break rules."""
    random = Random(seed)  # noqa: S311 -- a repeatable choice, not cryptography
    bases = {a: asserted(a, sign_count=9, extensions={"uvm": [[1]]}) for a in ALGORITHMS}
    for number in range(rounds):
        algorithm = random.choice(ALGORITHMS)
        if number % 2:
            yield algorithm, _broken(random, bases[algorithm])
        else:
            yield algorithm, _strange(random, algorithm)


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


def _strange(random: Random, algorithm: int) -> dict[str, Any]:
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
                parts["client_data"] = _client_data(random)
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
    return head + bytes(_known(algorithm))


def _client_data(random: Random) -> bytes:
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


def ask(rounds: int, seed: int) -> Counter[str]:
    """The number of each outcome of `compare`."""
    return tally(compare, assertions(rounds, seed), seed)


def slowest(rounds: int, seed: int) -> float:
    """The seconds of Keystead's slowest answer."""
    longest = 0.0
    for algorithm, credential in assertions(rounds, seed):
        started = time.perf_counter()
        _ours(algorithm, credential)
        longest = max(longest, time.perf_counter() - started)
    return longest


if __name__ == "__main__":
    longest = slowest(int(sys.argv[1]), report(ask, RULES))
    sys.stdout.write(f"slowest of ours: {longest * 1e3:.1f} ms\n")
