"""People of another system: their imports, and their sign-ins with the passkeys they had there."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import cbor2

from examples.software_authenticator import ES256, SoftwareAuthenticator, b64, cose_key
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.user.v1 import user_import_pb2 as pb
from tests.idp.signins import Site
from tests.passkey.credentials import key_of
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support.given import Client

RP_ID = "localhost"
IMPORTED, SAME, REFUSED = 1, 2, 3
# A key that is usable.
KEY = b64(cbor2.dumps(cose_key(key_of(ES256)), canonical=True))


@dataclass(frozen=True)
class Passkey:
    """A passkey of another system, and its authenticator."""

    authenticator: SoftwareAuthenticator
    credential_id: bytes
    user_handle: bytes
    message: pb.ImportedPasskey

    async def sign_in(self, client: Client, **parts: Any) -> SignedIn:
        """A session by this passkey."""
        options = await sessions.start(client)
        person = sessions.Person(client, self.authenticator, "", self.credential_id)
        credential = person.assertion(options, **{"user_handle": self.user_handle} | parts)
        answer = await sessions.complete(client, credential)
        return SignedIn(person, client.with_token(answer.session_token, answer.user_id), answer)


def passkey(
    algorithm: int = ES256,
    *,
    credential_id: bytes = b"",
    user_handle: bytes = b"handle",
    rp_id: str = RP_ID,
    **fields: Any,
) -> Passkey:
    """A passkey that was registered at another system."""
    credential_id = credential_id or secrets.token_bytes(32)
    authenticator, key = SoftwareAuthenticator(), key_of(algorithm)
    authenticator.credentials[credential_id] = key
    message = pb.ImportedPasskey(
        **{
            "credential_id": b64(credential_id),
            "public_key": b64(cbor2.dumps(cose_key(key), canonical=True)),
            "user_handle": b64(user_handle),
            "rp_id": rp_id,
        }
        | fields
    )
    return Passkey(authenticator, credential_id, user_handle, message)


def user(**fields: Any) -> pb.ImportedUser:
    """A user of another system; its name is its ID."""
    user_id = fields.pop("user_id", f"u-{uuid4().hex}")
    return pb.ImportedUser(**{"user_id": user_id, "user_name": user_id} | fields)


async def name_of_idp(site: Site) -> str:
    """The name of the provider of a site."""
    request = idp_pb.GetIDPRequest(idp_id=site.idp_id)
    return str((await site.owner.call(site.owner.idps.GetIDP, request)).idp.name)


def send(client: Client, *users: pb.ImportedUser, headers: Mapping[str, Any] | None = None) -> Any:
    request = pb.ImportUsersRequest(users=users)
    return client.call(client.users.ImportUsers, request, **headers or {})


async def states(client: Client, *users: pb.ImportedUser) -> list[int]:
    return [each.state for each in (await send(client, *users)).results]


async def wrong(client: Client, *users: pb.ImportedUser) -> set[str]:
    """The paths of the wrong fields of the last user."""
    [*_, result] = (await send(client, *users)).results
    assert (result.state == REFUSED) == bool(result.wrong_fields), result
    return {each.field for each in result.wrong_fields}
