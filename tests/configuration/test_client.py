"""Calls of a server that is busy, gone, or no Keystead."""

import asyncio
import base64
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from google.rpc import code_pb2, error_details_pb2, status_pb2

from server.cli.configuration import client
from server.cli.configuration.client import Api, RefusalError, connected
from server.cli.configuration.export import Exporter
from server.cli.configuration.fields import fields_of, method_of, named
from server.cli.configuration.kinds import ORGANIZATION
from server.cli.configuration.reading import FoundObject, complete, own_organization
from server.values.errors import OperatorError

_GROUPS = next(kind for kind in ORGANIZATION if kind.section == "groups")
_FRAMES = {"content-type": "application/grpc-web+proto"}
_OK = b"\x00\x00\x00\x00\x00\x80\x00\x00\x00\x0fgrpc-status: 0\r"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeats at once."""
    monkeypatch.setattr(client, "_PAUSES", (0.0, 0.0))


def refused(code: int, reason: str = "") -> httpx2.Response:
    """A refusal without a body."""
    status = status_pb2.Status(code=code, message="No.")
    status.details.add().Pack(error_details_pb2.ErrorInfo(reason=reason))
    status.details.add().Pack(error_details_pb2.RequestInfo())
    details = base64.b64encode(status.SerializeToString()).decode().rstrip("=")
    headers = {"grpc-status": str(code), "grpc-status-details-bin": details, **_FRAMES}
    return httpx2.Response(200, headers=headers)


def ok() -> httpx2.Response:
    """An empty response."""
    return httpx2.Response(200, headers=_FRAMES, content=_OK)


class Server:
    """Answers in turn, and keeps the headers of the requests."""

    def __init__(self, *answers: httpx2.Response | Exception) -> None:
        self._answers: Iterator[httpx2.Response | Exception] = iter(answers)
        self.requests: list[httpx2.Headers] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request.headers)
        answer = next(self._answers)
        if isinstance(answer, Exception):
            raise answer
        return answer


@contextlib.asynccontextmanager
async def api_of(server: Callable[[httpx2.Request], httpx2.Response]) -> AsyncIterator[Api]:
    """Calls this server."""
    transport = httpx2.MockTransport(server)
    async with httpx2.AsyncClient(transport=transport, base_url="https://id.example.com/") as http:
        yield Api(http, "kst")


async def create(server: Callable[[httpx2.Request], httpx2.Response]) -> Any:
    """Creates a group."""
    method = method_of(_GROUPS, "CreateGroup")
    async with api_of(server) as api:
        request = named(method, {}, name="a")
        return await api.change(method, request, organization_id="o", has_key=True)


@pytest.mark.parametrize(
    "first",
    [
        httpx2.ConnectError("refused"),
        httpx2.ReadError("lost"),
        refused(code_pb2.UNAVAILABLE),
        refused(code_pb2.ABORTED, "LOCK_TIMEOUT"),
    ],
)
async def test_a_call_is_repeated_with_its_key(first: httpx2.Response | Exception) -> None:
    server = Server(first, ok())

    await create(server)

    keys = {headers["x-idempotency-key"] for headers in server.requests}
    assert (len(server.requests), len(keys)) == (2, 1)


async def test_a_call_goes_without_a_key_when_there_are_too_many() -> None:
    server = Server(refused(code_pb2.RESOURCE_EXHAUSTED, "TOO_MANY_IDEMPOTENCY_KEYS"), ok())

    await create(server)

    assert ["x-idempotency-key" in headers for headers in server.requests] == [True, False]


@pytest.mark.parametrize(
    ("code", "reason", "calls"),
    [
        (code_pb2.UNAVAILABLE, "", 3),
        (code_pb2.ABORTED, "ETAG_MISMATCH", 1),
        (code_pb2.INVALID_ARGUMENT, "", 1),
    ],
)
async def test_a_refusal_ends_the_call(code: int, reason: str, calls: int) -> None:
    server = Server(*(refused(code, reason) for _ in range(calls)))

    with pytest.raises(RefusalError) as raised:
        await create(server)

    assert (raised.value.reason, raised.value.sentence) == (reason, "No.")
    assert len(server.requests) == calls


@pytest.mark.parametrize(
    ("answers", "problem"),
    [
        ([httpx2.Response(502, text="Bad gateway")], r"No Keystead answers .* \(HTTP 502\)"),
        ([httpx2.ConnectError("refused")] * 3, "cannot be reached: refused"),
        ([httpx2.ReadTimeout("")] * 3, "cannot be reached: ReadTimeout"),
    ],
)
async def test_what_does_not_answer_is_named(answers: list[Any], problem: str) -> None:
    with pytest.raises(OperatorError, match=problem):
        await create(Server(*answers))


async def test_an_export_ends_with_a_fault_of_the_server() -> None:
    async with api_of(lambda _: refused(code_pb2.INTERNAL)) as api:
        with pytest.raises(RefusalError):
            await Exporter(api, is_whole=False).organization("o")


async def test_parts_that_cannot_be_read_are_no_absent_ones() -> None:
    [provider] = [kind for kind in ORGANIZATION if kind.section == "idps"]
    of_parts = replace(provider, get="")  # it is read before its parts
    found = FoundObject(of_parts, fields_of(provider).new(), {"idp_id": "i"})

    async with api_of(lambda _: refused(code_pb2.INTERNAL)) as api:
        with pytest.raises(RefusalError):
            await complete(api, found, "o")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_token_over_http_goes_to_no_proxy(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    sent = list[bytes]()

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sent.append(await reader.read(4096))
        writer.close()

    async with await asyncio.start_server(proxy, "127.0.0.1", 0) as server:
        address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        monkeypatch.setenv("http_proxy", address)
        monkeypatch.setenv("all_proxy", address)
        with pytest.raises(OperatorError, match="cannot be reached"):
            async with connected(f"http://{host}:1", "kst") as api:
                await own_organization(api)

    assert sent == []
