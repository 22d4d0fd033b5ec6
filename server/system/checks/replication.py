"""Replication: whether acknowledged writes survive a crash and a failover."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from server.settings.settings import Settings
from server.settings.sources import PREFIX
from server.store.database import Statements
from server.store.rows import from_row
from server.store.statement import statement
from server.system.checks.findings import Finding, ok, problem, warning

# The settings of PostgreSQL for replication, and whether its Patroni is older than 3.2: newer ones
# name their sessions "Patroni heartbeat" and "Patroni restapi".
_REPLICATION = statement("""
select current_setting('synchronous_commit') as synchronous_commit,
    current_setting('synchronous_standby_names') as synchronous_standby_names,
    exists (
        select from pg_stat_activity where application_name = 'Patroni'
    ) as has_old_patroni""")


@dataclass(frozen=True, slots=True)
class Replication:
    """Facts about the durability of acknowledged writes."""

    synchronous_commit: str
    synchronous_standby_names: str
    has_old_patroni: bool


async def check(settings: Settings, database: Statements) -> list[Finding]:
    """The durability of writes, and the release of Patroni."""
    how = from_row(Replication, await database.fetch_one(_REPLICATION))
    return [*writes(settings, how), *_patroni(how)]


def writes(settings: Settings, how: Replication) -> list[Finding]:
    """Whether PostgreSQL keeps acknowledged writes after a crash and a failover."""
    if how.synchronous_commit == "off":
        return problem(
            "writes",
            "synchronous_commit is off: a crash loses writes that were acknowledged.",
            "Set it to on.",
        )
    url = settings.database_url.get_secret_value() if settings.database_url else ""
    has_hosts = "," in urlsplit(url).netloc.rpartition("@")[2]
    if not how.synchronous_standby_names:
        if has_hosts:
            return warning(
                "writes",
                f"{PREFIX}DATABASE_URL names several hosts, but synchronous_standby_names is empty:"
                " a failover loses writes that were acknowledged.",
                "With Patroni, set synchronous_mode and synchronous_mode_strict.",
            )
        return ok("writes", "They are on disk when they are acknowledged.")
    if how.synchronous_commit == "local":
        return problem(
            "writes",
            "synchronous_commit is local: it waits for no standby, so a failover loses writes that"
            " were acknowledged.",
            "Set it to on.",
        )
    return ok("writes", "A synchronous standby has them when they are acknowledged.")


def _patroni(how: Replication) -> list[Finding]:
    """Up to Patroni 3.0.2, synchronous replication does not keep acknowledged writes."""
    if not how.has_old_patroni:
        return []
    return warning(
        "Patroni",
        "The Patroni of this PostgreSQL is older than 3.2; `patronictl version` shows its version."
        " Up to 3.0.2 with etcd's API v3, a leader that was frozen takes its lock back, and writes"
        " that its successor has acknowledged are lost.",
        "Upgrade Patroni to 3.2 or newer.",
    )
