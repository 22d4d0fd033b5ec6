"""The command line: `keystead serve`, and what an operator does beside it."""

import contextlib
import dataclasses
import json
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import click
import structlog
import uvloop

from server import app, doctor, logs, outbox
from server.address import AddressInUseError
from server.audit import read_events
from server.bootstrap import TokenFileError
from server.caller import Role
from server.database import Database, connected
from server.embedded_postgres import EmbeddedPostgresError, has_data, running
from server.encryption import EncryptionKeyError, load_keyring
from server.errors import Failure
from server.eventstore import OPERATOR
from server.mail import commands as mail_commands
from server.mail import store as mail_store
from server.mail.rendering import MailTemplateError
from server.migrate import SchemaNotCurrentError, SchemaTooNewError, migrate, require_current
from server.org import commands as org_commands
from server.org import store as org_store
from server.passkey import commands as passkey_commands
from server.passkey import links
from server.passkey import store as passkey_store
from server.passkey.provider import provider_name
from server.rebuild import UnknownEventError, rebuild
from server.settings import PREFIX, InvalidSettingsError, Settings, unknown_variables
from server.smtp import commands as smtp_commands
from server.user import commands as user_commands
from server.user import store as user_store
from server.user import token_store
from server.validation import case_folded, is_id, read_fields
from server.workers import run_workers

_EVERYTHING = 1_000_000

Result = TypeVar("Result")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="keystead")
def keystead() -> None:
    """Keystead: an identity management service over gRPC.

    Every setting is an environment variable; `keystead settings` lists them.
    """


def main() -> None:
    """The entry point: what an operator can act on is one sentence, not a traceback."""
    signal.signal(signal.SIGTERM, _unwind)
    try:
        keystead(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        sys.exit(130)
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
        SchemaNotCurrentError,
        SchemaTooNewError,
        TokenFileError,
        UnknownEventError,
    ) as error:
        _die(str(error))


@keystead.command()
def serve() -> None:
    """Serve until SIGTERM or SIGINT.

    Migrates the database first and, on an empty one, makes the first organization and its
    administrator.
    """
    settings = _settings()
    status = 0
    with _dsn(settings) as dsn:
        token_file = uvloop.run(app.prepare(settings, dsn))
        if token_file is not None:
            click.echo(f"First start. The token of the user 'admin' is in {token_file}")
        if settings.workers > 1:
            grace = settings.drain_delay + settings.shutdown_grace
            addresses = {
                f"{PREFIX}GRPC_ADDRESS": settings.grpc_address,
                f"{PREFIX}HTTP_ADDRESS": settings.http_address,
            }
            status = run_workers(settings.workers, addresses, grace)
        else:
            uvloop.run(app.run(settings, dsn, revive=_revive(settings)))
        # A second signal must not leave the embedded PostgreSQL behind.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
    sys.exit(status)


@keystead.command(hidden=True)
def work() -> None:
    """Serve as one of several processes; `keystead serve` starts these."""
    settings = _settings()
    with _dsn(settings) as dsn:
        parent = sys.stdin.fileno()
        uvloop.run(app.run(settings, dsn, revive=_revive(settings), parent=parent))


@keystead.command("migrate")
def migrate_command() -> None:
    """Bring the schema of the database up to date."""

    async def work_on(dsn: str) -> int:
        async with connected(dsn, pool_size=1) as database:
            return await migrate(database)

    with _dsn(_settings()) as dsn:
        click.echo(f"{uvloop.run(work_on(dsn))} migration(s) applied.")


