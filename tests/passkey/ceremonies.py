"""Ceremonies over the native port: begun by a caller, answered by the software authenticator."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import asyncpg
from google.protobuf import json_format, struct_pb2

from examples.software_authenticator import SoftwareAuthenticator
from keystead.common.v1 import details_pb2
from keystead.passkey.v1 import passkey_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.support.given import Client

# What the settings of a server name when nothing is set.
RP_ID = "localhost"
ORIGIN = "http://localhost:8080"


@dataclass(frozen=True)
class Begun:
    """A ceremony that waits for its credential, and who may complete it."""

    caller: Client
    user_id: str
    passkey_id: str
    options: dict[str, Any]
    registration_token: str
    details: details_pb2.Details

    @property
    def token_holder(self) -> Client:
        """Somebody who has nothing but the registration token."""
        return self.caller.with_token(self.registration_token)

    def credential(self, **parts: Any) -> dict[str, Any]:
        """What the browser sends when its authenticator answers the options."""
        return SoftwareAuthenticator().create(self.options, **{"origin": ORIGIN} | parts)

    def request(
        self, credential: dict[str, Any] | None = None, **fields: Any
    ) -> pb.VerifyPasskeyRegistrationRequest:
        """The request that completes it; with a good credential unless another is given."""
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
        """Completes it; by who began it unless somebody else is named."""
        caller = by or self.caller
        request = self.request(credential, **fields)
        return caller.call(caller.passkeys.VerifyPasskeyRegistration, request)


def struct(value: dict[str, Any]) -> struct_pb2.Struct:
    """A JSON object as protobuf has it; unlike `ParseDict` it takes NaN and infinity."""
    message = struct_pb2.Struct()
    message.update(value)
    return message


async def begin(caller: Client, user_id: str | None = None) -> Begun:
    """Begins a ceremony; the caller's own unless another user is named."""
    return await begun_by(caller, user_id=user_id or caller.user_id)


async def begun_by(caller: Client, **fields: str) -> Begun:
    """The ceremony that such a request begins."""
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
    """A passkey of the caller: begun and completed."""
    begun = await begin(caller)
    await begun.verify(begun.credential(**parts))
    return begun


async def passkeys(caller: Client, user_id: str | None = None) -> list[pb.Passkey]:
    """The verified passkeys, as they are listed."""
    request = pb.ListPasskeysRequest(user_id=user_id or caller.user_id)
    return list((await caller.call(caller.passkeys.ListPasskeys, request)).passkeys)


def rename(caller: Client, passkey_id: str, name: str, user_id: str | None = None) -> Any:
    """Gives a passkey another name."""
    request = pb.RenamePasskeyRequest(
        user_id=user_id or caller.user_id, passkey_id=passkey_id, name=name
    )
    return caller.call(caller.passkeys.RenamePasskey, request)


def remove(caller: Client, passkey_id: str, user_id: str | None = None) -> Any:
    """Removes a passkey or ends its ceremony."""
    request = pb.RemovePasskeyRequest(user_id=user_id or caller.user_id, passkey_id=passkey_id)
    return caller.call(caller.passkeys.RemovePasskey, request)


async def expire(rows: asyncpg.Connection, begun: Begun, *, ago: timedelta = timedelta()) -> None:
    """Lets the lifetime of the ceremony pass."""
    await rows.execute(
        """
        update passkey_ceremonies set expires_at = clock_timestamp() - $2::interval
        where passkey_id = $1""",
        begun.passkey_id,
        ago,
    )


def remove_user(admin: Client, user: Client) -> Any:
    """Removes a user."""
    return admin.call(admin.users.RemoveUser, user_pb.RemoveUserRequest(user_id=user.user_id))


async def remains(rows: asyncpg.Connection, user: Client) -> tuple[int, int]:
    """How many passkeys and claims of a user there are; for one that was removed, none."""
    row = await rows.fetchrow(
        """
        select (select count(*) from passkeys where user_id = $1),
            (select count(*) from unique_claims where aggregate_id = $1)""",
        user.user_id,
    )
    assert row is not None
    return (row[0], row[1])
