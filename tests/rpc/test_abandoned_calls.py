"""Clients that disappear during their calls do not harm the server."""

import asyncio
import subprocess
import sys
from pathlib import Path

import grpc
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

from tests.support import given, process

pytestmark = pytest.mark.python_differs("asyncio cancels and wakes tasks in another order")

_CONNECTIONS = 5
_WATCHERS = 100  # on each connection, as many as one may have
# Opens health streams, reads the first answer of each, and exits without closing them.
_CLIENT = f"""
import os, sys
import grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest
from grpc_health.v1.health_pb2_grpc import HealthStub

watches = []
for _ in range({_CONNECTIONS}):
    channel = grpc.insecure_channel(
        f"127.0.0.1:{{sys.argv[1]}}", options=[("grpc.use_local_subchannel_pool", 1)]
    )
    watches += [HealthStub(channel).Watch(HealthCheckRequest()) for _ in range({_WATCHERS})]
for watch in watches:
    next(watch)
os._exit(0)
"""


async def _serves(channel: grpc.aio.Channel) -> bool:
    """Not at once: a probe of the database may have waited for too long behind the watchers."""
    health = await HealthStub(channel).Check(HealthCheckRequest())
    return bool(health.status == HealthCheckResponse.SERVING)


async def test_hundreds_of_watchers_may_vanish_at_once(tmp_path: Path) -> None:
    async with process.serve_forked(tmp_path, shutdown_grace=1) as server:
        port = await server.port()
        await asyncio.to_thread(
            subprocess.run, [sys.executable, "-c", _CLIENT, str(port)], check=True
        )

        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            await given.eventually(lambda: _serves(channel))
        await server.until(
            lambda: (
                len([call for call in server.events("call") if call["code"] == "CANCELLED"])
                == _CONNECTIONS * _WATCHERS
            )
        )
