"""The test of a subscription: sends a webhook step by step, with the code that sends events."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from server.crypto.keyring import EncryptionKeyError, Keyring
from server.deliveries.http.client import PushClient, PushFailedError, PushSteps
from server.net.trial import Step
from server.push import leases, store
from server.push.commands import OneSubscription
from server.push.follower import webhook_payload
from server.push.sender import webhook_request
from server.store.database import Statements
from server.values.errors import FixedFailure
from server.values.ids import new_id

_TYPE: Final = "keystead.test"


async def try_out(
    database: Statements,
    keyring: Keyring,
    client: PushClient,
    command: OneSubscription,
    *,
    organization_id: str,
    seconds: float,
) -> Sequence[Step]:
    """The steps of a test webhook. If the target accepts it, its due deliveries are attempted now.

    `Failure` NOT_FOUND, FAILED_PRECONDITION `PUSH_SECRET_UNREADABLE`.
    """
    subscription_id = command.subscription_id
    await store.GET.one(database, subscription_id=subscription_id, organization_id=organization_id)
    address = (await store.addresses(database, [subscription_id])).get(subscription_id)
    if address is None:
        raise store.subscription_not_found(subscription_id)
    payload = webhook_payload(_TYPE, datetime.now(UTC), {"subscriptionId": subscription_id})
    try:
        request = webhook_request(keyring, address, delivery_id=new_id(), payload=payload)
    except EncryptionKeyError:
        raise _secret_unreadable() from None
    steps = PushSteps()
    try:
        answer = await client.post(request, steps=steps, seconds=seconds)
    except PushFailedError as error:
        steps.failed(error.reason, error.message)
        return steps.steps
    steps.answered(answer)
    if answer.refusal is None:
        await leases.reset(database, subscription_id)
    return steps.steps


_secret_unreadable: Final = FixedFailure(
    "PUSH_SECRET_UNREADABLE",
    "A secret of the subscription cannot be decrypted. Give every server of this database the same"
    " encryption keys (`keystead doctor` names the missing ones), or create another secret and"
    " remove this one.",
)
