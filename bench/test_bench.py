"""The bench runs and fills its tables. Durations are not checked."""

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
from bench.parts import OPERATIONS
from bench.processes import _clock_seconds
from bench.report import parts, write
from bench.without import PARTS

# Long tests come first, so that each of them has a worker from the start.
_ROOT = Path(__file__).parents[1]


async def _bench(part: str, *words: str) -> str:
    """The report of a successful run of the bench."""
    return await _printed("bench", "--part", part, "--rounds", "1", "--seconds", "0.2", *words)


async def _printed(module: str, *words: str) -> str:
    """The output of a successful run of a module of the bench."""
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
    assert b"Traceback" not in errors, errors.decode()
    return output.decode()


def _rows(report: str, heading: str) -> list[list[str]]:
    """The cells of the table whose first column has this heading."""
    table = report.partition(f"| {heading} | ")[2].partition("\n\n")[0]
    return [re.split(r" *\| *", line.strip("| ")) for line in table.splitlines()[2:]]


# Half a minute of it waits for the counters of PostgreSQL.
async def test_anonymous_callers_who_start_sign_ins_cost_no_row_and_no_statement() -> None:
    report = await _bench("flood", "--starts", "3000")

    alone, beside = _rows(report, "CompletePasskeySignIn, 32 callers")
    assert beside[0] == "beside 3000 starts"
    assert all(float(figure) > 0 for figure in (*alone[1:], *beside[1:]))
    costs = {name: figures for name, *figures in _rows(report, "the flood")}
    assert costs["rows beyond those of the sign-ins"] == ["0", "0"]
    background, during = map(float, costs["transactions per second beyond two a sign-in"])
    # Without calls, the server reads its database about six times a second.
    assert abs(during - background) < 5
    beside_resets = _rows(report, "resets per second")
    assert [row[0] for row in beside_resets] == ["0", "2000", "4000", "16000"]
    assert all(float(figure) > 0 for row in beside_resets for figure in row[1:])


async def test_every_operation_is_called_on_each_of_its_targets() -> None:
    report = await _bench("calls", "--callers", "4")

    rows = _rows(report, "operation")
    assert [row[:3] for row in rows] == [
        [operation, "4", target] for operation, targets in OPERATIONS.items() for target in targets
    ]
    for row in rows:
        cpu, postgresql, *others = map(float, row[3:9])
        assert min(cpu, *others) > 0, row
        # The server remembers the people at the gate, so PostgreSQL may have no work.
        assert postgresql > 0 or row[0] == "GateCheck", row
        ratio_to_floor = row[9:10]
        assert any("(" in ratio for ratio in ratio_to_floor) == (row[2] != "floor")
    goals = [row[0] for row in _rows(report, "CPU per request")]
    assert goals == [
        f"UpdateIDP, {pair}" for pair in ("native ÷ floor", "grpc-web ÷ native", "json ÷ native")
    ]
    figures = {tuple(row[:2]): row[2:] for row in _rows(report, "4 callers")}
    judged = [cell for cell, (*_, met) in figures.items() if met in ("yes", "no")]
    assert judged == [
        ("SignIn", "native"),
        ("SignIn", "json"),
        ("CodeFlow", "native"),
        ("CodeFlow", "json"),
        ("ClientCredentials", "json"),
        ("Refresh", "json"),
        ("GateCheck", "native"),
    ]
    for per_second, p99, *_ in figures.values():
        assert float(per_second.split()[0]) > 0
        assert float(p99) > 0


async def test_watchers_of_the_product_and_the_floor_are_told_all_ends() -> None:
    report = await _bench("watch", "--watchers", "60")

    assert [row[0] for row in _rows(report, "60 watchers")] == ["floor", "native"]


async def test_webhooks_arrive_beside_dead_targets() -> None:
    report = await _bench("push", "--deliveries", "100", "--dead", "100")

    rows = _rows(report, "100 webhooks")
    assert [row[0] for row in rows] == ["alone", "beside 100 dead targets"]
    assert all(float(figure) > 0 for row in rows for figure in row[1:6])


