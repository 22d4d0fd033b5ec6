"""Webhooks and logout tokens that were not delivered."""

from server.system.checks.findings import State
from tests.conftest import Installation
from tests.operate.doctor.installation import execute, only

_FAILED = """
insert into push_deliveries (delivery_id, target_id, kind, owner, aggregate_id, event_type,
    position, payload, state, next_attempt_at, due_at, give_up_at, created_at, ended_at)
select n::text, 'target', 'webhook', 'org', n::text, 'group.added', n, '{}', 'failed', now(),
    now(), now(), now(), now() from generate_series(1, 2) as n;
insert into push_attempts (delivery_id, number, started_at, ended_at, reason, message)
select delivery_id, 1, now(), now(), 'TIMEOUT', 'No answer of target.' from push_deliveries;
insert into push_targets (target_id, failures, next_turn_at) values ('target', 3, now())"""


async def test_failed_deliveries_are_a_warning_with_the_last_reason(
    installation: Installation,
) -> None:
    await execute(installation, _FAILED)

    found = await only(installation, "pushes")

    assert found.state is State.WARNING
    assert "2 webhooks and logout tokens failed within a day" in found.message
    assert "1 target gives no answer; the last reason was TIMEOUT" in found.message
    assert "keystead push deliveries" in found.message
    assert "No answer of target." not in found.message


async def test_a_target_that_has_just_failed_is_a_warning(installation: Installation) -> None:
    await execute(
        installation,
        "insert into push_targets (target_id, failures, next_turn_at) values ('a', 1, now())",
    )

    found = await only(installation, "pushes")

    assert found.state is State.WARNING
    assert "0 are tried again after a failed attempt, 1 target gives no answer." in found.message


async def test_a_delivery_whose_attempts_have_failed_is_a_warning(
    installation: Installation,
) -> None:
    """The target answers, so it does not count as failing."""
    await execute(
        installation,
        _FAILED.split(";", maxsplit=1)[0]
        .replace("'failed'", "'pending'")
        .replace("created_at, ended_at)", "created_at, failures)")
        .replace("now(), now(), now(), now() from", "now(), now(), now(), 6 from"),
    )

    found = await only(installation, "pushes")

    assert found.state is State.WARNING
    assert "2 are tried again after a failed attempt" in found.message


async def test_without_failures_all_is_well(installation: Installation) -> None:
    assert (await only(installation, "pushes")).state is State.OK
