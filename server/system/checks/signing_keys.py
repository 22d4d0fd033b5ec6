"""The keys that sign JWTs, and their schedules."""

from datetime import timedelta
from typing import Final

from server.settings.settings import Settings
from server.signing import store as signing_store
from server.signing.schedule import Schedule
from server.store.database import Statements
from server.system.checks.findings import Finding, ok, warning

# Maximum delay of the publication of the next key. A server publishes a due key within ten minutes.
_OVERDUE: Final = timedelta(hours=1)


async def check(settings: Settings, database: Statements) -> list[Finding]:
    """A server makes the first keys at its start, and publishes the next ones in time."""
    schedules, _ = await signing_store.get(database)
    return [
        found
        for algorithm, schedule in schedules.items()
        for found in _judged(f"{algorithm} signing keys", schedule)
    ]


def _judged(check: str, schedule: Schedule) -> list[Finding]:
    current = schedule.current
    if current is None:
        return warning(
            check,
            "There is none to sign JWTs.",
            "Start the server, which adds one as soon as no server of an earlier release runs.",
        )
    if current.signs_at > schedule.now:
        return warning(
            check,
            f"The only due key signs from {current.signs_at:%Y-%m-%d %H:%M} UTC, which is in the"
            " future: the clock of the database is or was wrong.",
            "Synchronize it by NTP.",
        )
    if schedule.rotates_at is not None and schedule.rotates_at + _OVERDUE < schedule.now:
        return warning(
            check,
            f"The next one is overdue since {schedule.rotates_at:%Y-%m-%d %H:%M} UTC.",
            "Check that a server runs and read its log, or run: keystead rotate-signing-key",
        )
    if schedule.next is not None:
        return ok(check, f"The next one signs from {schedule.next.signs_at:%Y-%m-%d %H:%M} UTC.")
    return ok(check, f"The next one is published on {schedule.rotates_at:%Y-%m-%d}.")
