"""Reads the options of a method from its descriptor: its access, and whether it is deprecated.

The rule: a declaration that would open a method by mistake stops the server at its start.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from typing import Any, TypeVar

from google.protobuf.descriptor import Descriptor, MethodDescriptor

from keystead.options.v1 import options_pb2
from server.access.authorizer import Access, Scope
from server.access.roles import PERMISSIONS
from server.rpc.reflection import SERVICES as REFLECTION_SERVICES

# These need no token: they reveal nothing about a tenant, and load balancers have no token.
_OPEN_SERVICES = {"grpc.health.v1.Health", *REFLECTION_SERVICES}


class UndeclaredAccessError(Exception):
    """A method of the schema declares no access, or one that contradicts itself."""


@dataclass(frozen=True, slots=True)
class Method:
    """A method as its descriptor declares it.

    `path` is `/package.Service/Method`. If `access` is None, the method needs no token.
    `announcements` are trailing metadata of each answer. `checks_caller`: see `checks_caller`.
    `is_stream`: it answers with a stream. `is_batch`: a request has many objects.
    """

    path: str
    access: Access | None = None
    announcements: tuple[tuple[str, str], ...] = ()
    checks_caller: bool = False
    is_stream: bool = False
    is_batch: bool = False


_Handler = TypeVar("_Handler", bound=Callable[..., Any])


def checks_caller(handler: _Handler) -> _Handler:
    """Marks a method that checks its caller anew for each of its writes.

    By `access/checked_append.py`, or by `access/admission.py` before the writes of a transaction.
    """
    vars(handler)["checks_caller"] = True
    return handler


def describe(method: MethodDescriptor, *, sunset: date | None) -> Method:
    """Reads the options of a method. `sunset` is the day on which deprecated ones are removed."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    if method.containing_service.full_name in _OPEN_SERVICES:
        return Method(path, is_stream=method.server_streaming)
    options = method.GetOptions()
    if not options.HasExtension(options_pb2.access):
        raise UndeclaredAccessError(f"{path} lacks the option (keystead.options.v1.access)")
    declared = options.Extensions[options_pb2.access]
    scope = options_pb2.Scope.Name(declared.scope).removeprefix("SCOPE_")
    access = Access(
        permission=declared.permission,
        scope=Scope[scope.replace("UNSPECIFIED", "NONE")],
        by_self=declared.self,
        by_registration_token=declared.registration_token,
        by_link_code=declared.link_code,
        revokes=declared.revokes,
        is_open=declared.open,
        needs_recent_sign_in=declared.recent_sign_in,
        user_path=_path(method.input_type, "user", "user_id"),
        organization_path=_path(method.input_type, "organization", "org_id"),
        spans_organizations="all_organizations" in method.input_type.fields_by_name,
    )
    _check(access, method, path)
    announcements: tuple[tuple[str, str], ...] = ()
    if options.deprecated:
        deprecation = options.Extensions[options_pb2.deprecation]
        announcements = _deprecation_headers(deprecation, sunset)
    return Method(
        path,
        access,
        announcements,
        is_stream=method.server_streaming,
        is_batch=options.Extensions[options_pb2.is_batch],
    )


def _check(access: Access, method: MethodDescriptor, path: str) -> None:
    fields = method.input_type.fields_by_name
    problem = None
    if method.client_streaming:
        problem = "takes a stream, which only methods that need no token may"
    elif method.server_streaming and not access.permission:
        problem = "gives a stream, but needs no permission that can be checked while it goes on"
    elif method.server_streaming and (access.by_registration_token or access.by_link_code):
        problem = "gives a stream to the holder of a token that is used once"
    elif bool(access.permission) != (access.scope is not Scope.NONE):
        problem = "has a permission without a scope or a scope without a permission"
    elif access.permission and access.permission not in PERMISSIONS:
        problem = f"needs the permission '{access.permission}', which no role grants"
    elif (access.by_self or access.scope is Scope.USER) and not access.user_path:
        problem = "is about a user, but its request has no user_id"
    elif access.scope is Scope.NAMED_ORGANIZATION and not access.organization_path:
        problem = "is about an organization, but its request has no org_id"
    elif access.spans_organizations and access.scope is not Scope.SELECTED_ORGANIZATION:
        problem = "takes all_organizations, but no organization is selected for it"
    elif access.revokes and not access.writes:
        problem = "takes access away, but has no permission to write"
    elif access.is_open and (
        access.permission
        or access.by_self
        or access.by_registration_token
        or access.by_link_code
        or access.needs_recent_sign_in
    ):
        problem = "is open to everyone, but also says who may call it"
    elif access.by_registration_token and not {"user_id", "passkey_id"} <= set(fields):
        problem = "is open to registration tokens, but its request names no ceremony"
    elif access.by_link_code and not {"user_id", "code"} <= set(fields):
        problem = "is open to the codes of links, but its request has no user_id and code"
    if problem:
        raise UndeclaredAccessError(f"{path} {problem}: correct its (keystead.options.v1.access)")


def _path(request: Descriptor, of: str, name: str) -> tuple[str, ...]:
    """The path of the field that names the object of a request; empty without one."""
    if name in request.fields_by_name:
        return (name,)
    field = request.fields_by_name.get(of)
    message = field.message_type if field else None
    return (of, name) if message and name in message.fields_by_name else ()


def _deprecation_headers(
    deprecation: options_pb2.Deprecation, sunset: date | None
) -> tuple[tuple[str, str], ...]:
    """RFC 9745 (deprecation), RFC 5829 (the link relation), RFC 8594 (sunset)."""
    since = datetime.combine(date.fromisoformat(deprecation.since), time(), UTC)
    headers = (
        ("deprecation", f"@{int(since.timestamp())}"),
        ("link", f'</{deprecation.successor}>; rel="successor-version"'),
    )
    if sunset is None:
        return headers
    midnight = datetime.combine(sunset, time(), UTC)
    return (*headers, ("sunset", format_datetime(midnight, usegmt=True)))
