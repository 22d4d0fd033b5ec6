"""Calls that several tests of applications make."""

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any

from google.protobuf.field_mask_pb2 import FieldMask

from keystead.application.v1 import application_service_pb2 as pb
from tests.support.given import Client

_WEB: Mapping[str, Any] = {"name": "Application", "kind": pb.APPLICATION_KIND_WEB}
WORKLOADS: dict[str, Any] = {
    "issuer": "https://issuer.example",
    "audience": "https://id.example.com",
    "subject": "repo:example/*",
}
# A public key (RFC 8037, appendix A.2).
JWKS = '{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}'


def add(client: Client, **fields: Any) -> Awaitable[pb.CreateApplicationResponse]:
    """Adds an application, a web application unless the fields say otherwise."""
    chosen = {name: fields.pop(name) for name in ("application_id", "secret") if name in fields}
    application = pb.Application(**{**_WEB, **fields})
    request = pb.CreateApplicationRequest(application=application, **chosen)
    return client.call(client.applications.CreateApplication, request)


async def application(client: Client, **fields: Any) -> str:
    """A new application's id."""
    return (await add(client, **fields)).application_id


async def get(client: Client, application_id: str) -> pb.Application:
    answer = await client.call(
        client.applications.GetApplication, pb.GetApplicationRequest(application_id=application_id)
    )
    return answer.application


async def list_all(client: Client) -> Sequence[pb.Application]:
    answer = await client.call(client.applications.ListApplications, pb.ListApplicationsRequest())
    return answer.applications


def patch(
    client: Client, application_id: str, mask: Sequence[str] = (), **fields: Any
) -> Awaitable[pb.PatchApplicationResponse]:
    """Patches the fields. The mask names all of them, unless it is given."""
    request = pb.PatchApplicationRequest(
        application=pb.Application(application_id=application_id, **fields),
        update_mask=FieldMask(paths=mask or fields),
    )
    return client.call(client.applications.PatchApplication, request)


def remove(client: Client, application_id: str) -> Awaitable[pb.RemoveApplicationResponse]:
    request = pb.RemoveApplicationRequest(application_id=application_id)
    return client.call(client.applications.RemoveApplication, request)


def create_secret(
    client: Client, application_id: str, *, secret: str = ""
) -> Awaitable[pb.CreateApplicationSecretResponse]:
    request = pb.CreateApplicationSecretRequest(application_id=application_id, secret=secret)
    return client.call(client.applications.CreateApplicationSecret, request)


def remove_secret(
    client: Client, application_id: str, secret_id: str
) -> Awaitable[pb.RemoveApplicationSecretResponse]:
    request = pb.RemoveApplicationSecretRequest(application_id=application_id, secret_id=secret_id)
    return client.call(client.applications.RemoveApplicationSecret, request)


async def grants(client: Client, user_id: str = "", **fields: Any) -> Sequence[pb.Grant]:
    """The grants of a user, by default of the caller."""
    request = pb.ListGrantsRequest(user_id=user_id or client.user_id, **fields)
    return (await client.call(client.applications.ListGrants, request)).grants


def revoke_grant(
    client: Client, application_id: str, user_id: str = "", *, scopes: Sequence[str] = ()
) -> Awaitable[pb.RevokeGrantResponse]:
    request = pb.RevokeGrantRequest(
        user_id=user_id or client.user_id, application_id=application_id, scopes=scopes
    )
    return client.call(client.applications.RevokeGrant, request)
