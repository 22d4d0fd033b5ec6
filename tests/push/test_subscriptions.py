"""Subscriptions and their secrets."""

import json
from collections.abc import Mapping
from typing import Any

import grpc

from keystead.push.v1 import push_service_pb2 as pb
from server.values.ids import new_id
from tests.group import calls as groups
from tests.push import calls
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.push_target import PushTarget, cut


async def test_a_subscription_is_read_as_it_was_added(owner: Client) -> None:
    types = ["user.added", "group.added"]
    added = await calls.add(owner, name="Mirror", event_types=types)

    subscription = await calls.get(owner, added.subscription_id)

    assert (subscription.name, subscription.url) == ("Mirror", calls.URL)
    assert subscription.event_types == types
    assert subscription.details == added.details
    [secret] = subscription.secrets
    assert (secret.secret_id, secret.kind) == (added.secret_id, pb.SECRET_KIND_HMAC)
    assert secret.public_key == ""
    assert await calls.list_all(owner) == [subscription]
    assert added.key not in str(subscription)


async def test_a_patch_sets_the_fields_of_its_mask(owner: Client) -> None:
    added = await calls.add(owner)
    subscription_id = added.subscription_id

    details = (await calls.patch(owner, subscription_id, event_types=["user.added"])).details
    patched = await calls.get(owner, subscription_id)
    unchanged = await calls.patch(owner, subscription_id, ["name"], name="Directory", url="unread")

    assert details.sequence > added.details.sequence
    assert (patched.name, patched.url) == ("Directory", calls.URL)
    assert patched.event_types == ["user.added"]
    assert patched.details == details == unchanged.details
    await calls.patch(owner, subscription_id, ["*"], name="Other", url="https://example.com/")
    patched = await calls.get(owner, subscription_id)
    assert (patched.name, patched.url) == ("Other", "https://example.com/")
    assert not patched.event_types


async def test_a_removed_subscription_is_gone_with_its_secrets_and_pending_deliveries(
    owner: Client, target: PushTarget, pushing_instance: Instance
) -> None:
    target.answer = cut
    subscription_id = await calls.subscription(owner, url=target.url, event_types=["group.added"])
    await groups.group(owner)
    await target.until(1)

    await calls.remove(owner, subscription_id)

    [delivery] = await calls.deliveries(owner, filter=f"subscription_id = {subscription_id}")
    assert delivery.state == pb.DELIVERY_STATE_CANCELLED
    assert delivery.HasField("ended_at")
    assert await calls.list_all(owner) == []
    async with given.sql(pushing_instance.dsn) as sql:
        kept = "select count(*) from secrets where aggregate_id = $1"
        assert await sql.fetchval(kept, subscription_id) == 0
        kept = "select count(*) from push_started where subscription_id = $1"
        assert await sql.fetchval(kept, subscription_id) == 0
    assert await given.outcome(calls.retry(owner, delivery.delivery_id)) == "DELIVERY_CANCELLED"


async def test_a_subscription_keeps_one_secret_and_has_two_at_most(owner: Client) -> None:
    added = await calls.add(owner)
    subscription_id = added.subscription_id
    refused = await given.refusal(calls.remove_secret(owner, subscription_id, added.secret_id))
    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "LAST_SECRET"
    second = await calls.create_secret(owner, subscription_id, pb.SECRET_KIND_ED25519)
    assert second.key.startswith("whpk_")

    refused = await given.refusal(calls.create_secret(owner, subscription_id))

    assert refused.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refused.reason == "TOO_MANY_SUBSCRIPTION_SECRETS"
    secrets = (await calls.get(owner, subscription_id)).secrets
    assert [each.secret_id for each in secrets] == [added.secret_id, second.secret_id]
    await calls.remove_secret(owner, subscription_id, added.secret_id)
    [kept] = (await calls.get(owner, subscription_id)).secrets
    assert (kept.secret_id, kept.public_key) == (second.secret_id, second.key)


