"""Requests to a provider: its discovery document and keys, both cached, and the token request.

The rule: no token of the provider leaves this module, only verified claims.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from server.relying_party import http_client, id_token
from server.relying_party.discovery import (
    Metadata,
    SigningIssuer,
    discovery_url,
    read_issuer,
    read_metadata,
)
from server.relying_party.http_client import ClientOptions, Connections
from server.relying_party.id_token import Claims, Expected, PublicKey, read_keys
from server.relying_party.reasons import ProviderError, Reason
from server.relying_party.token_request import RelyingParty, read_tokens, token_request
from server.values.cache import Cache

_CACHED_PROVIDERS = 1000
_METADATA_SECONDS = 600.0
_KEYS_SECONDS = 86_400.0
# Of services and workloads, which authenticate by nothing else: a key that its owner withdraws is
# refused after ten minutes.
SERVICE_KEYS_SECONDS: Final = 600.0
# Minimum times: between fetches of keys that do not verify a token, and from a failure to the next
# request. The latter counts from the failure, since a timeout lasts as long.
_REFETCH_SECONDS = 60.0
RETRY_SECONDS: Final = 5.0

# Reasons to fetch the keys again. After a reinstallation, the old `kid` may be that of another key.
_REFETCH_REASONS = (Reason.KEY_UNKNOWN, Reason.SIGNATURE_INVALID)

Value = TypeVar("Value")


class Providers:
    """A cache of providers in this process. Losing it costs only time."""

    def __init__(self, options: ClientOptions) -> None:
        self.options = options
        most, failed_seconds = _CACHED_PROVIDERS, RETRY_SECONDS
        self._metadata = Cache[str, Metadata](most, failed_seconds=failed_seconds)
        self._issuers = Cache[str, SigningIssuer](most, failed_seconds=failed_seconds)
        # Anybody can cause a fetch by a token with an unknown key. If it fails, only that token is
        # concerned: the keys of other tokens stay.
        self._keys = Cache[str, tuple[PublicKey, ...]](most, failed_seconds=failed_seconds)

    async def fetch_metadata(self, issuer: str) -> Metadata:
        """Reads the discovery document. `ProviderError`."""
        answer = await http_client.get(discovery_url(issuer), self.options)
        return read_metadata(answer.json(), issuer=issuer)

    async def _fetch_issuer(self, issuer: str) -> SigningIssuer:
        answer = await http_client.get(discovery_url(issuer), self.options)
        return read_issuer(answer.json(), issuer=issuer)

    async def fetch_keys(self, jwks_uri: str) -> tuple[PublicKey, ...]:
        """Reads the keys. `ProviderError`."""
        return read_keys((await http_client.get(jwks_uri, self.options)).json())

    async def metadata(self, issuer: str) -> Metadata:
        """The discovery document, at most ten minutes old. `ProviderError`."""
        return await self._metadata.get(
            issuer, lambda: self.fetch_metadata(issuer), seconds=_METADATA_SECONDS
        )

    async def issuer(self, issuer: str) -> SigningIssuer:
        """The same of an issuer that may have no endpoints for sign-ins. `ProviderError`."""
        return await self._issuers.get(
            issuer, lambda: self._fetch_issuer(issuer), seconds=_METADATA_SECONDS
        )

    async def verified(
        self,
        jwks_uri: str,
        verify: Callable[[Sequence[PublicKey]], Value],
        *,
        key_seconds: float = SERVICE_KEYS_SECONDS,
    ) -> Value:
        """The result of `verify` with the cached keys; with new ones if these do not fit.

        `ProviderError`, also that of `verify`.
        """
        try:
            return verify(await self._known_keys(jwks_uri, key_seconds))
        except ProviderError as error:
            if error.reason not in _REFETCH_REASONS:
                raise
        return verify(await self._known_keys(jwks_uri, _REFETCH_SECONDS))

    async def _known_keys(self, jwks_uri: str, seconds: float) -> tuple[PublicKey, ...]:
        return await self._keys.get(jwks_uri, lambda: self.fetch_keys(jwks_uri), seconds=seconds)

    async def redeem(
        self, party: RelyingParty, *, code: str, redirect_uri: str, code_verifier: str, nonce: str
    ) -> Mapping[str, Any]:
        """Redeems a code; returns the verified claims of the ID token and the userinfo.

        `ProviderError`.
        """
        metadata = await self.metadata(party.issuer)
        form, headers = token_request(
            party, code=code, redirect_uri=redirect_uri, code_verifier=code_verifier
        )
        async with Connections(self.options) as connections:
            answer = await connections.post(metadata.token_endpoint, form=form, headers=headers)
            tokens = read_tokens(answer)
            expected = Expected(party.issuer, party.client_id, nonce, tokens.access_token)
            claims = await self._verified(tokens.id_token, metadata, expected)
            if not metadata.userinfo_endpoint:
                return claims
            userinfo = (
                await connections.get(metadata.userinfo_endpoint, bearer=tokens.access_token)
            ).json()
        id_token.check_userinfo(userinfo, claims["sub"])
        given = {name: value for name, value in claims.items() if value is not None}
        # `email_verified` must come from the same document as `email`.
        mail = given if "email" in given else userinfo
        verified = {name: mail.get(name) for name in ("email", "email_verified")}
        # An `auth_time` of the userinfo is not checked.
        return {**userinfo, "auth_time": None, **given, **verified}

    async def _verified(self, token: str, metadata: Metadata, expected: Expected) -> Claims:
        def verify(keys: Sequence[PublicKey]) -> Claims:
            return id_token.verify(
                token,
                keys=keys,
                algorithms=metadata.algorithms,
                expected=expected,
                now=datetime.now(UTC),
            )

        return await self.verified(metadata.jwks_uri, verify, key_seconds=_KEYS_SECONDS)
