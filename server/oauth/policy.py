"""The settings of the provider."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class OAuthPolicy:
    """The issuer, the idle timeout of sessions, and the audiences of the JWTs of sessions.

    No access token has such an audience: services would take it for the JWT of a session.
    """

    issuer: str
    idle_timeout: timedelta
    session_audiences: frozenset[str]
