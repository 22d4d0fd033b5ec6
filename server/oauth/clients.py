"""The authentication of applications (RFC 6749, section 2.3; RFC 7523, section 2.2)."""

import hmac
import json
import math
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Annotated, Any, Final

from pydantic import SecretStr, StringConstraints

from server.access import uses
from server.access.tokens import token_hash
from server.application.configuration import (
    ASSERTION_ALGORITHMS,
    METHODS_WITH_SECRETS,
    ClientAuthMethod,
)
from server.application.store import Application, SecretHash
from server.oauth import refusals
from server.oauth.directory import ClientDirectory, KnownClient
from server.oauth.refused.causes import Cause
from server.relying_party.id_token import (
    Claims,
    PublicKey,
    read_keys,
    verify_signature,
)
from server.relying_party.reasons import UNAVAILABLE, ProviderError
from server.relying_party.time_claims import seconds_of
from server.signing.signer import Signer
from server.store.database import Statements
from server.store.one_time import USED_KEY, OneTime
from server.store.refusals import on_conflict
from server.validation.fields import Command, Id, Printable

_ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
# An assertion is for one use, so it need not live longer than its request: from `iat`, or from now.
_LONGEST: Final = timedelta(minutes=10)
_SKEW: Final = timedelta(minutes=1)
_ASSERTIONS: Final = OneTime("client_assertion", lifetime=_LONGEST + _SKEW)

_Secret = Annotated[SecretStr, StringConstraints(max_length=1000)]


class ClientRequest(Command):
    """A request of an application, with its authentication."""

    client_id: Id
    client_secret: _Secret
    client_assertion_type: Annotated[Printable, StringConstraints(max_length=200)]
    client_assertion: Annotated[SecretStr, StringConstraints(max_length=8000)]


class Clients:
    """Authenticates applications."""

    def __init__(
        self, database: Statements, *, directory: ClientDirectory, signer: Signer, issuer: str
    ) -> None:
        self._database = database
        self._directory = directory
        self._signer = signer
        self._issuer = issuer

    async def authenticated(self, request: ClientRequest, *, network: str) -> Application:
        """The application of a request from this network.

        `Failure` UNAUTHENTICATED `INVALID_CLIENT`, UNAVAILABLE `CLIENT_KEYS_UNREACHABLE`; see also
        `ClientDirectory.find`.

        A public application has no authentication: its `client_id` is all that it sends.
        """
        now = int((await self._signer.now()).timestamp())
        client = await self._directory.find(request.client_id, network=network)
        if client is None:
            raise refusals.invalid_client(Cause.UNKNOWN_CLIENT)
        method = client.application.configuration.token_endpoint_auth_method
        secret = request.client_secret.get_secret_value()
        assertion = request.client_assertion.get_secret_value()
        if method == ClientAuthMethod.PRIVATE_KEY_JWT:
            if secret or request.client_assertion_type != _ASSERTION_TYPE:
                raise refusals.invalid_client(Cause.ASSERTION_MISSING)
            claims = await _signed_claims(client, assertion)
            await _use_assertion(
                self._database, client.application, claims, issuer=self._issuer, now=now
            )
        elif assertion or request.client_assertion_type:
            raise refusals.invalid_client(Cause.ASSERTION_NOT_EXPECTED)
        elif method in METHODS_WITH_SECRETS:
            used = _secret_of(client, secret)
            if used.is_due:
                await uses.record(self._database, used.secret_id)
        elif secret:
            raise refusals.invalid_client(Cause.SECRET_NOT_EXPECTED)
        return client.application


def _secret_of(client: KnownClient, secret: str) -> SecretHash:
    given = token_hash(secret)
    # All of them, so that the time does not tell which one it was.
    found = [each for each in client.secret_hashes if hmac.compare_digest(given, each.hash)]
    if not found:
        raise refusals.invalid_client(Cause.SECRET_WRONG if secret else Cause.SECRET_MISSING)
    return found[0]


async def _signed_claims(client: KnownClient, assertion: str) -> Claims:
    """The claims that a key of the application has signed."""
    configuration = client.application.configuration

    only = configuration.token_endpoint_auth_signing_alg
    algorithms = (only,) if only else ASSERTION_ALGORITHMS

    def verify(keys: Sequence[PublicKey]) -> Claims:
        claims, _ = verify_signature(assertion, keys=keys, algorithms=algorithms)
        return claims

    try:
        if configuration.jwks_uri:
            return await client.providers.verified(configuration.jwks_uri, verify)
        return verify(read_keys(json.loads(configuration.jwks)))
    except ProviderError as error:
        if error.reason in UNAVAILABLE:
            raise refusals.client_keys_unreachable(str(error)) from None
        raise refusals.invalid_client(f"assertion: {error.reason}") from None


async def _use_assertion(
    database: Statements,
    application: Application,
    claims: Claims,
    *,
    issuer: str,
    now: int,
) -> None:
    """Checks the claims of an assertion, and uses it up."""
    allows_endpoint = application.configuration.allows_token_endpoint_audience
    endpoint = f"{issuer}/oauth/token"
    audiences = (issuer, *([endpoint] if allows_endpoint else []))
    if claims.get("aud") == endpoint and not allows_endpoint:
        raise refusals.invalid_client(Cause.ASSERTION_AUDIENCE)
    if (problem := _problem(claims, application.application_id, audiences, now)) is not None:
        raise refusals.invalid_client(f"assertion: {problem}")
    # JSON can contain lone surrogates, which UTF-8 cannot encode.
    jti = claims["jti"].encode(errors="backslashreplace").decode()
    name = f"{application.application_id}:{jti}"
    with on_conflict({USED_KEY: lambda: refusals.invalid_client("assertion: used")}):
        async with database.transaction() as transaction:
            await _ASSERTIONS.use(transaction, token_hash(name))


def _problem(
    claims: Mapping[str, Any], client_id: str, audiences: Collection[str], now: int
) -> str | None:
    """The claim that is wrong (RFC 7523, section 3).

    The audience is one string: an assertion for other servers, too, could have been sent on by one
    of them (RFC 7523bis; FAPI 2.0, section 5.3.2.1). An assertion with `iat` is accepted for as
    long as its use is remembered, whatever its `exp`.
    """
    skew, longest = _SKEW.total_seconds(), _LONGEST.total_seconds()
    if claims.get("iss") != client_id or claims.get("sub") != client_id:
        return "iss or sub"
    if claims.get("aud") not in audiences:
        return "aud"
    times = {"iat": now, "nbf": now, **claims}
    for name, earliest, latest in (
        ("exp", now - skew, math.inf if "iat" in claims else now + longest),
        ("iat", now - longest, now + skew),
        ("nbf", -math.inf, now + skew),
    ):
        moment = seconds_of(times.get(name))
        if moment is None or not earliest <= moment <= latest:
            return name
    if not isinstance(claims.get("jti"), str) or not claims["jti"]:
        return "jti"
    return None
