"""JSON texts of clients and providers (RFC 8259), accepted and refused alike on every Python.

The rule: releases of Python differ in the depth that `json` reads and in its descriptions of
mistakes. jiter, the parser of pydantic, decides both (decision 16).
"""

import json
import re
from collections.abc import Callable
from typing import Any, Final, NoReturn

from pydantic_core import from_json

# jiter's limit. Python 3.11 fails beyond 990 levels, later releases beyond thousands.
_MAX_DEPTH: Final = 201
# The escapes of surrogates. jiter refuses a single one, `json` does not.
_SURROGATES: Final = re.compile(r"\\u[dD][89a-fA-F]")

_BYTE_ORDER_MARK: Final = "\ufeff"

# A value begins after each of these, unless it is in a string.
_BEFORE_VALUES: Final = (b",", b"[", b"{")
# A string, or the rest of the text if the string does not end. A match never fails, so that the
# time is proportional to the length of the text.
_STRING: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)', re.DOTALL)


def decoder(
    *,
    object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None,
    parse_float: Callable[[str], Any] | None = None,
) -> json.JSONDecoder:
    """A decoder with these hooks of `json` that refuses NaN and infinities."""
    return json.JSONDecoder(
        object_pairs_hook=object_pairs_hook, parse_float=parse_float, parse_constant=_refuse
    )


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


_DECODER: Final = decoder()


def loads(text: str | bytes, using: json.JSONDecoder = _DECODER) -> Any:
    """The value of a text of at most 201 levels, in UTF-8 if it is bytes. Raises ValueError.

    A byte order mark at its beginning is ignored (RFC 8259, section 8.1): editors and shells of
    Windows write it.
    """
    if isinstance(text, bytes):
        text = text.decode()
    text = text.removeprefix(_BYTE_ORDER_MARK)
    if text.count("[") + text.count("{") > _MAX_DEPTH:
        from_json(_SURROGATES.sub(r"\\u00", text), allow_inf_nan=False)
    return using.decode(text)


def has_more_values(text: bytes, most: int) -> bool:
    """Whether a text has more values than `most`, objects and lists included. It reads none.

    Takes as long as to search the text, and removes at most `3 * most` strings from it.
    """
    if sum(map(text.count, _BEFORE_VALUES)) <= most:
        return False
    # A value has at most two strings: its name and itself.
    others, strings = _STRING.subn(b"", text, count=3 * most)
    return strings == 3 * most or sum(map(others.count, _BEFORE_VALUES)) > most


def mistake(text: bytes) -> str:
    """The first mistake in a text that is not JSON, with its line, and its column in bytes."""
    try:
        from_json(text.removeprefix(_BYTE_ORDER_MARK.encode()), allow_inf_nan=False)
    except ValueError as error:
        described = str(error)
        return described[0].upper() + described[1:]
    return "It is not JSON"
