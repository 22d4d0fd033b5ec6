"""Fault injection under load.

`python -m chaos` starts PostgreSQL and the server as separate processes, lets callers write over
gRPC, grpc-web and JSON, injects a fault, and prints the steps, the observations and the kept and
broken promises. `scenarios/` has one file per fault; chaos/test_chaos.py runs all of them with
small numbers.

The rule: promises are about outcomes and their order, never about durations. Times and sizes are
printed for people to judge.
"""

import server  # noqa: F401 -- before grpc, which then leaves forks alone
