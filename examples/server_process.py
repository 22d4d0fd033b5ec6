"""The server of the tour, in a temporary directory that is removed afterwards."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from examples.grpcurl import TourError, expect
from server.process.embedded_postgres import EmbeddedPostgresError, postmaster_pid, running

START_SECONDS = 120  # a first start creates a database cluster, slowly on a busy machine
_STOP_SECONDS = 60
_POLL_SECONDS = 0.1
_LAST_LINES = 20
# The log events that contain the ports.
GRPC, WEB = "serving gRPC", "serving HTTP"


class ServerProcess:
    """`python -m server serve` in the background, with its data and its log in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.data_dir = folder / "data"
        self.settings = {
            "KEYSTEAD_DATA_DIR": str(self.data_dir),
            "KEYSTEAD_GRPC_ADDRESS": "127.0.0.1:0",  # any free port; the log contains it
            "KEYSTEAD_HTTP_ADDRESS": "127.0.0.1:0",
            "KEYSTEAD_SMTP_ALLOWED_NETWORKS": "127.0.0.1",  # where the tour's mail server is
        }
        self.folder = folder
        self._log = folder / "server.log"
        self.start()

    def start(self) -> None:
        """Starts the server with the current settings and an empty log."""
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "server", "serve"],
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the tour, which then stops the server
            )

    @property
    def command(self) -> str:
        """The command that starts it in a shell."""
        settings = " ".join(f"{name}={value}" for name, value in self.settings.items())
        return f"{settings} python -m server serve"

    def address(self, event: str = GRPC) -> str:
        """Waits until the server listens on the port of this event, and returns host and port."""
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            for line in self._log.read_text().splitlines():
                if line.startswith("{") and line.endswith("}"):
                    entry = json.loads(line)
                    if entry["event"] == event:
                        return f"127.0.0.1:{entry['port']}"
            if self._process.poll() is not None:
                raise TourError(f"The server ended with status {self._process.returncode}.")
            time.sleep(_POLL_SECONDS)
        raise TourError(f"The server did not start within {START_SECONDS} seconds.")

    def run(self, *words: str) -> str:
        """The output of another command of `python -m server` for this server's data."""
        ended = subprocess.run(
            [sys.executable, "-m", "server", *words],
            env=self._environment(),
            text=True,
            capture_output=True,
            check=False,
            timeout=START_SECONDS,
        )
        expect(
            f"the exit status of {' '.join(words)} ({ended.stderr.strip()})", ended.returncode, 0
        )
        return ended.stdout

    def stop(self) -> int:
        """Sends SIGTERM and returns the exit status."""
        self._process.terminate()
        try:
            return self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            raise TourError(f"The server did not stop within {_STOP_SECONDS} seconds.") from None

    def has_left_nothing(self) -> bool:
        """Whether, after `stop`, neither a process of its session nor its database runs."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, 0)
            return False
        with contextlib.suppress(EmbeddedPostgresError):
            postmaster_pid(self.data_dir)
            return False
        return True

    def end_of_log(self) -> str:
        """The end of its log."""
        return "\n".join(self._log.read_text().splitlines()[-_LAST_LINES:])

    def clean_up(self) -> None:
        """Ends the remaining processes, orderly if possible."""
        if self._process.poll() is None:
            try:
                self.stop()
            except TourError:
                self._process.kill()
                self._process.wait()
        if self._process.returncode != 0 and self.data_dir.exists():
            # The server was killed, or exited before it stopped its database: `running` stops it.
            with contextlib.suppress(EmbeddedPostgresError), running(self.data_dir):
                pass

    def _environment(self) -> dict[str, str]:
        # The reader's own settings may name a database that the tour must not change.
        others = {
            name: value for name, value in os.environ.items() if not name.startswith("KEYSTEAD_")
        }
        return others | self.settings


@contextlib.contextmanager
def server_process() -> Iterator[ServerProcess]:
    """Starts a server in a temporary directory. Both are removed in any case."""
    with tempfile.TemporaryDirectory(prefix="keystead-tour-") as folder:
        server = ServerProcess(Path(folder))
        try:
            yield server
        except (TourError, KeyError):
            print(f"The end of the server's log:\n{server.end_of_log()}\n", file=sys.stderr)
            raise
        finally:
            # A second Ctrl-C would interrupt the cleanup.
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            server.clean_up()
