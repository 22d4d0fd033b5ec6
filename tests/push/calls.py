"""Calls that several tests of pushes make."""

from collections.abc import Awaitable, Sequence
from typing import Any

from google.protobuf.field_mask_pb2 import FieldMask

from keystead.push.v1 import push_service_pb2 as pb
from tests.support import given
from tests.support.given import Client

# No server connects to an address for documentation (RFC 5737).
URL = "https://192.0.2.1/hook"


def add(
    client: Client, *, secret_kind: pb.SecretKind.ValueType = pb.SECRET_KIND_HMAC, **fields: Any
) -> Awaitable[pb.CreateSubscriptionResponse]:
    """Adds a subscription with valid fields, except for those that are given."""
    subscription = pb.Subscription(**{"name": "Directory", "url": URL, **fields})
    request = pb.CreateSubscriptionRequest(subscription=subscription, secret_kind=secret_kind)
    return client.call(client.pushes.CreateSubscription, request)


async def subscription(client: Client, **fields: Any) -> str:
    """A new subscription's id."""
    return (await add(client, **fields)).subscription_id


async def get(client: Client, subscription_id: str) -> pb.Subscription:
    request = pb.GetSubscriptionRequest(subscription_id=subscription_id)
    return (await client.call(client.pushes.GetSubscription, request)).subscription


async def list_all(client: Client, **fields: Any) -> Sequence[pb.Subscription]:
    request = pb.ListSubscriptionsRequest(**fields)
    return (await client.call(client.pushes.ListSubscriptions, request)).subscriptions


def patch(
    client: Client, subscription_id: str, mask: Sequence[str] = (), **fields: Any
) -> Awaitable[pb.PatchSubscriptionResponse]:
    """Patches the fields. The mask names all of them, unless it is given."""
    request = pb.PatchSubscriptionRequest(
        subscription=pb.Subscription(subscription_id=subscription_id, **fields),
        update_mask=FieldMask(paths=mask or fields),
    )
    return client.call(client.pushes.PatchSubscription, request)


def remove(client: Client, subscription_id: str) -> Awaitable[pb.RemoveSubscriptionResponse]:
    request = pb.RemoveSubscriptionRequest(subscription_id=subscription_id)
    return client.call(client.pushes.RemoveSubscription, request)


async def try_out(client: Client, subscription_id: str) -> Sequence[pb.PushTestStep]:
    """The steps of a test."""
    request = pb.TestSubscriptionRequest(subscription_id=subscription_id)
    return (await client.call(client.pushes.TestSubscription, request, timeout=20)).steps


def create_secret(
    client: Client,
    subscription_id: str,
    kind: pb.SecretKind.ValueType = pb.SECRET_KIND_UNSPECIFIED,
) -> Awaitable[pb.CreateSubscriptionSecretResponse]:
    request = pb.CreateSubscriptionSecretRequest(subscription_id=subscription_id, kind=kind)
    return client.call(client.pushes.CreateSubscriptionSecret, request)


def remove_secret(
    client: Client, subscription_id: str, secret_id: str
) -> Awaitable[pb.RemoveSubscriptionSecretResponse]:
    request = pb.RemoveSubscriptionSecretRequest(
        subscription_id=subscription_id, secret_id=secret_id
    )
    return client.call(client.pushes.RemoveSubscriptionSecret, request)


async def deliveries(client: Client, **fields: Any) -> Sequence[pb.Delivery]:
    """The deliveries of the caller's organization, newest first."""
    request = pb.ListDeliveriesRequest(**fields)
    return (await client.call(client.pushes.ListDeliveries, request)).deliveries


def retry(client: Client, delivery_id: str) -> Awaitable[pb.RetryDeliveryResponse]:
    request = pb.RetryDeliveryRequest(delivery_id=delivery_id)
    return client.call(client.pushes.RetryDelivery, request)


async def attempted(client: Client) -> pb.Delivery:
    """Waits until an attempt of the caller's only delivery has ended, and gives the delivery."""

    async def has_ended() -> bool:
        attempts = [attempt for each in await deliveries(client) for attempt in each.attempts]
        return any(attempt.HasField("ended_at") for attempt in attempts)

    await given.eventually(has_ended)
    [delivery] = await deliveries(client)
    return delivery


async def get_delivery(client: Client, delivery_id: str) -> pb.Delivery:
    """The delivery with its payload."""
    request = pb.GetDeliveryRequest(delivery_id=delivery_id)
    return (await client.call(client.pushes.GetDelivery, request)).delivery


async def in_state(
    client: Client, state: pb.DeliveryState.ValueType, number: int = 1, text: str = ""
) -> Sequence[pb.Delivery]:
    """Waits until this number of deliveries that meet a filter are in the state; gives them."""
    selected = f"state = {pb.DeliveryState.Name(state)}" + (text and f" AND {text}")

    async def are_there() -> bool:
        return len(await deliveries(client, filter=selected)) >= number

    await given.eventually(are_there)
    return await deliveries(client, filter=selected)
