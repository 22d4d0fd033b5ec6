"""A program for the environment of any release: `client.py fill|read ADDRESS TOKEN_FILE STATE`.

`fill` writes objects of each kind through `keystead_client`, and their secrets into the file STATE.
`read` reads all of them with these secrets, signs in with the passkeys, and prints each difference.
It uses only methods of the oldest release from which an upgrade is tested.
"""

import asyncio
import json
import sys
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import grpc
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from google.protobuf import json_format, struct_pb2

from examples.software_authenticator import SoftwareAuthenticator
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.idp.v1 import identity_provider_service_pb2_grpc as idp_grpc
from keystead.idp.v1 import oidc_config_service_pb2 as oidc_pb
from keystead.idp.v1 import oidc_config_service_pb2_grpc as oidc_grpc
from keystead.org.v1 import organization_service_pb2 as org_pb
from keystead.org.v1 import organization_service_pb2_grpc as org_grpc
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.passkey.v1 import passkey_service_pb2_grpc as passkey_grpc
from keystead.signin.v1 import signin_service_pb2 as signin_pb
from keystead.signin.v1 import signin_service_pb2_grpc as signin_grpc
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.smtp.v1 import smtp_service_pb2_grpc as smtp_grpc
from keystead.user.v1 import user_service_pb2 as user_pb
from keystead.user.v1 import user_service_pb2_grpc as user_grpc
from keystead_client import connect, token_file

# The default origin of a server.
_ORIGIN = "http://localhost:8080"
_USERS = 5
_SMTP: dict[str, Any] = {
    "sender_address": "noreply@example.com",
    "sender_name": "Example",
    "tls": True,
    "host": "smtp.example.com:587",
    "user": "mailer",
}
_OIDC: dict[str, Any] = {"issuer": "https://issuer.example.com", "client_id": "client"}
_SECRET = "a secret"  # noqa: S105 -- of no system


async def _fill(address: str, admin: grpc.aio.Channel) -> dict[str, Any]:
    organization = await org_grpc.OrganizationServiceStub(admin).CreateOrganization(
        org_pb.CreateOrganizationRequest(name="Filled")
    )
    idps: Any = idp_grpc.IdentityProviderServiceStub(admin)
    if hasattr(idps, "AddIDP"):  # the former name of CreateIDP
        added = await idps.AddIDP(idp_pb.AddIDPRequest(name="Filled"))  # type: ignore[attr-defined]
    else:
        added = await idps.CreateIDP(idp_pb.CreateIDPRequest(name="Filled"))
    await oidc_grpc.OIDCConfigServiceStub(admin).SetOIDCConfig(
        oidc_pb.SetOIDCConfigRequest(idp_id=added.idp_id, client_secret=_SECRET, **_OIDC)
    )
    await smtp_grpc.SMTPServiceStub(admin).AddSMTPConfig(
        smtp_pb.AddSMTPConfigRequest(password=_SECRET, **_SMTP)
    )
    users = [await _add_user(address, admin, number) for number in range(_USERS)]
    return {"org_id": organization.org_id, "idp_id": added.idp_id, "users": users}


async def _add_user(address: str, admin: grpc.aio.Channel, number: int) -> dict[str, Any]:
    """A user with a token, a passkey and a session."""
    users = user_grpc.UserServiceStub(admin)
    name = f"filled-{number}"
    created = await users.CreateUser(
        user_pb.CreateUserRequest(user_name=name, email=f"{name}@example.com")
    )
    token = await users.CreateToken(
        user_pb.CreateTokenRequest(user_id=created.user_id, name="Filled")
    )
    authenticator = SoftwareAuthenticator()
    async with connect(address, token.token, plaintext=True) as channel:
        passkeys = passkey_grpc.PasskeyServiceStub(channel)
        begun = await passkeys.RegisterPasskey(
            passkey_pb.RegisterPasskeyRequest(user_id=created.user_id)
        )
        options = json_format.MessageToDict(begun.public_key_credential_creation_options)
        await passkeys.VerifyPasskeyRegistration(
            passkey_pb.VerifyPasskeyRegistrationRequest(
                user_id=created.user_id,
                passkey_id=begun.passkey_id,
                passkey_name="Filled",
                public_key_credential=_struct(authenticator.create(options, origin=_ORIGIN)),
            )
        )
    session = await _sign_in(address, authenticator)
    [(credential_id, key)] = authenticator.credentials.items()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return {
        "user_id": created.user_id,
        "user_name": name,
        "tokens": [token.token, session.session_token],
        "credential_id": b64encode(credential_id).decode(),
        "user_handle": b64encode(authenticator.user_handles[credential_id]).decode(),
        "key": pem.decode(),
    }


