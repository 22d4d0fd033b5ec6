"""GetSystem: the state of the running system, and no secret."""

import base64
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Final, get_args

import pytest
from pydantic import SecretStr

from keystead.system.v1 import system_service_pb2 as pb
from server.crypto.keyring import Keyring
from server.settings.settings import Settings
from server.settings.shown import shown
from server.settings.sources import variable
from server.signing.schedule import INTERVAL, KEPT, KeyState, Schedule, SigningKey
from server.store.database import connected
from server.store.schema import newest_version
from server.system import checks, installed
from server.system.checks.reasons import FindingReason, Said, found
from server.system.examined import Examined
from tests.conftest import MakeInstance
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.given import Client, Instance

_SECRET: Final = "c2VjcmV0IHdvcmQ"
# The times at which keys sign, by their IDs.
_DELAYS: Final = {
    "former": timedelta(days=-30),
    "current": timedelta(hours=-1),
    "next": timedelta(hours=1),
}


async def _system(client: Client) -> pb.System:
    return (await client.call(client.systems.GetSystem, pb.GetSystemRequest())).system


async def _has_positions(client: Client) -> bool:
    return (await _system(client)).event_log.last_position > 0


def _is_secret(annotation: object) -> bool:
    return annotation is SecretStr or any(map(_is_secret, get_args(annotation)))


async def test_the_release_and_the_process_are_described(instance: Instance) -> None:
    found = await _system(instance.admin)

    assert found.version == version("keystead")
    assert found.python_version == installed.release().python_version
    assert found.workers == 1
    assert found.schema_version == found.database.schema_version == newest_version()
    now = datetime.now(UTC)
    assert found.started_at.ToDatetime(UTC) < found.examined_at.ToDatetime(UTC) <= now
    assert now - found.examined_at.ToDatetime(UTC) < timedelta(seconds=11)


async def test_postgresql_and_the_log_are_described(instance: Instance) -> None:
    await given.user(instance.admin)
    # The server assigns positions soon after the first event, and its state is ten seconds old.
    await given.eventually(lambda: _has_positions(instance.admin))
    found = await _system(instance.admin)
    async with given.sql(instance.dsn) as connection:
        shown_version = await connection.fetchval("show server_version")

    assert shown_version.startswith(found.database.version)
    assert found.database.size_bytes > 1_000_000
    assert found.database.standbys == 0
    assert found.database.is_embedded
    assert found.event_log.partitions >= 2
    assert found.event_log.archives == found.event_log.archived_events == 0


async def test_the_findings_are_those_of_doctor_and_problems_come_first(
    make_instance: MakeInstance,
) -> None:
    async with make_instance(trusted_proxies="0.0.0.0/0") as instance:
        found = (await _system(instance.admin)).findings
        settings = Settings.model_validate(
            {"data_dir": instance.data_dir, "trusted_proxies": "0.0.0.0/0"}
        )
        async with connected(instance.dsn, pool_size=1) as database:
            checked = [
                *checks.of_settings(settings, []),
                *await checks.of_database(settings, database),
            ]

    assert {each.check for each in found} == {"readiness", *(each.check for each in checked)}
    states = [each.state for each in found]
    assert states == sorted(states, reverse=True)
    by_check = {each.check: each for each in found}
    assert by_check["trusted proxies"].state == pb.FINDING_STATE_WARNING
    assert by_check["trusted proxies"].remedy == "Name only the networks of your proxies."
    assert by_check["mail"].remedy == "Add one: keystead smtp add"
    assert by_check["clock"].state == pb.FINDING_STATE_OK
    assert by_check["clock"].remedy == ""
    of_doctor = {each.check: each.message for each in checked}
    proxies = by_check["trusted proxies"]
    assert f"{proxies.message} {proxies.remedy}" == of_doctor["trusted proxies"]
    assert (proxies.reason, dict(proxies.metadata)) == (
        "PROXIES_EVERYWHERE",
        {"networks": "0.0.0.0/0"},
    )


def test_a_finding_has_the_values_of_its_english_sentence_for_other_languages() -> None:
    [finding] = found(
        FindingReason.MAILS_UNDELIVERED,
        failed=Said("1 mail", 1),
        delayed=Said("2 are", 2),
        reason="SMTP_DOWN",
    )

    assert finding.fact == (
        "1 mail failed within a day, 2 are overdue; the last reason was SMTP_DOWN."
    )
    assert finding.metadata == {"failed": "1", "delayed": "2", "reason": "SMTP_DOWN"}


async def test_a_part_that_is_not_ready_is_a_problem(instance: Instance) -> None:
    settings = Settings.model_validate({"data_dir": instance.data_dir})
    async with connected(instance.dsn, pool_size=1) as database:
        examined = Examined(
            settings, database, readiness=lambda: {"database": "refuses writes", "schema": "ok"}
        )
        first = (await examined.now()).findings[0]

    assert (first.check, first.state) == ("readiness", "problem")
    assert "database: refuses writes" in first.fact


