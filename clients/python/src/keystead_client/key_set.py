"""The public keys of a server, cached in a service."""

import asyncio
import re
import time
from typing import Final

import httpx2
import jwt

_DEFAULT_MAX_AGE = 3600.0
_MAX_AGE = re.compile(r"(?:^|[,\s])max-age=(\d{1,9})(?:$|[,\s])")
# Between two fetches for keys that are unknown, and after a fetch that failed.
_PAUSE_SECONDS: Final = 60.0
_PAUSE_AFTER_FAILURE_SECONDS: Final = 5.0
_TIMEOUT_SECONDS: Final = 5.0


class KeysUnavailableError(Exception):
    """The keys cannot be fetched, so the JWT cannot be verified: answer 503."""


class KeySet:
    """The JWK Set (RFC 7517) at `/.well-known/jwks.json` of the web port.

    It is fetched on demand: when it is older than the server allows (`max-age`), and at most once a
    minute for a missing key. While the server does not answer, a key set is used until it has twice
    that age.
    """

    def __init__(self, keystead_url: str, *, http: httpx2.AsyncClient | None = None) -> None:
        self._url = f"{keystead_url.rstrip('/')}/.well-known/jwks.json"
        self._http = http
        self._keys: dict[str, jwt.PyJWK] = {}
        self._lock = asyncio.Lock()
        self._fetched_at = self._next_fetch_at = float("-inf")
        self._max_age = _DEFAULT_MAX_AGE
        self._last_failed = False

    async def find(self, key_id: str) -> jwt.PyJWK | None:
        """The key, None if there is none. `KeysUnavailableError`."""
        if not self._suffices(key_id) and _now() >= self._next_fetch_at:
            async with self._lock:  # callers that waited find the fetched keys
                if not self._suffices(key_id) and _now() >= self._next_fetch_at:
                    await self._refresh()
        key = self._keys.get(key_id)
        is_too_old = _now() - self._fetched_at > 2 * self._max_age
        if is_too_old or (key is None and self._last_failed):
            raise KeysUnavailableError(f"{self._url} does not answer. Try again later.")
        return key

    def _suffices(self, key_id: str) -> bool:
        return key_id in self._keys and _now() - self._fetched_at <= self._max_age

    async def _refresh(self) -> None:
        try:
            answer = await self._get()
            keys = jwt.PyJWKSet.from_dict(answer.raise_for_status().json()).keys
            self._keys = {key.key_id: key for key in keys if key.key_id}
        except (httpx2.HTTPError, jwt.PyJWKSetError, ValueError):
            self._last_failed = True
            self._next_fetch_at = _now() + _PAUSE_AFTER_FAILURE_SECONDS
        else:
            found = _MAX_AGE.search(answer.headers.get("cache-control", ""))
            self._max_age = float(found[1]) if found else _DEFAULT_MAX_AGE
            self._last_failed = False
            self._fetched_at = _now()
            self._next_fetch_at = self._fetched_at + _PAUSE_SECONDS

    async def _get(self) -> httpx2.Response:
        if self._http is not None:
            return await self._http.get(self._url)
        async with httpx2.AsyncClient(timeout=_TIMEOUT_SECONDS) as http:
            return await http.get(self._url)


def _now() -> float:
    return time.monotonic()
