"""The secrets by which applications authenticate."""

import base64
from dataclasses import dataclass, field
from typing import Final

from server.access.caller import Actor
from server.access.checked_append import written_by
from server.access.tokens import TokenKind, new_token, token_hash
from server.application import store
from server.application.configuration import METHODS_WITH_SECRETS
from server.application.events import ApplicationSecretCreated, ApplicationSecretRemoved
from server.application.fields import CreateApplicationSecret, OneApplicationSecret
from server.store.database import Statements
from server.store.rows import Details
from server.values.errors import FixedFailure, Kind
from server.values.ids import new_id

MAX_SECRETS: Final = 2


@dataclass(frozen=True, slots=True)
class NewSecret:
    """A new secret. This is the only time that `secret` is in plaintext; empty: it was chosen."""

    secret_id: str
    secret: str = field(repr=False)
    details: Details


async def create(
    database: Statements, command: CreateApplicationSecret, *, actor: Actor, organization_id: str
) -> NewSecret:
    """Creates a secret of an application, or stores the chosen one.

    `Failure` NOT_FOUND; FAILED_PRECONDITION `APPLICATION_WITHOUT_SECRETS`; RESOURCE_EXHAUSTED
    `TOO_MANY_SECRETS`.
    """
    of_application = {"application_id": command.application_id, "organization_id": organization_id}
    chosen = command.secret.get_secret_value()
    created = "" if chosen else new_token(TokenKind.APPLICATION_SECRET)
    async with database.transaction() as transaction:
        application = await store.lock(transaction, **of_application)
        if application.configuration.token_endpoint_auth_method not in METHODS_WITH_SECRETS:
            raise _application_without_secrets()
        if len(application.secrets) >= MAX_SECRETS:
            raise _too_many_secrets()
        secret_id, details = await add(
            transaction, chosen or created, actor=actor, **of_application
        )
    return NewSecret(secret_id, created, details)


async def add(
    transaction: Statements, secret: str, *, actor: Actor, **of_application: str
) -> tuple[str, Details]:
    """Stores the hash of a secret of a locked application; returns its id, and the details."""
    secret_id = new_id()
    event = ApplicationSecretCreated(secret_id, base64.b64encode(token_hash(secret)).decode())
    details = await store.CREATE_SECRET.details(
        transaction, event, **written_by(actor), **of_application
    )
    return secret_id, details


async def remove(
    database: Statements, command: OneApplicationSecret, *, actor: Actor, organization_id: str
) -> Details:
    """Removes a secret; returns the details of the application. `Failure` NOT_FOUND."""
    of_application = {"application_id": command.application_id, "organization_id": organization_id}
    async with database.transaction() as transaction:
        await store.lock(transaction, **of_application)
        return await store.REMOVE_SECRET.details(
            transaction,
            ApplicationSecretRemoved(command.secret_id),
            **written_by(actor),
            **of_application,
        )


_application_without_secrets: Final = FixedFailure(
    "APPLICATION_WITHOUT_SECRETS",
    "The application does not authenticate with a secret. Set token_endpoint_auth_method of a WEB"
    " or SERVICE application to one that does with PatchApplication, or use its key. Those of other"
    " kinds need none.",
)
_too_many_secrets: Final = FixedFailure(
    "TOO_MANY_SECRETS",
    f"The application has {MAX_SECRETS} secrets, which is the maximum. Remove the one that it no"
    " longer uses.",
    kind=Kind.RESOURCE_EXHAUSTED,
)
