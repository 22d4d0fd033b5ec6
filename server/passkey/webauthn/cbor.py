"""A reader for the subset of CBOR that authenticators write.

General decoders support tags (shared references, bignums, decimal fractions, dates), with which a
few hundred bytes take a minute to decode. This reader supports all that authenticators send:
integers, byte strings, text, lists, maps, booleans and null. It refuses tags, floats and indefinite
lengths, and limits the depth and the number of items.

- CBOR: RFC 8949, https://www.rfc-editor.org/rfc/rfc8949 (§3 for heads and major types)
- The CTAP2 canonical form: CTAP 2.1 §8, "Message Encoding",
  https://fidoalliance.org/specs/fido-v2.1-ps-20210615/fido-client-to-authenticator-protocol-v2.1-ps-20210615.html#message-encoding
"""

from typing import Final, TypeAlias

# CTAP 2.1 §8: "The depth of nested CBOR structures [...] is limited to at most four (4) levels".
MAX_DEPTH: Final = 4
# An attestation object has about 12 items, the largest known extension output adds about 20.
MAX_ITEMS: Final = 256

Value: TypeAlias = "int | bytes | str | bool | list[Value] | dict[int | str, Value] | None"


class CborError(ValueError):
    """The bytes are not a supported value; the message names the byte and the problem."""


def read(data: bytes, offset: int = 0, *, canonical: bool) -> tuple[Value, int]:
    """Read the value at `offset`, and return it with the offset of its end.

    `canonical` requires the CTAP2 canonical form: shortest heads, and map keys sorted by major
    type, then by length, then by bytes.

    CborError if the value is incomplete, unsupported, or exceeds a limit.
    """
    reader = _Reader(data, offset, canonical=canonical)
    return reader.value(), reader.offset


class _Reader:
    """Reads values and advances `offset`."""

    def __init__(self, data: bytes, offset: int, *, canonical: bool) -> None:
        self.offset = offset
        self._data = data
        self._canonical = canonical
        self._items = 0

    def value(self, depth: int = 0) -> Value:
        self._items += 1
        if self._items > MAX_ITEMS:
            raise self._failure(f"more than {MAX_ITEMS} items")
        initial = self._take(1)[0]
        major = initial >> 5
        if major == 7:
            return self._simple(initial)
        if major == 6:
            # Shared references, decimals, fractions, dates: slow to decode.
            raise self._failure("tags are not allowed")
        argument = self._argument(initial & 0x1F)
        match major:
            case 0:
                return argument
            case 1:
                return -1 - argument
            case 2:
                return self._take(argument)
            case 3:
                return self._utf8(self._take(argument))
            case _ if depth == MAX_DEPTH:
                raise self._failure(f"nested deeper than {MAX_DEPTH}")
            case 4:
                return [self.value(depth + 1) for _ in range(argument)]
            case _:
                return self._map(argument, depth + 1)

    def _map(self, size: int, depth: int) -> dict[int | str, Value]:
        entries: dict[int | str, Value] = {}
        previous = (-1, 0, b"")
        for _ in range(size):
            start = self.offset
            key = self.value(depth)
            if isinstance(key, bool) or not isinstance(key, int | str):
                raise self._failure("map keys must be numbers or text")
            encoded = self._data[start : self.offset]
            order = (encoded[0] >> 5, len(encoded), encoded)
            if key in entries or (self._canonical and order < previous):
                raise self._failure("map keys must be unique, and sorted where canonical")
            previous = order
            entries[key] = self.value(depth)
        return entries

    def _argument(self, info: int) -> int:
        if info < 24:
            return info
        if info > 27:  # 31 is the indefinite length, 28 to 30 are reserved
            raise self._failure("indefinite and reserved lengths are not allowed")
        width = 1 << (info - 24)
        argument = int.from_bytes(self._take(width))
        if self._canonical and argument < (24 if width == 1 else 1 << (4 * width)):
            raise self._failure("a number or length is longer than needed")
        return argument

    def _simple(self, initial: int) -> bool | None:
        allowed = {0xF4: False, 0xF5: True, 0xF6: None}
        if initial not in allowed:
            raise self._failure("floats and other simple values are not allowed")
        return allowed[initial]

    def _utf8(self, encoded: bytes) -> str:
        try:
            return encoded.decode("utf-8")
        except UnicodeDecodeError as error:
            raise self._failure(f"text is not UTF-8: {error.reason}") from error

    def _take(self, count: int) -> bytes:
        taken = self._data[self.offset : self.offset + count]
        if len(taken) != count:
            raise self._failure("ends too early")
        self.offset += count
        return taken

    def _failure(self, problem: str) -> CborError:
        return CborError(f"at byte {self.offset}: {problem}")
