"""Interceptors of a channel: the token, the deadline, repeated calls, errors with details."""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any, Final, TypeAlias

import grpc

from keystead_client import backoff, methods, tokens
from keystead_client.errors import KeysteadError
from keystead_client.tokens import Token

# grpc.aio.ClientCallDetails, a named tuple; its type stub does not say so.
Details: TypeAlias = Any

IDEMPOTENCY_KEY: Final = "x-idempotency-key"
_VALIDATE_ONLY = "x-validate-only"

# ABORTED is repeated only with RetryInfo; otherwise the caller must decide (ETAG_MISMATCH).
_ALWAYS = grpc.StatusCode.UNAVAILABLE
_IF_TOLD = grpc.StatusCode.ABORTED


class UnaryCalls(grpc.aio.UnaryUnaryClientInterceptor):
    """Calls with one answer."""

    def __init__(self, token: Token, *, timeout: float, repeats_changes: bool) -> None:
        self._token = token
        self._timeout = timeout
        self._repeats_changes = repeats_changes

    async def intercept_unary_unary(
        self, continuation: Callable[..., Any], details: Details, request: Any
    ) -> Any:
        """The call of the attempt that succeeded. Otherwise the last attempt's `KeysteadError`."""
        deadline = time.monotonic() + (
            self._timeout if details.timeout is None else details.timeout
        )
        details, is_repeatable = self._repeatable(details)
        attempt = 0
        while True:
            attempt += 1
            left = max(0.0, deadline - time.monotonic())
            sent = (await _authorized(details, self._token))._replace(timeout=left)
            call = await continuation(sent, request)
            try:
                await call
            except grpc.aio.AioRpcError as failed:
                error = KeysteadError(failed)
            else:
                return call
            pause = backoff.delay(attempt, error.retry_after)
            if not (is_repeatable and _is_temporary(error)) or pause >= left:
                raise error from None
            await asyncio.sleep(pause)

    def _repeatable(self, details: Details) -> tuple[Details, bool]:
        """The call, with a key if it is a change, and whether it may be repeated."""
        kind = methods.kind_of(_path(details))
        sent = dict(details.metadata or ())
        if kind != methods.KEYED or IDEMPOTENCY_KEY in sent:
            return details, kind == methods.READ or IDEMPOTENCY_KEY in sent
        if sent.get(_VALIDATE_ONLY) == "true":  # such a call changes nothing and takes no key
            return details, True
        if not self._repeats_changes:
            return details, False
        return _with_header(details, IDEMPOTENCY_KEY, uuid.uuid4().hex), True


class StreamingCalls(grpc.aio.UnaryStreamClientInterceptor):
    """Calls with a stream of answers. They are not repeated: only the reader can resume them."""

    def __init__(self, token: Token) -> None:
        self._token = token

    async def intercept_unary_stream(
        self, continuation: Callable[..., Any], details: Details, request: Any
    ) -> AsyncIterator[Any]:
        """The messages. `KeysteadError` if the stream fails."""
        return _messages(await continuation(await _authorized(details, self._token), request))


async def _messages(call: Any) -> AsyncIterator[Any]:
    try:
        async for message in call:
            yield message
    except grpc.aio.AioRpcError as error:
        raise KeysteadError(error) from None
    finally:
        call.cancel()


def _is_temporary(error: KeysteadError) -> bool:
    code = error.code()
    return code is _ALWAYS or (code is _IF_TOLD and error.retry_after is not None)


async def _authorized(details: Details, token: Token) -> Details:
    bearer = await tokens.current(token)
    if not bearer or "authorization" in dict(details.metadata or ()):
        return details
    return _with_header(details, "authorization", f"Bearer {bearer}")


def _with_header(details: Details, name: str, value: str) -> Details:
    metadata = grpc.aio.Metadata(*(details.metadata or ()), (name, value))
    return details._replace(metadata=metadata)


def _path(details: Details) -> str:
    path: str | bytes = details.method
    return path.decode() if isinstance(path, bytes) else path
