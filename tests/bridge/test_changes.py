"""Changes have the same effect and the same answer over gRPC, grpc-web and JSON.

Every transport changes an object of its own. The answer must equal the state that is then read.
"""

from typing import Any
from uuid import uuid4

import grpc
import pytest
from google.protobuf import json_format
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from keystead.common.v1 import details_pb2
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.org.v1 import organization_service_pb2 as org_pb
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.access.caller import OPERATOR
from tests.passkey.ceremonies import Begun, passkeys
from tests.passkey.links import link
from tests.smtp import calls as smtp_calls
from tests.support import given
from tests.support.given import METHOD, Client, Instance
from tests.support.transports import (
    PROTOBUF,
    Call,
    Headers,
    Transport,
    Transports,
    authorization,
)

SMILE = "\N{GRINNING FACE}"


@pytest.fixture(scope="module")
def instance(file_instance: Instance) -> Instance:
    """Replaces the shared instance, because an instance has one SMTP configuration."""
    return file_instance


@pytest.fixture(params=[*PROTOBUF, "JSON"])
def transport(transports: Transports, request: pytest.FixtureRequest) -> Transport:
    """Each transport."""
    return transports.all[request.param]


async def _changed(
    transport: Transport, caller: Client, request: Message, *headers: tuple[str, str]
) -> Any:
    """The response of a call that must succeed."""
    sent: Headers = [*authorization(caller.token), ("x-request-id", "a change"), *headers]
    method = METHOD[request.DESCRIPTOR.name.removesuffix("Request")]
    answer = await transport.answer(Call(method, request, sent))
    assert answer.code is grpc.StatusCode.OK, answer
    assert answer.request_id == "a change"
    assert answer.announcements.keys() == (
        {"deprecation", "link"} if method.name == "UpdateIDP" else set()
    )
    return answer.response


def _later(details: details_pb2.Details, than: details_pb2.Details) -> bool:
    """Whether the details are those of a later event of the same object."""
    return (details.creation_date, details.resource_owner) == (
        than.creation_date,
        than.resource_owner,
    ) and details.sequence > than.sequence


SMTP_CONFIGS = {
    "usual": given.smtp_config(),
    "least": smtp_pb.AddSMTPConfigRequest(sender_address="a@b.co", sender_name="N", host="h:1"),
    "most": given.smtp_config(
        sender_address="a" * 188 + "@example.com",
        sender_name=SMILE * 200,
        host="h" * 496 + ":587",
        user=SMILE,
        password='"\\ %\u2028é',
    ),
}


@pytest.mark.parametrize("request_", SMTP_CONFIGS.values(), ids=SMTP_CONFIGS.keys())
async def test_an_smtp_configuration_is_added_changed_and_removed(
    transport: Transport, admin: Client, request_: smtp_pb.AddSMTPConfigRequest
) -> None:
    added = await _changed(transport, admin, request_)

    stored = await smtp_calls.get(admin)
    assert added == smtp_pb.AddSMTPConfigResponse(details=stored.details)
    assert stored == smtp_pb.SMTPConfig(
        details=stored.details,
        sender_address=request_.sender_address,
        sender_name=request_.sender_name,
        tls=request_.tls,
        host=request_.host,
        user=request_.user,
        password_set=bool(request_.password),
    )
    update = given.smtp_update(host=request_.host, user=request_.user, sender_name="Other")
    kept = await _changed(transport, admin, update)
    assert kept.details == (await smtp_calls.get(admin)).details
    assert _later(kept.details, added.details)
    assert (await smtp_calls.get(admin)).password_set is stored.password_set

    cleared = await _changed(transport, admin, given.smtp_update(user="", password=""))
    assert not (await smtp_calls.get(admin)).password_set

    removed = await _changed(transport, admin, smtp_pb.RemoveSMTPConfigRequest())
    assert _later(removed.details, cleared.details)


@pytest.mark.parametrize("name", ["x", SMILE * 200, "e\N{COMBINING ACUTE ACCENT}" * 100, '"\\/'])
async def test_an_identity_provider_is_updated(
    transport: Transport, admin: Client, name: str
) -> None:
    idp_id = await given.idp(admin, styling_type=idp_pb.STYLING_TYPE_PROVIDER, auto_register=True)
    get = idp_pb.GetIDPRequest(idp_id=idp_id)
    request = idp_pb.UpdateIDPRequest(idp_id=idp_id, name=name)

    # A field that is not sent is empty afterwards.
    updated = await _changed(transport, admin, request)
    again = await _changed(transport, admin, request)

    stored = (await admin.call(admin.idps.GetIDP, get)).idp
    assert again == updated == idp_pb.UpdateIDPResponse(details=stored.details)
    assert (stored.name, stored.styling_type, stored.auto_register) == (name, 0, False)


