"""`keystead doctor`: every check on a sound installation and on one with the problem."""

import errno
import json
import os
import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import pytest
import structlog
from click.testing import CliRunner

from server import app
from server.cli import installation
from server.cli.doctor import doctor as doctor_command
from server.crypto.keyring import load_keyring
from server.mail.loop import Pace
from server.mail.outbox import MailKind, NewMail, Outbox
from server.operate import doctor
from server.operate.doctor import Finding, State, checks, facts
from server.operate.doctor.facts import Replication
from server.settings.settings import Settings
from server.smtp.store import find_sender_domain
from server.store.database import connected
from server.telemetry import logs
from tests.conftest import MakeInstance
from tests.passkey.ceremonies import register
from tests.support import given, process
from tests.support.certificates import Authority
from tests.support.databases import MakeDatabase
from tests.support.given import Instance
from tests.support.mail_server import mail_server

_ELSEWHERE = {"rp_id": "example.com", "rp_origins": ("https://example.com",)}
_ISSUING = {"jwt_audiences": ("https://orders.example.com",)}
_A_MONTH_LATER = "update signing_keys set signs_at = signs_at - interval '29 days'"
_OTHER_KEY = "b25lIG9mIHRoZSBrZXlzIG9mIDMyIGJ5dGVzLi4uLi4="


def _settings(instance: Instance, **settings: object) -> Settings:
    return Settings.model_validate({"data_dir": instance.data_dir, **settings})


async def _findings(instance: Instance, **values: object) -> list[Finding]:
    settings = _settings(instance, **values)
    return [
        *doctor.before_database(settings, ()),
        *await doctor.examine(settings, instance.dsn),
    ]


async def _only(instance: Instance, check: str, **values: object) -> Finding:
    """The only finding of a check."""
    [found] = [each for each in await _findings(instance, **values) if each.check == check]
    return found


async def _mail(instance: Instance) -> None:
    """A mail with a secret that waits to be sent."""
    await instance.admin.call(instance.admin.smtp.AddSMTPConfig, given.smtp_config())
    await _enqueue(instance)


async def _enqueue(instance: Instance) -> None:
    mail = NewMail(
        kind=MailKind.PASSKEY_REGISTRATION_LINK,
        user_id=instance.admin.user_id,
        scope_id="org",
        recipient_address="ada@example.com",
        recipient_name="Ada",
        reference="link",
        parameters={"expiry": "2026-11-22T09:00:00+00:00"},
        secrets={"link": "https://example.com/#code"},
    )
    keyring = load_keyring((), instance.data_dir / "encryption.keys")
    outbox = Outbox(hourly_limit=20, find_sender_domain=find_sender_domain)
    async with connected(instance.dsn, pool_size=1) as database, database.transaction() as open_:
        await outbox.enqueue(open_, keyring, mail)


async def _sql(instance: Instance, statement: str) -> None:
    async with given.sql(instance.dsn) as connection:
        await connection.execute(statement)


async def test_a_new_installation_lacks_nothing_but_a_mail_server(own_instance: Instance) -> None:
    findings = await _findings(own_instance)

    assert [each.check for each in findings if each.state is not State.OK] == ["mail"]
    assert {each.check for each in findings} >= {
        "relying party",
        "link page",
        "data directory",
        "private files",
        "database",
        "connections",
        "clock",
        "writes",
        "stored secrets",
        "administrator",
        "passkeys",
        "passkey origins",
        "user verification",
    }


async def test_events_of_a_month_without_a_partition_are_a_warning(own_instance: Instance) -> None:
    await _sql(
        own_instance,
        "insert into events values ('a', 4e15, 'idp', 'idp.test', 1, '{}', 'b', 'c', now())",
    )

    found = await _only(own_instance, "event partitions")

    assert found.state is State.WARNING
    assert found.message.startswith("1 event(s), from ")


