"""`keystead doctor`: checks a configured installation for problems, and changes nothing.

It makes the checks of `server/system/checks`, and further ones, which read whole tables, decrypt
all secrets or ask other servers. Each file is one subject.

The rule: a finding that is not ok includes a remedy. No finding shows a secret or names a user.
"""

from collections.abc import Sequence

from server.operate.doctor import mail, passkeys, stored_secrets
from server.settings.problems import InvalidSettingsError
from server.settings.settings import Settings
from server.store.database import Database, connected
from server.store.schema import require_current
from server.system import checks
from server.system.checks import tls
from server.system.checks.findings import Finding, State
from server.values.errors import Failure, OperatorError


def settings_problems(
    error: InvalidSettingsError, unknown_variables: Sequence[str]
) -> list[Finding]:
    """The findings if the settings are invalid; nothing else can be checked then."""
    problems = [Finding("settings", State.PROBLEM, problem) for problem in error.problems]
    return problems + checks.of_unknown(unknown_variables)


def database_problem(message: str) -> Finding:
    """The finding if the database cannot be read."""
    return Finding("database", State.PROBLEM, message)


def before_database(settings: Settings, unknown_variables: Sequence[str]) -> list[Finding]:
    """The findings about the settings and the files that they name."""
    return [
        *checks.of_settings(settings, unknown_variables),
        *mail.check_templates(settings),
    ]


def ports(settings: Settings) -> list[Finding]:
    """The problems of the ports: plaintext that other machines reach, and their certificates."""
    return _wrong(tls.check_ports(settings))


async def stranded(settings: Settings, database: Database) -> list[Finding]:
    """The problems of passkeys that the relying party settings make unusable."""
    return _wrong(await passkeys.check_usability(settings, database))


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
        *await checks.of_database(settings, database),
        *await mail.check_senders(database),
        *secrets,
        *await passkeys.check(settings, database),
        *await passkeys.check_former(settings),
    ]
    if not smtp or _wrong(secrets):  # the password of the SMTP server is one of them
        return findings
    return findings + await mail.try_smtp(settings, database)


def _wrong(findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.state is not State.OK]
