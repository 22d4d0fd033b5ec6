"""A grpc-web client that shows raw answers, and a channel for generated stubs."""

import asyncio
import base64
import struct
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote

import grpc
import httpx2

from tests.support.web_client import web_client

_HEAD = struct.Struct(">BI")
_TRAILERS = 0x80

Metadata = Sequence[tuple[str, str | bytes]]


def frame(message: bytes, *, flags: int = 0) -> bytes:
    """A frame of a request."""
    return _HEAD.pack(flags, len(message)) + message


@dataclass(frozen=True)
class Answer:
    """An answer: its headers and the frames of its body."""

    http_status: int
    headers: httpx2.Headers
    messages: Sequence[bytes]
    trailers: Metadata | None  # in the body

    @classmethod
    def of(cls, response: httpx2.Response) -> Self:
        """Reads an answer, which must be well-formed."""
        content_type = response.headers.get("content-type", "")
        body = response.content
        if content_type.startswith("application/grpc-web-text"):
            body = base64.b64decode(body, validate=True)
        messages: list[bytes] = []
        trailers: Metadata | None = None
        while body:
            assert trailers is None, "something follows the trailers"
            flags, length = _HEAD.unpack_from(body)
            payload, body = body[_HEAD.size :][:length], body[_HEAD.size + length :]
            assert len(payload) == length, "a frame is cut"
            if flags == _TRAILERS:
                trailers = _read_trailers(payload)
            else:
                assert flags == 0
                messages.append(payload)
        return cls(response.status_code, response.headers, messages, trailers)

    @property
    def is_trailers_only(self) -> bool:
        """Whether the status is in the headers."""
        return "grpc-status" in self.headers

    @property
    def status(self) -> Mapping[str, str | bytes]:
        """The trailers, from the headers or the body."""
        if self.is_trailers_only:
            assert self.trailers is None, "two statuses"
            return dict(_decoded(self.headers.multi_items()))
        assert self.trailers is not None, "no status"
        return dict(self.trailers)

    @property
    def code(self) -> grpc.StatusCode:
        """The code of the status."""
        number = int(self.status["grpc-status"])
        return next(code for code in grpc.StatusCode if code.value[0] == number)

    @property
    def error(self) -> grpc.aio.AioRpcError:
        """A status that is not OK, as the native client would raise it."""
        assert self.code is not grpc.StatusCode.OK
        return grpc.aio.AioRpcError(
            self.code,
            initial_metadata=grpc.aio.Metadata(*_decoded(self.headers.multi_items())),
            trailing_metadata=grpc.aio.Metadata(*self.status.items()),
            details=unquote(str(self.status["grpc-message"]), errors="strict"),
        )


def _read_trailers(payload: bytes) -> Metadata:
    assert payload.endswith(b"\r\n")
    lines = [line.partition(": ") for line in payload.decode("ascii")[:-2].split("\r\n")]
    assert all(separator for _, separator, _ in lines)
    assert all(key == key.lower() for key, _, _ in lines)
    return _decoded([(key, value) for key, _, value in lines])


def _decoded(items: Sequence[tuple[str, str]]) -> Metadata:
    return [
        (key, base64.b64decode(value + "=" * (-len(value) % 4)) if key.endswith("-bin") else value)
        for key, value in items
    ]


class Channel:
    """The channel interface of generated stubs, over grpc-web. Only unary calls."""

    def __init__(self, port: int, *, content_type: str = "application/grpc-web+proto") -> None:
        self._content_type = content_type
        self._http = web_client(port)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        await self._http.aclose()

    async def post(
        self, path: str, body: Any, headers: Mapping[str, str | bytes] | None = None
    ) -> Answer:
        """Sends a body unchanged."""
        return await self.request("POST", path, body, headers)

    async def request(
        self, verb: str, path: str, body: Any, headers: Mapping[str, str | bytes] | None = None
    ) -> Answer:
        """Sends a body unchanged, with any verb."""
        all_headers = {
            name.encode(): value if isinstance(value, bytes) else value.encode()
            for name, value in {"content-type": self._content_type, **(headers or {})}.items()
        }
        return Answer.of(await self._http.request(verb, path, content=body, headers=all_headers))

    def unary_unary(
        self,
        path: str,
        request_serializer: Callable[[Any], bytes] = bytes,
        response_deserializer: Callable[[bytes], Any] = bytes,
        **_: object,
    ) -> Callable[..., "_Call"]:
        """A method, as in `grpc.aio.Channel`."""

        def call(
            request: Any,
            *,
            metadata: Metadata = (),
            timeout: float | None = None,
            wait_for_ready: bool | None = None,
        ) -> _Call:
            del wait_for_ready  # HTTP clients always wait
            headers = {"content-type": self._content_type}
            if timeout is not None:
                headers["grpc-timeout"] = f"{int(timeout * 1000)}m"
            body = frame(request_serializer(request))
            if self._content_type.startswith("application/grpc-web-text"):
                body = base64.b64encode(body)
            sent = self._http.post(
                path, content=body, headers=[*headers.items(), *_encoded(metadata)]
            )
            return _Call(sent, response_deserializer)

        return call

    def unary_stream(self, *_: object, **__: object) -> None:
        """Generated stubs require this method."""

    stream_stream = unary_stream


def _encoded(metadata: Metadata) -> list[tuple[str, str]]:
    return [
        (key, base64.b64encode(value).decode() if isinstance(value, bytes) else value)
        for key, value in metadata
    ]


class _Call:
    """A running call, as in `grpc.aio.UnaryUnaryCall`."""

    def __init__(self, sent: Any, deserialize: Callable[[bytes], Any]) -> None:
        self._sent: asyncio.Future[httpx2.Response] = asyncio.ensure_future(sent)
        self._deserialize = deserialize

    def __await__(self) -> Generator[Any, None, Any]:
        return self._message().__await__()

    async def _message(self) -> Any:
        answer = await self.answer()
        if answer.code is not grpc.StatusCode.OK:
            raise answer.error
        (message,) = answer.messages
        return self._deserialize(message)

    async def answer(self) -> Answer:
        """The whole answer."""
        return Answer.of(await self._sent)

    async def code(self) -> grpc.StatusCode:
        """The code of the status."""
        return (await self.answer()).code

    async def initial_metadata(self) -> Mapping[str, str]:
        """The headers."""
        return (await self.answer()).headers

    async def trailing_metadata(self) -> Mapping[str, str | bytes]:
        """The trailers."""
        return (await self.answer()).status

    def cancel(self) -> None:
        """Closes the connection."""
        self._sent.cancel()
