"""The commands of devices, and of the people who decide about them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Annotated, Final

from pydantic import SecretStr, StringConstraints

from server.access.caller import Actor
from server.access.tokens import TokenKind, new_token, token_hash
from server.application import store as application_store
from server.application.configuration import ApplicationKind
from server.application.store import Application
from server.oauth import approval, refusals, resources
from server.oauth.client_documents.client_id_url import is_url
from server.oauth.clients import ClientRequest, Clients
from server.oauth.device import store
from server.oauth.device.store import Decision, WaitingDevice
from server.oauth.device.user_code import new_user_code, user_code_hash
from server.oauth.policy import OAuthPolicy
from server.oauth.refused.recorder import Refusable
from server.oauth.request import (
    AuthorizationRequest,
    RequestText,
    Resources,
    allowed_scopes,
    is_scope_list,
)
from server.session.commands import session_of
from server.store.database import Statements
from server.validation.fields import Command

GRANT_TYPE: Final = "urn:ietf:params:oauth:grant-type:device_code"
# In place of the challenge of PKCE, so that no code is exchanged as a device code, and the reverse.
CHALLENGE: Final = GRANT_TYPE
# A browser can redirect. The client_id of a browser application would only help phishers.
_KINDS: Final = frozenset({ApplicationKind.NATIVE, ApplicationKind.WEB})
_PAGE: Final = "/device/"
_UserCode = Annotated[SecretStr, StringConstraints(min_length=1, max_length=40)]


class StartDeviceAuthorization(ClientRequest):
    """Start an authorization on a device."""

    scope: RequestText
    resource: Resources


class UserCode(Command):
    """Describe or deny the device with a user code."""

    user_code: _UserCode


class ApproveDevice(UserCode):
    """Approve the authorization of a device."""

    consents: bool


@dataclass(frozen=True, slots=True)
class Started:
    """The codes of a started authorization. This is the only time that they are in plaintext."""

    device_code: str = field(repr=False)
    user_code: str = field(repr=False)
    verification_uri: str
    lifetime: timedelta = store.LIFETIME
    poll_seconds: int = store.POLL_SECONDS

    @property
    def verification_uri_complete(self) -> str:
        """The address of the page with the code in the fragment, which no server logs."""
        return f"{self.verification_uri}#code={self.user_code}"


class Devices:
    """Starts the authorizations of devices; describes, approves and denies them."""

    def __init__(
        self,
        database: Statements,
        *,
        policy: OAuthPolicy,
        clients: Clients,
    ) -> None:
        self._database = database
        self._policy = policy
        self._clients = clients

    async def start(self, command: StartDeviceAuthorization, *, network: str) -> Started:
        """Stores an authorization with new codes. `Failure`: see StartDeviceAuthorization.

        `network` is that of the client. Applications with a metadata document cannot start: the
        document would be all that a phisher needs.
        """
        if is_url(command.client_id):
            raise refusals.no_device("a metadata document")
        application = await self._clients.authenticated(command, network=network)
        if application.kind not in _KINDS:
            raise refusals.no_device()
        found = await resources.find_all(
            self._database, command.resource, reserved=self._policy.session_audiences
        )
        if found is None or not all(resources.can_name(application, each) for each in found):
            raise refusals.invalid_target()
        scopes = allowed_scopes(application, command.scope)
        resource_scopes = resources.requested_scopes(application, command.scope, found)
        if not (is_scope_list(command.scope) and (scopes or resource_scopes)):
            raise refusals.no_scope()
        device_code = new_token(TokenKind.APPLICATION_DEVICE)
        while True:  # again if a waiting device has the same user code
            user_code = new_user_code()
            if await store.add(
                self._database,
                device_code_hash=token_hash(device_code),
                user_code_hash=user_code_hash(user_code),
                application_id=application.application_id,
                scopes=scopes,
                resources=[each.configuration.identifier for each in found],
                resource_scopes=resource_scopes,
            ):
                return Started(device_code, user_code, f"{self._policy.issuer}{_PAGE}")

    async def describe(
        self, command: UserCode, *, actor: Actor
    ) -> tuple[WaitingDevice, Application, Sequence[Application]]:
        """The device that waits with this code, its application and its resources that exist."""
        code_hash = await self._counted(command, actor)
        device = _found(await store.find(self._database, code_hash))
        found = await resources.find_all(
            self._database,
            request_of(device).targets,
            reserved=self._policy.session_audiences,
        )
        return device, await _application(self._database, device), found or ()

    async def approve(self, command: ApproveDevice, *, actor: Actor, refusable: Refusable) -> None:
        """Approves for the user and the session of the caller. `Failure`: see ApproveDevice."""
        code_hash = await self._counted(command, actor)
        async with self._database.transaction() as transaction:
            device = _found(await store.decide(transaction, code_hash, Decision.APPROVED))
            refusable.client_id = device.application_id
            await approval.approve(
                transaction,
                request_of(device),
                await _application(transaction, device),
                user_id=actor.user_id,
                session_id=session_of(actor).session_id,
                policy=self._policy,
                consents=command.consents,
                code_hash=device.device_code_hash,
                code_expires_at=device.expires_at,
            )

    async def deny(self, command: UserCode, *, actor: Actor) -> None:
        """Denies the authorization of a device. `Failure`: see DenyDevice."""
        code_hash = await self._counted(command, actor)
        _found(await store.decide(self._database, code_hash, Decision.DENIED))

    async def _counted(self, command: UserCode, actor: Actor) -> bytes:
        """The hash of a code, whose use is counted for the user of a session.

        `Failure` NOT_FOUND `SESSION_NOT_FOUND`, RESOURCE_EXHAUSTED `TOO_MANY_USER_CODES`.
        """
        session_of(actor)
        if not await store.take_turn(self._database, actor.user_id):
            raise refusals.too_many_user_codes()
        return user_code_hash(command.user_code.get_secret_value())


def _found(device: WaitingDevice | None) -> WaitingDevice:
    if device is None:
        raise refusals.user_code_invalid()
    return device


async def _application(database: Statements, device: WaitingDevice) -> Application:
    """The application, which may have been removed meanwhile."""
    client = await application_store.find_client(database, device.application_id)
    if client is None:
        raise refusals.user_code_invalid("removed application")
    return client.application


def request_of(device: WaitingDevice) -> AuthorizationRequest:
    """The request of a device, for the rules of all requests.

    With a prompt for consent: the user may have been sent here by somebody else, who has the
    device (RFC 8628, section 5.4).
    """
    return AuthorizationRequest(
        client_id=device.application_id,
        redirect_uri="",
        scopes=tuple(device.scopes),
        state="",
        nonce="",
        code_challenge=CHALLENGE,
        prompts=("consent",),
        max_age=None,
        login_hint="",
        ui_locales="",
        resource=device.resource,
        started_at=0,
        response_mode="",
        subject="",
        essential_acr=(),
        id_token_claims=(),
        user_info_claims=(),
        resources=tuple(device.resources),
        resource_scopes=tuple(device.resource_scopes),
    )
