"""A server of UserService with failures that a test chooses."""

import contextlib
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Any

import grpc
from google.protobuf.message_factory import GetMessageClass

from keystead.signin.v1 import signin_service_pb2 as signin_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.rpc.status import end_of_call
from server.values.errors import Failure, Kind

_SERVICES = (
    user_pb.DESCRIPTOR.services_by_name["UserService"],
    signin_pb.DESCRIPTOR.services_by_name["SignInService"],
)


def unavailable(
    retry_after: timedelta | None = timedelta(milliseconds=20), *, kind: Kind = Kind.UNAVAILABLE
) -> Failure:
    return Failure(kind, "TRIED", "The server is busy. Try again.", retry_after=retry_after)


class FailingServer:
    """Ends calls with the failures in their order, then answers. `calls` are their headers."""

    def __init__(self, port: int, failures: list[Failure]) -> None:
        self.address = f"127.0.0.1:{port}"
        self.calls: list[dict[str, str]] = []
        self._failures = failures

    def answer(self, headers: dict[str, str]) -> None:
        """Raises the next `Failure`, if one is left."""
        self.calls.append(headers)
        if self._failures:
            raise self._failures.pop(0)


@contextlib.asynccontextmanager
async def failing_server(*failures: Failure) -> AsyncIterator[FailingServer]:
    """A server whose first calls fail."""
    server = grpc.aio.server()
    port = server.add_insecure_port("127.0.0.1:0")
    failing = FailingServer(port, list(failures))
    server.add_generic_rpc_handlers(_handlers(failing))
    await server.start()
    try:
        yield failing
    finally:
        await server.stop(None)


def _handlers(failing: FailingServer) -> Sequence[grpc.GenericRpcHandler]:
    def handler(method: Any) -> Any:
        async def call(_request: bytes, context: Any) -> Any:
            try:
                failing.answer({name: str(value) for name, value in context.invocation_metadata()})
            except Failure as failure:
                await context.abort_with_status(end_of_call(failure, "the-request", ()))
            return GetMessageClass(method.output_type)()

        serialize = GetMessageClass(method.output_type).SerializeToString
        return grpc.unary_unary_rpc_method_handler(call, response_serializer=serialize)

    return [
        grpc.method_handlers_generic_handler(
            service.full_name, {method.name: handler(method) for method in service.methods}
        )
        for service in _SERVICES
    ]
