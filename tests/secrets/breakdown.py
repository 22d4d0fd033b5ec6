"""Failures of the database during statements that have secrets among their parameters."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator
from typing import Any

import asyncpg

from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.secrets.client import Client
from tests.support import given
from tests.support.transports import Transport

# pg_stat_activity shows a wait for a lock only some time after it has begun.
_WAITING = "select pid from pg_locks where not granted and relation = 'secrets'::regclass"
_ACTIVITY = "select query from pg_stat_activity where datname = current_database()"


async def failures(client: Client, transport: Transport) -> bytes:
    """Unexpected errors, violated constraints, a killed session and a deadline.

    Returns the texts of the statements that other users of the database could see meanwhile.
    """
    config = client.config()
    for table, method, request in (
        ("smtp_configurations", "AddSMTPConfig", config),
        ("secrets", "AddSMTPConfig", config),
        ("users", "ListUsers", user_pb.ListUsersRequest(page_size=7)),
    ):
        await client.sql.execute(f"alter table {table} rename to hidden")
        assert await client.send(transport, method, request) is None
        await client.sql.execute(f"alter table hidden rename to {table}")
    await client.sql.execute("""
        create function lose() returns trigger language plpgsql as
            $$begin raise serialization_failure using detail = new::text; end$$;
        create trigger lose before insert on secrets for each row execute function lose()""")
    assert await client.send(transport, "AddSMTPConfig", config) is None
    await client.sql.execute("drop function lose cascade")
    # A caller may put a password into another field; PostgreSQL's error shows the refused row.
    await client.sql.execute("""
        create function refuse() returns trigger language plpgsql as
            $$begin raise check_violation using detail = new::text; end$$;
        create trigger refuse before insert on events for each row execute function refuse()""")
    named = user_pb.CreateUserRequest(user_name="refused", display_name=client.marks.password)
    assert await client.send(transport, "CreateUser", named) is None
    async with client.sql.transaction():
        # The table before its partitions, in the order in which the server locks them.
        await client.sql.execute("lock table events")
        await client.sql.execute("drop function refuse cascade")

    assert await client.send(transport, "AddSMTPConfig", config)
    changed = smtp_pb.UpdateSMTPConfigPasswordRequest(password=client.marks.password)
    async with _waiting(client, transport, changed):
        seen = await client.sql.fetch(_ACTIVITY)
        statements = "\n".join(row["query"] for row in seen)
        await client.sql.fetch(
            "select pg_terminate_backend($1)", await client.sql.fetchval(_WAITING)
        )
    if transport is not client.transports.native:  # where metadata contains no timeout
        async with client.sql.transaction():
            await client.sql.execute("select from smtp_configs for update")
            timeout = ("grpc-timeout", "50m")
            method = "UpdateSMTPConfigPassword"
            assert await client.send(transport, method, changed, timeout) is None
    assert await client.send(transport, "RemoveSMTPConfig", smtp_pb.RemoveSMTPConfigRequest())
    return statements.encode()


async def crash(client: Client) -> None:
    """PostgreSQL crashes, and logs the running statement."""
    transport = client.transports.native
    assert await client.send(transport, "AddSMTPConfig", client.config())
    request = smtp_pb.UpdateSMTPConfigPasswordRequest(password=client.marks.password)
    with contextlib.suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
        async with _waiting(client, transport, request):
            os.kill(await client.sql.fetchval(_WAITING), signal.SIGKILL)

    async def serves() -> bool:
        return bool(await client.send(transport, "ListUsers", user_pb.ListUsersRequest()))

    await given.eventually(serves)


@contextlib.asynccontextmanager
async def _waiting(client: Client, transport: Transport, request: Any) -> AsyncIterator[None]:
    """A call that waits for a lock during the block. At its end the call must fail."""
    async with client.sql.transaction():
        await client.sql.execute("lock table secrets in exclusive mode")
        call = asyncio.ensure_future(client.send(transport, "UpdateSMTPConfigPassword", request))
        await given.waiting_for_a_lock(client.sql)
        yield
        assert await call is None
