"""The schema: who may call what, and the messages of the three operations."""

from collections.abc import Mapping

import grpc
import pytest
from google.api import annotations_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message_factory import GetMessageClass

from keystead.common.v1 import details_pb2
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.options.v1 import options_pb2
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from tests.support import given
from tests.support.given import Instance

METHODS = """
keystead.smtp.v1.SMTPService
  AddSMTPConfig                  POST   /v1/smtp                                   smtp.write on the instance
  GetSMTPConfig                  GET    /v1/smtp                                   smtp.read on the instance
  UpdateSMTPConfig               PUT    /v1/smtp                                   smtp.write on the instance
  UpdateSMTPConfigPassword       PUT    /v1/smtp/password                          smtp.write on the instance
  RemoveSMTPConfig               DELETE /v1/smtp                                   smtp.write on the instance
  TestSMTPConfig                 POST   /v1/smtp:test                              smtp.write on the instance
keystead.mail.v1.MailService
  ListMails                      GET    /v1/mails                                  mail.read on the instance
  RetryMail                      POST   /v1/mails/{mail_id}:retry                  mail.write on the instance
keystead.passkey.v1.PasskeyService
  RegisterPasskey                POST   /v1/users/{user_id}/passkeys               passkey.write on the user, or self, or link code
  CheckPasskeyRegistration       POST   /v1/users/{user_id}/passkeys:checkRegistration  passkey.write on the user, or self, or link code
  VerifyPasskeyRegistration      POST   /v1/users/{user_id}/passkeys/{passkey_id}  passkey.write on the user, or self, or registration token
  ListPasskeys                   GET    /v1/users/{user_id}/passkeys               passkey.read on the user, or self
  RenamePasskey                  PATCH  /v1/users/{user_id}/passkeys/{passkey_id}  passkey.write on the user, or self
  RemovePasskey                  DELETE /v1/users/{user_id}/passkeys/{passkey_id}  passkey.write on the user, or self
  CreatePasskeyRegistrationLink  POST   /v1/users/{user_id}/passkeys:createLink    passkey.write on the user
keystead.signin.v1.SignInService
  StartPasskeySignIn             POST   /v1/signin/passkey:start                   everyone
  CompletePasskeySignIn          POST   /v1/signin/passkey                         everyone
keystead.session.v1.SessionService
  GetCurrentSession              GET    /v1/sessions/current                       every caller with a token
  SignOut                        DELETE /v1/sessions/current                       every caller with a token
  StartReauthentication          POST   /v1/sessions/current:startReauthentication  every caller with a token
  CompleteReauthentication       POST   /v1/sessions/current:completeReauthentication  every caller with a token
  ListSessions                   GET    /v1/users/{user_id}/sessions               session.read on the user, or self
  EndSession                     DELETE /v1/users/{user_id}/sessions/{session_id}  session.write on the user, or self
  EndSessions                    DELETE /v1/users/{user_id}/sessions               session.write on the user, or self
keystead.idp.v1.IdentityProviderService
  AddIDP                         POST   /v1/idps                                   idp.write in the selected organization
  GetIDP                         GET    /v1/idps/{idp_id}                          idp.read in the selected organization
  ListIDPs                       GET    /v1/idps                                   idp.read in the selected organization
  UpdateIDP (deprecated)         PUT    /v1/idps/{idp_id}                          idp.write in the selected organization
  PatchIDP                       PATCH  /v1/idps/{idp.idp_id}                      idp.write in the selected organization
  RemoveIDP                      DELETE /v1/idps/{idp_id}                          idp.write in the selected organization
keystead.org.v1.OrganizationService
  CreateOrganization             POST   /v1/orgs                                   org.write on the instance
  GetOrganization                GET    /v1/orgs/{org_id}                          org.read on the instance
  ListOrganizations              GET    /v1/orgs                                   org.read on the instance
keystead.user.v1.UserService
  CreateUser                     POST   /v1/users                                  user.write in the selected organization
  GetCurrentUser                 GET    /v1/users/me                               every caller with a token
  GetUser                        GET    /v1/users/{user_id}                        user.read on the user, or self
  ListUsers                      GET    /v1/users                                  user.read in the selected organization
  PatchUser                      PATCH  /v1/users/{user.user_id}                   user.write on the user, or self
  RemoveUser                     DELETE /v1/users/{user_id}                        user.write on the user
  GrantRole                      POST   /v1/users/{user_id}/roles                  user.write on the user
  RevokeRole                     DELETE /v1/users/{user_id}/roles/{role}           user.write on the user
  CreateToken                    POST   /v1/users/{user_id}/tokens                 user.write on the user, or self
  ListTokens                     GET    /v1/users/{user_id}/tokens                 user.read on the user, or self
  RevokeToken                    DELETE /v1/users/{user_id}/tokens/{token_id}      user.write on the user, or self
"""  # noqa: E501 -- a table

