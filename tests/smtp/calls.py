"""Calls that several tests of the SMTP configuration make."""

from collections.abc import Awaitable
from typing import Any

from keystead.smtp.v1 import smtp_service_pb2 as pb
from tests.support import given
from tests.support.given import Client

# Violations of the field password.
TOGETHER = "must be given together with user; leave both empty for no authentication"
WITHOUT_USER = "is given without a user: give both, or leave both empty for no authentication"


def add(
    client: Client, request: pb.AddSMTPConfigRequest | None = None
) -> Awaitable[pb.AddSMTPConfigResponse]:
    return client.call(client.smtp.AddSMTPConfig, request or given.smtp_config())


def update(
    client: Client, request: pb.UpdateSMTPConfigRequest
) -> Awaitable[pb.UpdateSMTPConfigResponse]:
    return client.call(client.smtp.UpdateSMTPConfig, request)


def update_password(
    client: Client, password: str
) -> Awaitable[pb.UpdateSMTPConfigPasswordResponse]:
    return client.call(
        client.smtp.UpdateSMTPConfigPassword, pb.UpdateSMTPConfigPasswordRequest(password=password)
    )


def remove(client: Client) -> Awaitable[pb.RemoveSMTPConfigResponse]:
    return client.call(client.smtp.RemoveSMTPConfig, pb.RemoveSMTPConfigRequest())


def oauth(**fields: Any) -> pb.SetSMTPOAuthRequest:
    """Valid OAuth settings."""
    valid = {
        "token_endpoint": "https://login.example.com/token",
        "client_id": "a-client",
        "scope": "mail",
        "client_secret": "a-client-secret",
    }
    return pb.SetSMTPOAuthRequest(**(valid | fields))


def set_oauth(client: Client, **fields: Any) -> Awaitable[pb.SetSMTPOAuthResponse]:
    return client.call(client.smtp.SetSMTPOAuth, oauth(**fields))


def remove_oauth(client: Client) -> Awaitable[pb.RemoveSMTPOAuthResponse]:
    return client.call(client.smtp.RemoveSMTPOAuth, pb.RemoveSMTPOAuthRequest())


async def get(client: Client) -> pb.SMTPConfig:
    return (await client.call(client.smtp.GetSMTPConfig, pb.GetSMTPConfigRequest())).smtp_config
