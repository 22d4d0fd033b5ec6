"""Several processes that share one port (SO_REUSEPORT), watched by this one."""

import signal
import subprocess
import sys
import time
from types import FrameType

import structlog

_POLL_SECONDS = 0.2
# A worker that ends so soon after its start would end again; the others go on and the operator is told.
_RESTART_SECONDS = 1.0

_log = structlog.get_logger("workers")


def run_workers(count: int, grace: float) -> int:
    """Starts the workers, starts again one that dies, and stops them on SIGTERM or SIGINT. Gives the exit status."""
    stopping = False

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal stopping
        stopping = True

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    workers = [_start() for _ in range(count)]
    while not stopping:
        time.sleep(_POLL_SECONDS)
        for place, worker in enumerate(workers):
            if worker.poll() is not None:
                _log.error("a worker died and is started again", pid=worker.pid, status=worker.returncode)
                time.sleep(_RESTART_SECONDS)
                workers[place] = _start()
    return _stop(workers, grace)


def _start() -> subprocess.Popen[bytes]:
    # A session of its own: a Ctrl-C at the terminal reaches the workers through us, in order.
    return subprocess.Popen([sys.executable, "-m", "server", "work"], start_new_session=True)


def _stop(workers: list[subprocess.Popen[bytes]], grace: float) -> int:
    for worker in workers:
        worker.terminate()
    until = time.monotonic() + grace + 10
    for worker in workers:
        try:
            worker.wait(max(until - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            _log.error("a worker did not end in time and is killed", pid=worker.pid)
            worker.kill()
            worker.wait()
    return max(abs(int(worker.returncode)) for worker in workers)
