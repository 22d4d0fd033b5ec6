"""Looking for a secret in bytes, however it may be written there."""

import base64
import json
from collections.abc import Iterator, Mapping
from urllib.parse import quote


def forms(secret: bytes) -> Iterator[bytes]:
    """The secret in clear, and in every encoding that some text or file might have it in."""
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
    # What encodings leave as it is where they can: the letters, but neither / nor + nor quotes.
    yield quote(secret, safe="").encode()
    yield quote(secret, safe="").lower().encode()
    yield json.dumps(text)[1:-1].encode()
    escaped = text.encode("unicode-escape")
    yield escaped
    # As what Python shows of bytes is shown again, in a line of JSON for one.
    yield json.dumps(escaped.decode())[1:-1].encode()


def found(secrets: Mapping[str, bytes], text: bytes) -> set[str]:
    """The names of those that the text has in any form."""
    return {
        name
        for name, secret in secrets.items()
        if any(form in text for form in dict.fromkeys(forms(secret)))
    }


def _in_base64(secret: bytes) -> Iterator[bytes]:
    """Inside of a longer text, which may begin at any byte of a group of three."""
    for start in range(3):
        # Of each group only those count that do not depend on what stands around.
        whole = secret[start : start + (len(secret) - start) // 3 * 3]
        yield base64.b64encode(whole)
        yield base64.urlsafe_b64encode(whole)
