"""The command line: `keystead serve`, and what an operator does beside it.

`keystead` lists every command in one literal; each group of commands has a file of its own.
`installation.py` finds settings and database, `names.py` the organizations and users that are
meant, `lists.py` prints lists.

The rule: a command decides nothing that the API does not; it calls the same commands of the
features, as the caller `operator`.
"""

import signal
import sys
from types import FrameType

import click

from server.address import AddressInUseError
from server.bootstrap import TokenFileError
from server.cli import mail, operate, org, passkey, serve, token, user
from server.database import MissingRightsError
from server.embedded_postgres import EmbeddedPostgresError
from server.encryption import EncryptionKeyError
from server.errors import Failure
from server.mail.rendering import MailTemplateError
from server.migrate import SchemaNotCurrentError, SchemaTooNewError
from server.rebuild import UnknownEventError
from server.settings import InvalidSettingsError


@click.group(
    commands=[
        serve.serve,
        serve.work,
        operate.migrate_command,
        operate.rebuild_command,
        operate.rotate_keys,
        operate.audit,
        operate.doctor_command,
        operate.settings_command,
        org.group,
        user.group,
        mail.group,
        token.group,
        passkey.group,
    ],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="keystead")
def keystead() -> None:
    """Keystead: an identity management service over gRPC.

    Every setting is an environment variable; `keystead settings` lists them. The other commands
    take the same settings as the server, and run beside it or without it.

    Exit status: 0 done, 1 refused or something is wrong, 2 called wrongly.
    """


def main() -> None:
    """The entry point: what an operator can act on is one sentence, not a traceback."""
    signal.signal(signal.SIGTERM, _unwind)
    try:
        keystead(prog_name="keystead", standalone_mode=False)
    except click.UsageError as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        sys.exit(130)
    except click.ClickException as error:
        _die(error.message)
    except PermissionError as error:
        _die(f"{error.filename}: {error.strerror}. Run Keystead as the user who owns it.")
    except Failure as failure:
        _die(_sentences(failure))
    except (
        AddressInUseError,
        EmbeddedPostgresError,
        EncryptionKeyError,
        InvalidSettingsError,
        MailTemplateError,
        MissingRightsError,
        SchemaNotCurrentError,
        SchemaTooNewError,
        TokenFileError,
        UnknownEventError,
    ) as error:
        _die(str(error))


def _sentences(failure: Failure) -> str:
    violations = [f"  {wrong.field}: {wrong.description}" for wrong in failure.violations]
    return "\n".join(filter(None, [failure.message, *violations, failure.log_detail]))


def _unwind(number: int, _frame: FrameType | None) -> None:
    """Ends as by Ctrl-C: the embedded PostgreSQL is stopped if nobody else uses it."""
    sys.exit(128 + number)


def _die(message: str) -> None:
    click.echo(message, err=True)
    sys.exit(1)
