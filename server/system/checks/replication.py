"""Replication: whether acknowledged writes survive a crash and a failover."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from server.settings.settings import Settings
from server.store.database import Statements
from server.store.rows import from_row
from server.store.statement import statement
from server.system.checks.findings import Finding
from server.system.checks.reasons import FindingReason, found

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
        return found(FindingReason.COMMIT_OFF)
    url = settings.database_url.get_secret_value() if settings.database_url else ""
    has_hosts = "," in urlsplit(url).netloc.rpartition("@")[2]
    if not how.synchronous_standby_names:
        if has_hosts:
            return found(FindingReason.NO_SYNCHRONOUS_STANDBY)
        return found(FindingReason.WRITES_ON_DISK)
    if how.synchronous_commit == "local":
        return found(FindingReason.COMMIT_LOCAL)
    return found(FindingReason.WRITES_ON_STANDBY)


def _patroni(how: Replication) -> list[Finding]:
    """Up to Patroni 3.0.2, synchronous replication does not keep acknowledged writes."""
    if not how.has_old_patroni:
        return []
    return found(FindingReason.PATRONI_OLD)
