"""Events of subscriptions.

Events contain the ids and the public keys of secrets, never the secrets.
"""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event, ForOperators, Shown


@dataclass(frozen=True, slots=True)
class SubscriptionAdded(Event):
    """A subscription was added. Its first secret is an event of its own."""

    event_type: ClassVar[str] = "subscription.added"

    name: Shown[str]
    # It may contain a credential of the target. Its reading requires `push.read`.
    url: ForOperators[str]
    event_types: Shown[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class SubscriptionChanged(Event):
    """Fields were set; None means unchanged."""

    event_type: ClassVar[str] = "subscription.changed"

    name: Shown[str | None] = None
    url: ForOperators[str | None] = None
    event_types: Shown[tuple[str, ...] | None] = None


@dataclass(frozen=True, slots=True)
class SubscriptionRemoved(Event):
    """A subscription was removed, and its secrets were erased."""

    event_type: ClassVar[str] = "subscription.removed"


@dataclass(frozen=True, slots=True)
class SubscriptionSecretCreated(Event):
    """A secret was created."""

    event_type: ClassVar[str] = "subscription.secret_created"

    secret_id: Shown[str]
    kind: Shown[str]
    # Empty for a secret that the target has, too.
    public_key: Shown[str]


@dataclass(frozen=True, slots=True)
class SubscriptionSecretRemoved(Event):
    """A secret was removed and erased."""

    event_type: ClassVar[str] = "subscription.secret_removed"

    secret_id: Shown[str]
