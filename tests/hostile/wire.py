"""Invalid protobuf, encoded by hand (https://protobuf.dev/programming-guides/encoding)."""

import struct

from google.protobuf.descriptor import FieldDescriptor

VARINT, FIXED64, BYTES, GROUP, END_GROUP, FIXED32 = range(6)

_FIXED64 = {
    FieldDescriptor.TYPE_DOUBLE,
    FieldDescriptor.TYPE_FIXED64,
    FieldDescriptor.TYPE_SFIXED64,
}
_FIXED32 = {FieldDescriptor.TYPE_FLOAT, FieldDescriptor.TYPE_FIXED32, FieldDescriptor.TYPE_SFIXED32}
_LENGTH = {
    FieldDescriptor.TYPE_STRING,
    FieldDescriptor.TYPE_BYTES,
    FieldDescriptor.TYPE_MESSAGE,
}


def varint(number: int) -> bytes:
    """A number in groups of seven bits; a negative one as 64 bits."""
    number %= 2**64
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def tag(number: int, wire_type: int) -> bytes:
    """The beginning of a field."""
    return varint(number << 3 | wire_type)


def number_field(number: int, value: int) -> bytes:
    """A field that is a varint."""
    return tag(number, VARINT) + varint(value)


def bytes_field(number: int, value: bytes) -> bytes:
    """A field that is a string, bytes or a message."""
    return tag(number, BYTES) + varint(len(value)) + value


def double_field(number: int, value: float) -> bytes:
    """A field that is a double."""
    return tag(number, FIXED64) + struct.pack("<d", value)


def any_field(number: int, wire_type: int) -> bytes:
    """A field with this wire type, for any type in the schema."""
    values = {
        VARINT: b"\x01",
        FIXED64: bytes(8),
        BYTES: b"\x02\x08\x01",
        GROUP: tag(number, END_GROUP),
        FIXED32: bytes(4),
    }
    return tag(number, wire_type) + values[wire_type]


def wire_type_of(field: FieldDescriptor) -> int:
    """The wire type of a field that is not packed."""
    if field.type in _FIXED64:
        return FIXED64
    if field.type in _FIXED32:
        return FIXED32
    if field.type in _LENGTH:
        return BYTES
    return GROUP if field.type == FieldDescriptor.TYPE_GROUP else VARINT
