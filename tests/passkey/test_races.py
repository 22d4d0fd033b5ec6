"""Many calls at once, which wait in any order; `test_orders.py` has chosen orders of two."""

import asyncio

import asyncpg
import grpc

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.passkey.ceremonies import begin, passkeys
from tests.passkey.links import Link, create, state
from tests.passkey.test_revocations import revoke_token
from tests.support import given
from tests.support.given import Client, Instance

_CEREMONIES = "select count(*) from passkey_ceremonies where user_id = $1"


async def test_a_user_gets_no_more_passkeys_than_it_may_have(limited: Instance) -> None:
    user = await given.user(limited.admin)
    ceremonies = [await begin(user) for _ in range(8)]

    ended = await given.outcomes(begun.verify() for begun in ceremonies)

    assert ended == {"OK": 2, "TOO_MANY_PASSKEYS": 6}
    assert len(await passkeys(user)) == 2


async def test_passkeys_made_at_once_are_numbered_apart(
    user: Client, rows: asyncpg.Connection
) -> None:
    ceremonies = [await begin(user) for _ in range(10)]

    answers = await asyncio.gather(*(begun.verify() for begun in ceremonies))

    sequences = {answer.details.sequence for answer in answers}
    assert len(sequences) == 10
    last = await rows.fetchval("select sequence from users where id = $1", user.user_id)
    assert last == max(sequences)


# Links


async def test_of_links_created_at_once_one_is_good(
    admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    answers = await asyncio.gather(*(create(admin, user) for _ in range(20)))

    assert sorted(await state(rows, user)) == ["good"] + ["replaced"] * 19
    ended = await given.outcomes(Link.of(answer.link, admin).begin() for answer in answers)
    assert ended == {"OK": 1, "LINK_REPLACED": 19}


# Revocations


async def test_a_token_by_which_ceremonies_are_begun_all_the_time_leaves_none_behind(
    admin: Client, org_id: str, rows: asyncpg.Connection
) -> None:
    async def begin_until_refused(by: Client, user: Client) -> str:
        while True:
            try:
                await begin(by, user.user_id)
            except grpc.aio.AioRpcError as error:
                reason = given.read_refusal(error).reason
                if reason != "TOO_MANY_CEREMONIES":
                    return reason

    for _ in range(3):
        user = await given.user(admin, org_id=org_id)
        manager = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_USER_MANAGER])
        for by in (user, manager):
            thieves = [asyncio.create_task(begin_until_refused(by, user)) for _ in range(5)]
            await revoke_token(admin, by)

            assert set(await asyncio.gather(*thieves)) == {"UNAUTHENTICATED"}
            assert await rows.fetchval(_CEREMONIES, user.user_id) == 0


async def test_users_who_begin_for_each_other_do_not_wait_for_each_other(
    admin: Client, org_id: str
) -> None:
    one, other = [
        await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_USER_MANAGER])
        for _ in range(2)
    ]

    for _ in range(10):
        ended = await given.outcomes(
            [create(one, other), create(other, one), create(one, other), create(other, one)]
        )

        assert ended == {"OK": 4}
