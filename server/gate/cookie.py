"""The cookie of the gate on an application's host, and the `state` of a sign-in. Both are sealed.

Until the sign-in is complete, the cookie has the code verifier, so that a code can be used only in
the browser that began the sign-in. After it, the cookie names the authorization.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

from server.crypto.keyring import Keyring
from server.crypto.sealed import Sealed

COOKIE: Final = "__Host-keystead-gate"
_ATTRIBUTES: Final = "Path=/; Secure; HttpOnly; SameSite=Lax"
_REMEMBERED: Final = 10_000
# All cookies of complete sign-ins are shorter. Without this limit, anybody could fill the memory.
_LONGEST: Final = 1000
# The time for a sign-in.
_LIFETIME: Final = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class BegunSignIn:
    """The cookie of a sign-in that is not complete. Times are in seconds since 1970."""

    application_id: str
    code_verifier: str = field(repr=False)
    expiry: int


@dataclass(frozen=True, slots=True)
class CompleteSignIn:
    """The cookie of a person who is signed in."""

    application_id: str
    authorization_id: str


@dataclass(frozen=True, slots=True)
class SignInState:
    """The `state` of a sign-in: the page to return to."""

    application_id: str
    path: str
    code_challenge: str
    expiry: int


class GateSeals:
    """Seals and opens the cookies and the states."""

    def __init__(self, keyring: Keyring) -> None:
        self._begun = Sealed(keyring, BegunSignIn, purpose="keystead gate sign-in")
        self._complete = Sealed(keyring, CompleteSignIn, purpose="keystead gate cookie")
        # Every request of a person has the same cookie.
        self._opened = lru_cache(_REMEMBERED)(self._complete.opened)
        self._states = Sealed(keyring, SignInState, purpose="keystead gate state")

    def begun(self, application_id: str, code_verifier: str) -> str:
        """The header `set-cookie` of a sign-in that begins."""
        value = self._begun.sealed(BegunSignIn(application_id, code_verifier, _end()))
        return _set_cookie(value, _LIFETIME)

    def complete(self, application_id: str, authorization_id: str, *, lifetime: timedelta) -> str:
        """The header `set-cookie` of a complete sign-in."""
        value = self._complete.sealed(CompleteSignIn(application_id, authorization_id))
        return _set_cookie(value, lifetime)

    def state(self, application_id: str, path: str, code_challenge: str) -> str:
        """The `state` of a sign-in that begins."""
        return self._states.sealed(SignInState(application_id, path, code_challenge, _end()))

    def open_begun(self, cookie: str, application_id: str) -> BegunSignIn | None:
        """The sign-in of a cookie. None: not of this application, or it has expired."""
        begun = self._begun.opened(cookie)
        is_valid = begun and begun.application_id == application_id and not _is_over(begun.expiry)
        return begun if is_valid else None

    def open_complete(self, cookie: str, application_id: str) -> str | None:
        """The id of the authorization of a cookie. None: not of this application."""
        complete = self._opened(cookie) if len(cookie) <= _LONGEST else None
        is_valid = complete and complete.application_id == application_id
        return complete.authorization_id if complete and is_valid else None

    def open_state(self, state: str, application_id: str) -> SignInState | None:
        """The state of a response. None: not of this application, or it has expired."""
        opened = self._states.opened(state)
        is_valid = (
            opened and opened.application_id == application_id and not _is_over(opened.expiry)
        )
        return opened if is_valid else None


def _set_cookie(value: str, lifetime: timedelta) -> str:
    return f"{COOKIE}={value}; Max-Age={max(int(lifetime.total_seconds()), 0)}; {_ATTRIBUTES}"


def _end() -> int:
    return int((datetime.now(UTC) + _LIFETIME).timestamp())


def _is_over(expiry: int) -> bool:
    return expiry <= datetime.now(UTC).timestamp()
