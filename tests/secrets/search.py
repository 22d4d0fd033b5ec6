"""The search for a secret in bytes, in any encoding."""

import base64
import functools
import json
from collections.abc import Iterator, Mapping
from urllib.parse import quote


@functools.cache
def forms(secret: bytes) -> tuple[bytes, ...]:
    """The secret itself, and in every encoding that texts and files use, each form once."""
    return tuple(dict.fromkeys(_encoded(secret)))


def found(secrets: Mapping[str, bytes], text: bytes) -> set[str]:
    """The names of the secrets that the text contains in any form."""
    return {name for name, secret in secrets.items() if any(form in text for form in forms(secret))}


def _encoded(secret: bytes) -> Iterator[bytes]:
    yield secret
    yield from _in_base64(secret)
    for digits in (secret.hex(), secret.hex().upper()):
        pairs = [digits[at : at + 2] for at in range(0, len(digits), 2)]
        yield digits.encode()
        yield "".join(f"%{pair}" for pair in pairs).encode()
        yield "".join(f"\\x{pair}" for pair in pairs).encode()
        yield "".join(f"\\u00{pair}" for pair in pairs).encode()
    text = secret.decode("latin-1")
    yield text.encode("utf-16-le")
    yield text.encode("utf-16-be")
    # Encodings that keep letters and digits as they are, but not `/`, `+` and quotes.
    yield quote(secret, safe="").encode()
    yield quote(secret, safe="").lower().encode()
    yield json.dumps(text)[1:-1].encode()
    escaped = text.encode("unicode-escape")
    yield escaped
    # Python's escapes of bytes within a JSON text.
    yield json.dumps(escaped.decode())[1:-1].encode()


def _in_base64(secret: bytes) -> Iterator[bytes]:
    """The secret within a longer base64 text, where it may begin at any byte of a group."""
    for start in range(3):
        # Only whole groups, because the others also depend on the bytes around the secret.
        whole = secret[start : start + (len(secret) - start) // 3 * 3]
        yield base64.b64encode(whole)
        yield base64.urlsafe_b64encode(whole)
