"""Calls that one connection resets as soon as they begin, beside health checks on another.

`python -m bench.resets ADDRESS RATE SECONDS` is the client that resets, a process of its own.
"""

import contextlib
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from statistics import quantiles

import grpc
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest

from bench import report
from bench.processes import ROOT, Server

_RATES = (0, 2_000, 4_000, 16_000)  # per second
_SECONDS = 5
_PAUSE_SECONDS = 0.01
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_HEADERS, _RST_STREAM, _SETTINGS = 1, 3, 4
_ACK, _END_HEADERS = 1, 4


def resets(server: Server) -> str:
    """The times of health checks beside each rate of resets, and the memory after it."""
    rows = []
    for rate in _RATES:
        with _resetting(server.grpc_address, rate):
            times = _checks(server.grpc_address)
        percentiles = quantiles(times, n=100)
        shown = [f"{percentiles[place] * 1000:.1f}" for place in (49, 98)]
        rows.append([str(rate), *shown, str(len(times)), f"{server.rss_mebibytes():.0f}"])
    return report.table(
        ["resets per second", "p50 ms of a health check", "p99 ms", "checks", "RSS MiB"], rows
    )


@contextlib.contextmanager
def _resetting(address: str, rate: int) -> Iterator[None]:
    words = (sys.executable, "-m", "bench.resets", address, str(rate), str(_SECONDS))
    with subprocess.Popen(words, cwd=ROOT) as process:
        yield
        process.wait()


def _checks(address: str) -> list[float]:
    """The seconds of health checks, one after the other."""
    times = []
    until = time.monotonic() + _SECONDS
    with grpc.insecure_channel(address) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        while (began := time.monotonic()) < until:
            health.Check(HealthCheckRequest(), wait_for_ready=True)
            times.append(time.monotonic() - began)
            time.sleep(_PAUSE_SECONDS)
    return times


def _send_resets(address: str, rate: int, seconds: float) -> None:
    host, _, port = address.rpartition(":")
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(
            _PREFACE + _frame(_SETTINGS, 0, 0, b"") + _frame(_SETTINGS, _ACK, 0, b"")
        )
        began, sent = time.monotonic(), 0
        while (passed := time.monotonic() - began) < seconds:
            due = int(passed * rate)
            connection.sendall(b"".join(_reset_call(2 * each + 1) for each in range(sent, due)))
            sent = due
            with contextlib.suppress(BlockingIOError):
                while connection.recv(1 << 16, socket.MSG_DONTWAIT):
                    pass
            time.sleep(_PAUSE_SECONDS)


def _reset_call(stream: int) -> bytes:
    reset = _frame(_RST_STREAM, 0, stream, struct.pack(">I", 8))
    return _frame(_HEADERS, _END_HEADERS, stream, _HEADER_BLOCK) + reset


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """RFC 9113, section 4.1."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def _literal(name: bytes, value: bytes) -> bytes:
    """RFC 7541, section 6.2.2."""
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


_HEADER_BLOCK = b"".join(
    (
        _literal(b":method", b"POST"),
        _literal(b":scheme", b"http"),
        _literal(b":path", b"/grpc.health.v1.Health/Check"),
        _literal(b":authority", b"localhost"),
        _literal(b"te", b"trailers"),
        _literal(b"content-type", b"application/grpc"),
    )
)

if __name__ == "__main__":
    _send_resets(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
