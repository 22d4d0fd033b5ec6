"""Calls methods of a server over its public URL, by grpc-web with a token.

A call that found the server busy or lost its answer is repeated. No change is made twice: one of an
object has its ETag, and a creation has a key (decision 11).
"""

import asyncio
import base64
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit
from uuid import uuid4

import httpx2
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import code_pb2, error_details_pb2, status_pb2

from bridge.grpcweb import frames
from server.cli.paging import pages
from server.values.errors import OperatorError

_CONCURRENT_CALLS: Final = 16
_SECONDS: Final = 60.0
_PAUSES: Final = (0.2, 0.5, 1.0, 2.0, 4.0)
_LOOPBACK: Final = {"127.0.0.1", "::1", "localhost"}
_REPEATED: Final = {code_pb2.UNAVAILABLE}
_TOO_MANY_KEYS: Final = "TOO_MANY_IDEMPOTENCY_KEYS"


class RefusalError(Exception):
    """The error of a call: its code, its stable reason, and one sentence for each violation."""

    def __init__(self, code: int, reason: str, message: str, violations: Mapping[str, str]) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        self.violations = violations

    @property
    def sentence(self) -> str:
        """The error for people."""
        wrong = [f"{field}: {text}" for field, text in self.violations.items()]
        return "; ".join(wrong) if wrong else self.message


class ApiAnswer(NamedTuple):
    """The response of a call, and the ETag of its object; empty without one."""

    message: Any
    etag: str


class Api:
    """A server, as the owner of a token sees it. `calls` counts what was sent."""

    def __init__(self, http: httpx2.AsyncClient, token: str) -> None:
        self._http = http
        self._token = token
        self._turns = asyncio.Semaphore(_CONCURRENT_CALLS)
        self.calls = 0

    async def read(
        self, method: MethodDescriptor, request: Message, *, organization_id: str = ""
    ) -> Any:
        """The response of a method that changes nothing. `RefusalError`."""
        return (await self._repeated(method, request, organization_id, {})).message

    async def preview(
        self, method: MethodDescriptor, request: Message, *, organization_id: str, etag: str = ""
    ) -> ApiAnswer:
        """Tries a change, which the server then undoes. `RefusalError`.

        The answer has the given ETag if the change would leave the object as it is.
        """
        headers = {"x-validate-only": "true", **_condition(etag)}
        return await self._repeated(method, request, organization_id, headers)

    async def change(
        self,
        method: MethodDescriptor,
        request: Message,
        *,
        organization_id: str,
        etag: str = "",
        has_key: bool = False,
    ) -> ApiAnswer:
        """Makes a change, and only if the object has the ETag. `RefusalError`.

        With a key it is made once, even if its answer is lost and the call is repeated.
        """
        headers = _condition(etag)
        key = {"x-idempotency-key": str(uuid4())} if has_key else {}
        try:
            return await self._repeated(method, request, organization_id, headers | key)
        except RefusalError as refusal:
            if refusal.reason != _TOO_MANY_KEYS:
                raise
        return await self._repeated(method, request, organization_id, headers)

    def pages(
        self, method: MethodDescriptor, request: Any, *, organization_id: str
    ) -> AsyncIterator[Any]:
        """The responses of a list, page by page. `RefusalError`."""
        return pages(partial(self.read, method, request, organization_id=organization_id), request)

    async def _repeated(
        self,
        method: MethodDescriptor,
        request: Message,
        organization_id: str,
        headers: Mapping[str, str],
    ) -> ApiAnswer:
        """Calls the method again while the server cannot answer and a repetition is safe."""
        sent = {**headers, **({"x-service-orgid": organization_id} if organization_id else {})}
        pauses = iter(_PAUSES)
        failed: Exception
        while True:
            try:
                async with self._turns:
                    return await self.send(method, request, sent)
            except RefusalError as refusal:
                if not _can_be_repeated(refusal):
                    raise
                failed = refusal
            except httpx2.TransportError as error:
                failed = _unreachable(self._http.base_url, error)
            pause = next(pauses, None)
            if pause is None:
                raise failed
            await asyncio.sleep(pause)

    async def send(
        self, method: MethodDescriptor, request: Message, headers: Mapping[str, str]
    ) -> ApiAnswer:
        """Calls a method once. `RefusalError`, or an error of the connection."""
        self.calls += 1
        response = await self._http.post(
            f"{method.containing_service.full_name}/{method.name}",
            content=frames.message(request.SerializeToString()),
            headers={
                "content-type": "application/grpc-web+proto",
                "authorization": f"Bearer {self._token}",
                **headers,
            },
        )
        if not response.headers.get("content-type", "").startswith("application/grpc-web"):
            raise _not_keystead(response)
        messages, trailers = frames.of_answer(response.content)
        trailers = {**response.headers, **trailers}  # in the headers of an answer without a body
        code = int(trailers.get("grpc-status", code_pb2.UNKNOWN))
        if code:
            raise _refusal(code, trailers)
        answer: Callable[[bytes], Message] = GetMessageClass(method.output_type).FromString
        return ApiAnswer(answer(messages[0]), trailers.get("etag", ""))


@asynccontextmanager
async def connected(url: str, token: str) -> AsyncIterator[Api]:
    """The server at a URL, whose path may be a prefix. `OperatorError`."""
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise OperatorError(
            f"'{url}' is not the https URL of a server. A token is sent over http only to this"
            " machine: give the URL that people sign in at."
        )
    async with httpx2.AsyncClient(
        base_url=f"{url.rstrip('/')}/",
        timeout=_SECONDS,
        limits=httpx2.Limits(max_connections=_CONCURRENT_CALLS),
        trust_env=parts.scheme == "https",  # a proxy would get the token in plaintext
    ) as http:
        yield Api(http, token)


def _condition(etag: str) -> dict[str, str]:
    return {"if-match": etag} if etag else {}


def _can_be_repeated(refusal: RefusalError) -> bool:
    """Whether nothing was written: the server is busy, or a lock was held (ABORTED)."""
    is_locked = refusal.code == code_pb2.ABORTED and refusal.reason != "ETAG_MISMATCH"
    return refusal.code in _REPEATED or is_locked


def _refusal(code: int, trailers: Mapping[str, str]) -> RefusalError:
    encoded = trailers.get("grpc-status-details-bin", "")
    status = status_pb2.Status.FromString(base64.b64decode(encoded + "=" * (-len(encoded) % 4)))
    reason, violations = "", dict[str, str]()
    for detail in status.details:
        info, request = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        if detail.Unpack(info):
            reason = info.reason
        elif detail.Unpack(request):
            violations |= {each.field: each.description for each in request.field_violations}
    message = status.message or unquote(trailers.get("grpc-message", ""))
    return RefusalError(code, reason, message, violations)


def _not_keystead(response: httpx2.Response) -> OperatorError:
    return OperatorError(
        f"No Keystead answers at {response.url.host} (HTTP {response.status_code}). Give the URL"
        " that people sign in at, and let the proxy in front of it pass POST requests."
    )


def _unreachable(url: httpx2.URL, error: httpx2.TransportError) -> OperatorError:
    problem = str(error) or type(error).__name__
    return OperatorError(
        f"{url} cannot be reached: {problem}. Check the URL, and run the command again. What was"
        " changed stays."
    )
