"""`keystead doctor`."""

import json
import sys

import click
import uvloop

from server.cli.installation import configure_logs, existing_dsn
from server.operate import doctor as checkup
from server.settings.problems import InvalidSettingsError
from server.settings.settings import Settings
from server.settings.unknown import unknown_variables
from server.system.checks.findings import Finding, State
from server.values.errors import OperatorError


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--smtp", is_flag=True, help="Also connect to the SMTP server, without sending a mail."
)
def doctor(*, as_json: bool, smtp: bool) -> None:
    """Check this installation for problems. Exits with status 1 if there is one.

    Changes nothing, and works whether or not the server runs.
    """
    findings = _findings(smtp=smtp)
    if as_json:
        shown = {"findings": [_row(each) for each in findings]}
        click.echo(json.dumps(shown, ensure_ascii=False, indent=2))
    else:
        for each in findings:
            click.echo(f"{each.state:<8} {each.check}: {each.message}")
    if any(finding.state is State.PROBLEM for finding in findings):
        sys.exit(1)


def _row(finding: Finding) -> dict[str, str]:
    return {"check": finding.check, "state": finding.state, "message": finding.message}


def _findings(*, smtp: bool) -> list[Finding]:
    unknown = unknown_variables()
    try:
        settings = Settings.load()
    except InvalidSettingsError as error:
        return checkup.settings_problems(error, unknown)
    configure_logs(settings)
    findings = checkup.before_database(settings, unknown)
    try:
        with existing_dsn(settings) as dsn:
            return findings + uvloop.run(checkup.examine(settings, dsn, smtp=smtp))
    except click.ClickException as error:
        return [*findings, checkup.database_problem(error.message)]
    except PermissionError as error:
        closed = f"{error.filename}: {error.strerror}. Run this as the user who runs the server."
        return [*findings, checkup.database_problem(closed)]
    except OperatorError as error:
        return [*findings, checkup.database_problem(str(error))]