@keystead.command("rebuild")
@click.option(
    "--check",
    is_flag=True,
    help="Only compare: change nothing, block nobody, exit with 1 on a difference.",
)
def rebuild_command(*, check: bool) -> None:
    """Replay the log of events, compare the read tables with it and put right what differs.

    Without --check every call that writes waits until it is done.
    """
    report = _run(lambda _settings, database: rebuild(database, repair=not check))
    for difference in report.differences:
        surplus, missing = difference.surplus, difference.missing
        click.echo(f"{difference.table}: {surplus} row(s) too many, {missing} missing")
    outcome = "differ" if check else "differed and are put right"
    state = "every table equals the log"
    if report.differences:
        state = f"{len(report.differences)} table(s) {outcome}"
    click.echo(f"{report.events} event(s) replayed; {state}.")
    if check and report.differences:
        sys.exit(1)


@keystead.command("rotate-keys")
def rotate_keys() -> None:
    """Encrypt every stored secret under the first key. The other keys are not needed afterwards."""

    async def rotate(settings: Settings, database: Database) -> int:
        keyring = load_keyring(settings.encryption_keys, settings.key_file)
        passwords = int(await smtp_commands.rotate_password(database, keyring))
        return passwords + await outbox.rotate_secrets(database, keyring)

    click.echo(f"{_run(rotate)} secret(s) encrypted anew.")


@keystead.command()
@click.option(
    "--aggregate",
    "aggregate_id",
    help="Only of this organization, user, identity provider, ... by id.",
)
@click.option("--creator", help="Only what this user did, by id; 'operator' for the command line.")
@click.option("--since", type=click.DateTime(), help="Only since then (UTC).")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="The latest so many.",
)
def audit(
    aggregate_id: str | None, creator: str | None, since: datetime | None, limit: int
) -> None:
    """Print the log of events, a line of JSON each, oldest first."""
    moment = since.replace(tzinfo=UTC) if since else None
    events = _run(
        lambda _settings, database: read_events(
            database, aggregate_id=aggregate_id, creator=creator, since=moment, limit=limit
        )
    )
    for event in events:
        click.echo(json.dumps(event, ensure_ascii=False))


@keystead.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object, for programs.")
@click.option(
    "--smtp", is_flag=True, help="Call the SMTP server too, up to where a mail would be sent."
)
def doctor_command(*, as_json: bool, smtp: bool) -> None:
    """Say what is wrong with this installation and what to do. Exits with 1 on a problem."""
    findings = _findings(smtp=smtp)
    if as_json:
        shown = {"findings": [dataclasses.asdict(finding) for finding in findings]}
        click.echo(json.dumps(shown, ensure_ascii=False, indent=2))
    else:
        for each in findings:
            click.echo(f"{each.state:<8} {each.check}: {each.message}")
    if any(finding.state is doctor.State.PROBLEM for finding in findings):
        sys.exit(1)


def _findings(*, smtp: bool) -> list[doctor.Finding]:
    try:
        settings = Settings.load()
    except InvalidSettingsError as error:
        return doctor.settings_problems(error)
    logs.configure(settings)
    findings = doctor.before_database(settings, unknown_variables())
    try:
        with _existing_dsn(settings) as dsn:
            options = app.transport_options(settings) if smtp else None
            return findings + uvloop.run(doctor.examine(settings, dsn, smtp=options))
    except (click.ClickException, EmbeddedPostgresError) as error:
        return [*findings, doctor.database_problem(str(error))]


@keystead.command("settings")
def settings_command() -> None:
    """List every setting with its default."""
    for name, field in Settings.model_fields.items():
        default = ",".join(field.default) if isinstance(field.default, tuple) else field.default
        if default in (None, ""):
            default = "(none)"
        click.echo(f"{PREFIX}{name.upper()}\n    {field.description} Default: {default}")


@keystead.group()
def org() -> None:
    """Organizations."""


@org.command("create")
@click.argument("name")
def org_create(name: str) -> None:
    """Create an organization and print its id."""
    command = read_fields(org_commands.CreateOrganization, {"name": name})
    organization_id, _ = _run(
        lambda _settings, database: org_commands.create(database, command, caller_id=OPERATOR)
    )
    click.echo(organization_id)


