"""The sources of bearer tokens."""

import inspect
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias

# A token, or a function that gives it for each call. Empty: the call is sent without a token.
Token: TypeAlias = str | Callable[[], str | Awaitable[str]]


def token_file(path: str | Path) -> Callable[[], str]:
    """The token in a file, read again when the file was replaced.

    `OSError` if it cannot be read.
    """
    file = Path(path)
    read: tuple[object, str] = (None, "")

    def token() -> str:
        nonlocal read
        found = file.stat()
        version = (found.st_mtime_ns, found.st_ino)
        if read[0] != version:
            read = (version, file.read_text().strip())
        return read[1]

    return token


async def current(token: Token) -> str:
    """The token for a call that is sent now."""
    if isinstance(token, str):
        return token
    given = token()
    return await given if inspect.isawaitable(given) else given
