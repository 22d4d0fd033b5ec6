"""The modules of the `keystead` command, imported once by the process that `forked` forks."""

from server.cli import COMMANDS, imported
from server.process.garbage import without_collection

with without_collection():
    import server.app
    from tests.support import preparing
    from tests.support.rsa_keys import rsa_key

    for command in COMMANDS:
        imported(command)

server.app.prepare = preparing.prepare
rsa_key("of servers")  # once for all forked servers
