"""`keystead serve` for an operator: the first start, the next one, and refused starts."""

import asyncio
import base64
import json
import socket
import stat
from pathlib import Path

import asyncpg
import grpc
import pytest
import structlog

from keystead.user.v1 import user_service_pb2 as user_pb
from server import app
from server.crypto.keyring import EncryptionKeyError
from server.process.embedded_postgres import EmbeddedPostgresError, postmaster_pid, running
from server.settings.settings import Settings
from server.store.schema import SchemaTooNewError, migrations, newest_version
from tests.smtp import calls as smtp
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.given import Instance
from tests.support.process import free_port, keystead, serve_forked
from tests.user import calls as users

pytestmark = pytest.mark.python_differs("signals, forks and the end of asyncio.run differ")


async def _rows(dsn: str, query: str) -> list[asyncpg.Record]:
    async with given.sql(dsn) as connection:
        return await connection.fetch(query)


async def test_the_first_start_makes_an_administrator_and_the_second_changes_nothing(
    tmp_path: Path,
) -> None:
    data_dir = tmp_path / "data"

    # The first start, with an empty directory and the embedded PostgreSQL
    async with serve_forked(data_dir) as first:
        port = await first.port()
        async with Instance.connected("", port, data_dir) as instance:
            admin = instance.admin
            me = await users.whoami(admin)
        assert await first.end() == 0
        output, errors = first.output, first.errors
    token_file = data_dir / "admin.token"
    token = token_file.read_text().strip()

    assert (me.user_name, list(me.roles)) == ("admin", [user_pb.ROLE_INSTANCE_OWNER])
    assert stat.S_IMODE(token_file.stat().st_mode) == 0o600
    assert output == (
        f"First start. The token of the user 'admin' is in {token_file}\n"
        "To open the console at http://localhost:8080/console/, run: keystead console\n"
    )
    assert token not in errors
    with pytest.raises(EmbeddedPostgresError, match="No embedded PostgreSQL is running"):
        postmaster_pid(data_dir)
    with running(data_dir) as cluster:
        before = await _rows(cluster.dsn, "select * from events order by aggregate_id, sequence")

    # The second start
    async with serve_forked(data_dir) as second:
        await second.port()
        assert await second.end() == 0
        assert second.output == ""

    assert token_file.read_text().strip() == token
    with running(data_dir) as cluster:
        assert (
            await _rows(cluster.dsn, "select * from events order by aggregate_id, sequence")
        ) == before
        names = await _rows(cluster.dsn, "select name, is_default from organizations")
    assert [tuple(row) for row in names] == [("default", True)]


