"""Fuzzing of a running server, with a corpus that has one input for each outcome.

An outcome is the status of an answer and its reason. The corpus has one file for each kind of
input, and one line for each input: its place, a tab, and its bytes with the escapes of Python. An
identifier or a secret of the attacked server is its name in braces, so an input is valid for the
next server, too.
"""

import asyncio
import contextlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.passkey.attacks import mutated

CORPUS = Path(__file__).parent / "corpus"

# The server may wait for the rest of a request: the client gives up first.
_INCOMPLETE_SECONDS = 0.1
_PATIENCE_SECONDS = 30
# Mutations of longer inputs are attacks by size, which the seeds have already.
_LONGEST = 4096
_CLOSED = "closed without an answer"
_ANSWER = re.compile(rb"^HTTP/1\.1 ([2-5]\d\d) [^\r]*\r\n.*?\r\n\r\n(.?)", re.DOTALL | re.MULTILINE)
# Of JSON, of OAuth, and of redirects to the page or the application.
_REASON = re.compile(
    rb'"reason": ?"(\w+)"(?:[^}]*"path": ?"([\w.]+)")?|\((\w+)\)"|[#?&]error=(\w+)'
)
_FAULTS = {"500", "502", "504"}


class Input(NamedTuple):
    """Bytes of a client, and the place in its requests."""

    place: str
    data: bytes

    def line(self) -> str:
        """The line of the corpus."""
        return f"{self.place}\t{self.data.decode('latin-1').encode('unicode_escape').decode()}\n"

    @classmethod
    def read(cls, line: str) -> "Input":
        """The input of a line of the corpus."""
        place, _, text = line.rstrip("\n").partition("\t")
        return cls(place, text.encode().decode("unicode_escape").encode("latin-1"))


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

    def corpus(self) -> Sequence[Input]:
        """The kept inputs, in the order in which they were found."""
        if not self._file.exists():
            return []
        return [Input.read(line) for line in self._file.open(newline="\n")]

    def keep(self, each: Input) -> None:
        """Adds an input to the corpus."""
        with self._file.open("a", newline="\n") as file:
            file.write(each.line())

    async def outcome(self, each: Input) -> str:
        """The status and the reason of the worst answer to the input."""
        patience = _INCOMPLETE_SECONDS if self.may_be_incomplete else _PATIENCE_SECONDS
        request = self.request(Input(each.place, self._with_values(each.data)))
        answer = await _exchanged(self.port, request, patience)
        answers = [(status.decode(), body) for status, body in _ANSWER.findall(answer)]
        status, body = max(answers, default=(_CLOSED, b""))
        found = _REASON.search(answer)
        if found is None:
            return f"{status} without a reason" if status >= "400" and body else status
        return b" ".join((status.encode(), *filter(None, found.groups()))).decode()

    def is_fault(self, outcome: str) -> bool:
        """Whether no input may have this outcome."""
        if outcome == _CLOSED:
            return not self.may_be_incomplete
        status, _, reason = outcome.partition(" ")
        return status in _FAULTS or reason in ("INTERNAL", "without a reason")

    def mutations(self, inputs: Sequence[Input], count: int, random: Random) -> Iterator[Input]:
        """Mutations of the inputs, to which the caller may add."""
        for _ in range(count):
            place, data = random.choice(inputs)
            changed = self.mutate(self._with_values(data)[:_LONGEST], random)
            yield Input(place, self.with_names(changed))

    def with_names(self, data: bytes) -> bytes:
        """The data with the names of identifiers and secrets."""
        for name, value in self.names().items():
            data = data.replace(value.encode(), b"{%b}" % name.encode())
        return data

    def _with_values(self, data: bytes) -> bytes:
        for name, value in self.names().items():
            data = data.replace(b"{%b}" % name.encode(), value.encode())
        return data

    @property
    def _file(self) -> Path:
        return self.folder / f"{self.name}.txt"


@dataclass
class Fuzzed:
    """The number of inputs by outcome, and the faults: the first of each outcome."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


async def fuzz(
    kind: Kind, mutations: int, random: Random, keep: Callable[[Input], object] | None = None
) -> Fuzzed:
    """Sends the corpus, the seeds, and mutations of both.

    `keep` gets, shortened, the first input of each outcome that no input of the corpus has.
    """
    result, corpus = Fuzzed(), kind.corpus()
    bases = [*corpus, *(each for each in kind.seeds if len(each.data) <= _LONGEST)]
    inputs = chain(corpus, kind.seeds, kind.mutations(bases, mutations, random))
    kept: set[str] = set()
    for number, each in enumerate(inputs):
        outcome = await kind.outcome(each)
        if outcome not in result.outcomes and kind.is_fault(outcome):
            result.faults.append(f"{kind.name}: {outcome}: {each.line()[:1000]}")
        result.outcomes[outcome] += 1
        if number < len(corpus):
            kept.add(outcome)
        elif keep and outcome not in kept and len(each.data) <= _LONGEST:
            kept.add(outcome)
            shortest = await _shortened(kind, each, outcome)
            bases.append(shortest)
            keep(shortest)
    return result


async def _shortened(kind: Kind, each: Input, outcome: str) -> Input:
    """The input without the parts that it does not need for the outcome.

    An input without an answer stays as it is: it may have ended the server.
    """
    place, data = each
    size = 0 if outcome == _CLOSED else len(data) // 2
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
