"""Programs that test by themselves: run to their end with what they need to know, and bounded."""

import asyncio
import contextlib
import os
import shutil
import signal
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
ARTIFACTS = FOLDER / "artifacts"


def required(program: str, package: str) -> str:
    """Where a program is. The test fails without it, for it would show nothing."""
    path = shutil.which(program)
    if path is None:
        pytest.fail(
            f"{program} is missing. Install it, on Debian by: apt-get install {package}",
            pytrace=False,
        )
    return path


async def output(*command: str, seconds: float, **environment: str) -> str:
    """What a program writes to both outputs together, until it ends with status 0.

    The test fails with all of that, if it ends otherwise or not within the time.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=FOLDER,
        env={"PATH": os.environ["PATH"], **environment},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )
    assert process.stdout is not None
    written, status = bytearray(), None
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while chunk := await process.stdout.read(65536):
                written += chunk
            status = await process.wait()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # with whatever it has started
    how = f"did not end in {seconds} seconds" if status is None else f"ended with status {status}"
    if status != 0:
        pytest.fail(f"{' '.join(command)} {how}:\n{written.decode()}", pytrace=False)
    return written.decode()