async def test_keys_are_described_without_their_material(make_instance: MakeInstance) -> None:
    keys = [bytes([each]) * 32 for each in (1, 2)]
    encoded = ",".join(base64.b64encode(each).decode() for each in keys)
    async with make_instance(encryption_keys=encoded) as instance:
        found = await _system(instance.admin)

    ids = Keyring(keys).key_ids
    assert [each.key_id for each in found.encryption_keys] == list(ids)
    assert [(each.is_writing, each.is_in_use) for each in found.encryption_keys] == [
        (True, True),
        (False, False),
    ]
    assert all(each.is_configured for each in found.encryption_keys)
    assert [list(each.encryption_key_ids) for each in found.servers] == [list(ids)]
    assert {each.algorithm for each in found.signing_keys} == {"ES256", "RS256"}
    assert {each.state for each in found.signing_keys} == {pb.SIGNING_KEY_STATE_CURRENT}
    for key in found.signing_keys:
        assert key.changes_at.ToDatetime(UTC) == key.signs_at.ToDatetime(UTC) + INTERVAL
        assert key.created_at.ToDatetime(UTC) <= key.signs_at.ToDatetime(UTC)
    assert not any(each in str(found) for each in encoded.split(","))


async def test_a_key_that_is_in_use_and_not_configured_is_named(
    instance: Instance, tmp_path: Path
) -> None:
    key = base64.b64encode(bytes([7]) * 32).decode()
    settings = Settings.model_validate({"data_dir": tmp_path, "encryption_keys": key})
    async with connected(instance.dsn, pool_size=1) as database:
        found = (await Examined(settings, database, readiness=None).now()).encryption_keys

    assert [(each.is_configured, each.is_in_use) for each in found] == [
        (True, False),
        (False, True),
    ]


@pytest.mark.parametrize(
    "name", [name for name, field in Settings.model_fields.items() if _is_secret(field.annotation)]
)
async def test_a_secret_is_shown_only_as_set(
    name: str,
    make_instance: MakeInstance,
    monkeypatch: pytest.MonkeyPatch,
    make_database: MakeDatabase,
) -> None:
    values = {
        "database_url": f"postgresql://keystead:{_SECRET}@db.example/keystead",
        "encryption_keys": base64.b64encode(_SECRET.encode().ljust(32, b".")).decode(),
    }
    monkeypatch.setenv(variable(name), values[name])
    settings = {} if name == "database_url" else {name: values[name]}
    async with make_instance(dsn=await make_database(), **settings) as instance:
        found = await _system(instance.admin)

    [setting] = [each for each in found.settings if each.name == variable(name)]
    assert setting.is_secret
    assert setting.is_set
    assert (setting.value, setting.default_value) == ("", "")
    assert values[name] not in str(found)
    assert _SECRET not in str(found)


async def test_every_setting_is_listed_with_its_origin(
    make_instance: MakeInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEYSTEAD_MAX_TOKENS_PER_USER", "7")
    async with make_instance(cors_origins="https://a.example,https://b.example") as instance:
        found = {each.name: each for each in (await _system(instance.admin)).settings}

    assert list(found) == [variable(name) for name in Settings.model_fields]
    tokens = found["KEYSTEAD_MAX_TOKENS_PER_USER"]
    assert (tokens.value, tokens.default_value, tokens.origin) == (
        "7",
        "100",
        "KEYSTEAD_MAX_TOKENS_PER_USER",
    )
    assert not tokens.is_default
    origins = found["KEYSTEAD_CORS_ORIGINS"]
    assert origins.value == "https://a.example,https://b.example"
    lifetime = found["KEYSTEAD_SESSION_LIFETIME"]
    assert (lifetime.is_default, lifetime.is_set, lifetime.origin) == (True, False, "")
    assert "Seconds until a session expires" in lifetime.description


def test_a_setting_is_secret_by_its_type_alone() -> None:
    settings = Settings.model_validate({"database_url": f"postgresql://a:{_SECRET}@h/db"})

    secrets = {each.name for each in shown(settings, {}) if each.is_secret}

    assert secrets == {"KEYSTEAD_DATABASE_URL", "KEYSTEAD_ENCRYPTION_KEYS"}
    assert _SECRET not in str(list(shown(settings, {})))


async def test_a_second_call_within_seconds_reads_nothing(make_instance: MakeInstance) -> None:
    async with make_instance() as instance:
        first = await _system(instance.admin)
        second = await _system(instance.admin)

    assert second == first


def test_each_key_has_a_state_and_the_time_of_its_next_one() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    hour = timedelta(hours=1)
    keys = [SigningKey(kid, "{}", now, now + delay) for kid, delay in _DELAYS.items()]

    found = list(Schedule(keys, now).scheduled())

    assert [each.state for each in found] == [KeyState.FORMER, KeyState.CURRENT, KeyState.NEXT]
    assert [each.changes_at for each in found] == [now - hour + KEPT, now + hour, now + hour]
