"""`keystead files` and `keystead schema`: the files of this release, without a checkout."""

from collections.abc import Mapping
from importlib.resources import files as resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

import click

import server
from server.values.counted import counted
from server.values.errors import OperatorError

# A checkout, or the `site-packages` of a wheel.
_ROOT: Final = Path(server.__file__).parents[1]
# In a wheel (`pyproject.toml`). A checkout has the files in other places.
_RELEASE: Final = _ROOT / "keystead_release"
_IN_CHECKOUT: Final = {
    "completion": "docs/completion",
    "deploy": "deploy",
    "docs/haproxy.cfg": "docs/haproxy.cfg",
    "man/man1/keystead.1": "docs/man/keystead.1",
    "requirements.lock": "requirements.lock",
}
# Errors consist of google/rpc; the files of Keystead import google/api. Every generator includes
# google/protobuf.
_IMPORTED: Final = (
    *(f"google/api/{name}.proto" for name in ("annotations", "field_behavior", "http")),
    *(f"google/rpc/{name}.proto" for name in ("code", "error_details", "status")),
)

_directory_argument: Final = click.argument(
    "directory",
    type=click.Path(path_type=Path),
    help="Directory to write to; created if it does not exist.",
)


@click.command("files")
@_directory_argument
def files(directory: Path) -> None:
    """Write the files of this release for an installation to a directory.

    These are the locks of the dependencies, the systemd unit, the files for Compose, Kubernetes and
    Prometheus, the configurations of proxies for the gate, the manual page, and the completion
    scripts. Existing files of the same names are replaced.
    """
    found = _files()
    _write("files", found, directory)
    click.echo(f"{counted(len(found), 'file')} written to {directory}:")
    for name in found:
        click.echo(f"  {name}")


@click.command("schema")
@_directory_argument
def schema(directory: Path) -> None:
    """Write the .proto files of the API and their imports to a directory.

    buf, protoc and grpcurl need no other files. Existing files of the same names are replaced.
    """
    google = resources("google")
    protos = {name: google.joinpath(name.removeprefix("google/")) for name in _IMPORTED}
    protos |= _protos(resources("keystead"), "keystead")
    _write("schema", protos, directory)
    click.echo(f"{counted(len(protos), 'file')} written to {directory}.")


def _files() -> dict[str, Path]:
    """The files, by their paths in the directory."""
    places = {name: _RELEASE / name for name in _IN_CHECKOUT}
    if not _RELEASE.exists():
        places = {name: _ROOT / path for name, path in _IN_CHECKOUT.items()}
    return {
        str(Path(name) / path.relative_to(place)): path
        for name, place in places.items()
        for path in ([place] if place.is_file() else sorted(place.rglob("*")))
        if path.is_file()
    }


def _protos(folder: Traversable, path: str) -> dict[str, Traversable]:
    """The .proto files in a folder and its folders, by their paths."""
    found = dict[str, Traversable]()
    for each in folder.iterdir():
        if each.is_dir():
            found |= _protos(each, f"{path}/{each.name}")
        elif each.name.endswith(".proto"):
            found[f"{path}/{each.name}"] = each
    return found


def _write(subject: str, contents: Mapping[str, Traversable], directory: Path) -> None:
    """Writes the files, given by their paths in the directory."""
    try:
        for name, source in contents.items():
            target = directory / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    except OSError as error:
        raise OperatorError(
            f"The {subject} cannot be written to {directory}: {error.strerror}."
            " Choose a directory that this user can write to."
        ) from error