@org.command("list")
def org_list() -> None:
    """List the organizations: id and name."""
    for each in _run(
        lambda _settings, database: org_store.list_after(database, after="", limit=_EVERYTHING)
    ):
        click.echo(f"{each.organization_id}\t{each.name}")


@keystead.group()
def user() -> None:
    """Users and their roles. USER is an id, or a name in the organization of --org."""


_org_option = click.option(
    "--org",
    "organization",
    default="default",
    show_default=True,
    help="Organization, by id or name.",
)


class _RoleName(click.ParamType[Role]):
    """A role as the API names it, or without `ROLE_`."""

    name = "role"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> Role:
        try:
            return Role(value.upper().removeprefix("ROLE_"))
        except ValueError:
            self.fail(f"'{value}' is none of {', '.join(Role)}", param, ctx)


_role_argument = click.argument("role", type=_RoleName())


@user.command("create")
@click.argument("user_name")
@click.option("--display-name", default="", help="How the user is addressed; empty: the user name.")
@click.option("--email", default="", help="Where mail to the user goes.")
@_org_option
def user_create(user_name: str, display_name: str, email: str, organization: str) -> None:
    """Create a user and print its id."""
    fields = {"user_name": user_name, "display_name": display_name, "email": email}
    command = read_fields(user_commands.CreateUser, fields)

    async def create(_settings: Settings, database: Database) -> str:
        organization_id = await _organization_id(database, organization)
        user_id, _ = await user_commands.create(
            database, command, caller_id=OPERATOR, organization_id=organization_id
        )
        return user_id

    click.echo(_run(create))


@user.command("list")
@_org_option
def user_list(organization: str) -> None:
    """List the users of an organization: id, name and roles."""

    async def found(_settings: Settings, database: Database) -> list[user_store.User]:
        organization_id = await _organization_id(database, organization)
        return await user_store.list_after(
            database, organization_id=organization_id, after="", limit=_EVERYTHING
        )

    for each in _run(found):
        click.echo(f"{each.user_id}\t{each.user_name}\t{','.join(each.roles)}")


@user.command("remove")
@click.argument("user")
@_org_option
def user_remove(user: str, organization: str) -> None:
    """Remove a user with its tokens and passkeys."""

    async def remove(_settings: Settings, database: Database) -> None:
        user_id = await _user_id(database, user, organization)
        await user_commands.remove(
            database, user_commands.OneUser(user_id=user_id), caller_id=OPERATOR
        )

    _run(remove)


@user.command("grant")
@click.argument("user")
@_role_argument
@_org_option
def user_grant(user: str, role: Role, organization: str) -> None:
    """Grant a role to a user."""

    async def grant(_settings: Settings, database: Database) -> None:
        user_id = await _user_id(database, user, organization)
        command = user_commands.ChangeRole(user_id=user_id, role=f"ROLE_{role}")
        await user_commands.grant_role(database, command, caller_id=OPERATOR)

    _run(grant)


@user.command("revoke")
@click.argument("user")
@_role_argument
@_org_option
def user_revoke(user: str, role: Role, organization: str) -> None:
    """Revoke a role of a user."""

    async def revoke(_settings: Settings, database: Database) -> None:
        user_id = await _user_id(database, user, organization)
        command = user_commands.ChangeRole(user_id=user_id, role=f"ROLE_{role}")
        await user_commands.revoke_role(database, command, caller_id=OPERATOR)

    _run(revoke)


@keystead.group()
def mail() -> None:
    """Mails to users, and what became of them."""


@mail.command("list")
@click.option(
    "--state",
    type=click.Choice([state.value for state in mail_store.MailState]),
    help="Only in this state.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    help="The latest so many.",
)
def mail_list(state: str | None, limit: int) -> None:
    """List mails, newest first: id, kind, state, address and what the last try said."""
    states = [mail_store.MailState(state)] if state else [*mail_store.MailState]
    for each in _run(
        lambda _settings, database: mail_store.list_before(
            database, before=mail_store.NEWEST, states=states, user_id="", limit=limit
        )
    ):
        last = each.attempts[-1] if each.attempts else None
        said = f"{last.reason} {last.message}".strip() if last else ""
        address = each.recipient_address
        click.echo(f"{each.mail_id}\t{each.kind}\t{each.state}\t{address}\t{said}".rstrip())


