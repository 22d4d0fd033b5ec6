"""Durable writes."""

from dataclasses import replace
from typing import Any

import pytest

from server.settings.settings import Settings
from server.system.checks.findings import Finding, State
from server.system.checks.replication import Replication, writes

_DURABLE = Replication(
    synchronous_commit="on",
    synchronous_standby_names="two",
    has_old_patroni=False,
)
_HOSTS = "postgresql://keystead@one,two/keystead"


@pytest.mark.parametrize(
    ("url", "differs", "advice"),
    [
        (None, {"synchronous_commit": "off"}, "a crash loses writes"),
        (_HOSTS, {"synchronous_standby_names": ""}, "synchronous_mode_strict"),
        (None, {"synchronous_commit": "local"}, "it waits for no standby"),
    ],
    ids=["off", "no standby", "local"],
)
def test_writes_that_a_failover_would_lose_are_found(
    url: str | None, differs: dict[str, Any], advice: str
) -> None:
    [found] = _writes(url, **differs)

    assert found.state is not State.OK
    assert advice in found.message


def test_writes_are_safe_with_a_synchronous_standby_or_on_one_machine() -> None:
    [several], [one] = _writes(_HOSTS), _writes(None, synchronous_standby_names="")

    assert (several.state, one.state) == (State.OK, State.OK)
    assert "A synchronous standby has them" in several.message


def _writes(url: str | None, **differs: Any) -> list[Finding]:
    settings = Settings.model_validate({"database_url": url})
    return writes(settings, replace(_DURABLE, **differs))
