"""The settings of the provider."""

from dataclasses import dataclass
from datetime import timedelta

from server.application.store import Application
from server.oauth import refusals


@dataclass(frozen=True, slots=True)
class OAuthPolicy:
    """The issuer, the idle timeout of sessions, and the audiences of the JWTs of sessions.

    No access token has such an audience: services would take it for the JWT of a session.
    """

    issuer: str
    idle_timeout: timedelta
    session_audiences: frozenset[str]

    def check_audience(self, application: Application) -> None:
        """`Failure` `INVALID_TARGET`: a setting of the server makes its ID such an audience."""
        if application.application_id in self.session_audiences:
            raise refusals.invalid_target("its client ID is an audience of session JWTs")
