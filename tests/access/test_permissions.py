"""Every method for every caller, compared with the permissions of the schema and of the roles."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from keystead.options.v1 import options_pb2
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.conftest import MakeInstance
from tests.session import sessions
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls as users

_DENIED = grpc.StatusCode.PERMISSION_DENIED

# The permissions of each role in the organization of its holder. Stated here a second time, so that
# a change of the table fails this test.
_USER_MANAGER = {
    *("attribute.read", "mail.read"),
    *("user.read", "user.write", "passkey.read", "passkey.write"),
    *("session.read", "session.write", "user_lock.write", "passkey_link.write"),
}
_APPLICATION_MANAGER = {"application.read", "application.write", "attribute.read", "group.read"}
_IN_ITS_ORGANIZATION: Mapping[str, set[str]] = {
    "no role": set(),
    "user manager": _USER_MANAGER,
    "org owner": _USER_MANAGER
    | _APPLICATION_MANAGER
    | {"idp.read", "idp.write", "event.read", "org.read", "org.write", "group.write"}
    | {"gate.check", "push.read", "push.write", "attribute.write"}
    | {"smtp.read", "smtp.write", "mail.read", "captured_mail.read"},
    "application manager": _APPLICATION_MANAGER,
    "help desk": _USER_MANAGER - {"user.write", "passkey.write"},
    "auditor": {
        *("user.read", "passkey.read", "session.read", "application.read", "group.read"),
        *("idp.read", "event.read", "org.read", "push.read", "attribute.read"),
        *("smtp.read", "mail.read"),
    },
    "verifier": set(),
    "verifier and user manager": _USER_MANAGER,
    "gate": {"gate.check"},
    "gate and verifier": {"gate.check"},
}
# The permissions of each role in all organizations.
_EVERYWHERE: Mapping[str, set[str]] = {
    "verifier": {"session.introspect"},
    "verifier and user manager": {"session.introspect"},
    "gate and verifier": {"session.introspect"},
}
# Users with these roles are services: they have no rights on themselves.
_SERVICES = {"verifier", "gate", "gate and verifier"}
_ROLES: Mapping[str, list[user_pb.Role.ValueType]] = {
    "no role": [],
    "user manager": [user_pb.ROLE_ORG_USER_MANAGER],
    "org owner": [user_pb.ROLE_ORG_OWNER],
    "application manager": [user_pb.ROLE_ORG_APPLICATION_MANAGER],
    "instance owner": [user_pb.ROLE_INSTANCE_OWNER],
    "help desk": [user_pb.ROLE_ORG_HELP_DESK],
    "auditor": [user_pb.ROLE_ORG_AUDITOR],
    "verifier": [user_pb.ROLE_SESSION_VERIFIER],
    "verifier and user manager": [user_pb.ROLE_SESSION_VERIFIER, user_pb.ROLE_ORG_USER_MANAGER],
    "gate": [user_pb.ROLE_GATE],
    "gate and verifier": [user_pb.ROLE_GATE, user_pb.ROLE_SESSION_VERIFIER],
}
# `superior`: a user of the own organization who may do everything.
_PLACES = ("itself", "own organization", "superior", "foreign organization")
# Roles together have the permissions of each, wherever that is. A session has the roles of its
# user, so its token is tried at one place, with a role of each kind.
_CALLS = [
    (role, "service token", place)
    for role in _ROLES
    for place in (_PLACES[1::2] if " and " in role else _PLACES)
] + [
    (role, "session token", "own organization")
    for role in ("no role", "org owner", "instance owner", "verifier")
]
_READING = {"user.read", "passkey.read", "session.read", "group.read"}
# Methods that need only a valid token.
_CLOSED = [
    method
    for method in given.METHODS
    if not method.GetOptions().Extensions[options_pb2.access].open
]


@dataclass(frozen=True)
class _Cast:
    """Callers by role and token, and the users and organizations that their calls name."""

    callers: Mapping[tuple[str, str], Client]
    own: str
    foreign: str
    colleague: str
    superior: str
    outsider: str

    def place(self, caller: Client, place: str) -> tuple[str, str]:
        """The IDs of the organization and of the user."""
        if place == "foreign organization":
            return self.foreign, self.outsider
        users = {"itself": caller.user_id, "superior": self.superior}
        return self.own, users.get(place, self.colleague)


@pytest.fixture(scope="module")
async def own(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    async with make_instance() as own:
        yield own


async def _caller(admin: Client, org_id: str, role: str, token: str) -> Client:
    """A user who registered a passkey before it got its roles."""
    person = await sessions.person(admin, org_id=org_id)
    signed_in = await person.sign_in()
    for each in _ROLES[role]:
        await users.grant(admin, person.user_id, each)
    if token == "session token":
        return signed_in.client
    return admin.with_token(await given.token(admin, person.user_id), person.user_id)


@pytest.fixture(scope="module")
async def cast(own: Instance) -> _Cast:
    admin = own.admin
    org_id, foreign = await given.organization(admin), await given.organization(admin)
    config = given.smtp_config(host="127.0.0.1:1")
    for each in (org_id, foreign):
        await admin.call(admin.smtp.AddSMTPConfig, config, x_service_orgid=each)
    return _Cast(
        {
            (role, token): await _caller(admin, org_id, role, token)
            for role, token in {call[:2] for call in _CALLS}
        },
        org_id,
        foreign,
        (await given.user(admin, org_id=org_id)).user_id,
        (await given.user(admin, org_id=org_id, roles=_ROLES["instance owner"])).user_id,
        (await given.user(admin, org_id=foreign)).user_id,
    )


# The permissions that the requests of these tests need beside those that the methods declare.
_FURTHER = {"CreatePasskeyRegistrationLink": "passkey.write"}
# Methods on a selected organization that need their permission on the whole instance.
_BEYOND = {"ExportUsers"}


def _expected(method: MethodDescriptor, role: str, place: str) -> bool:
    """Whether the call is permitted, by the declaration of the method and the tables above."""
    access = method.GetOptions().Extensions[options_pb2.access]
    if role == "instance owner" or access.permission in _EVERYWHERE.get(role, ()):
        return True
    if role in _SERVICES:  # they have no other permission
        return access.permission in _IN_ITS_ORGANIZATION[role] and place != "foreign organization"
    if not access.permission or (access.self and place == "itself"):
        return True
    is_of_instance = access.scope == options_pb2.SCOPE_INSTANCE or method.name in _BEYOND
    if is_of_instance or place == "foreign organization":
        return False
    if place == "superior" and access.scope == options_pb2.SCOPE_USER:
        return access.permission in _IN_ITS_ORGANIZATION[role] & _READING
    needed = {access.permission, _FURTHER.get(method.name, access.permission)}
    return needed <= _IN_ITS_ORGANIZATION[role]


def _request(method: MethodDescriptor, organization_id: str, user_id: str) -> Message:
    """A request that names only the organization and the user.

    For a method of `_CHANGES` it is a complete valid request.
    """
    request = GetMessageClass(method.input_type)()
    organization = method.input_type.fields_by_name.get("organization")
    if "org_id" in method.input_type.fields_by_name:
        request.org_id = organization_id  # type: ignore[attr-defined]
    elif organization is not None and organization.message_type is not None:
        request.organization.org_id = organization_id  # type: ignore[attr-defined]
    user = method.input_type.fields_by_name.get("user")
    if "user_id" in method.input_type.fields_by_name:
        request.user_id = user_id  # type: ignore[attr-defined]
    elif user is not None and user.message_type is not None:
        request.user.user_id = user_id  # type: ignore[attr-defined]
    if "return_code" in method.input_type.fields_by_name:
        request.return_code.SetInParent()  # type: ignore[attr-defined]
    return request


# Valid requests that name only a user. `x-validate-only` rolls back the changes.
_OF_A_SESSION = {"SignOut", "StartReauthentication"}
_CHANGES = _OF_A_SESSION | {
    *("EndSessions", "RemoveUser", "LockUser", "UnlockUser", "CreateToken", "RemoveSMTPConfig"),
    *("RegisterPasskey", "CreatePasskeyRegistrationLink"),
}


def _is_as_expected(
    method: MethodDescriptor, role: str, token: str, place: str, code: grpc.StatusCode
) -> bool:
    if not _expected(method, role, place):
        return code is _DENIED
    if method.name not in _CHANGES:
        return code is not _DENIED
    if method.name in _OF_A_SESSION and token == "service token":
        return code is grpc.StatusCode.NOT_FOUND
    if (method.name, place) == ("LockUser", "itself"):
        return code is grpc.StatusCode.FAILED_PRECONDITION
    return code is grpc.StatusCode.OK


@pytest.mark.parametrize(("role", "token", "place"), _CALLS)
async def test_a_caller_gets_in_where_its_roles_say_so(
    cast: _Cast, role: str, token: str, place: str
) -> None:
    caller = cast.callers[role, token]
    organization_id, user_id = cast.place(caller, place)

    wrong = {}
    for method in _CLOSED:
        headers = {"x_service_orgid": organization_id}
        if method.name in _CHANGES:
            headers["x_validate_only"] = "true"
        call = caller.invoke(method, _request(method, organization_id, user_id), **headers)
        code = await call.code()
        if not _is_as_expected(method, role, token, place, code):
            wrong[method.name] = code

    assert wrong == {}
