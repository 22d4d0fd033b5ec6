"""The command line: `keystead serve`, and what an operator does beside it.

`keystead` lists every command in one literal; each group of commands has a file of its own.
`installation.py` finds settings and database, `names.py` the organizations and users that are
meant, `lists.py` prints lists.

The rule: a command decides nothing that the API does not; it calls the same commands of the
features, as the caller `operator`.
"""

# ruff: noqa: PLC0415 -- a command is imported when it is called

import errno
import io
import os
import signal
import sys
from types import FrameType
from typing import Final

import click

from server.process.signals import stop_signals
from server.values.errors import Failure, OperatorError

# The first sentence of what each says of itself.
_SUMMARIES: Final = {
    "audit": "Print the log of events, oldest first.",
    "doctor": "Say what is wrong with this installation and what to do.",
    "mail": "Mails to users, and what became of them.",
    "migrate": "Bring the schema of the database up to date.",
    "org": "Organizations.",
    "passkey": "Passkeys of users, and the links by which they register one.",
    "rebuild": "Put the read tables right by replaying the log of events.",
    "rotate-keys": "Encrypt every stored secret under the first key.",
    "schema": "Write the .proto files of the API, and those they import, into a directory.",
    "serve": "Serve until SIGTERM, Ctrl-C or the end of the terminal.",
    "session": "Sessions of users.",
    "settings": "List every setting with its default.",
    "token": "Tokens of users.",
    "user": "Users and their roles.",
}


# Of a file, a pipe or a terminal that the output goes to.
_WRITE_ERRORS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class _Commands(click.Group):
    """Imports what the command that is called needs, and for `keystead --help` nothing.

    Those it lists are stand-ins, with no more than a name and a line of help.
    """

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, stand_in, rest = super().resolve_command(ctx, args)
        return name, stand_in and imported(stand_in), rest


def imported(stand_in: click.Command) -> click.Command:
    """The command for which one of `keystead` stands."""
    match stand_in.name:
        case "audit":
            from server.cli.audit import audit as command
        case "doctor":
            from server.cli.doctor import doctor as command
        case "mail":
            from server.cli.mail import group as command
        case "migrate":
            from server.cli.operate import migrate_command as command
        case "org":
            from server.cli.org import group as command
        case "passkey":
            from server.cli.passkey import group as command
        case "rebuild":
            from server.cli.operate import rebuild_command as command
        case "rotate-keys":
            from server.cli.operate import rotate_keys as command
        case "schema":
            from server.cli.schema import schema as command
        case "serve":
            from server.cli.serve import serve as command
        case "session":
            from server.cli.session import group as command
        case "settings":
            from server.cli.settings import settings as command
        case "token":
            from server.cli.token import group as command
        case "user":
            from server.cli.user import group as command
        case "work":
            from server.cli.serve import work as command
        case name:
            raise LookupError(f"there is no command {name}")
    return command


@click.group(
    cls=_Commands,
    commands=[click.Command(name, help=summary) for name, summary in _SUMMARIES.items()]
    + [click.Command("work", hidden=True)],
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
    _open_standard_streams()
    for number in stop_signals():
        if number is not signal.SIGINT:  # of which click makes an Abort
            signal.signal(number, _unwind)
    if isinstance(sys.stdout, io.TextIOWrapper):  # a name need not be in the terminal's charset
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        _must_be_text(sys.argv)
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
    except OSError as error:
        if error.errno not in _WRITE_ERRORS or error.filename:
            raise
        # Or Python would try once more at its end, and say so.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _die(f"The output cannot be written: {error.strerror}.")
    except Failure as failure:
        _die(_sentences(failure))
    except OperatorError as error:
        _die(str(error))


def _open_standard_streams() -> None:
    """Whoever started this may have closed some; the next file to be opened must not be one."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115 -- as long as the process
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115


def _must_be_text(words: list[str]) -> None:
    """Bytes that are not UTF-8 are in no name and no id, and cannot be asked for."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            shown = word.encode(errors="surrogateescape").decode(errors="replace")
            raise click.UsageError(f"'{shown}' is not UTF-8.") from None


def _sentences(failure: Failure) -> str:
    violations = [f"  {wrong.field}: {wrong.description}" for wrong in failure.violations]
    return "\n".join(filter(None, [failure.message, *violations, failure.log_detail]))


def _unwind(number: int, _frame: FrameType | None) -> None:
    """Ends as by Ctrl-C: the embedded PostgreSQL is stopped if nobody else uses it."""
    sys.exit(128 + number)


def _die(message: str) -> None:
    click.echo(message, err=True)
    sys.exit(1)
