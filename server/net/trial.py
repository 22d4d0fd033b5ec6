"""The steps of a test of a remote server: TestSMTPConfig and TestOIDCConfig."""

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class Step:
    """One step, with the fields of `SMTPTestStep` and `OIDCTestStep`.

    `message` is for people, and names the remedy of a failure. `reason` (empty after a success) and
    `facts` are for programs.
    """

    name: str
    succeeded: bool = False
    seconds: float = 0
    reason: str = ""
    message: str = ""
    facts: dict[str, str] = field(default_factory=dict)


@contextlib.contextmanager
def recorded(steps: list[Step], name: str) -> Iterator[Step]:
    """Adds a step that lasts as long as the block, and has succeeded unless the block raises."""
    step, started = Step(name), time.perf_counter()
    steps.append(step)
    try:
        yield step
        step.succeeded = True
    finally:
        step.seconds = time.perf_counter() - started
