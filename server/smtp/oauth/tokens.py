"""Access tokens of mailboxes: fetched from the token endpoint, and cached until before their end.

The rule: as `server/net/http_requests.py`; an answer has at most 64 KiB, and a request takes at
most five seconds. No token leaves the memory of the process but to the SMTP server.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

import httpx2
from cachetools import LRUCache

from server.crypto.keyring import Keyring
from server.deliveries.smtp.connection import TransportOptions
from server.deliveries.smtp.destination import MailboxToken
from server.deliveries.smtp.failures import SMTPReason, failure
from server.net.http_requests import (
    HostConnection,
    RequestFailedError,
    content_of,
    context_of,
    explained,
    resolved,
)
from server.smtp.oauth import secret
from server.smtp.oauth.client import MailboxClient
from server.smtp.oauth.credential import TokenMethod
from server.smtp.oauth.token_request import TokenAnswer, read_answer, token_form
from server.store.database import Statements
from server.telemetry.tracing import span
from server.values.cache import Cache

_REQUEST_SECONDS: Final = 5.0
_MAX_ANSWER: Final = 64 * 1024
# Clients: those of the configurations, and those before their last changes.
_CACHED: Final = 1000
# Requests with refresh tokens of organizations at once: each holds a connection to the database.
_REFRESHES: Final = 2


class RefreshTurns:
    """The turns of requests with refresh tokens, one at a time for a configuration.

    The rule: a request waits for its turn before it takes a connection to the database.
    """

    def __init__(self) -> None:
        self._of_organizations = asyncio.Semaphore(_REFRESHES)
        self._of_configs: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @contextlib.asynccontextmanager
    async def turn(self, client: MailboxClient) -> AsyncIterator[None]:
        """Waits for a turn, which is the block."""
        async with self._of_configs.setdefault(client.config_id, asyncio.Lock()):
            if not client.organization_id:  # never waits for endpoints that others chose
                yield
                return
            async with self._of_organizations:
                yield


class MailboxTokens:
    """The access tokens of this process. Losing them costs only time."""

    def __init__(
        self,
        database: Statements,
        keyring: Keyring,
        options: TransportOptions,
        *,
        turns: RefreshTurns | None = None,
    ) -> None:
        """`turns` None: no others share them."""
        self._database = database
        self._turns = turns or RefreshTurns()
        self._keyring = keyring
        self._options = options
        self._cache = Cache[MailboxClient, MailboxToken](_CACHED)
        self._forgotten: LRUCache[MailboxClient, MailboxToken] = LRUCache(_CACHED)

    def source(self, client: MailboxClient) -> "ClientTokens":
        """The tokens of a client."""
        return ClientTokens(client, self)

    async def token(self, client: MailboxClient, refused: MailboxToken | None) -> MailboxToken:
        """A token that does not end soon, and not the refused one. DeliveryError."""
        known = self._cache.known(client)
        # Of several mails with one refused token, the first one asks for another.
        if refused is not None and known is refused is not self._forgotten.get(client):
            self._forgotten[client] = refused
            self._cache.forget(client)
        return await self._cache.get(
            client,
            partial(self._fetched, client),
            seconds=known.usable_seconds if known else 0.0,
        )

    async def _fetched(self, client: MailboxClient) -> MailboxToken:
        if client.method is not TokenMethod.REFRESH_TOKEN:
            return (await self._asked(client, client.credential)).token
        # No other server may use the refresh token meanwhile: it may be valid only once.
        async with self._turns.turn(client), self._database.transaction() as transaction:
            credential = await secret.lock(transaction, self._keyring, client)
            answer = await self._asked(client, credential)
            if answer.refresh_token:
                credential = {**credential, "refresh_token": answer.refresh_token}
                await secret.replace(transaction, self._keyring, client, credential)
        return answer.token

    async def _asked(self, client: MailboxClient, credential: Mapping[str, str]) -> TokenAnswer:
        # A signature takes up to a tenth of a second, because the key is checked first.
        form = await asyncio.to_thread(token_form, client, credential)
        fetched_at = asyncio.get_running_loop().time()
        url = httpx2.URL(client.token_endpoint)
        try:
            with span("token endpoint"):
                async with explained(url.host, _REQUEST_SECONDS):
                    status, content = await self._posted(client, url, form)
        except RequestFailedError as error:
            raise failure(
                "token", SMTPReason.TOKEN_ENDPOINT_FAILED, error.observed, advice=error.advice
            ) from None
        return read_answer(url.host, status, content, form=form, fetched_at=fetched_at)

    async def _posted(
        self, client: MailboxClient, url: httpx2.URL, form: Mapping[str, str]
    ) -> tuple[int, bytes]:
        """The status and the content of the answer. RequestFailedError."""
        until = asyncio.get_running_loop().time() + _REQUEST_SECONDS
        options = self._options.of(client.organization_id)
        addresses = await resolved(url, options.allowed_networks)
        context = context_of(self._options.ca_file, purpose="token endpoints")
        headers = {"accept": "application/json", "accept-encoding": "identity"}
        request = httpx2.Request("POST", url, data=form, headers=headers)
        connection = HostConnection(url, addresses, context)
        async with contextlib.AsyncExitStack() as stack:
            stack.push_async_callback(connection.close)
            response = await connection.send(request, until)
            stack.push_async_callback(response.aclose)
            content = await content_of(response, url.host, max_bytes=_MAX_ANSWER)
        return response.status_code, content


@dataclass(frozen=True, slots=True)
class ClientTokens:
    """The tokens of a client. Equal if the clients are."""

    client: MailboxClient
    _tokens: MailboxTokens = field(compare=False, repr=False)

    async def token(self, *, refused: MailboxToken | None = None) -> MailboxToken:
        """See `TokenSource`."""
        return await self._tokens.token(self.client, refused)
