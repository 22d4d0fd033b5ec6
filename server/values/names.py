"""Names that are shown to people: they are visible and do not change the text around them.

The rule: every name passes `printable` and `legible` on its way in (decision 21).
"""

import re
import unicodedata

from server.values.errors import WrongValueError

# Format characters (zero width, text direction), line and paragraph separators.
_INVISIBLE = {"Cf", "Zl", "Zp"}
# Those of them that some languages and emoji need: U+200C and U+200D.
JOINERS = "\u200c\u200d"
# Categories of characters that are invisible on their own: controls, spaces, surrogates, and marks,
# which combine with the character before them.
_UNSEEN = {*_INVISIBLE, "Cc", "Cs", "Zs", "Mn", "Mc", "Me"}
# Invisible characters of other categories: Default_Ignorable_Code_Point, mostly variation selectors
# and fillers (Unicode, DerivedCoreProperties.txt), and the Braille blank.
_SHOWS_NOTHING = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)
# Bidi_Class of the explicit formatting characters (UAX #9, section 2): they also affect the text
# after a name. The implicit marks (U+200E, U+200F, U+061C) do not, and names need them.
_TURNS_TEXT = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
CONTROL_CHARACTER = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # Unicode category Cc


def printable(value: str) -> str:
    """Refuses control characters: they break mail headers and log lines; NUL cannot be stored."""
    if CONTROL_CHARACTER.search(value):
        raise WrongValueError("CONTROL_CHARACTERS", "must not contain control characters")
    return value


def printable_line(text: str) -> str:
    """A text of a foreign server as a line to show: without controls and marks of direction."""
    line = " ".join(text.split())
    return "".join(each if each.isprintable() else "?" for each in line)


def legible(value: str) -> str:
    """Refuses an invisible name, and one that changes the direction of the text around it."""
    if value.isascii() and value.isprintable() and not value.isspace():
        return value  # most names, in a tenth of the time
    if value and all(
        unicodedata.category(character) in _UNSEEN or _SHOWS_NOTHING.match(character)
        for character in value
    ):
        raise WrongValueError("NO_VISIBLE_CHARACTER", "must contain a visible character")
    for character in value:
        if unicodedata.bidirectional(character) in _TURNS_TEXT:
            raise ValueError(
                f"must not contain U+{ord(character):04X}, which changes the direction of text"
            )
    return value


def is_invisible(character: str) -> bool:
    """Whether it is a format character or a separator of lines; the joiners are not."""
    return unicodedata.category(character) in _INVISIBLE and character not in JOINERS


def unmistakable(value: str) -> str:
    """Refuses invisible characters: two users could have names that look alike."""
    if value != value.strip():
        raise WrongValueError("OUTER_WHITE_SPACE", "must not begin or end with white space")
    if _SHOWS_NOTHING.search(value) or any(
        unicodedata.category(character) in _INVISIBLE for character in value
    ):
        raise WrongValueError("INVISIBLE_CHARACTERS", "must not contain invisible characters")
    return value
