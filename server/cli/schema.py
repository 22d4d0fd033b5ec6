"""`keystead schema`."""

from importlib.resources import files
from pathlib import Path
from typing import Final

import click

from server.values.errors import OperatorError

# google/rpc is what errors consist of, google/api what the files of Keystead import. Those of
# google/protobuf come with every generator.
_FILES: Final = {
    "google/api": ("annotations", "field_behavior", "http"),
    "google/rpc": ("code", "error_details", "status"),
    "keystead/common/v1": ("details",),
    "keystead/idp/v1": ("identity_provider_service",),
    "keystead/mail/v1": ("mail_service",),
    "keystead/options/v1": ("options",),
    "keystead/org/v1": ("organization_service",),
    "keystead/passkey/v1": ("passkey_service",),
    "keystead/smtp/v1": ("smtp_service",),
    "keystead/user/v1": ("user_service",),
}


@click.command("schema")
@click.argument(
    "directory",
    type=click.Path(path_type=Path),
    help="Where to write them; it is made if it is missing.",
)
def schema(directory: Path) -> None:
    """Write the .proto files of the API, and those they import, into a directory.

    buf, protoc and grpcurl need nothing else. Files of the same names are replaced.
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
            f"The schema cannot be written to {directory}: {error}. Name a directory that this user"
            " may write to."
        ) from error
