"""The state of an import, beside its file, so that an import that was ended goes on."""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Self

import click

_FIRST_BYTES: Final = 65_536


@dataclass(slots=True)
class ImportProgress:
    """How far an import is: bytes and lines of its file, results, and bytes of refused users."""

    organization_id: str
    digest: str
    offset: int = 0
    lines: int = 0
    imported: int = 0
    same: int = 0
    refused: int = 0
    refused_bytes: int = 0

    @classmethod
    def of(cls, path: Path, organization_id: str) -> Self:
        """The state of the import of a file, which may have begun before."""
        with path.open("rb") as file:
            digest = hashlib.sha256(file.read(_FIRST_BYTES)).hexdigest()
        try:
            found = cls(**json.loads(_place(path).read_text()))
        except FileNotFoundError:
            _check_refused(refused_path(path), path)
            return cls(organization_id, digest)
        except (ValueError, TypeError):
            raise _unreadable(path) from None
        if (found.organization_id, found.digest) != (organization_id, digest):
            raise _unreadable(path)
        return found

    def store(self, path: Path) -> None:
        """Writes the state as a whole, or not at all."""
        temporary = _place(path).with_suffix(".new")
        temporary.touch(mode=0o600)
        temporary.write_text(json.dumps(asdict(self)))
        temporary.replace(_place(path))


def forget(path: Path) -> None:
    """Removes the state of an import that is complete."""
    _place(path).unlink(missing_ok=True)


def refused_path(path: Path) -> Path:
    """The file of the refused users."""
    return path.with_name(f"{path.name}.refused")


def _place(path: Path) -> Path:
    return path.with_name(f"{path.name}.state")


def _check_refused(refused: Path, path: Path) -> None:
    """Keeps the corrections of another import. `ClickException`."""
    if refused.exists() and refused.stat().st_size:
        raise click.ClickException(
            f"{refused} has the users whom an import of this file refused. Correct them there, and"
            f" import that file; or remove it to import {path} again."
        )


def _unreadable(path: Path) -> click.ClickException:
    return click.ClickException(
        f"{_place(path)} is the state of another import. Remove it to import the file from its"
        " beginning; users who were imported stay as they are."
    )
