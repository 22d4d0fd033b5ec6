"""The RPC methods of subscriptions and deliveries: convert messages, and call commands."""

from collections.abc import Callable
from functools import partial
from typing import Final

from keystead.push.v1 import push_service_pb2 as pb
from keystead.push.v1 import push_service_pb2_grpc as pb_grpc
from server.crypto.keyring import Keyring
from server.deliveries.http.client import PushClient
from server.net.trial import Step
from server.push import commands, delivery_store, store
from server.push.delivery_store import PushKind
from server.push.trial import try_out
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import Nested, details_message, duration, nested, timestamp
from server.rpc.preconditions.changes import Objects
from server.rpc.update_mask import read_patch
from server.store.database import Database
from server.validation.fields import Commands, read

# The time between the end of a test and the deadline of its call; at most a fifth of the time left.
_LEAD_SECONDS: Final = 1.0

COMMANDS: Commands = {
    "CreateSubscription": commands.CreateSubscription,
    "GetSubscription": commands.OneSubscription,
    "ListSubscriptions": commands.ListSubscriptions,
    "PatchSubscription": commands.PatchSubscription,
    "RemoveSubscription": commands.OneSubscription,
    "TestSubscription": commands.OneSubscription,
    "CreateSubscriptionSecret": commands.CreateSubscriptionSecret,
    "RemoveSubscriptionSecret": commands.OneSubscriptionSecret,
    "ListDeliveries": commands.ListDeliveries,
    "GetDelivery": commands.OneDelivery,
    "RetryDelivery": commands.OneDelivery,
}

OBJECTS: Objects = {"/v1/push/subscriptions/{subscription_id}": store.LOCK_SEQUENCE}


