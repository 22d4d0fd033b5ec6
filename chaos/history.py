"""Histories of calls as JSON lines, and the judge that checks them (`chaos/judge`, in Go)."""

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

_JUDGE = Path(__file__).parent / "judge"


@dataclass(slots=True)
class Made:
    """A call on an object, as the judge reads it: `value` is written or was read.

    Times are nanoseconds of `time.monotonic_ns`. `end` 0: no answer. `stale`: the age that the
    answer to a read may have.
    """

    client: int
    object: str
    write: bool
    value: str
    begin: int = field(default_factory=time.monotonic_ns)
    end: int = 0
    stale: int = 0

    def ended(self) -> None:
        """Records the time of the answer."""
        self.end = time.monotonic_ns()


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict of the judge, as text."""

    is_linearizable: bool
    text: str


async def judged(history: Sequence[Made], folder: Path) -> Judgement:
    """Has the judge check a history. Writes it and the program into the directory."""
    path, program = folder / "history.jsonl", folder / "judge"
    path.write_text("".join(json.dumps(asdict(each)) + "\n" for each in history))
    status, output = await _run("go", "build", "-o", str(program), ".")
    if status == 0:
        status, output = await _run(str(program), str(path))
    if status > 1:
        raise RuntimeError(output)
    return Judgement(status == 0, output.strip())


async def _run(*command: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=_JUDGE,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    return process.returncode or 0, output.decode()
