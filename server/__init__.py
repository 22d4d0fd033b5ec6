"""Keystead: an identity management service. See ARCHITECTURE.md for the map."""

import os

# gRPC's fork handlers would run between fork and exec of the programs that start and stop
# PostgreSQL, and sometimes crash there. It reads this when it is imported.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "false")
# At any other level gRPC writes lines to standard error that every client can cause, without limit
# and with text of its own in them (the debug data of a GOAWAY frame). See decision 8.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
# gRPC reads connections in the thread that waits for their calls, and not in a pool of threads that
# pass every call on. See decision 8.
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_listener")
