"""The release of this process, and the time at which it imported this module."""

import json
import platform
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import distribution
from typing import Final, NamedTuple

STARTED_AT: Final = datetime.now(UTC)


class Release(NamedTuple):
    """The release of Keystead. `commit` is empty unless pip installed it from a repository."""

    version: str
    commit: str
    python_version: str


@cache
def release() -> Release:
    """The release of this process."""
    installed = distribution("keystead")
    origin = json.loads(installed.read_text("direct_url.json") or "{}")
    commit = origin.get("vcs_info", {}).get("commit_id", "")
    return Release(installed.version, commit, platform.python_version())
