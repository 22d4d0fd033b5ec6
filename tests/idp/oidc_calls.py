"""Calls of the tests of OpenID Connect settings."""

from collections.abc import Awaitable
from typing import Any

from keystead.idp.v1 import oidc_config_service_pb2 as pb
from tests.support import images
from tests.support.given import Client

FIELDS: dict[str, Any] = {
    "issuer": "https://login.example.com",
    "client_id": "keystead",
    "client_secret": "a-client-secret",
    "scopes": ["profile", "email"],
}

# The type of an image is read from its first bytes.
LOGO = images.png()


def set_config(client: Client, idp_id: str, **fields: Any) -> Awaitable[pb.SetOIDCConfigResponse]:
    """Sets valid settings. A field that is None is left out."""
    values = {"idp_id": idp_id} | FIELDS | fields
    request = pb.SetOIDCConfigRequest(
        **{name: value for name, value in values.items() if value is not None}
    )
    return client.call(client.oidc_configs.SetOIDCConfig, request)


def remove(client: Client, idp_id: str) -> Awaitable[pb.RemoveOIDCConfigResponse]:
    request = pb.RemoveOIDCConfigRequest(idp_id=idp_id)
    return client.call(client.oidc_configs.RemoveOIDCConfig, request)


def try_out(client: Client, idp_id: str) -> Awaitable[pb.TestOIDCConfigResponse]:
    request = pb.TestOIDCConfigRequest(idp_id=idp_id)
    return client.call(client.oidc_configs.TestOIDCConfig, request)


async def get(client: Client, idp_id: str) -> pb.OIDCConfig:
    request = pb.GetOIDCConfigRequest(idp_id=idp_id)
    answer = await client.call(client.oidc_configs.GetOIDCConfig, request)
    return answer.oidc_config
