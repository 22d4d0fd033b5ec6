"""Fuzzing by coverage: inputs of one kind, which a reader accepts or refuses as it declares.

A corpus has one file for each kind, with an input in base64 on each line: the shortest inputs that
together reach all lines of `server` and `bridge` that mutations have reached. `make test` replays
it (`test_corpus.py`), `python -m tests.hostile` mutates it and adds inputs that reach new lines.
"""

import base64
import contextlib
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import Any, TypeAlias

import psutil

from tests.passkey.attacks import mutated

CORPUS = Path(__file__).parent / "corpus"
LIMIT_MILLISECONDS = 50.0
_REPETITIONS = 3
# Longer inputs are attacks by size: `credentials.py`, `messages.py`.
_LONGEST = 4096
# Resident memory may grow by this much while the inputs of a kind are read.
_MAX_GROWTH = 64 * 2**20
_ROOT = Path(__file__).parents[2]
_CODE = tuple(f"{_ROOT / package}/" for package in ("server", "bridge"))

# A line of the server, or an outcome: a corpus has an example of each.
Line: TypeAlias = tuple[CodeType, int] | str


class RefusedError(Exception):
    """A declared refusal that has no exception of its own, such as None for a token."""


@dataclass(frozen=True)
class Kind:
    """A kind of input.

    `read` returns for a valid input, and raises one of `refusals` for another one. Every other
    exception is a fault. `seeds` are inputs that the server or its clients write.
    """

    name: str
    read: Callable[[bytes], object]
    refusals: tuple[type[Exception], ...]
    seeds: Callable[[], Iterable[bytes]]
    mutate: Callable[[bytes, Random], bytes] = mutated

    def outcome(self, data: bytes) -> str:
        """`accepted`, or the name of the refusal. AssertionError for a fault."""
        try:
            self.read(data)
        except (*self.refusals, RefusedError) as refused:
            return str(getattr(refused, "reason", type(refused).__name__))
        except Exception as fault:
            raise AssertionError(f"{self.name}, {encoded(data)}: {fault!r}") from fault
        return "accepted"

    def judged(self, data: bytes) -> str:
        """As `outcome`. AssertionError also for an input that takes more than the limit.

        The processor time counts, and the fastest of four calls.
        """
        outcome, taken = self._timed(data)
        for _ in range(_REPETITIONS):
            if taken <= LIMIT_MILLISECONDS:
                break
            taken = min(taken, self._timed(data)[1])
        if taken > LIMIT_MILLISECONDS:
            raise AssertionError(f"{self.name}, {encoded(data)}: {taken:.0f} ms")
        return outcome

    def _timed(self, data: bytes) -> tuple[str, float]:
        """The outcome, and the milliseconds of processor time."""
        before = time.process_time()
        return self.outcome(data), (time.process_time() - before) * 1000

    def lines(self, data: bytes) -> frozenset[Line]:
        """The lines of the server that the input reaches, and its outcome."""
        with _traced() as reached:
            try:
                outcome = self.outcome(data)
            except AssertionError:
                outcome = "fault"
        return frozenset({*reached, outcome})

    @property
    def file(self) -> Path:
        """The corpus of the kind."""
        return CORPUS / f"{self.name}.txt"

    def corpus(self) -> list[bytes]:
        """The committed inputs."""
        return [base64.b64decode(line) for line in self.file.read_text().split()]


@dataclass
class Fuzzed:
    """The result of some mutations: outcomes, faults, the new corpus, and its lines."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: dict[str, str] = field(default_factory=dict)  # by the exception, the first of each
    corpus: Sequence[bytes] = ()
    lines: int = 0
    growth: int = 0


def encoded(data: bytes) -> str:
    """An input as a line of a corpus."""
    return base64.b64encode(data).decode()


def fuzz(kind: Kind, corpus: Iterable[bytes], *, mutations: int, seed: int) -> Fuzzed:
    """Reads the corpus, the seeds, and mutations of those that reach further lines."""
    random = Random(seed)  # noqa: S311 -- a repeatable choice, not cryptography
    found, result = _Found(kind), Fuzzed()

    def mutated_inputs() -> Iterator[bytes]:
        for _ in range(mutations):
            yield kind.mutate(random.choice(found.inputs), random)[:_LONGEST]

    before = psutil.Process().memory_info().rss
    for data in chain(corpus, kind.seeds(), mutated_inputs()):
        try:
            result.outcomes[kind.judged(data)] += 1
        except AssertionError as fault:
            result.outcomes["fault"] += 1
            result.faults.setdefault(repr(fault.__cause__), str(fault))
        else:
            found.add(data)
    result.growth = psutil.Process().memory_info().rss - before
    if result.growth > _MAX_GROWTH:
        result.faults["memory"] = f"{kind.name}: memory grew by {result.growth >> 20} MiB"
    result.corpus = found.fewest()
    result.lines = len(found.lines)
    return result


class _Found:
    """Inputs, each of which reached lines that no earlier one did."""

    def __init__(self, kind: Kind) -> None:
        self.inputs: list[bytes] = []
        self.lines: set[Line] = set()
        self._kind = kind

    def add(self, data: bytes) -> None:
        """Keeps the input, as short as possible, if it reaches further lines."""
        further = self._kind.lines(data) - self.lines
        if further:
            shortest = self._shortened(data, further)
            self.inputs.append(shortest)
            self.lines |= self._kind.lines(shortest)

    def fewest(self) -> list[bytes]:
        """The shortest inputs that reach all lines together, by length."""
        missing, kept = set(self.lines), []
        for data in sorted(self.inputs, key=lambda data: (len(data), data)):
            lines = self._kind.lines(data)
            if lines & missing:
                kept.append(data)
                missing -= lines
        return kept

    def _shortened(self, data: bytes, lines: frozenset[Line]) -> bytes:
        """The input without the parts that it does not need to reach the lines."""
        size = len(data) // 2
        while size:
            at = 0
            while at < len(data):
                shorter = data[:at] + data[at + size :]
                if lines <= self._kind.lines(shorter):
                    data = shorter
                else:
                    at += size
            size //= 2
        return data


@contextlib.contextmanager
def _traced() -> Iterator[set[tuple[CodeType, int]]]:
    """Collects the lines of the server that run. A debugger or a measurement pauses meanwhile."""
    reached: set[tuple[CodeType, int]] = set()

    def line(frame: FrameType, event: str, _argument: Any) -> Any:
        if event == "line":
            reached.add((frame.f_code, frame.f_lineno))
        return line

    def call(frame: FrameType, _event: str, _argument: Any) -> Any:
        return line if frame.f_code.co_filename.startswith(_CODE) else None

    earlier = sys.gettrace()
    sys.settrace(call)
    try:
        yield reached
    finally:
        sys.settrace(earlier)
