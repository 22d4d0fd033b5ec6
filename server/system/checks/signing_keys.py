"""The keys that sign JWTs, and their schedules."""

from datetime import datetime, timedelta
from typing import Final

from server.settings.settings import Settings
from server.signing import store as signing_store
from server.signing.schedule import Schedule
from server.store.database import Statements
from server.system.checks.findings import Finding
from server.system.checks.reasons import FindingReason, found

# Maximum delay of the publication of the next key. A server publishes a due key within ten minutes.
_OVERDUE: Final = timedelta(hours=1)


async def check(settings: Settings, database: Statements) -> list[Finding]:
    """A server makes the first keys at its start, and publishes the next ones in time."""
    schedules, _ = await signing_store.get(database)
    return [
        found for algorithm, schedule in schedules.items() for found in _judged(algorithm, schedule)
    ]


def _judged(algorithm: str, schedule: Schedule) -> list[Finding]:
    current = schedule.current
    if current is None:
        return found(FindingReason.SIGNING_KEY_NONE, algorithm=algorithm)
    if current.signs_at > schedule.now:
        return found(
            FindingReason.SIGNING_KEY_FUTURE, algorithm=algorithm, time=_minute(current.signs_at)
        )
    if schedule.rotates_at is not None and schedule.rotates_at + _OVERDUE < schedule.now:
        return found(
            FindingReason.SIGNING_KEY_OVERDUE,
            algorithm=algorithm,
            time=_minute(schedule.rotates_at),
        )
    if schedule.next is not None:
        return found(
            FindingReason.SIGNING_KEY_NEXT,
            algorithm=algorithm,
            time=_minute(schedule.next.signs_at),
        )
    return found(
        FindingReason.SIGNING_KEY, algorithm=algorithm, date=f"{schedule.rotates_at:%Y-%m-%d}"
    )


def _minute(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M}"
