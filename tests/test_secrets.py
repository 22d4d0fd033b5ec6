"""No secret is where it should not be, after a little of everything was done with it.

The server runs as a process of its own at log level debug. Afterwards every place that lasts is
searched: the tables, the files of PostgreSQL with its write-ahead log, the log, the errors that
callers got and the audit log.
"""

import asyncio
import base64
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import grpc
import pytest

from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.embedded_postgres import running
from tests import given
from tests.given import Client, Instance
from tests.smtp import calls

PLACES = ("tables", "files", "log", "errors", "audit log")


@dataclass
class Evidence:
    """What was secret, and what could be found where."""

    # No secret, and put into every place, so that a search that finds nothing is one that works.
    canary: str = field(default_factory=lambda: f"canary-{uuid4().hex}")
    # In every password, so that one search finds them all.
    password_mark: str = field(default_factory=lambda: uuid4().hex)
    secrets: dict[str, bytes] = field(default_factory=dict)
    places: dict[str, bytes] = field(default_factory=dict)

    def password(self, name: str) -> str:
        self.secrets["a password"] = self.password_mark.encode()
        return f"{self.password_mark} {name}"

    def token(self, name: str, token: str) -> str:
        # What comes before is the same in all tokens and no secret.
        self.secrets[name] = token.partition("_")[2].encode()
        return token


