"""Options and arguments of several commands, and their types."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import wraps
from typing import Any, Final, TypeVar

import click

# PostgreSQL's bigint.
_MOST_INTEGER: Final = 2**63 - 1

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class BigInteger(click.IntRange):
    """A number to compare with a bigint of PostgreSQL; larger numbers become the largest."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        return min(super().convert(value, param, ctx), _MOST_INTEGER)


class Time(click.ParamType[datetime]):
    """A date or time in ISO 8601, in UTC unless it names an offset."""

    name = "time"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            self.fail(
                f"'{value}' is not a time such as 2026-01-31 or 2026-01-31T08:00Z", param, ctx
            )
        try:
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        except OverflowError:
            self.fail(f"'{value}' is not in the years 1 to 9999 of UTC", param, ctx)


organization_option = click.option(
    "--org",
    "organization",
    default="default",
    show_default=True,
    help="Organization, by ID or name.",
)


def _object_argument(name: str, noun: str) -> Callable[[Decorated], Decorated]:
    return click.argument(name, help=f"{noun}, by ID, or by name in the organization of --org.")


user_argument = _object_argument("user", "User")
idp_argument = _object_argument("idp", "Identity provider")
group_argument = _object_argument("group", "Group")
application_argument = _object_argument("app", "Application")
subscription_argument = _object_argument("subscription", "Subscription")
json_option = click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object per line.",
)


def requires_one(message: str, *parameters: str) -> Callable[[Decorated], Decorated]:
    """Refuses a use of the command in which all of these parameters are left out."""

    def decorated(function: Any) -> Any:
        @wraps(function)
        def checked(**given: Any) -> Any:
            if all(given[name] is None for name in parameters):
                raise click.UsageError(message)
            return function(**given)

        return checked

    return decorated


def gathered(
    options: Sequence[Callable[[Any], Any]],
    read: Callable[[Mapping[str, Any]], object],
    *,
    into: str,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Adds options to a command, which gets what `read` makes of all of them as one parameter."""

    @click.command
    def command() -> None: ...

    for option in options:
        option(command)
    names = [str(each.name) for each in command.params]

    def decorated(function: Callable[..., None]) -> Callable[..., None]:
        @wraps(function)
        def with_options(**given: Any) -> None:
            values = {name: given.pop(name) for name in names}
            function(**given, **{into: read(values)})

        for option in reversed(options):
            option(with_options)
        return with_options

    return decorated


def limit_option(default: int) -> Callable[[Decorated], Decorated]:
    """The option --limit, for lists that only grow."""
    return click.option(
        "--limit",
        type=BigInteger(min=1),
        metavar="NUMBER",
        default=default,
        show_default=True,
        help="Maximum number of rows, the latest ones.",
    )
