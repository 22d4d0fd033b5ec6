"""The request of a method from parameters in form encoding, in a query or a body."""

from collections.abc import Mapping
from typing import TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from bridge.oauth import refusals
from bridge.percent import pairs

_MAX_DIGITS = 9  # fits into int32

_M = TypeVar("_M", bound=Message)


def filled(kind: type[_M], text: bytes, most: int, *, names: Mapping[str, str] | None = None) -> _M:
    """The request with the parameters that have the names of its fields.

    `names` are the fields of parameters with other names. Empty and unknown parameters are ignored
    (RFC 6749, section 3.1). `Failure` INVALID_ARGUMENT: more than `most`, malformed, or repeated.
    """
    found = pairs(text, most)
    if found is None:
        raise refusals.malformed_form()
    request = kind()
    fields = request.DESCRIPTOR.fields_by_name
    given: dict[str, list[str]] = {}
    for name, value in found:
        if value and (name := (names or {}).get(name, name)) in fields:
            given.setdefault(name, []).append(value)
    for name, values in given.items():
        if fields[name].is_repeated:
            getattr(request, name).extend(values)
        elif len(values) > 1:
            raise refusals.repeated(name)
        elif fields[name].type == FieldDescriptor.TYPE_INT32:
            setattr(request, name, _number(name, values[0]))
        else:
            setattr(request, name, values[0])
    return request


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
        raise refusals.not_a_number(name)
    return int(text)
