"""The `keystead` command as a process of its own, with an environment of its own."""

import asyncio
import contextlib
import json
import os
import secrets
import signal
import socket
import sys
import tempfile
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tests.support import forked

_ROOT = Path(__file__).parents[2]
_PATIENCE_SECONDS = 150  # ends what hangs, before the time of its test ends
_PORTS = range(20_000, 32_768)  # below the range of systems, because tests run in parallel
_GIVEN: set[int] = set()

Found = TypeVar("Found")


@dataclass(frozen=True)
class Server:
    """`keystead serve` in its own process group, as a shell would start it."""

    process: Process | forked.Forked
    data_dir: Path
    output_file: Path
    log_file: Path

    @property
    def output(self) -> str:
        """Its standard output so far."""
        return self.output_file.read_text()

    @property
    def errors(self) -> str:
        """Its standard error so far."""
        return self.log_file.read_text()

    @property
    def log(self) -> list[dict[str, Any]]:
        """Its log lines so far."""
        lines = self.errors.splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("\n")]

    def events(self, name: str) -> list[dict[str, Any]]:
        """The log lines of one kind of event."""
        return [line for line in self.log if line["event"] == name]

    async def port(self) -> int:
        """The gRPC port, as soon as the server listens."""
        return (await self.until(lambda: self.events("serving gRPC")))[0]["port"]

    async def web_port(self) -> int:
        """The web port, as soon as the server listens."""
        return (await self.until(lambda: self.events("serving HTTP")))[0]["port"]

    async def until(self, look: Callable[[], Found]) -> Found:
        """Waits until the function returns a true value while the process runs."""
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                while not (found := look()):
                    assert self.process.returncode is None, self.errors
                    await asyncio.sleep(0.01)
        except TimeoutError as error:
            raise TimeoutError(self.errors) from error
        return found

    async def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Sends the signal, and returns the exit status."""
        self.process.send_signal(number)
        return await self.status()

    async def status(self) -> int:
        """The exit status, after the process has ended."""
        return await asyncio.wait_for(self.process.wait(), _PATIENCE_SECONDS)


@contextlib.asynccontextmanager
async def serve(
    data_dir: Path, stderr: int | None = None, program: Path | None = None, /, **settings: object
) -> AsyncIterator[Server]:
    """Starts a server, which may not listen yet, and ends it at the end of the block.

    Settings are keyword arguments: `workers=2` is KEYSTEAD_WORKERS=2. With `stderr` given, `log` is
    not available. `program` is the `keystead` command of another environment.
    """
    command = (sys.executable, "-m", "server") if program is None else (program,)
    with tempfile.NamedTemporaryFile() as output, tempfile.NamedTemporaryFile() as log:
        process = await asyncio.create_subprocess_exec(
            *command,
            "serve",
            cwd=_ROOT,
            env=_environment(data_dir, settings),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=log if stderr is None else stderr,
            start_new_session=True,
        )
        server = Server(process, data_dir, Path(output.name), Path(log.name))
        try:
            yield server
        finally:
            if process.returncode is None:
                await server.end()


@contextlib.asynccontextmanager
async def serve_forked(data_dir: Path, /, **settings: object) -> AsyncIterator[Server]:
    """Like `serve`, without the imports of its start, a second of processor time: see `forked`.

    Not for tests of the environment or of the signals that the process inherits. No load balancer
    has to notice its end, so it does not wait for one.
    """
    with tempfile.NamedTemporaryFile() as output, tempfile.NamedTemporaryFile() as log:
        environment = _environment(data_dir, {"drain_delay": 0, **settings})
        process = forked.Forked(["serve"], environment, output.name, log.name)
        server = Server(process, data_dir, Path(output.name), Path(log.name))
        try:
            yield server
        finally:
            try:
                if process.returncode is None:
                    await server.end()
            finally:
                process.send_signal(signal.SIGKILL)  # The end of the tests waits for it.


@dataclass(frozen=True)
class Finished:
    """The result of a command."""

    status: int
    output: str
    errors: str


async def keystead(*words: str, data_dir: Path, stdin: Any = b"", **settings: object) -> Finished:
    """Runs a command to its end, with these bytes on its standard input."""
    environment = _environment(data_dir, settings)
    return Finished(
        *await asyncio.to_thread(forked.run, words, environment, stdin, _PATIENCE_SECONDS)
    )


def free_port() -> int:
    """An unused port outside of the range from which systems choose free ports.

    The process gets each port once: two servers whose ports are chosen before either listens would
    else share one in a few of a thousand runs.
    """
    while True:
        port = secrets.choice(_PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            if port not in _GIVEN:
                _GIVEN.add(port)
                return port


def _environment(data_dir: Path, settings: Mapping[str, object]) -> dict[str, str]:
    given = {
        "grpc_address": "127.0.0.1:0",
        "http_address": "127.0.0.1:0",
        "log_format": "json",
        "data_dir": data_dir,
        "rp_origins": "http://localhost:8080",  # where the software authenticator makes passkeys
        **settings,
    }
    return {
        "PATH": os.environ["PATH"],
        **{f"KEYSTEAD_{name.upper()}": str(value) for name, value in given.items()},
    }