@mail.command("retry")
@click.argument("mail_id")
def mail_retry(mail_id: str) -> None:
    """Have a mail that failed or waits tried at once, by the server that runs."""
    command = read_fields(mail_commands.RetryMail, {"mail_id": mail_id})
    _run(lambda _settings, database: mail_commands.retry(database, command))


@keystead.group()
def token() -> None:
    """Tokens of users. USER is an id, or a name in the organization of --org."""


@token.command("create")
@click.argument("user")
@click.option("--name", default="", help="What people know it by.")
@click.option(
    "--days", type=click.IntRange(min=1), help="It expires after so many days; without, never."
)
@_org_option
def token_create(user: str, name: str, days: int | None, organization: str) -> None:
    """Create a token and print it. It is shown only here."""
    expires_at = datetime.now(UTC) + timedelta(days=days) if days else None

    async def create(settings: Settings, database: Database) -> str:
        user_id = await _user_id(database, user, organization)
        fields = {"user_id": user_id, "name": name, "expires_at": expires_at}
        created = await user_commands.create_token(
            database,
            read_fields(user_commands.CreateToken, fields),
            caller_id=OPERATOR,
            limit=settings.max_tokens_per_user,
        )
        return created.token

    click.echo(_run(create))


@token.command("list")
@click.argument("user")
@_org_option
def token_list(user: str, organization: str) -> None:
    """List the tokens of a user: id, name and when they expire."""

    async def found(_settings: Settings, database: Database) -> list[token_store.Token]:
        user_id = await _user_id(database, user, organization)
        return await token_store.list_after(database, user_id=user_id, after="", limit=_EVERYTHING)

    for each in _run(found):
        expires = each.expires_at.isoformat() if each.expires_at else "never"
        click.echo(f"{each.token_id}\t{each.name}\t{expires}")


@token.command("revoke")
@click.argument("user")
@click.argument("token_id")
@_org_option
def token_revoke(user: str, token_id: str, organization: str) -> None:
    """Revoke a token. Servers that are running refuse it within 5 seconds."""

    async def revoke(_settings: Settings, database: Database) -> None:
        user_id = await _user_id(database, user, organization)
        command = user_commands.OneToken(user_id=user_id, token_id=token_id)
        await user_commands.revoke_token(database, command, caller_id=OPERATOR)

    _run(revoke)


@keystead.group()
def passkey() -> None:
    """Passkeys of users. USER is an id, or a name in the organization of --org."""


@passkey.command("link")
@click.argument("user")
@click.option("--send", is_flag=True, help="Mail it to the user, and print the id of the mail.")
@_org_option
def passkey_link(user: str, organization: str, *, send: bool) -> None:
    """Create a link by which a user registers a passkey, and print it. Older ones end."""

    async def create(settings: Settings, database: Database) -> links.NewLink:
        return await links.create(
            database,
            await _user_id(database, user, organization),
            links.Delivery.SEND_LINK if send else links.Delivery.RETURN_CODE,
            caller_id=OPERATOR,
            policy=app.link_policy(settings),
            keyring=load_keyring(settings.encryption_keys, settings.key_file),
            max_passkeys=settings.max_passkeys_per_user,
            hourly_mail_limit=settings.mail_hourly_limit,
        )

    link = _run(create)
    click.echo(link.mail_id if send else link.url)


@passkey.command("list")
@click.argument("user")
@_org_option
def passkey_list(user: str, organization: str) -> None:
    """List the passkeys of a user: id, name, model and when it was registered."""

    async def found(_settings: Settings, database: Database) -> list[passkey_store.Passkey]:
        user_id = await _user_id(database, user, organization)
        return await passkey_store.list_after(
            database, user_id=user_id, after="", limit=_EVERYTHING
        )

    for each in _run(found):
        registered = each.details.creation_date.isoformat(timespec="seconds")
        model = provider_name(each.aaguid) or "unknown"
        click.echo(f"{each.passkey_id}\t{each.name}\t{model}\t{registered}")


