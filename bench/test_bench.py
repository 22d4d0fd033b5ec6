"""The bench runs and fills its tables. How long anything takes is not asked."""

import asyncio
import errno
import os
import pkgutil
import re
import subprocess
import sys
import time
from asyncio.subprocess import PIPE
from pathlib import Path
from unittest import mock

import pytest

from bench.load import Measurement
from bench.processes import _clock_seconds
from bench.report import parts, write
from bench.without import PARTS

_ROOT = Path(__file__).parents[1]


async def _bench(part: str, *words: str) -> str:
    """The report of the bench when nothing goes wrong."""
    return await _printed("bench", "--part", part, "--rounds", "1", "--seconds", "0.2", *words)


async def _printed(module: str, *words: str) -> str:
    """The output of a module of the bench when nothing goes wrong."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module, *words),
        cwd=_ROOT,
        env=os.environ,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
    )
    output, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    return output.decode()


def _rows(report: str, heading: str) -> list[list[str]]:
    """The cells of the table whose first column has this heading."""
    table = report.partition(f"| {heading} | ")[2].partition("\n\n")[0]
    return [re.split(r" *\| *", line.strip("| ")) for line in table.splitlines()[2:]]


async def test_the_functions_on_the_way_of_a_call_are_counted() -> None:
    report = await _printed("bench.path", "--list")

    counted = {name: int(functions) for name, _files, functions in _rows(report, "UpdateIDP")}
    assert counted.keys() == {"native", "grpc-web", "json"}
    assert all(report.count(f"\n{name}\n") == 1 for name in counted)
    assert report.count("server/rpc/methods.py Methods.answer") == len(counted)


async def test_every_target_is_called_and_compared() -> None:
    report = await _bench("calls", "--operation", "UpdateIDP", "--callers", "2")
    rows = _rows(report, "operation")
    assert [row[:3] for row in rows] == [
        ["UpdateIDP", "2", target] for target in ("floor", "native", "grpc-web", "json")
    ]
    for row in rows:
        assert all(float(figure) > 0 for figure in row[3:9])
    assert all("(" in ratio for row in rows[1:] for ratio in row[9:10])


@pytest.mark.parametrize("operation", ["SMTPConfig", "Passkey"])
async def test_operations_of_two_calls_are_answered_by_the_floor_and_the_product(
    operation: str,
) -> None:
    report = await _bench("calls", "--operation", operation, "--callers", "2")
    assert [row[2] for row in _rows(report, "operation")] == ["floor", "native"]


async def test_only_what_has_not_changed_since_the_checkpoint_writes_whole_pages() -> None:
    report = await _bench("log", "--events", "200000")
    [by_size] = _rows(report, "UpdateIDP of 1,000 identity providers")
    few, any_of_all = _rows(report, "UpdateIDP with 200,000 events, of so many identity providers")
    assert [by_size[0], few[0], any_of_all[0]] == ["200,000 events", "1,000", "20,000"]
    wal_bytes, full_pages = 7, 8
    assert float(any_of_all[wal_bytes]) > float(few[wal_bytes]) > 100
    of_all = float(any_of_all[full_pages])
    assert float(by_size[full_pages]) < of_all / 2
    assert float(few[full_pages]) < of_all / 2


def test_the_clock_of_a_process_is_its_processor_time() -> None:
    before = time.process_time()
    counted = _clock_seconds(os.getpid())
    assert before <= counted <= time.process_time()


def test_a_process_that_is_gone_has_no_clock() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    with pytest.raises(OSError, match=os.strerror(errno.ESRCH)):
        _clock_seconds(process.pid)


def test_results_replace_those_of_before(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- results: begin -->\nold\n<!-- results: end -->\nafter\n")
    write(readme, "new\n")
    write(readme, "newer\n")
    assert readme.read_text() == (
        "before\n<!-- results: begin -->\n\nnewer\n\n<!-- results: end -->\nafter\n"
    )


@pytest.mark.parametrize("part", PARTS)
def test_what_is_taken_out_is_there(part: str) -> None:
    target, replacement = PARTS[part]
    with mock.patch(target, replacement):
        assert pkgutil.resolve_name(target) is replacement


def test_parts_are_what_the_whole_takes_more_than_the_rest() -> None:
    def took(*cpu_us: float) -> list[Measurement]:
        return [Measurement(1, each, 0, 1, 1, 1) for each in cpu_us]

    report = parts(
        [took(600, 610, 620), took(350, 350, 350)],
        {"metrics": [took(600, 600, 600), took(590, 585, 580)]},
    )

    assert _rows(report, "part of a native UpdateIDP beyond the floor") == [
        ["metrics", "15 (10..20)"],
        ["everything else", "245"],
        ["all of it", "260 (250..270)"],
    ]
