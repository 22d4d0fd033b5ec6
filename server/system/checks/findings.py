"""The results of checks.

A check returns one finding per problem, one finding if there is no problem, and none if it does not
apply.
"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field


class State(enum.StrEnum):
    """Severity: a problem breaks something, a warning may break something."""

    OK = enum.auto()
    WARNING = enum.auto()
    PROBLEM = enum.auto()


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check.

    `fact` has the remedy, too, if it is the text of an error. `reason` and `metadata` say the same
    for programs; they are empty for a text that only people read.
    """

    check: str
    state: State
    fact: str
    remedy: str = ""
    reason: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """The fact and the remedy."""
        return f"{self.fact} {self.remedy}".rstrip()


def ok(check: str, fact: str) -> list[Finding]:
    """No problem."""
    return [Finding(check, State.OK, fact)]


def warning(check: str, fact: str, remedy: str = "") -> list[Finding]:
    """Something may break."""
    return [Finding(check, State.WARNING, fact, remedy)]


def problem(check: str, fact: str, remedy: str = "") -> list[Finding]:
    """Something is broken."""
    return [Finding(check, State.PROBLEM, fact, remedy)]
