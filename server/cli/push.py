"""`keystead push`."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from server.cli.app_options import enum_option
from server.cli.groups import CommandGroup
from server.cli.installation import Installation
from server.cli.lists import (
    ListAfter,
    ListRow,
    columns,
    listed,
    print_list,
    print_object,
    step_row,
)
from server.cli.names import Named, for_subscription, in_organization
from server.cli.parameters import (
    json_option,
    limit_option,
    subscription_argument,
)
from server.deliveries.http.client import SECONDS, PushClient
from server.deliveries.results import DeliveryState
from server.push import commands, delivery_store, store
from server.push.delivery_store import Delivery
from server.push.signing_secrets import SecretKind
from server.push.trial import try_out
from server.validation.fields import read
from server.validation.paging import NEWEST
from server.wiring.options import push_options

_row = columns("subscription_id", "name", "url", "event_types")
_types_option = click.option(
    "--event-type",
    "event_types",
    multiple=True,
    help="Type of events that are sent, such as user.added. Repeatable; all of them replace the"
    " stored ones; empty: all events.",
)
_kind_option = enum_option(
    "--kind",
    values=SecretKind,
    default="hmac",
    show_default=True,
    help="hmac: the target has the same secret; ed25519: it has only the public key.",
)


@click.group("push", cls=CommandGroup)
def group() -> None:
    """Manage webhooks, and see the deliveries of webhooks and logout tokens."""


@group.command("add")
@click.argument("name", help="Name that people see.")
@click.argument("url", help="https URL that gets the events by POST.")
@_types_option
@_kind_option
@in_organization
async def add(
    at: Installation,
    organization: Named,
    *,
    name: str,
    url: str,
    event_types: Sequence[str],
    kind: str,
) -> None:
    """Add a subscription to the events of an organization, and print its ID and its key.

    The target verifies webhooks with the key, which cannot be read again.
    """
    subscription = {"name": name, "url": url, "event_types": _given(event_types)}
    command = {"subscription": subscription, "secret_kind": SecretKind(kind)}
    subscription_id, _, secret = await commands.add(
        at.database,
        await at.keyring_of_servers(),
        read(commands.AddSubscription, command),
        **organization.by_operator,
    )
    click.echo(subscription_id)
    click.echo(secret.key)


@group.command("list")
@in_organization
@listed(_row)
def list_(at: Installation, organization: Named) -> ListAfter:
    """List subscriptions: ID, name, URL and event types."""
    return partial(store.LIST.all, at.database, organization_id=organization.id)


@group.command("show")
@subscription_argument
@for_subscription
@json_option
async def show(at: Installation, subscription: Named, *, as_json: bool) -> None:
    """Show a subscription, with the IDs, kinds and public keys of its secrets."""
    found = await store.GET.one(
        at.database,
        subscription_id=subscription.id,
        organization_id=subscription.organization_id,
    )
    secrets: list[dict[str, Any]] = [
        {
            "secret_id": each.secret_id,
            "kind": each.kind.lower(),
            "public_key": each.public_key,
            "creation_date": each.creation_date.isoformat(timespec="seconds"),
        }
        for each in found.secrets
    ]
    print_object({**_row(found), "secrets": secrets}, as_json=as_json)


@group.command("set")
@subscription_argument
@click.option("--name", help="Name that people see.")
@click.option("--url", help="https URL that gets the events by POST.")
@_types_option
@for_subscription
async def set_(
    at: Installation,
    subscription: Named,
    *,
    name: str | None,
    url: str | None,
    event_types: Sequence[str],
) -> None:
    """Change a subscription. Omitted options change nothing.

    Pending deliveries go to the new URL.
    """
    types = _given(event_types) if event_types else None
    if name is None and url is None and types is None:
        raise click.UsageError("Give at least one option with a new value.")
    fields = {"subscription_id": subscription.id, "name": name, "url": url, "event_types": types}
    await commands.patch(
        at.database, read(commands.SubscriptionFields, fields), **subscription.by_operator
    )
    click.echo(f"The subscription '{subscription}' was changed.")


@group.command("remove")
@subscription_argument
@for_subscription
async def remove(at: Installation, subscription: Named) -> None:
    """Remove a subscription with its secrets, and cancel its pending deliveries."""
    await commands.remove(at.database, _one(subscription), **subscription.by_operator)
    click.echo(f"The subscription '{subscription}' was removed.")


@group.command("test")
@subscription_argument
@for_subscription
@json_option
async def test(at: Installation, subscription: Named, *, as_json: bool) -> bool:
    """Send a test webhook step by step. Exits with status 1 if a step fails.

    Columns: step, success, duration in milliseconds, reason and message of a failure, and facts.
    """
    steps = await try_out(
        at.database,
        at.keyring(),
        PushClient(push_options(at.settings)),
        _one(subscription),
        organization_id=subscription.organization_id,
        seconds=SECONDS,
    )
    print_list(map(step_row, steps), as_json=as_json)
    return steps[-1].succeeded


@group.command("create-secret")
@subscription_argument
@_kind_option
@for_subscription
async def create_secret(at: Installation, subscription: Named, *, kind: str) -> None:
    """Create a second secret, and print the key by which the target verifies.

    Webhooks are signed with both secrets until one is removed.
    """
    command = {"subscription_id": subscription.id, "kind": SecretKind(kind)}
    secret, _ = await commands.create_secret(
        at.database,
        await at.keyring_of_servers(),
        read(commands.CreateSubscriptionSecret, command),
        **subscription.by_operator,
    )
    click.echo(secret.key)


@group.command("remove-secret")
@subscription_argument
@click.argument("secret_id", help="ID of the secret, see `keystead push show`.")
@for_subscription
async def remove_secret(at: Installation, subscription: Named, secret_id: str) -> None:
    """Remove one of two secrets of a subscription."""
    command = {"subscription_id": subscription.id, "secret_id": secret_id}
    await commands.remove_secret(
        at.database, read(commands.OneSubscriptionSecret, command), **subscription.by_operator
    )
    click.echo(f"The secret was removed: {secret_id}")


@group.command("deliveries")
@click.option(
    "--state",
    type=click.Choice(DeliveryState, case_sensitive=False),
    help="Only deliveries in this state.",
)
@limit_option(50)
@json_option
@in_organization
async def deliveries(
    at: Installation,
    organization: Named,
    *,
    state: DeliveryState | None,
    limit: int,
    as_json: bool,
) -> None:
    """List deliveries of an organization, newest event first.

    Columns: ID, kind, ID of the subscription or application, event type, state, creation time,
    reason and message of the last attempt, and the time of the next attempt while the delivery is
    pending.
    """
    found = await delivery_store.list_before(
        at.database,
        organization_id=organization.id,
        before=NEWEST,
        state=state,
        target=None,
        limit=limit,
    )
    print_list(map(_delivery_row, found), as_json=as_json)


def _delivery_row(delivery: Delivery) -> ListRow:
    last = delivery.attempts[-1] if delivery.attempts else None
    return {
        "delivery_id": delivery.delivery_id,
        "kind": delivery.kind,
        "target_id": delivery.target_id,
        "event_type": delivery.event_type,
        "state": delivery.state,
        "created_at": delivery.created_at,
        "reason": last.reason if last else "",
        "message": last.message if last else "",
        "next_attempt_at": delivery.next_attempt_at if delivery.ended_at is None else None,
    }


@group.command("retry")
@click.argument("delivery_id", help="ID of the delivery, see `keystead push deliveries`.")
@in_organization
async def retry(at: Installation, organization: Named, *, delivery_id: str) -> None:
    """Attempt a failed or pending delivery immediately.

    A running server sends it; without one the delivery stays pending.
    """
    await commands.retry(
        at.database,
        read(commands.RetryDelivery, {"delivery_id": delivery_id}),
        **organization.by_operator,
    )
    click.echo("The delivery is due now. To see whether it is sent, run: keystead push deliveries")


def _one(subscription: Named) -> commands.OneSubscription:
    return commands.OneSubscription(subscription_id=subscription.id)


def _given(event_types: Sequence[str]) -> tuple[str, ...]:
    """The values of a repeatable option. A single empty one stands for none."""
    return () if tuple(event_types) == ("",) else tuple(event_types)
