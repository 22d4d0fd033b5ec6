"""A protoc plugin for gRPC Python: hands the request of buf to the generator inside grpcio-tools.

buf runs plugins of its own protocol only, and grpcio-tools offers its generator as an option of a
whole protoc. So this writes the descriptors that buf has parsed to a file and lets that protoc read
them.
"""

import sys
import tempfile
from pathlib import Path

from google.protobuf.compiler import plugin_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc


def generate(request: plugin_pb2.CodeGeneratorRequest) -> plugin_pb2.CodeGeneratorResponse:
    """The `*_pb2_grpc.py` of the files to generate."""
    response = plugin_pb2.CodeGeneratorResponse(
        supported_features=plugin_pb2.CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL
    )
    with tempfile.TemporaryDirectory() as folder:
        descriptors = Path(folder, "descriptors.binpb")
        descriptors.write_bytes(FileDescriptorSet(file=request.proto_file).SerializeToString())
        out = Path(folder, "out")
        out.mkdir()
        arguments = [f"--descriptor_set_in={descriptors}", f"--grpc_python_out={out}"]
        if protoc.main(["protoc", *arguments, *request.file_to_generate]) != 0:
            response.error = "grpc_tools.protoc failed, see its message above"
        for file in sorted(out.rglob("*.py")):
            response.file.add(name=str(file.relative_to(out)), content=file.read_text())
    return response


if __name__ == "__main__":
    parsed = plugin_pb2.CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
    sys.stdout.buffer.write(generate(parsed).SerializeToString())
