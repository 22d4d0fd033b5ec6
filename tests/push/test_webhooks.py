"""Webhooks as targets get them."""

import base64
import json
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks import Webhook

from keystead.event.v1 import event_service_pb2 as event_pb
from keystead.push.v1 import push_service_pb2 as pb
from tests.group import calls as groups
from tests.push import calls
from tests.support.given import Client
from tests.support.push_target import PushTarget, status


async def test_a_target_gets_the_events_of_its_organization_signed(
    owner: Client, target: PushTarget
) -> None:
    added = await calls.add(owner, url=target.url, event_types=["group.added"])
    assert added.key.startswith("whsec_")

    group_id = await groups.group(owner, "engineering", display_name="Engineering")

    [received] = await target.until(1)
    content = Webhook(added.key).verify(received.content, dict(received.headers))
    request = event_pb.ListEventsRequest(event_types=["group.added"])
    [event] = (await owner.call(owner.events.ListEvents, request)).events
    assert received.path == "/hook?from=keystead"
    assert received.headers["content-type"] == "application/json"
    assert content["type"] == "group.added"
    assert content["timestamp"] == event.created_at.ToDatetime().isoformat() + "Z"
    assert content["data"] | {"cursor": "", "createdAt": ""} == {
        "sequence": str(event.sequence),
        "aggregateType": "group",
        "aggregateId": group_id,
        "eventType": "group.added",
        "createdAt": "",
        "creator": owner.user_id,
        "resourceOwner": event.resource_owner,
        "payload": {"name": "engineering", "display_name": "Engineering"},
        "withheldFields": [],
        "cursor": "",
    }
    [delivery] = await calls.in_state(owner, pb.DELIVERY_STATE_SENT)
    assert received.headers["webhook-id"] == delivery.delivery_id
    assert UUID(delivery.delivery_id).version == 8
    assert delivery.subscription_id == added.subscription_id
    assert (delivery.event_type, delivery.aggregate_id) == ("group.added", group_id)
    [attempt] = delivery.attempts
    assert (attempt.status, attempt.reason, attempt.answer) == (204, "", "")
    assert attempt.HasField("ended_at")


async def test_a_failed_attempt_is_repeated_with_the_same_id(
    owner: Client, target: PushTarget
) -> None:
    await calls.add(owner, url=target.url, event_types=["group.added"])
    target.answer = status(
        "503 Service Unavailable", b"later\0\r\n\x1b[2J" + "\u202e".encode() + b"x" * 2000
    )
    await groups.group(owner)
    [first] = await target.until(1)

    delivery = await calls.attempted(owner)
    assert delivery.state == pb.DELIVERY_STATE_PENDING
    wait = delivery.next_attempt_at.ToDatetime() - delivery.attempts[0].ended_at.ToDatetime()
    assert 4.9 <= wait.total_seconds() <= 10.1
    assert delivery.attempts[0].reason == "UNEXPECTED_STATUS"
    assert delivery.attempts[0].status == 503
    assert delivery.attempts[0].answer == "later? ?[2J?" + "x" * 1009
    target.answer = status("200 OK")
    await calls.retry(owner, delivery.delivery_id)

    _, second = await target.until(2)
    assert first.headers["webhook-id"] == second.headers["webhook-id"] == delivery.delivery_id
    assert first.content == second.content
    [sent] = await calls.in_state(owner, pb.DELIVERY_STATE_SENT)
    assert [each.status for each in sent.attempts] == [503, 200]


async def test_a_public_key_verifies_webhooks(owner: Client, target: PushTarget) -> None:
    kind = pb.SECRET_KIND_ED25519
    added = await calls.add(owner, url=target.url, secret_kind=kind, event_types=["group.added"])
    assert added.key.startswith("whpk_")
    assert (await calls.get(owner, added.subscription_id)).secrets[0].public_key == added.key

    await groups.group(owner)

    [received] = await target.until(1)
    headers = received.headers
    version, signature = headers["webhook-signature"].split(",")
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode()
    assert version == "v1a"
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(added.key.removeprefix("whpk_")))
    public.verify(base64.b64decode(signature), signed + received.content)


async def test_both_secrets_sign_until_one_is_removed(owner: Client, target: PushTarget) -> None:
    first = await calls.add(owner, url=target.url, event_types=["group.added"])
    subscription_id = first.subscription_id
    second = await calls.create_secret(owner, subscription_id)
    await groups.group(owner)
    [received] = await target.until(1)
    for key in (first.key, second.key):
        Webhook(key).verify(received.content, dict(received.headers))

    await calls.remove_secret(owner, subscription_id, first.secret_id)
    await groups.group(owner)

    _, received = await target.until(2)
    assert len(received.headers["webhook-signature"].split(" ")) == 1
    assert Webhook(second.key).verify(received.content, dict(received.headers))


async def test_withheld_fields_stay_withheld_and_without_types_all_events_are_sent(
    owner: Client, target: PushTarget
) -> None:
    first = await calls.add(owner, name="All", url=target.url)
    second = await calls.add(owner, name="Other", url=target.url, event_types=["user.removed"])

    received = await target.until(4)
    contents = [json.loads(each.content) for each in received]
    by_type = {(each["type"], each["data"]["aggregateId"]): each["data"] for each in contents}
    assert by_type.keys() == {
        ("subscription.added", first.subscription_id),
        ("subscription.secret_created", first.subscription_id),
        ("subscription.added", second.subscription_id),
        ("subscription.secret_created", second.subscription_id),
    }
    shown = by_type["subscription.added", second.subscription_id]
    assert shown["payload"] == {"name": "Other", "event_types": ["user.removed"]}
    assert shown["withheldFields"] == ["url"]
    assert first.key.encode() not in b"".join(each.content for each in received)
