"""`keystead plan`, `keystead apply` and `keystead export configuration`."""

import asyncio
import contextlib
import os
import re
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from server.cli.configuration.changes import PlacePlan
from server.cli.configuration.client import Api, RefusalError, connected
from server.cli.configuration.document import ConfigurationFile, read_document
from server.cli.configuration.export import Exporter, text_of
from server.cli.configuration.reading import organization_of, own_organization
from server.cli.configuration.running import applied, planned, print_plan
from server.cli.configuration.wanted import WantedPlace, wanted_of
from server.cli.parameters import Decorated
from server.cli.secret_files import secret_of
from server.values.errors import OperatorError

_DIFFERS: Final = 2
_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_URL_VARIABLE: Final = "KEYSTEAD_URL"
_TOKEN_VARIABLE: Final = "KEYSTEAD_TOKEN"  # noqa: S105 -- the name of a variable

_T = TypeVar("_T")

_file_argument = click.argument(
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File of the configuration, YAML or JSON.",
)
_prune_option = click.option(
    "--prune",
    is_flag=True,
    help="Remove objects that a section of the file does not have.",
)
_json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object per line."
)


@dataclass(frozen=True, slots=True)
class ApiAccess:
    """The server, the token, and the organization of the command; empty: that of the token."""

    url: str
    token_file: Any
    organization: str

    def run(self, work: Callable[[Api, str], Awaitable[_T]]) -> _T:
        """Runs a function with the server and the ID of the organization."""
        return asyncio.run(self._run(work))

    async def _run(self, work: Callable[[Api, str], Awaitable[_T]]) -> _T:
        if not self.url:
            raise OperatorError(f"Give the URL of the server by --url, or by {_URL_VARIABLE}.")
        async with connected(self.url, self._token()) as api:
            try:
                return await work(api, await self._organization_id(api))
            except RefusalError as refusal:
                if refusal.reason == "UNAUTHENTICATED":
                    raise OperatorError(
                        "The server does not know the token, or it has expired or was revoked."
                        f" Give another one by --token-file, or by {_TOKEN_VARIABLE}."
                    ) from None
                raise OperatorError(f"The server refused: {refusal.sentence}") from None

    def _token(self) -> str:
        if self.token_file is not None:
            return secret_of(self.token_file, prompt="Token", option="--token-file")
        if token := os.environ.get(_TOKEN_VARIABLE):
            return token
        raise OperatorError(f"Give the token by --token-file, or by {_TOKEN_VARIABLE}.")

    async def _organization_id(self, api: Api) -> str:
        if not self.organization or _UUID.fullmatch(self.organization):
            return self.organization
        return await organization_of(api, self.organization)


class _PlanCommand(click.Command):
    """Ends with 1 for wrong usage: the status 2 is that of a difference."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with _usage_errors_end_with_1():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        with _usage_errors_end_with_1():
            return super().invoke(ctx)


@contextlib.contextmanager
def _usage_errors_end_with_1() -> Iterator[None]:
    try:
        yield
    except click.UsageError as error:
        error.show()
        sys.exit(1)


def _access_options(command: Decorated) -> Decorated:
    for option in (
        click.option(
            "--org",
            "organization",
            default="",
            help="Organization, by ID or name. Default: that of the token.",
        ),
        click.option(
            "--token-file",
            type=click.File(),
            help=f"File with the token; - is standard input. Default: {_TOKEN_VARIABLE}.",
        ),
        click.option(
            "--url",
            envvar=_URL_VARIABLE,
            default="",
            help=f"URL of the server, as people sign in at it. Default: {_URL_VARIABLE}.",
        ),
    ):
        command = option(command)
    return command


@click.command("plan", cls=_PlanCommand)
@_file_argument
@_access_options
@_prune_option
@click.option("--check", is_flag=True, help="Exit with status 2 if anything differs, for CI.")
@_json_option
def plan(
    file: Path,
    url: str,
    token_file: Any,
    organization: str,
    *,
    prune: bool,
    check: bool,
    as_json: bool,
) -> None:
    """Show what `keystead apply` would change, and change nothing.

    Every change is tried on the server, which undoes it. Calls the server by its API with a token.
    """
    document, wanted = _read(file)
    access = ApiAccess(url, token_file, organization)
    plans = access.run(
        lambda api, org_id: planned(api, org_id, document, wanted, prunes=prune, tries_all=True)
    )
    print_plan(plans, as_json=as_json)
    if check and (any(each.all for each in plans) or any(each.unnamed for each in plans)):
        sys.exit(_DIFFERS)


@click.command("apply")
@_file_argument
@_access_options
@_prune_option
@_json_option
def apply(
    file: Path, url: str, token_file: Any, organization: str, *, prune: bool, as_json: bool
) -> None:
    """Make an organization, or the instance, what a file says.

    An object that somebody changes meanwhile is left alone and named. Run again, the command
    continues where it was interrupted. Exits with status 1 if a change was not made. Calls the
    server by its API with a token.
    """
    document, wanted = _read(file)
    access = ApiAccess(url, token_file, organization)

    async def work(api: Api, org_id: str) -> bool:
        async def plan_again() -> list[PlacePlan]:
            return await planned(api, org_id, document, wanted, prunes=prune, tries_all=False)

        return await applied(api, plan_again, as_json=as_json)

    if not access.run(work):
        sys.exit(1)


@click.command("configuration")
@_access_options
@click.option(
    "--instance", "is_instance", is_flag=True, help="The instance with its organizations."
)
@click.option(
    "--all-fields",
    is_flag=True,
    help="Write fields without a value too, so that `keystead plan` shows when they get one.",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON in place of YAML.")
def configuration(
    url: str,
    token_file: Any,
    organization: str,
    *,
    is_instance: bool,
    all_fields: bool,
    as_json: bool,
) -> None:
    """Write an organization as a file for `keystead apply`.

    Secrets are not written: the file names environment variables for them. Calls the server by its
    API with a token.
    """

    async def work(api: Api, org_id: str) -> None:
        exporter = Exporter(api, is_whole=all_fields)
        if is_instance:
            content = await exporter.instance()
        else:
            content = await exporter.organization(org_id or await own_organization(api))
        click.echo(text_of(content, url, as_json=as_json), nl=False)
        for path in exporter.hidden:
            click.echo(f"The token may not read {path}, which is left out.", err=True)

    ApiAccess(url, token_file, organization).run(work)


def _read(file: Path) -> tuple[ConfigurationFile, list[WantedPlace]]:
    document = read_document(file)
    return document, wanted_of(document, file.parent)
