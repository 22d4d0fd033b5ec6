"""The commands on subscriptions, their secrets, and deliveries."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import AfterValidator

from server.access.caller import Actor
from server.access.checked_append import check_admitted, written_by
from server.access.growing import GrowingPage
from server.crypto import stored_secrets
from server.crypto.keyring import Keyring
from server.deliveries.results import DeliveryState
from server.event.fields import EventTypes
from server.org import store as org_store
from server.push import delivery_store, leases, store
from server.push.delivery_store import Delivery
from server.push.events import (
    SubscriptionAdded,
    SubscriptionChanged,
    SubscriptionRemoved,
    SubscriptionSecretCreated,
    SubscriptionSecretRemoved,
)
from server.push.signing_secrets import NewSubscriptionSecret, SecretKind, new_secret
from server.rpc.update_mask import mask_of
from server.store.database import Statements
from server.store.rows import Details
from server.validation.fields import Command, Id, Name, described, is_id, named
from server.validation.paging import Page
from server.validation.uris import MAX_URI, check_https_uri
from server.values.errors import FixedFailure, Kind, NotFound
from server.values.ids import new_id

MAX_SUBSCRIPTIONS: Final = 100
MAX_SECRETS: Final = 2


_Url = Annotated[
    str,
    AfterValidator(check_https_uri),
    described(maxLength=MAX_URI, pattern="^https://[!-~]+$"),
]
_SecretKind = Annotated[SecretKind, named(SecretKind, "SECRET_KIND", unspecified=SecretKind.HMAC)]


class NewSubscription(Command):
    """The fields of an added subscription."""

    name: Name
    url: _Url
    event_types: EventTypes


PATCHABLE = tuple(NewSubscription.model_fields)


class CreateSubscription(Command):
    """Create a subscription."""

    subscription: NewSubscription
    secret_kind: _SecretKind


class SubscriptionFields(Command):
    """The fields of a patch; None leaves a field unchanged."""

    subscription_id: Id
    name: Name | None
    url: _Url | None
    event_types: EventTypes | None


class PatchSubscription(Command):
    """Set the fields that the mask names."""

    subscription: SubscriptionFields
    update_mask: Annotated[tuple[str, ...], mask_of(PATCHABLE)]


class OneSubscription(Command):
    """Select a subscription."""

    subscription_id: Id


class ListSubscriptions(Page):
    """List the subscriptions of an organization."""


class CreateSubscriptionSecret(OneSubscription):
    """Create a second secret."""

    kind: _SecretKind


class OneSubscriptionSecret(OneSubscription):
    """Select a secret of a subscription."""

    secret_id: Id


class ListDeliveries(GrowingPage):
    """List deliveries."""

    filters = delivery_store.LIST.filters


class OneDelivery(Command):
    """Select a delivery."""

    delivery_id: Id


async def add(
    database: Statements,
    keyring: Keyring,
    command: CreateSubscription,
    *,
    actor: Actor,
    organization_id: str,
) -> tuple[str, Details, NewSubscriptionSecret]:
    """Creates a subscription with a secret; returns its id, its details and the secret.

    `Failure` RESOURCE_EXHAUSTED `TOO_MANY_SUBSCRIPTIONS`.
    """
    of_subscription = {"subscription_id": new_id(), "organization_id": organization_id}
    subscription_id = of_subscription["subscription_id"]
    async with database.transaction() as transaction:
        await org_store.lock(transaction, organization_id)
        number = await store.count(
            transaction, organization_id=organization_id, limit=MAX_SUBSCRIPTIONS
        )
        if number >= MAX_SUBSCRIPTIONS:
            raise _too_many_subscriptions()
        await store.ADD.one(
            transaction,
            SubscriptionAdded.of(command.subscription),
            **written_by(actor),
            **of_subscription,
        )
        secret, details = await _create_secret(
            transaction, keyring, command.secret_kind, actor, of_subscription
        )
    return subscription_id, details, secret


async def _create_secret(
    transaction: Statements,
    keyring: Keyring,
    kind: SecretKind,
    actor: Actor,
    of_subscription: Mapping[str, str],
) -> tuple[NewSubscriptionSecret, Details]:
    """Adds a secret to a subscription that this transaction has locked."""
    secret = new_secret(keyring, of_subscription["subscription_id"], kind)
    details = await store.CREATE_SECRET.details(
        transaction,
        SubscriptionSecretCreated.of(secret),
        **written_by(actor),
        **of_subscription,
        **stored_secrets.parameters(secret.stored),
    )
    return secret, details


async def patch(
    database: Statements, fields: SubscriptionFields, *, actor: Actor, organization_id: str
) -> Details:
    """Replaces the fields that are not None. `Failure` NOT_FOUND."""
    of_subscription = _of(fields.subscription_id, organization_id)
    async with database.transaction() as transaction:
        stored = await store.lock(transaction, **of_subscription)
        changed: dict[str, Any] = {
            name: value
            for name in PATCHABLE
            if (value := getattr(fields, name)) is not None and value != getattr(stored, name)
        }
        if not changed:
            return stored.details
        details = await store.CHANGE.details(
            transaction, SubscriptionChanged(**changed), **written_by(actor), **of_subscription
        )
        await leases.reset(transaction, fields.subscription_id)
        return details


async def remove(
    database: Statements, command: OneSubscription, *, actor: Actor, organization_id: str
) -> Details:
    """Removes a subscription, erases its secrets and cancels its deliveries. `Failure` NOT_FOUND.

    Returns its last details.
    """
    of_subscription = _of(command.subscription_id, organization_id)
    async with database.transaction() as transaction:
        await store.lock(transaction, **of_subscription)
        details = await store.REMOVE.details(
            transaction, SubscriptionRemoved(), **written_by(actor), **of_subscription
        )
        await leases.cancel(transaction, command.subscription_id)
        await store.stop(transaction, command.subscription_id)
        return details


async def create_secret(
    database: Statements,
    keyring: Keyring,
    command: CreateSubscriptionSecret,
    *,
    actor: Actor,
    organization_id: str,
) -> tuple[NewSubscriptionSecret, Details]:
    """Creates a second secret.

    `Failure` NOT_FOUND, RESOURCE_EXHAUSTED `TOO_MANY_SUBSCRIPTION_SECRETS`.
    """
    of_subscription = _of(command.subscription_id, organization_id)
    async with database.transaction() as transaction:
        stored = await store.lock(transaction, **of_subscription)
        if len(stored.secrets) >= MAX_SECRETS:
            raise _too_many_secrets()
        return await _create_secret(transaction, keyring, command.kind, actor, of_subscription)


async def remove_secret(
    database: Statements, command: OneSubscriptionSecret, *, actor: Actor, organization_id: str
) -> Details:
    """Removes one of two secrets. `Failure` NOT_FOUND, FAILED_PRECONDITION `LAST_SECRET`."""
    of_subscription = _of(command.subscription_id, organization_id)
    async with database.transaction() as transaction:
        stored = await store.lock(transaction, **of_subscription)
        if command.secret_id not in [each.secret_id for each in stored.secrets]:
            raise store.secret_not_found(command.secret_id)
        if len(stored.secrets) == 1:
            raise _last_secret()
        return await store.REMOVE_SECRET.details(
            transaction,
            SubscriptionSecretRemoved(command.secret_id),
            **written_by(actor),
            **of_subscription,
        )


async def get_delivery(
    database: Statements, command: OneDelivery, *, organization_id: str
) -> Delivery:
    """A delivery of the organization with its payload. `Failure` NOT_FOUND."""
    delivery = None
    if is_id(command.delivery_id):
        delivery = await delivery_store.get(
            database, delivery_id=command.delivery_id, organization_id=organization_id
        )
    if delivery is None:
        raise _delivery_not_found(command.delivery_id)
    return delivery


async def retry(
    database: Statements, command: OneDelivery, *, actor: Actor, organization_id: str
) -> Delivery:
    """Makes a delivery due now.

    `Failure` NOT_FOUND; FAILED_PRECONDITION DELIVERY_ALREADY_SENT, DELIVERY_CANCELLED.
    """
    if not is_id(command.delivery_id):
        raise _delivery_not_found(command.delivery_id)
    of_delivery = {"delivery_id": command.delivery_id, "organization_id": organization_id}
    async with database.transaction() as transaction:  # no attempt starts before `get`
        state = await leases.retry(transaction, **of_delivery)
        await check_admitted(transaction, actor)
        delivery = await delivery_store.get(transaction, **of_delivery)
    if state is None or delivery is None:
        raise _delivery_not_found(command.delivery_id)
    if state is DeliveryState.SENT:
        raise _already_sent()
    if state is DeliveryState.CANCELLED:
        raise _cancelled()
    return delivery


def _of(subscription_id: str, organization_id: str) -> dict[str, str]:
    return {"subscription_id": subscription_id, "organization_id": organization_id}


_too_many_subscriptions: Final = FixedFailure(
    "TOO_MANY_SUBSCRIPTIONS",
    f"The organization has {MAX_SUBSCRIPTIONS} subscriptions, which is the maximum. Remove one.",
    kind=Kind.RESOURCE_EXHAUSTED,
)
_too_many_secrets: Final = FixedFailure(
    "TOO_MANY_SUBSCRIPTION_SECRETS",
    f"The subscription has {MAX_SECRETS} secrets, which is the maximum. Remove the one that the"
    " target no longer uses.",
    kind=Kind.RESOURCE_EXHAUSTED,
)
_last_secret: Final = FixedFailure(
    "LAST_SECRET",
    "The subscription has only this secret. Create another one first with"
    " CreateSubscriptionSecret.",
)
_already_sent: Final = FixedFailure(
    "DELIVERY_ALREADY_SENT", "The target has accepted the delivery."
)
_cancelled: Final = FixedFailure(
    "DELIVERY_CANCELLED", "The delivery was cancelled, because its target was removed."
)
_delivery_not_found: Final = NotFound(
    "delivery",
    "The delivery does not exist in this organization. Find its id with ListDeliveries, or name its"
    " organization.",
)
