"""The words of mails: a file of data for each language.

The rule: each language has the texts of English, with the same places for values.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from importlib.resources import files
from typing import Any, Final

from server.values.languages import ENGLISH, plural

PLACE: Final = re.compile(r"\{(\w+)\}")
_UNITS: Final = {
    "days": timedelta(days=1),
    "hours": timedelta(hours=1),
    "minutes": timedelta(minutes=1),
}
# Each number of a unit has a form. A span has at most so many of one unit.
_MOST_OF_A_UNIT: Final = 100


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a language, by their keys, such as `passkey_added.title`."""

    language: str
    texts: Mapping[str, str]
    weekdays: tuple[str, ...]
    months: tuple[str, ...]

    def with_own(self, own: Mapping[str, str]) -> "Words":
        """These words with other texts in place of some."""
        return replace(self, texts={**self.texts, **own}) if own else self

    def moment(self, instant: datetime) -> str:
        """An instant in UTC: "Saturday, 21 November 2026, 09:00 UTC"."""
        return self.texts["moment"].format(
            weekday=self.weekdays[instant.weekday()],
            day=instant.day,
            month=self.months[instant.month - 1],
            year=instant.year,
            time=f"{instant:%H:%M}",
        )

    def span(self, span: timedelta) -> str:
        """A time, rounded: "2 days", "90 minutes", "1 minute"."""
        name = next((name for name, unit in _UNITS.items() if span > 1.5 * unit), "minutes")
        count = round(span / _UNITS[name])
        return self.texts[f"{name}.{plural(self.language, count)}"].format(count=count)


@cache
def words(language: str) -> Words:
    """The words of a language. ValueError: texts are missing, or have other places."""
    file = files(__name__) / f"{language}.toml"
    given = dict(_flat(tomllib.loads(file.read_text("utf-8"))))
    weekdays, months = given.pop("weekdays"), given.pop("months")
    found = Words(language, given, tuple(weekdays), tuple(months))
    if problems := [*_problems(found)]:
        raise ValueError(f"server/mail/words/{language}.toml: {'; '.join(problems)}")
    return found


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _problems(found: Words) -> Iterator[str]:
    """What distinguishes the words from complete ones."""
    forms = {plural(found.language, count) for count in range(_MOST_OF_A_UNIT)}
    numbers = {f"{unit}.{form}" for unit in _UNITS for form in forms}
    english = found if found.language == ENGLISH else words(ENGLISH)
    plain = {key for key in english.texts if key.split(".")[0] not in _UNITS}
    if missing := sorted((plain | numbers) - found.texts.keys()):
        yield f"texts are missing: {', '.join(missing)}"
    if unknown := sorted(found.texts.keys() - plain - numbers):
        yield f"no mail has the texts {', '.join(unknown)}"
    for key in sorted(plain & found.texts.keys()):
        places, given = (sorted(PLACE.findall(each.texts[key])) for each in (english, found))
        if places != given:
            yield f"{key} needs the places {places}, not {given}"
    for key in sorted(numbers & found.texts.keys()):
        if PLACE.findall(found.texts[key]) != ["count"]:
            yield f"{key} needs the place {{count}}"
    if (len(found.weekdays), len(found.months)) != (7, 12):
        yield "a week has 7 days, and a year 12 months"
