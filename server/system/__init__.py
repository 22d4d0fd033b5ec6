"""The state of the running system: its findings, keys, settings and queues.

RPCs: GetSystem. `checks` has the checks that `keystead doctor` shares with a running server.

The rule: no secret leaves this package, a call asks no other server than the database, and takes no
lock. What is read is remembered for some seconds, so callers cannot load the database with it.
"""
