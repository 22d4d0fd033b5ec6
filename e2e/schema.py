"""The schemas that web clients need besides Keystead's own, as a binary image for `buf generate`.

They come from installed packages, which contain no .proto file of the health service.
"""

import sys

from google.protobuf import any_pb2, duration_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2

if __name__ == "__main__":
    image = FileDescriptorSet()
    for module in (any_pb2, duration_pb2, status_pb2, error_details_pb2, health_pb2):
        module.DESCRIPTOR.CopyToProto(image.file.add())
    sys.stdout.buffer.write(image.SerializeToString())