async def test_an_index_whose_creation_was_interrupted_is_a_problem(
    own_instance: Instance,
) -> None:
    await given.idp(own_instance.admin)
    await given.idp(own_instance.admin)
    with pytest.raises(asyncpg.UniqueViolationError):
        await _sql(own_instance, "create unique index concurrently new_one on idps (name)")

    found = await _only(own_instance, "indexes")
    assert found.state is State.PROBLEM
    assert "The index new_one is incomplete" in found.message

    for action in ("update idps set name = id", "reindex index concurrently new_one"):
        await _sql(own_instance, action)
    assert "indexes" not in {each.check for each in await _findings(own_instance)}


async def test_with_a_passkey_and_a_mail_it_is_still_well(make_instance: MakeInstance) -> None:
    async with make_instance() as instance:
        await register(await given.user(instance.admin))
        await instance.admin.call(instance.admin.smtp.AddSMTPConfig, given.smtp_config())
    await _enqueue(instance)  # and no process tries it any more

    findings = await _findings(instance)

    assert [each for each in findings if each.state is not State.OK] == []
    assert not any("mail-password" in each.message for each in findings)


class TestPasskeys:
    async def test_of_another_relying_party_are_counted_with_their_users(
        self, own_instance: Instance
    ) -> None:
        user = await given.user(own_instance.admin)
        await register(user)
        await register(user)
        await register(await given.user(own_instance.admin))

        found = await _only(own_instance, "passkeys", **_ELSEWHERE)

        assert found.state is State.PROBLEM
        assert "3 of 3 passkey(s), of 2 user(s), belong to localhost" in found.message

    async def test_of_another_relying_party_are_told_of_when_the_server_starts(
        self, own_instance: Instance
    ) -> None:
        await register(await given.user(own_instance.admin))

        with structlog.testing.capture_logs() as fine:
            await app.prepare(_settings(own_instance), own_instance.dsn)
        with structlog.testing.capture_logs() as logged:
            await app.prepare(_settings(own_instance, **_ELSEWHERE), own_instance.dsn)

        assert not [line for line in fine if line["log_level"] == "warning"]
        [line] = [line for line in logged if line["log_level"] == "warning"]
        assert "1 of 1 passkey(s), of 1 user(s), belong to localhost" in line["detail"]

    async def test_of_an_origin_that_is_not_named_any_more_are_a_warning(
        self, own_instance: Instance
    ) -> None:
        await register(await given.user(own_instance.admin))

        found = await _only(own_instance, "passkey origins", rp_origins=("http://localhost:9000",))

        assert found.state is State.WARNING
        assert "1 passkey(s) were registered on http://localhost:8080" in found.message

    async def test_without_user_verification_are_counted_once_that_is_required(
        self, make_instance: MakeInstance
    ) -> None:
        async with make_instance(rp_user_verification="preferred") as instance:
            await register(await given.user(instance.admin), uv=False)
            await register(await given.user(instance.admin))

            now = await _only(instance, "user verification", rp_user_verification="required")
            before = await _only(instance, "user verification", rp_user_verification="preferred")

        assert (now.state, before.state) == (State.PROBLEM, State.OK)
        assert "1 passkey(s), of 1 user(s), were registered without" in now.message


_DURABLE = Replication(
    is_standby=False,
    is_read_only=False,
    synchronous_commit="on",
    synchronous_standby_names="two",
    has_old_patroni=False,
)
_HOSTS = "postgresql://keystead@one,two/keystead"


