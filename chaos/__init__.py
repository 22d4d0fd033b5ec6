"""What the service survives: faults in the middle of a load, and what callers see of them.

`python -m chaos` starts PostgreSQL and the server as a user runs it, each a process of its own,
lets callers write over gRPC, grpc-web and JSON at once, does something terrible, and prints what
was done, what was seen and which promises were kept. `scenarios/` has one file a fault;
chaos/test_chaos.py runs them all with small numbers.

The rule: a promise is about outcomes and their order, never about how long something took. Times
and sizes are printed for people to judge.
"""

import server  # noqa: F401 -- before grpc, which then leaves forks alone
