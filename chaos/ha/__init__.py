"""Faults of a PostgreSQL cluster under load: Patroni, etcd, and two servers of Keystead.

`python -m chaos.ha` starts etcd, three PostgreSQL nodes under Patroni with synchronous replication,
and two servers of Keystead. One connects by a URL of several hosts, the other through haproxy.
`faults.py` removes the leader in five ways.

The rule: no acknowledged write is lost, none is made twice, and no server is restarted. Times
without service are printed for people to judge; Patroni causes most of each.
"""

import server  # noqa: F401 -- before grpc, which then leaves forks alone
