"""`keystead files`."""

import shutil
from pathlib import Path
from typing import Final

import click

import server
from server.values.counted import counted
from server.values.errors import OperatorError

_SERVER: Final = Path(server.__file__).parent
# In a wheel (`pyproject.toml`). A checkout has the files in other places.
_RELEASE: Final = _SERVER / "release"
_IN_CHECKOUT: Final = {
    "deploy": "deploy",
    "docs/haproxy.cfg": "docs/haproxy.cfg",
    "man/man1/keystead.1": "docs/man/keystead.1",
    "requirements.lock": "requirements.lock",
}


@click.command("files")
@click.argument(
    "directory",
    type=click.Path(path_type=Path),
    help="Directory to write to; created if it does not exist.",
)
def files(directory: Path) -> None:
    """Write the files of this release for an installation to a directory.

    These are the locks of the dependencies, the systemd unit, the files for Compose, Kubernetes and
    Prometheus, and the manual page. Existing files of the same names are replaced.
    """
    found = _files()
    try:
        for name, source in found.items():
            target = directory / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    except OSError as error:
        raise OperatorError(
            f"The files cannot be written to {directory}: {error.strerror}."
            " Choose a directory that this user can write to."
        ) from error
    click.echo(f"{counted(len(found), 'file')} written to {directory}:")
    for name in found:
        click.echo(f"  {name}")


def _files() -> dict[str, Path]:
    """The files, by their paths in the directory."""
    places = {name: _RELEASE / name for name in _IN_CHECKOUT}
    if not _RELEASE.exists():
        places = {name: _SERVER.parent / path for name, path in _IN_CHECKOUT.items()}
    return {
        str(Path(name) / path.relative_to(place)): path
        for name, place in places.items()
        for path in ([place] if place.is_file() else sorted(place.rglob("*")))
        if path.is_file()
    }
