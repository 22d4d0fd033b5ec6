"""Every input of the corpus has an answer that is declared; mutations add to the corpus."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.hostile.fuzzing import CORPUS, Input, Kind, fuzz
from tests.hostile.kinds import KINDS, Site, kind
from tests.hostile.target import Target

_MAX_BYTES = 100_000


@pytest.fixture(scope="module")
async def site(target: Target) -> Site:
    return await Site.of(target)


@pytest.mark.parametrize("name", KINDS)
async def test_no_input_of_the_corpus_is_answered_as_a_fault(
    target: Target, site: Site, name: str
) -> None:
    await target.errors()

    result = await fuzz(kind(site, name), 0, Random(1))  # noqa: S311 -- no mutations

    assert not result.faults
    assert len(result.outcomes) > 1
    assert any(outcome[0] in "23" for outcome in result.outcomes), result.outcomes
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
    forms = replace(kind(site, "oauth_form"), folder=tmp_path)

    result = await fuzz(forms, 100, Random(1), forms.keep)  # noqa: S311 -- a repeatable choice

    kept = forms.corpus()
    assert [await forms.outcome(each) for each in kept] == list(result.outcomes)
    assert min(len(each.data) for each in kept) < 10
    again = await fuzz(forms, 0, Random(1), pytest.fail)  # noqa: S311 -- no mutations
    assert again.outcomes.keys() >= result.outcomes.keys()


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
            lambda each: each.data,
            lambda data, random: random.choice([b"abxcd", b"abcyd"]),
            names=lambda: {"name": "abc"},
        )


async def test_a_mutation_that_is_answered_as_a_fault_is_added_and_reported(tmp_path: Path) -> None:
    async with _faulty() as faulty:
        kind = replace(faulty, folder=tmp_path)

        result = await fuzz(kind, 20, Random(1), kind.keep)  # noqa: S311 -- a repeatable choice

        assert sorted(kind.corpus()) == [
            Input("a place", b""),
            Input("a place", b"x"),
            Input("a place", b"{name}yd"),
        ]
        assert sorted(fault.partition(": a place")[0] for fault in result.faults) == [
            "faulty: 500 INTERNAL",
            "faulty: closed without an answer",
        ]
        assert (await fuzz(kind, 0, Random(1))).faults == result.faults  # noqa: S311


@pytest.mark.parametrize("data", [b"", b"\0\t\r\n\\n \xff{name}", "é{".encode(), bytes(range(256))])
def test_an_input_is_a_line_of_the_corpus(data: bytes) -> None:
    line = Input("a place", data).line()

    assert line.count("\n") == 1
    assert line.isascii()
    assert Input.read(line) == Input("a place", data)
