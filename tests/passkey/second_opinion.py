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
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, Literal

import cbor2
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    PublicKeyCredentialRpEntity,
    UserVerificationRequirement,
)

from examples.software_authenticator import b64
from server.values.errors import Failure, Kind
from tests.passkey import crafted
from tests.passkey.assertions import CREDENTIAL_ID, signed_in, stored
from tests.passkey.attacks import REASONS, mutations
from tests.passkey.credentials import CHALLENGE, ORIGIN, REQUIRED, options, verified

Credential = Mapping[str, Any]
# The algorithm of the passkey, which only the verification of an assertion needs.
Case = tuple[int, Credential]


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
    ceremony: Literal["registration", "sign-in", "both"] = "both"


_KEY = "authData.credentialPublicKey: "
_CBOR = "is not the CBOR expected.*: "

# Sections are those of WebAuthn Level 3, https://www.w3.org/TR/webauthn-3/, unless stated
# otherwise.
RULES = (
    Rule(
        "text that is not base64url",
        "us",
        r"is not base64url|must be base64url without padding|must be at most \d+ bytes$",
        "§3, Base64url Encoding; RFC 4648 §3.3, §3.5",
        "Python's decoder drops what it does not know, so many texts would mean one credential.",
    ),
    Rule(
        "another type of credential",
        "us",
        r"type: (must be a string|is missing)|type is .*, not 'public-key'$",
        "§5.1, [[type]]; §5.8.2",
        "fido2 takes a type that it does not know for one that was not sent.",
    ),
    Rule(
        "client data that readers understand differently",
        "us",
        r"clientDataJSON(: is not unambiguous JSON|\.(crossOrigin|topOrigin): must be )",
        "§5.8.1; RFC 8259 §4",
        "Of a member that occurs twice one reader takes the first, another the last.",
    ),
    Rule(
        "ids that are the same bytes in another text",
        "fido2",
        r"^ValueError: id does not match rawId$",
        "§5.1, id",
        "Both are compared as bytes; the text of neither is stored.",
    ),
    Rule(
        "client data after a byte order mark",
        "fido2",
        r"JSONDecodeError\('Unexpected UTF-8 BOM",
        "§7.1 step 5, §7.2 step 8; Encoding Standard, UTF-8 decode",
        "The mark is stripped before the text is read. The signature covers it.",
    ),
    Rule(
        "bytes that are not UTF-8 in a member that nothing reads",
        "fido2",
        r"UnicodeDecodeError\('utf-8'",
        "§7.1 step 5, §7.2 step 8; Encoding Standard, UTF-8 decode",
        "They become U+FFFD, which no value that is compared contains.",
    ),
    Rule(
        "a frame in a page that is not allowed",
        "us",
        r"^ORIGIN_NOT_ALLOWED (the page around the frame|frames of other pages)",
        "§7.1 steps 10 and 11, §7.2 steps 13 and 14",
        "fido2 reads crossOrigin and compares it with nothing.",
    ),
    Rule(
        "backed up, but not eligible for backup",
        "us",
        r"(authData|authenticatorData)\.flags: backed up, but not eligible",
        "§7.1 step 17, §7.2 step 18; §6.1.3",
        "fido2 reads both flags and compares them with nothing.",
    ),
    Rule(
        "extension results that are no object",
        "fido2",
        r"^AttributeError: '(str|float|list|bool|int)' object has no attribute 'items'$",
        "§7.1, client extension outputs, §7.2 step 23; §9",
        "A relying party may ignore them. They come from the client alone, and nothing reads them.",
    ),
    Rule(
        "another credential id than the attested one",
        "us",
        r"^CREDENTIAL_MALFORMED (id|rawId): differs",
        "§5.1, rawId; §6.5.1, credentialId",
        "Who may choose the id registers a key of his own under the id of somebody else's.",
        "registration",
    ),
    Rule(
        "a credential id of no or of too many bytes",
        "us",
        r"authData\.credentialId: must be 1 to 1023 bytes|ED id: must (not be empty|be at most)",
        "§7.1 step 25; §6.5.1, credentialId",
        "fido2 has no limit. An empty id names no credential.",
        "registration",
    ),
    Rule(
        "claims of the client that cannot be stored",
        "us",
        r"^CREDENTIAL_MALFORMED (response\.transports|authenticatorAttachment): ",
        "§5.2.1, getTransports(); §5.1, authenticatorAttachment",
        "They are stored and sent to other browsers; fido2 stores neither.",
        "registration",
    ),
    Rule(
        "an attestation object that is not well-formed CBOR",
        "us",
        rf"^CREDENTIAL_MALFORMED response.attestationObject: {_CBOR}",
        "RFC 8949 §3, §5.6",
        "fido2 takes what ends too early, counts only the last of equal keys, and has no tags.",
        "registration",
    ),
    Rule(
        "a key or extensions not in CTAP2 canonical CBOR",
        "us",
        rf"authData\.(credentialPublicKey|extensions): ({_CBOR}|must be a map|must hold)",
        "§6.1; §6.5.1, credentialPublicKey; CTAP 2.1 §8",
        "An authenticator must write this form, and the bytes of the key are stored as they come.",
        "registration",
    ),
    Rule(
        "an algorithm that was not offered",
        "us",
        rf"^ALGORITHM_NOT_ALLOWED |{_KEY}has no algorithm",
        "§7.1 step 20",
        "fido2 leaves it to whoever calls it.",
        "registration",
    ),
    Rule(
        "a key that no login could use",
        "us",
        rf"{_KEY}is not a usable key",
        "§5.8.5; §6.5.1.1; RFC 8812 §2",
        "Without attestation fido2 looks at no more of a key than its algorithm.",
        "registration",
    ),
    Rule(
        "an attestation object of another shape",
        "us",
        r"attestationObject(\.fmt|\.attStmt)?: must be |^ATTESTATION_NOT_ALLOWED ",
        "§6.5.4, the syntax of attestation objects; §7.1 step 21",
        "fido2 looks only for the members that it needs, and ignores the format.",
        "registration",
    ),
    Rule(
        "a user handle of nobody, or of another user",
        "us",
        r"userHandle: must |there is no user handle$|the user handle is not",
        "§7.2 step 6; §5.4.3",
        "fido2 leaves it to whoever calls it. It is the only name of the user in a sign-in.",
        "sign-in",
    ),
    Rule(
        "a credential that is attested by an assertion",
        "us",
        r"authenticatorData\.flags: say that a credential",
        "§6.1: AT must not be set for assertions",
        "fido2 reads it and ignores it. No key may come in but by a registration.",
        "sign-in",
    ),
    Rule(
        "extensions that are not one map in CTAP2 canonical CBOR",
        "us",
        r"authenticatorData(\.extensions)?: (is not the CBOR expected|must be a map)",
        "§6.1; CTAP 2.1 §8",
        "An authenticator must write this form.",
        "sign-in",
    ),
    Rule(
        "a counter of a device-bound passkey that does not go up",
        "us",
        r"^SIGN_IN_FAILED the counter is ",
        "§7.2 step 22",
        "fido2 leaves it to whoever calls it.",
        "sign-in",
    ),
)

