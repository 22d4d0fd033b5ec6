"""The account that runs PostgreSQL if this process is root: PostgreSQL refuses to run as root."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path


def as_account() -> Sequence[str]:
    """The beginning of a command line that runs a program as that account, if it needs one.

    The capability lets it read the virtual environment in any directory.
    """
    if os.geteuid() != 0:
        return ()
    capability = "-all,+dac_override"
    return (
        *("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"),
        *(f"--inh-caps={capability}", f"--ambient-caps={capability}"),
    )


def made_folder(path: Path) -> Path:
    """Creates a directory of that account."""
    path.mkdir(mode=0o755)
    if os.geteuid() == 0:
        shutil.chown(path, "nobody", "nogroup")
    return path