async def test_the_time_of_a_call_grows_by_its_round_trips_to_the_database() -> None:
    words = [word for each in ("UpdateIDP", "SignIn") for word in ("--operation", each)]
    report = await _bench("distance", *words)

    trips = {row[1]: round(float(row[-1])) for row in _rows(report, "operation")}
    assert trips == {
        "": 1,
        "UpdateIDP": 1,
        "StartPasskeySignIn": 0,
        "CompletePasskeySignIn": 2,
    }


async def test_a_server_beside_a_standby_reads_there_and_refuses_writes() -> None:
    report = await _bench("regions")

    for _name, beside, far in _rows(report, "p50 ms"):
        assert float(beside) < 80 < float(far)
    assert {(status, reason) for _, status, reason in _rows(report, "beside the standby")} == {
        ("UNAVAILABLE", "DATABASE_UNAVAILABLE")
    }
    ages = _rows(report, "beside the standby, after the primary's answer")
    assert all(float(row[1]) > 0 for row in ages)
    assert [row[1] for row in _rows(report, "an ended session that was not in use")] == ["1 of 1"]


async def test_positions_are_assigned_to_all_waiting_events() -> None:
    report = await _bench("positions", "--events", "10000")

    [row] = _rows(report, "10,000 events")
    assert all(float(figure) > 0 for figure in row[1:])


async def test_a_file_is_applied_once() -> None:
    report = await _bench("apply", "--objects", "40")

    rows = _rows(report, "40 objects")
    assert [row[0] for row in rows] == ["`keystead apply`", "`keystead plan --check` of the same"]
    assert all(float(row[2]) > 0 for row in rows)


async def test_an_import_that_is_killed_twice_is_complete() -> None:
    report = await _bench("import", "--users", "3000")

    assert len(_rows(report, "3,000 users")) == 3
    [[_, *rates]] = _rows(report, "all runs")
    assert all(float(rate) > 0 for rate in rates)


async def test_people_of_another_system_sign_in_with_the_passkeys_they_had() -> None:
    report = await _bench("realm", "--people", "100")

    assert [row[0] for row in _rows(report, "100 people")] == ["migrate", "apply", "import"]
    assert [row[0] for row in _rows(report, "imported passkeys that signed in")] == ["100 of 100"]


async def test_traced_calls_are_compared_with_calls_that_are_not() -> None:
    report = await _bench("tracing")

    for name in ("UpdateIDP, native", "UpdateIDP, json", "GetIDP, native", "GetIDP, json"):
        assert [row[0] for row in _rows(report, f"{name}, traced")] == ["none", "a tenth", "all"]


async def test_only_the_first_change_of_a_page_after_a_checkpoint_writes_the_whole_page() -> None:
    report = await _bench("log", "--events", "200000")
    [by_size] = _rows(report, "UpdateIDP of 1,000 identity providers")
    few, any_of_all = _rows(
        report, "UpdateIDP with 200,000 events, by number of identity providers"
    )
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


def test_results_replace_earlier_results(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- results: begin -->\nold\n<!-- results: end -->\nafter\n")
    write(readme, "new\n")
    write(readme, "newer\n")
    assert readme.read_text() == (
        "before\n<!-- results: begin -->\n\nnewer\n\n<!-- results: end -->\nafter\n"
    )


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_replaced(part: str) -> None:
    target, replacement = PARTS[part]
    with mock.patch(target, replacement):
        assert pkgutil.resolve_name(target) is replacement


def test_the_cost_of_a_part_is_the_difference_to_the_server_without_it() -> None:
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


async def test_a_checkout_is_compared_with_itself() -> None:
    load = ("--operation", "UpdateIDP", "--transport", "json", "--callers", "2")
    report = await _printed("bench.against", str(_ROOT), *load, "--rounds", "1", "--seconds", "0.2")

    before, now = _rows(report, "UpdateIDP, json, 2 callers")
    assert (before[0], now[0]) == ("before", "now")
    assert before[-3:] == ["1", "1", "1"]
    for ratio in now[-3:]:
        assert float(ratio.split()[0]) > 0


async def test_the_functions_on_the_way_of_a_call_are_counted() -> None:
    report = await _printed("bench.path", "--list")

    counted = {name: int(functions) for name, _files, functions in _rows(report, "UpdateIDP")}
    assert counted.keys() == {"native", "grpc-web", "json"}
    assert all(report.count(f"\n{name}\n") == 1 for name in counted)
    assert report.count("server/rpc/methods.py Methods.answer") == len(counted)
