"""The authorization of a device, as the device, its person and the page go through it."""

from typing import Any

import asyncpg

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.oauth.v1 import oauth_service_pb2 as pb
from tests.oauth import flow
from tests.oauth.flow import App
from tests.support.given import Client

GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code"


async def app(owner: Client, **fields: Any) -> App:
    """A new application of devices: public, and without a redirect URI."""
    kind = application_pb.APPLICATION_KIND_NATIVE
    return await flow.public_app(owner, **{"kind": kind, "redirect_uris": [], **fields})


def start(application: App, **fields: Any) -> Any:
    """Starts an authorization."""
    request = {**application.credentials, "scope": "openid profile", **fields}
    return application.client.call(
        application.client.oauth.StartDeviceAuthorization,
        pb.StartDeviceAuthorizationRequest(**request),
    )


def describe(person: Client, user_code: str) -> Any:
    request = pb.DescribeDeviceRequest(user_code=user_code)
    return person.call(person.oauth.DescribeDevice, request)


def approve(person: Client, user_code: str, *, consents: bool = True) -> Any:
    request = pb.ApproveDeviceRequest(user_code=user_code, consents=consents)
    return person.call(person.oauth.ApproveDevice, request)


def deny(person: Client, user_code: str) -> Any:
    return person.call(person.oauth.DenyDevice, pb.DenyDeviceRequest(user_code=user_code))


def poll(application: App, device_code: str, **fields: Any) -> Any:
    return application.exchange(grant_type=GRANT_TYPE, device_code=device_code, **fields)


async def approved(application: App, person: Client, **fields: Any) -> str:
    """The device code of an authorization that a person has approved."""
    started = await start(application, **fields)
    await approve(person, started.user_code)
    return started.device_code


async def expire(sql: asyncpg.Connection, application: App) -> None:
    """Expires the codes of an application's devices, approved or not."""
    for statement in (
        "update device_authorizations set expires_at = clock_timestamp()",
        "update oauth_authorizations set code_expires_at = clock_timestamp()",
    ):
        await sql.execute(f"{statement} where application_id = $1", application.client_id)


async def wait(sql: asyncpg.Connection, application: App, seconds: float) -> None:
    """Lets this time pass for the polls of an application's devices."""
    await sql.execute(
        "update device_authorizations set next_poll_at = next_poll_at - make_interval(secs => $2)"
        " where application_id = $1",
        application.client_id,
        seconds,
    )
