"""Errors of authorization requests, which go to the redirect URI."""

from server.oauth.refused.causes import Cause


class RequestError(Exception):
    """An error response (RFC 6749, section 4.1.2.1; OpenID Connect Core, section 3.1.2.6)."""

    def __init__(self, error: str, description: str, cause: Cause | None = None) -> None:
        """Without a cause, the error is its own."""
        super().__init__(description)
        self.error = error
        self.description = description
        self.cause = cause or Cause(error.upper())
