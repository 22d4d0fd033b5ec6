"""Permissions by method, caller and target; a refusal does not show whether the target exists."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.options.v1 import options_pb2
from keystead.org.v1 import organization_service_pb2 as org_pb
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.user.v1 import user_service_pb2 as pb
from server.access.authorizer import (
    Access,
    Authorizer,
    Scope,
    authorize_beyond,
    authorize_role,
)
from server.access.caller import OPERATOR, RECOVERY, Actor, LinkCaller
from server.access.roles import Role
from server.values.errors import Failure
from tests.support import given
from tests.support.given import Client, Instance, Refusal

_OK, _DENIED, _NOT_FOUND = (
    grpc.StatusCode.OK,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.NOT_FOUND,
)
_INVALID = grpc.StatusCode.INVALID_ARGUMENT
_UNKNOWN = "01937f4e-7a3b-7000-8000-000000000001"
_ROLES: Mapping[str, list[pb.Role.ValueType]] = {
    "no role": [],
    "user manager": [pb.ROLE_ORG_USER_MANAGER],
    "org owner": [pb.ROLE_ORG_OWNER],
    "instance owner": [pb.ROLE_INSTANCE_OWNER],
    "verifier": [pb.ROLE_SESSION_VERIFIER],
}


@dataclass(frozen=True)
class _Place:
    """An organization and a user without a role in it."""

    org_id: str
    user_id: str


@dataclass(frozen=True)
class _Callers:
    """Callers of one organization, each with one role, and the places where their calls act."""

    callers: Mapping[str, Client]
    places: Mapping[str, _Place]

    def call(self, role: str, method: str, place: str) -> Any:
        """Calls a method on the place's user or, by the header, in the place's organization."""
        descriptor = given.METHOD[method]
        request = _request(descriptor, self.places[place])
        headers = (
            {"x_service_orgid": self.places[place].org_id}
            if _scope(descriptor) == options_pb2.SCOPE_SELECTED_ORGANIZATION
            else {}
        )
        return self.callers[role].invoke(descriptor, request, **headers)


# Methods that need only a valid token.
_CLOSED = {
    name
    for name, method in given.METHOD.items()
    if not method.GetOptions().Extensions[options_pb2.access].open
}


def _scope(method: MethodDescriptor) -> int:
    return int(method.GetOptions().Extensions[options_pb2.access].scope)


def _request(method: MethodDescriptor, place: _Place) -> Message:
    fields: dict[str, Any] = {
        "user_id": place.user_id,
        "org_id": place.org_id,
        "name": f"name {uuid4()}",
        "user_name": f"name {uuid4()}",
        "role": pb.ROLE_ORG_USER_MANAGER,
        "return_code": passkey_pb.ReturnCode(),
    }
    if method.name == "PatchUser":
        address = f"{uuid4().hex}@example.com"
        fields["user"] = pb.User(user_id=place.user_id, email=address)
        fields["update_mask"] = FieldMask(paths=["email"])
    if method.name == "PatchOrganization":
        fields["organization"] = org_pb.Organization(org_id=place.org_id)
        fields["update_mask"] = FieldMask(paths=["allows_mail_recovery"])
    known = method.input_type.fields_by_name.keys() & fields.keys()
    return GetMessageClass(method.input_type)(**{name: fields[name] for name in known})


@pytest.fixture(scope="module")
async def callers(instance: Instance) -> _Callers:
    """The callers and places of the tables below."""
    admin = instance.admin
    own, foreign = await given.organization(admin), await given.organization(admin)
    return _Callers(
        {role: await given.user(admin, org_id=own, roles=_ROLES[role]) for role in _ROLES},
        {
            "own": _Place(own, (await given.user(admin, org_id=own)).user_id),
            "foreign": _Place(foreign, (await given.user(admin, org_id=foreign)).user_id),
            "unknown": _Place(_UNKNOWN, _UNKNOWN),
            "malformed": _Place("x" * 7000, "\0" * 1_000_000),
        },
    )


_ON_SOMETHING = [
    method.name
    for method in given.METHODS
    if _scope(method)
    in (
        options_pb2.SCOPE_USER,
        options_pb2.SCOPE_SELECTED_ORGANIZATION,
        options_pb2.SCOPE_NAMED_ORGANIZATION,
    )
]


@pytest.mark.parametrize("method", _ON_SOMETHING)
async def test_only_an_instance_owner_is_told_that_an_object_does_not_exist(
    callers: _Callers, method: str
) -> None:
    is_checked_later = _scope(given.METHOD[method]) == options_pb2.SCOPE_NAMED_ORGANIZATION
    missing = ["unknown"] if is_checked_later else ["unknown", "malformed"]

    refusals = [
        _without_request_id(await given.refusal(callers.call("org owner", method, place)))
        for place in ("foreign", "unknown", "malformed")
    ]
    told = {await callers.call("instance owner", method, place).code() for place in missing}

    assert refusals[0].code is _DENIED
    assert refusals[0] == refusals[1] == refusals[2]
    assert told == {_NOT_FOUND}


def _without_request_id(refusal: Refusal) -> Refusal:
    return dataclasses.replace(refusal, request_id="")


async def test_a_user_without_a_role_does_not_change_its_own_address(instance: Instance) -> None:
    user = await given.user(instance.admin)
    request = _request(given.METHOD["PatchUser"], _Place("", user.user_id))

    assert await user.call(user.users.PatchUser, request).code() is _DENIED


# No user can raise its own rights


@pytest.mark.parametrize(
    ("caller", "target", "code"),
    [
        ("user manager", "no role", _OK),
        ("user manager", "user manager", _OK),
        ("user manager", "org owner", _DENIED),
        ("user manager", "instance owner", _DENIED),
        ("org owner", "user manager", _OK),
        ("org owner", "org owner", _OK),
        ("org owner", "instance owner", _DENIED),
        ("org owner", "verifier", _DENIED),
        ("instance owner", "instance owner", _OK),
    ],
)
async def test_a_caller_acts_only_on_users_who_may_do_no_more(
    instance: Instance, callers: _Callers, caller: str, target: str, code: grpc.StatusCode
) -> None:
    user = await given.user(
        instance.admin, org_id=callers.places["own"].org_id, roles=_ROLES[target]
    )
    request = _request(given.METHOD["CreateToken"], _Place("", user.user_id))

    assert await callers.callers[caller].invoke(given.METHOD["CreateToken"], request).code() is code


@pytest.mark.parametrize(
    ("caller", "role", "code"),
    [
        ("user manager", pb.ROLE_ORG_USER_MANAGER, _OK),
        ("user manager", pb.ROLE_ORG_OWNER, _DENIED),
        ("user manager", pb.ROLE_INSTANCE_OWNER, _DENIED),
        ("org owner", pb.ROLE_ORG_USER_MANAGER, _OK),
        ("org owner", pb.ROLE_ORG_OWNER, _OK),
        ("org owner", pb.ROLE_INSTANCE_OWNER, _DENIED),
        ("instance owner", pb.ROLE_INSTANCE_OWNER, _OK),
    ],
)
@pytest.mark.parametrize("change", [pb.GrantRoleRequest, pb.RevokeRoleRequest])
async def test_nobody_gives_or_takes_a_role_above_its_own(
    instance: Instance,
    callers: _Callers,
    change: Callable[..., Message],
    caller: str,
    role: pb.Role.ValueType,
    code: grpc.StatusCode,
) -> None:
    user = await given.user(instance.admin, org_id=callers.places["own"].org_id)
    request = change(user_id=user.user_id, role=role)
    method = given.METHOD[request.DESCRIPTOR.name.removesuffix("Request")]

    assert await callers.callers[caller].invoke(method, request).code() is code


async def test_nobody_gives_itself_a_role_above_its_own(instance: Instance) -> None:
    manager = await given.user(instance.admin, roles=[pb.ROLE_ORG_USER_MANAGER])
    request = pb.GrantRoleRequest(user_id=manager.user_id, role=pb.ROLE_ORG_OWNER)

    assert await manager.call(manager.users.GrantRole, request).code() is _DENIED


# The header x-service-orgid


async def _organization_of_a_new_idp(caller: Client, *organizations: str) -> str:
    """The organization of an identity provider that was added with these headers."""
    metadata = [("authorization", f"Bearer {caller.token}")]
    metadata += [("x-service-orgid", organization) for organization in organizations]
    added = await caller.idps.CreateIDP(idp_pb.CreateIDPRequest(name="Provider"), metadata=metadata)
    return str(added.details.resource_owner)


@pytest.mark.parametrize(
    ("role", "headers", "place"),
    [
        ("org owner", [], "own"),
        ("org owner", ["own"], "own"),
        ("instance owner", ["foreign"], "foreign"),
        ("instance owner", ["foreign", "foreign"], "foreign"),
    ],
)
async def test_the_header_selects_an_organization_where_the_caller_has_the_permission(
    callers: _Callers, role: str, headers: list[str], place: str
) -> None:
    named = [callers.places[name].org_id for name in headers]

    made_in = await _organization_of_a_new_idp(callers.callers[role], *named)

    assert made_in == callers.places[place].org_id


@pytest.mark.parametrize("organization", [_UNKNOWN, "no such organization"])
async def test_an_instance_owner_is_told_that_an_organization_does_not_exist(
    callers: _Callers, organization: str
) -> None:
    owner = callers.callers["instance owner"]

    refused = await given.refusal(_organization_of_a_new_idp(owner, organization))

    assert refused.code is _NOT_FOUND
    assert refused.reason == "ORGANIZATION_NOT_FOUND"
    assert refused.resource == ("organization", organization)


@pytest.mark.parametrize("role", ["org owner", "instance owner"])
@pytest.mark.parametrize(
    "organizations",
    [[""], ["", ""], ["", "own"], ["own", "foreign"], ["own", "unknown"], ["own", "own", ""]],
    ids=lambda organizations: "+".join(organizations) or "empty",
)
async def test_a_header_that_is_empty_or_contradicts_itself_is_never_ignored(
    callers: _Callers, role: str, organizations: list[str]
) -> None:
    headers = [name and callers.places[name].org_id for name in organizations]

    refused = await given.refusal(_organization_of_a_new_idp(callers.callers[role], *headers))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {"x-service-orgid"}


@pytest.mark.parametrize(
    ("role", "method", "remedy"),
    [
        ("org owner", "ListMails", "Select the organization by the header x-service-orgid."),
        ("no role", "ListMails", "Ask an instance owner."),
        ("org owner", "GetSystem", "Ask an instance owner."),
    ],
)
async def test_a_refusal_on_the_instance_names_the_remedy(
    callers: _Callers, role: str, method: str, remedy: str
) -> None:
    refused = await given.refusal(callers.call(role, method, "own"))

    assert (refused.code, refused.reason) == (_DENIED, "PERMISSION_DENIED")
    assert refused.message.endswith(remedy)


async def test_a_new_organization_can_be_selected_at_once(instance: Instance) -> None:
    admin = instance.admin
    refused = await given.refusal(_organization_of_a_new_idp(admin, _UNKNOWN))
    assert refused.code is _NOT_FOUND

    created = await admin.call(
        admin.orgs.CreateOrganization, org_pb.CreateOrganizationRequest(name=str(uuid4()))
    )

    assert await _organization_of_a_new_idp(admin, created.org_id) == created.org_id


# The registration token


async def _ceremony(user: Client) -> passkey_pb.RegisterPasskeyResponse:
    request = passkey_pb.RegisterPasskeyRequest(user_id=user.user_id)
    return await user.call(user.passkeys.RegisterPasskey, request)


async def test_a_registration_token_may_verify_its_ceremony(instance: Instance) -> None:
    user = await given.user(instance.admin)
    ceremony = await _ceremony(user)
    holder = user.with_token(ceremony.registration_token)

    refused = await given.refusal(
        holder.call(
            holder.passkeys.VerifyPasskeyRegistration,
            passkey_pb.VerifyPasskeyRegistrationRequest(
                user_id=user.user_id, passkey_id=ceremony.passkey_id
            ),
        )
    )

    # The call is permitted, but there is no ceremony to verify.
    assert refused.violations.keys() == {"publicKeyCredential", "passkeyName"}


async def test_a_registration_token_may_not_verify_another_ceremony(instance: Instance) -> None:
    user, other = await given.user(instance.admin), await given.user(instance.admin)
    mine, another, others = await _ceremony(user), await _ceremony(user), await _ceremony(other)
    holder = user.with_token(mine.registration_token)

    for user_id, passkey_id in [
        (user.user_id, another.passkey_id),
        (other.user_id, others.passkey_id),
        (other.user_id, mine.passkey_id),
        (user.user_id, ""),
    ]:
        request = passkey_pb.VerifyPasskeyRegistrationRequest(
            user_id=user_id, passkey_id=passkey_id
        )
        call = holder.call(holder.passkeys.VerifyPasskeyRegistration, request)
        assert await call.code() is _DENIED


async def test_a_registration_token_may_call_no_other_method(instance: Instance) -> None:
    user = await given.user(instance.admin, roles=[pb.ROLE_INSTANCE_OWNER])
    holder = user.with_token((await _ceremony(user)).registration_token)

    codes = await _codes_of_all_methods(holder, user.user_id)

    del codes["VerifyPasskeyRegistration"]
    assert codes == dict.fromkeys(codes, _DENIED)


async def _codes_of_all_methods(caller: Client, user_id: str) -> dict[str, grpc.StatusCode]:
    """The codes of the methods that need a token, called for a user."""
    place = _Place("", user_id)
    return {
        name: await caller.invoke(given.METHOD[name], _request(given.METHOD[name], place)).code()
        for name in sorted(_CLOSED)
    }


# The code of a link


async def _nothing(_key: str) -> None:
    return None


async def _no(_organization_id: str) -> bool:
    return False


_NOBODY_KNOWN = Authorizer(find_user=_nothing, organization_exists=_no)


async def _link_code(instance: Instance, user_id: str) -> str:
    admin = instance.admin
    request = passkey_pb.CreatePasskeyRegistrationLinkRequest(
        user_id=user_id, return_code=passkey_pb.ReturnCode()
    )
    created = await admin.call(admin.passkeys.CreatePasskeyRegistrationLink, request)
    return str(created.code)


async def test_the_code_of_a_link_may_register_a_passkey_of_its_user(instance: Instance) -> None:
    user = await given.user(instance.admin)
    link_code = await _link_code(instance, user.user_id)
    request = passkey_pb.RegisterPasskeyRequest(user_id=user.user_id, code=link_code)

    assert await instance.nobody.passkeys.RegisterPasskey(request).code() is _OK


async def test_the_code_of_a_link_does_nothing_for_another_user(instance: Instance) -> None:
    owner = await given.user(instance.admin, roles=[pb.ROLE_INSTANCE_OWNER])
    link_code = await _link_code(instance, owner.user_id)
    other = await given.user(instance.admin)
    request = passkey_pb.RegisterPasskeyRequest(user_id=other.user_id, code=link_code)

    call = instance.nobody.passkeys.RegisterPasskey(request)

    assert await call.code() is grpc.StatusCode.UNAUTHENTICATED


async def test_the_code_of_a_link_is_no_token_of_any_method(instance: Instance) -> None:
    owner = await given.user(instance.admin, roles=[pb.ROLE_INSTANCE_OWNER])
    holder = owner.with_token(await _link_code(instance, owner.user_id))

    codes = await _codes_of_all_methods(holder, owner.user_id)

    assert codes == dict.fromkeys(_CLOSED, grpc.StatusCode.UNAUTHENTICATED)


_BY_LINK = Access(
    "user.write", Scope.USER, by_self=True, by_registration_token=True, by_link_code=True
)


@pytest.mark.parametrize(
    ("access", "user_id"),
    [(dataclasses.replace(_BY_LINK, by_link_code=False), "ada"), (_BY_LINK, "bob")],
    ids=["another method", "another user"],
)
async def test_whoever_holds_a_code_may_call_nothing_else(access: Access, user_id: str) -> None:
    """Not even if the server took the holder of the code for the caller of such a method."""
    request = passkey_pb.RegisterPasskeyRequest(user_id=user_id)

    with pytest.raises(Failure, match="PERMISSION_DENIED"):
        await _NOBODY_KNOWN.authorize(
            access, LinkCaller("ada", "link"), organizations=[], request=request
        )


@pytest.mark.parametrize("nobody", [LinkCaller("ada", "link"), RECOVERY], ids=["code", "recovery"])
async def test_whoever_is_no_user_grants_no_role_and_holds_no_permission(nobody: Actor) -> None:
    with pytest.raises(Failure, match="PERMISSION_DENIED"):
        authorize_role(nobody, Role.ORG_USER_MANAGER)
    with pytest.raises(Failure, match="PERMISSION_DENIED"):
        authorize_beyond(nobody, "user.write", "default")


async def test_the_operator_grants_every_role_and_holds_every_permission() -> None:
    for role in Role:
        authorize_role(OPERATOR, role)
    for organization_id in ("default", None):
        authorize_beyond(OPERATOR, "user.write", organization_id)
