"""CheckPasskeyRegistration: the result of RegisterPasskey, without a ceremony."""

from dataclasses import replace

import asyncpg
import grpc
import pytest

from keystead.passkey.v1 import passkey_service_pb2 as pb
from server.access.caller import LinkCaller
from server.passkey import commands
from server.passkey.ceremonies import CheckPasskeyRegistration, check
from server.store.database import Database
from server.values.errors import Failure, Kind
from server.values.ids import new_id
from tests.passkey import links
from tests.passkey.transactions import POLICY
from tests.support import given
from tests.support.given import Client
from tests.user import calls


async def _traces(rows: asyncpg.Connection, user: Client) -> list[tuple[int, ...]]:
    """Ceremonies of a user, the number that its links have counted, and its events."""
    return [
        tuple(row)
        for row in await rows.fetch(
            """
            select (select count(*) from passkey_ceremonies where user_id = $1),
                (select sum(ceremonies) from passkey_links where user_id = $1),
                (select count(*) from events where aggregate_id = $1)""",
            user.user_id,
        )
    ]


async def test_the_holder_of_a_link_hears_for_whom_it_is_and_until_when(
    admin: Client, user: Client
) -> None:
    created = await links.create(admin, user)
    account = await calls.get(admin, user.user_id)

    answer = await links.Link.of(created.link, admin).check()

    assert answer == pb.CheckPasskeyRegistrationResponse(
        user_name=account.user_name,
        display_name=account.display_name,
        rp_name="Keystead",
        expires_at=created.expires_at,
    )


async def test_a_user_with_a_token_hears_the_same_without_a_time(
    admin: Client, user: Client
) -> None:
    request = pb.CheckPasskeyRegistrationRequest(user_id=user.user_id)
    answer = await user.call(user.passkeys.CheckPasskeyRegistration, request)

    account = await calls.get(admin, user.user_id)
    assert answer.user_name == account.user_name
    assert not answer.HasField("expires_at")


async def test_nothing_is_begun_counted_or_used_up(
    admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    link = await links.link(admin, user)
    before = await _traces(rows, user)

    for _ in range(15):  # more often than a link may begin ceremonies
        await link.check()

    assert await _traces(rows, user) == before
    await link.register()


async def test_a_code_of_somebody_else_tells_nothing(
    admin: Client, user: Client, other_user: Client
) -> None:
    link = await links.link(admin, user)

    for wrong in (replace(link, user_id=other_user.user_id), replace(link, code=link.code[:-1])):
        assert (await given.refusal(wrong.check())).code is grpc.StatusCode.UNAUTHENTICATED


async def test_a_user_who_is_removed_meanwhile_is_not_found(database: Database) -> None:
    user_id = new_id()
    command = CheckPasskeyRegistration(user_id=user_id)
    listing = commands.ListPasskeys(user_id=user_id, page_size=0, page_token="")

    for call in (
        check(
            database,
            command,
            actor=LinkCaller(user_id, new_id()),
            policy=POLICY,
        ),
        commands.list_passkeys(database, listing),
    ):
        with pytest.raises(Failure) as refused:
            await call
        assert refused.value.kind is Kind.NOT_FOUND
