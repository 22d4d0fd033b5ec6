"""Every input of the corpus has an answer that is declared; mutations add to the corpus."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.hostile.fuzzing import CLOSED, CORPUS, Input, Kind, Line, fuzz, replay
from tests.hostile.kinds import KINDS, Site, kind
from tests.hostile.target import Target

_MAX_BYTES = 100_000


@pytest.fixture
async def site(target: Target) -> Site:
    return await Site.of(target)


@pytest.mark.parametrize("name", KINDS)
async def test_the_corpus_has_its_outcomes_and_no_seed_is_answered_as_a_fault(
    target: Target, site: Site, name: str
) -> None:
    await target.errors()
    replayed = kind(site, name)

    assert not await replay(replayed)
    assert not (await fuzz(replayed, 0, Random(1))).faults  # noqa: S311 -- no mutations
    assert not await target.errors()
    assert "Traceback" not in target.server.errors
    assert not site.leaked()


def test_the_corpus_is_small_and_each_file_is_read() -> None:
    files = list(CORPUS.iterdir())

    assert {file.stem for file in files} == set(KINDS)
    assert sum(file.stat().st_size for file in files) < _MAX_BYTES


async def test_a_mutation_with_another_outcome_is_added_shortened(
    site: Site, tmp_path: Path
) -> None:
    filters = replace(kind(site, "filter"), folder=tmp_path)

    result = await fuzz(filters, 50, Random(1), filters.keep)  # noqa: S311 -- a repeatable choice

    kept = filters.corpus()
    assert {line.outcome for line in kept} == result.outcomes.keys()
    assert len({(line.outcome, line.input.place) for line in kept}) == len(kept)
    assert min(len(line.input.data) for line in kept) < 10
    assert not await replay(filters)


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """As a server with a fault for inputs that contain `x`, and no answer to those with `y`."""
    data = await reader.read(1000)
    if b"x" in data:
        writer.write(b'HTTP/1.1 500 No\r\na: b\r\n\r\n{"reason":"INTERNAL"}')
    elif b"y" not in data:
        writer.write(b"HTTP/1.1 200 OK\r\na: b\r\n\r\n")
    writer.close()


@contextlib.asynccontextmanager
async def _faulty() -> AsyncIterator[Kind]:
    """A kind of a server with a fault."""
    async with await asyncio.start_server(_answer, "127.0.0.1") as server:
        port = server.sockets[0].getsockname()[1]
        yield Kind(
            "faulty",
            port,
            [Input("a place", b"abcd")],
            lambda each: b"input " + each.data,
            lambda data, random: random.choice([b"abxcd", b"abcyd"]),
            names=lambda: {"name": "abc"},
        )


async def test_a_mutation_that_is_answered_as_a_fault_is_added_and_reported(tmp_path: Path) -> None:
    async with _faulty() as faulty:
        kind = replace(faulty, folder=tmp_path)

        result = await fuzz(kind, 20, Random(1), kind.keep)  # noqa: S311 -- a repeatable choice

        assert sorted(kind.corpus()) == [
            Line("200", Input("a place", b"")),
            Line("500 INTERNAL", Input("a place", b"x")),
            Line(CLOSED, Input("a place", b"{name}yd")),
        ]
        assert sorted(result.faults) == [
            "faulty: 500 INTERNAL: a place\tabxcd",
            "faulty: closed without an answer: a place\t{name}yd",
        ]


async def test_a_line_with_a_fault_or_another_outcome_is_reported_by_its_number(
    tmp_path: Path,
) -> None:
    async with _faulty() as faulty:
        kind = replace(faulty, folder=tmp_path)
        for outcome, data in (("200", b"ok"), ("500 INTERNAL", b"x\n"), ("400", b"ok")):
            kind.keep(Line(outcome, Input("a place", data)))

        assert await replay(kind) == [
            "faulty.txt:2: 500 INTERNAL instead of 500 INTERNAL: a place\tx\\n",
            "faulty.txt:3: 200 instead of 400: a place\tok",
        ]


@pytest.mark.parametrize("data", [b"", b"\0\t\r\n\\n \xff{name}", "é{".encode(), bytes(range(256))])
def test_a_line_has_an_input_and_its_outcome(data: bytes) -> None:
    line = Line("400 REASON", Input("a place", data))

    assert str(line).splitlines() == [str(line).rstrip("\n")]
    assert str(line).isascii()
    assert Line.read(str(line)) == line
