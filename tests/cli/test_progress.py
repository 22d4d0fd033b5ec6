"""The progress of a long command."""

import io

from server.cli.progress import ProgressLine
from server.operate.rebuild.run import RebuildStep
from server.values.progress import Progress


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _shown(file: io.StringIO) -> str:
    """The output of 22 seconds with a batch of 125 events every eighth of a second."""
    now = 0.0
    line = ProgressLine(file, clock=lambda: now)
    line.tell(Progress("Looking for inserted events"))
    line.tell(Progress(RebuildStep.REPLAY, 2_000, 24_000))
    for batch in range(176):
        now += 0.125
        line.tell(Progress(RebuildStep.REPLAY, 2_000 + 125 * (batch + 1), 24_000))
    line.tell(Progress(RebuildStep.COMPARE))
    line.end()
    return file.getvalue()


def test_a_file_gets_a_line_every_ten_seconds() -> None:
    assert _shown(io.StringIO()).splitlines() == [
        "Replaying: 12,000 of 24,000 events (50 %), 1,000 a second, 0:00:12 left",
        "Replaying: 22,000 of 24,000 events (91 %), 1,000 a second, 0:00:02 left",
    ]


def test_a_terminal_gets_one_line_a_step_that_is_redrawn() -> None:
    looking, replaying, comparing = _shown(_Terminal()).rstrip("\n").split("\n")

    assert looking == "\rLooking for inserted events ...\x1b[K"
    assert 70 < replaying.count("\r") < 120
    assert ", 1,000 a second, 0:00:12 left" in replaying
    assert comparing == "\rComparing ...\x1b[K"
