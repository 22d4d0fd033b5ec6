"""Attributes in the API: their types, and the checks of their values."""

import enum
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from server.values.names import CONTROL_CHARACTER

# The fields of a user that claims can have, like attributes.
FIELDS: Final = (
    *("user_name", "display_name", "given_name", "family_name"),
    *("locale", "zoneinfo", "external_id"),
)
MAX_NAME: Final = 64
NAME: Final = re.compile(r"[A-Za-z0-9._-]+")
MAX_DEFINITIONS: Final = 50
MAX_BYTES: Final = 2048
MAX_TEXTS: Final = 50
# Of all values of a user, with the items of lists.
MAX_VALUES: Final = MAX_DEFINITIONS * (MAX_TEXTS + 1) + 1


class AttributeType(enum.StrEnum):
    """The types of values."""

    TEXT = "TEXT"
    NUMBER = "NUMBER"
    BOOLEAN = "BOOLEAN"
    TEXT_LIST = "TEXT_LIST"


class AttributeAccess(enum.StrEnum):
    """The access of a user to its own value; each includes those before it."""

    NONE = "NONE"
    READ = "READ"
    WRITE = "WRITE"

    @property
    def reads(self) -> bool:
        """Whether the user sees the value."""
        return self is not AttributeAccess.NONE


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not CONTROL_CHARACTER.search(value)


# The checks of values, and how they must be.
_CHECKS: Final[Mapping[AttributeType, tuple[Callable[[Any], bool], str]]] = {
    AttributeType.TEXT: (_is_text, "a text without control characters"),
    AttributeType.NUMBER: (
        lambda value: isinstance(value, int | float) and not isinstance(value, bool),
        "a number",
    ),
    AttributeType.BOOLEAN: (lambda value: isinstance(value, bool), "true or false"),
    AttributeType.TEXT_LIST: (
        lambda value: (
            isinstance(value, list) and len(value) <= MAX_TEXTS and all(map(_is_text, value))
        ),
        f"a list of at most {MAX_TEXTS} texts without control characters",
    ),
}


def check_value(kind: AttributeType, value: Any) -> None:
    """A JSON value of an attribute. ValueError with the correction."""
    is_right, form = _CHECKS[kind]
    if not is_right(value):
        raise ValueError(f"must be {form}")
    if len(json.dumps(value, ensure_ascii=False).encode()) > MAX_BYTES:
        raise ValueError(f"must have at most {MAX_BYTES} bytes as JSON")
