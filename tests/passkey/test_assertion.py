"""The sign-in ceremony: each step of WebAuthn Level 3 §7.2, accepted and refused."""

import json
import time
from typing import Any

import cbor2
import pytest

from examples.software_authenticator import ES256, b64, cose_key, generate_key, sign, unb64
from server.passkey.webauthn.assertion import ClonedPasskeyError, VerifiedAssertion
from server.values.errors import Failure, Kind
from tests.passkey.assertions import (
    ALGORITHMS,
    CREDENTIAL_ID,
    USER_HANDLE,
    asserted,
    authenticator,
    signed_in,
    stored,
)
from tests.passkey.attacks import CBOR_ATTACKS
from tests.passkey.credentials import CHALLENGE, ORIGIN, malformed_at
from tests.support import rsa_keys

OTHER = b"somebody else's"
DATA = "response.authenticatorData"


def refusal(credential: dict[str, Any], *arguments: Any, **named: Any) -> Failure:
    """The failure of an assertion that must be refused."""
    with pytest.raises(Failure) as caught:
        signed_in(credential, *arguments, **named)
    failure = caught.value
    assert failure.log_detail
    assert failure.log_detail not in failure.message
    return failure


def refused_at(credential: dict[str, Any]) -> str:
    """The path of the member for which the assertion is malformed."""
    return malformed_at(signed_in, credential)


def with_response(**members: Any) -> dict[str, Any]:
    credential = asserted()
    return credential | {"response": credential["response"] | members}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_an_assertion_of_every_algorithm(algorithm: int) -> None:
    credential = asserted(algorithm, sign_count=7, be=True, bs=True)

    result = signed_in(credential, stored(algorithm, sign_count=6, backup_eligible=True))

    assert result == VerifiedAssertion(
        sign_count=7,
        sign_count_went_back=False,
        backup_eligible=True,
        backup_eligible_changed=False,
        backed_up=True,
        user_verified=True,
        origin=ORIGIN,
        top_origin="",
    )


# (step, parts of the assertion, further arguments); `test_credentials.py` has those of both
# ceremonies.
ACCEPTED: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("5: one of those asked for", {}, {"allowed": [OTHER, CREDENTIAL_ID]}),
    ("6: named by its user handle", {"user_handle": USER_HANDLE}, {}),
    ("6: identified before", {"user_handle": None}, {"allowed": [CREDENTIAL_ID]}),
    ("6: an empty one, identified before", {"user_handle": b""}, {"allowed": [CREDENTIAL_ID]}),
    ("23: outputs of extensions", {"extensions": {"uvm": [[1, 2, 3]]}}, {}),
]
REFUSED: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("5: none of those asked for", {}, {"allowed": [OTHER]}, "SIGN_IN_FAILED"),
    ("6: no user handle", {"user_handle": None}, {}, "SIGN_IN_FAILED"),
    ("6: an empty user handle", {"user_handle": b""}, {}, "SIGN_IN_FAILED"),
    ("6: of another user", {"user_handle": b"other"}, {}, "SIGN_IN_FAILED"),
    (
        "6: of another user, identified before",
        {"user_handle": b"other"},
        {"allowed": [CREDENTIAL_ID]},
        "SIGN_IN_FAILED",
    ),
    ("6: another passkey", {}, {"known": stored(credential_id=OTHER)}, "SIGN_IN_FAILED"),
    ("21: signed by another key", {"key": generate_key(ES256)}, {}, "SIGN_IN_FAILED"),
    ("21: no signature", {"signature": b""}, {}, "SIGN_IN_FAILED"),
    ("21: not DER", {"signature": b"0\x06\x02\x01\x01\x02\x01"}, {}, "SIGN_IN_FAILED"),
    ("22: a copy", {"sign_count": 7}, {"known": stored(sign_count=7)}, "SIGN_IN_FAILED"),
]


@pytest.mark.parametrize(
    ("parts", "given"), [row[1:] for row in ACCEPTED], ids=[row[0] for row in ACCEPTED]
)
def test_a_step_of_an_assertion_accepts(parts: dict[str, Any], given: dict[str, Any]) -> None:
    assert signed_in(asserted(**parts), **given).sign_count == 0


