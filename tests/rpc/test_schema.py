"""The schema: permissions of all methods, and the messages of the three operations."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_args

import grpc
import pytest
from google.api import annotations_pb2, field_behavior_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message_factory import GetMessageClass
from pydantic import BaseModel

from bridge.json.event_stream import id_field
from bridge.json.routing import routes_of
from bridge.json.types import JsonType, behavior, type_of
from keystead.common.v1 import details_pb2
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.options.v1 import options_pb2
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from server.access.roles import PERMISSIONS, PERMISSIONS_EVERYWHERE, Role
from server.wiring.services import COMMANDS
from tests.support import given
from tests.support.given import Instance
from tests.support.openapi.json_schema import settable_fields

pytestmark = pytest.mark.python_differs("types and enums are read anew at import")

_SERVICES = list(dict.fromkeys(method.containing_service.full_name for method in given.METHODS))
# The scope of methods that do not concern a user.
_SCOPES = {
    "application": options_pb2.SCOPE_SELECTED_ORGANIZATION,
    "attribute": options_pb2.SCOPE_SELECTED_ORGANIZATION,
    "event": options_pb2.SCOPE_SELECTED_ORGANIZATION,
    "group": options_pb2.SCOPE_SELECTED_ORGANIZATION,
    "idp": options_pb2.SCOPE_SELECTED_ORGANIZATION,
    "mail": options_pb2.SCOPE_INSTANCE_OR_ORGANIZATION,
    "org": options_pb2.SCOPE_INSTANCE,
    "passkey": options_pb2.SCOPE_SELECTED_ORGANIZATION,
    "push": options_pb2.SCOPE_SELECTED_ORGANIZATION,
    "session": options_pb2.SCOPE_SELECTED_ORGANIZATION,
    "smtp": options_pb2.SCOPE_INSTANCE_OR_ORGANIZATION,
    "system": options_pb2.SCOPE_INSTANCE,
    "user": options_pb2.SCOPE_SELECTED_ORGANIZATION,
}
# All methods without a permission. Adding one here is a deliberate decision.
_EVERYBODY = {
    *("StartPasskeySignIn", "CompletePasskeySignIn", "RequestPasskeyRecovery"),
    # By the registration token in the request.
    *("SignInAfterRegistration", "CheckReturn"),
    *("ListSignInOptions", "GetSignInDomain", "StartIDPSignIn", "CompleteIDPSignIn"),
    # The second one by the token in a mail.
    *("RequestSignUp", "ConfirmSignUp"),
    "PushAuthorizationRequest",
    *("StartAuthorization", "DescribeAuthorization", "DenyAuthorization"),
    *("OpenAuthorizationResponse", "StartLogout", "DescribeLogout"),
    # Applications authenticate by their own credentials, and to userinfo by an access token.
    *("ExchangeToken", "IntrospectToken", "RevokeOAuthToken", "GetUserInfo"),
    "StartDeviceAuthorization",
    "GetShownBrand",
}
_EVERY_CALLER = {
    *("GetCurrentUser", "GetCurrentSession", "SignOut"),
    *("StartReauthentication", "CompleteReauthentication", "IssueSessionJWT"),
    "ApproveAuthorization",
    *("DescribeDevice", "ApproveDevice", "DenyDevice"),
}
# The methods on the grants of a user need the permission on the user, not on the application.
# Methods with a permission of their own: the help desk has the first ones, the last gives links.
_OF_THEIR_OWN = {
    "LockUser": "user_lock",
    "UnlockUser": "user_lock",
    "LockUsers": "user_lock",
    "UnlockUsers": "user_lock",
    "CreatePasskeyRegistrationLink": "passkey_link",
    "InviteUsers": "passkey_link",
    "GetCapturedMail": "captured_mail",
    # Mails have the own texts of the organization whose mail server delivers them.
    "SetMailText": "smtp",
    "RemoveMailText": "smtp",
    "PreviewMailText": "smtp",
}
# Would put a mail before its turn, which protects its recipient from an organization; is of the
# relying party, whose ID is the instance's.
_OF_INSTANCE = {"RetryMail", "ListUnmovedUsers"}
_GRANTS = {"ListGrants", "RevokeGrant"}
_SELF = {
    *("ListSessions", "EndSession", "EndSessions"),
    *("RegisterPasskey", "CheckPasskeyRegistration", "VerifyPasskeyRegistration"),
    *("ListPasskeys", "RenamePasskey", "RemovePasskey"),
    *("RequestEmailChange", "ConfirmEmailChange", "CancelEmailChange"),
    *("GetUser", "PatchUser", "CreateToken", "ListTokens", "RevokeToken"),
    "CreateCertificate",
    *("LinkIDP", "ListIDPLinks", "UnlinkIDP"),
    "ListGroupsOfUser",
    *_GRANTS,
}
_REGISTRATION_TOKEN = {"VerifyPasskeyRegistration"}
_LINK_CODE = {"RegisterPasskey", "CheckPasskeyRegistration"}
# Methods for services that trust sessions, with a permission of their own.
_INTROSPECTION = {"IntrospectSession", "WatchEndedSessions"}
# The method for proxies, with a permission of its own.
_GATE = {"Check"}
# Lists of an organization that can be those of one user.
_FILTERED_BY_USER = {"ListSignInRefusals"}
_NAMED_ORGANIZATION = {
    *("GetOrganization", "GetOrganizationFigures", "PatchOrganization", "GetBrand", "SetBrand"),
}
# Methods that write, but do not need a recent sign-in, each with its reason.
_WITHOUT_RECENT_SIGN_IN = {
    "SignOut": "a theft is ended at once, and the user signs in again",
    "EndSession": "a theft is ended at once, and the user signs in again",
    "EndSessions": "a theft is ended at once, and the user signs in again",
    "CancelEmailChange": "a theft is ended at once, and the user requests the address again",
    "RevokeToken": "a theft is ended at once, and a new token can be created",
    "RevokeGrant": "a theft is ended at once, and the user can agree again",
    "StartReauthentication": "gives the recent sign-in",
    "CompleteReauthentication": "gives the recent sign-in",
    "IssueSessionJWT": "grants no access here, and the JWT names the time of the sign-in",
    "ApproveAuthorization": "the application says how recent the sign-in must be",
    "ApproveDevice": "the user is always asked, whatever was granted before",
    "DescribeDevice": "reads",
    "DenyDevice": "a theft is ended at once, and the device starts again",
    "IntrospectSession": "reads",
    "Check": "decides about requests of others",
    "CheckPasskeyRegistration": "reads",
    "VerifyPasskeyRegistration": "needs the challenge of RegisterPasskey, which had the sign-in",
    "RenamePasskey": "changes a label",
    "RetryMail": "sends a stored mail to its recipient",
    "RetryDelivery": "sends a stored event to its target",
    "TestSubscription": "stores nothing, and sends no event",
    "TestSMTPConfig": "stores nothing",
    "TestOIDCConfig": "stores nothing",
    "PreviewMailText": "stores nothing",
}
_TYPES = {
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_UINT64: "uint64",
}


def test_every_method_has_a_route() -> None:
    for method in given.METHODS:
        rule = method.GetOptions().Extensions[annotations_pb2.http]
        verb = rule.WhichOneof("pattern")
        assert getattr(rule, verb).startswith("/v1/"), method.name
        # A body contains the whole message, and only verbs with a body have one.
        assert rule.body == ("" if verb in ("get", "delete") else "*"), method.name
        assert (verb == "get") == method.name.startswith(("Get", "List", "Count", "Watch")), (
            method.name
        )
        assert not rule.additional_bindings, method.name
        assert not rule.response_body, method.name
        # A token must not stand in a path.
        ends = method.name.startswith(("Remove", "Revoke", "End", "SignOut", "Unlink"))
        # The path of a DELETE names one object.
        is_of_many = method.name == "RemoveUsers"
        is_delete = ends and method.name != "RevokeOAuthToken" and not is_of_many
        assert (verb == "delete") == is_delete, method.name


def test_the_verb_of_a_path_has_words_of_the_method() -> None:
    for route in routes_of(_SERVICES):
        _, _, verb = re.sub(r"\{[\w.]+\}", "", route.template).partition(":")
        if verb:
            words = iter(_words(route.method.name))
            assert all(word in words for word in _words(verb)), route.template


def test_what_has_an_id_of_its_own_is_created_and_not_added() -> None:
    added = {method.name for method in given.METHODS if method.name.startswith("Add")}
    assert added == {"AddSMTPConfig", "AddGroupMember", "AddGroupMembers"}


def test_all_times_but_those_of_details_are_named_alike() -> None:
    times = {
        field.name
        for message in _messages()
        for field in message.fields
        if field.message_type and field.message_type.name == "Timestamp"
        if message.full_name != "keystead.common.v1.Details"
    }
    assert times
    # A range, and its known part.
    assert {name for name in times if not name.endswith("_at")} == {
        *("since", "until"),
        "complete_since",
    }


def test_an_organization_is_named_alike() -> None:
    names = {field.name for message in _messages() for field in message.fields}
    assert "org_id" in names
    assert "organization_id" not in names


def test_a_field_that_no_request_can_set_is_marked() -> None:
    read = dict[str, set[str]]()
    for method in given.METHODS:
        command = COMMANDS[method.containing_service.full_name].get(method.name)
        for message, model in _models(method.input_type, command):
            read.setdefault(message.full_name, set()).update(model.model_fields)

    assert {"keystead.user.v1.User", "keystead.application.v1.WorkloadIssuer"} <= read.keys()
    for message in _messages():
        if message.full_name in read:
            settable = {field.name for field in settable_fields(message)}
            assert settable == read[message.full_name], message.full_name


def test_every_object_of_a_list_has_an_identifier() -> None:
    # An event is identified by two fields, a preview by its kind, a refusal by its cause and value.
    without = {"ListEvents", "ListMailPreviews", "ListRefusals", "ListSignInRefusals"}
    for method in given.METHODS:
        if method.name.startswith("List") and method.name not in without:
            [objects] = [
                field.message_type for field in method.output_type.fields if field.is_repeated
            ]
            assert objects
            marks = [behavior(field) for field in objects.fields]
            assert sum(field_behavior_pb2.IDENTIFIER in each for each in marks) == 1, method.name


def test_a_route_binds_single_values_and_is_that_of_one_method() -> None:
    paths = set()
    for route in routes_of(_SERVICES):
        assert not set("{}*") & set(re.sub(r"\{[\w.]+\}", "", route.template)), route.template
        for path in route.variables:
            *parents, name = path.split(".")
            message: Any = route.method.input_type
            for parent in parents:
                message = message.fields_by_name[parent].message_type
            field = message.fields_by_name[name]
            assert field.message_type is None, path
            assert not field.is_repeated, path
        paths.add((route.verb, re.sub(r"\{[\w.]+\}", "{}", route.template)))

    assert len(paths) == len(given.METHODS)


def test_a_query_can_contain_every_field_of_a_request_without_a_body() -> None:
    for route in routes_of(_SERVICES):
        for field in () if route.has_body else settable_fields(route.method.input_type):
            kind = type_of(field)
            assert isinstance(kind, JsonType), field.full_name
            assert kind.from_url, field.full_name


def test_a_client_can_resume_every_stream() -> None:
    for method in given.METHODS:
        if method.server_streaming:
            name = id_field(method)
            fields = (
                method.input_type.fields_by_name[f"after_{name}"],
                method.output_type.fields_by_name[name],
            )
            assert all(field.type == FieldDescriptor.TYPE_STRING for field in fields)


def test_every_method_needs_the_permission_of_its_feature() -> None:
    for method in given.METHODS:
        if method.name in _EVERYBODY | _EVERY_CALLER | _INTROSPECTION | _GATE:
            continue
        feature = "user" if method.name in _GRANTS else method.full_name.split(".")[1]
        is_about_user = method.name == "ListGroupsOfUser" or (
            feature in ("passkey", "session", "user")
            and method.name not in _FILTERED_BY_USER
            and any(name in method.input_type.fields_by_name for name in ("user_id", "user"))
        )

        access = _access(method)

        object_name = _OF_THEIR_OWN.get(method.name, feature)
        verb = "read" if _reads(method) else "write"
        assert access.permission == f"{object_name}.{verb}", method.name
        assert access.permission in PERMISSIONS, method.name
        if is_about_user:
            assert access.scope == options_pb2.SCOPE_USER, method.name
        elif method.name in _NAMED_ORGANIZATION:
            assert access.scope == options_pb2.SCOPE_NAMED_ORGANIZATION, method.name
        elif method.name in _OF_INSTANCE:
            assert access.scope == options_pb2.SCOPE_INSTANCE, method.name
        else:
            assert access.scope == _SCOPES[feature], method.name


def test_services_that_trust_sessions_need_one_permission_everywhere() -> None:
    assert _names(lambda access: access.permission == "session.introspect") == _INTROSPECTION
    assert {Role.SESSION_VERIFIER: {"session.introspect"}} == PERMISSIONS_EVERYWHERE
    for name in _INTROSPECTION:
        [method] = [method for method in given.METHODS if method.name == name]
        assert _access(method).scope == options_pb2.SCOPE_INSTANCE


def test_proxies_need_one_permission_in_their_organization() -> None:
    assert _names(lambda access: access.permission == "gate.check") == _GATE
    [method] = [method for method in given.METHODS if method.name in _GATE]
    assert _access(method).scope == options_pb2.SCOPE_SELECTED_ORGANIZATION


def test_nothing_else_gives_access() -> None:
    assert _names(lambda access: access.open) == _EVERYBODY
    assert _names(lambda access: not access.permission) == _EVERYBODY | _EVERY_CALLER
    assert _names(lambda access: access.self) == _SELF
    assert _names(lambda access: access.registration_token) == _REGISTRATION_TOKEN
    assert _names(lambda access: access.link_code) == _LINK_CODE


def test_methods_that_take_access_away_say_so() -> None:
    assert _names(lambda access: access.revokes) == {
        *("RemovePasskey", "EndSession", "EndSessions"),
        *("RemoveUser", "LockUser", "RevokeRole", "RevokeToken", "RemoveOIDCConfig"),
        *("RemoveIDP", "UnlinkIDP", "RemoveGroup", "RemoveGroupMember"),
        *("RemoveApplication", "RemoveApplicationSecret", "RevokeGrant"),
        *("RemoveSubscription", "RemoveSubscriptionSecret"),
        *("LockUsers", "RemoveUsers"),
    }


def test_every_method_that_writes_needs_a_recent_sign_in_or_has_a_reason() -> None:
    writes = {method.name for method in given.METHODS if not _reads(method)}

    without = writes - _names(lambda access: access.recent_sign_in) - _EVERYBODY

    assert without == _WITHOUT_RECENT_SIGN_IN.keys()


def test_methods_that_set_or_clear_the_cookie_of_a_session_say_so() -> None:
    effects = {
        method.name: options_pb2.SessionCookie.Name(
            method.GetOptions().Extensions[options_pb2.session_cookie]
        )
        for method in given.METHODS
        if method.GetOptions().HasExtension(options_pb2.session_cookie)
    }

    assert effects == {
        "CompletePasskeySignIn": "SESSION_COOKIE_SET",
        "CompleteIDPSignIn": "SESSION_COOKIE_SET",
        "SignInAfterRegistration": "SESSION_COOKIE_SET",
        "CompleteReauthentication": "SESSION_COOKIE_SET",
        "SignOut": "SESSION_COOKIE_CLEARED",
    }
    for name, effect in effects.items():
        fields = given.METHOD[name].output_type.fields_by_name.keys()
        is_set = effect == "SESSION_COOKIE_SET"
        assert not is_set or {"details", "session_token", "expires_at"} <= set(fields)


def test_every_method_takes_one_message_and_gives_one_or_a_stream() -> None:
    for method in given.METHODS:
        assert not method.client_streaming, method.name
        assert method.server_streaming == method.name.startswith("Watch"), method.name
        assert method.input_type.name == f"{method.name}Request", method.name
        signs_in = method.name in (
            *("CompletePasskeySignIn", "CompleteIDPSignIn"),
            "SignInAfterRegistration",
        )
        assert method.output_type.name == ("SignedIn" if signs_in else f"{method.name}Response"), (
            method.name
        )


@pytest.mark.parametrize(
    ("message", "fields"),
    [
        (
            smtp_pb.AddSMTPConfigRequest,
            {
                "senderAddress": "string",
                "senderName": "string",
                "tls": "bool",
                "host": "string",
                "user": "string",
                "password": "string",
            },
        ),
        (smtp_pb.AddSMTPConfigResponse, {"details": "keystead.common.v1.Details"}),
        (
            passkey_pb.VerifyPasskeyRegistrationRequest,
            {
                "userId": "string",
                "passkeyId": "string",
                "publicKeyCredential": "google.protobuf.Struct",
                "passkeyName": "string",
            },
        ),
        (passkey_pb.VerifyPasskeyRegistrationResponse, {"details": "keystead.common.v1.Details"}),
        (
            idp_pb.UpdateIDPRequest,
            {
                "idpId": "string",
                "name": "string",
                "stylingType": "keystead.idp.v1.StylingType",
                "autoRegister": "bool",
            },
        ),
        (idp_pb.UpdateIDPResponse, {"details": "keystead.common.v1.Details"}),
        (
            details_pb2.Details,
            {
                "sequence": "uint64",
                "creationDate": "google.protobuf.Timestamp",
                "changeDate": "google.protobuf.Timestamp",
                "resourceOwner": "string",
            },
        ),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_the_messages_of_the_three_operations_have_exactly_the_fields_of_the_specification(
    message: type[smtp_pb.AddSMTPConfigRequest], fields: Mapping[str, str]
) -> None:
    assert _fields(message.DESCRIPTOR) == fields


def test_the_styling_types_are_those_of_the_specification() -> None:
    assert dict(idp_pb.StylingType.items()) == {
        "STYLING_TYPE_UNSPECIFIED": 0,
        "STYLING_TYPE_PROVIDER": 1,
    }


async def test_a_call_that_names_no_user_or_organization_is_told_so_whatever_the_permission(
    instance: Instance,
) -> None:
    plain = await given.user(instance.admin)
    named = {
        options_pb2.SCOPE_USER: {"userId", "user.userId"},
        options_pb2.SCOPE_NAMED_ORGANIZATION: {"orgId", "organization.orgId"},
    }

    for method in given.METHODS:
        scope = method.GetOptions().Extensions[options_pb2.access].scope
        if scope in named:
            refused = await given.refusal(
                plain.invoke(method, GetMessageClass(method.input_type)())
            )
            assert refused.code is grpc.StatusCode.INVALID_ARGUMENT, method.name
            assert refused.violations.keys() & named[scope], method.name


def _access(method: MethodDescriptor) -> options_pb2.Access:
    options = method.GetOptions()
    assert options.HasExtension(options_pb2.access)
    return options.Extensions[options_pb2.access]


def _reads(method: MethodDescriptor) -> bool:
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    # An export is a POST, as all answers that no cache may keep.
    return rule.WhichOneof("pattern") == "get" or method.name == "ExportUsers"


def _names(has: Callable[[options_pb2.Access], bool]) -> set[str]:
    return {method.name for method in given.METHODS if has(_access(method))}


def _models(
    message: Descriptor, command: type[BaseModel] | None
) -> Iterator[tuple[Descriptor, type[BaseModel]]]:
    """The messages in a message, each with the model that reads it."""
    for name, described in command.model_fields.items() if command else ():
        field: Any = message.fields_by_name.get(name)
        for model in _models_in(described.annotation) if field and field.message_type else ():
            yield field.message_type, model
            yield from _models(field.message_type, model)


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for each in get_args(annotation) for model in _models_in(each)]


def _words(name: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def _messages() -> list[Descriptor]:
    """All messages of the API."""
    files = {method.containing_service.file for method in given.METHODS}
    files |= {details_pb2.DESCRIPTOR}
    waiting = [message for file in files for message in file.message_types_by_name.values()]
    messages = []
    while waiting:
        messages.append(waiting.pop())
        waiting.extend(messages[-1].nested_types)
    return messages


def _fields(message: Descriptor) -> dict[str, str]:
    return {field.json_name: _type(field) for field in message.fields}


def _type(field: FieldDescriptor) -> str:
    assert not field.is_repeated
    if field.message_type:
        return str(field.message_type.full_name)
    return str(field.enum_type.full_name) if field.enum_type else _TYPES[field.type]
