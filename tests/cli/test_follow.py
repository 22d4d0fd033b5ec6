"""`keystead audit --follow`."""

import asyncio
import contextlib
import json
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from server.process.embedded_postgres import postmaster_pid, running
from tests.cli.words import Keystead
from tests.conftest import MakeInstance
from tests.support import given
from tests.support.given import Client, Instance


@contextlib.asynccontextmanager
async def _followed(instance: Instance, *words: str) -> AsyncIterator[Process]:
    """A running command. It is ended after the block if it has not ended itself."""
    command = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server", "audit", "--follow", "--json", *words),
        env={"KEYSTEAD_DATA_DIR": str(instance.data_dir), "KEYSTEAD_DATABASE_URL": instance.dsn},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield command
    finally:
        if command.returncode is None:
            command.kill()
            await command.communicate()


async def _next_id(command: Process) -> str:
    assert command.stdout
    return json.loads(await command.stdout.readline())["aggregate_id"]


async def _complaint(command: Process) -> str:
    assert command.stderr
    return (await command.stderr.readline()).decode()


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
async def test_events_are_printed_as_they_are_written_until_the_command_is_stopped(
    instance: Instance, number: signal.Signals, status: int
) -> None:
    words = ("--creator", instance.admin.user_id, "--type", "idp.added")
    before = await given.idp(instance.admin)

    async with _followed(instance, *words, "--limit", "1") as command:
        assert await _next_id(command) == before
        added = await given.idp(instance.admin)
        assert await _next_id(command) == added

        command.send_signal(number)
        output, errors = await command.communicate()

    assert command.returncode == status
    assert output == b""
    assert errors.strip() == b""


async def test_a_restart_of_the_database_is_reported_and_loses_no_event(
    make_instance: MakeInstance, tmp_path: Path
) -> None:
    data_dir = tmp_path / "postgres"
    with running(data_dir) as cluster:
        async with (
            make_instance(dsn=cluster.dsn) as instance,
            _followed(instance, "--type", "idp.added") as command,
        ):
            admin = instance.admin
            before = await given.idp(admin)
            assert await _next_id(command) == before

            os.kill(postmaster_pid(data_dir), signal.SIGKILL)
            complaint = await _complaint(command)
            with running(data_dir):
                relief = await _complaint(command)
                after = await _added(admin)
                while await _next_id(command) != after:
                    pass  # PostgreSQL may have committed a call that failed with its connection.

    assert complaint.startswith("The event log cannot be read: ")
    assert relief == "The event log can be read again.\n"


async def _added(admin: Client) -> str:
    """A new identity provider's ID. The server may still have connections that the crash ended."""
    while True:
        try:
            return await given.idp(admin)
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise


@pytest.mark.parametrize("words", [("--until", "2030-01-01"), ("--before", "0"), ("--after", "0")])
async def test_options_of_pages_cannot_be_combined_with_follow(
    keystead: Keystead, words: tuple[str, ...]
) -> None:
    refused = await keystead("audit", "--follow", *words)

    assert (refused.status, refused.output) == (2, "")
    assert "--follow cannot be combined with" in refused.errors
