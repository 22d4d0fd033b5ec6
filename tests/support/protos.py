"""Messages and services of .proto files that no schema has."""

from google.protobuf import descriptor_pb2, descriptor_pool, text_format
from google.protobuf.descriptor_pool import DescriptorPool


def pool_of(file: str) -> DescriptorPool:
    """A pool with a file of proto3 in the text format of `FileDescriptorProto`."""
    parsed = text_format.Parse(f'syntax: "proto3" {file}', descriptor_pb2.FileDescriptorProto())
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(parsed.SerializeToString())
    return pool
