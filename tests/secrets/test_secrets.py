"""No secret leaks from a server that has answered calls of every kind.

The server runs as in production, at log level debug: once with its own database and key file, over
every transport, and once as two workers with the keys and the password of the database in their
environment, over JSON. Afterwards the tests search every place that lasts, or that others can see.
"""

import base64
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import pytest
from pydantic import SecretStr

from server.process.embedded_postgres import Cluster, running
from server.values.errors import Kind
from tests.secrets import places
from tests.secrets.client import Client
from tests.secrets.marks import CHALLENGE, MISPLACED, Marks
from tests.secrets.run import everything
from tests.secrets.search import forms, found
from tests.support import given
from tests.support.given import Instance
from tests.support.mail_server import mail_server
from tests.support.process import free_port, serve

# The places, each with bytes that prove that it was read.
PLACES = {
    "tables": b"canary-",
    "files of PostgreSQL": b"canary-",
    "log": b"canary-",
    "audit log": b"canary-",
    "doctor": b'"findings"',
    "settings": b"KEYSTEAD_ENCRYPTION_KEYS",
    "answers": b"canary-",
    "metrics": b"keystead_calls_total",
    "metrics of workers": b"keystead_calls_total",
    "readiness": b'"database"',
    "OpenAPI document": b'"openapi"',
    "page": b"<html",
    "statements that run": b"delete from secrets",
    "command lines": b"server\0serve",
    "environment of PostgreSQL": b"LC_ALL=C",
}
# An unknown name is repeated to the caller and logged for operators, who search for requests of
# unknown paths. A token in its place is masked, see tests/telemetry/test_logs.py.
_TOLD = {("answers", MISPLACED), ("log", MISPLACED)}
# The server compares a response with the challenge of the pending ceremony.
_OF_CEREMONIES = {"tables", "files of PostgreSQL"}
_ROLE = "keystead_with_password"


@dataclass
class Evidence:
    """The secrets, and the content of each place."""

    workers: int
    marks: Marks = field(default_factory=Marks)
    codes: set[grpc.StatusCode] = field(default_factory=set)
    places: dict[str, bytes] = field(default_factory=dict)
    # The files of the server's directory by name.
    files: dict[str, bytes] = field(default_factory=dict)


