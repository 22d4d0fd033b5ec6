"""The methods of the server, as generated code registers them.

The generated `add_XServicer_to_server` functions register with a `Registry`, a stand-in for a
server. The properties of a method are read from its descriptor here, once.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple, TypeAlias

import grpc
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass

from server.rpc.declared import Method, describe
from server.rpc.preconditions.changes import Change, Objects, change_of, sequence_of
from server.telemetry import tracing

# A `grpc.RpcMethodHandler` of generated code; its type stubs have only the synchronous kind.
Handler: TypeAlias = Any


class Served(NamedTuple):
    """A method with its handler.

    `run` answers a unary request. `change` is None if the method changes nothing, `sequence` if it
    does not answer with an object.
    """

    method: Method
    handler: Handler
    run: Any
    change: Change | None
    sequence: Callable[[Any], int] | None


class Registry:
    """The methods of the server. Generated code registers with it as if it were a server."""

    def __init__(
        self, objects: Objects, *, sunset: date | None, expect: Callable[[str], None]
    ) -> None:
        """`expect` is called with the path of each method."""
        self._objects = objects
        self._sunset = sunset
        self._expect = expect
        self._services: dict[str, Mapping[str, Handler]] = {}
        self.aliases: dict[str, str] = {}
        # By `/package.Service/Method`.
        self.by_path: dict[str, Served] = {}

    @property
    def services(self) -> Mapping[str, Mapping[str, Handler]]:
        """The handlers by service and method name."""
        return self._services

    def add_service(self, service: str, *parts: object) -> None:
        """Registers a service whose methods are spread over `parts`, each method in one of them."""
        descriptor = descriptor_pool.Default().FindServiceByName(service)
        self.add_registered_method_handlers(
            service,
            {method.name: _handler(method, parts) for method in descriptor.methods},
        )

    def add_generic_rpc_handlers(self, generic_rpc_handlers: object) -> None:
        """Does nothing: generated code also calls `add_registered_method_handlers`."""

    def add_registered_method_handlers(
        self, service: str, method_handlers: Mapping[str, Handler]
    ) -> None:
        """Registers the methods of one service."""
        descriptor = descriptor_pool.Default().FindServiceByName(service)
        self._services[service] = method_handlers
        for name, handler in method_handlers.items():
            served = self._served(descriptor.methods_by_name[name], handler)
            self.by_path[served.method.path] = served
            self._expect(served.method.path)

    def add_alias(self, path: str, of: str) -> None:
        """Serves a method on the native port also at another path, of a schema with its messages.

        `of` is the method's own path, which logs and metrics name.
        """
        self.aliases[path] = of

    def _served(self, descriptor: MethodDescriptor, handler: Handler) -> Served:
        method = replace(
            describe(descriptor, sunset=self._sunset),
            checks_caller=getattr(handler.unary_unary, "checks_caller", False),
        )
        if method.access is None:
            return Served(method, handler, handler.unary_unary, None, None)
        change = change_of(descriptor, self._objects)
        is_removed = change is not None and change.is_removed
        sequence = None if is_removed else sequence_of(descriptor.output_type)
        run = tracing.spanned("decide", handler.unary_unary)
        return Served(method, handler, run, change, sequence)


def _handler(method: MethodDescriptor, parts: Sequence[object]) -> Handler:
    (run,) = (getattr(part, method.name) for part in parts if hasattr(part, method.name))
    make = (
        grpc.unary_stream_rpc_method_handler
        if method.server_streaming
        else grpc.unary_unary_rpc_method_handler
    )
    return make(
        run,
        request_deserializer=GetMessageClass(method.input_type).FromString,
        response_serializer=GetMessageClass(method.output_type).SerializeToString,
    )
