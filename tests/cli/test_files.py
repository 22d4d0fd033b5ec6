"""`keystead files`: the files of a release for an installation."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from server.cli import files as command
from server.cli import keystead

_ROOT = Path(__file__).parents[2]


def _write(directory: Path) -> list[str]:
    result = CliRunner().invoke(keystead, ["files", str(directory)])
    assert result.exit_code == 0
    first, *written = result.output.splitlines()
    assert first == f"{len(written)} files written to {directory}:"
    return [line.strip() for line in written]


def test_the_files_of_a_checkout_are_written(tmp_path: Path) -> None:
    made = tmp_path / "new" / "files"

    written = _write(made)
    again = _write(made)

    assert again == written
    assert sorted(written) == sorted(
        str(path.relative_to(made)) for path in made.rglob("*") if path.is_file()
    )
    for name in (
        "deploy/systemd/keystead.service",
        "deploy/requirements.lock",
        "requirements.lock",
    ):
        assert (made / name).read_bytes() == (_ROOT / name).read_bytes()
    page = made / "man" / "man1" / "keystead.1"
    assert page.read_bytes() == (_ROOT / "docs" / "man" / "keystead.1").read_bytes()
    deployed = {str(path.relative_to(_ROOT)) for path in (_ROOT / "deploy").rglob("*.*")}
    assert deployed <= set(written)


def test_the_files_of_a_wheel_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = tmp_path / "release"
    (release / "deploy" / "systemd").mkdir(parents=True)
    (release / "deploy" / "systemd" / "keystead.service").write_text("of the wheel")
    (release / "requirements.lock").write_text("of the wheel")
    monkeypatch.setattr(command, "_RELEASE", release)

    written = _write(tmp_path / "made")

    assert written == ["deploy/systemd/keystead.service", "requirements.lock"]
    assert (tmp_path / "made" / "requirements.lock").read_text() == "of the wheel"


def test_the_files_are_those_of_the_table_for_operators(tmp_path: Path) -> None:
    page = (_ROOT / "docs" / "operating.md").read_text()
    [table] = re.findall(r"\| file in `keystead-files` .*?\n\n", page, re.DOTALL)
    rows = [line.split("|")[1] for line in table.splitlines()[2:-1]]
    named = [name for row in rows for name in re.findall("`(.+?)`", row)]

    places = {
        next((name for name in named if f"{file}/".startswith(name.rstrip("/") + "/")), file)
        for file in _write(tmp_path)
    }

    assert sorted(places) == sorted(named)


def test_a_directory_that_cannot_be_made_is_an_error_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    result = CliRunner().invoke(keystead, ["files", str(tmp_path / "file" / "files")])

    assert result.exit_code == 1
    assert "The files cannot be written to" in str(result.exception)
