"""The path of one call: the files and functions of Keystead that run in an UpdateIDP, by transport.

`python -m bench.path` calls a server in its own process and counts the functions of `server/` and
`bridge/` that ran, without those of logs and metrics. `--list` also names them. A function counts
if it ran in each of several calls; all other functions are background work.
"""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import reduce
from operator import and_
from pathlib import Path
from types import CodeType, FrameType
from typing import TypeAlias

import click
import grpc
import httpx2

from bench.database import postgresql
from bench.processes import ROOT, BenchError
from bench.report import GRPC_WEB, JSON, NATIVE, table
from keystead.idp.v1 import identity_provider_service_pb2 as pb
from keystead.idp.v1 import identity_provider_service_pb2_grpc as pb_grpc
from server import app
from server.settings.settings import Settings
from server.telemetry import logs

_CALLS = 5
_LISTED_AFTER_SECONDS = 0.1  # by then the log line of a call is written
_WARMING_CALLS = 3
_OURS = tuple(f"{ROOT / name}/" for name in ("server", "bridge"))
_ASIDE = (str(ROOT / "server/telemetry"), str(ROOT / "server/rpc/call_log.py"))

# Changes the name of the identity provider.
_Update: TypeAlias = Callable[[str], Awaitable[object]]


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--list", "listed", is_flag=True, help="Also name the functions.")
def main(*, listed: bool) -> None:
    """Count the files and functions that one UpdateIDP passes on each transport."""
    logs.configure("error", "console", with_traces=False)
    with tempfile.TemporaryDirectory(prefix="keystead-path-") as name:
        folder = Path(name)
        with postgresql(folder / "postgresql") as server, server.database() as database:
            paths = asyncio.run(_paths(database.dsn, folder))
    rows = [
        [transport, str(len({code.co_filename for code in path})), str(len(path))]
        for transport, path in paths.items()
    ]
    click.echo(table(["UpdateIDP", "files", "functions"], rows))
    if listed:
        for transport, path in paths.items():
            click.echo("\n".join([f"\n{transport}", *sorted(map(_name, path))]))


async def _paths(dsn: str, folder: Path) -> Mapping[str, set[CodeType]]:
    settings = Settings(data_dir=folder, grpc_address="127.0.0.1:0", http_address="127.0.0.1:0")
    await app.prepare(settings, dsn)
    headers = {"authorization": f"Bearer {(folder / 'admin.token').read_text().strip()}"}
    async with app.serving(settings, dsn) as ports, _updates(ports, headers) as updates:
        return {transport: await _path(update) for transport, update in updates.items()}


@asynccontextmanager
async def _updates(ports: app.Ports, headers: dict[str, str]) -> AsyncIterator[dict[str, _Update]]:
    """The call, by transport."""
    async with (
        grpc.aio.insecure_channel(f"127.0.0.1:{ports.grpc}") as channel,
        httpx2.AsyncClient(base_url=f"http://127.0.0.1:{ports.http}", headers=headers) as http,
    ):
        stub = pb_grpc.IdentityProviderServiceStub(channel)
        metadata = tuple(headers.items())
        added = await stub.CreateIDP(pb.CreateIDPRequest(name="Provider"), metadata=metadata)

        def request(name: str) -> pb.UpdateIDPRequest:
            return pb.UpdateIDPRequest(idp_id=added.idp_id, name=name)

        async def native(name: str) -> None:
            await stub.UpdateIDP(request(name), metadata=metadata)

        async def grpc_web(name: str) -> None:
            message = request(name).SerializeToString()
            answer = await http.post(
                "/keystead.idp.v1.IdentityProviderService/UpdateIDP",
                content=b"\0" + len(message).to_bytes(4) + message,
                headers={"content-type": "application/grpc-web"},
            )
            if "grpc-status" in answer.headers:  # a failure; on success it is in the body
                raise BenchError(f"UpdateIDP failed: {answer.headers}")

        async def json(name: str) -> None:
            answer = await http.put(f"/v1/idps/{added.idp_id}", json={"name": name})
            answer.raise_for_status()

        yield {NATIVE: native, GRPC_WEB: grpc_web, JSON: json}


async def _path(update: _Update) -> set[CodeType]:
    """The functions of Keystead that run in every call."""
    for number in range(_WARMING_CALLS):
        await update(f"Warming {number}")
    await asyncio.sleep(_LISTED_AFTER_SECONDS)
    return reduce(and_, [await _functions_of(update, f"Counted {n}") for n in range(_CALLS)])


async def _functions_of(update: _Update, name: str) -> set[CodeType]:
    seen: set[CodeType] = set()

    def see(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    sys.setprofile(see)
    try:
        await update(name)
        await asyncio.sleep(_LISTED_AFTER_SECONDS)
    finally:
        sys.setprofile(None)
    return set(_ours(seen))


def _ours(functions: Iterable[CodeType]) -> Iterable[CodeType]:
    """The functions to count; a comprehension is a part of its function."""
    return (
        code
        for code in functions
        if code.co_filename.startswith(_OURS)
        and not code.co_filename.startswith(_ASIDE)
        and (code.co_name == "<lambda>" or not code.co_name.startswith("<"))
    )


def _name(code: CodeType) -> str:
    return f"{Path(code.co_filename).relative_to(ROOT)} {code.co_qualname}"


if __name__ == "__main__":
    main()
