"""Decodes JSON texts (RFC 8259) to values, and encodes values and messages."""

import functools
import json
from collections import Counter
from typing import Any, Self

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct
from starlette.responses import Response

from server.validation import json_text
from server.values.errors import Failure, Kind

# ECMAScript's Number.MAX_SAFE_INTEGER: beyond it, floats skip integers.
_MAX_EXACT = 2**53 - 1


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


def loads(text: bytes, most_values: int) -> Any:
    """The value of a text. Objects with repeated members are `RepeatedMembers`, floats `Number`.

    Failure INVALID_ARGUMENT if the text is not JSON, or has more values than this.
    """
    # Before any value is read: to read one blocks the event loop for microseconds.
    if json_text.has_more_values(text, most_values):
        raise malformed(f"It has more than {most_values} values")
    try:
        value = json_text.loads(text, _DECODER)
        if b"\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()  # UnicodeEncodeError for a surrogate
    except ValueError:
        raise malformed(json_text.mistake(text)) from None
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
    return dumps(whole(value) if _has_structs(message.DESCRIPTOR) else value)


@functools.cache
def _has_structs(message: Descriptor) -> bool:
    """Whether a message has a Struct, at any depth."""
    parts = (field.message_type for field in message.fields if field.message_type is not None)
    return message == Struct.DESCRIPTOR or any(map(_has_structs, parts))


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


_DECODER = json_text.decoder(object_pairs_hook=_object, parse_float=Number)


def whole(value: Any) -> Any:
    """The value with whole floats as integers: protobuf keeps all numbers of a Struct as floats."""
    if isinstance(value, dict):
        return {name: whole(item) for name, item in value.items()}
    if isinstance(value, list):
        return [whole(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) <= _MAX_EXACT:
        return int(value)
    return value
