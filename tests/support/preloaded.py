"""The modules of the `keystead` command, imported once by the process that `forked` forks."""

from server.cli import COMMANDS, imported
from server.process.garbage import without_collection

with without_collection():
    import server.app  # noqa: F401

    for command in COMMANDS:
        imported(command)
