"""`keystead doctor`: checks a configured installation for problems.

`facts.py` reads files and the database once, and changes nothing. Each check in `checks.py` is a
pure function of the facts.

The rule: a finding that is not ok includes a remedy. No finding shows a secret or names a user.
"""

from collections.abc import Sequence

from server.operate.doctor import checks, facts
from server.operate.doctor.checks import Finding, State
from server.settings.problems import InvalidSettingsError
from server.settings.settings import Settings
from server.store.database import Database, connected
from server.store.schema import require_current
from server.values.errors import Failure, OperatorError

__all__ = [
    "Finding",
    "State",
    "before_database",
    "certificates",
    "database_problem",
    "examine",
    "settings_problems",
    "stranded",
]


def settings_problems(
    error: InvalidSettingsError, unknown_variables: Sequence[str]
) -> list[Finding]:
    """The findings if the settings are invalid; nothing else can be checked then."""
    problems = [Finding("settings", State.PROBLEM, problem) for problem in error.problems]
    return problems + checks.unknown_variables(unknown_variables)


def database_problem(message: str) -> Finding:
    """The finding if the database cannot be read."""
    return Finding("database", State.PROBLEM, message)


def before_database(settings: Settings, unknown_variables: Sequence[str]) -> list[Finding]:
    """The findings about the settings and the data directory."""
    seen = facts.look_at_files(settings)
    return [
        *checks.settings(unknown_variables),
        *(finding for check in checks.OF_SETTINGS for finding in check(settings)),
        *(finding for check in checks.OF_FILES for finding in check(settings, seen)),
    ]


def certificates(settings: Settings) -> list[Finding]:
    """The findings about the files of the configured certificates."""
    seen = facts.look_at_files(settings)
    findings = [*checks.certificate(settings, seen), *checks.client_authorities(settings, seen)]
    return [finding for finding in findings if finding.state is not State.OK]


async def examine(settings: Settings, dsn: str, *, smtp: bool = False) -> list[Finding]:
    """The findings about the database and, with `smtp`, the SMTP server, which is contacted."""
    try:
        async with connected(dsn, pool_size=1) as database:
            await require_current(database)
            return await _examine(settings, database, smtp=smtp)
    except Failure as failure:
        return [database_problem(f"{failure.message} {failure.log_detail}")]
    except OperatorError as error:
        return [database_problem(str(error))]


async def _examine(settings: Settings, database: Database, *, smtp: bool) -> list[Finding]:
    seen = await facts.look_at_database(settings, database)
    findings = [finding for check in checks.OF_DATABASE for finding in check(settings, seen)]
    if not smtp or not seen.has_smtp or seen.keys_problem or seen.secrets_problems:
        return findings
    return findings + checks.smtp_steps(await facts.try_smtp(settings, database))


async def stranded(settings: Settings, database: Database) -> list[Finding]:
    """The findings about passkeys that the relying party settings make unusable."""
    passkeys = await facts.look_at_passkeys(settings, database)
    findings = [*checks.rp_id(settings, passkeys), *checks.user_verification(settings, passkeys)]
    return [finding for finding in findings if finding.state is not State.OK]
