"""Two transactions on one user in a chosen order: the second waits for the first.

The first is a command in a transaction of the test, which stays open until the call of the second
waits for it. So every test is at a point that a race reaches only sometimes.
"""

from secrets import token_bytes

import asyncpg
import grpc

from examples.software_authenticator import b64
from server.access.caller import OPERATOR
from server.passkey import ceremony_store
from tests.passkey.ceremonies import begin, passkeys, register, remains, remove, remove_user
from tests.passkey.transactions import POLICY, OpenFirst, RolledBackError
from tests.support import given
from tests.support.given import Client


async def _state(rows: asyncpg.Connection, user: Client) -> tuple[int, int]:
    """The number of passkeys in the user's row, and the number of passkeys."""
    row = await rows.fetchrow(
        """
        select passkey_count, (select count(*) from passkeys where user_id = users.id)
        from users where id = $1""",
        user.user_id,
    )
    assert row is not None
    return (row[0], row[1])


class TestVerifyAfter:
    """VerifyPasskeyRegistration, after the first transaction was ..."""

    async def test_the_same_verification(
        self, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        begun = await begin(user)

        async with opened() as first:
            await first.verify(begun)
            second = await first.blocks(given.refusal(begun.verify()))

        assert (await second).reason == "CHALLENGE_USED"
        assert await _state(rows, user) == (1, 1)

    async def test_the_same_verification_but_it_failed(
        self, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        begun = await begin(user)

        async with opened() as first:
            await first.verify(begun)
            second = await first.blocks(begun.verify())
            raise RolledBackError

        await second
        assert await _state(rows, user) == (1, 1)

    async def test_another_verification_of_the_user(
        self, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        one, other = await begin(user), await begin(user)

        async with opened() as first:
            await first.verify(other)
            second = await first.blocks(one.verify())

        details = (await second).details
        by_id = {passkey.passkey_id: passkey for passkey in await passkeys(user)}
        assert details.sequence > by_id[other.passkey_id].details.sequence
        assert await _state(rows, user) == (2, 2)

    async def test_the_last_passkey_that_the_user_may_have(
        self, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        for _ in range(POLICY.max_passkeys - 1):
            await register(user)
        one, other = await begin(user), await begin(user)

        async with opened() as first:
            await first.verify(other)
            second = await first.blocks(given.refusal(one.verify()))

        assert (await second).reason == "TOO_MANY_PASSKEYS"
        assert await _state(rows, user) == (POLICY.max_passkeys, POLICY.max_passkeys)

    async def test_a_verification_of_the_same_credential_by_another_user(
        self, user: Client, other_user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        mine, theirs = await begin(user), await begin(other_user)
        credential_id = token_bytes(32)

        async with opened() as first:
            await first.verify(theirs, credential_id=credential_id)
            credential = mine.credential(credential_id=credential_id)
            second = await first.blocks(given.refusal(mine.verify(credential)))

        assert (await second).reason == "CREDENTIAL_ALREADY_REGISTERED"
        assert await _state(rows, user) == (0, 0)

    async def test_one_of_the_same_credential_by_another_user_that_failed(
        self, user: Client, other_user: Client, opened: OpenFirst
    ) -> None:
        mine, theirs = await begin(user), await begin(other_user)
        credential_id = token_bytes(32)

        async with opened() as first:
            await first.verify(theirs, credential_id=credential_id)
            second = await first.blocks(mine.verify(mine.credential(credential_id=credential_id)))
            raise RolledBackError

        await second
        assert (len(await passkeys(user)), len(await passkeys(other_user))) == (1, 0)

    async def test_the_removal_of_the_same_credential(
        self, user: Client, other_user: Client, opened: OpenFirst
    ) -> None:
        credential_id = token_bytes(32)
        theirs = await register(other_user, credential_id=credential_id)
        mine = await begin(user)

        async with opened() as first:
            await first.remove(theirs)
            second = await first.blocks(mine.verify(mine.credential(credential_id=credential_id)))

        await second
        assert (len(await passkeys(user)), len(await passkeys(other_user))) == (1, 0)

    async def test_the_end_of_its_lifetime(
        self, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        begun = await begin(user)

        async with opened() as first:
            await first.expire(begun)
            second = await first.blocks(given.refusal(begun.verify()))

        assert (await second).reason == "CHALLENGE_EXPIRED"
        assert await _state(rows, user) == (0, 0)

    async def test_the_tenth_try(
        self, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        begun = await begin(user)

        async with opened() as first:
            for _ in range(10):
                await ceremony_store.count_attempt(
                    first.transaction,
                    user_id=user.user_id,
                    passkey_id=begun.passkey_id,
                    actor=OPERATOR,
                )
            second = await first.blocks(given.refusal(begun.verify()))

        assert (await second).reason == "TOO_MANY_ATTEMPTS"
        assert await _state(rows, user) == (0, 0)

    async def test_the_removal_of_the_ceremony(self, user: Client, opened: OpenFirst) -> None:
        begun = await begin(user)

        async with opened() as first:
            await first.remove(begun)
            second = await first.blocks(given.refusal(begun.verify()))

        assert (await second).code is grpc.StatusCode.NOT_FOUND
        assert await passkeys(user) == []

    async def test_the_removal_of_the_user(
        self, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        begun = await begin(user)

        async with opened() as first:
            await first.remove_user(user)
            second = await first.blocks(given.refusal(begun.verify(by=begun.token_holder)))

        assert (await second).code is grpc.StatusCode.NOT_FOUND
        assert await remains(rows, user) == (0, 0)

    async def test_an_end_that_is_taken_back_before_it_was_read(
        self, user: Client, opened: OpenFirst
    ) -> None:
        """As after a failover of the database to a machine whose clock is behind."""
        begun = await begin(user)

        async with opened() as third:
            async with opened() as first:
                await first.expire(begun)
                second = await first.blocks(begun.verify())
                locked = await first.blocks(third.lock_ceremonies())
            await locked
            await third.renew(begun)

        await second


class TestAFailedTryAfter:
    """A refused credential, after the first transaction was ..."""

    async def test_a_verification(
        self, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        begun = await begin(user)

        async with opened() as first:
            await first.verify(begun)
            second = await first.blocks(given.refusal(begun.verify(begun.credential(up=False))))

        assert (await second).reason == "USER_NOT_VERIFIED"
        attempts = await rows.fetchval(
            "select attempts from passkey_ceremonies where passkey_id = $1", begun.passkey_id
        )
        assert attempts == 0


class TestRegisterAfter:
    """RegisterPasskey, after the first transaction was ..."""

    async def test_the_tenth_ceremony(self, user: Client, opened: OpenFirst) -> None:
        for _ in range(9):
            await begin(user)

        async with opened() as first:
            await first.register(user)
            second = await first.blocks(given.refusal(begin(user)))

        assert (await second).reason == "TOO_MANY_CEREMONIES"

    async def test_the_tenth_ceremony_but_it_failed(self, user: Client, opened: OpenFirst) -> None:
        for _ in range(9):
            await begin(user)

        async with opened() as first:
            await first.register(user)
            second = await first.blocks(begin(user))
            raise RolledBackError

        await second

    async def test_the_removal_of_the_user(
        self, admin: Client, user: Client, opened: OpenFirst
    ) -> None:
        async with opened() as first:
            await first.remove_user(user)
            second = await first.blocks(given.refusal(begin(admin, user.user_id)))

        assert (await second).resource == ("user", user.user_id)

    async def test_the_removal_of_the_caller(self, user: Client, opened: OpenFirst) -> None:
        async with opened() as first:
            await first.remove_user(user)
            second = await first.blocks(given.refusal(begin(user)))

        assert (await second).code is grpc.StatusCode.UNAUTHENTICATED

    async def test_a_verification_whose_passkey_it_excludes(
        self, user: Client, opened: OpenFirst
    ) -> None:
        begun = await begin(user)
        credential_id = token_bytes(32)

        async with opened() as first:
            await first.verify(begun, credential_id=credential_id)
            second = await first.blocks(begin(user))

        [excluded] = (await second).options["excludeCredentials"]
        assert excluded["id"] == b64(credential_id)


class TestRemoveAfter:
    """RemovePasskey, after the first transaction was ..."""

    async def test_its_verification(
        self, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        begun = await begin(user)

        async with opened() as first:
            await first.verify(begun)
            second = await first.blocks(remove(user, begun.passkey_id))

        await second
        assert await _state(rows, user) == (0, 0)

    async def test_the_same_removal(
        self, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        kept, begun = await register(user), await register(user)

        async with opened() as first:
            await first.remove(begun)
            second = await first.blocks(given.refusal(remove(user, begun.passkey_id)))

        assert (await second).code is grpc.StatusCode.NOT_FOUND
        assert [passkey.passkey_id for passkey in await passkeys(user)] == [kept.passkey_id]
        assert await _state(rows, user) == (1, 1)

    async def test_the_removal_of_the_same_ceremony(self, user: Client, opened: OpenFirst) -> None:
        begun = await begin(user)

        async with opened() as first:
            await first.remove(begun)
            second = await first.blocks(given.refusal(remove(user, begun.passkey_id)))

        assert (await second).code is grpc.StatusCode.NOT_FOUND

    async def test_the_verification_of_another(
        self, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        known, begun = await register(user), await begin(user)

        async with opened() as first:
            await first.verify(begun)
            second = await first.blocks(remove(user, known.passkey_id))

        await second
        assert [passkey.passkey_id for passkey in await passkeys(user)] == [begun.passkey_id]
        assert await _state(rows, user) == (1, 1)


class TestRemoveUserAfter:
    """RemoveUser, after the first transaction was ..."""

    async def test_a_verification(
        self, admin: Client, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        begun = await begin(user)

        async with opened() as first:
            await first.verify(begun)
            second = await first.blocks(remove_user(admin, user))

        await second
        assert await remains(rows, user) == (0, 0)
