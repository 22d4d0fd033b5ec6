"""The results of checks.

A check returns one finding per problem, one finding if there is no problem, and none if it does not
apply.
"""

import enum
from dataclasses import dataclass


class State(enum.StrEnum):
    """Severity: a problem breaks something, a warning may break something."""

    OK = enum.auto()
    WARNING = enum.auto()
    PROBLEM = enum.auto()


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check; `message` describes the state and, unless it is ok, the remedy."""

    check: str
    state: State
    message: str


def ok(check: str, message: str) -> list[Finding]:
    """No problem."""
    return [Finding(check, State.OK, message)]


def warning(check: str, message: str) -> list[Finding]:
    """Something may break."""
    return [Finding(check, State.WARNING, message)]


def problem(check: str, message: str) -> list[Finding]:
    """Something is broken."""
    return [Finding(check, State.PROBLEM, message)]
