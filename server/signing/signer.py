"""Signs tokens and publishes the keys in a running server.

The keys are cached for five seconds, so a withdrawn key signs no longer than that.
"""

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import structlog
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import JWKRegistry, KeySet

from server.crypto.keyring import EncryptedSecret, EncryptionKeyError, Keyring
from server.signing import store
from server.signing.private_key import PrivateKey, decrypted
from server.signing.schedule import Schedule
from server.store.database import Statements
from server.values.errors import Failure, FixedFailure, Kind

_log = structlog.get_logger("signing")

_CACHED: Final = timedelta(seconds=5)
_ALGORITHM: Final = "ES256"


@dataclass(frozen=True, slots=True)
class Signing:
    """The key that signs. `now` is the present time of the database's clock."""

    key: PrivateKey
    now: datetime

    def sign(self, claims: Mapping[str, Any], *, type: str) -> str:  # noqa: A002 -- the header
        """A JWT of the type (RFC 7519)."""
        header = {"alg": _ALGORITHM, "typ": type, "kid": self.key.kid}
        return jwt.encode(header, dict(claims), self.key.key, algorithms=[_ALGORITHM])


@dataclass(frozen=True, slots=True)
class _Known:
    """The cached keys, and the times of `time.monotonic()` before and after they were read."""

    asked_at: float
    read_at: float
    clock: datetime
    key: PrivateKey | None
    key_set: bytes
    public_keys: KeySet

    @property
    def is_recent(self) -> bool:
        return time.monotonic() - self.asked_at <= _CACHED.total_seconds()

    @property
    def now(self) -> datetime:
        """The database's clock, or a moment before: verifiers refuse tokens of the future."""
        return self.clock + timedelta(seconds=time.monotonic() - self.read_at)


class Signer:
    """The key that signs now, and the public keys."""

    def __init__(self, database: Statements, keyring: Keyring) -> None:
        self._database = database
        self._keyring = keyring
        self._known: _Known | None = None
        self._reading: asyncio.Task[_Known] | None = None

    async def ready(self) -> Signing:
        """The key that signs now. `Failure` UNAVAILABLE: no key, or it cannot be decrypted."""
        known = await self._current()
        if known.key is None:
            raise _no_key()
        # Not this machine's clock: sessions expire by the clock of the database.
        return Signing(known.key, known.now)

    async def key_set(self) -> bytes:
        """The public keys as a JWK Set (RFC 7517, section 5), in JSON.

        While the database does not answer, the keys last read. `Failure` if none were read.
        """
        try:
            return (await self._current()).key_set
        except Failure:
            if self._known is None:
                raise
            return self._known.key_set

    async def verified(self, token: str, *, type: str) -> Mapping[str, Any] | None:  # noqa: A002
        """The claims of a JWT of the type that a published key signed, also if it has expired.

        None for any other text.
        """
        known = await self._current()
        try:
            read = jwt.decode(token, known.public_keys, algorithms=[_ALGORITHM])
        except (JoseError, ValueError):
            return None
        return read.claims if read.header.get("typ") == type else None

    async def _current(self) -> _Known:
        """The keys. Concurrent callers share one read, so that none queues for a slow database."""
        if self._known is not None and self._known.is_recent:
            return self._known
        if self._reading is None or self._reading.done():
            self._reading = asyncio.ensure_future(self._read())
        return await asyncio.shield(self._reading)

    async def _read(self) -> _Known:
        asked_at = time.monotonic()
        schedule, secrets = await store.get(self._database)
        key_set = {"keys": [json.loads(key.public_key) for key in schedule.keys]}
        # Set here: a call that begins before the waiting ones go on would otherwise read again.
        self._known = _Known(
            asked_at,
            time.monotonic(),
            schedule.now,
            self._private_key(schedule, secrets),
            json.dumps(key_set).encode(),
            KeySet([JWKRegistry.import_key(key) for key in key_set["keys"]]),
        )
        return self._known

    def _private_key(
        self, schedule: Schedule, secrets: Mapping[str, EncryptedSecret]
    ) -> PrivateKey | None:
        if schedule.current is None:
            return None
        kid = schedule.current.kid
        try:
            return decrypted(self._keyring, kid, secrets.get(kid))
        except EncryptionKeyError as error:
            _log.error("the signing key cannot be read", kid=kid, detail=str(error))
            return None


_no_key: Final = FixedFailure(
    "SIGNING_KEY_UNAVAILABLE",
    "The server has no signing key that it can read. Try again later. Operators find the reason"
    " with `keystead doctor`.",
    kind=Kind.UNAVAILABLE,
    retry_after=timedelta(seconds=60),
)
