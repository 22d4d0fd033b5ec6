"""`keystead schema`: the .proto files for clients in other languages."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from server.cli import keystead
from server.values.errors import OperatorError

_PROTOS = Path(__file__).parents[2] / "protos"
_BUF = Path(sys.executable).parent / "buf"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """The directory that the command has created."""
    made = tmp_path / "new" / "schema"
    assert CliRunner().invoke(keystead, ["schema", str(made)]).exit_code == 0
    return made


def _contents(folder: Path, pattern: str) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.glob(pattern)
        if file.suffix == ".proto"
    }


def test_the_directory_has_every_file_of_the_api(directory: Path) -> None:
    assert _contents(directory, "keystead/**/*") == _contents(_PROTOS, "keystead/**/*")


def test_nothing_else_is_needed_to_build_it(directory: Path, tmp_path: Path) -> None:
    subprocess.run(
        [_BUF, "build", directory, "-o", tmp_path / "schema.binpb"],
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PATH": ""},
        check=True,
    )

    assert (tmp_path / "schema.binpb").stat().st_size > 0


def test_a_directory_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    result = CliRunner().invoke(keystead, ["schema", str(tmp_path / "file" / "schema")])

    assert isinstance(result.exception, OperatorError)
    assert "Choose a directory that this user can write to." in str(result.exception)
