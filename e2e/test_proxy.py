"""Behind Debian's haproxy, as most installations are."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from e2e.programs import required, running
from tests.support.databases import MakeDatabase
from tests.support.process import Server, free_port, serve

pytestmark = pytest.mark.xdist_group("proxy")

_METHOD = "/keystead.user.v1.UserService/GetCurrentUser"
_GRPC_WEB = "application/grpc-web+proto"

_CALLS = 200

# `reuse always`: requests of all clients share the connections to the server.
_CONFIGURATION = """
global
    maxconn 1000
defaults
    mode http
    timeout connect 5s
    timeout client 30s
    # Heads, and the first 16 KiB of a body, that do not come reach no server (decision 9).
    timeout http-request {patience}
    option http-buffer-request
    timeout server 30s
    # A server that is slow to say that it is ready is ready.
    timeout check 30s
    http-reuse always
frontend public
    bind 127.0.0.1:{port}
    http-request del-header x-forwarded-for
    option forwardfor
    http-request set-header x-forwarded-proto https
    default_backend keystead
backend keystead
    option httpchk GET /readyz
    server one 127.0.0.1:{web_port} source 127.0.0.2 check inter 100ms
"""


@contextlib.asynccontextmanager
async def _haproxy(web_port: int, folder: Path, *, patience: str) -> AsyncIterator[str]:
    """A haproxy at 127.0.0.2 in front of the web port; gives its URL.

    It waits for a request for as long as `patience`.
    """
    program, port = required("haproxy", "haproxy"), free_port()
    configuration = folder / "haproxy.cfg"
    configuration.write_text(_CONFIGURATION.format(port=port, web_port=web_port, patience=patience))
    address = f"127.0.0.1:{port}"
    async with running(program, "-db", "-q", "-f", str(configuration), address=address):
        yield f"http://{address}"


@pytest.fixture(scope="module")
async def server(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Server]:
    """A server that believes the proxy at 127.0.0.2."""
    settings = {"database_url": await make_database(), "trusted_proxies": "127.0.0.2"}
    async with serve(tmp_path_factory.mktemp("data"), **settings) as server:
        await server.web_port()
        yield server


def _call(server: Server) -> dict[str, str]:
    token = (server.data_dir / "admin.token").read_text().strip()
    return {"content-type": _GRPC_WEB, "authorization": f"Bearer {token}"}


def _told(server: Server) -> list[Any]:
    """The requests that have reached the server."""
    return [*server.events("call"), *server.events("refused a request")]


async def _until_ready(client: httpx2.AsyncClient) -> None:
    async with asyncio.timeout(20):
        while True:
            with contextlib.suppress(httpx2.ConnectError):
                if (await client.get("/readyz")).status_code == httpx2.codes.OK:
                    return
            await asyncio.sleep(0.05)


async def test_calls_pass_a_proxy_and_are_of_the_client_behind_it(
    server: Server, tmp_path: Path
) -> None:
    async with (
        _haproxy(await server.web_port(), tmp_path, patience="30s") as url,
        httpx2.AsyncClient(base_url=url, timeout=30) as client,
    ):
        await _until_ready(client)
        answers = await asyncio.gather(
            *(
                client.post(
                    _METHOD,
                    headers={**_call(server), "x-forwarded-for": "192.0.2.99"},
                    content=bytes(5),
                )
                for _ in range(_CALLS)
            )
        )

        assert {answer.status_code for answer in answers} == {200}
        assert "strict-transport-security" in answers[0].headers
        await server.until(lambda: len(server.events("call")) >= _CALLS)
        calls = server.events("call")
        assert all(call["code"] == "OK" for call in calls)
        assert {call["peer"].rpartition(":")[0] for call in calls} == {"ipv4:127.0.0.1"}


@pytest.mark.parametrize("sent", ["", "Content-Length: 4\r\n\r\nbo"], ids=["head", "body"])
async def test_a_request_that_does_not_come_stays_with_the_proxy(
    server: Server, tmp_path: Path, sent: str
) -> None:
    before = len(_told(server))
    async with _haproxy(await server.web_port(), tmp_path, patience="1s") as url:
        async with httpx2.AsyncClient(base_url=url) as client:
            await _until_ready(client)
        reader, writer = await asyncio.open_connection("127.0.0.1", httpx2.URL(url).port)
        with contextlib.closing(writer):
            writer.write(f"POST {_METHOD} HTTP/1.1\r\nHost: a\r\n{sent}".encode())

            assert (await reader.read()).startswith(b"HTTP/1.1 408 ")

    assert len(_told(server)) == before


async def test_who_calls_without_the_proxy_is_believed_nothing(server: Server) -> None:
    before = len(server.events("call"))
    async with httpx2.AsyncClient() as client:
        await client.post(
            f"http://127.0.0.1:{await server.web_port()}{_METHOD}",
            headers={**_call(server), "x-forwarded-for": "192.0.2.99"},
            content=bytes(5),
        )

    (call,) = await server.until(lambda: server.events("call")[before:])
    assert call["peer"].startswith("ipv4:127.0.0.1:")
