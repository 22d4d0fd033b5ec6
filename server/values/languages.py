"""The languages of pages and mails.

A language is in the list once all of its texts exist (docs/adding-things.md). The pages are built
for each, and mails have the words of each.
"""

from collections.abc import Iterable
from typing import Final

# By tag (BCP 47), with its own name. The first one is for all other preferences.
LANGUAGES: Final = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "it": "Italiano",
    "pt-BR": "Português (Brasil)",
    "nl": "Nederlands",
    "pl": "Polski",
    "ja": "日本語",
    "zh-Hans": "简体中文",
}
ENGLISH: Final = "en"

# The longer ones first: a longer tag is the better match.
_TAGS: Final = {tag.lower(): tag for tag in sorted(LANGUAGES, key=len, reverse=True)}
# Of each primary language subtag, the first language in the list.
_PRIMARY: Final = {tag.split("-")[0]: tag for tag in reversed(LANGUAGES)}


def known(language_range: str) -> str | None:
    """The language for this tag or range, such as `de` for `de-AT`; None: there is none.

    It is the lookup of RFC 4647, section 3.4. Then another one of the same primary subtag follows:
    `pt-BR` for `pt`, and `zh-Hans` for `zh-TW`, as in the table of CLDR's language matching. The
    time grows with the length of the range alone, which a client chooses.
    """
    text = f"{language_range.lower()}-"
    found = next((tag for prefix, tag in _TAGS.items() if text.startswith(f"{prefix}-")), None)
    return found or _PRIMARY.get(text.partition("-")[0])


def listed(tag: str) -> str:
    """The tag of a language in the list. ValueError names them all."""
    if tag not in LANGUAGES:
        raise ValueError(f"must be one of {', '.join(LANGUAGES)}")
    return tag


def first_known(language_ranges: Iterable[str]) -> str | None:
    """The language for the first of these that has one."""
    return next(filter(None, map(known, language_ranges)), None)


def plural(language: str, count: int) -> str:
    """The category of a number in a language (CLDR, for whole numbers below a million)."""
    match language.split("-", maxsplit=1)[0]:
        case "ja" | "zh":
            return "other"
        case "fr" | "pt":
            return "one" if count in (0, 1) else "other"
        case "pl" if count != 1:
            is_few = count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14)
            return "few" if is_few else "many"
        case _:
            return "one" if count == 1 else "other"
