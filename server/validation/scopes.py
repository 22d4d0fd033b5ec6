"""The scopes of OAuth (RFC 6749, section 3.3)."""

import re
from typing import Final

# The scopes of the provider itself: about the user, and for refresh tokens.
OF_OPENID: Final = frozenset({"openid", "profile", "email", "groups", "offline_access"})
MAX_SCOPE: Final = 200
_SCOPE: Final = re.compile(r"[!#-\[\]-~]+")


def is_scope(scope: str) -> bool:
    """Whether it is a scope of at most 200 characters."""
    return len(scope) <= MAX_SCOPE and _SCOPE.fullmatch(scope) is not None