async def _read(address: str, admin: grpc.aio.Channel, state: dict[str, Any]) -> list[str]:
    """The differences."""
    organization = await org_grpc.OrganizationServiceStub(admin).GetOrganization(
        org_pb.GetOrganizationRequest(org_id=state["org_id"])
    )
    idp_id = state["idp_id"]
    idp = await idp_grpc.IdentityProviderServiceStub(admin).GetIDP(
        idp_pb.GetIDPRequest(idp_id=idp_id)
    )
    oidc = await oidc_grpc.OIDCConfigServiceStub(admin).GetOIDCConfig(
        oidc_pb.GetOIDCConfigRequest(idp_id=idp_id)
    )
    smtp = await smtp_grpc.SMTPServiceStub(admin).GetSMTPConfig(smtp_pb.GetSMTPConfigRequest())
    found = [
        *_differences(organization.organization, {"name": "Filled"}),
        *_differences(idp.idp, {"name": "Filled"}),
        *_differences(oidc.oidc_config, _OIDC),
        *_differences(smtp.smtp_config, _SMTP),
    ]
    for user in state["users"]:
        session = await _sign_in(address, _authenticator(user))
        for token in [*user["tokens"], session.session_token]:
            async with connect(address, token, plaintext=True) as channel:
                current = await user_grpc.UserServiceStub(channel).GetCurrentUser(
                    user_pb.GetCurrentUserRequest()
                )
            found += _differences(
                current.user, {"user_id": user["user_id"], "user_name": user["user_name"]}
            )
    return found


def _differences(message: Any, expected: dict[str, Any]) -> list[str]:
    return [
        f"{type(message).__name__}.{name} is {getattr(message, name)} in place of {value}"
        for name, value in expected.items()
        if getattr(message, name) != value
    ]


async def _sign_in(address: str, authenticator: SoftwareAuthenticator) -> Any:
    async with connect(address, plaintext=True) as channel:
        sign_ins = signin_grpc.SignInServiceStub(channel)
        begun = await sign_ins.StartPasskeySignIn(signin_pb.StartPasskeySignInRequest())
        options = json_format.MessageToDict(begun.public_key_credential_request_options)
        [credential_id] = authenticator.credentials
        assertion = authenticator.get(options, origin=_ORIGIN, credential_id=credential_id)
        return await sign_ins.CompletePasskeySignIn(
            signin_pb.CompletePasskeySignInRequest(public_key_credential=_struct(assertion))
        )


def _authenticator(user: dict[str, Any]) -> SoftwareAuthenticator:
    authenticator = SoftwareAuthenticator()
    credential_id = b64decode(user["credential_id"])
    key: Any = load_pem_private_key(user["key"].encode(), None)
    authenticator.credentials[credential_id] = key
    authenticator.user_handles[credential_id] = b64decode(user["user_handle"])
    return authenticator


def _struct(value: dict[str, Any]) -> struct_pb2.Struct:
    message = struct_pb2.Struct()
    message.update(value)
    return message


async def _called(function: Any, address: str, admin_token: str, *arguments: Any) -> Any:
    async with connect(address, token_file(admin_token), plaintext=True) as admin:
        return await function(address, admin, *arguments)


def _main(mode: str, address: str, admin_token: str, state: Path) -> None:
    if mode == "fill":
        state.write_text(json.dumps(asyncio.run(_called(_fill, address, admin_token))))
        return
    found = _called(_read, address, admin_token, json.loads(state.read_text()))
    for difference in asyncio.run(found):
        sys.stdout.write(f"{difference}\n")


if __name__ == "__main__":
    _main(sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4]))
