"""One credential for two relying parties: Keystead and Yubico's `fido2`, which share no code.

For each disagreement, a row of `RULES` gives the reason and the section of the specification that
decides. A disagreement without a row is a defect of `fido2`, of Keystead, or of the table. The
rule: a row in which only `fido2` refuses must say why accepting is harmless.

Run the file as a script for more credentials from another seed: `python -m
tests.passkey.second_opinion 200000`.
"""

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal

import cbor2
from fido2.server import Fido2Server
from fido2.webauthn import (
    AuthenticatorData,
    PublicKeyCredentialRpEntity,
    UserVerificationRequirement,
)

from examples.software_authenticator import b64
from server.values.errors import Failure, Kind
from tests.passkey.attacks import REASONS, mutations
from tests.passkey.crafted import crafted
from tests.passkey.credentials import CHALLENGE, ORIGIN, POLICY, options, verified

Credential = Mapping[str, Any]

_POLICY = replace(POLICY, user_verification="required")


@dataclass(frozen=True, slots=True)
class Rule:
    """The reason why only one party refuses a credential. `pattern` matches its error.

    `decided_by` is the source; `because` is the reason for the behaviour of Keystead.
    """

    name: str
    refused_by: Literal["us", "fido2"]
    pattern: str
    decided_by: str
    because: str


_KEY = "authData.credentialPublicKey: "
_CBOR = "is not the CBOR expected.*: "

# Sections are those of WebAuthn Level 3, https://www.w3.org/TR/webauthn-3/, unless stated
# otherwise.
# These rules are also those of assertions.
NOT_BASE64URL = Rule(
    "text that is not base64url",
    "us",
    r"is not base64url|must be base64url without padding|must be at most \d+ bytes$",
    "§3, Base64url Encoding; RFC 4648 §3.3, §3.5",
    "Python's decoder drops what it does not know, so many texts would mean one credential.",
)
ANOTHER_TYPE = Rule(
    "another type of credential",
    "us",
    r"type: (must be a string|is missing)|type is .*, not 'public-key'$",
    "§5.1, [[type]]; §5.8.2",
    "fido2 takes a type that it does not know for one that was not sent.",
)
AMBIGUOUS_CLIENT_DATA = Rule(
    "client data that readers understand differently",
    "us",
    r"clientDataJSON(: is not unambiguous JSON|\.(crossOrigin|topOrigin): must be )",
    "§5.8.1; RFC 8259 §4",
    "Of a member that occurs twice one reader takes the first, another the last.",
)

RULES = (
    Rule(
        "another credential id than the attested one",
        "us",
        r"^CREDENTIAL_MALFORMED (id|rawId): differs",
        "§5.1, rawId; §6.5.1, credentialId",
        "Who may choose the id registers a key of his own under the id of somebody else's.",
    ),
    Rule(
        "ids that are the same bytes in another text",
        "fido2",
        r"^ValueError: id does not match rawId$",
        "§5.1, id",
        "Both are compared as bytes with the attested id; the text of neither is stored.",
    ),
    Rule(
        "a credential id of no or of too many bytes",
        "us",
        r"authData\.credentialId: must be 1 to 1023 bytes|ED id: must (not be empty|be at most)",
        "§7.1 step 25; §6.5.1, credentialId",
        "fido2 has no limit. An empty id names no credential.",
    ),
    NOT_BASE64URL,
    ANOTHER_TYPE,
    Rule(
        "claims of the client that cannot be stored",
        "us",
        r"^CREDENTIAL_MALFORMED (response\.transports|authenticatorAttachment): ",
        "§5.2.1, getTransports(); §5.1, authenticatorAttachment",
        "They are stored and sent to other browsers; fido2 stores neither.",
    ),
    Rule(
        "extension results that are no object",
        "fido2",
        r"^AttributeError: '(str|float|list|bool|int)' object has no attribute 'items'$",
        "§7.1, client extension outputs; §9",
        "A relying party may ignore them. They come from the client alone, and nothing reads them.",
    ),
    AMBIGUOUS_CLIENT_DATA,
    Rule(
        "client data after a byte order mark",
        "fido2",
        r"JSONDecodeError\('Unexpected UTF-8 BOM",
        "§7.1 step 5; Encoding Standard, UTF-8 decode",
        "The mark is stripped before the text is read. The signature covers it.",
    ),
    Rule(
        "bytes that are not UTF-8 in a member that nothing reads",
        "fido2",
        r"UnicodeDecodeError\('utf-8'",
        "§7.1 step 5; Encoding Standard, UTF-8 decode",
        "They become U+FFFD, which no value that is compared contains.",
    ),
    Rule(
        "a frame in a page that is not allowed",
        "us",
        r"^ORIGIN_NOT_ALLOWED (the page around the frame|frames of other pages)",
        "§7.1 steps 10 and 11",
        "fido2 reads crossOrigin and compares it with nothing.",
    ),
    Rule(
        "an attestation object that is not well-formed CBOR",
        "us",
        rf"^CREDENTIAL_MALFORMED response.attestationObject: {_CBOR}",
        "RFC 8949 §3, §5.6",
        "fido2 takes what ends too early, counts only the last of equal keys, and has no tags.",
    ),
    Rule(
        "a key or extensions not in CTAP2 canonical CBOR",
        "us",
        rf"authData\.(credentialPublicKey|extensions): ({_CBOR}|must be a map|must hold)",
        "§6.1; §6.5.1, credentialPublicKey; CTAP 2.1 §8",
        "An authenticator must write this form, and the bytes of the key are stored as they come.",
    ),
    Rule(
        "backed up, but not eligible for backup",
        "us",
        r"authData\.flags: backed up, but not eligible",
        "§7.1 step 17; §6.1.3",
        "fido2 reads both flags and compares them with nothing.",
    ),
    Rule(
        "an algorithm that was not offered",
        "us",
        rf"^ALGORITHM_NOT_ALLOWED |{_KEY}has no algorithm",
        "§7.1 step 20",
        "fido2 leaves it to whoever calls it.",
    ),
    Rule(
        "a key that no login could use",
        "us",
        rf"{_KEY}is not a usable key",
        "§5.8.5; §6.5.1.1; RFC 8812 §2",
        "Without attestation fido2 looks at no more of a key than its algorithm.",
    ),
    Rule(
        "an attestation object of another shape",
        "us",
        r"attestationObject(\.fmt|\.attStmt)?: must be |^ATTESTATION_NOT_ALLOWED ",
        "§6.5.4, the syntax of attestation objects; §7.1 step 21",
        "fido2 looks only for the members that it needs, and ignores the format.",
    ),
)


