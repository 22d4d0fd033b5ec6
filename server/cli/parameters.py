"""Options and arguments of several commands, and their types."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple, TypeVar

import click

# PostgreSQL's bigint.
_MOST_INTEGER: Final = 2**63 - 1
_DAYS: Final = re.compile(r"([+-]\d{1,9})d")
_DURATION: Final = re.compile(r"(\d{1,6})([mhd])")
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days"}

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class BigInteger(click.IntRange):
    """A number to compare with a bigint of PostgreSQL; larger numbers become the largest."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        return min(super().convert(value, param, ctx), _MOST_INTEGER)


class Time(click.ParamType[datetime]):
    """A date or time in ISO 8601, in UTC unless it names an offset; or days from now, as +30d."""

    name = "time"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        days = _DAYS.fullmatch(value)
        try:
            if days:
                return datetime.now(UTC) + timedelta(days=int(days[1]))
            moment = datetime.fromisoformat(value)
        except ValueError:
            self.fail(
                f"'{value}' is not a time such as 2026-01-31, 2026-01-31T08:00Z or +30d",
                param,
                ctx,
            )
        except OverflowError:
            self.fail(f"'{value}' is not in the years 1 to 9999 of UTC", param, ctx)
        try:
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        except OverflowError:
            self.fail(f"'{value}' is not in the years 1 to 9999 of UTC", param, ctx)


class Duration(click.ParamType[timedelta]):
    """A number of minutes, hours or days, such as 90m, 8h or 7d."""

    name = "duration"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> timedelta:
        found = _DURATION.fullmatch(value)
        if not found:
            self.fail(f"'{value}' is not a duration such as 90m, 8h or 7d", param, ctx)
        return timedelta(**{_UNITS[found[2]]: int(found[1])})


class NamedObject(NamedTuple):
    """An object that a command names: its parameter, and a noun."""

    parameter: str
    noun: str

    @property
    def help(self) -> str:
        """The help of the parameter."""
        place = (
            "" if self.parameter == "organization" else ", or by name in the organization of --org"
        )
        return f"{self.noun}, by ID{place or ' or name'}."


# The objects whose IDs are in these fields.
OBJECTS: Final = {
    "application_id": NamedObject("app", "Application"),
    "attribute_id": NamedObject("attribute", "Attribute"),
    "group_id": NamedObject("group", "Group"),
    "idp_id": NamedObject("idp", "Identity provider"),
    "mail_domain_id": NamedObject("mail_domain", "Mail domain"),
    "subscription_id": NamedObject("subscription", "Subscription"),
    "user_id": NamedObject("user", "User"),
    "org_id": NamedObject("organization", "Organization"),
}

organization_option = click.option(
    "--org",
    "organization",
    default="default",
    show_default=True,
    help="Organization, by ID or name.",
)
instance_option = click.option(
    "--org",
    "organization",
    help="Organization, by ID or name. Default: the instance.",
)
json_option = click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object per line.",
)
csv_option = click.option(
    "--csv",
    "as_csv",
    is_flag=True,
    help="Print CSV with a header, safe to open in a spreadsheet.",
)


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
