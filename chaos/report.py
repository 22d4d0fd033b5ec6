"""The report of a scenario: steps, observations and promises, as text."""

from collections.abc import Collection
from dataclasses import dataclass, field

_MOST_SHOWN = 3


class NotPossibleHereError(Exception):
    """This machine or user cannot inject the fault; the message says why."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise, and the evidence against it."""

    text: str
    violations: list[object]

    def __str__(self) -> str:
        if not self.violations:
            return f"  kept    {self.text}"
        shown = [f"          - {each}" for each in self.violations[:_MOST_SHOWN]]
        more = len(self.violations) - len(shown)
        if more > 0:
            shown.append(f"          - and {more} more")
        return "\n".join([f"  BROKEN  {self.text}", *shown])


@dataclass(slots=True)
class Report:
    """The report of one scenario, filled while it runs."""

    name: str
    title: str
    lines: list[str] = field(default_factory=list)
    promises: list[Promise] = field(default_factory=list)
    not_tried: str = ""

    @property
    def broken(self) -> list[Promise]:
        """The promises that did not hold."""
        return [promise for promise in self.promises if promise.violations]

    def did(self, text: str) -> None:
        """Adds a step."""
        self.lines.append(f"  did     {text}")

    def saw(self, text: str) -> None:
        """Adds an observation, such as a figure, that keeps or breaks no promise."""
        self.lines.append(f"  saw     {text}")

    def promise(self, text: str, *, unless: Collection[object]) -> None:
        """Adds a promise, which is kept if `unless`, the evidence against it, is empty."""
        for promise in self.promises:
            if promise.text == text:  # the same promise, when a fault is repeated
                promise.violations.extend(unless)
                return
        self.promises.append(Promise(text, list(unless)))

    def __str__(self) -> str:
        verdict = f"kept all {len(self.promises)} promises"
        if self.not_tried:
            verdict = f"not tried: {self.not_tried}"
        elif self.broken:
            verdict = f"BROKE {len(self.broken)} of {len(self.promises)} promises"
        heading = f"{self.name}: {self.title}"
        return "\n".join([heading, *self.lines, *map(str, self.promises), f"  = {verdict}"])
