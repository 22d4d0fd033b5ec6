"""The start of flows, and their completion up to a verified identity."""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import SecretStr, StringConstraints

from server.crypto.keyring import Keyring
from server.idp.links.store import Identity
from server.idp.oidc import commands as oidc_commands
from server.idp.oidc import store as oidc_store
from server.idp.oidc.store import OIDCConfig
from server.idp.signin import refusals
from server.idp.signin.flow_token import FLOWS, Flow, flow_hash, flow_tokens, new_flow, state_of
from server.relying_party.authorization_response import (
    check_response_issuer,
    check_state,
    read_code,
    read_response,
)
from server.relying_party.discovery import Metadata
from server.relying_party.provider import Providers
from server.relying_party.reasons import ProviderError
from server.relying_party.time_claims import LEEWAY, told
from server.relying_party.token_request import (
    LONGEST_AGE,
    RelyingParty,
    authorization_url,
)
from server.store.database import Statements
from server.validation.fields import Command, Id
from server.values.errors import Failure, Violation, invalid


class StartIDPSignIn(Command):
    """Start a flow."""

    idp_id: Id
    redirect_uri: Annotated[str, StringConstraints(min_length=1, max_length=2000)]
    reauthenticate: bool


class CompleteFlow(Command):
    """Complete a flow."""

    idp_id: Id
    flow_token: Annotated[SecretStr, StringConstraints(min_length=1, max_length=4096)]
    callback_query: Annotated[SecretStr, StringConstraints(min_length=1, max_length=8192)]


@dataclass(frozen=True, slots=True)
class StartedFlow:
    """The URL that the browser opens, and the token that continues the flow."""

    authorization_url: str
    flow_token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class CompletedFlow:
    """A verified identity with the provider's claims, by a flow that is not used yet."""

    hash: bytes
    # As of the start of the flow; `LOCK_PROVIDER` checks that they have not changed.
    config: OIDCConfig = field(repr=False)
    identity: Identity
    claims: Mapping[str, Any] = field(repr=False)
    # The time of the sign-in at the provider; None: the provider does not tell it.
    authenticated_at: datetime | None


class Flows:
    """Starts and completes flows. `redirect_uris` may contain the placeholder `{idp_id}`."""

    def __init__(
        self,
        database: Statements,
        keyring: Keyring,
        *,
        providers: Providers,
        redirect_uris: Sequence[str],
    ) -> None:
        self._database = database
        self._keyring = keyring
        self._providers = providers
        self._redirect_uris = redirect_uris
        self._tokens = flow_tokens(keyring)

    async def start(self, command: StartIDPSignIn) -> StartedFlow:
        """Makes a flow, without storing anything.

        `Failure` INVALID_ARGUMENT, FAILED_PRECONDITION `IDP_NOT_CONFIGURED`, UNAVAILABLE
        `IDP_UNREACHABLE`.
        """
        idp_id = command.idp_id
        if command.redirect_uri not in (
            uri.replace("{idp_id}", idp_id) for uri in self._redirect_uris
        ):
            problem = "must be one of KEYSTEAD_IDP_REDIRECT_URIS, a setting of the server"
            raise invalid(Violation("redirectUri", problem))
        config, party = await self._provider(idp_id)
        try:
            metadata = await self._providers.metadata(config.issuer)
        except ProviderError as error:
            raise refusals.at_start(error) from None
        flow = new_flow(
            idp_id=idp_id,
            sequence=config.details.sequence,
            redirect_uri=command.redirect_uri,
            reauthenticates=command.reauthenticate,
            now=datetime.now(UTC),
        )
        token = self._tokens.sealed(flow)
        url = authorization_url(
            metadata,
            party,
            redirect_uri=flow.redirect_uri,
            state=state_of(token),
            nonce=flow.nonce,
            code_verifier=flow.code_verifier,
            reauthenticates=flow.reauthenticates,
        )
        return StartedFlow(url, token)

    async def complete(
        self, command: CompleteFlow, *, organization_id: str | None = None
    ) -> CompletedFlow:
        """Redeems the code of the callback. The caller must mark the flow as used.

        With `organization_id`, the provider must belong to it. `Failure` of `refusals.py`.
        """
        token = command.flow_token.get_secret_value()
        flow = self._open(token, command.idp_id)
        try:
            response = read_response(command.callback_query.get_secret_value())
            check_state(response, state_of(token))
        except ProviderError as error:
            raise refusals.by_provider(error) from None
        if flow.expiry <= datetime.now(UTC).timestamp():
            raise refusals.flow_expired()
        config, party = await self._provider(flow.idp_id)
        if organization_id not in (None, config.details.owner):
            raise refusals.not_configured()
        if config.details.sequence != flow.sequence:
            raise refusals.flow_expired()
        if await FLOWS.is_used(self._database, flow_hash(token)):
            raise refusals.flow_used()
        try:
            metadata = await self._providers.metadata(party.issuer)
            claims = await self._redeem(response, flow, party, metadata)
        except ProviderError as error:
            raise refusals.by_provider(error) from None
        return CompletedFlow(
            flow_hash(token),
            config,
            Identity(flow.idp_id, config.issuer, claims["sub"]),
            claims,
            _authenticated_at(claims, flow, sends_auth_time=metadata.sends_auth_time),
        )

    def _open(self, token: str, idp_id: str) -> Flow:
        flow = self._tokens.opened(token)
        if flow is None:
            raise refusals.sign_in_failed("this server did not make the flow token")
        if not hmac.compare_digest(flow.idp_id.encode(), idp_id.encode()):
            raise refusals.sign_in_failed("the flow is of another identity provider")
        return flow

    async def _provider(self, idp_id: str) -> tuple[OIDCConfig, RelyingParty]:
        config = await oidc_store.get(self._database, idp_id)
        if config is None:
            raise refusals.not_configured()
        if config.is_disabled:
            raise refusals.disabled()
        try:
            return config, oidc_commands.relying_party(self._keyring, config)
        except Failure as failure:  # TestOIDCConfig shows the reason
            raise refusals.not_configured(failure.log_detail) from None

    async def _redeem(
        self, response: Mapping[str, str], flow: Flow, party: RelyingParty, metadata: Metadata
    ) -> Mapping[str, Any]:
        check_response_issuer(response, metadata)
        return await self._providers.redeem(
            party,
            code=read_code(response),
            redirect_uri=flow.redirect_uri,
            code_verifier=flow.code_verifier,
            nonce=flow.nonce,
        )


def _authenticated_at(
    claims: Mapping[str, Any], flow: Flow, *, sends_auth_time: bool
) -> datetime | None:
    """The time of the sign-in at the provider; None: the provider never tells it.

    The user at the browser can remove `max_age` from the request: without the claim that is due,
    the sign-in counts as the oldest one. `Failure` `IDP_DID_NOT_REAUTHENTICATE`.
    """
    seconds = claims.get("auth_time")
    if seconds is None and not sends_auth_time:
        return None
    at = flow.started_at - LONGEST_AGE if seconds is None else datetime.fromtimestamp(seconds, UTC)
    if not flow.reauthenticates:
        return at
    earliest = flow.started_at - LEEWAY
    if at < earliest:
        came = "absent" if seconds is None else told(seconds)
        expected = told(earliest.timestamp())
        raise refusals.did_not_reauthenticate(f"auth_time is {came}, expected was {expected}")
    # The clock of the provider may be behind, and an application compares with its request.
    return max(at, flow.started_at)
