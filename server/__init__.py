"""Keystead: an identity management service. See ARCHITECTURE.md for the map."""

import os

# gRPC's fork handlers would run between fork and exec of the programs that start and stop
# PostgreSQL, and sometimes crash there. It reads this when it is imported.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "false")
