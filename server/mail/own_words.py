"""The words of mails that an organization or the instance can replace, and the checks of its own.

The rule: an own text is plain text in the place of one of ours. It has the values that identify the
recipient's account and the event, and no link: the only link of a mail is that of the mail itself.
The parts that tell what to do with an unexpected mail cannot be replaced (decision 22).
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from server.mail.outbox import MailKind
from server.mail.words import PLACE, words
from server.values.errors import WrongValueError
from server.values.languages import ENGLISH, LANGUAGES
from server.values.names import JOINERS, is_invisible

# Texts of one language by their keys in the words, such as `passkey_added.title`.
OwnWords: TypeAlias = Mapping[str, str]

FIELDS: Final = ("subject", "title", "text", "button")
MOST_LINES: Final = 20
# Texts may name the sender themselves.
_OPTIONAL: Final = "rp_name"

# What mail clients turn into links: schemes, mail addresses, and names of hosts, whose last label
# has at least two letters, so that "z.B." is none. Full stops of Japanese and Chinese separate
# labels between Latin letters alone.
_LINK: Final = re.compile(
    r"://|www\.|[^\s@]@[^\s@]|\w\.[^\W\d_]{2}|[a-z0-9]。[a-z]{2}|\d{1,3}(?:\.\d{1,3}){3}",
    re.IGNORECASE,
)


class MailField(NamedTuple):
    """A field of a kind of mail, and the places of its values. `required` are among `places`."""

    name: str
    places: Sequence[str]
    required: Sequence[str]


def key_of(kind: MailKind, field: str) -> str:
    """The key of a field in the words."""
    return f"{kind}.{field}"


def text_id(kind: MailKind, language: str) -> str:
    """The ID of an own text: `passkey_added.de`."""
    return f"{kind}.{language}"


def parts_of(mail_text_id: str) -> tuple[MailKind, str]:
    """The kind and the language of the ID of an own text. ValueError names those that exist."""
    kind, _, language = mail_text_id.partition(".")
    wrong = []
    if kind not in {*MailKind}:
        wrong.append(f"begin with a kind of mail ({', '.join(MailKind)})")
    if language not in LANGUAGES:
        wrong.append(f"end with a language ({', '.join(LANGUAGES)})")
    if wrong:
        raise ValueError(f"must {' and '.join(wrong)}, like passkey_added.en")
    return MailKind(kind), language


def fields_of(kind: MailKind) -> list[MailField]:
    """The fields that an own text of this kind can have."""
    return [
        MailField(name, [_OPTIONAL, *required], required)
        for name in FIELDS
        if (text := words(ENGLISH).texts.get(key_of(kind, name)))
        for required in [[each for each in PLACE.findall(text) if each != _OPTIONAL]]
    ]


def checked(kind: MailKind, name: str, text: str) -> str:
    """The text, without white space around it. An empty one is in place of none. ValueError."""
    text = text.strip()
    if not text:
        return text
    field = next((each for each in fields_of(kind) if each.name == name), None)
    if field is None:
        raise ValueError(f"must be empty: this kind of mail has no {name} of its own")
    if problems := _problems(field, text):
        raise WrongValueError(problems[0].reason, "; ".join(map(str, problems)))
    return text


def usable(kind: MailKind, name: str, text: str) -> bool:
    """Whether a stored text can be used: an earlier release may have accepted other ones."""
    try:
        return bool(checked(kind, name, text))
    except ValueError:
        return False


def _problems(field: MailField, text: str) -> list[WrongValueError]:
    problems = []
    given = PLACE.findall(text)
    braces = ", ".join(f"{{{each}}}" for each in field.places)
    if set("{}") & set(PLACE.sub("", text)):
        problems.append(
            WrongValueError(
                "UNKNOWN_PLACE", f"must have braces only around the name of a place: {braces}"
            )
        )
    if unknown := sorted({*given} - {*field.places}):
        problems.append(
            WrongValueError(
                "UNKNOWN_PLACE", f"must not have {_braced(unknown)}; the places are {braces}"
            )
        )
    if missing := [each for each in field.required if each not in given]:
        problems.append(WrongValueError("MISSING_PLACE", f"must have {_braced(missing)}"))
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        problems.append(WrongValueError("TOO_MANY_LINES", f"must have at most {MOST_LINES} lines"))
    if any(map(is_invisible, text)):
        problems.append(
            WrongValueError("INVISIBLE_CHARACTERS", "must not contain invisible characters")
        )
    if _LINK.search(_without_marks(PLACE.sub("xx", text))):
        problems.append(
            WrongValueError(
                "CONTAINS_LINK",
                "must not contain a link, a web address or a mail address: the link of the mail is"
                " its only one. After a full stop, put a space",
            )
        )
    return problems


def _without_marks(text: str) -> str:
    """The text as domains are compared: without joiners, variation selectors and accents (UTS 46).

    A mail client may find a host in it.
    """
    return "".join(
        each
        for each in unicodedata.normalize("NFKC", text)
        if each not in JOINERS and unicodedata.category(each) != "Mn"
    )


def _braced(names: Sequence[str]) -> str:
    return ", ".join(f"{{{each}}}" for each in names)
