"""A flow between its start and its completion: an encrypted token instead of a row (decision 40).

Fernet (AES-128-CBC and HMAC-SHA-256) under keys derived for this purpose only. Its random IV has
128 bits. Anybody can start flows, and the 96-bit IV of AES-GCM would be safe for 2^32 flows only
(NIST SP 800-38D, section 8.3).
"""

import base64
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from pydantic import TypeAdapter
from pydantic_core import to_json

from server.crypto.keyring import Keyring
from server.store.one_time import OneTime

FLOWS: Final = OneTime("flow", lifetime=timedelta(minutes=10))


@dataclass(frozen=True, slots=True)
class Flow:
    """The state of a flow. `sequence` is that of the provider's settings.

    Servers of two releases read each other's flows: unknown fields are ignored, and a new field
    needs a default.
    """

    idp_id: str
    sequence: int
    redirect_uri: str
    # In seconds since 1970.
    expiry: int
    nonce: str = field(repr=False)
    code_verifier: str = field(repr=False)


_FLOW = TypeAdapter(Flow)


def new_flow(*, idp_id: str, sequence: int, redirect_uri: str, now: datetime) -> Flow:
    """A flow with new secrets (RFC 7636, section 4.1)."""
    return Flow(
        idp_id,
        sequence,
        redirect_uri,
        expiry=int((now + FLOWS.lifetime).timestamp()),
        nonce=secrets.token_urlsafe(32),
        code_verifier=secrets.token_urlsafe(32),
    )


class FlowTokens:
    """Encrypts flows under the first key of the keyring, and decrypts them under any key."""

    def __init__(self, keyring: Keyring) -> None:
        others = sorted(keyring.key_ids - {keyring.writing_key_id})
        self._fernet = MultiFernet(
            [_fernet(keyring, key_id) for key_id in (keyring.writing_key_id, *others)]
        )

    def token(self, flow: Flow) -> str:
        """The token of a flow, about 500 characters."""
        return self._fernet.encrypt(to_json(flow)).decode()

    def flow(self, token: str) -> Flow | None:
        """The flow of a token. None: this server did not make the token, in these characters.

        Python's decoder ignores characters outside of base64url and spare bits, so one flow would
        have many tokens, each of which could be used once.
        """
        try:
            if base64.urlsafe_b64encode(base64.urlsafe_b64decode(token)).decode() != token:
                return None
            return _FLOW.validate_json(self._fernet.decrypt(token))
        except (InvalidToken, ValueError):  # ValueError: not base64, or not a flow
            return None


def flow_hash(token: str) -> bytes:
    """The hash that identifies a used flow."""
    return sha256(token.encode()).digest()


def state_of(token: str) -> str:
    """The `state` of a flow: its hash in base64url."""
    return base64.urlsafe_b64encode(flow_hash(token)).rstrip(b"=").decode()


def _fernet(keyring: Keyring, key_id: str) -> Fernet:
    key = keyring.derive(key_id, purpose="keystead sign-in flow")
    return Fernet(base64.urlsafe_b64encode(key))
