"""The challenge of a sign-in: a message authentication code instead of a row (decision 18).

64 bytes: version (1), purpose (1), key id (8), expiry in seconds since 1970 (6), hash of the policy
(16), random bytes (16), and the first 16 bytes of HMAC-SHA-256 over all of these and the session.
Pure functions: no clock, no storage. The database ensures that a challenge is used once.
"""

import hmac
import json
import secrets
import struct
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from typing import Final

from server.crypto.keyring import Keyring
from server.passkey import refusals
from server.passkey.webauthn.checks import PagePolicy
from server.values.errors import Failure

_VERSION: Final = 1
_LAYOUT: Final = struct.Struct(">BB8s6s16s16s16s")
SIZE: Final = _LAYOUT.size


@dataclass(frozen=True, slots=True)
class Purpose:
    """The purpose of a challenge; each purpose has its own key."""

    number: int
    name: str
    session_id: str = ""


SIGN_IN: Final = Purpose(1, "sign-in")


def reauthentication(session_id: str) -> Purpose:
    """The purpose of confirming the user of a session."""
    return Purpose(2, "reauthentication", session_id)


def new_challenge(
    keyring: Keyring, *, purpose: Purpose, policy: PagePolicy, expires_at: datetime
) -> bytes:
    """A challenge for this purpose, valid until `expires_at` and under this policy."""
    key_id = keyring.writing_key_id
    expiry = int(expires_at.timestamp())
    signed = _signed(purpose, key_id, expiry, policy, secrets.token_bytes(16))
    return signed + _code(keyring, key_id, purpose, signed)


def check_challenge(
    challenge: bytes,
    keyring: Keyring,
    *,
    purpose: Purpose,
    policies: Iterable[PagePolicy],
    now: datetime,
) -> PagePolicy:
    """Verifies the authenticity, the purpose and the expiry of a challenge; returns its policy.

    `Failure` UNAUTHENTICATED with the reason `SIGN_IN_FAILED`, FAILED_PRECONDITION
    `CHALLENGE_EXPIRED`.
    """
    if len(challenge) != SIZE:
        raise _foreign("its size is wrong")
    _, _, key, expiry, policy_hash, nonce, _ = _LAYOUT.unpack(challenge)
    if (key_id := key.hex()) not in keyring.key_ids:
        raise _foreign("its key is unknown")
    policy = next((each for each in policies if _policy_hash(each) == policy_hash), None)
    if policy is None:
        raise _foreign("it was made under another policy")
    # Computed from the expected values, so that one comparison covers version, purpose and policy.
    signed = _signed(purpose, key_id, int.from_bytes(expiry), policy, nonce)
    if not hmac.compare_digest(signed + _code(keyring, key_id, purpose, signed), challenge):
        raise _foreign("it was altered, or made for another purpose or session")
    if now >= datetime.fromtimestamp(int.from_bytes(expiry), UTC):
        raise refusals.sign_in_expired()
    return policy


def _signed(purpose: Purpose, key_id: str, expiry: int, policy: PagePolicy, nonce: bytes) -> bytes:
    head = (_VERSION, purpose.number, bytes.fromhex(key_id), expiry.to_bytes(6))
    return _LAYOUT.pack(*head, _policy_hash(policy), nonce, b"")[:-16]


@cache  # a process has a policy for each of its RP IDs
def _policy_hash(policy: PagePolicy) -> bytes:
    return sha256(json.dumps(asdict(policy), sort_keys=True).encode()).digest()[:16]


def _code(keyring: Keyring, key_id: str, purpose: Purpose, signed: bytes) -> bytes:
    key = keyring.derive(key_id, purpose=f"keystead passkey challenge: {purpose.name}")
    return hmac.digest(key, signed + purpose.session_id.encode(), "sha256")[:16]


def _foreign(problem: str) -> Failure:
    return refusals.sign_in_failed(f"this server did not make the challenge: {problem}")
