"""`keystead doctor`: checks a configured installation for problems, and changes nothing.

Each file is one subject: it reads files, or asks the stores of features, and then judges these
facts by pure functions. `findings.py` has the results.

The rule: a finding that is not ok includes a remedy. No finding shows a secret or names a user.
"""

from collections.abc import Sequence

from server.operate.doctor import (
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
    stored_secrets,
    tls,
)
from server.operate.doctor.findings import Finding, State, ok
from server.settings.problems import InvalidSettingsError
from server.settings.settings import Settings
from server.store.database import Database, connected
from server.store.schema import require_current
from server.values.errors import Failure, OperatorError


def settings_problems(
    error: InvalidSettingsError, unknown_variables: Sequence[str]
) -> list[Finding]:
    """The findings if the settings are invalid; nothing else can be checked then."""
    problems = [Finding("settings", State.PROBLEM, problem) for problem in error.problems]
    return problems + _unknown(unknown_variables)


def database_problem(message: str) -> Finding:
    """The finding if the database cannot be read."""
    return Finding("database", State.PROBLEM, message)


def before_database(settings: Settings, unknown_variables: Sequence[str]) -> list[Finding]:
    """The findings about the settings and the files that they name."""
    return [
        *(_unknown(unknown_variables) or ok("settings", "All are valid.")),
        *relying_party.check_settings(settings),
        *tls.check(settings),
        *files.check(settings),
        *mail.check_templates(settings),
    ]


def ports(settings: Settings) -> list[Finding]:
    """The problems of the ports: plaintext that other machines reach, and their certificates."""
    return _wrong(tls.check_ports(settings))


async def stranded(settings: Settings, database: Database) -> list[Finding]:
    """The problems of passkeys that the relying party settings make unusable."""
    return _wrong(await relying_party.check_usability(settings, database))


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
    secrets = await stored_secrets.check(settings, database)
    findings = [
        *await postgresql.check(settings, database),
        *await replication.check(settings, database),
        *secrets,
        *await servers.check(settings, database),
        *await signing_keys.check(settings, database),
        *await administrators.check(database),
        *await relying_party.check_passkeys(settings, database),
        *await relying_party.check_former(settings),
        *await mail.check_outbox(database),
        *await pushes.check(database),
        *await event_log.check(settings, database),
    ]
    if not smtp or _wrong(secrets):  # the password of the SMTP server is one of them
        return findings
    return findings + await mail.try_smtp(settings, database)


def _unknown(variables: Sequence[str]) -> list[Finding]:
    """Warns of unknown variables, which are probably misspelled settings."""
    return [Finding("settings", State.WARNING, sentence) for sentence in variables]


def _wrong(findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.state is not State.OK]
