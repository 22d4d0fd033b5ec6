"""`keystead doctor` on a sound installation and on an invalid one."""

import errno
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from server.cli import installation, keystead
from server.system.checks.findings import State
from server.telemetry import logs
from tests.conftest import Installation, MakeInstance
from tests.operate.doctor.installation import (
    enqueue,
    findings_of,
)
from tests.passkey.ceremonies import register
from tests.support import given, process
from tests.support.given import Instance


async def test_a_new_installation_lacks_nothing_but_a_mail_server(
    installation: Installation,
) -> None:
    findings = await findings_of(installation)

    assert [each.check for each in findings if each.state is not State.OK] == ["mail"]
    assert {each.check for each in findings} >= {
        "relying party",
        "link page",
        "data directory",
        "secret files",
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


async def test_with_a_passkey_and_a_mail_it_is_still_well(make_instance: MakeInstance) -> None:
    async with make_instance() as instance:
        await register(await given.user(instance.admin))
        await instance.admin.call(instance.admin.smtp.AddSMTPConfig, given.smtp_config())
    await enqueue(instance)  # and no process tries it any more

    findings = await findings_of(instance)

    assert [each for each in findings if each.state is not State.OK] == []
    assert not any("mail-password" in each.message for each in findings)


async def test_the_command_ends_with_one_on_a_problem_and_with_zero_without(
    own_instance: Instance,
) -> None:
    well = await process.keystead(
        "doctor", data_dir=own_instance.data_dir, database_url=own_instance.dsn, rpid="x"
    )
    ill = await process.keystead(
        "doctor",
        "--json",
        data_dir=own_instance.data_dir,
        database_url=own_instance.dsn,
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


def test_what_may_be_seen_is_told_to_a_user_who_may_not_see_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(_data_dir: Path) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied", "/the/folder")

    # Root may read everything.
    monkeypatch.setattr(installation, "has_data", closed)
    monkeypatch.setattr(logs, "configure", lambda *_, **__: None)
    monkeypatch.delenv("KEYSTEAD_DATABASE_URL", raising=False)
    monkeypatch.setenv("KEYSTEAD_DATA_DIR", str(tmp_path))

    ill = CliRunner().invoke(keystead, ["doctor"])

    assert ill.exit_code == 1
    assert "ok       settings: All are valid." in ill.output
    assert "problem  database: /the/folder: Permission denied. Run this as the user" in ill.output
