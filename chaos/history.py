"""Histories of calls as JSON lines, and the judge that checks them (`chaos/judge`, in Go)."""

import asyncio
import json
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

_JUDGE = Path(__file__).parent / "judge"
_POLL_SECONDS = 0.005
OK = "OK"


@dataclass(slots=True)
class Made:
    """A call on an object, as the judge reads it: its name in the model, argument and answer.

    The answer is `OK`, a value, or the name of a status. Times are nanoseconds of
    `time.monotonic_ns`. `end` 0: no answer, so it may have been executed. `stale`: the age that
    the answer to a read may have.
    """

    client: int
    model: str
    object: str
    name: str
    argument: str = ""
    answer: str = ""
    begin: int = field(default_factory=time.monotonic_ns)
    end: int = 0
    stale: int = 0


@dataclass(slots=True)
class History:
    """The calls of all clients on all objects."""

    calls: list[Made] = field(default_factory=list)
    answered: int = 0

    def add(self, made: Made, answer: str) -> None:
        """Adds a call that was answered now."""
        made.answer, made.end = answer, time.monotonic_ns()
        self.answered += 1
        self.calls.append(made)

    async def more(self, number: int) -> None:
        """Waits until this many more calls are answered."""
        enough = self.answered + number
        while self.answered < enough:  # noqa: ASYNC110 -- there is no event
            await asyncio.sleep(_POLL_SECONDS)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict of the judge, as text: a line for each model, after those of its violations."""

    is_linearizable: bool
    text: str


async def judged(history: Iterable[Made], folder: Path, name: str = "history") -> Judgement:
    """Has the judge check a history. Writes it and the program into the directory."""
    path, program = folder / f"{name}.jsonl", folder / "judge"
    with path.open("w") as lines:
        lines.writelines(json.dumps(asdict(each)) + "\n" for each in history)
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
