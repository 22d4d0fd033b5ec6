"""gRPC reflection, and the parts of it that the library lacks.

https://github.com/grpc/grpc/blob/master/doc/server-reflection.md
"""

from collections.abc import Iterable, Mapping
from typing import Any

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, text_format
from google.protobuf.descriptor import FileDescriptor
from grpc_reflection.v1alpha import reflection, reflection_pb2, reflection_pb2_grpc

_ALPHA = "grpc.reflection.v1alpha"
_FINAL = "grpc.reflection.v1"
_FINAL_FILE = "grpc/reflection/v1/reflection.proto"
# Newer clients ask for the first, older ones for the second.
SERVICES = (f"{_FINAL}.ServerReflection", f"{_ALPHA}.ServerReflection")


def add_reflection(
    services: Iterable[str], server: grpc.aio.Server, *, aliases: Mapping[str, str]
) -> None:
    """Adds reflection of these services and of itself, under both names of the protocol.

    grpcio-reflection 1.83 knows only the alpha name; the messages are the same. `aliases` are those
    of `Registry`, each of another service.
    """
    pool = descriptor_pool.Default()
    _add(pool, _final_schema())
    for alias, path in aliases.items():
        _add(pool, _schema_of_alias(pool, alias, path))
    names = [*services, *map(_service_of, aliases), *SERVICES]
    servicer = reflection.aio.ReflectionServicer(names, pool=_Symbols(pool))
    reflection_pb2_grpc.add_ServerReflectionServicer_to_server(servicer, server)
    final = grpc.stream_stream_rpc_method_handler(
        servicer.ServerReflectionInfo,
        request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
        response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    server.add_registered_method_handlers(SERVICES[0], {"ServerReflectionInfo": final})


def _add(pool: descriptor_pool.DescriptorPool, file: descriptor_pb2.FileDescriptorProto) -> None:
    """Adds a file, if it is not there already."""
    try:
        pool.FindFileByName(file.name)
    except KeyError:
        pool.Add(file)


def _final_schema() -> descriptor_pb2.FileDescriptorProto:
    """The file of the alpha protocol under the final name."""
    alpha = descriptor_pb2.FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(alpha)
    text = text_format.MessageToString(alpha)
    renamed = text.replace(_ALPHA, _FINAL).replace(reflection_pb2.DESCRIPTOR.name, _FINAL_FILE)
    return text_format.Parse(renamed, descriptor_pb2.FileDescriptorProto())


def _schema_of_alias(
    pool: descriptor_pool.DescriptorPool, alias: str, path: str
) -> descriptor_pb2.FileDescriptorProto:
    """A file with the service of an alias, whose method has the messages of that at `path`."""
    method = pool.FindMethodByName(path.strip("/").replace("/", "."))
    service = _service_of(alias)
    package, _, name = service.rpartition(".")
    file = descriptor_pb2.FileDescriptorProto(
        name=f"{service}.proto",
        package=package,
        syntax="proto3",
        dependency=sorted({method.input_type.file.name, method.output_type.file.name}),
    )
    file.service.add(name=name).method.add(
        name=alias.rpartition("/")[2],
        input_type=f".{method.input_type.full_name}",
        output_type=f".{method.output_type.full_name}",
    )
    return file


def _service_of(path: str) -> str:
    return path.split("/")[1]


class _Symbols:
    """A descriptor pool that also finds methods by name.

    With the pool of protobuf 7.36, `grpcurl describe package.Service.Method` fails.
    """

    def __init__(self, pool: descriptor_pool.DescriptorPool) -> None:
        self._pool = pool

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)

    def FindFileContainingSymbol(self, symbol: str) -> FileDescriptor:  # noqa: N802
        try:
            return self._pool.FindFileContainingSymbol(symbol)
        except KeyError:
            return self._pool.FindMethodByName(symbol).containing_service.file
