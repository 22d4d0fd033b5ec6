"""Calls that several tests of users make."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

import asyncpg
import grpc
from google.protobuf.field_mask_pb2 import FieldMask

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.user.v1 import user_service_pb2 as pb
from tests.support.given import Client
from tests.support.workload_tokens import SUBJECT


def create(client: Client, *, org_id: str = "", **fields: Any) -> Awaitable[pb.CreateUserResponse]:
    request = pb.CreateUserRequest(**{"user_name": f"user-{uuid4().hex}"} | fields)
    headers: dict[str, Any] = {"x_service_orgid": org_id} if org_id else {}
    return client.call(client.users.CreateUser, request, **headers)


async def get(client: Client, user_id: str) -> pb.User:
    return (await client.call(client.users.GetUser, pb.GetUserRequest(user_id=user_id))).user


async def whoami(client: Client) -> pb.User:
    return (await client.call(client.users.GetCurrentUser, pb.GetCurrentUserRequest())).user


async def is_good(client: Client) -> bool:
    """Whether the token of the client is valid."""
    try:
        await whoami(client)
    except grpc.aio.AioRpcError as error:
        return error.code() is not grpc.StatusCode.UNAUTHENTICATED
    return True


def patch(
    client: Client, user_id: str, mask: Sequence[str], **fields: Any
) -> Awaitable[pb.PatchUserResponse]:
    request = pb.PatchUserRequest(
        user=pb.User(user_id=user_id, **fields), update_mask=FieldMask(paths=mask)
    )
    return client.call(client.users.PatchUser, request)


def remove(client: Client, user_id: str) -> Awaitable[pb.RemoveUserResponse]:
    request = pb.RemoveUserRequest(user_id=user_id)
    return client.call(client.users.RemoveUser, request)


def lock(client: Client, user_id: str, *, reason: str = "") -> Awaitable[pb.LockUserResponse]:
    request = pb.LockUserRequest(user_id=user_id, reason=reason)
    return client.call(client.users.LockUser, request)


def unlock(client: Client, user_id: str) -> Awaitable[pb.UnlockUserResponse]:
    return client.call(client.users.UnlockUser, pb.UnlockUserRequest(user_id=user_id))


def grant(
    client: Client,
    user_id: str,
    role: Any,
    *,
    end_foreign: bool = False,
    expires_at: datetime | None = None,
) -> Awaitable[pb.GrantRoleResponse]:
    request = pb.GrantRoleRequest(user_id=user_id, role=role, end_foreign_credentials=end_foreign)
    if expires_at is not None:
        request.expires_at.FromDatetime(expires_at)
    return client.call(client.users.GrantRole, request)


async def end_role(sql: asyncpg.Connection, user_id: str, role: str) -> None:
    """Lets the time of a role pass, which the user has with an end."""
    await sql.execute(
        """
        update users set roles_end_at = now() - interval '1 ms', role_grants = jsonb_set(
            role_grants, array[$2, 'expires_at'], to_jsonb((now() - interval '1 ms')::text))
        where id = $1""",
        user_id,
        role,
    )


def revoke(client: Client, user_id: str, role: Any) -> Awaitable[pb.RevokeRoleResponse]:
    request = pb.RevokeRoleRequest(user_id=user_id, role=role)
    return client.call(client.users.RevokeRole, request)


# The ways in which an instance owner loses its rights.
DEMOTIONS: Mapping[str, Callable[[Client, Client], Awaitable[object]]] = {
    "lost the role": lambda admin, owner: revoke(admin, owner.user_id, pb.ROLE_INSTANCE_OWNER),
    "was removed": lambda admin, owner: remove(admin, owner.user_id),
    "was locked": lambda admin, owner: lock(admin, owner.user_id),
}


def create_token(
    client: Client, user_id: str, *, name: str = "", expires_at: datetime | None = None
) -> Awaitable[pb.CreateTokenResponse]:
    request = pb.CreateTokenRequest(user_id=user_id, name=name)
    if expires_at is not None:
        request.expires_at.FromDatetime(expires_at)
    return client.call(client.users.CreateToken, request)


def create_certificate(
    client: Client, user_id: str, pem: str, *, name: str = ""
) -> Awaitable[pb.CreateCertificateResponse]:
    request = pb.CreateCertificateRequest(user_id=user_id, name=name, certificate=pem)
    return client.call(client.users.CreateCertificate, request)


def workload(user_id: str, issuer: str = "https://ci.example.com") -> dict[str, Any]:
    """The workload of an issuer that may act as the user."""
    audience = f"https://id.example.com/users/{user_id}"
    return {"issuer": issuer, "audience": audience, "subject": SUBJECT}


def create_workload_credential(
    client: Client, user_id: str, workload: Mapping[str, Any], **fields: Any
) -> Awaitable[pb.CreateWorkloadCredentialResponse]:
    request = pb.CreateWorkloadCredentialRequest(
        user_id=user_id, workload=application_pb.WorkloadIssuer(**workload), **fields
    )
    return client.call(client.users.CreateWorkloadCredential, request)


async def tokens(client: Client, user_id: str) -> list[pb.Token]:
    answer = await client.call(client.users.ListTokens, pb.ListTokensRequest(user_id=user_id))
    return list(answer.tokens)


def revoke_token(client: Client, user_id: str, token_id: str) -> Awaitable[pb.RevokeTokenResponse]:
    request = pb.RevokeTokenRequest(user_id=user_id, token_id=token_id)
    return client.call(client.users.RevokeToken, request)
