"""Files that commands write, and that other users of the machine must not read."""

from pathlib import Path
from typing import Any

import click


class PrivateFile(click.File):
    """The parameter of a file of secrets or personal data: it gets the mode 0600."""

    def __init__(self) -> None:
        super().__init__("w", encoding="utf-8")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        file = super().convert(value, param, ctx)
        if value != "-" and not (ctx and ctx.resilient_parsing):  # a shell completes words
            try:
                path = Path(value)
                path.touch(mode=0o600)
                if path.is_file():  # not a device
                    path.chmod(0o600)
            except OSError as error:
                self.fail(f"{value} cannot be written: {error.strerror}.", param, ctx)
        return file
