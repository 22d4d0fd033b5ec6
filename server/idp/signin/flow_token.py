"""A flow between its start and its completion: a sealed token instead of a row (decision 20)."""

import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final

from server.crypto.keyring import Keyring
from server.crypto.sealed import Sealed
from server.store.one_time import OneTime
from server.values.base64url import base64url

FLOWS: Final = OneTime("flow", lifetime=timedelta(minutes=10))


@dataclass(frozen=True, slots=True)
class Flow:
    """The state of a flow. `sequence` is that of the provider's settings."""

    idp_id: str
    sequence: int
    redirect_uri: str
    # In seconds since 1970.
    expiry: int
    nonce: str = field(repr=False)
    code_verifier: str = field(repr=False)
    # The provider must authenticate the user anew.
    reauthenticates: bool = False

    @property
    def started_at(self) -> datetime:
        """The time of the start, in whole seconds."""
        return datetime.fromtimestamp(self.expiry, UTC) - FLOWS.lifetime


def new_flow(
    *, idp_id: str, sequence: int, redirect_uri: str, reauthenticates: bool, now: datetime
) -> Flow:
    """A flow with new secrets (RFC 7636, section 4.1)."""
    return Flow(
        idp_id,
        sequence,
        redirect_uri,
        expiry=int((now + FLOWS.lifetime).timestamp()),
        nonce=secrets.token_urlsafe(32),
        code_verifier=secrets.token_urlsafe(32),
        reauthenticates=reauthenticates,
    )


def flow_tokens(keyring: Keyring) -> Sealed[Flow]:
    """Seals flows in tokens of about 500 characters, and opens them."""
    return Sealed(keyring, Flow, purpose="keystead sign-in flow")


def flow_hash(token: str) -> bytes:
    """The hash that identifies a used flow."""
    return sha256(token.encode()).digest()


def state_of(token: str) -> str:
    """The `state` of a flow: its hash in base64url."""
    return base64url(flow_hash(token))
