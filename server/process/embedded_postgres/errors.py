"""The error of the embedded PostgreSQL."""

from server.values.errors import OperatorError


class EmbeddedPostgresError(OperatorError):
    """The embedded PostgreSQL is unavailable; the message has the reason and the remedy."""
