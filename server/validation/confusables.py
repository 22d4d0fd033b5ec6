"""Names that look like another one, or mix scripts (Unicode TS 39), by the tables of a library.

The rule: two names look alike if they have a skeleton in common (decision 21).
"""

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

from confusable_homoglyphs import categories, confusables
from pydantic import TypeAdapter, ValidationError

from server.validation.fields import UniqueName

# The scripts of one language are one set (TS 39, section 5.1), and all are written with Latin
# letters beside them ("highly restrictive", section 5.2).
_TOGETHER: Final = tuple(
    frozenset(("LATIN", "HAN", *others))
    for others in (("HIRAGANA", "KATAKANA"), ("BOPOMOFO",), ("HANGUL",))
)
_OF_ALL: Final = {"COMMON", "INHERITED"}
_USER_NAME: Final[TypeAdapter[str]] = TypeAdapter(UniqueName)
# The skeleton of a UUID: 0 looks like O, 1 like l.
_LIKE_ID: Final = re.compile(r"[2-9a-flo]{8}(-[2-9a-flo]{4}){3}-[2-9a-flo]{12}")


def skeletons(name: str) -> frozenset[str]:
    """The skeletons of a name (TS 39, section 4): as it is shown, and in lower case.

    Two names look alike, in any case, if they have a skeleton in common: `I` looks like `l`, and is
    the capital of `i`.
    """
    return frozenset(map(_skeleton, (name, name.casefold())))


def skeleton_digests(name: str) -> tuple[str, ...]:
    """SHA-256 of each skeleton, in hexadecimal: skeletons can be longer than a key of an index."""
    return tuple(sorted(hashlib.sha256(each.encode()).hexdigest() for each in skeletons(name)))


def _skeleton(text: str) -> str:
    """The skeleton in lower case, of which the skeleton is taken again: `m` looks like `rn`."""
    return _prototype(_prototype(text).casefold())


def _prototype(text: str) -> str:
    prototypes = _prototypes()
    normal = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
    shown = "".join(prototypes.get(character, character) for character in normal)
    return unicodedata.normalize("NFD", shown)


def mixes_scripts(name: str) -> bool:
    """Whether letters of several scripts are in the name that no language uses together."""
    scripts = categories.unique_aliases(name) - _OF_ALL
    return len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER)


def looks_like_id(name: str) -> bool:
    """Whether the name is an identifier of this server, or looks like one."""
    return any(map(_LIKE_ID.fullmatch, skeletons(name)))


def name_of(value: object) -> str:
    """The value as the name of a user who registers, in its normal form; empty if it is invalid.

    A name that mixes scripts or looks like an identifier is not taken.
    """
    try:
        name = _USER_NAME.validate_python(value, strict=True)
    except ValidationError:
        return ""
    return "" if mixes_scripts(name) or looks_like_id(name) else name


@cache
def _prototypes() -> Mapping[str, str]:
    """The text that stands for all characters that look like it.

    The table of the library has each pair in both directions. A prototype is the partner of all
    characters that look like it; of two that are only each other's partners, the lesser one is.
    """
    table = confusables.confusables_data
    return {
        character: prototype
        for character, partners in table.items()
        if len(character) == len(partners) == 1
        for prototype in (partners[0]["c"],)
        if len(table.get(prototype, ())) > 1 or (len(prototype), prototype) < (1, character)
    }
