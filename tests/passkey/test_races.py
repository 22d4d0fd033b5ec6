"""Many calls at once: limits hold, and unique effects happen once."""

import asyncio
from secrets import token_bytes

import asyncpg
import grpc

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.conftest import MakeInstance
from tests.passkey.ceremonies import begin, passkeys, register, remains, remove
from tests.passkey.links import Link, create, link, state
from tests.passkey.test_revocations import revoke_token
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls as users

_CEREMONIES = "select count(*) from passkey_ceremonies where user_id = $1"


async def test_a_ceremony_is_completed_once(user: Client, rows: asyncpg.Connection) -> None:
    begun = await begin(user)
    credential = begun.credential()

    ended = await given.outcomes(begun.verify(credential) for _ in range(50))

    assert ended == {"OK": 1, "CHALLENGE_USED": 49}
    assert [passkey.passkey_id for passkey in await passkeys(user)] == [begun.passkey_id]
    assert len(await given.logged(rows, user.user_id, "user.passkey_verified")) == 1


async def test_a_credential_id_belongs_to_one_user(admin: Client, org_id: str) -> None:
    users = [await given.user(admin, org_id=org_id) for _ in range(30)]
    ceremonies = [await begin(user) for user in users]
    credential_id = token_bytes(32)

    ended = await given.outcomes(
        begun.verify(begun.credential(credential_id=credential_id)) for begun in ceremonies
    )

    assert ended == {"OK": 1, "CREDENTIAL_ALREADY_REGISTERED": 29}
    assert sum([len(await passkeys(user)) for user in users]) == 1


async def test_two_servers_on_one_database_complete_a_ceremony_once(
    instance: Instance, make_instance: MakeInstance, user: Client
) -> None:
    """Each call has a credential of its own, so that only the ceremony is the same."""
    async with make_instance(dsn=instance.dsn, data_dir=instance.data_dir) as second:
        there = second.admin.with_token(user.token, user.user_id)
        begun = await begin(user)

        ended = await given.outcomes(begun.verify(by=by) for by in [user, there] * 10)

        assert ended == {"OK": 1, "CHALLENGE_USED": 19}
        assert await passkeys(user) == await passkeys(there)


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


async def test_a_passkey_is_removed_once(user: Client, rows: asyncpg.Connection) -> None:
    begun = await register(user)

    ended = await given.outcomes(remove(user, begun.passkey_id) for _ in range(20))

    assert ended == {"OK": 1, "PASSKEY_NOT_FOUND": 19}
    assert len(await given.logged(rows, user.user_id, "user.passkey_removed")) == 1


async def test_a_ceremony_is_either_completed_or_removed_and_never_left(user: Client) -> None:
    for _ in range(20):
        begun = await begin(user)

        ended = await given.outcomes([begun.verify(), remove(user, begun.passkey_id)])

        # The removal always succeeds. The verification succeeds before it, or finds nothing.
        assert ended in ({"OK": 2}, {"OK": 1, "PASSKEY_NOT_FOUND": 1})
        assert await passkeys(user) == []


async def test_a_user_is_removed_with_all_that_is_being_registered(
    admin: Client, org_id: str, rows: asyncpg.Connection
) -> None:
    for _ in range(20):
        user = await given.user(admin, org_id=org_id)
        begun = await begin(user)

        ended = await given.outcomes(
            [
                begun.verify(by=begun.token_holder),
                users.remove(admin, user.user_id),
            ]
        )

        # The removal always succeeds. The other call succeeds before it, or has lost its token.
        assert ended.keys() <= {"OK", "PASSKEY_NOT_FOUND", "UNAUTHENTICATED"}
        assert await remains(rows, user) == (0, 0)


# Links


async def test_fifty_verifications_by_two_ceremonies_of_a_link_register_one_passkey(
    admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    by = await link(admin, user)
    ceremonies = [await by.begin(), await by.begin()] * 25

    ended = await given.outcomes(begun.verify(by=begun.token_holder) for begun in ceremonies)

    assert ended.pop("OK") == 1
    assert ended.keys() <= {"CHALLENGE_USED", "LINK_USED"}
    assert sum(ended.values()) == 49
    assert len(await passkeys(user)) == 1
    assert len(await given.logged(rows, user.user_id, "user.passkey_verified")) == 1


async def test_of_links_created_at_once_one_is_good(
    admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    answers = await asyncio.gather(*(create(admin, user) for _ in range(20)))

    assert sorted(await state(rows, user)) == ["good"] + ["replaced"] * 19
    ended = await given.outcomes(Link.of(answer.link, admin).begin() for answer in answers)
    assert ended == {"OK": 1, "LINK_REPLACED": 19}


async def test_a_link_is_either_used_or_replaced(
    admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    for used in range(1, 16):
        by = await link(admin, user)
        begun = await by.begin()

        ended = await given.outcomes(
            [begun.verify(by=begun.token_holder), create(admin, user), by.begin()]
        )

        assert ended.keys() <= {"OK", "LINK_USED", "LINK_REPLACED"}
        *_, last, new = await state(rows, user)
        assert (last, new) in {("used", "good"), ("replaced", "good")}
        assert len(await passkeys(user)) == (await state(rows, user)).count("used") <= used


async def test_a_user_is_removed_with_all_that_links_begin(
    admin: Client, org_id: str, rows: asyncpg.Connection
) -> None:
    for _ in range(10):
        user = await given.user(admin, org_id=org_id)
        by = await link(admin, user)
        begun = await by.begin()

        ended = await given.outcomes(
            [begun.verify(by=begun.token_holder), by.begin(), users.remove(admin, user.user_id)]
        )

        # The removal always succeeds. The other calls succeed before it, or find nothing after it.
        lost = {"PASSKEY_NOT_FOUND", "USER_NOT_FOUND", "UNAUTHENTICATED"}
        assert ended.keys() <= {"OK", "LINK_USED"} | lost
        assert await remains(rows, user) == (0, 0)
        assert await state(rows, user) == []


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
