"""The errors of a rebuild. Each ends the command with a sentence for the operator."""

from server.store.database import Row
from server.values.errors import OperatorError


class UnknownEventError(OperatorError):
    """This release has no projection for an event; a newer release wrote it."""

    def __init__(self, event: Row) -> None:
        super().__init__(
            f"This release of Keystead does not know {described(event)}. Use a newer one, or"
            " restore the table events from a backup if no release has written this event."
        )


class UnreplayableLogError(OperatorError):
    """No command writes such a log, so it was changed."""

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"The log cannot be replayed: {problem}. Keystead does not write such a log: restore"
            " the table events from a backup. To find more, run: keystead audit verify"
        )


def described(event: Row) -> str:
    """An event for people, without its payload."""
    return (
        f"event {event['sequence']} ({event['event_type']}, revision {event['revision']}) of the"
        f" {event['aggregate_type']} {event['aggregate_id']}"
    )
