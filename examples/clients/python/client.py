"""A client of Keystead in Python, over gRPC. See docs/clients.md."""

import os

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from keystead.user.v1 import user_service_pb2, user_service_pb2_grpc


def main() -> None:
    """Print the name of the caller, and the invalid fields of a user without a name."""
    metadata = (("authorization", f"Bearer {os.environ['KEYSTEAD_TOKEN']}"),)
    with grpc.insecure_channel(os.environ["KEYSTEAD_GRPC_ADDRESS"]) as channel:
        users = user_service_pb2_grpc.UserServiceStub(channel)
        request = user_service_pb2.GetCurrentUserRequest()
        print(users.GetCurrentUser(request, metadata=metadata, timeout=10).user.user_name)
        try:
            users.CreateUser(user_service_pb2.CreateUserRequest(), metadata=metadata, timeout=10)
        except grpc.RpcError as error:
            for field in wrong_fields(error):
                print(f"{field.field}: {field.description}")


def wrong_fields(error: grpc.RpcError) -> list[error_details_pb2.BadRequest.FieldViolation]:
    """The fields that an INVALID_ARGUMENT names."""
    status = rpc_status.from_call(error)
    bad_request = error_details_pb2.BadRequest()
    for detail in status.details if status else ():
        if detail.Unpack(bad_request):
            break
    return list(bad_request.field_violations)


if __name__ == "__main__":
    main()