@passkey.command("remove")
@click.argument("user")
@click.argument("passkey_id")
@_org_option
def passkey_remove(user: str, passkey_id: str, organization: str) -> None:
    """Remove a passkey, one that was lost for example."""

    async def remove(_settings: Settings, database: Database) -> None:
        user_id = await _user_id(database, user, organization)
        command = passkey_commands.RemovePasskey(user_id=user_id, passkey_id=passkey_id)
        await passkey_commands.remove(database, command, caller_id=OPERATOR)

    _run(remove)


def _settings() -> Settings:
    for sentence in unknown_variables():
        click.echo(sentence, err=True)
    settings = Settings.load()
    logs.configure(settings)
    return settings


@contextlib.contextmanager
def _dsn(settings: Settings) -> Iterator[str]:
    """Where PostgreSQL is; the embedded one runs at least until the end of the block."""
    if settings.database_url is not None:
        yield settings.database_url.get_secret_value()
    else:
        with running(settings.data_dir) as cluster:
            yield cluster.dsn


@contextlib.contextmanager
def _existing_dsn(settings: Settings) -> Iterator[str]:
    """The same, without making an embedded one where there is none."""
    if settings.database_url is None and not has_data(settings.data_dir):
        raise click.ClickException(
            f"There is no database in {settings.data_dir}. Name the folder of `keystead serve` by"
            f" {PREFIX}DATA_DIR, or start the server once."
        )
    with _dsn(settings) as dsn:
        yield dsn


def _revive(settings: Settings) -> Callable[[], None] | None:
    """Starts the embedded PostgreSQL again when it was killed; another one is not ours to start."""
    return partial(_start_again, settings.data_dir) if settings.database_url is None else None


def _start_again(data_dir: Path) -> None:
    try:
        with running(data_dir):
            pass  # it goes on afterwards, since this process has it in use anyway
    except EmbeddedPostgresError as error:
        structlog.get_logger("cli").error("the database cannot be started", detail=str(error))


def _run(work_on: Callable[[Settings, Database], Coroutine[Any, Any, Result]]) -> Result:
    """Does something with a database whose schema is current."""
    settings = _settings()

    async def connect_and_work(dsn: str) -> Result:
        async with connected(dsn, pool_size=1) as database:
            await require_current(database)
            return await work_on(settings, database)

    with _existing_dsn(settings) as dsn:
        return uvloop.run(connect_and_work(dsn))


async def _organization_id(database: Database, organization: str) -> str:
    if is_id(organization) and await org_store.exists(database, organization):
        return organization
    found = await org_store.find_by_name(database, case_folded(organization))
    if found is None:
        raise click.ClickException(
            f"There is no organization '{organization}'. List them: keystead org list"
        )
    return found


async def _user_id(database: Database, user: str, organization: str) -> str:
    if is_id(user):
        return user
    organization_id = await _organization_id(database, organization)
    found = await user_store.find_by_name(
        database, organization_id=organization_id, name_claim=case_folded(user)
    )
    if found is None:
        raise click.ClickException(
            f"There is no user '{user}' in '{organization}'. List them: keystead user list"
        )
    return found


def _sentences(failure: Failure) -> str:
    violations = [f"  {wrong.field}: {wrong.description}" for wrong in failure.violations]
    return "\n".join(filter(None, [failure.message, *violations, failure.log_detail]))


def _unwind(number: int, _frame: FrameType | None) -> None:
    """Ends as by Ctrl-C: the embedded PostgreSQL is stopped if nobody else uses it."""
    sys.exit(128 + number)


def _die(message: str) -> None:
    click.echo(message, err=True)
    sys.exit(1)
