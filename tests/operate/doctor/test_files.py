"""The data directory, its disk, and the permissions of files with secrets."""

import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from server.system.checks.findings import State
from tests.operate.doctor.installation import before_database


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

    found = before_database(tmp_path / "missing", database_url=None)["disk space"]

    assert found.state is state
    assert f"{free // 1_000_000} MB are free for the embedded database" in found.message


def test_the_disk_of_another_database_is_not_looked_at(tmp_path: Path) -> None:
    assert "disk space" not in before_database(
        tmp_path, database_url="postgresql://user@host/database"
    )


@pytest.mark.parametrize(
    ("name", "mode", "check", "state"),
    [
        ("", 0o700, "data directory", State.OK),
        ("", 0o755, "data directory", State.OK),
        ("", 0o775, "data directory", State.PROBLEM),
        ("admin.token", 0o600, "secret files", State.OK),
        ("admin.token", 0o604, "secret files", State.WARNING),
    ],
)
def test_files_that_others_may_touch_are_found(
    tmp_path: Path, name: str, mode: int, check: str, state: State
) -> None:
    path = tmp_path / name
    if name:
        path.touch()
    path.chmod(mode)

    found = before_database(tmp_path)[check]

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

    found = before_database(tmp_path)["secret files"]

    assert found.state is state
    assert state is State.OK or f"Run: chmod o-r {path}" in found.message


def test_a_data_directory_that_is_missing_is_made_by_the_server(tmp_path: Path) -> None:
    found = before_database(tmp_path / "missing")["data directory"]

    assert found.state is State.WARNING
    assert "the server creates it" in found.message


@pytest.mark.parametrize("name", ["", "missing/below"])
def test_a_data_directory_that_this_user_may_not_write_to_or_make_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(os, "access", lambda path, _mode: path != tmp_path)

    found = before_database(tmp_path / name)["data directory"]

    assert found.state is State.PROBLEM
    assert f"This user cannot write to {tmp_path / name} or create it." in found.message
