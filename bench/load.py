"""A run of k6 against one server, with its costs."""

import json
import os
import subprocess
import sys
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import psutil

from bench.database import USERS, WAL, Database
from bench.processes import ROOT, BenchError, Server, cpu_seconds
from examples.software_authenticator import EDDSA, SoftwareAuthenticator, unb64

_K6 = Path(sys.executable).with_name("k6")
_SCRIPT = Path(__file__).with_name("load.js")
_ORIGIN = "http://localhost:8080"
_CALLS_END_SECONDS = 60


@dataclass(frozen=True)
class Load:
    """The load: `transport` is grpc, grpc-web or json; `operation` is in `load.js`.

    `idps` is how many identity providers they use, spread evenly over all; None: any of them.
    """

    operation: str
    transport: str
    callers: int
    idps: int | None = None


@dataclass(frozen=True)
class Measurement:
    """The costs of a number of requests. Processor times are microseconds per request.

    `postgresql_cpu_us` is 0 when PostgreSQL runs elsewhere. `wal` is per request too, None unless
    it was asked for.
    """

    requests: int
    cpu_us: float
    postgresql_cpu_us: float
    requests_per_second: float
    p50_ms: float
    p99_ms: float
    wal: WAL | None = None


@dataclass(frozen=True)
class Generator:
    """Runs k6, on the given processors only, for `seconds` at a time.

    `reads_wal`: every measurement says what was written to the WAL, for which the role needs the
    extension pg_walinspect and must be a superuser.
    """

    postmaster: psutil.Process | None
    processors: Sequence[int]
    seconds: float
    reads_wal: bool = False

    def measure(self, server: Server, load: Load, database: Database) -> Measurement:
        """One run. BenchError when a call was not answered as it should be.

        The processes do nothing else, so what they take from the start of k6 to its end is what the
        requests took.
        """
        events = database.events()
        wal_began = database.wal_position() if self.reads_wal else None
        before = self._cpu(server)
        summary = self._run(server, load, database)
        server_seconds, postgresql_seconds = (
            after - earlier for after, earlier in zip(self._cpu(server), before, strict=True)
        )
        requests = summary["requests"]
        wal = database.wal_since(wal_began) / requests if wal_began else None
        written = database.events() - events
        if load.operation == "UpdateIDP" and written != requests:
            raise BenchError(f"{requests} updates have written {written} events")
        return Measurement(
            requests,
            server_seconds / requests * 1e6,
            postgresql_seconds / requests * 1e6,
            requests / summary["seconds"],
            summary["p50_ms"],
            summary["p99_ms"],
            wal,
        )

    def _cpu(self, server: Server) -> tuple[float, float]:
        return (
            cpu_seconds(server.process),
            cpu_seconds(self.postmaster) if self.postmaster else 0.0,
        )

    def _run(self, server: Server, load: Load, database: Database) -> Mapping[str, Any]:
        idps = load.idps or database.idps
        described = {
            "operation": load.operation,
            "transport": load.transport,
            "callers": load.callers,
            "milliseconds": round(self.seconds * 1000),
            "address": server.grpc_address if load.transport == "grpc" else server.http_address,
            "token": server.token,
            "idps": idps,
            "idpsApart": database.idps // idps,
            "users": USERS,
            "attestation": _attestation(),
            "protoPaths": [str(ROOT / "protos"), str(ROOT / ".googleapis")],
        }
        ended = subprocess.run(
            [_K6, "run", "--quiet", "--no-usage-report", "--address=", _SCRIPT],
            env=os.environ | {"BENCH_LOAD": json.dumps(described)},
            capture_output=True,
            text=True,
            check=False,
            timeout=self.seconds + _CALLS_END_SECONDS,
            preexec_fn=lambda: os.sched_setaffinity(0, self.processors),
        )
        if ended.returncode != 0:
            raise BenchError(f"k6 failed: {ended.stderr[-2000:]}")
        summary: Mapping[str, Any] = json.loads(ended.stdout)
        if summary["failed"] or summary["succeeded"] != summary["requests"]:
            raise BenchError(f"{load}: calls failed: {summary}\n{ended.stderr[-2000:]}")
        return summary


@cache
def _attestation() -> Mapping[str, Any]:
    """An attestation object and where the credential id is in it, which no signature covers."""
    credential_id = os.urandom(32)
    options = {
        "challenge": "",
        "rp": {"id": "localhost"},
        "user": {"id": ""},
        "pubKeyCredParams": [{"alg": EDDSA}],
    }
    credential = SoftwareAuthenticator().create(
        options, origin=_ORIGIN, credential_id=credential_id
    )
    attestation = unb64(credential["response"]["attestationObject"])
    return {
        "object": b64encode(attestation).decode(),
        "idOffset": attestation.index(credential_id),
        "idLength": len(credential_id),
        "origin": _ORIGIN,
    }
