"""The scenarios of `make chaos` with small numbers."""

from collections.abc import Iterator

import pytest

from chaos.report import Report
from chaos.scenarios import SCENARIOS, perform
from chaos.stage import SMALL, Stage


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One PostgreSQL for all scenarios; each scenario leaves it running."""
    with Stage.built(tmp_path_factory.mktemp("chaos")) as stage:
        yield stage


@pytest.mark.parametrize("name", SCENARIOS)
async def test_every_promise_is_kept(stage: Stage, name: str) -> None:
    report = await perform(name, stage, SMALL)

    if report.not_tried:
        pytest.skip(report.not_tried)
    assert report.promises
    assert not report.broken, str(report)


def test_evidence_against_a_promise_breaks_it() -> None:
    report = Report("fault", "Something breaks.")
    report.promise("nothing is lost", unless=[])
    report.promise("everybody is answered", unless=["one", "two", "three", "four"])

    assert [promise.text for promise in report.broken] == ["everybody is answered"]
    assert "kept    nothing is lost" in str(report)
    assert "BROKEN  everybody is answered" in str(report)
    assert "and 1 more" in str(report)