@pytest.mark.parametrize(
    ("url", "differs", "advice"),
    [
        (None, {"is_standby": True}, "Name the leader"),
        (None, {"is_read_only": True}, "The database is read-only"),
        (None, {"synchronous_commit": "off"}, "a crash loses writes"),
        (_HOSTS, {"synchronous_standby_names": ""}, "synchronous_mode_strict"),
        (None, {"synchronous_commit": "local"}, "it waits for no standby"),
    ],
    ids=["standby", "read-only", "off", "no standby", "local"],
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
    return checks.writes(settings, replace(_DURABLE, **differs))


class TestStoredSecrets:
    async def test_without_their_key_are_a_problem(self, own_instance: Instance) -> None:
        await _mail(own_instance)

        found = await _only(own_instance, "stored secrets", encryption_keys=(_OTHER_KEY,))

        assert found.state is State.PROBLEM
        assert "which are not configured" in found.message

    async def test_without_a_key_file_are_a_problem(self, own_instance: Instance) -> None:
        await _mail(own_instance)
        (own_instance.data_dir / "encryption.keys").unlink()

        found = await _only(own_instance, "stored secrets")

        assert found.state is State.PROBLEM
        assert "encryption.keys is missing" in found.message

    async def test_that_were_altered_are_a_problem_each(self, own_instance: Instance) -> None:
        await _mail(own_instance)
        await _sql(own_instance, "update secrets set ciphertext = ciphertext || '\\x00'")

        findings = await _findings(own_instance)

        wrong = [each for each in findings if each.check == "stored secrets"]
        assert [each.state for each in wrong] == [State.PROBLEM] * 2
        assert wrong[0].message.startswith("The stored password cannot be decrypted.")
        assert wrong[1].message.startswith("A secret of the mail ")

    async def test_need_no_key_file_while_there_are_none(self, own_instance: Instance) -> None:
        (own_instance.data_dir / "encryption.keys").unlink()

        assert (await _only(own_instance, "stored secrets")).state is State.OK


class TestAdministrator:
    @pytest.mark.parametrize(
        ("statement", "advice"),
        [
            ("update users set roles = '{}'", "keystead user grant USER INSTANCE_OWNER"),
            ("update tokens set expires_at = now()", "keystead token create USER"),
        ],
    )
    async def test_that_is_missing_is_a_problem(
        self, own_instance: Instance, statement: str, advice: str
    ) -> None:
        await _sql(own_instance, statement)

        found = await _only(own_instance, "administrator")

        assert found.state is State.PROBLEM
        assert advice in found.message.replace("\n", " ")


class TestMail:
    async def test_that_fails_is_a_warning_with_the_last_reason(
        self, make_instance: MakeInstance
    ) -> None:
        async with make_instance() as instance:
            await instance.admin.call(instance.admin.smtp.AddSMTPConfig, given.smtp_config())
        await _enqueue(instance)  # and no process tries it any more
        await _sql(
            instance,
            """
            insert into mail_attempts (mail_id, number, started_at, ended_at, reason, message)
            select mail_id, 1, now(), now(), 'SMTP_DOWN', 'The server is down.' from mails;
            update mails set state = 'failed', ended_at = now()""",
        )

        found = await _only(instance, "mail")

        assert found.state is State.WARNING
        assert "1 mail(s) failed within a day" in found.message
        assert "the last reason was SMTP_DOWN" in found.message
        assert "The server is down." not in found.message  # such texts may name the recipient

    async def test_that_waits_for_a_mail_server_is_a_warning_with_the_reason(
        self, make_instance: MakeInstance
    ) -> None:
        pace = Pace(poll=0.01)
        async with make_instance(mail_pace=pace, smtp_allowed_networks="127.0.0.1") as instance:
            await _configure(instance, process.free_port())
            await _enqueue(instance)
            async with given.sql(instance.dsn) as rows:

                async def is_tried() -> bool:
                    ended = "select exists (select from mail_attempts where ended_at is not null)"
                    return bool(await rows.fetchval(ended))

                await given.eventually(is_tried)

            found = await _only(instance, "mail")

        assert found.state is State.WARNING
        assert "0 mail(s) failed within a day, 1 are overdue" in found.message
        assert "the last reason was CONNECTION_REFUSED." in found.message

    async def test_that_nobody_tries_is_a_warning(self, make_instance: MakeInstance) -> None:
        async with make_instance() as instance:
            await instance.admin.call(instance.admin.smtp.AddSMTPConfig, given.smtp_config())
        await _enqueue(instance)  # and no process tries it any more

        at_once = await _only(instance, "mail")
        await _sql(instance, "update mails set next_attempt_at = now() - interval '2 minutes'")
        later = await _only(instance, "mail")

        assert (at_once.state, later.state) == (State.OK, State.WARNING)
        assert "none of them was attempted: check that a server runs" in later.message

    async def test_that_a_server_would_take_is_found_by_asking_it_and_sends_none(
        self, own_instance: Instance
    ) -> None:
        async with mail_server() as server:
            await _configure(own_instance, server.port)

            steps = await _smtp_steps(own_instance)

        assert {each.state for each in steps} == {State.OK}
        assert steps[0].check == "smtp resolve"
        assert server.received == []

    async def test_that_no_server_takes_is_found_by_asking_it(self, own_instance: Instance) -> None:
        await _configure(own_instance, process.free_port())

        *earlier, last = await _smtp_steps(own_instance)

        assert (last.check, last.state) == ("smtp connect", State.PROBLEM)
        assert [each.state for each in earlier] == [State.OK]


async def _configure(instance: Instance, port: int) -> None:
    config = given.smtp_config(host=f"127.0.0.1:{port}", tls=False, user="", password="")
    await instance.admin.call(instance.admin.smtp.AddSMTPConfig, config)


async def _smtp_steps(instance: Instance) -> list[Finding]:
    settings = _settings(instance, smtp_timeout=5, smtp_allowed_networks=("127.0.0.1",))
    found = await doctor.examine(settings, instance.dsn, smtp=True)
    return [each for each in found if each.check.startswith("smtp ")]


class TestServer:
    async def test_that_has_fewer_connections_than_the_workers_want_is_a_problem(
        self, instance: Instance
    ) -> None:
        found = await _only(instance, "connections", workers=64, database_pool_size=1000)

        assert found.state is State.PROBLEM
        assert "64 worker(s) open up to 64064 connections" in found.message

    async def test_that_limits_the_connections_of_the_database_is_a_problem(
        self, own_instance: Instance
    ) -> None:
        name = urlsplit(own_instance.dsn).path.removeprefix("/")
        await _sql(own_instance, f'alter database "{name}" connection limit 5')

        found = await _only(own_instance, "connections")

        assert found.state is State.PROBLEM
        assert "PostgreSQL gives 5" in found.message

    async def test_under_an_old_patroni_is_a_warning(self, instance: Instance) -> None:
        names = {"application_name": "Patroni"}
        assert "Patroni" not in {each.check for each in await _findings(instance)}
        connection = await asyncpg.connect(instance.dsn, server_settings=names)
        try:
            found = await _only(instance, "Patroni")
        finally:
            await connection.close()

        assert found.state is State.WARNING
        assert "Upgrade Patroni" in found.message

    async def test_with_another_clock_is_a_warning(self, instance: Instance) -> None:
        async with connected(instance.dsn, pool_size=1) as database:
            seen = await facts.look_at_database(_settings(instance), database)
        fast = replace(seen, clock_ahead=timedelta(seconds=9))
        slow = replace(seen, clock_ahead=timedelta(seconds=-9))

        [found], [other] = [checks.clock(_settings(instance), each) for each in (fast, slow)]

        assert abs(seen.clock_ahead) < timedelta(seconds=5)
        assert {found.state, other.state} == {State.WARNING}
        assert "9 seconds ahead of" in found.message
        assert "9 seconds behind" in other.message

    async def test_of_an_old_release_is_a_problem(self, instance: Instance) -> None:
        async with connected(instance.dsn, pool_size=1) as database:
            seen = await facts.look_at_database(_settings(instance), database)

        [found] = checks.server_version(_settings(instance), replace(seen, version=140_012))

        assert found.state is State.PROBLEM
        assert found.message == "PostgreSQL 14 is too old: use 15 or newer."

    async def test_that_was_never_migrated_is_a_problem(
        self, instance: Instance, make_database: MakeDatabase
    ) -> None:
        found = await doctor.examine(_settings(instance), await make_database(empty=True))

        assert [each.state for each in found] == [State.PROBLEM]
        assert "start the server, which creates them" in found[0].message

    async def test_that_knows_us_by_a_role_without_rights_is_a_problem(
        self, instance: Instance
    ) -> None:
        # A role of PostgreSQL itself, so that the test creates none.
        found = await doctor.examine(_settings(instance), f"{instance.dsn}&role=pg_monitor")

        assert [each.state for each in found] == [State.PROBLEM]
        assert "permission denied for table" in found[0].message
        assert "Connect as the role that owns the tables" in found[0].message

    async def test_that_is_not_there_is_a_problem(self, instance: Instance) -> None:
        place = f"127.0.0.1:{process.free_port()}"
        dsn = f"postgresql://nobody:a-secret@{place}/nothing"

        found = await doctor.examine(_settings(instance), dsn)

        assert [each.state for each in found] == [State.PROBLEM]
        assert found[0].message.startswith(f"Cannot connect to the database nothing on {place}: ")
        assert "KEYSTEAD_DATABASE_URL" in found[0].message
        assert "a-secret" not in found[0].message

    async def test_that_has_no_such_database_is_a_problem(self, instance: Instance) -> None:
        dsn = instance.dsn.replace(urlsplit(instance.dsn).path, "/no%20such", 1)

        found = await doctor.examine(_settings(instance), dsn)

        assert [each.state for each in found] == [State.PROBLEM]
        assert found[0].message.startswith("Cannot connect to the database no such on ")
        assert 'database "no such" does not exist. Create the database' in found[0].message

    async def test_of_a_newer_release_is_a_problem(self, own_instance: Instance) -> None:
        await _sql(own_instance, "insert into schema_versions (version) values (9999)")

        found = await doctor.examine(_settings(own_instance), own_instance.dsn)

        assert [each.state for each in found] == [State.PROBLEM]
        assert "schema version 9999" in found[0].message
        assert "Use the release that migrated the database" in found[0].message


def _before(data_dir: Path, **settings: object) -> dict[str, Finding]:
    found = doctor.before_database(Settings.model_validate({"data_dir": data_dir, **settings}), ())
    return {each.check: each for each in found}


@pytest.mark.parametrize(
    ("check", "settings", "message"),
    [
        (
            "relying party",
            {"http_address": "0.0.0.0:8080"},
            "passkeys work only in browsers on this machine",
        ),
        (
            "link page",
            {"passkey_page_url": "https://example.com/keys"},
            "Add https://example.com there",
        ),
        ("link page", {"passkey_page_url": "http://example.com/keys"}, "not served by https"),
        (
            "link page",
            {"http_address": "127.0.0.1:9090", "rp_origins": ("http://localhost:8080",)},
            "Name http://localhost:9090 first in KEYSTEAD_RP_ORIGINS",
        ),
        (
            "link page",
            {
                "rp_origins": ("http://localhost:8080",),
                "tls_certificate_file": "tls.pem",
                "tls_key_file": "tls.key",
            },
            "Name https://localhost:8080 first in KEYSTEAD_RP_ORIGINS",
        ),
        ("plaintext", {"http_address": "0.0.0.0:8080"}, "HTTP_ADDRESS is 0.0.0.0:8080"),
        ("plaintext", {"grpc_address": "[::]:50051"}, "GRPC_ADDRESS is [::]:50051"),
    ],
)
def test_settings_that_suit_no_user_are_found(
    tmp_path: Path, check: str, settings: dict[str, Any], message: str
) -> None:
    found, otherwise = _before(tmp_path, **settings)[check], _before(tmp_path)[check]

    assert found.state in (State.WARNING, State.PROBLEM)
    assert message in found.message
    assert otherwise.state is State.OK


def test_a_web_port_behind_a_trusted_proxy_is_not_in_plaintext_for_others(tmp_path: Path) -> None:
    settings = {"http_address": "0.0.0.0:8080", "trusted_proxies": ("10.0.0.1",)}

    assert _before(tmp_path, **settings)["plaintext"].state is State.OK


@pytest.mark.parametrize(
    "settings",
    [
        {"http_address": "127.0.0.1:9090"},
        {"http_address": "127.0.0.1:9090", "passkey_page_url": "http://localhost:5173/keys"},
    ],
)
def test_a_page_of_links_on_another_port_can_be_chosen(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    origins = ("http://localhost:9090", "http://localhost:5173")

    assert _before(tmp_path, rp_origins=origins, **settings)["link page"].state is State.OK


def test_related_origins_are_told_with_what_browsers_ask(tmp_path: Path) -> None:
    found = _before(tmp_path, rp_related_origins=("https://example.com",))["related origins"]

    assert found.state is State.OK
    assert "https://localhost/.well-known/webauthn" in found.message
    assert "related origins" not in _before(tmp_path)


@pytest.mark.parametrize(
    ("free", "state"),
    [(5_000_000_000, State.OK), (900_000_000, State.WARNING), (90_000_000, State.PROBLEM)],
)
def test_a_disk_that_fills_up_under_the_embedded_database_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, state: State
) -> None:
    def disk_usage(path: Path) -> SimpleNamespace:
        assert path == tmp_path
        return SimpleNamespace(free=free)

    monkeypatch.setattr(shutil, "disk_usage", disk_usage)

    found = _before(tmp_path / "missing", database_url=None)["disk space"]

    assert found.state is state
    assert f"{free // 1_000_000} MB are free for the embedded database" in found.message


def test_the_disk_of_another_database_is_not_looked_at(tmp_path: Path) -> None:
    assert "disk space" not in _before(tmp_path, database_url="postgresql://user@host/database")


@pytest.mark.parametrize(
    ("name", "mode", "check", "state"),
    [
        ("", 0o700, "data directory", State.OK),
        ("", 0o755, "data directory", State.OK),
        ("", 0o775, "data directory", State.PROBLEM),
        ("encryption.keys", 0o600, "private files", State.OK),
        ("encryption.keys", 0o640, "private files", State.PROBLEM),
        ("admin.token", 0o604, "private files", State.PROBLEM),
    ],
)
def test_files_that_others_may_touch_are_found(
    tmp_path: Path, name: str, mode: int, check: str, state: State
) -> None:
    path = tmp_path / name
    if name:
        path.touch()
    path.chmod(mode)

    found = _before(tmp_path)[check]

    assert found.state is state
    assert state is State.OK or f" {path}" in found.message


@pytest.mark.parametrize("named_by", ["variable", "settings file"])
@pytest.mark.parametrize(
    ("mode", "state"), [(0o600, State.OK), (0o440, State.OK), (0o444, State.WARNING)]
)
def test_a_file_of_a_secret_that_everybody_can_read_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, state: State, named_by: str
) -> None:
    path, settings_file = tmp_path / "url", tmp_path / "keystead.toml"
    path.write_text("postgresql://keystead@db.internal/keystead")
    path.chmod(mode)
    settings_file.write_text(f"database_url_file = '{path}'")
    monkeypatch.delenv("KEYSTEAD_DATABASE_URL", raising=False)
    if named_by == "variable":
        monkeypatch.setenv("KEYSTEAD_DATABASE_URL_FILE", str(path))
    else:
        monkeypatch.setenv("KEYSTEAD_SETTINGS_FILE", str(settings_file))

    found = _before(tmp_path)["secret files"]

    assert found.state is state
    assert state is State.OK or f"Run: chmod o-r {path}" in found.message


