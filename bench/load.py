"""A run of k6 against one server, with its costs."""

import dataclasses
import json
import os
import subprocess
import sys
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import psutil

from bench.database import (
    GATE_HOST,
    GATE_ID,
    PASSKEY_KEY,
    REDIRECT_URI,
    SCOPES,
    USERS,
    WAL,
    Database,
)
from bench.processes import ROOT, BenchError, Server, cpu_seconds
from examples.software_authenticator import EDDSA, SoftwareAuthenticator, b64, cose_key, unb64
from server.crypto.keyring import load_keyring
from server.gate.cookie import GateSeals

_K6 = Path(sys.executable).with_name("k6")
_SCRIPT = Path(__file__).with_name("load.js")
ORIGIN = "http://localhost:8080"
_CALLS_END_SECONDS = 60
_ITERATIONS_SECONDS = 180


# Few, so that the server remembers them between two requests also on a slow machine.
_PEOPLE_AT_THE_GATE = 30


@dataclass(frozen=True)
class Load:
    """The load: `transport` is grpc, grpc-web or json; `operation` is in `load.js`.

    `idps` is the number of identity providers in use, spread evenly over all; None: all of them.
    With `iterations` the load ends after this number, or after `_ITERATIONS_SECONDS`, instead of a
    time. The callers have `addresses`, a range or list.
    """

    operation: str
    transport: str
    callers: int
    idps: int | None = None
    iterations: int = 0
    addresses: str = "127.0.0.1"


@dataclass(frozen=True)
class Measurement:
    """The costs of a number of requests. Processor times are microseconds per request.

    `postgresql_cpu_us` is 0 if PostgreSQL runs elsewhere. `wal` is also per request, None without
    `reads_wal`.
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

    `reads_wal`: every measurement includes the amount of WAL written. That needs the extension
    pg_walinspect and a superuser role.
    """

    postmaster: psutil.Process | None
    processors: Sequence[int]
    seconds: float
    reads_wal: bool = False

    def measure(self, server: Server, load: Load, database: Database) -> Measurement:
        """One run. BenchError if a call got a wrong answer.

        The processes do nothing else, so their CPU time from the start of k6 to its end is that of
        the requests.
        """
        refresh_tokens = (
            database.new_refresh_tokens(load.callers) if load.operation == "Refresh" else ()
        )
        events = database.events()
        wal_began = database.wal_position() if self.reads_wal else None
        before = self._cpu(server)
        summary = self.run(server, load, database, refresh_tokens)
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
            cpu_seconds(self.postmaster),
        )

    def run(
        self, server: Server, load: Load, database: Database, refresh_tokens: Sequence[str] = ()
    ) -> Mapping[str, Any]:
        """The summary of `load.js`. BenchError if a call got a wrong answer.

        Every caller takes one of the refresh tokens, if it needs one.
        """
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
            "passkey": {"key": _jwk(), "origin": ORIGIN, "rpId": "localhost"},
            **_credentials(server, load, database),
            "gateHost": GATE_HOST,
            "web": dataclasses.asdict(database.web),
            "service": dataclasses.asdict(database.service),
            "redirectUri": REDIRECT_URI,
            "scope": " ".join(SCOPES),
            "refreshTokens": refresh_tokens,
            "iterations": load.iterations,
            "iterationsSeconds": _ITERATIONS_SECONDS,
            "protoPaths": [str(ROOT / "protos"), str(ROOT / ".googleapis")],
        }
        ended = subprocess.run(
            [
                *(_K6, "run", "--quiet", "--no-usage-report", "--address="),
                *(f"--local-ips={load.addresses}", _SCRIPT),
            ],
            env=os.environ | {"BENCH_LOAD": json.dumps(described)},
            capture_output=True,
            text=True,
            check=False,
            timeout=(_ITERATIONS_SECONDS if load.iterations else self.seconds) + _CALLS_END_SECONDS,
            preexec_fn=lambda: os.sched_setaffinity(0, self.processors),
        )
        if ended.returncode != 0:
            raise BenchError(f"k6 failed: {ended.stderr[-2000:]}")
        summary: Mapping[str, Any] = json.loads(ended.stdout)
        if summary["failed"] or summary["succeeded"] != summary["requests"]:
            raise BenchError(f"{load}: calls failed: {summary}\n{ended.stderr[-2000:]}")
        return summary


def _credentials(server: Server, load: Load, database: Database) -> Mapping[str, Sequence[str]]:
    """The tokens of sessions, or the cookies of people at the gate; its floor takes tokens.

    A variable of the environment has 128 KiB at most.
    """
    if load.operation != "GateCheck":
        return {"sessionTokens": database.session_tokens}
    if server.data_dir is None:
        return {"gateCookies": database.session_tokens[:_PEOPLE_AT_THE_GATE]}
    seals = GateSeals(load_keyring((), server.data_dir / "encryption.keys"))
    cookies = (
        seals.complete(GATE_ID, each, lifetime=timedelta(days=1))
        for each in database.session_ids[:_PEOPLE_AT_THE_GATE]
    )
    return {"gateCookies": [each.partition("=")[2].partition(";")[0] for each in cookies]}


def _jwk() -> Mapping[str, Any]:
    """The key of all passkeys, for k6 (RFC 7518, section 6.2)."""
    public: Mapping[int, Any] = cose_key(PASSKEY_KEY)
    private = PASSKEY_KEY.private_numbers().private_value.to_bytes(32)  # type: ignore[union-attr]
    members = {"x": public[-2], "y": public[-3], "d": private}
    return {"kty": "EC", "crv": "P-256", **{name: b64(each) for name, each in members.items()}}


@cache
def _attestation() -> Mapping[str, Any]:
    """An attestation object, and the place of the credential ID in it, which is not signed."""
    credential_id = os.urandom(32)
    options = {
        "challenge": "",
        "rp": {"id": "localhost"},
        "user": {"id": ""},
        "pubKeyCredParams": [{"alg": EDDSA}],
    }
    credential = SoftwareAuthenticator().create(options, origin=ORIGIN, credential_id=credential_id)
    attestation = unb64(credential["response"]["attestationObject"])
    return {
        "object": b64encode(attestation).decode(),
        "idOffset": attestation.index(credential_id),
        "idLength": len(credential_id),
        "origin": ORIGIN,
    }