_SCOPES = {
    options_pb2.SCOPE_INSTANCE: "on the instance",
    options_pb2.SCOPE_SELECTED_ORGANIZATION: "in the selected organization",
    options_pb2.SCOPE_USER: "on the user",
}
_TYPES = {
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_UINT64: "uint64",
}


def test_every_method_declares_its_route_and_who_may_call_it() -> None:
    lines = []
    for method in given.METHODS:
        if method.index == 0:
            lines.append(method.containing_service.full_name)
        lines.append(f"  {_name(method):<30} {_route(method):<48}  {_access(method)}")

    assert "\n".join(lines) == METHODS.strip()


def test_methods_that_take_access_away_say_so() -> None:
    revoking = [
        method.name
        for method in given.METHODS
        if method.GetOptions().Extensions[options_pb2.access].revokes
    ]

    assert revoking == [
        "RemovePasskey",
        "EndSession",
        "EndSessions",
        "RemoveUser",
        "RevokeRole",
        "RevokeToken",
    ]


def test_methods_that_need_a_recent_sign_in_say_so() -> None:
    guarded = [
        method.name
        for method in given.METHODS
        if method.GetOptions().Extensions[options_pb2.access].recent_sign_in
    ]

    assert guarded == [
        "AddSMTPConfig",
        "UpdateSMTPConfig",
        "UpdateSMTPConfigPassword",
        "RemoveSMTPConfig",
        "RegisterPasskey",
        "RemovePasskey",
        "PatchUser",
        "GrantRole",
        "CreateToken",
    ]


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
        "CompleteReauthentication": "SESSION_COOKIE_SET",
        "SignOut": "SESSION_COOKIE_CLEARED",
    }


@pytest.mark.parametrize("method", given.METHODS, ids=lambda method: method.name)
def test_every_method_takes_one_message_and_gives_one(method: MethodDescriptor) -> None:
    assert not method.client_streaming
    assert not method.server_streaming
    assert method.input_type.name == f"{method.name}Request"
    signs_in = method.name == "CompletePasskeySignIn"
    assert method.output_type.name == ("SignedIn" if signs_in else f"{method.name}Response")


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


async def test_every_method_is_there(own_instance: Instance) -> None:
    admin = own_instance.admin

    unavailable = set()
    for method in given.METHODS:
        request = GetMessageClass(method.input_type)()
        if "user_id" in method.input_type.fields_by_name:
            request.user_id = (await given.user(admin)).user_id  # type: ignore[attr-defined]
        try:
            await admin.invoke(method, request)
        except grpc.aio.AioRpcError as error:
            if given.read_refusal(error).code is grpc.StatusCode.UNIMPLEMENTED:
                unavailable.add(method.name)

    assert unavailable == set()


async def test_who_names_no_user_is_told_so_whatever_the_permission(instance: Instance) -> None:
    plain = await given.user(instance.admin)

    for method in given.METHODS:
        scope = method.GetOptions().Extensions[options_pb2.access].scope
        if scope == options_pb2.SCOPE_USER:
            refused = await given.refusal(
                plain.invoke(method, GetMessageClass(method.input_type)())
            )
            assert refused.code is grpc.StatusCode.INVALID_ARGUMENT, method.name
            assert refused.violations.keys() & {"userId", "user.userId"}, method.name


def _name(method: MethodDescriptor) -> str:
    return f"{method.name} (deprecated)" if method.GetOptions().deprecated else method.name


def _route(method: MethodDescriptor) -> str:
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    verb = rule.WhichOneof("pattern")
    # Whole messages travel as bodies, and only where the verb has one.
    assert rule.body == ("" if verb in ("get", "delete") else "*")
    return f"{verb.upper():<6} {getattr(rule, verb)}"


def _access(method: MethodDescriptor) -> str:
    options = method.GetOptions()
    assert options.HasExtension(options_pb2.access)
    access = options.Extensions[options_pb2.access]
    if not access.permission:
        assert access == options_pb2.Access(open=access.open)
        return "everyone" if access.open else "every caller with a token"
    ways = [f"{access.permission} {_SCOPES[access.scope]}"]
    ways += ["self"] * access.self + ["registration token"] * access.registration_token
    ways += ["link code"] * access.link_code
    return ", or ".join(ways)


def _fields(message: Descriptor) -> dict[str, str]:
    return {field.json_name: _type(field) for field in message.fields}


def _type(field: FieldDescriptor) -> str:
    assert not field.is_repeated
    if field.message_type:
        return str(field.message_type.full_name)
    return str(field.enum_type.full_name) if field.enum_type else _TYPES[field.type]
