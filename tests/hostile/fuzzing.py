"""Fuzzing of a running server, with a corpus that has one input for each outcome.

An outcome is the status of an answer and its reason. The corpus has one file for each kind of
input, and one line for each outcome of a place: the outcome, the place, and bytes with the escapes
of Python, with tabs between them. An identifier or a secret of the attacked server is its name in
braces, so a line has the same outcome on the next server (decision 31).
"""

import asyncio
import contextlib
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from random import Random
from typing import NamedTuple, Self

from tests.passkey.attacks import mutated

CORPUS = Path(__file__).parent / "corpus"

# The server may wait for the rest of a request: the client gives up first.
_INCOMPLETE_SECONDS = 0.1
_PATIENCE_SECONDS = 30
# An answer that takes longer is slow. 4 MB of JSON take 0.14 s.
LIMIT_SECONDS = 0.25
# Mutations of longer inputs are attacks by size, which the seeds have already.
_LONGEST = 4096
CLOSED = "closed without an answer"
_ANSWER = re.compile(
    rb"^HTTP/1\.1 ([2-5]\d\d) [^\r]*\r\n.*?\r\n\r\n(?=(.?))", re.DOTALL | re.MULTILINE
)
# Of JSON, of OAuth, and of redirects to the page or the application.
_REASON = re.compile(
    rb'"reason": ?"(\w+)"(?:[^}]*"path": ?"([\w.]+)")?'
    rb'|\((\w+)(?:, request [^)]*)?\)"|[#?&]error=(\w+)'
)
_FAULTS = {"500", "502", "504"}


class Input(NamedTuple):
    """Bytes of a client, and the place in its requests."""

    place: str
    data: bytes

    def __str__(self) -> str:
        text = self.data.decode("latin-1").encode("unicode_escape").decode()
        return f"{self.place}\t{text}"


class Line(NamedTuple):
    """A line of the corpus: an input and its outcome."""

    outcome: str
    input: Input

    def __str__(self) -> str:
        return f"{self.outcome}\t{self.input}\n"

    @classmethod
    def read(cls, line: str) -> Self:
        """The line with this text."""
        outcome, place, text = line.rstrip("\n").split("\t")
        data = text.encode().decode("unicode_escape").encode("latin-1")
        return cls(outcome, Input(place, data))


@dataclass(frozen=True)
class Kind:
    """A kind of input. `request` makes the bytes of a connection from an input.

    The server may close the connection of a kind that `may_be_incomplete` without an answer.
    `names` returns the identifiers and secrets of the server that inputs contain.
    """

    name: str
    port: int
    seeds: Sequence[Input]
    request: Callable[[Input], bytes]
    mutate: Callable[[bytes, Random], bytes] = mutated
    may_be_incomplete: bool = False
    names: Callable[[], Mapping[str, str]] = dict
    folder: Path = CORPUS

    def corpus(self) -> Sequence[Line]:
        """The lines of the corpus, in the order in which they were found."""
        if not self._file.exists():
            return []
        return [Line.read(line) for line in self._file.read_text().splitlines()]

    def keep(self, line: Line) -> None:
        """Adds a line to the corpus."""
        with self._file.open("a") as file:
            file.write(str(line))

    async def outcome(self, each: Input, *, is_complete: bool = False) -> str:
        """The status and the reason of the worst answer to the input."""
        waits = is_complete or not self.may_be_incomplete
        request = self.request(Input(each.place, _with_values(each.data, self.names())))
        answer = await _exchanged(
            self.port, request, _PATIENCE_SECONDS if waits else _INCOMPLETE_SECONDS
        )
        worst = max(_ANSWER.finditer(answer), key=lambda each: each[1], default=None)
        if worst is None:
            return CLOSED
        status, found = worst[1].decode(), _REASON.search(answer, worst.start())
        if found is None:
            return f"{status} without a reason" if status >= "400" and worst[2] else status
        return b" ".join((status.encode(), *filter(None, found.groups()))).decode()

    def is_fault(self, outcome: str) -> bool:
        """Whether no input may have this outcome."""
        if outcome == CLOSED:
            return not self.may_be_incomplete
        status, _, reason = outcome.partition(" ")
        return status in _FAULTS or reason in ("INTERNAL", "without a reason")

    def mutation(self, each: Input, random: Random) -> Input:
        """Another input."""
        values = self.names()
        data = self.mutate(_with_values(each.data, values)[:_LONGEST], random)
        return Input(each.place, with_names(data, values))

    @property
    def _file(self) -> Path:
        return self.folder / f"{self.name}.txt"


