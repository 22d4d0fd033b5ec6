"""Decodes JSON texts (RFC 8259) to values, and encodes values and messages."""

import json
from collections import Counter
from typing import Any, NoReturn, Self

from google.protobuf import json_format
from google.protobuf.message import Message
from starlette.responses import Response

from server.values.errors import Failure, Kind

# ECMAScript's Number.MAX_SAFE_INTEGER: beyond it, floats skip integers.
_MAX_EXACT = 2**53 - 1
# Parsing a value into a message blocks the event loop for microseconds. No method accepts this many
# values.
_MAX_VALUES = 20_000
_BEFORE_VALUES = (b",", b"[", b"{")


class RepeatedMembers(dict[str, Any]):
    """A JSON object in which the members named `repeated` occur more than once."""

    def __init__(self, members: list[tuple[str, Any]]) -> None:
        super().__init__(members)
        counted = Counter(name for name, _ in members)
        self.repeated = [name for name, count in counted.items() if count > 1]


class Number(float):
    """A JSON number with a fraction or an exponent, and its `text`, which a float may round."""

    text: str

    def __new__(cls, text: str) -> Self:
        number = super().__new__(cls, text)
        number.text = text
        return number


def loads(text: bytes) -> Any:
    """The value of a text. Objects with repeated members are `RepeatedMembers`, floats `Number`.

    Failure INVALID_ARGUMENT if the text is not JSON.
    """
    # A value begins after each of these. Commas within strings count too, which is close enough.
    if sum(map(text.count, _BEFORE_VALUES)) > _MAX_VALUES:
        raise malformed(f"It has more than {_MAX_VALUES} values")
    try:
        value = _DECODER.decode(text.decode())
        if b"\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise malformed(f"{error.msg} (line {error.lineno}, column {error.colno})") from None
    except UnicodeDecodeError as error:
        raise malformed(f"Byte {error.start} is not UTF-8") from None
    except UnicodeEncodeError:
        raise malformed("An escape is one half of a surrogate pair") from None
    except RecursionError:
        raise malformed("It is nested too deeply") from None
    except ValueError:  # Python limits the digits of an integer
        raise malformed("A number has too many digits") from None
    return value


def dumps(value: Any) -> bytes:
    """The text of a value. It ends with a newline, for terminals."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class JsonResponse(Response):
    """The text of a value as the response of a page."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Called by Starlette for the body."""
        return dumps(content)


def of_message(message: Message) -> bytes:
    """The text of a message, with every field that cannot be absent."""
    value = json_format.MessageToDict(message, always_print_fields_with_no_presence=True)
    return dumps(_whole(value))


def malformed(problem: str) -> Failure:
    """The failure of a body that cannot be parsed."""
    return Failure(
        Kind.INVALID_ARGUMENT,
        "MALFORMED_JSON",
        f"The body is not a JSON request. {problem}. Correct it and send it again.",
    )


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(members)
    return value if len(value) == len(members) else RepeatedMembers(members)


def _refuse_constant(name: str) -> NoReturn:
    raise malformed(f"{name} is not a JSON value")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=Number, parse_constant=_refuse_constant
)


def _whole(value: Any) -> Any:
    """The value with whole floats as integers: protobuf keeps all numbers of a Struct as floats."""
    if isinstance(value, dict):
        return {name: _whole(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) <= _MAX_EXACT:
        return int(value)
    return value
