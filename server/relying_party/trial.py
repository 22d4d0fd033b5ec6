"""Tests settings step by step, with the code of real sign-ins."""

import contextlib
import secrets
from collections.abc import Iterator

from server.net.trial import Step, recorded
from server.relying_party.http_client import Connections
from server.relying_party.id_token import algorithms_of
from server.relying_party.provider import Providers
from server.relying_party.reasons import ProviderError, Reason
from server.relying_party.token_request import RelyingParty, read_tokens, token_request

# Any redirect URI will do, since the provider refuses the wrong code in any case.
_NO_REDIRECT_URI = "https://localhost/"


async def try_out(providers: Providers, party: RelyingParty) -> list[Step]:
    """The executed steps, up to the first failure."""
    steps: list[Step] = []
    with contextlib.suppress(ProviderError):
        with _step(steps, "discovery") as step:
            metadata = await providers.fetch_metadata(party.issuer)
            step.message = f"{party.issuer} is an OpenID provider."
            step.facts = {
                "authorization_endpoint": metadata.authorization_endpoint,
                "token_endpoint": metadata.token_endpoint,
                "jwks_uri": metadata.jwks_uri,
                "algorithms": ", ".join(metadata.algorithms),
            }
        with _step(steps, "keys") as step:
            keys = await providers.fetch_keys(metadata.jwks_uri)
            usable = [key for key in keys if {*algorithms_of(key)} & {*metadata.algorithms}]
            if not usable:
                observed = "No key of the provider is for an algorithm that it signs with."
                raise ProviderError(Reason.KEYS_UNUSABLE, observed)
            step.message = f"Keys that can be used: {len(usable)}."
            step.facts = {"key_ids": ", ".join(str(key.get("kid", "")) for key in usable[:10])}
        with _step(steps, "client") as step:
            await _offer_wrong_code(providers, party, metadata.token_endpoint)
            step.message = "The provider accepts the client."
    return steps


async def _offer_wrong_code(providers: Providers, party: RelyingParty, endpoint: str) -> None:
    """Sends a wrong code. A provider that accepts the client refuses only the code."""
    form, headers = token_request(
        party,
        code=secrets.token_urlsafe(16),
        redirect_uri=_NO_REDIRECT_URI,
        code_verifier=secrets.token_urlsafe(32),
    )
    async with Connections(providers.options) as connections:
        answer = await connections.post(endpoint, form=form, headers=headers)
    try:
        read_tokens(answer)
    except ProviderError as error:
        if error.reason is not Reason.CODE_REFUSED:
            raise


@contextlib.contextmanager
def _step(steps: list[Step], name: str) -> Iterator[Step]:
    with recorded(steps, name) as step:
        try:
            yield step
        except ProviderError as error:
            step.reason, step.message = error.reason, error.message
            raise