def with_names(data: bytes, values: Mapping[str, str]) -> bytes:
    """The data with names in place of these values."""
    for name, value in values.items():
        data = data.replace(value.encode(), b"{%b}" % name.encode())
    return data


def _with_values(data: bytes, values: Mapping[str, str]) -> bytes:
    for name, value in values.items():
        data = data.replace(b"{%b}" % name.encode(), value.encode())
    return data


async def replay(kind: Kind) -> Sequence[str]:
    """Sends the corpus. Returns its lines with another outcome, or with a fault."""
    wrong = []
    for number, (expected, each) in enumerate(kind.corpus(), 1):
        outcome = await kind.outcome(each, is_complete=expected != CLOSED)
        if outcome != expected or kind.is_fault(outcome):
            line = f"{kind.name}.txt:{number}: {outcome} instead of {expected}: {each}"
            wrong.append(line[:_LONGEST])
    return wrong


@dataclass
class Fuzzed:
    """The number of inputs by outcome, the first fault of each outcome, and slow inputs."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slow: list[Input] = field(default_factory=list)


async def fuzz(
    kind: Kind, mutations: int, random: Random, keep: Callable[[Line], object] | None = None
) -> Fuzzed:
    """Sends the seeds, and mutations of seeds and corpus.

    `keep` gets, shortened, the first input of each outcome of a place that the corpus lacks.
    """
    result, corpus = Fuzzed(), kind.corpus()
    kept = {(line.outcome, line.input.place) for line in corpus}
    bases = [each for each in kind.seeds if len(each.data) <= _LONGEST]
    bases += [line.input for line in corpus]
    mutants = (kind.mutation(random.choice(bases), random) for _ in range(mutations))
    for each in chain(kind.seeds, mutants):
        started = time.perf_counter()
        outcome = await kind.outcome(each)
        if time.perf_counter() - started > LIMIT_SECONDS and not kind.may_be_incomplete:
            result.slow.append(each)
        if outcome not in result.outcomes and kind.is_fault(outcome):
            result.faults.append(f"{kind.name}: {outcome}: {each}"[:_LONGEST])
        result.outcomes[outcome] += 1
        if keep and (outcome, each.place) not in kept and len(each.data) <= _LONGEST:
            kept.add((outcome, each.place))
            line = Line(outcome, await _shortened(kind, each, outcome))
            bases.append(line.input)
            keep(line)
    return result


async def _shortened(kind: Kind, each: Input, outcome: str) -> Input:
    """The input without the parts that it does not need for the outcome.

    An input without an answer stays as it is: it may have ended the server.
    """
    place, data = each
    size = 0 if outcome == CLOSED else len(data) // 2
    while size:
        at = 0
        while at < len(data):
            shorter = data[:at] + data[at + size :]
            if await kind.outcome(Input(place, shorter)) == outcome:
                data = shorter
            else:
                at += size
        size //= 2
    return Input(place, data)


async def _exchanged(port: int, request: bytes, patience: float) -> bytes:
    """The answer to the bytes. Without a first byte within the patience, the client gives up."""
    answer = b""
    with contextlib.suppress(ConnectionError):  # a refused request is not read to its end
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        with contextlib.closing(writer):
            writer.write(request)
            with contextlib.suppress(TimeoutError):
                answer = await asyncio.wait_for(reader.read(2**16), patience)
            writer.write_eof()
            answer += await asyncio.wait_for(reader.read(), _PATIENCE_SECONDS)
    return answer
