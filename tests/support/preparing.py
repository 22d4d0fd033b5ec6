"""Prepares instances as the server does, except that their first RSA keys are one key."""

from contextvars import ContextVar
from pathlib import Path

from joserfc.jwk import RSAKey

from server import app
from server.settings.settings import Settings
from server.signing import commands
from server.signing.private_key import Algorithm, PrivateKey
from tests.support.rsa_keys import rsa_key

_prepare, _generated = app.prepare, commands._generated  # noqa: SLF001 -- each key is made by it
_is_first = ContextVar("_is_first", default=False)


async def prepare(settings: Settings, dsn: str) -> Path | None:
    """Prepares the instance for a server."""
    token = _is_first.set(True)
    try:
        return await _prepare(settings, dsn)
    finally:
        _is_first.reset(token)


async def _given(algorithm: Algorithm) -> PrivateKey:
    if algorithm is not Algorithm.RS256 or not _is_first.get():
        return await _generated(algorithm)
    key = rsa_key("of servers")
    made = RSAKey(key, key)
    return PrivateKey(made.thumbprint(), made)


commands._generated = _given  # noqa: SLF001