_INVALID: list[tuple[dict[str, Any], Mapping[str, str]]] = [
    ({"name": ""}, {"subscription.name": "must not be empty"}),
    ({"url": "http://example.com/"}, {"subscription.url": "must begin with https://"}),
    ({"url": ""}, {"subscription.url": "must be a URI of ASCII characters"}),
    ({"url": "https://a@example.com/"}, {"subscription.url": "no user information"}),
    ({"url": "https://example.com/#a"}, {"subscription.url": "no fragment"}),
    ({"url": "https://example.com/" + "a" * 2000}, {"subscription.url": "at most 2000"}),
    (
        {"event_types": ["user.added", "user.aded", "user.added"], "name": " "},
        {
            "subscription.name": "",
            "subscription.eventTypes.1": "/openapi.json",
            "subscription.eventTypes.2": "twice",
        },
    ),
    ({"event_types": ["a.b"] * 101}, {"subscription.eventTypes": "at most 100 entries"}),
    ({"secret_kind": 7}, {"secretKind": "SECRET_KIND_HMAC, SECRET_KIND_ED25519"}),
]


async def test_every_invalid_field_is_named(owner: Client) -> None:
    for fields, violations in _INVALID:
        refused = await given.refusal(calls.add(owner, **fields))

        assert refused.code is grpc.StatusCode.INVALID_ARGUMENT, fields
        assert refused.violations.keys() == violations.keys(), fields
        for name, part in violations.items():
            assert part in refused.violations[name], fields


async def test_a_patch_is_checked_as_an_addition_is(owner: Client) -> None:
    subscription_id = await calls.subscription(owner)

    patched = calls.patch(
        owner, subscription_id, name="", url="ftp://example.com", event_types=["unknown"]
    )

    refused = await given.refusal(patched)
    assert refused.violations.keys() == {
        "subscription.name",
        "subscription.url",
        "subscription.eventTypes.0",
    }
    refused = await given.refusal(calls.patch(owner, subscription_id, ["secrets"], name="a"))
    assert "event_types (in JSON eventTypes)" in refused.violations["updateMask"]


async def test_unknown_secrets_and_deliveries_are_not_found(owner: Client) -> None:
    subscription_id = await calls.subscription(owner)

    secret = await given.outcome(calls.remove_secret(owner, subscription_id, "unknown"))
    deliveries = [await given.outcome(calls.retry(owner, each)) for each in ("unknown", new_id())]

    assert secret == "SUBSCRIPTION_SECRET_NOT_FOUND"
    assert deliveries == ["DELIVERY_NOT_FOUND"] * 2


async def test_an_organization_has_a_hundred_subscriptions_at_most(
    owner: Client, pushing_instance: Instance
) -> None:
    [first] = [await calls.get(owner, await calls.subscription(owner))]
    async with given.sql(pushing_instance.dsn) as sql:
        await sql.execute(
            "insert into push_subscriptions select (jsonb_populate_record(stored,"
            " jsonb_build_object('id', id || n))).*"
            " from push_subscriptions as stored, generate_series(1, 99) as n where id = $1",
            first.subscription_id,
        )

    refused = await given.refusal(calls.add(owner))

    assert refused.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refused.reason == "TOO_MANY_SUBSCRIPTIONS"
    assert (await calls.add(pushing_instance.admin)).subscription_id  # of another organization


