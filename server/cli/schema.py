"""`keystead schema`."""

from importlib.resources import files
from pathlib import Path
from typing import Final

import click

from server.values.counted import counted
from server.values.errors import OperatorError

# Errors consist of google/rpc; the files of Keystead import google/api. Every generator includes
# google/protobuf.
_FILES: Final = {
    "google/api": ("annotations", "field_behavior", "http"),
    "google/rpc": ("code", "error_details", "status"),
    "keystead/common/v1": ("details",),
    "keystead/event/v1": ("event_service",),
    "keystead/idp/v1": ("identity_provider_service", "oidc_config_service"),
    "keystead/mail/v1": ("mail_service",),
    "keystead/options/v1": ("options",),
    "keystead/org/v1": ("organization_service",),
    "keystead/passkey/v1": ("passkey_service",),
    "keystead/session/v1": ("session_service",),
    "keystead/signin/v1": ("signin_service",),
    "keystead/smtp/v1": ("smtp_service",),
    "keystead/user/v1": ("idp_link_service", "user_service"),
}


@click.command("schema")
@click.argument(
    "directory",
    type=click.Path(path_type=Path),
    help="Directory to write to; created if it does not exist.",
)
def schema(directory: Path) -> None:
    """Write the .proto files of the API and their imports to a directory.

    buf, protoc and grpcurl need no other files. Existing files of the same names are replaced.
    """
    try:
        for folder, names in _FILES.items():
            (directory / folder).mkdir(parents=True, exist_ok=True)
            source = files(folder.replace("/", "."))
            for name in names:
                text = source.joinpath(f"{name}.proto").read_bytes()
                (directory / folder / f"{name}.proto").write_bytes(text)
    except OSError as error:
        raise OperatorError(
            f"The schema cannot be written to {directory}: {error.strerror}."
            " Choose a directory that this user can write to."
        ) from error
    number = sum(map(len, _FILES.values()))
    click.echo(f"{counted(number, 'file')} written to {directory}.")