@pytest.mark.parametrize(
    ("days", "state", "words"),
    [
        (30, State.OK, "is valid until"),
        (10, State.WARNING, "Renew it"),
        (-1, State.PROBLEM, "expired on"),
        (60, State.PROBLEM, "is valid only from"),
    ],
)
def test_a_certificate_must_be_valid_for_some_time(
    tmp_path: Path, days: int, state: State, words: str
) -> None:
    path = Authority(tmp_path).certificate(days=days).path

    found = _before(tmp_path, tls_certificate_file=path, tls_key_file=path)

    assert found["certificate"].state is state
    assert words in found["certificate"].message
    assert found["plaintext"].message == "Both ports use TLS."
    assert found["link page"].message.startswith("Registration links open https://localhost:8080/")


def test_the_authorities_of_client_certificates_are_looked_at(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    path = authority.certificate().path
    tls = {"tls_certificate_file": path, "tls_key_file": path}

    found = _before(tmp_path, **tls, tls_client_ca_file=authority.ca_file)
    assert found["client CA"].state is State.OK
    found = _before(tmp_path, **tls, tls_client_ca_file=path)
    assert found["client CA"].state is State.PROBLEM
    assert "is no certificate authority" in found["client CA"].message
    expired = Authority(tmp_path, days=-1).ca_file
    found = _before(tmp_path, **tls, tls_client_ca_file=expired)
    assert found["client CA"].state is State.PROBLEM
    assert f"A certificate in {expired} expired on" in found["client CA"].message
    found = _before(tmp_path, **tls, tls_client_ca_file=Authority(tmp_path, days=5).ca_file)
    assert found["client CA"].state is State.WARNING


def test_the_files_of_a_certificate_are_looked_at(tmp_path: Path) -> None:
    path = Authority(tmp_path).certificate().path
    path.chmod(0o644)

    found = _before(tmp_path, tls_certificate_file=tmp_path / "no", tls_key_file=path)

    assert "KEYSTEAD_TLS_CERTIFICATE_FILE" in found["certificate"].message
    assert found["certificate"].state is State.PROBLEM
    assert f"KEYSTEAD_TLS_KEY_FILE is in {path}" in found["secret files"].message


def test_files_that_are_missing_or_closed_to_the_server_are_found(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    closed = facts.File(tmp_path, True, False, False, False, False)

    found = _before(missing, mail_templates_dir=missing)
    seen = replace(
        facts.look_at_files(Settings.model_validate({"data_dir": tmp_path})),
        data_dir=closed,
        key_file=closed,
    )
    settings = Settings.model_validate({"data_dir": tmp_path})

    assert found["data directory"].state is State.WARNING
    assert found["mail templates"].state is State.PROBLEM
    assert found["mail templates"].message == f"KEYSTEAD_MAIL_TEMPLATES_DIR: {missing} is missing."
    for check, words in (
        (checks.data_dir, f"This user cannot write to {tmp_path}"),
        (checks.private_files, "cannot be read by this user"),
    ):
        [wrong] = check(settings, seen)
        assert wrong.state is State.PROBLEM
        assert words in wrong.message


def test_files_in_a_folder_that_this_user_may_not_enter_are_not_called_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stat = Path.stat

    def closed(path: Path, **options: Any) -> os.stat_result:
        if path.parent == tmp_path:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return stat(path, **options)

    monkeypatch.setattr(Path, "stat", closed)  # root may read everything

    found = _before(tmp_path)["private files"]

    assert found.state is State.PROBLEM
    assert "cannot be read by this user" in found.message


@pytest.mark.parametrize("name", ["", "missing/below"])
def test_a_data_directory_that_this_user_may_not_write_to_or_make_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(os, "access", lambda path, _mode: path != tmp_path)

    found = _before(tmp_path / name)["data directory"]

    assert found.state is State.PROBLEM
    assert f"This user cannot write to {tmp_path / name} or create it." in found.message


def test_what_may_be_seen_is_told_to_a_user_who_may_not_see_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(_data_dir: Path) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied", "/the/folder")

    # Root may read everything.
    monkeypatch.setattr(installation, "has_data", closed)
    monkeypatch.setattr(logs, "configure", lambda _settings: None)
    monkeypatch.delenv("KEYSTEAD_DATABASE_URL", raising=False)
    monkeypatch.setenv("KEYSTEAD_DATA_DIR", str(tmp_path))

    ill = CliRunner().invoke(doctor_command)

    assert ill.exit_code == 1
    assert "ok       settings: All are valid." in ill.output
    assert "problem  database: /the/folder: Permission denied. Run this as the user" in ill.output


def test_templates_with_which_the_server_would_not_start_are_found(tmp_path: Path) -> None:
    template = tmp_path / f"{MailKind.PASSKEY_ADDED}.txt"

    template.write_text("{{ passkey_name }}")
    well = _before(tmp_path, mail_templates_dir=tmp_path)["mail templates"]
    template.write_text("{{ no_such_variable }}")
    ill = _before(tmp_path, mail_templates_dir=tmp_path)["mail templates"]

    assert (well.state, ill.state) == (State.OK, State.PROBLEM)
    assert template.name in ill.message
    assert "no_such_variable" in ill.message


async def test_the_command_ends_with_one_on_a_problem_and_with_zero_without(
    instance: Instance,
) -> None:
    well = await process.keystead(
        "doctor", data_dir=instance.data_dir, database_url=instance.dsn, rpid="x"
    )
    ill = await process.keystead(
        "doctor",
        "--json",
        data_dir=instance.data_dir,
        database_url=instance.dsn,
        passkey_page_url="https://example.com",
    )

    assert (well.status, ill.status) == (0, 1)
    assert "warning  settings: KEYSTEAD_RPID is not a setting" in well.output
    found = json.loads(ill.output)["findings"]
    assert [each["check"] for each in found if each["state"] == "problem"] == ["link page"]


async def test_the_command_names_every_wrong_setting(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()

    ill = await process.keystead("doctor", data_dir=file, workers=0, rp_id="https://x", worker=2)

    assert ill.status == 1
    assert [line.split(": ")[1] for line in ill.output.splitlines()] == [
        "KEYSTEAD_DATA_DIR",
        "KEYSTEAD_WORKERS",
        "KEYSTEAD_RP_ID",
        "KEYSTEAD_WORKER is not a setting; did you mean KEYSTEAD_WORKERS?",
    ]


async def test_the_command_makes_no_database_where_there_is_none(tmp_path: Path) -> None:
    ill = await process.keystead("doctor", data_dir=tmp_path)

    assert ill.status == 1
    assert f"problem  database: There is no database in {tmp_path}. " in ill.output
    assert not (tmp_path / "postgres").exists()


class TestSigningKeys:
    async def test_are_well_from_the_start(self, make_instance: MakeInstance) -> None:
        async with make_instance(**_ISSUING) as instance:
            before = await _only(instance, "signing keys", **_ISSUING)
            await _sql(instance, _A_MONTH_LATER)
            await process.keystead(
                "rotate-signing-key", data_dir=instance.data_dir, database_url=instance.dsn
            )
            published = await _only(instance, "signing keys", **_ISSUING)

        assert (before.state, published.state) == (State.OK, State.OK)
        assert before.message.startswith("The next one is published on ")
        assert published.message.startswith("The next one signs from ")

    async def test_are_not_asked_for_without_an_audience(self, own_instance: Instance) -> None:
        findings = await _findings(own_instance)

        assert not any(each.check == "signing keys" for each in findings)

    @pytest.mark.parametrize(
        ("statement", "remedy"),
        [
            ("delete from signing_keys", "Start the server"),
            (
                "update signing_keys set signs_at = signs_at - interval '31 days'",
                "keystead rotate-signing-key",
            ),
            (
                "update signing_keys set signs_at = signs_at + interval '1 hour'",
                "Synchronize it by NTP",
            ),
        ],
    )
    async def test_that_are_missing_overdue_or_early_are_a_warning(
        self, make_instance: MakeInstance, statement: str, remedy: str
    ) -> None:
        async with make_instance(**_ISSUING) as instance:
            await _sql(instance, statement)
            found = await _only(instance, "signing keys", **_ISSUING)

        assert found.state is State.WARNING
        assert remedy in found.message

    async def test_that_cannot_be_read_are_a_problem_with_its_remedy(
        self, make_instance: MakeInstance
    ) -> None:
        async with make_instance(**_ISSUING) as instance:
            await _sql(instance, "update secrets set ciphertext = '\\x00'")
            found = await _only(instance, "stored secrets", **_ISSUING)

        assert found.state is State.PROBLEM
        assert "The signing key " in found.message
        assert "keystead rotate-signing-key --now" in found.message