@dataclass(frozen=True, slots=True)
class Reading:
    """The data that a relying party read from an accepted credential."""

    credential_id: bytes
    public_key: Mapping[int, object]
    aaguid: str
    sign_count: int
    user_verified: bool
    backup_eligible: bool
    backed_up: bool


def compare(credential: Credential) -> str:
    """The outcome: `both accept`, `both refuse`, or the name of a rule.

    AssertionError: no rule explains it, or both accept and have read different data.
    """
    ours, theirs = _ours(credential), _theirs(credential)
    match ours, theirs:
        case str(), str():
            return "both refuse"
        case str() as refusal, _:
            return explain(RULES, "us", refusal)
        case _, str() as refusal:
            return explain(RULES, "fido2", refusal)
        case _:
            assert ours == theirs, f"read differently: {ours} and {theirs}"
            return "both accept"


def explain(rules: Sequence[Rule], refused_by: str, refusal: str) -> str:
    """The name of the rule that explains a refusal. AssertionError: there is none."""
    for rule in rules:
        if rule.refused_by == refused_by and re.search(rule.pattern, refusal, re.DOTALL):
            return rule.name
    raise AssertionError(f"refused by {refused_by} alone, and no rule says why: {refusal[:500]}")


def _ours(credential: Credential) -> Reading | str:
    try:
        ours = verified(dict(credential), _POLICY)
    except Failure as failure:
        _check(failure)
        return f"{failure.reason} {failure.log_detail}"
    return Reading(
        ours.credential_id,
        cbor2.loads(ours.public_key),
        ours.aaguid,
        ours.sign_count,
        ours.user_verified,
        ours.backup_eligible,
        ours.backed_up,
    )


def _check(failure: Failure) -> None:
    """Compares a refusal with the contract of the method."""
    assert failure.kind is Kind.INVALID_ARGUMENT
    assert failure.reason in REASONS
    assert failure.log_detail
    assert (failure.reason == "CREDENTIAL_MALFORMED") == ("path" in failure.metadata)
    for text in [*failure.metadata.values(), *(each.description for each in failure.violations)]:
        text.encode("utf-8")  # protobuf sends no other text


def _theirs(credential: Credential) -> Reading | str:
    state = {
        "challenge": b64(CHALLENGE),
        "user_verification": UserVerificationRequirement.REQUIRED,
    }
    try:
        data: AuthenticatorData = _FIDO2.register_complete(state, credential)
    except Exception as error:  # noqa: BLE001 -- every exception is a refusal
        cause = f": {error.__context__!r}" if error.__context__ else ""
        return f"{type(error).__name__}: {error}{cause}"
    attested = data.credential_data
    assert attested is not None
    return Reading(
        attested.credential_id,
        dict(attested.public_key),
        str(attested.aaguid),
        data.counter,
        data.is_user_verified(),
        data.is_backup_eligible(),
        data.is_backed_up(),
    )


_FIDO2 = Fido2Server(
    PublicKeyCredentialRpEntity(id=POLICY.rp_id, name=POLICY.rp_name),
    verify_origin=lambda origin: origin == ORIGIN,
)


def ask(rounds: int, seed: int) -> Counter[str]:
    """The number of each outcome of `compare`. A third has wrong bytes, the rest breaks rules."""
    third = rounds // 3
    credentials = chain(mutations(options(), ORIGIN, third, seed), crafted(rounds - third, seed))
    return tally(compare, ((each,) for each in credentials), seed)


def tally(compare: Callable[..., str], cases: Iterable[tuple[Any, ...]], seed: int) -> Counter[str]:
    """The number of each outcome. The last part of a case is its credential.

    AssertionError shows the first credential that no rule explains. The same seed gives a similar
    one.
    """
    outcomes: Counter[str] = Counter()
    for number, case in enumerate(cases):
        try:
            outcomes[compare(*case)] += 1
        except AssertionError as error:
            shown = json.dumps(case[-1])
            raise AssertionError(f"seed {seed}, credential {number}: {error}\n{shown}") from None
    return outcomes


def report(ask: Callable[[int, int], Counter[str]], rules: Sequence[Rule]) -> int:
    """Prints the outcomes, the most frequent first. Returns the seed."""
    seed = time.time_ns()
    outcomes = ask(int(sys.argv[1]), seed)
    unseen = [rule.name for rule in rules if rule.name not in outcomes]
    lines = [f"{count:9,} {name}" for name, count in outcomes.most_common()]
    sys.stdout.write("\n".join([f"seed {seed}", *lines, f"never seen: {unseen}\n"]))
    return seed


if __name__ == "__main__":
    report(ask, RULES)
