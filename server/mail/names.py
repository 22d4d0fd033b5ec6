"""Makes names that people chose safe for display in a mail.

The rule: a name cannot pass for text of the mail itself (decision 21).
"""

import unicodedata

from server.deliveries.smtp.headers import one_line

MAX_SHOWN = 40

# Characters that join the parts of URLs, domains and mail addresses. The ideographic full stop
# separates labels as well (UTS 46).
_OF_ADDRESSES = frozenset(".:/@\\\u3002")
_QUOTES = str.maketrans(
    dict.fromkeys('"\u00ab\u00bb\u201c\u201d\u201e\u201f\u300c\u300d\u300e\u300f', "'")
)
_FIRST_STRONG_ISOLATE, _POP_DIRECTIONAL_ISOLATE = "\u2068\u2069"


def shown(name: str) -> str:
    """The name in one line of at most 40 characters, without links and quotation marks.

    A space follows every character that joins the parts of an address: `example. com`.
    """
    text = one_line("".join(map(_apart, name))).translate(_QUOTES)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1].rstrip()}\u2026"


def isolated(text: str) -> str:
    """The text between characters that isolate its direction (UAX #9, section 2.4.2)."""
    return f"{_FIRST_STRONG_ISOLATE}{text}{_POP_DIRECTIONAL_ISOLATE}" if text else ""


def _apart(character: str) -> str:
    joins = not _OF_ADDRESSES.isdisjoint(unicodedata.normalize("NFKC", character))
    return f"{character} " if joins else character
