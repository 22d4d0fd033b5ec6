"""Links under concurrency: of all simultaneous uses of a link, one succeeds.

The first half chooses the order, as in `test_interleavings.py`; the second half races.
"""

import asyncio

import asyncpg
import grpc

from tests.passkey.ceremonies import passkeys, remains, remove_user
from tests.passkey.links import Link, create, link, state
from tests.passkey.test_races import EVENTS, outcomes
from tests.passkey.transactions import OpenFirst, RolledBackError
from tests.support import given
from tests.support.given import Client


class TestVerifyAfter:
    """VerifyPasskeyRegistration by a link, after the first transaction was ..."""

    async def test_that_of_another_ceremony_of_the_link(
        self, admin: Client, user: Client, opened: OpenFirst
    ) -> None:
        by = await link(admin, user)
        one, other = await by.begin(), await by.begin()

        async with opened() as first:
            await first.verify(one)
            second = await first.blocks(given.refusal(other.verify(by=other.token_holder)))

        assert (await second).reason == "LINK_USED"
        assert [passkey.passkey_id for passkey in await passkeys(user)] == [one.passkey_id]

    async def test_that_of_another_ceremony_but_it_failed(
        self, admin: Client, user: Client, opened: OpenFirst
    ) -> None:
        by = await link(admin, user)
        one, other = await by.begin(), await by.begin()

        async with opened() as first:
            await first.verify(one)
            second = await first.blocks(other.verify(by=other.token_holder))
            raise RolledBackError

        await second
        assert [passkey.passkey_id for passkey in await passkeys(user)] == [other.passkey_id]

    async def test_the_creation_of_a_new_link(
        self, admin: Client, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        begun = await (await link(admin, user)).begin()

        async with opened() as first:
            await first.create_link(user)
            second = await first.blocks(given.refusal(begun.verify(by=begun.token_holder)))

        assert (await second).reason == "LINK_REPLACED"
        assert await passkeys(user) == []
        assert await state(rows, user) == ["replaced", "good"]

    async def test_the_creation_of_a_new_link_but_it_failed(
        self, admin: Client, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        begun = await (await link(admin, user)).begin()

        async with opened() as first:
            await first.create_link(user)
            second = await first.blocks(begun.verify(by=begun.token_holder))
            raise RolledBackError

        await second
        assert await state(rows, user) == ["used"]

    async def test_the_beginning_of_another_ceremony_by_the_link(
        self, admin: Client, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        by = await link(admin, user)
        begun = await by.begin()
        link_id = await by.link_id(rows)

        async with opened() as first:
            late = await first.register(user, link_id=link_id)
            second = await first.blocks(begun.verify(by=begun.token_holder))

        await second
        refused = await given.refusal(late.verify(by=late.token_holder))
        assert refused.reason == "LINK_USED"
        assert [passkey.passkey_id for passkey in await passkeys(user)] == [begun.passkey_id]


class TestRegisterAfter:
    """RegisterPasskey by a link, after the first transaction was ..."""

    async def test_a_verification_by_it(
        self, admin: Client, user: Client, opened: OpenFirst
    ) -> None:
        by = await link(admin, user)
        begun = await by.begin()

        async with opened() as first:
            await first.verify(begun)
            second = await first.blocks(given.refusal(by.begin()))

        assert (await second).reason == "LINK_USED"

    async def test_the_creation_of_a_new_link(
        self, admin: Client, user: Client, opened: OpenFirst
    ) -> None:
        by = await link(admin, user)

        async with opened() as first:
            await first.create_link(user)
            second = await first.blocks(given.refusal(by.begin()))

        assert (await second).reason == "LINK_REPLACED"

    async def test_the_tenth_ceremony_by_it(
        self, admin: Client, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        by = await link(admin, user)
        link_id = await by.link_id(rows)
        for _ in range(9):
            await by.begin()

        async with opened() as first:
            await first.register(user, link_id=link_id)
            second = await first.blocks(given.refusal(by.begin()))

        assert (await second).reason == "TOO_MANY_ATTEMPTS"

    async def test_the_removal_of_the_user(
        self, admin: Client, user: Client, opened: OpenFirst
    ) -> None:
        by = await link(admin, user)

        async with opened() as first:
            await first.remove_user(user)
            second = await first.blocks(given.refusal(by.begin()))

        assert (await second).code is grpc.StatusCode.NOT_FOUND

    async def test_the_end_of_all_that_is_known_of_the_link(
        self, admin: Client, user: Client, opened: OpenFirst
    ) -> None:
        by = await link(admin, user)

        async with opened() as first:
            await first.forget_links(user)
            second = await first.blocks(given.refusal(by.begin()))

        assert (await second).code is grpc.StatusCode.UNAUTHENTICATED


class TestCreateAfter:
    """CreatePasskeyRegistrationLink, after the first transaction was ..."""

    async def test_a_verification_by_the_link_before(
        self, admin: Client, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        begun = await (await link(admin, user)).begin()

        async with opened() as first:
            await first.verify(begun)
            second = await first.blocks(create(admin, user))

        await second
        assert await state(rows, user) == ["used", "good"]

    async def test_the_creation_of_another(
        self, admin: Client, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        async with opened() as first:
            await first.create_link(user)
            second = await first.blocks(create(admin, user))

        await second
        assert sorted(await state(rows, user)) == ["good", "replaced"]

    async def test_the_removal_of_the_user(
        self, admin: Client, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        async with opened() as first:
            await first.remove_user(user)
            second = await first.blocks(given.refusal(create(admin, user)))

        assert (await second).resource == ("user", user.user_id)
        assert await state(rows, user) == []


class TestRemoveUserAfter:
    """RemoveUser, after the first transaction was ..."""

    async def test_the_creation_of_a_link(
        self, admin: Client, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        async with opened() as first:
            await first.create_link(user)
            second = await first.blocks(remove_user(admin, user))

        await second
        assert await state(rows, user) == []


# Races


async def test_fifty_verifications_by_two_ceremonies_of_a_link_register_one_passkey(
    admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    by = await link(admin, user)
    ceremonies = [await by.begin(), await by.begin()] * 25

    ended = await outcomes(begun.verify(by=begun.token_holder) for begun in ceremonies)

    assert ended.pop("OK") == 1
    assert ended.keys() <= {"CHALLENGE_USED", "LINK_USED"}
    assert sum(ended.values()) == 49
    assert len(await passkeys(user)) == 1
    assert await rows.fetchval(EVENTS, user.user_id, "user.passkey_verified") == 1


async def test_of_links_created_at_once_one_is_good(
    admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    answers = await asyncio.gather(*(create(admin, user) for _ in range(20)))

    assert sorted(await state(rows, user)) == ["good"] + ["replaced"] * 19
    ended = await outcomes(Link.of(answer.link, admin).begin() for answer in answers)
    assert ended == {"OK": 1, "LINK_REPLACED": 19}


async def test_a_link_is_either_used_or_replaced(
    admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    for used in range(1, 16):
        by = await link(admin, user)
        begun = await by.begin()

        ended = await outcomes(
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

        ended = await outcomes(
            [begun.verify(by=begun.token_holder), by.begin(), remove_user(admin, user)]
        )

        # The removal always succeeds. The other calls succeed before it, or find nothing after it.
        lost = {"PASSKEY_NOT_FOUND", "USER_NOT_FOUND", "UNAUTHENTICATED"}
        assert ended.keys() <= {"OK", "LINK_USED"} | lost
        assert await remains(rows, user) == (0, 0)
        assert await state(rows, user) == []
