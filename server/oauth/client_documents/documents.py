"""Fetches documents, and caches them in this process. Losing the cache costs only time."""

import re
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from server.application.store import Application
from server.oauth import refusals
from server.oauth.client_documents import document
from server.oauth.client_documents.client_id_url import host_of
from server.oauth.client_documents.document import DocumentError
from server.relying_party import http_client
from server.relying_party.http_client import Answer, ClientOptions
from server.relying_party.reasons import ProviderError
from server.rpc.rate_limits import RateLimit
from server.values.cache import Cache
from server.values.errors import Failure, Kind
from server.values.origins import registrable_domain

_MAX_BYTES: Final = 64 * 1024
_CACHED_DOCUMENTS: Final = 256
_MAX_FETCHES: Final = 20
# A document is fetched again after this time: by its header cache-control, within these limits.
_DEFAULT_SECONDS: Final = 3600
_LEAST_SECONDS: Final = 60
# Also the time for which an old document stands in for one that cannot be fetched.
_MOST_SECONDS: Final = 86_400
# Anybody chooses the URL. The first limit is for the network of the client, so that nobody uses
# up the fetches of others; the second is for the domain that is asked.
_PER_NETWORK: Final = (10 / 60, 10)
_PER_DOMAIN: Final = (1, 60)

_MEDIA_TYPE: Final = re.compile(
    r"application/(?:json|[a-z0-9.+-]+\+json)\s*(?:;.*)?", re.IGNORECASE
)
_MAX_AGE: Final = re.compile(r"(?:^|[\s,])max-age=\"?([0-9]{1,9})")
_NOT_KEPT: Final = re.compile(r"(?:^|[\s,])(?:no-store|no-cache)(?:$|[\s,])")


@dataclass(frozen=True, slots=True)
class _Read:
    """A document, and the time after which it is fetched again."""

    application: Application
    seconds: int


class ClientDocuments:
    """Reads applications from their documents."""

    def __init__(self, options: ClientOptions) -> None:
        self._options = options
        # Anybody chooses a host that no organization names, so it must be on the public Internet.
        self._options_of_any = replace(options, allowed_networks=())
        self._cache: Cache[str, _Read] = Cache(_CACHED_DOCUMENTS)
        self._per_network = RateLimit(*_PER_NETWORK)
        self._per_domain = RateLimit(*_PER_DOMAIN)

    async def get(self, url: str, *, is_named: bool, network: str) -> Application:
        """The application of a checked URL whose host is admitted, from at most a day ago.

        `is_named`: an organization names the host, so it may be in an allowed network. `network`
        is that of the client. `Failure` FAILED_PRECONDITION `CLIENT_METADATA_INVALID`, UNAVAILABLE
        `CLIENT_METADATA_UNREACHABLE`, RESOURCE_EXHAUSTED `RATE_LIMITED`.
        """
        known = self._cache.known(url, seconds=_MOST_SECONDS)
        try:
            read = await self._cache.get(
                url,
                lambda: self._admitted(url, is_named=is_named, network=network),
                seconds=known.seconds if known else 0,
            )
        except Failure as failure:
            if known is None or failure.kind not in (Kind.UNAVAILABLE, Kind.RESOURCE_EXHAUSTED):
                raise
            return known.application
        return read.application

    def _admitted(self, url: str, *, is_named: bool, network: str) -> Awaitable[_Read]:
        """A fetch of the document. `Failure` of the limits."""
        if self._cache.reading >= _MAX_FETCHES:
            raise refusals.client_metadata_unreachable("too many fetches at once")
        self._per_network.admit(network)
        host = host_of(url).partition(":")[0]
        self._per_domain.admit(registrable_domain(host) or host)
        return self._fetch(url, self._options if is_named else self._options_of_any)

    async def _fetch(self, url: str, options: ClientOptions) -> _Read:
        try:
            answer = await http_client.get(url, options, max_bytes=_MAX_BYTES)
        except ProviderError as error:
            raise refusals.client_metadata_unreachable(str(error)) from None
        try:
            application = document.application_of(_object_of(answer), url=url)
        except DocumentError as error:
            raise refusals.client_metadata_invalid(str(error)) from None
        return _Read(application, _seconds_of(answer))


def _object_of(answer: Answer) -> Mapping[str, Any]:
    """The JSON object. DocumentError, also for text that a host lets its users upload."""
    if not _MEDIA_TYPE.fullmatch(answer.headers.get("content-type", "")):
        raise DocumentError("has another content-type than application/json")
    return document.parsed(answer.content)


def _seconds_of(answer: Answer) -> int:
    """The time after which an answer is fetched again (RFC 9111, section 5.2.2)."""
    directives = answer.headers.get("cache-control", "").lower()
    if _NOT_KEPT.search(directives):
        return _LEAST_SECONDS
    found = _MAX_AGE.search(directives)
    seconds = int(found[1]) if found else _DEFAULT_SECONDS
    return max(_LEAST_SECONDS, min(seconds, _MOST_SECONDS))