async def test_deliveries_are_listed_newest_first_in_pages_by_target_and_state(
    owner: Client, target: PushTarget
) -> None:
    first = await calls.subscription(owner, url=target.url, event_types=["group.added"])
    second = await calls.subscription(owner, url=target.url, event_types=["group.removed"])
    for _ in range(3):
        await groups.remove(owner, await groups.group(owner))
    await calls.in_state(owner, pb.DELIVERY_STATE_SENT, 6)

    whole = await calls.deliveries(owner)
    request = pb.ListDeliveriesRequest(page_size=4)
    page: pb.ListDeliveriesResponse = await owner.call(owner.pushes.ListDeliveries, request)
    rest = await calls.deliveries(owner, page_size=4, page_token=page.next_page_token)

    assert [*page.deliveries, *rest] == whole
    ids = [each.delivery_id for each in whole]
    assert ids == sorted(ids, reverse=True)
    of_first = [each for each in whole if each.subscription_id == first]
    added = [each for each in whole if each.event_type == "group.added"]
    for text, found in (
        ("", whole),
        ("state = SENT", whole),
        ("state != SENT", []),
        ("state = PENDING", []),
        (f"subscription_id = {first}", of_first),
        (f"subscription_id = {first} AND state = FAILED", []),
        (f"subscription_id = {first} AND subscription_id = {second}", []),
        (f"application_id = {first}", []),
        ("event_type = group.added", added),
        ('event_type = "group.*"', whole),
        ("event_type != user.*", whole),
        ("event_type != group.*", []),
        ('created_at > "2020-01-01T00:00:00Z"', whole),
        ('created_at < "2020-01-01T00:00:00Z"', []),
    ):
        assert await calls.deliveries(owner, filter=text) == found, text
        assert await calls.deliveries(owner, filter=text, order_by="created_at") == found[::-1]
        request = pb.ListDeliveriesRequest(with_total_size=True, page_size=1, filter=text)
        page = await owner.call(owner.pushes.ListDeliveries, request)
        assert (page.total_size, page.total_size_is_minimum) == (len(found), False)
    assert len(of_first) == len(added) == 3
    assert await given.outcome(calls.retry(owner, ids[0])) == "DELIVERY_ALREADY_SENT"
    refused = await given.refusal(calls.deliveries(owner, filter="event_type = door.opened"))
    assert "such as application.added or application.*" in refused.violations["filter"]


async def test_a_delivery_is_read_with_its_payload(owner: Client, target: PushTarget) -> None:
    await calls.subscription(owner, url=target.url, event_types=["group.*"])
    group_id = await groups.group(owner)
    [received] = await target.until(1)
    [listed] = await calls.in_state(owner, pb.DELIVERY_STATE_SENT)

    delivery = await calls.get_delivery(owner, listed.delivery_id)

    assert delivery.payload == received.content.decode()
    assert json.loads(delivery.payload)["data"]["aggregateId"] == group_id
    assert listed.payload == ""
    delivery.payload = ""
    assert delivery == listed
    unknown = calls.get_delivery(owner, "unknown")
    assert await given.outcome(unknown) == "DELIVERY_NOT_FOUND"


async def test_a_delivery_of_another_organization_is_not_found(
    pushing_instance: Instance, owner: Client, target: PushTarget
) -> None:
    await calls.subscription(owner, url=target.url, event_types=["group.added"])
    await groups.group(owner)
    [delivery] = await calls.in_state(owner, pb.DELIVERY_STATE_SENT)
    of_another = calls.get_delivery(pushing_instance.admin, delivery.delivery_id)
    assert await given.outcome(of_another) == "DELIVERY_NOT_FOUND"


async def test_a_subscription_to_a_group_of_types_gets_those_alone(
    owner: Client, target: PushTarget
) -> None:
    await calls.subscription(owner, url=target.url, event_types=["user.*", "group.removed"])
    group_id = await groups.group(owner)
    await groups.remove(owner, group_id)
    [delivery] = await calls.in_state(owner, pb.DELIVERY_STATE_SENT)
    assert delivery.event_type == "group.removed"


async def test_a_secret_that_cannot_be_decrypted_fails_a_test_and_deliveries(
    owner: Client, target: PushTarget, pushing_instance: Instance
) -> None:
    subscription_id = await calls.subscription(owner, url=target.url, event_types=["group.added"])
    async with given.sql(pushing_instance.dsn) as sql:
        await sql.execute("delete from secrets where aggregate_id = $1", subscription_id)
    await groups.group(owner)

    assert await given.outcome(calls.try_out(owner, subscription_id)) == "PUSH_SECRET_UNREADABLE"
    delivery = await calls.attempted(owner)
    assert delivery.state == pb.DELIVERY_STATE_PENDING
    assert delivery.attempts[0].reason == "PUSH_SECRET_UNREADABLE"
    assert not target.received
