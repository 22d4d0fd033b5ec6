"""Runs worker processes that share the ports (SO_REUSEPORT)."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from types import FrameType

import structlog

from server.process.signals import stop_signals
from server.telemetry.metrics import forget_state, worker_environment
from server.values.host_port import CannotListenError, split_host_port

_POLL_SECONDS = 0.2
# Delays the restart of a worker that fails at its start.
_RESTART_SECONDS = 1.0
# Time from the end of the grace period until a worker is killed.
_LATE_SECONDS = 10.0

_log = structlog.get_logger("workers")


def run_workers(count: int, addresses: Mapping[str, str], grace: float) -> int:
    """Runs the workers until a stop signal, and returns the exit status.

    Restarts a worker that dies. `addresses` are the shared addresses by setting. Raises
    CannotListenError if an address is in use or not permitted.
    """
    stopping = False

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal stopping
        stopping = True

    for number in stop_signals():
        signal.signal(number, stop)
    with contextlib.ExitStack() as held:
        for setting, address in addresses.items():
            held.enter_context(_reserved(address, setting))
        metrics = held.enter_context(tempfile.TemporaryDirectory(prefix="keystead-"))
        workers = [_start(place, metrics) for place in range(count)]
        while not stopping:
            time.sleep(_POLL_SECONDS)
            for place, worker in enumerate(workers):
                if worker.poll() is not None:
                    _log.error(
                        "a worker died and is restarted",
                        pid=worker.pid,
                        status=worker.returncode,
                    )
                    forget_state(metrics, place)
                    time.sleep(_RESTART_SECONDS)
                    if not stopping:
                        workers[place] = _start(place, metrics)
        return _stop(workers, grace)


@contextlib.contextmanager
def _reserved(address: str, setting: str) -> Iterator[None]:
    """Binds the address without listening. This fails if another server uses the address.

    Without this check, the workers would fail one by one and be restarted forever. Beside another
    server with workers they would not fail: each would get a share of the other's connections.
    """
    host, port = split_host_port(address)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        _bound(family, host, port).close()
        reservation = _bound(family, host, port, socket.SO_REUSEPORT)
    except OSError as error:
        raise CannotListenError(address, setting, error) from error
    with reservation:
        yield


def _bound(family: int, host: str, port: int, *options: int) -> socket.socket:
    """A socket with this address, which only sockets with the same options can have as well."""
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        # SO_REUSEADDR: closed connections of a previous server may still hold the address.
        for option in (socket.SO_REUSEADDR, *options):
            bound.setsockopt(socket.SOL_SOCKET, option, 1)
        bound.bind((host, port))
    except OSError:
        bound.close()
        raise
    return bound


def _start(place: int, metrics: str) -> subprocess.Popen[bytes]:
    # A session of its own, so that Ctrl-C reaches the workers only through this process. A pipe to
    # standard input, so that the workers end when this process is killed.
    return subprocess.Popen(
        [sys.executable, "-m", "server", "work"],
        env={**os.environ, **worker_environment(metrics, place)},
        stdin=subprocess.PIPE,
        start_new_session=True,
    )


def _stop(workers: list[subprocess.Popen[bytes]], grace: float) -> int:
    for worker in workers:
        worker.terminate()
    until = time.monotonic() + grace + _LATE_SECONDS
    for worker in workers:
        try:
            worker.wait(max(until - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            _log.error("a worker did not end in time and is killed", pid=worker.pid)
            worker.kill()
            worker.wait()
    return max(_status(worker.returncode) for worker in workers)


def _status(returncode: int) -> int:
    """The exit status for a worker's return code, which is negative after a signal."""
    # A worker that SIGTERM ends before it handles the signal has stopped normally.
    return 0 if returncode == -signal.SIGTERM else abs(returncode)