class PushService(pb_grpc.PushServiceServicer):
    """See `keystead/push/v1/push_service.proto`. `wake` has the loop look for deliveries."""

    def __init__(
        self,
        database: Database,
        keyring: Keyring,
        *,
        client: PushClient,
        wake: Callable[[], None],
    ) -> None:
        self._database = database
        self._keyring = keyring
        self._client = client
        self._wake = wake

    @checks_caller
    async def CreateSubscription(
        self, request: pb.CreateSubscriptionRequest, call: AnyCall
    ) -> pb.CreateSubscriptionResponse:
        command = read(commands.CreateSubscription, request)
        subscription_id, details, secret = await commands.add(
            self._database, self._keyring, command, **call.by_caller
        )
        return pb.CreateSubscriptionResponse(
            details=details_message(details),
            subscription_id=subscription_id,
            secret_id=secret.secret_id,
            key=secret.key,
        )

    async def GetSubscription(
        self, request: pb.GetSubscriptionRequest, call: AnyCall
    ) -> pb.GetSubscriptionResponse:
        command = read(commands.OneSubscription, request)
        subscription = await store.GET.one(
            self._database,
            subscription_id=command.subscription_id,
            organization_id=call.organization_id,
        )
        return pb.GetSubscriptionResponse(subscription=_subscription(subscription))

    async def ListSubscriptions(
        self, request: pb.ListSubscriptionsRequest, call: AnyCall
    ) -> pb.ListSubscriptionsResponse:
        found, next_page_token = await read(commands.ListSubscriptions, request).read(
            store.LIST.all,
            self._database,
            lambda subscription: subscription.subscription_id,
            organization_id=call.organization_id,
        )
        return pb.ListSubscriptionsResponse(
            subscriptions=map(_subscription, found), next_page_token=next_page_token
        )

    @checks_caller
    async def PatchSubscription(
        self, request: pb.PatchSubscriptionRequest, call: AnyCall
    ) -> pb.PatchSubscriptionResponse:
        command = read_patch(
            commands.PatchSubscription,
            request,
            "subscription",
            "subscription_id",
            commands.PATCHABLE,
        )
        details = await commands.patch(self._database, command.subscription, **call.by_caller)
        self._database.once_written(self._wake)
        return pb.PatchSubscriptionResponse(details=details_message(details))

    @checks_caller
    async def RemoveSubscription(
        self, request: pb.RemoveSubscriptionRequest, call: AnyCall
    ) -> pb.RemoveSubscriptionResponse:
        command = read(commands.OneSubscription, request)
        details = await commands.remove(self._database, command, **call.by_caller)
        return pb.RemoveSubscriptionResponse(details=details_message(details))

    async def TestSubscription(
        self, request: pb.TestSubscriptionRequest, call: AnyCall
    ) -> pb.TestSubscriptionResponse:
        steps = await try_out(
            self._database,
            self._keyring,
            self._client,
            read(commands.OneSubscription, request),
            organization_id=call.organization_id,
            seconds=call.seconds_left - min(_LEAD_SECONDS, call.seconds_left / 5),
        )
        self._database.once_written(self._wake)
        return pb.TestSubscriptionResponse(steps=map(_step, steps))

    @checks_caller
    async def CreateSubscriptionSecret(
        self, request: pb.CreateSubscriptionSecretRequest, call: AnyCall
    ) -> pb.CreateSubscriptionSecretResponse:
        command = read(commands.CreateSubscriptionSecret, request)
        secret, details = await commands.create_secret(
            self._database, self._keyring, command, **call.by_caller
        )
        return pb.CreateSubscriptionSecretResponse(
            details=details_message(details), secret_id=secret.secret_id, key=secret.key
        )

    @checks_caller
    async def RemoveSubscriptionSecret(
        self, request: pb.RemoveSubscriptionSecretRequest, call: AnyCall
    ) -> pb.RemoveSubscriptionSecretResponse:
        command = read(commands.OneSubscriptionSecret, request)
        details = await commands.remove_secret(self._database, command, **call.by_caller)
        return pb.RemoveSubscriptionSecretResponse(details=details_message(details))

    async def ListDeliveries(
        self, request: pb.ListDeliveriesRequest, call: AnyCall
    ) -> pb.ListDeliveriesResponse:
        command = read(commands.ListDeliveries, request)
        listed = await delivery_store.LIST.read(self._database, command, call.organization_id)
        return pb.ListDeliveriesResponse(
            deliveries=map(_delivery, listed.items), **listed.size_fields
        )

    async def GetDelivery(
        self, request: pb.GetDeliveryRequest, call: AnyCall
    ) -> pb.GetDeliveryResponse:
        command = read(commands.OneDelivery, request)
        found = await commands.get_delivery(
            self._database, command, organization_id=call.organization_id
        )
        return pb.GetDeliveryResponse(delivery=_delivery(found, payload=found.payload))

    @checks_caller
    async def RetryDelivery(
        self, request: pb.RetryDeliveryRequest, call: AnyCall
    ) -> pb.RetryDeliveryResponse:
        command = read(commands.OneDelivery, request)
        delivery = await commands.retry(self._database, command, **call.by_caller)
        self._database.once_written(self._wake)
        return pb.RetryDeliveryResponse(delivery=_delivery(delivery))


def _subscription(subscription: store.Subscription) -> Nested:
    return nested(
        pb.Subscription,
        subscription,
        secrets=map(_secret, subscription.secrets),
    )


def _secret(secret: store.SubscriptionSecret) -> Nested:
    return {
        "secret_id": secret.secret_id,
        "kind": pb.SecretKind.Value(f"SECRET_KIND_{secret.kind}"),
        "public_key": secret.public_key,
        "created_at": timestamp(secret.creation_date),
    }


def _step(step: Step) -> Nested:
    return nested(pb.PushTestStep, step, duration=duration(step.seconds))


def _delivery(delivery: delivery_store.Delivery, *, payload: str = "") -> Nested:
    is_webhook = delivery.kind is PushKind.WEBHOOK
    return nested(
        pb.Delivery,
        delivery,
        subscription_id=delivery.target_id if is_webhook else "",
        application_id="" if is_webhook else delivery.target_id,
        state=pb.DeliveryState.Value(f"DELIVERY_STATE_{delivery.state.name}"),
        next_attempt_at=timestamp(delivery.next_attempt_at if delivery.ended_at is None else None),
        attempts=map(partial(nested, pb.PushAttempt), delivery.attempts),
        payload=payload,
    )
