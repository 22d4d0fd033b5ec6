"""Calls of the tests of OpenID Connect settings."""

import struct
import zlib
from collections.abc import Awaitable
from typing import Any

from keystead.idp.v1 import oidc_config_service_pb2 as pb
from tests.support.given import Client

FIELDS: dict[str, Any] = {
    "issuer": "https://login.example.com",
    "client_id": "keystead",
    "client_secret": "a-client-secret",
    "scopes": ["profile", "email"],
}


def png(width: int = 32, height: int = 32) -> bytes:
    """A grey PNG image."""
    rows = zlib.compress((b"\0" + b"\x80" * width) * height)
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", rows), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def set_config(client: Client, idp_id: str, **fields: Any) -> Awaitable[pb.SetOIDCConfigResponse]:
    """Sets valid settings. A field that is None is left out."""
    values = {"idp_id": idp_id} | FIELDS | fields
    request = pb.SetOIDCConfigRequest(
        **{name: value for name, value in values.items() if value is not None}
    )
    call: Awaitable[pb.SetOIDCConfigResponse] = client.call(
        client.oidc_configs.SetOIDCConfig, request
    )
    return call


def remove(client: Client, idp_id: str) -> Awaitable[pb.RemoveOIDCConfigResponse]:
    request = pb.RemoveOIDCConfigRequest(idp_id=idp_id)
    call: Awaitable[pb.RemoveOIDCConfigResponse] = client.call(
        client.oidc_configs.RemoveOIDCConfig, request
    )
    return call


async def get(client: Client, idp_id: str) -> pb.OIDCConfig:
    request = pb.GetOIDCConfigRequest(idp_id=idp_id)
    answer = await client.call(client.oidc_configs.GetOIDCConfig, request)
    config: pb.OIDCConfig = answer.oidc_config
    return config
