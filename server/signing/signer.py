"""Signs and verifies tokens, and publishes the keys, in a running server.

The keys are cached for five seconds, so a withdrawn key signs no longer than that.
"""

import asyncio
import functools
import json
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

import structlog
from joserfc import jws, jwt
from joserfc.errors import JoseError

from server.crypto.keyring import EncryptedSecret, EncryptionKeyError, Keyring
from server.signing import store
from server.signing.private_key import Algorithm, PrivateKey, decrypted, imported
from server.signing.schedule import Schedule
from server.store.database import Statements
from server.values.cache import Cache
from server.values.errors import Failure, FixedFailure, Kind

_log = structlog.get_logger("signing")

_CACHED_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Signing:
    """The keys that sign. `now` is the present time of the database's clock."""

    keys: Mapping[Algorithm, PrivateKey]
    now: datetime

    def sign(
        self,
        claims: Mapping[str, Any],
        *,
        type: str,  # noqa: A002 -- the header
        algorithm: Algorithm = Algorithm.ES256,
    ) -> str:
        """A JWT of the type (RFC 7519). KeyError: `ready` was not asked for the algorithm."""
        key = self.keys[algorithm]
        header = {"alg": algorithm.value, "typ": type, "kid": key.kid}
        return jwt.encode(header, dict(claims), key.key, algorithms=[algorithm])


class Verified(NamedTuple):
    """A JWT that this instance has signed: the header `typ`, and the claims."""

    type: str
    claims: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Known:
    """The cached keys, and the time of `time.monotonic()` when they had been read."""

    read_at: float
    clock: datetime
    keys: Mapping[Algorithm, PrivateKey]
    published: Mapping[str, Mapping[str, str]]
    key_set: bytes

    @property
    def now(self) -> datetime:
        """The database's clock, or a moment before: verifiers refuse tokens of the future."""
        return self.clock + timedelta(seconds=time.monotonic() - self.read_at)


class Signer:
    """The keys that sign now, and the public keys."""

    def __init__(self, database: Statements, keyring: Keyring) -> None:
        self._database = database
        # To import an RSA key takes long, because its primes are tested.
        self._decrypted = functools.lru_cache(len(Algorithm))(functools.partial(decrypted, keyring))
        self._cache: Cache[None, _Known] = Cache()

    async def ready(self, algorithms: Collection[Algorithm] = (Algorithm.ES256,)) -> Signing:
        """The keys that sign now.

        `Failure` UNAVAILABLE: an algorithm has no key, or it cannot be decrypted.
        """
        known = await self._current()
        if not known.keys.keys() >= set(algorithms):
            raise _no_key()
        # Not this machine's clock: sessions expire by the clock of the database.
        return Signing({each: known.keys[each] for each in algorithms}, known.now)

    async def now(self) -> datetime:
        """The present time of the database's clock, also while no key signs.

        While the database does not answer, it continues from the last reading.
        """
        return (await self._last_read()).now

    async def key_set(self) -> bytes:
        """The public keys as a JWK Set (RFC 7517, section 5), in JSON.

        While the database does not answer, the keys last read. `Failure` if none were read.
        """
        return (await self._last_read()).key_set

    async def verify(self, token: str) -> Verified | None:
        """The content of a JWT that a published key has signed; None: no published key has.

        The caller checks the type and the claims, also the expiry. While the database does not
        answer, as `key_set`.
        """
        published = (await self._last_read()).published
        try:
            jwk = published[jws.extract_compact(token.encode()).headers()["kid"]]
            verified = jwt.decode(token, imported(jwk), algorithms=[jwk["alg"]])
        except (JoseError, LookupError, TypeError, ValueError):
            return None
        return Verified(verified.header["typ"], verified.claims)

    async def _last_read(self) -> _Known:
        try:
            return await self._current()
        except Failure:
            if (known := self._cache.known(None)) is None:
                raise
            return known

    async def _current(self) -> _Known:
        return await self._cache.get(None, self._read, seconds=_CACHED_SECONDS)

    async def _read(self) -> _Known:
        schedules, secrets = await store.get(self._database)
        read_at = time.monotonic()
        jwks = [json.loads(key.public_key) for each in schedules.values() for key in each.keys]
        keys = {each: await self._private_key(schedules[each], secrets) for each in Algorithm}
        return _Known(
            read_at,
            schedules[Algorithm.ES256].now,
            {each: key for each, key in keys.items() if key is not None},
            {jwk["kid"]: jwk for jwk in jwks},
            json.dumps({"keys": jwks}).encode(),
        )

    async def _private_key(
        self, schedule: Schedule, secrets: Mapping[str, EncryptedSecret]
    ) -> PrivateKey | None:
        if schedule.current is None:
            return None
        kid = schedule.current.kid
        try:
            return await asyncio.to_thread(self._decrypted, kid, secrets.get(kid))
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
