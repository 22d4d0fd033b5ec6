"""Calls of InviteUsers."""

from collections.abc import Sequence
from typing import Any

from keystead.passkey.v1 import passkey_service_pb2 as pb
from tests.support.given import Client

INVITED, HAS_PASSKEY, INVITED_BEFORE, REFUSED = 1, 2, 3, 4


async def send(client: Client, *user_ids: str, **fields: Any) -> Sequence[pb.InviteResult]:
    """The results of a call; `x_`-fields are headers."""
    headers = {name: fields.pop(name) for name in [*fields] if name.startswith("x_")}
    request = pb.InviteUsersRequest(user_ids=user_ids, **fields)
    return (await client.call(client.passkeys.InviteUsers, request, **headers)).results


async def states(client: Client, *user_ids: str, **fields: Any) -> list[int]:
    return [each.state for each in await send(client, *user_ids, **fields)]