STORED_COUNT = 5


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


@dataclass(frozen=True, slots=True)
class Ceremony:
    """The verifications of both parties, and cases for them: a number of cases from a seed."""

    name: str
    ours: Callable[[int, Credential], object]
    theirs: Callable[[int, Credential], object]
    cases: Callable[[int, int], Iterator[Case]]

    @property
    def rules(self) -> list[Rule]:
        return [rule for rule in RULES if rule.ceremony in (self.name, "both")]

    def compare(self, algorithm: int, credential: Credential) -> str:
        """The outcome: `both accept`, `both refuse`, or the name of a rule.

        AssertionError: no rule explains it, or both accept and have read different data.
        """
        ours, theirs = self._ours(algorithm, credential), self._theirs(algorithm, credential)
        match ours, theirs:
            case str(), str():
                return "both refuse"
            case str() as refusal, _:
                return self._explain("us", refusal)
            case _, str() as refusal:
                return self._explain("fido2", refusal)
            case _:
                assert ours == theirs, f"read differently: {ours} and {theirs}"
                return "both accept"

    def ask(self, rounds: int, seed: int) -> Counter[str]:
        """The number of each outcome.

        AssertionError shows the first credential that no rule explains. The same seed gives a
        similar one.
        """
        outcomes: Counter[str] = Counter()
        for number, case in enumerate(self.cases(rounds, seed)):
            try:
                outcomes[self.compare(*case)] += 1
            except AssertionError as error:
                shown = json.dumps(case[-1])
                place = f"seed {seed}, credential {number}"
                raise AssertionError(f"{place}: {error}\n{shown}") from None
        return outcomes

    def _explain(self, refused_by: str, refusal: str) -> str:
        for rule in self.rules:
            if rule.refused_by == refused_by and re.search(rule.pattern, refusal, re.DOTALL):
                return rule.name
        raise AssertionError(
            f"refused by {refused_by} alone, and no rule says why: {refusal[:500]}"
        )

    def _ours(self, algorithm: int, credential: Credential) -> object:
        try:
            return self.ours(algorithm, credential)
        except Failure as failure:
            _check(failure)
            return f"{failure.reason} {failure.log_detail}"

    def _theirs(self, algorithm: int, credential: Credential) -> object:
        try:
            return self.theirs(algorithm, credential)
        except Exception as error:  # noqa: BLE001 -- every exception is a refusal
            cause = f": {error.__context__!r}" if error.__context__ else ""
            return f"{type(error).__name__}: {error}{cause}"