def forms(secret: bytes) -> Iterator[bytes]:
    """The secret in clear, in hexadecimal and inside of a longer text in base64."""
    yield secret
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    for start in range(3):
        # Of each group of three bytes only those count that do not depend on what stands around.
        whole = secret[start : start + (len(secret) - start) // 3 * 3]
        yield base64.b64encode(whole)
        yield base64.urlsafe_b64encode(whole)


@pytest.fixture(scope="module")
async def evidence(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    found = Evidence()
    data_dir = tmp_path_factory.mktemp("secrets")
    with running(data_dir, durable=False) as cluster:
        before = data_dir / "before"
        before.touch()
        async with _serving(data_dir) as (port, log):
            async with Instance.connected(cluster.dsn, port, data_dir) as instance:
                found.token("the administrator's token", instance.admin.token)
                errors = await _a_little_of_everything(instance, found)
            found.places["tables"] = await _tables(cluster.dsn)
            found.places["audit log"] = await _output("audit", data_dir=data_dir)
        found.places["log"] = log.read_bytes()
    found.places["errors"] = "\n".join(errors).encode()
    key_file, token_file = data_dir / "encryption.keys", data_dir / "admin.token"
    found.secrets["the encryption key"] = key_file.read_bytes().strip()
    found.secrets["the encryption key, decoded"] = base64.b64decode(key_file.read_bytes())
    # Only now, when PostgreSQL has ended, everything is in the files. Those that were not written
    # since the beginning are left out; there are many.
    found.places["files"] = b"\n".join(
        file.read_bytes()
        for file in data_dir.rglob("*")
        if file.is_file()
        and file not in (key_file, token_file, log)
        and file.stat().st_mtime_ns >= before.stat().st_mtime_ns
    )
    return found


@pytest.mark.parametrize("place", PLACES)
def test_no_secret_is_found(evidence: Evidence, place: str) -> None:
    text = evidence.places[place]

    found = {name for name, secret in evidence.secrets.items() for f in forms(secret) if f in text}

    assert found == set()


@pytest.mark.parametrize("place", PLACES)
def test_what_is_no_secret_is_found(evidence: Evidence, place: str) -> None:
    assert evidence.canary.encode() in evidence.places[place]


def test_the_log_has_tracebacks_that_could_have_shown_a_secret(evidence: Evidence) -> None:
    assert b"Traceback" in evidence.places["log"]


@pytest.mark.parametrize("around", [b"", b"x", b"xy", b"xyz"])
def test_a_secret_within_base64_is_recognized(around: bytes) -> None:
    encoded = base64.b64encode(around + b"a secret of some length" + around)

    assert any(form in encoded for form in forms(b"a secret of some length"))


async def _a_little_of_everything(instance: Instance, found: Evidence) -> list[str]:
    """The errors that were seen."""
    errors: list[str] = []

    async def refused(call: Awaitable[object]) -> None:
        try:
            await call
        except grpc.aio.AioRpcError as error:
            errors.append(
                f"{error.details()} {error.trailing_metadata()} {error.debug_error_string()}"
            )
        else:
            raise AssertionError("the call was not refused")

    admin = instance.admin
    config = given.smtp_config(password=found.password("added"))
    wrong = given.smtp_config(host="nowhere", password=found.password("refused"))
    await refused(admin.call(admin.smtp.AddSMTPConfig, wrong, x_request_id=found.canary))
    await calls.add(admin, config)
    await refused(calls.add(admin, given.smtp_config(password=found.password("too late"))))
    await calls.update(admin, given.smtp_update(password=found.password("updated")))
    await calls.update_password(admin, found.password("replaced"))
    await refused(calls.update(admin, given.smtp_update(host="other.example.com:25")))
    await refused(calls.update_password(admin, found.password("\n")))
    await refused(_send_raw(admin, b"\xff" + found.password("malformed").encode()))
    await refused(_send_raw(admin, b"\xff" + found.password("too large").encode() * 200_000))

    user_id = (
        await admin.call(
            admin.users.CreateUser,
            user_pb.CreateUserRequest(user_name="user", display_name=found.canary),
        )
    ).user_id
    tokens = [found.token(f"token {n}", await given.token(admin, user_id)) for n in range(3)]
    user, other, unused = (admin.with_token(token, user_id) for token in tokens)
    listed = await user.call(user.users.ListTokens, user_pb.ListTokensRequest(user_id=user_id))
    assert len(listed.tokens) == len(tokens)
    revoked = user_pb.RevokeTokenRequest(user_id=user_id, token_id=listed.tokens[1].token_id)
    await other.call(other.users.RevokeToken, revoked)
    await refused(other.call(other.users.GetCurrentUser, user_pb.GetCurrentUserRequest()))
    damaged = admin.with_token(found.token("damaged token", f"{tokens[0]}x"))
    await refused(calls.get(damaged))

    registration = await user.call(
        user.passkeys.RegisterPasskey, passkey_pb.RegisterPasskeyRequest(user_id=user_id)
    )
    registrant = admin.with_token(
        found.token("registration token", registration.registration_token)
    )
    verify = passkey_pb.VerifyPasskeyRegistrationRequest(
        user_id=user_id, passkey_id=registration.passkey_id, passkey_name="x" * 60
    )
    verify.public_key_credential.update({"id": "x" * 60})
    await refused(registrant.call(registrant.passkeys.VerifyPasskeyRegistration, verify))

    # What nobody foresaw: a table is not there.
    sql = await asyncpg.connect(instance.dsn)
    unforeseen: dict[str, Callable[[], Awaitable[object]]] = {
        "smtp_configs": lambda: calls.add(admin, config),
        "tokens": lambda: calls.get(unused),
        "passkey_ceremonies": lambda: registrant.call(
            registrant.passkeys.VerifyPasskeyRegistration, verify
        ),
    }
    for table, call in unforeseen.items():
        await sql.execute(f"alter table {table} rename to hidden")
        await refused(call())
        await sql.execute(f"alter table hidden rename to {table}")
    await sql.close()
    return errors


def _send_raw(client: Client, data: bytes) -> Awaitable[object]:
    """Bytes that are no message."""
    method: Any = client.channel.unary_unary("/keystead.smtp.v1.SMTPService/AddSMTPConfig")
    call: Awaitable[object] = client.call(method, data)
    return call


async def _tables(dsn: str) -> bytes:
    """All rows of all tables as text, what is binary in hexadecimal."""
    sql = await asyncpg.connect(dsn)
    tables = await sql.fetch("""
        select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')""")
    rows: list[Any] = []
    for table in tables:
        rows += await sql.fetch(f"select row::text from {table['name']} as row")  # noqa: S608
    await sql.close()
    return "\n".join(row["row"] for row in rows).encode()


@contextlib.asynccontextmanager
async def _serving(data_dir: Path) -> AsyncIterator[tuple[int, Path]]:
    """A server as people start it; its port, and the file with all that it says."""
    log = data_dir / "server.log"
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *_COMMAND, "serve", env=_environment(data_dir), stdout=output, stderr=output
        )
    try:
        while (port := _port(log)) is None:
            assert process.returncode is None, log.read_text()
            await asyncio.sleep(0.02)
        yield port, log
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _output(command: str, *, data_dir: Path) -> bytes:
    process = await asyncio.create_subprocess_exec(
        *_COMMAND, command, env=_environment(data_dir), stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    assert process.returncode == 0
    return output


_COMMAND = (sys.executable, "-m", "server")


def _environment(data_dir: Path) -> dict[str, str]:
    others = {name: value for name, value in os.environ.items() if "KEYSTEAD" not in name}
    return others | {
        "KEYSTEAD_DATA_DIR": str(data_dir),
        "KEYSTEAD_GRPC_ADDRESS": "127.0.0.1:0",
        "KEYSTEAD_HTTP_ADDRESS": "127.0.0.1:0",
        "KEYSTEAD_LOG_LEVEL": "debug",
        "KEYSTEAD_LOG_FORMAT": "json",
    }


def _port(log: Path) -> int | None:
    """The port of native gRPC, once the server has said it."""
    for line in log.read_text().splitlines():
        with contextlib.suppress(json.JSONDecodeError):
            said = json.loads(line)
            if said["event"] == "serving gRPC":
                port: int = said["port"]
                return port
    return None
