"""Tokens of every kind, over each transport."""

import base64
from dataclasses import dataclass

from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.secrets import mails
from tests.secrets.client import Client
from tests.secrets.marks import CHALLENGE
from tests.support.given import METHOD
from tests.support.transports import Call, Transport


@dataclass(frozen=True)
class Tokens:
    """The tokens of one user, whose passkey ceremony has begun."""

    user_id: str
    passkey_id: str
    used: str
    revoked: str
    expired: str
    registration: str
    link: str


async def create(client: Client, way: str, transport: Transport) -> Tokens:
    """Makes and uses one token of each kind over this transport, and leaves a link in a mail."""
    marks = client.marks
    request = user_pb.CreateUserRequest(
        user_name=f"user of {way}", display_name=marks.canary, email=mails.RECEIVER
    )
    user_id = (await client.send(transport, "CreateUser", request)).user_id
    tokens = {}
    with client.answers.private():
        for name in ("used", "revoked", "expired"):
            token = user_pb.CreateTokenRequest(user_id=user_id, name=name)
            tokens[name] = await client.send(transport, "CreateToken", token)
            marks.token(f"{name} token over {way}", tokens[name].token)
        used = tokens["used"].token
        registration = await client.send(
            transport,
            "RegisterPasskey",
            passkey_pb.RegisterPasskeyRequest(user_id=user_id),
            by=used,
        )
        link = await _link(client, transport, user_id)
    marks.token(f"registration token over {way}", registration.registration_token)
    challenge = registration.public_key_credential_creation_options["challenge"]
    marks.secrets[f"{CHALLENGE} over {way}"] = base64.urlsafe_b64decode(f"{challenge}==")
    marks.token(f"code of a link over {way}", link)
    await mails.leave_waiting(client, way, transport, user_id)
    revoked = user_pb.RevokeTokenRequest(user_id=user_id, token_id=tokens["revoked"].token_id)
    assert await client.send(transport, "RevokeToken", revoked, by=used)
    await client.sql.execute(
        "update tokens set expires_at = now() - interval '1 day' where name = 'expired'"
    )
    return Tokens(
        user_id,
        registration.passkey_id,
        used,
        tokens["revoked"].token,
        tokens["expired"].token,
        registration.registration_token,
        link,
    )


async def _link(client: Client, transport: Transport, user_id: str) -> str:
    """The code of the user's link, which has begun a ceremony."""
    returned = passkey_pb.CreatePasskeyRegistrationLinkRequest(
        user_id=user_id, return_code=passkey_pb.ReturnCode()
    )
    created = await client.send(transport, "CreatePasskeyRegistrationLink", returned)
    code: str = created.code
    assert created.link.endswith(f"#user={user_id};code={code}")
    begin = passkey_pb.RegisterPasskeyRequest(user_id=user_id, code=code)
    assert (await transport.answer(Call(METHOD["RegisterPasskey"], begin))).response
    return code
