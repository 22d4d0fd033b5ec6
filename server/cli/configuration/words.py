"""A plan and the results of its changes in words, and as lines of JSON."""

import json
from collections.abc import Iterator
from typing import Any, Final

from server.cli.configuration.apply import ChangeResult
from server.cli.configuration.changes import ObjectChange

_SIGNS: Final = {"create": "+", "change": "~", "remove": "-"}
_MOST_SHOWN: Final = 100


def in_words(change: ObjectChange, indent: str = "") -> Iterator[str]:
    """The lines of a change."""
    yield f"{indent}{_SIGNS[change.action]} {change.path}"
    inner = f"{indent}    "
    for name, (before, after) in change.fields.items():
        old = "" if change.is_creation else f"{_text(before)} -> "
        yield f"{inner}{name}: {old}{_text(after)}"
    yield from (f"{inner}{name}: (secret)" for name in change.secrets)
    for sign, values in (("+", change.adds), ("-", change.removes)):
        for name, items in values.items():
            yield from (f"{inner}{name}: {sign} {item}" for item in items)
    yield from (f"{inner}{note}" for note in change.notes)
    for part in change.parts:
        yield from in_words(part, inner)


def json_of(change: ObjectChange, result: ChangeResult | None = None) -> dict[str, Any]:
    """The object of a change, without its secrets."""
    shown: dict[str, Any] = {
        "object": change.path,
        "action": change.action,
        "fields": {
            name: {"before": before, "after": after}
            for name, (before, after) in change.fields.items()
        },
        "secrets": [*change.secrets],
        "added": change.adds,
        "removed": change.removes,
        "parts": [json_of(part) for part in change.parts],
        "notes": change.notes,
    }
    if result is not None:
        shown |= {"outcome": result.outcome, "problem": result.problem}
    return shown


def _text(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False) if value is not None else "-"
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}... ({len(text)} characters)"