async def test_two_first_starts_at_once_make_one_administrator_whose_token_works(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    dsn = await make_database(empty=True)
    # Servers of one database need the same keys; each would make a key file of its own.
    settings = {"database_url": dsn, "encryption_keys": base64.b64encode(bytes(32)).decode()}

    async with (
        serve_forked(tmp_path / "one", **settings) as one,
        serve_forked(tmp_path / "two", **settings) as two,
    ):
        ports = await asyncio.gather(one.port(), two.port())
        with_token = [
            server.data_dir for server in (one, two) if (server.data_dir / "admin.token").exists()
        ]
        assert len(with_token) == 1
        for port in ports:
            async with Instance.connected(dsn, port, with_token[0]) as instance:
                assert instance.admin.user_id

    [counts] = await _rows(
        dsn,
        "select (select count(*) from organizations), (select count(*) from users),"
        " (select count(*) from tokens), (select count(*) from schema_versions)",
    )
    assert tuple(counts) == (1, 1, 1, len(migrations()))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("setting", ["grpc_address", "http_address"])
async def test_a_port_in_use_is_named_with_the_setting_to_change(
    tmp_path: Path, make_database: MakeDatabase, setting: str, workers: int
) -> None:
    addresses = {name: f"127.0.0.1:{free_port()}" for name in ("grpc_address", "http_address")}
    with socket.create_server(("127.0.0.1", 0)) as taken:
        addresses[setting] = f"127.0.0.1:{taken.getsockname()[1]}"

        refused = await keystead(
            "serve",
            data_dir=tmp_path,
            database_url=await make_database(),
            workers=workers,
            **addresses,
        )

    assert refused.status == 1
    assert f"Cannot listen on {addresses[setting]}" in refused.errors
    assert f"KEYSTEAD_{setting.upper()}" in refused.errors
    assert "serving" not in refused.errors
    assert "add_port" not in refused.errors  # the error of gRPC, which says less
    assert "Traceback" not in refused.errors


async def test_a_database_that_cannot_be_reached_is_one_sentence_without_the_password(
    tmp_path: Path,
) -> None:
    url = "postgresql://keystead:a-secret@127.0.0.1:1/keystead"

    refused = await keystead("serve", data_dir=tmp_path, database_url=url)

    assert refused.status == 1
    assert "Cannot connect to the database keystead on 127.0.0.1:1: Conn" in refused.errors
    assert "KEYSTEAD_DATABASE_URL" in refused.errors
    assert "a-secret" not in refused.errors
    assert "Traceback" not in refused.errors


def _settings(data_dir: Path, **settings: object) -> Settings:
    return Settings.model_validate({"data_dir": data_dir, **settings})


async def test_a_lost_key_file_prevents_a_start_and_is_not_replaced(own_instance: Instance) -> None:
    await smtp.add(own_instance.admin)
    key_file = own_instance.data_dir / "encryption.keys"
    key_file.unlink()

    with pytest.raises(EncryptionKeyError, match=f"{key_file} is missing"):
        await app.prepare(_settings(own_instance.data_dir), own_instance.dsn)

    assert not key_file.exists()


async def test_another_key_than_that_of_the_secrets_prevents_a_start(
    own_instance: Instance,
) -> None:
    await smtp.add(own_instance.admin)
    key = base64.b64encode(bytes(32)).decode()

    with pytest.raises(EncryptionKeyError, match="that are not configured"):
        await app.prepare(_settings(own_instance.data_dir, encryption_keys=key), own_instance.dsn)


async def test_a_schema_on_which_this_release_does_not_run_prevents_a_start(
    own_instance: Instance,
) -> None:
    async with given.sql(own_instance.dsn) as release:
        await release.execute(given.NEWER_SCHEMA, 9999, 9999)

    with pytest.raises(SchemaTooNewError, match="schema version 9999, which needs servers"):
        await app.prepare(_settings(own_instance.data_dir), own_instance.dsn)


async def test_a_server_starts_on_a_newer_schema_that_is_compatible_with_it(
    own_instance: Instance,
) -> None:
    async with given.sql(own_instance.dsn) as release:
        await release.execute(given.NEWER_SCHEMA, 9999, newest_version())

    with structlog.testing.capture_logs() as logs:
        await app.prepare(_settings(own_instance.data_dir), own_instance.dsn)

    # The call by which the server was reached may be logged late.
    assert [line for line in logs if line["log_level"] == "warning"] == [
        {"event": "the schema is of a newer release", "version": 9999, "log_level": "warning"}
    ]


async def test_a_data_directory_that_does_not_exist_yet_is_made(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    data_dir = tmp_path / "new" / "data"
    key = "b25lIG9mIHRoZSBrZXlzIG9mIDMyIGJ5dGVzLi4uLi4="

    await app.prepare(_settings(data_dir, encryption_keys=key), await make_database())

    assert stat.S_IMODE(data_dir.stat().st_mode) == 0o700
    assert [file.name for file in data_dir.iterdir()] == ["admin.token"]


async def test_the_log_tells_of_calls_and_tracebacks_in_json_and_of_no_secret_even_at_debug_level(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    dsn = await make_database()
    async with serve_forked(tmp_path, database_url=dsn, log_level="debug") as server:
        async with Instance.connected(dsn, await server.port(), tmp_path) as instance:
            admin = instance.admin
            config = given.smtp_config(password="marked-password", sender_name="marked-name")
            await admin.call(admin.smtp.AddSMTPConfig, config, x_request_id="the-request")
            await given.refusal(smtp.remove(admin.with_token("kst_marked-token")))
            await smtp.remove(admin)
            await _rows(dsn, "alter table smtp_configurations add check (sender_name = '')")
            refused = await given.refusal(admin.call(admin.smtp.AddSMTPConfig, config))
            assert refused.code is grpc.StatusCode.INTERNAL
        assert await server.end() == 0
        lines = [json.loads(line) for line in server.errors.splitlines()]

    [call] = [line for line in lines if line.get("request_id") == "the-request"]
    assert call["event"] == "call"
    assert call["method"] == "/keystead.smtp.v1.SMTPService/AddSMTPConfig"
    assert call["code"] == "OK"
    assert call["user_id"] == admin.user_id
    assert call["milliseconds"] > 0
    logged = json.dumps(lines)
    assert "UNAUTHENTICATED" in logged
    assert "CheckViolationError" in logged
    assert admin.token not in logged
    assert "marked" not in logged
