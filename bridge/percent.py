"""Percent-encoding of URLs (RFC 3986, section 2.1)."""

from contextlib import suppress


def unescaped(text: bytes) -> bytes:
    """Decodes a text. UnicodeDecodeError for a percent sign without two hexadecimal digits.

    By a codec in C: `urllib` takes 2 ms for a URL of 16 KiB, before the caller is known.
    """
    if b"%" not in text:
        return text
    escapes = text.replace(b"\\", rb"\x5c").replace(b"%", rb"\x")
    return escapes.decode("unicode_escape").encode("latin-1")


def form_decoded(text: bytes) -> str:
    """Decodes a name or a value of a form. UnicodeDecodeError for a malformed escape, too."""
    return unescaped(text.replace(b"+", b" ")).decode()


def pairs(text: bytes, most: int) -> list[tuple[str, str]] | None:
    """The names and values of a query or a form, decoded as `urllib.parse.parse_qsl` does.

    None: malformed, or more than `most`.
    """
    given = [each.partition(b"=") for each in text.split(b"&", most) if each]
    if len(given) <= most:
        with suppress(UnicodeDecodeError):
            return [(form_decoded(name), form_decoded(value)) for name, _, value in given]
    return None
