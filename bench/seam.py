"""The processor time of a call through the seam alone: no network, no PostgreSQL, one thread.

`python -m bench.seam` serves in its own process, makes one call of each operation, and repeats it
with the rows that PostgreSQL returned to the first. Only the code of the server is measured, from
the `Call` to the serialized answer, without log lines. The minimum of many rounds can be compared
between two commits even on a busy machine.
"""

import asyncio
import contextlib
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias
from unittest import mock

import asyncpg
import click
import uvloop

from bench.database import postgresql
from keystead.idp.v1 import identity_provider_service_pb2 as pb
from server import app
from server.cli.installation import configure_logs
from server.rpc.call import Call
from server.rpc.methods import Methods
from server.rpc.requests import RequestLimits, parsed
from server.settings.settings import Settings

_SERVICE = "/keystead.idp.v1.IdentityProviderService"
_CALLS = 2_000
_ROUNDS = 25
_CALLS_IN_A_TURN = 20  # calls in a turn of the event loop

# Calls an operation; gives the serialized answer.
_Calling: TypeAlias = Callable[[str, Any], Awaitable[bytes]]


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Print the microseconds of processor time of one call: the median, and the least."""
    with tempfile.TemporaryDirectory(prefix="keystead-seam-") as name:
        folder = Path(name)
        with postgresql(folder / "postgresql") as server, server.database() as database:
            uvloop.run(_measure(database.dsn, folder))


async def _measure(dsn: str, folder: Path) -> None:
    settings = Settings(
        data_dir=folder,
        grpc_address="127.0.0.1:0",
        http_address="127.0.0.1:0",
        log_level="warning",
    )
    configure_logs(settings)
    await app.prepare(settings, dsn)
    token = (folder / "admin.token").read_text().strip()
    made: list[Methods] = []
    with _remembered(made):
        async with app.serving(settings, dsn):
            call = _caller(made[0], token)
            added = await call("CreateIDP", pb.CreateIDPRequest(name="Provider"))
            idp_id = pb.CreateIDPResponse.FromString(added).idp_id
            requests = {
                "GetIDP": pb.GetIDPRequest(idp_id=idp_id),
                "UpdateIDP": pb.UpdateIDPRequest(idp_id=idp_id, name="Renamed"),
            }
            for operation, request in requests.items():
                with _replayed() as replay:
                    await call(operation, request)
                    replay()
                    await _print(operation, call, request)


def _caller(methods: Methods, token: str) -> _Calling:
    headers = (("user-agent", "bench"), ("authorization", f"Bearer {token}"))

    async def call(operation: str, request: Any) -> bytes:
        path = f"{_SERVICE}/{operation}"
        handler = methods.by_path[path].handler
        data = request.SerializeToString()

        async def read(limits: RequestLimits) -> Any:
            return parsed(handler, data, limits)

        call = Call(
            methods.method(path),
            headers,
            peer="ipv4:127.0.0.1:1",
            time_left=None,
            default_timeout=methods.default_timeout,
        )
        answer = await methods.answer(call, read)
        serialized: bytes = handler.response_serializer(answer)
        return serialized

    return call


async def _print(operation: str, call: _Calling, request: Any) -> None:
    taken = []
    for _ in range(_ROUNDS):
        begun = time.thread_time()
        for number in range(_CALLS):
            await call(operation, request)
            if number % _CALLS_IN_A_TURN == 0:
                await asyncio.sleep(0)
        taken.append((time.thread_time() - begun) / _CALLS * 1e6)
    median = statistics.median(taken)
    click.echo(f"{operation}: {median:.1f} µs, at least {min(taken):.1f} µs")


@contextlib.contextmanager
def _remembered(made: list[Methods]) -> Iterator[None]:
    """Collects the `Methods` of servers that start in the block."""
    begin = Methods.__init__

    def remember(self: Methods, *args: Any, **kwargs: Any) -> None:
        begin(self, *args, **kwargs)
        made.append(self)

    with mock.patch.object(Methods, "__init__", remember):
        yield


@contextlib.contextmanager
def _replayed() -> Iterator[Callable[[], None]]:
    """Records the results of statements; once called, the function repeats them."""
    results: dict[str, Any] = {}
    replaying = False
    fetch, fetchrow = asyncpg.Connection.fetch, asyncpg.Connection.fetchrow

    def kept(original: Any) -> Any:
        async def run(self: Any, sql: str, *args: Any) -> Any:
            if replaying and sql in results:
                return results[sql]
            result = results[sql] = await original(self, sql, *args)
            return result

        return run

    def replay() -> None:
        nonlocal replaying
        replaying = True

    with (
        mock.patch.object(asyncpg.Connection, "fetch", kept(fetch)),
        mock.patch.object(asyncpg.Connection, "fetchrow", kept(fetchrow)),
    ):
        yield replay


if __name__ == "__main__":
    main()
