"""Runs programs, such as Node's tests, to their end within a time limit."""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import tempfile
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import NotRequired, TypedDict

import pytest

FOLDER = Path(__file__).parent
ARTIFACTS = FOLDER / "artifacts"
PROGRAM_SECONDS = 400  # on a busy machine; the longest takes a tenth of it


def required(program: str, package: str) -> str:
    """The path of a program. The test fails if it is missing."""
    path = shutil.which(program)
    if path is None:
        pytest.fail(
            f"{program} is missing. Install it, on Debian by: apt-get install {package}",
            pytrace=False,
        )
    return path


class _Chromium(TypedDict):
    CHROMIUM: str
    CHROMIUM_SHELL: NotRequired[str]


def chromium() -> _Chromium:
    """Chromium for programs of Node.js, and if it is installed, the one without windows.

    That one takes a third less processor time, so `support/chromium.js` prefers it.
    """
    shell = shutil.which("chromium-headless-shell")
    found: _Chromium = {"CHROMIUM": required("chromium", "chromium")}
    if shell:
        found["CHROMIUM_SHELL"] = shell
    return found


async def run_node_tests(
    program: str,
    described: Mapping[str, object],
    *,
    seconds: float = PROGRAM_SECONDS,
    **environment: str,
) -> None:
    """Runs a file of Node's tests with a description of the servers. Fails if they fail."""
    for folder in (FOLDER / "node_modules", FOLDER / "gen"):
        if not folder.is_dir():
            pytest.fail(f"{folder} is missing. Run `make e2e`, which makes it.", pytrace=False)
    report = await node_test_report(
        FOLDER, program, described=described, seconds=seconds, **environment
    )
    print(report)  # noqa: T201 -- shown with `-s`: it has times and sizes


async def node_test_report(
    folder: Path,
    *files: str | Path,
    described: Mapping[str, object],
    seconds: float = PROGRAM_SECONDS,
    **environment: str,
) -> str:
    """The report of Node's tests in these files. Fails if a test fails or is skipped."""
    options = ("--test", "--test-force-exit", "--test-reporter=spec")
    report = await output(
        *(required("node", "nodejs"), *options, *map(str, files)),
        seconds=seconds,
        cwd=folder,
        KEYSTEAD_E2E=json.dumps(described),
        **environment,
    )
    # Node reports success for a program without tests.
    assert " pass 0\n" not in report
    assert " skipped 0\n" in report
    return report


async def run_in(folder: Path, *command: str | Path, **environment: str) -> str:
    """The output of a program that this folder is for, and that may cache downloads."""
    return await output(
        *map(str, command),
        seconds=PROGRAM_SECONDS,
        cwd=folder,
        HOME=str(Path.home()),  # where Go and pip cache downloads
        **environment,
    )


async def go_program(source: Path, program: Path) -> list[str]:
    """The command of a program in Go, built from its folder into this file."""
    go = required("go", "golang-go")
    await run_in(source, go, "build", "-buildvcs=false", "-o", program, ".")
    return [str(program)]


async def output(*command: str, seconds: float, cwd: Path, **environment: str) -> str:
    """The output and errors of a program, which must end with status 0.

    Otherwise, or after the time limit, the test fails and shows them.
    """
    written, status = bytearray(), None
    # A temporary directory of its own, because a killed program does not remove its files.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=cwd,
            env={"PATH": os.environ["PATH"], "TMPDIR": folder, **environment},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    status = await _read_to_the_end(process, written)
        finally:
            with contextlib.suppress(ProcessLookupError):
                # With its child processes. Chromium, in a group of its own, ends with its pipe.
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    how = f"did not end in {seconds} seconds" if status is None else f"ended with status {status}"
    if status != 0:
        pytest.fail(f"{' '.join(command)} {how}:\n{written.decode()}", pytrace=False)
    return written.decode()


async def trusting_home(folder: Path, *ca_files: Path) -> Path:
    """A new home folder of a user whose Chromium trusts these certificate authorities."""
    database = folder / ".pki" / "nssdb"
    database.mkdir(parents=True)
    certutil = (required("certutil", "libnss3-tools"), "-d", f"sql:{database}")
    await output(*certutil, "-N", "--empty-password", seconds=PROGRAM_SECONDS, cwd=folder)
    for number, file in enumerate(ca_files):
        words = ("-A", "-t", "C,,", "-n", f"authority {number}", "-i", str(file))
        await output(*certutil, *words, seconds=PROGRAM_SECONDS, cwd=folder)
    return folder


@contextlib.asynccontextmanager
async def running(*command: str, address: str, **environment: str) -> AsyncIterator[None]:
    """A program that listens on this address, ADDRESS to it, until the end of the block.

    Fails if it does not listen in time.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=FOLDER.parent,
        env={"PATH": os.environ["PATH"], "ADDRESS": address, **environment},
    )
    host, _, port = address.rpartition(":")
    try:
        async with asyncio.timeout(PROGRAM_SECONDS):
            while not await _listens(host, int(port)):
                if process.returncode is not None:
                    pytest.fail(f"{' '.join(command)} ended with status {process.returncode}.")
                await asyncio.sleep(0.05)
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


async def _listens(host: str, port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(host, port)
    except OSError:
        return False
    writer.close()
    return True


async def _read_to_the_end(process: Process, written: bytearray) -> int:
    assert process.stdout is not None
    while chunk := await process.stdout.read(65536):
        written += chunk
    return await process.wait()