@pytest.mark.parametrize(
    ("parts", "given", "reason"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_a_step_of_an_assertion_refuses(
    parts: dict[str, Any], given: dict[str, Any], reason: str
) -> None:
    failure = refusal(asserted(**parts), **given)

    assert failure.reason == reason
    assert (failure.kind is Kind.UNAUTHENTICATED) == (reason == "SIGN_IN_FAILED")


def test_everything_an_anonymous_caller_must_not_tell_apart_has_one_text() -> None:
    failures = [refusal(asserted(**p), **g) for _, p, g, reason in REFUSED if "SIGN_IN" in reason]

    assert len({(failure.message, *failure.metadata) for failure in failures}) == 1


# Steps 1 to 4 and 7 to 9.


@pytest.mark.parametrize("wrong", [7.0, {}, "=", b64(bytes(65))])
def test_a_user_handle_that_cannot_be_is_malformed(wrong: object) -> None:
    assert refused_at(with_response(userHandle=wrong)) == "response.userHandle"


def test_authenticator_data_that_is_cut_is_malformed() -> None:
    data = unb64(asserted(extensions={"a": 1})["response"]["authenticatorData"])

    for length in range(len(data)):
        cut = with_response(authenticatorData=b64(data[:length]))
        assert refused_at(cut).startswith(DATA)


@pytest.mark.parametrize(
    ("parts", "path"),
    [
        ({"flags": 0x45}, f"{DATA}.flags"),
        ({"flags": 0x85}, f"{DATA}.extensions"),
        ({"flags": 0x05, "extensions": {}}, DATA),
    ],
    ids=["attested credential", "no extensions", "extensions without the flag"],
)
def test_flags_that_do_not_fit_are_malformed(parts: dict[str, Any], path: str) -> None:
    assert refused_at(asserted(**parts)) == path


# Step 22, and the stored sign count.


@pytest.mark.parametrize(
    ("known", "received", "eligible", "kept", "went_back"),
    [
        (0, 0, False, 0, False),
        (0, 1, False, 1, False),
        (6, 7, False, 7, False),
        (6, 2**32 - 1, False, 2**32 - 1, False),
        (7, 7, True, 7, True),
        (7, 0, True, 7, True),
        (7, 8, True, 8, False),
        (0, 0, True, 0, False),
    ],
)
def test_a_counter_that_goes_up_or_is_synchronized_is_accepted(
    known: int, received: int, eligible: bool, kept: int, went_back: bool
) -> None:
    credential = asserted(sign_count=received, be=eligible)

    result = signed_in(credential, stored(sign_count=known, backup_eligible=eligible))

    assert (result.sign_count, result.sign_count_went_back) == (kept, went_back)


@pytest.mark.parametrize(("known", "received"), [(7, 7), (7, 6), (7, 0), (1, 0)])
@pytest.mark.parametrize("claimed", [False, True])
def test_a_copy_of_a_device_bound_passkey_is_refused_whatever_it_claims(
    known: int, received: int, claimed: bool
) -> None:
    credential = asserted(sign_count=received, be=claimed)

    with pytest.raises(ClonedPasskeyError, match="SIGN_IN_FAILED") as caught:
        signed_in(credential, stored(sign_count=known))

    assert caught.value.log_detail == f"the counter is {received}, it was {known}"


def test_the_counter_is_compared_after_the_signature() -> None:
    credential = asserted(sign_count=0, key=generate_key(ES256))

    failure = refusal(credential, stored(sign_count=7))

    assert not isinstance(failure, ClonedPasskeyError)


@pytest.mark.parametrize(("before", "now"), [(False, True), (True, False)])
def test_a_changed_backup_eligibility_is_accepted_and_told(before: bool, now: bool) -> None:
    """Step 19."""
    result = signed_in(asserted(be=now), stored(backup_eligible=before))

    assert (result.backup_eligible, result.backup_eligible_changed) == (now, True)


@pytest.mark.parametrize(
    "broken",
    [b"", cbor2.dumps({1: 2, 3: -7}), cbor2.dumps({1: 1, 3: -8, -1: 6, -2: bytes(32)})],
)
def test_a_stored_key_that_no_longer_counts_as_one_signs_nobody_in(broken: bytes) -> None:
    assert refusal(asserted(), stored(public_key=broken)).reason == "SIGN_IN_FAILED"


def test_a_signature_over_something_else_is_refused() -> None:
    key = authenticator().credentials[CREDENTIAL_ID]

    assert refusal(asserted(signature=sign(key, b"else"))).reason == "SIGN_IN_FAILED"


# Cost

MAX_REQUEST = 16 * 1024
LIMIT = 0.05  # seconds of processor time, on which other processes have little influence

_MEMBERS = json.dumps({"type": "webauthn.get", "challenge": b64(CHALLENGE), "origin": ORIGIN})
_HEAD = unb64(asserted()["response"]["authenticatorData"])
CLIENT_DATA = {
    "nested lists": b'{"a":' + b"[" * 11_000,
    "nested objects": b'{"a":' * 2_200,
    "many members": b"{%s}" % b",".join(b'"%d":0' % n for n in range(1_300)),
    "a long number": b'{"a":%s}' % (b"9" * 11_000),
    "escapes": b'{"a":"%s"}' % (b"\\u0041" * 1_900),
    "not UTF-8": _MEMBERS[:-1].encode() + b',"a":"' + b"\xff" * 11_000 + b'"}',
}


@pytest.mark.parametrize("client_data", CLIENT_DATA.values(), ids=CLIENT_DATA)
def test_expensive_client_data_is_answered_soon(client_data: bytes) -> None:
    _assert_answered_soon(asserted(client_data=client_data))


@pytest.mark.parametrize("attack", CBOR_ATTACKS.values(), ids=CBOR_ATTACKS)
def test_expensive_extensions_are_answered_soon(attack: bytes) -> None:
    credential = asserted(data=_HEAD[:32] + b"\x85" + _HEAD[33:] + attack[:4_000])

    _assert_answered_soon(credential)
    assert refused_at(credential) == f"{DATA}.extensions"


def test_the_most_expensive_key_is_used_soon() -> None:
    key = rsa_keys.rsa_key("long", 4096)
    members = cose_key(key) | {-2: b"\xff\xff\xff\xff"}  # no signature verifies with that exponent

    _assert_answered_soon(asserted(key=key), cbor2.dumps(members))


def test_a_key_of_4096_bits_signs_in() -> None:
    key = rsa_keys.rsa_key("long", 4096)
    credential = asserted(key=key)
    assert len(sign(key, b"")) == 512

    result = signed_in(credential, stored(public_key=cbor2.dumps(cose_key(key))))

    assert result.user_verified


def _assert_answered_soon(credential: dict[str, Any], public_key: bytes | None = None) -> None:
    """The fastest of three calls."""
    assert len(json.dumps(credential)) <= MAX_REQUEST
    known = stored(public_key=public_key) if public_key else stored()
    taken = []
    for _ in range(3):
        started = time.thread_time()
        try:
            signed_in(credential, known)
        except Failure as failure:
            assert failure.reason in ("CREDENTIAL_MALFORMED", "SIGN_IN_FAILED")  # noqa: PT017
        taken.append(time.thread_time() - started)
    assert min(taken) < LIMIT
