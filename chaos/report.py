"""The report of a scenario: steps, observations and promises, as text."""

import asyncio
import sys
import traceback
from collections.abc import Awaitable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import click

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

    async def filled_by(self, scenario: Awaitable[None], *, seconds: float) -> None:
        """Runs the scenario within a time limit. An unexpected error is a broken promise."""
        try:
            async with asyncio.timeout(seconds):
                await scenario
        except NotPossibleHereError as error:
            self.not_tried = str(error)
        except Exception as error:  # noqa: BLE001 -- the other scenarios go on
            self.promise("the scenario came to its end", unless=[_causes(error)])

    def __str__(self) -> str:
        verdict = f"kept all {len(self.promises)} promises"
        if self.not_tried:
            verdict = f"not tried: {self.not_tried}"
        elif self.broken:
            verdict = f"BROKE {len(self.broken)} of {len(self.promises)} promises"
        heading = f"{self.name}: {self.title}"
        return "\n".join([heading, *self.lines, *map(str, self.promises), f"  = {verdict}"])


def conclude(reports: Sequence[Report]) -> NoReturn:
    """Prints the numbers of kept and broken promises, and exits: status 1 if one is broken."""
    broken = sum(len(report.broken) for report in reports)
    kept = sum(len(report.promises) for report in reports) - broken
    click.echo(f"{kept} promises kept, {broken} broken.")
    sys.exit(1 if broken else 0)


def _causes(error: BaseException) -> str:
    """The errors of a scenario, each with its place."""
    if isinstance(error, BaseExceptionGroup):
        return "; ".join(map(_causes, error.exceptions))
    place = traceback.extract_tb(error.__traceback__)[-1]
    file = Path(place.filename).name
    return f"{type(error).__name__}: {error} ({file}:{place.lineno}: {place.line})"
