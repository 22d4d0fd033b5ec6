"""Declarations in a method's descriptor, and those that prevent the start of the server."""

from uuid import uuid4

import pytest
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto

from keystead.options.v1 import options_pb2
from server.access.authorizer import Access, Scope
from server.rpc.declared import Method, UndeclaredAccessError, describe


def _declared(
    access: options_pb2.Access | None, *fields: str, server_streaming: bool = False
) -> MethodDescriptor:
    """A method of a new service, whose request has these fields."""
    package = f"declared_{uuid4().hex}"
    file = FileDescriptorProto(name=f"{package}.proto", package=package, syntax="proto3")
    file.dependency.append("keystead/options/v1/options.proto")
    message = file.message_type.add(name="Message")
    for number, field in enumerate(fields, start=1):
        message.field.add(
            name=field,
            number=number,
            type=FieldDescriptorProto.TYPE_STRING,
            label=FieldDescriptorProto.LABEL_OPTIONAL,
        )
    method = file.service.add(name="Service").method.add(
        name="Method",
        input_type=f".{package}.Message",
        output_type=f".{package}.Message",
        server_streaming=server_streaming,
    )
    if access is not None:
        method.options.Extensions[options_pb2.access].CopyFrom(access)
    pool = descriptor_pool.Default()
    pool.AddSerializedFile(file.SerializeToString())
    return pool.FindServiceByName(f"{package}.Service").methods_by_name["Method"]


def test_a_declaration_is_read_from_the_descriptor() -> None:
    declared = options_pb2.Access(
        permission="passkey.write",
        scope=options_pb2.SCOPE_USER,
        self=True,
        registration_token=True,
        link_code=True,
    )
    method = _declared(declared, "user_id", "passkey_id", "code")

    described = describe(method, sunset=None)

    path = f"/{method.containing_service.full_name}/Method"
    access = Access(
        "passkey.write", Scope.USER, by_self=True, by_registration_token=True, by_link_code=True
    )
    assert described == Method(path, access)


INSTANCE, USER = options_pb2.SCOPE_INSTANCE, options_pb2.SCOPE_USER


@pytest.mark.parametrize(
    ("access", "fields", "problem"),
    [
        (None, [], "lacks the option"),
        (options_pb2.Access(permission="org.write"), [], "a permission without a scope"),
        (options_pb2.Access(scope=INSTANCE), [], "a scope without a permission"),
        (options_pb2.Access(permission="org.wirte", scope=INSTANCE), [], "'org.wirte', which no"),
        (options_pb2.Access(permission="user.read", scope=USER), ["id"], "no user_id"),
        (options_pb2.Access(permission="user.read", scope=USER), ["user"], "no user_id"),
        (options_pb2.Access(self=True), [], "no user_id"),
        (
            options_pb2.Access(permission="user.read", scope=USER, registration_token=True),
            ["user_id"],
            "names no ceremony",
        ),
        (
            options_pb2.Access(permission="user.read", scope=USER, open=True),
            ["user_id"],
            "open to everyone, but also",
        ),
        (
            options_pb2.Access(open=True, recent_sign_in=True),
            ["user_id"],
            "open to everyone, but also",
        ),
        (
            options_pb2.Access(permission="user.read", scope=USER, link_code=True),
            ["user_id"],
            "has no user_id and code",
        ),
        (
            options_pb2.Access(permission="user.read", scope=USER, revokes=True),
            ["user_id"],
            "no permission to write",
        ),
        (
            options_pb2.Access(permission="event.read", scope=INSTANCE),
            ["all_organizations"],
            "takes all_organizations",
        ),
    ],
    ids=[
        "nothing declared",
        "permission without scope",
        "scope without permission",
        "unknown permission",
        "no user to look at",
        "a user that is a text",
        "no user to compare with",
        "no ceremony to compare with",
        "open with a permission",
        "open with a recent sign-in",
        "no code to look for",
        "nothing to revoke",
        "all organizations without a selected one",
    ],
)
def test_a_declaration_that_cannot_hold_is_refused(
    access: options_pb2.Access | None, fields: list[str], problem: str
) -> None:
    with pytest.raises(UndeclaredAccessError, match=problem):
        describe(_declared(access, *fields), sunset=None)


_STREAMS = {
    "of every caller": (options_pb2.Access(), []),
    "of everybody": (options_pb2.Access(open=True), []),
    "of a registration token": (
        options_pb2.Access(permission="passkey.read", scope=USER, registration_token=True),
        ["user_id", "passkey_id"],
    ),
}


@pytest.mark.parametrize(("access", "fields"), _STREAMS.values(), ids=_STREAMS)
def test_a_stream_must_be_of_a_caller_whose_permission_can_be_checked_again(
    access: options_pb2.Access, fields: list[str]
) -> None:
    with pytest.raises(UndeclaredAccessError, match="gives a stream"):
        describe(_declared(access, *fields, server_streaming=True), sunset=None)


def test_a_stream_may_need_a_permission() -> None:
    access = options_pb2.Access(permission="org.read", scope=INSTANCE)

    described = describe(_declared(access, server_streaming=True), sunset=None)

    assert described.access is not None
    assert described.access.permission == "org.read"
