"""Ceremonies over the native port, which a caller begins and the software authenticator answers."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import asyncpg
from google.protobuf import json_format

from examples.software_authenticator import SoftwareAuthenticator
from keystead.common.v1 import details_pb2
from keystead.passkey.v1 import passkey_service_pb2 as pb
from tests.support.given import Client, struct

# The defaults of the settings.
RP_ID = "localhost"
ORIGIN = "http://localhost:8080"


@dataclass(frozen=True)
class Begun:
    """A ceremony that waits for its credential, and the caller who may complete it."""

    caller: Client
    user_id: str
    passkey_id: str
    options: dict[str, Any]
    registration_token: str
    details: details_pb2.Details

    @property
    def token_holder(self) -> Client:
        """A caller with the registration token only."""
        return self.caller.with_token(self.registration_token)

    def credential(self, **parts: Any) -> dict[str, Any]:
        """The credential that the browser sends for the options."""
        return SoftwareAuthenticator().create(self.options, **{"origin": ORIGIN} | parts)

    def request(
        self, credential: dict[str, Any] | None = None, **fields: Any
    ) -> pb.VerifyPasskeyRegistrationRequest:
        """The request that completes the ceremony, with a valid credential by default."""
        defaults: dict[str, Any] = {
            "user_id": self.user_id,
            "passkey_id": self.passkey_id,
            "public_key_credential": struct(
                self.credential() if credential is None else credential
            ),
            "passkey_name": "Key",
        }
        return pb.VerifyPasskeyRegistrationRequest(**defaults | fields)

    def verify(
        self,
        credential: dict[str, Any] | None = None,
        *,
        by: Client | None = None,
        **fields: Any,
    ) -> Any:
        """Completes the ceremony, by the caller who began it by default."""
        caller = by or self.caller
        request = self.request(credential, **fields)
        return caller.call(caller.passkeys.VerifyPasskeyRegistration, request)


async def begin(caller: Client, user_id: str | None = None) -> Begun:
    """Begins a ceremony for the user, by default for the caller."""
    return await begun_by(caller, user_id=user_id or caller.user_id)


async def begun_by(caller: Client, **fields: Any) -> Begun:
    """The ceremony that this request begins."""
    answer = await caller.call(caller.passkeys.RegisterPasskey, pb.RegisterPasskeyRequest(**fields))
    return Begun(
        caller,
        fields["user_id"],
        answer.passkey_id,
        json_format.MessageToDict(answer.public_key_credential_creation_options),
        answer.registration_token,
        answer.details,
    )


async def register(caller: Client, **parts: Any) -> Begun:
    """Registers a passkey of the caller."""
    begun = await begin(caller)
    await begun.verify(begun.credential(**parts))
    return begun


async def passkeys(caller: Client, user_id: str | None = None) -> list[pb.Passkey]:
    """The passkeys in the answer of ListPasskeys."""
    request = pb.ListPasskeysRequest(user_id=user_id or caller.user_id)
    return list((await caller.call(caller.passkeys.ListPasskeys, request)).passkeys)


def rename(caller: Client, passkey_id: str, name: str, user_id: str | None = None) -> Any:
    """Gives a passkey another name."""
    request = pb.RenamePasskeyRequest(
        user_id=user_id or caller.user_id, passkey_id=passkey_id, name=name
    )
    return caller.call(caller.passkeys.RenamePasskey, request)


def remove(
    caller: Client,
    passkey_id: str,
    user_id: str | None = None,
    *,
    lost_or_stolen: bool = False,
    **metadata: Any,
) -> Any:
    """Removes a passkey or ends its ceremony."""
    request = pb.RemovePasskeyRequest(
        user_id=user_id or caller.user_id, passkey_id=passkey_id, lost_or_stolen=lost_or_stolen
    )
    return caller.call(caller.passkeys.RemovePasskey, request, **metadata)


async def expire(rows: asyncpg.Connection, begun: Begun, *, ago: timedelta = timedelta()) -> None:
    """Sets the times of the ceremony back by its lifetime."""
    await rows.execute(
        """
        update passkey_ceremonies set expires_at = clock_timestamp() - $2::interval
        where passkey_id = $1""",
        begun.passkey_id,
        ago,
    )
