"""The servers that run, and their keys."""

from datetime import UTC, datetime

import pytest

from server.crypto.encryption_keys import RunningServer
from server.crypto.keyring import Keyring
from server.system.checks.findings import State
from server.system.checks.servers import judged
from tests.conftest import Installation
from tests.operate.doctor.installation import only
from tests.support.given import Instance

_KEYRING = Keyring([bytes(32)])
_OTHER = Keyring([bytes(range(32))])


def _server(keyring: Keyring = _KEYRING, *, is_listed: bool = True) -> RunningServer:
    return RunningServer("here", 12, keyring.key_ids, datetime.now(UTC), is_listed, 72)


async def test_servers_are_shown_with_their_keys(instance: Instance) -> None:
    found = await only(instance, "servers")

    assert found.state is State.OK
    assert found.message.startswith("1 server runs: process ")


async def test_servers_may_be_stopped(installation: Installation) -> None:
    assert (await only(installation, "servers")).message == "None is running."


@pytest.mark.parametrize(
    ("server", "state", "message"),
    [
        (_server(_OTHER), State.WARNING, "These do not encrypt with the first key of these"),
        (_server(is_listed=False), State.PROBLEM, "These cannot store secrets"),
    ],
    ids=["another key", "a replaced key"],
)
def test_servers_that_need_a_restart_are_named(
    server: RunningServer, state: State, message: str
) -> None:
    [found] = judged([_server(), server], _KEYRING)

    assert found.state is state
    assert found.message.startswith(message)
    assert f"process 12 on here has {server.writing_key_id}. Restart them" in found.message


def test_servers_are_not_compared_without_a_key() -> None:
    [found] = judged([_server(_OTHER)], None)

    assert found.state is State.OK
