"""Calls that several tests of the SMTP configuration make."""

from collections.abc import Awaitable

from keystead.smtp.v1 import smtp_service_pb2 as pb
from tests.support import given
from tests.support.given import Client


def add(
    client: Client, request: pb.AddSMTPConfigRequest | None = None
) -> Awaitable[pb.AddSMTPConfigResponse]:
    call: Awaitable[pb.AddSMTPConfigResponse] = client.call(
        client.smtp.AddSMTPConfig, request or given.smtp_config()
    )
    return call


def update(
    client: Client, request: pb.UpdateSMTPConfigRequest
) -> Awaitable[pb.UpdateSMTPConfigResponse]:
    call: Awaitable[pb.UpdateSMTPConfigResponse] = client.call(
        client.smtp.UpdateSMTPConfig, request
    )
    return call


def update_password(
    client: Client, password: str
) -> Awaitable[pb.UpdateSMTPConfigPasswordResponse]:
    call: Awaitable[pb.UpdateSMTPConfigPasswordResponse] = client.call(
        client.smtp.UpdateSMTPConfigPassword, pb.UpdateSMTPConfigPasswordRequest(password=password)
    )
    return call


def remove(client: Client) -> Awaitable[pb.RemoveSMTPConfigResponse]:
    call: Awaitable[pb.RemoveSMTPConfigResponse] = client.call(
        client.smtp.RemoveSMTPConfig, pb.RemoveSMTPConfigRequest()
    )
    return call


async def get(client: Client) -> pb.SMTPConfig:
    answer: pb.GetSMTPConfigResponse = await client.call(
        client.smtp.GetSMTPConfig, pb.GetSMTPConfigRequest()
    )
    return answer.smtp_config