@pytest.fixture(scope="module", params=[1, 2], ids=["one process", "two workers"])
async def evidence(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Evidence:
    folder = tmp_path_factory.mktemp("secrets")
    evidence, data_dir = Evidence(workers=request.param), folder / "data"
    cluster_dir = folder / "cluster" if evidence.workers > 1 else data_dir
    with running(cluster_dir, durable=False) as cluster:
        dsn, settings = cluster.dsn, {"log_format": "console"}
        if evidence.workers > 1:
            dsn = await _with_password(cluster, cluster_dir, evidence.marks)
            settings = {"database_url": dsn, "encryption_keys": _key(evidence.marks)}
        before = folder / "before"
        before.touch()
        await _run(evidence, dsn, data_dir, settings)
        evidence.places |= {
            "tables": await places.tables(dsn),
            "audit log": await places.told_by(
                "audit", "--with-personal-data", data_dir=data_dir, **settings
            ),
            "doctor": await places.told_by(
                "doctor", "--json", "--smtp", data_dir=data_dir, **settings
            ),
            "settings": await places.told_by("settings", data_dir=data_dir, **settings),
            "environment of PostgreSQL": places.environment_of_postgres(cluster_dir),
        }
    evidence.files = {path.name: path.read_bytes() for path in data_dir.iterdir() if path.is_file()}
    if evidence.workers == 1:
        key = evidence.files["encryption.keys"].strip()
        evidence.marks.secrets |= {"the key": key, "the key's bytes": base64.b64decode(key)}
    # Only after PostgreSQL has ended, the files are complete.
    evidence.places["files of PostgreSQL"] = places.files_of_postgres(cluster_dir, since=before)
    return evidence


def test_no_secret_is_found(evidence: Evidence) -> None:
    challenges = {name for name in evidence.marks.secrets if name.startswith(CHALLENGE)}
    leaks = {
        (place, name)
        for place, text in evidence.places.items()
        for name in found(evidence.marks.secrets, text)
        if not (place in _OF_CEREMONIES and name in challenges)
    }

    assert leaks <= _TOLD


def test_a_secret_would_be_found(evidence: Evidence) -> None:
    assert evidence.places.keys() == PLACES.keys() - (
        {"metrics of workers"} if evidence.workers == 1 else set()
    )
    for place, text in evidence.places.items():
        assert PLACES[place] in text, place
        middle = len(text) // 2
        # The bytes around it suffice, because some places are large.
        around = text[max(middle - 10_000, 0) : middle], text[middle : middle + 10_000]
        for name, secret in evidence.marks.secrets.items():
            for form in forms(secret):
                assert name in found({name: secret}, form.join(around)), place


def test_every_file_has_the_secrets_it_is_for_and_no_other(evidence: Evidence) -> None:
    kept = {
        "admin.token": {"the administrator's token"},
        "encryption.keys": {"the key", "the key's bytes"},
    }

    for name, content in evidence.files.items():
        assert found(evidence.marks.secrets, content) == kept.get(name, set()), name

    assert {"admin.token"} | (set() if evidence.workers > 1 else {"encryption.keys"}) <= set(
        evidence.files
    )


def test_every_kind_of_error_was_provoked(evidence: Evidence) -> None:
    assert {code.name for code in evidence.codes} == {"OK", *(kind.name for kind in Kind)}


def test_the_log_has_tracebacks_that_could_have_shown_a_secret(evidence: Evidence) -> None:
    assert b"Traceback" in evidence.places["log"]


async def _run(evidence: Evidence, dsn: str, data_dir: Path, settings: Mapping[str, str]) -> None:
    """Makes all calls, and collects the places that can be read only while the server runs."""
    port, web_port = free_port(), free_port()
    async with serve(
        data_dir,
        **{
            "log_level": "debug",
            "grpc_address": f"127.0.0.1:{port}",
            "http_address": f"127.0.0.1:{web_port}",
            "workers": evidence.workers,
            "smtp_allowed_networks": "127.0.0.0/8",
            "mail_hourly_limit": 1000,
            **settings,
        },
    ) as server:
        await server.until(lambda: server.errors.count("serving HTTP") == evidence.workers)
        async with (
            Instance.connected(dsn, port, data_dir, web_port=web_port) as instance,
            mail_server(users={"": ""}) as smtp,
            Client.of(instance, evidence.marks) as client,
        ):
            evidence.marks.token("the administrator's token", instance.admin.token)
            transports = client.transports.all
            if evidence.workers > 1:  # the transports are the same in each process
                transports = {"JSON": transports["JSON"]}
            statements = await everything(client, smtp, transports)
            evidence.codes |= client.answers.codes
            evidence.places |= {
                "answers": client.answers.text,
                "statements that run": statements,
                "command lines": places.command_lines(),
                "metrics": await client.page("/metrics"),
                "readiness": await client.page("/readyz"),
                "OpenAPI document": await client.page("/openapi.json"),
                "page": await client.page("/docs"),
            }
        if evidence.workers > 1:
            evidence.places["metrics of workers"] = places.metrics_of_workers(server)
        assert await server.end() == 0, server.errors[-3000:]
        evidence.places["log"] = f"{server.errors}\n{server.output}".encode()


def _key(marks: Marks) -> str:
    raw = os.urandom(32)
    key = base64.b64encode(raw)
    marks.secrets |= {"the key": key, "the key's bytes": raw}
    marks.encryption_keys = (SecretStr(key.decode()),)
    return key.decode()


async def _with_password(cluster: Cluster, cluster_dir: Path, marks: Marks) -> str:
    """The DSN of a database whose owner must give a password."""
    password = os.urandom(16).hex()
    marks.secrets["the password of the database"] = password.encode()
    access = cluster_dir / "postgres" / "pg_hba.conf"
    access.write_text(f"local all {_ROLE} scram-sha-256\n{access.read_text()}")
    async with given.sql(cluster.admin_dsn) as sql:
        await sql.execute("select pg_reload_conf()")
        await sql.execute(f"create role {_ROLE} login password '{password}'")
        await sql.execute(f"create database {_ROLE} owner {_ROLE} strategy file_copy")
    return cluster.dsn.replace("keystead@/keystead", f"{_ROLE}:{password}@/{_ROLE}")
