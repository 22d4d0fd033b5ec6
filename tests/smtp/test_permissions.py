"""Only instance owners may call any method; permission is checked before the request."""

from typing import Any

import grpc
import pytest

from keystead.smtp.v1 import smtp_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.support import given
from tests.support.given import Client

# Empty requests, most of them invalid, because permission is checked first.
REQUESTS: dict[str, Any] = {
    "AddSMTPConfig": pb.AddSMTPConfigRequest(),
    "GetSMTPConfig": pb.GetSMTPConfigRequest(),
    "UpdateSMTPConfig": pb.UpdateSMTPConfigRequest(),
    "UpdateSMTPConfigPassword": pb.UpdateSMTPConfigPasswordRequest(),
    "RemoveSMTPConfig": pb.RemoveSMTPConfigRequest(),
    "TestSMTPConfig": pb.TestSMTPConfigRequest(),
}


@pytest.mark.parametrize("method", REQUESTS)
@pytest.mark.parametrize(
    "roles",
    [[], [user_pb.ROLE_ORG_OWNER, user_pb.ROLE_ORG_USER_MANAGER]],
    ids=["no role", "all roles in the default organization"],
)
async def test_nobody_but_an_instance_owner_may_call_it(
    admin: Client, method: str, roles: list[user_pb.Role.ValueType]
) -> None:
    myself = (await admin.call(admin.users.GetCurrentUser, user_pb.GetCurrentUserRequest())).user
    somebody = await given.user(admin, org_id=myself.details.resource_owner, roles=roles)

    refused = await given.refusal(somebody.call(getattr(somebody.smtp, method), REQUESTS[method]))

    assert refused.code is grpc.StatusCode.PERMISSION_DENIED
    assert refused.violations == {}


@pytest.mark.parametrize("method", REQUESTS)
async def test_a_token_is_required(admin: Client, method: str) -> None:
    nobody = admin.with_token("")

    refused = await given.refusal(nobody.call(getattr(nobody.smtp, method), REQUESTS[method]))

    assert refused.code is grpc.StatusCode.UNAUTHENTICATED
