"""The scopes of OAuth (RFC 6749, section 3.3)."""

import re
from typing import Final

# The scopes of the provider itself: about the user, and for refresh tokens.
OF_OPENID: Final = frozenset({"openid", "profile", "email", "groups", "offline_access"})
MAX_SCOPE: Final = 200
# A scope, as a regular expression.
SCOPE: Final = rf"[!#-\[\]-~]{{1,{MAX_SCOPE}}}"


def is_scope(scope: str) -> bool:
    """Whether it is a scope of at most 200 characters."""
    return re.fullmatch(SCOPE, scope) is not None
