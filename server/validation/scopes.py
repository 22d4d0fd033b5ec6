"""The scopes of OAuth (RFC 6749, section 3.3)."""

import re
from typing import Final

MAX_SCOPE: Final = 200
_SCOPE: Final = re.compile(r"[!#-\[\]-~]+")


def is_scope(scope: str) -> bool:
    """Whether it is a scope of at most 200 characters."""
    return len(scope) <= MAX_SCOPE and _SCOPE.fullmatch(scope) is not None
