"""Subscriptions and deliveries, by the command line."""

from pathlib import Path
from typing import Any

from standardwebhooks import Webhook

from server.deliveries.loop import Pace
from tests.cli.words import Keystead, columns, commands_on, done, objects, unique
from tests.conftest import MakeInstance
from tests.push.calls import URL
from tests.support.certificates import Authority
from tests.support.push_target import push_target, status


async def test_a_subscription_is_added_shown_changed_and_removed(keystead: Keystead) -> None:
    organization, name = unique("org"), unique("subscription")
    await done(keystead("org", "create", organization))
    there = ("--org", organization)

    added = await done(keystead("push", "create", name, URL, "--event-type", "user.added", *there))
    subscription_id, key = added.split("\n")
    [shown] = await objects(keystead("push", "show", name, *there, "--json"))
    second = await done(keystead("push", "create-secret", subscription_id, "--kind", "ed25519"))
    [secret] = shown["secrets"]
    removed = await done(keystead("push", "remove-secret", name, secret["secret_id"], *there))
    last = await keystead(
        "push", "remove-secret", name, (await _secrets(keystead, subscription_id))[0], *there
    )
    changed = await done(keystead("push", "set", name, "--event-type", "", *there))
    listed = await columns(keystead("push", "list", *there))
    nothing = await keystead("push", "set", name, *there)

    assert key.startswith("whsec_")
    assert second.startswith("whpk_")
    assert shown["event_types"] == ["user.added"]
    assert (secret["kind"], secret["public_key"]) == ("HMAC", "")
    assert removed == f"The secret was removed: {secret['secret_id']}"
    assert "keystead push create-secret" in last.errors
    assert changed == f"The subscription '{name}' was changed."
    assert listed == [[subscription_id, name, URL, "-"]]
    assert nothing.status == 2
    removed = await done(keystead("push", "remove", name, *there))
    assert removed == f"The subscription '{name}' was removed."
    assert await done(keystead("push", "list", *there)) == ""


async def _secrets(keystead: Keystead, subscription_id: str) -> list[str]:
    [shown] = await objects(keystead("push", "show", subscription_id, "--json"))
    return [each["secret_id"] for each in shown["secrets"]]


async def test_a_subscription_is_tested_and_its_deliveries_are_retried(
    make_instance: MakeInstance, tmp_path: Path
) -> None:
    authority = Authority(tmp_path)
    settings: dict[str, Any] = {
        "push_allowed_networks": "127.0.0.0/8,::1",
        "push_ca_file": authority.ca_file,
    }
    async with (
        make_instance(push_pace=Pace(poll=0.05), **settings) as instance,
        push_target(authority, answer=status("500 Error")) as target,
    ):
        keystead = commands_on(instance)
        add = ("push", "create", "Mirror", target.url, "--event-type", "group.added")
        _, key = (await done(keystead(*add))).split("\n")
        failed = await keystead("push", "test", "Mirror", "--json", **settings)
        await done(keystead("group", "create", "staff"))
        await target.until(2)
        test, webhook = target.received
        target.answer = status("200 OK")
        steps = await columns(keystead("push", "test", "Mirror", **settings))
        [delivery] = await objects(keystead("push", "deliveries", "--json"))
        retried = await done(keystead("push", "retry", delivery["delivery_id"]))
        await target.until(4)
        unknown = await keystead("push", "retry", "unknown")

    assert failed.status == 1
    assert '"reason": "UNEXPECTED_STATUS"' in failed.output
    assert Webhook(key).verify(test.content, dict(test.headers))["type"] == "keystead.test"
    assert Webhook(key).verify(webhook.content, dict(webhook.headers))["type"] == "group.added"
    assert [step[:2] for step in steps] == [
        [name, "yes"] for name in ("resolve", "connect", "tls", "answer")
    ]
    assert (delivery["application_id"], delivery["event_type"]) == ("", "group.added")
    assert delivery["attempts"][-1]["reason"] == "UNEXPECTED_STATUS"
    assert "keystead push deliveries" in retried
    assert "keystead push deliveries" in unknown.errors
