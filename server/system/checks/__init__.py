"""Checks of an installation that a running server can make, too.

Each file is one subject: it reads files, or asks the stores of features, and then judges these
facts by pure functions. `findings.py` has the results.

The rule: a check reads, is fast however many users there are, and asks no other server than the
database. Other checks belong to `server/operate/doctor`. A finding that is not ok includes a
remedy. Its sentences are in `reasons.py`, unless they are the text of an error or a guess. No
finding shows a secret or names a user.
"""

from collections.abc import Sequence

from server.settings.settings import Settings
from server.store.database import Statements
from server.system.checks import (
    administrators,
    event_log,
    files,
    mail,
    postgresql,
    pushes,
    relying_party,
    replication,
    servers,
    signing_keys,
    tls,
)
from server.system.checks.findings import Finding, State
from server.system.checks.reasons import FindingReason, found


def of_settings(settings: Settings, unknown_variables: Sequence[str]) -> list[Finding]:
    """The findings about the settings and the files that they name."""
    return [
        *(of_unknown(unknown_variables) or found(FindingReason.SETTINGS_VALID)),
        *relying_party.check(settings),
        *tls.check(settings),
        *files.check(settings),
    ]


def of_unknown(variables: Sequence[str]) -> list[Finding]:
    """Warns of unknown variables, which are probably misspelled settings."""
    return [Finding("settings", State.WARNING, sentence) for sentence in variables]


async def of_database(settings: Settings, database: Statements) -> list[Finding]:
    """The findings about PostgreSQL and its contents."""
    return [
        *await postgresql.check(settings, database),
        *await replication.check(settings, database),
        *await servers.check(settings, database),
        *await signing_keys.check(settings, database),
        *await administrators.check(database),
        *await mail.check(database),
        *await pushes.check(database),
        *await event_log.check(settings, database),
    ]