def _check(failure: Failure) -> None:
    """Compares a refusal with the contract of the methods."""
    is_sign_in = failure.reason == "SIGN_IN_FAILED"
    assert failure.kind is (Kind.UNAUTHENTICATED if is_sign_in else Kind.INVALID_ARGUMENT)
    assert failure.reason in REASONS
    assert failure.log_detail
    assert (failure.reason == "CREDENTIAL_MALFORMED") == ("path" in failure.metadata)
    for text in [*failure.metadata.values(), *(each.description for each in failure.violations)]:
        text.encode("utf-8")  # protobuf sends no other text


_FIDO2 = Fido2Server(
    PublicKeyCredentialRpEntity(id=REQUIRED.rp_id, name=REQUIRED.rp_name),
    verify_origin=lambda origin: origin == ORIGIN,
)
_STATE = {"challenge": b64(CHALLENGE), "user_verification": UserVerificationRequirement.REQUIRED}


def _registered_by_us(_algorithm: int, credential: Credential) -> Reading:
    ours = verified(dict(credential), REQUIRED)
    return Reading(
        ours.credential_id,
        cbor2.loads(ours.public_key),
        ours.aaguid,
        ours.sign_count,
        ours.user_verified,
        ours.backup_eligible,
        ours.backed_up,
    )


def _registered_by_them(_algorithm: int, credential: Credential) -> Reading:
    data = _FIDO2.register_complete(_STATE, credential)
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


def _signed_in_by_us(algorithm: int, credential: Credential) -> None:
    signed_in(dict(credential), stored(algorithm, sign_count=STORED_COUNT))


def _signed_in_by_them(algorithm: int, credential: Credential) -> None:
    _FIDO2.authenticate_complete(_STATE, [_known(algorithm)], credential)


@cache
def _known(algorithm: int) -> Any:
    key = stored(algorithm).public_key
    return AttestedCredentialData(bytes(16) + b"\x00\x20" + CREDENTIAL_ID + key)


def _registrations(rounds: int, seed: int) -> Iterator[Case]:
    """A third has wrong bytes, the rest breaks rules."""
    third = rounds // 3
    wrong = mutations(options(), ORIGIN, third, seed)
    return ((0, each) for each in chain(wrong, crafted.registrations(rounds - third, seed)))


CEREMONIES = {
    each.name: each
    for each in (
        Ceremony("registration", _registered_by_us, _registered_by_them, _registrations),
        Ceremony("sign-in", _signed_in_by_us, _signed_in_by_them, crafted.assertions),
    )
}


def _report(ceremony: Ceremony, rounds: int, seed: int) -> None:
    """Prints the outcomes, the most frequent first."""
    outcomes = ceremony.ask(rounds, seed)
    unseen = [rule.name for rule in ceremony.rules if rule.name not in outcomes]
    lines = [f"{count:9,} {name}" for name, count in outcomes.most_common()]
    title = f"{ceremony.name}, seed {seed}"
    sys.stdout.write("\n".join([title, *lines, f"never seen: {unseen}\n"]))


if __name__ == "__main__":
    for each in CEREMONIES.values():
        _report(each, int(sys.argv[1]), time.time_ns())
