"""Names that look like another one, or mix scripts (Unicode TS 39), by the tables of a library.

The rule: two names look the same if their skeletons are equal (decision 65).
"""

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

from confusable_homoglyphs import categories, confusables

# The scripts of one language are one set (TS 39, section 5.1), and all are written with Latin
# letters beside them ("highly restrictive", section 5.2).
_TOGETHER: Final = tuple(
    frozenset(("LATIN", "HAN", *others))
    for others in (("HIRAGANA", "KATAKANA"), ("BOPOMOFO",), ("HANGUL",))
)
_OF_ALL: Final = {"COMMON", "INHERITED"}
# The skeleton of a UUID: 0 looks like O, 1 like l.
_LIKE_ID: Final = re.compile(r"[2-9a-flo]{8}(-[2-9a-flo]{4}){3}-[2-9a-flo]{12}")


def skeleton(name: str) -> str:
    """The same text for names that look the same, in any case (TS 39, section 4)."""
    prototypes = _prototypes()
    normal = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name))
    shown = "".join(prototypes.get(character, character) for character in normal)
    return unicodedata.normalize("NFD", shown).casefold()


def skeleton_digest(name: str) -> str:
    """SHA-256 of the skeleton, in hexadecimal: a skeleton can be longer than a key of an index."""
    return hashlib.sha256(skeleton(name).encode()).hexdigest()


def mixes_scripts(name: str) -> bool:
    """Whether letters of several scripts are in the name that no language uses together."""
    scripts = categories.unique_aliases(name) - _OF_ALL
    return len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER)


def looks_like_id(name: str) -> bool:
    """Whether the name is an identifier of this server, or looks like one."""
    return _LIKE_ID.fullmatch(skeleton(name)) is not None


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