async def test_an_identity_provider_is_added_patched_and_removed_elsewhere(
    transport: Transport, admin: Client
) -> None:
    organization = ("x-service-orgid", await given.organization(admin))

    added = await _changed(transport, admin, idp_pb.CreateIDPRequest(name="P"), organization)
    patched = await _changed(
        transport,
        admin,
        idp_pb.PatchIDPRequest(
            idp=idp_pb.IDP(idp_id=added.idp_id, name="Other", auto_register=True),
            update_mask=FieldMask(paths=["name", "auto_register"]),
        ),
        organization,
    )
    read = await _changed(transport, admin, idp_pb.GetIDPRequest(idp_id=added.idp_id), organization)
    removed = await _changed(
        transport, admin, idp_pb.RemoveIDPRequest(idp_id=added.idp_id), organization
    )

    assert added.details.resource_owner == organization[1]
    assert _later(patched.details, added.details)
    assert read.idp == idp_pb.IDP(
        idp_id=added.idp_id, details=patched.details, name="Other", auto_register=True
    )
    assert _later(removed.details, patched.details)


async def test_a_passkey_is_registered_by_a_link_and_removed(
    transport: Transport, admin: Client
) -> None:
    user = await given.user(admin)
    by = await link(admin, user)
    register = passkey_pb.RegisterPasskeyRequest(user_id=by.user_id, code=by.code)

    answer = await _changed(transport, by.holder, register)

    begun = Begun(
        user,
        by.user_id,
        answer.passkey_id,
        json_format.MessageToDict(answer.public_key_credential_creation_options),
        answer.registration_token,
        answer.details,
    )
    verify = begun.request(passkey_name=SMILE * 200)
    verified = await _changed(transport, begun.token_holder, verify)
    [stored] = await passkeys(user)
    assert (stored.passkey_id, stored.name) == (begun.passkey_id, SMILE * 200)
    expected = details_pb2.Details()
    expected.CopyFrom(stored.details)
    expected.ClearField("creation_date")
    assert verified == passkey_pb.VerifyPasskeyRegistrationResponse(details=expected)

    remove = passkey_pb.RemovePasskeyRequest(user_id=by.user_id, passkey_id=begun.passkey_id)
    removed = await _changed(transport, user, remove)
    assert _later(removed.details, stored.details)


async def test_a_user_an_organization_a_role_and_a_token_come_and_go(
    transport: Transport, admin: Client
) -> None:
    name = f"Ünï {uuid4()}"
    organization = await _changed(transport, admin, org_pb.CreateOrganizationRequest(name=name))
    user = await _changed(
        transport,
        admin,
        user_pb.CreateUserRequest(user_name=name, display_name=SMILE, email="ada@example.com"),
        ("x-service-orgid", organization.org_id),
    )
    who: dict[str, Any] = {"user_id": user.user_id}
    patched = await _changed(
        transport,
        admin,
        user_pb.PatchUserRequest(
            user=user_pb.User(**who, display_name="Ada", email="ada@example.org"),
            update_mask=FieldMask(paths=["display_name", "email"]),
        ),
    )
    assert _later(patched.details, user.details)
    settings = await _changed(
        transport,
        admin,
        org_pb.PatchOrganizationRequest(
            organization=org_pb.Organization(org_id=organization.org_id, allows_mail_recovery=True),
            update_mask=FieldMask(paths=["allows_mail_recovery"]),
        ),
    )
    assert _later(settings.details, organization.details)
    asked = passkey_pb.RequestPasskeyRecoveryRequest(email="ada@example.org")
    assert await _changed(transport, admin, asked) == (passkey_pb.RequestPasskeyRecoveryResponse())
    granted = await _changed(
        transport, admin, user_pb.GrantRoleRequest(**who, role=user_pb.ROLE_ORG_OWNER)
    )
    read = await _changed(transport, admin, user_pb.GetUserRequest(**who))
    assert read.user == user_pb.User(
        user_id=user.user_id,
        details=granted.details,
        user_name=name,
        display_name="Ada",
        email="ada@example.org",
        roles=[user_pb.ROLE_ORG_OWNER],
    )
    expires_at = Timestamp(seconds=2**32, nanos=1000)
    token = await _changed(
        transport, admin, user_pb.CreateTokenRequest(**who, name=SMILE, expires_at=expires_at)
    )
    listed = await _changed(transport, admin, user_pb.ListTokensRequest(**who))
    assert listed.tokens == [
        user_pb.Token(
            token_id=token.token_id,
            details=token.details,
            name=SMILE,
            expires_at=expires_at,
            created_by=admin.user_id,
            kind=user_pb.TOKEN_KIND_BEARER,
            makers=[admin.user_id, OPERATOR.user_id],
        )
    ]
    revoked = await _changed(
        transport, admin, user_pb.RevokeTokenRequest(**who, token_id=token.token_id)
    )
    taken = await _changed(
        transport, admin, user_pb.RevokeRoleRequest(**who, role=user_pb.ROLE_ORG_OWNER)
    )
    removed = await _changed(transport, admin, user_pb.RemoveUserRequest(**who))
    assert revoked.details.sequence < taken.details.sequence < removed.details.sequence
