"""The `keystead` command in a process forked from one that has already imported its modules.

The imports are most of the processor time of a command. A forked command has its own arguments,
environment, streams, signals and exit status; only the start of the interpreter is shared. For
tests of that start, run `python -m server`.
"""

import asyncio
import atexit
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from server.cli import main

_ROOT = Path(__file__).parents[2]
_STREAMS = ("stdin", "stdout", "stderr")  # by file descriptor

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(["tests.support.preloaded"])


def run(
    words: Sequence[str], environment: Mapping[str, str], stdin: bytes, patience: float
) -> tuple[int, str, str]:
    """Runs a command to its end; blocks. Gives its exit status, standard output and error.

    A negative status is the signal that ended it. TimeoutError: it took more than `patience`
    seconds, and was killed.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "stdin").write_bytes(stdin)
        process = _forks.Process(target=_command, args=(words, dict(environment), folder))
        process.start()
        process.join(patience)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise TimeoutError(f"keystead {' '.join(words)}")
        output, errors = ((folder / stream).read_text() for stream in _STREAMS[1:])
        return process.exitcode, output, errors


class Forked:
    """A running command, with the methods of `asyncio.subprocess.Process` that tests need."""

    def __init__(
        self, words: Sequence[str], environment: Mapping[str, str], output: str, errors: str
    ) -> None:
        """Starts the command in a session of its own. Its output and errors go to these files."""
        self._process = _forks.Process(
            target=_session, args=(words, dict(environment), output, errors)
        )
        self._process.start()

    @property
    def pid(self) -> int:
        """The process ID, which is that of its process group, too."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """The exit status; the negative number of the signal that ended it; None while it runs."""
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Sends a signal, unless the process has ended."""
        if self.returncode is None:
            os.kill(self.pid, number)

    async def wait(self) -> int:
        """Waits for the end of the process; returns `returncode`."""
        ended, loop = asyncio.Event(), asyncio.get_running_loop()
        loop.add_reader(self._process.sentinel, ended.set)
        try:
            await ended.wait()
        finally:
            loop.remove_reader(self._process.sentinel)
        assert self.returncode is not None
        return self.returncode


def _session(
    words: Sequence[str], environment: Mapping[str, str], output: str, errors: str
) -> None:
    os.setsid()
    _run(words, environment, ("/dev/null", output, errors))


def _command(words: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
    _run(words, environment, [folder / stream for stream in _STREAMS])


def _run(
    words: Sequence[str], environment: Mapping[str, str], streams: Sequence[str | Path]
) -> None:
    for number, path in enumerate(streams):
        opened = os.open(path, os.O_RDWR | os.O_CREAT)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 -- multiprocessing has closed it
    os.chdir(_ROOT)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["keystead", *words]
    try:
        main()
    finally:
        atexit._run_exitfuncs()  # noqa: SLF001 -- multiprocessing ends without them
