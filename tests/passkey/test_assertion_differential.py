"""Wrong assertions: `fido2` agrees or a row gives the reason, and no answer takes long.

The table of differences: `second_opinion_on_assertions.RULES`.
"""

import json
import time
from collections import Counter
from typing import Any

import cbor2
import pytest

from examples.software_authenticator import b64, cose_key, sign, unb64
from server.values.errors import Failure
from tests.passkey.assertions import ALGORITHMS, asserted, signed_in, stored
from tests.passkey.attacks import CBOR_ATTACKS
from tests.passkey.credentials import CHALLENGE, ORIGIN
from tests.passkey.second_opinion_on_assertions import RULES, ask, compare
from tests.support import rsa_keys

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


@pytest.fixture(scope="module")
def outcomes() -> Counter[str]:
    """The outcomes of some thousand assertions. An unexplained difference fails the tests."""
    return ask(2000, seed=1)


def test_every_difference_has_its_row_and_every_row_its_difference(outcomes: Counter[str]) -> None:
    assert set(outcomes) == {"both accept", "both refuse", *(rule.name for rule in RULES)}


def test_the_assertions_are_strange_enough_and_not_too_strange(outcomes: Counter[str]) -> None:
    assert outcomes["both accept"] > outcomes.total() / 20
    assert outcomes["both refuse"] > outcomes.total() / 3


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_an_honest_assertion_is_accepted_by_both(algorithm: int) -> None:
    assert compare(algorithm, asserted(algorithm, sign_count=9)) == "both accept"


@pytest.mark.parametrize("client_data", CLIENT_DATA.values(), ids=CLIENT_DATA)
def test_expensive_client_data_is_answered_soon(client_data: bytes) -> None:
    _assert_answered_soon(asserted(client_data=client_data))


@pytest.mark.parametrize("attack", CBOR_ATTACKS.values(), ids=CBOR_ATTACKS)
def test_expensive_extensions_are_answered_soon(attack: bytes) -> None:
    data = _HEAD[:32] + b"\x85" + _HEAD[33:] + attack[:4_000]

    _assert_answered_soon(asserted(data=data))


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
