"""The search that finds no secret would find one."""

import base64
import json
from collections.abc import Callable
from urllib.parse import quote

import pytest

from tests.secrets.search import found

# A secret of letters like a token, one that most encodings change, and one that is not text.
_SECRETS = {
    "letters": b"kst0123456789abcdef0123456789",
    "signs": b'a+b/c==&"quoted" 100% \\ end',
    "bytes": bytes(range(0x80, 0xA0)),
}

_ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "clear": bytes,
    "base64": base64.b64encode,
    "base64 for URLs": base64.urlsafe_b64encode,
    "hexadecimal": lambda text: text.hex().encode(),
    "hexadecimal in capitals": lambda text: text.hex().upper().encode(),
    "UTF-16": lambda text: text.decode("latin-1").encode("utf-16-le"),
    "UTF-16, big end first": lambda text: text.decode("latin-1").encode("utf-16-be"),
    "percent": lambda text: quote(text, safe="").encode(),
    "percent in every place": lambda text: b"".join(b"%%%02X" % byte for byte in text),
    "JSON": lambda text: json.dumps(text.decode("latin-1")).encode(),
    "JSON in every place": lambda text: b"".join(b"\\u%04x" % byte for byte in text),
    "bytes of Python": lambda text: repr(text + b"\xff'").encode(),
    "bytes of Python in JSON": lambda text: json.dumps(repr(text + b"\xff'")).encode(),
}


@pytest.mark.parametrize("encoding", _ENCODINGS.values(), ids=_ENCODINGS)
def test_a_secret_is_found(encoding: Callable[[bytes], bytes]) -> None:
    for around in (b"", b"x", b"xy", b"xyz"):
        for name, secret in _SECRETS.items():
            assert found(_SECRETS, encoding(around + secret + around)) == {name}, around


def test_absent_secrets_are_not_found() -> None:
    others = [secret[::-1] for secret in _SECRETS.values()]

    text = b"".join(encoding(other) for encoding in _ENCODINGS.values() for other in others)

    assert found(_SECRETS, text) == set()
