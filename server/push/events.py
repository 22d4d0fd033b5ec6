"""Events of subscriptions.

Events contain the ids and the public keys of secrets, never the secrets.
"""

from server.log.event import Event, ForOperators, Shown, event


@event("subscription.added")
class SubscriptionAdded(Event):
    """A subscription was added. Its first secret is an event of its own."""

    name: Shown[str]
    # It may contain a credential of the target. Its reading requires `push.read`.
    url: ForOperators[str]
    event_types: Shown[tuple[str, ...]]


@event("subscription.changed")
class SubscriptionChanged(Event):
    """Fields were set; None means unchanged."""

    name: Shown[str | None] = None
    url: ForOperators[str | None] = None
    event_types: Shown[tuple[str, ...] | None] = None


@event("subscription.removed")
class SubscriptionRemoved(Event):
    """A subscription was removed, and its secrets were erased."""


@event("subscription.secret_created")
class SubscriptionSecretCreated(Event):
    """A secret was created."""

    secret_id: Shown[str]
    kind: Shown[str]
    # Empty for a secret that the target has, too.
    public_key: Shown[str]


@event("subscription.secret_removed")
class SubscriptionSecretRemoved(Event):
    """A secret was removed and erased."""

    secret_id: Shown[str]
