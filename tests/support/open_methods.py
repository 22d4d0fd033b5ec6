"""The methods that need no token, called without a socket, to count the work of each call.

Work is the number of instructions that the interpreter executes for a call, or the number of lines,
which takes less time to count. Both do not depend on the load of the machine. They do not
include the time of compiled code, such as the parsers of JSON and protobuf, which take at most
16 KiB of a request.
"""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Sequence
from types import FrameType
from typing import Any

import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.descriptor_pool import Default
from starlette.types import ASGIApp, Message, Scope

from bridge.app import application
from server import app
from server.rpc.call import Call, CallFailed
from server.rpc.methods import Methods
from server.rpc.registry import Served
from server.rpc.requests import RequestLimits, parsed


class OpenMethods:
    """The methods of a running server that need no token, and the ways to call them."""

    def __init__(self, methods: Methods, site: ASGIApp) -> None:
        self._methods = methods
        self._site = site

    @property
    def paths(self) -> Sequence[str]:
        """The paths of the methods. Without reflection and the streams of health."""
        return [
            path
            for path, served in self._methods.by_path.items()
            if not served.handler.response_streaming and _is_open(served)
        ]

    def descriptor(self, path: str) -> MethodDescriptor:
        """The method of a path."""
        service, _, name = path[1:].partition("/")
        return Default().FindServiceByName(service).methods_by_name[name]

    async def native(self, path: str, message: bytes) -> None:
        """Calls by gRPC, without gRPC's own work."""
        served = self._methods.by_path[path]
        call = Call(
            served.method, (), peer="ipv4:192.0.2.1:4711", time_left=None, default_timeout=30
        )

        async def read(limits: RequestLimits) -> Any:
            return parsed(served.handler, message, limits)

        with contextlib.suppress(CallFailed):
            await self._methods.answer(call, read)

    async def http(
        self, verb: str, target: bytes, body: bytes, headers: Sequence[tuple[bytes, bytes]]
    ) -> None:
        """Calls by an HTTP request."""
        path, _, query = target.partition(b"?")
        scope: Scope = {
            "type": "http",
            "http_version": "1.1",
            "method": verb,
            "scheme": "http",
            "path": path.decode("latin-1"),
            "raw_path": path,
            "query_string": query,
            "headers": [(b"host", b"localhost:8080"), *headers],
            "client": ("192.0.2.1", 4711),
            "server": ("127.0.0.1", 8080),
        }
        parts = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            if parts:
                return parts.pop()
            await asyncio.Event().wait()  # the client stays
            return {"type": "http.disconnect"}

        async def send(_message: Message) -> None:
            pass

        await self._site(scope, receive, send)


@contextlib.asynccontextmanager
async def open_methods(
    start: Callable[[], contextlib.AbstractAsyncContextManager[Any]],
) -> AsyncIterator[tuple[Any, OpenMethods]]:
    """The server that `start` starts in this process, and its open methods."""
    found: list[OpenMethods] = []

    def captured(methods: Methods, **further: Any) -> ASGIApp:
        site = application(methods, **further)
        found.append(OpenMethods(methods, site))
        return site

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "application", captured)
        async with start() as started:
            yield started, found[0]


class _Counted:
    """A coroutine whose steps are traced, not those of other tasks."""

    def __init__(self, coroutine: Awaitable[None], trace: Callable[..., Any]) -> None:
        self._steps = coroutine.__await__()
        self._trace = trace

    def __await__(self) -> Generator[Any, Any, None]:
        sent: Any = None
        while True:
            before = sys.gettrace()
            sys.settrace(self._trace)
            try:
                waited_for = self._steps.send(sent)
            except StopIteration:
                return
            finally:
                sys.settrace(before)
            sent = yield waited_for


async def instructions(call: Awaitable[None]) -> int:
    """The work of a call in instructions."""
    return await _counted(call, by_line=False)


async def lines(call: Awaitable[None]) -> int:
    """The work of a call in lines. A line in a loop counts in each iteration."""
    return await _counted(call, by_line=True)


async def _counted(call: Awaitable[None], *, by_line: bool) -> int:
    executed = 0

    def count(_frame: FrameType, _event: str, _argument: object) -> Any:
        nonlocal executed
        executed += 1
        return count

    def enter(frame: FrameType, _event: str, _argument: object) -> Any:
        frame.f_trace_lines = by_line
        frame.f_trace_opcodes = not by_line
        return count

    await _Counted(call, enter)
    return executed


def _is_open(served: Served) -> bool:
    access = served.method.access
    return access is None or access.is_open or access.by_link_code
