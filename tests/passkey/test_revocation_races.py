"""Revocations beside pending ceremonies and links, in a chosen order (`test_interleavings.py`).

A passkey is either registered before the revocation, and listed, or never.
"""

import asyncio
from collections.abc import Awaitable, Callable

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from server.access.caller import OPERATOR
from server.access.roles import Role
from server.passkey import ceremony_store
from tests.passkey.ceremonies import Begun, begin, passkeys
from tests.passkey.links import create, link, state
from tests.passkey.test_races import outcomes
from tests.passkey.test_revocations import REVOCATIONS, Change, revoke_token
from tests.passkey.transactions import First, OpenFirst, RolledBackError
from tests.support import given
from tests.support.given import Client
from tests.user import calls


async def _unlocked(rows: asyncpg.Connection, user: Client) -> list[str]:
    """The ceremonies of the user whose rows are unlocked."""
    found = await rows.fetch(
        "select passkey_id from passkey_ceremonies where user_id = $1 for update skip locked",
        user.user_id,
    )
    return [row["passkey_id"] for row in found]


FirstChange = Callable[[First, Client], Awaitable[None]]
Begins = Callable[[Client, str], Awaitable[object]]


async def _revoke_tokens(first: First, manager: Client) -> None:
    await first.revoke_tokens(manager)


async def _revoke_role(first: First, manager: Client) -> None:
    await first.revoke_role(manager, Role.ORG_USER_MANAGER)


async def _remove_user(first: First, manager: Client) -> None:
    await first.remove_user(manager)


async def _grant_role(first: First, user: Client) -> None:
    await first.grant_role(user, Role.INSTANCE_OWNER)


FIRST: dict[str, tuple[FirstChange, grpc.StatusCode]] = {
    "token revoked": (_revoke_tokens, grpc.StatusCode.UNAUTHENTICATED),
    "role revoked": (_revoke_role, grpc.StatusCode.PERMISSION_DENIED),
    "user removed": (_remove_user, grpc.StatusCode.UNAUTHENTICATED),
}


async def _tried_while(
    change: Callable[[], Awaitable[object]],
    *,
    user: Client,
    manager: Client,
    opened: OpenFirst,
    rows: asyncpg.Connection,
) -> Begun:
    """A revocation while a failed attempt has locked one of two ceremonies. Returns that one.

    The revocation waits for it first, although the row of the other one is before it.
    """
    begun, other = await begin(manager, user.user_id), await begin(manager, user.user_id)
    # This moves its row behind that of the other one.
    await given.refusal(begun.verify(begun.credential(up=False)))

    async with opened() as first:
        await ceremony_store.count_attempt(
            first.transaction, user_id=user.user_id, passkey_id=begun.passkey_id, actor=OPERATOR
        )
        second = await first.blocks(change())
        unlocked = await _unlocked(rows, user)

    await second
    assert unlocked == [other.passkey_id]
    return begun


class TestVerifyAfter:
    """VerifyPasskeyRegistration, after the first transaction was ..."""

    async def test_the_revocation_of_the_token_by_which_it_was_begun(
        self, user: Client, opened: OpenFirst
    ) -> None:
        begun = await begin(user)

        async with opened() as first:
            await first.revoke_tokens(user)
            second = await first.blocks(given.refusal(begun.verify(by=begun.token_holder)))

        assert (await second).code is grpc.StatusCode.NOT_FOUND

    @pytest.mark.parametrize(
        ("change", "of"),
        [(_revoke_role, "manager"), (_remove_user, "manager"), (_grant_role, "user")],
        ids=["role of who began it revoked", "who began it removed", "role granted to its user"],
    )
    async def test_what_ends_a_ceremony_that_a_manager_began(
        self, change: FirstChange, of: str, user: Client, manager: Client, opened: OpenFirst
    ) -> None:
        begun = await begin(manager, user.user_id)

        async with opened() as first:
            await change(first, {"user": user, "manager": manager}[of])
            second = await first.blocks(given.refusal(begun.verify(by=begun.token_holder)))

        assert (await second).code is grpc.StatusCode.NOT_FOUND
        assert await passkeys(user) == []

    async def test_a_revocation_that_failed(
        self, user: Client, manager: Client, opened: OpenFirst
    ) -> None:
        begun = await begin(manager, user.user_id)

        async with opened() as first:
            await first.revoke_role(manager, Role.ORG_USER_MANAGER)
            second = await first.blocks(begun.verify(by=begun.token_holder))
            raise RolledBackError

        await second
        assert len(await passkeys(user)) == 1

    @pytest.mark.parametrize("revoke", [_revoke_role, _remove_user], ids=["role", "user"])
    async def test_by_a_link_the_end_of_who_was_given_it(
        self,
        revoke: FirstChange,
        user: Client,
        manager: Client,
        opened: OpenFirst,
        rows: asyncpg.Connection,
    ) -> None:
        begun = await (await link(manager, user)).begin()

        async with opened() as first:
            await revoke(first, manager)
            second = await first.blocks(given.refusal(begun.verify(by=begun.token_holder)))

        assert (await second).code is grpc.StatusCode.NOT_FOUND
        assert await passkeys(user) == []
        assert await state(rows, user) == []


class TestBeginAfter:
    """RegisterPasskey and CreatePasskeyRegistrationLink, admitted before the first transaction."""

    @pytest.mark.parametrize("begins", [begin, create], ids=["ceremony", "link"])
    @pytest.mark.parametrize(("revoke", "code"), FIRST.values(), ids=FIRST)
    async def test_the_end_of_a_manager(
        self,
        begins: Begins,
        revoke: FirstChange,
        code: grpc.StatusCode,
        user: Client,
        manager: Client,
        opened: OpenFirst,
        rows: asyncpg.Connection,
    ) -> None:
        async with opened() as first:
            await revoke(first, manager)
            second = await first.blocks(given.refusal(begins(manager, user.user_id)))

        assert (await second).code is code
        assert await _unlocked(rows, user) == []
        assert await state(rows, user) == []

    async def test_the_revocation_of_the_token_of_a_user(
        self, user: Client, opened: OpenFirst, rows: asyncpg.Connection
    ) -> None:
        async with opened() as first:
            await first.revoke_tokens(user)
            second = await first.blocks(given.refusal(begin(user)))

        assert (await second).code is grpc.StatusCode.UNAUTHENTICATED
        assert await _unlocked(rows, user) == []

    @pytest.mark.parametrize("begins", [begin, create], ids=["ceremony", "link"])
    async def test_the_grant_of_a_role_above_that_of_a_manager(
        self,
        begins: Begins,
        user: Client,
        manager: Client,
        opened: OpenFirst,
        rows: asyncpg.Connection,
    ) -> None:
        async with opened() as first:
            await first.grant_role(user, Role.INSTANCE_OWNER)
            second = await first.blocks(given.refusal(begins(manager, user.user_id)))

        assert (await second).code is grpc.StatusCode.PERMISSION_DENIED
        assert await _unlocked(rows, user) == []
        assert await state(rows, user) == []

    async def test_a_change_of_roles_that_a_user_does_not_need_for_itself(
        self, manager: Client, opened: OpenFirst
    ) -> None:
        async with opened() as first:
            await first.revoke_role(manager, Role.ORG_USER_MANAGER)
            second = await first.blocks(begin(manager))

        await (await second).verify()

    async def test_a_revocation_that_failed(
        self, user: Client, manager: Client, opened: OpenFirst
    ) -> None:
        async with opened() as first:
            await first.revoke_tokens(manager)
            second = await first.blocks(begin(manager, user.user_id))
            raise RolledBackError

        await (await second).verify()


@pytest.mark.parametrize("revoke", REVOCATIONS.values(), ids=REVOCATIONS)
class TestRevokeAfter:
    """Revocations that end the ceremonies of a manager, after the first transaction was ..."""

    async def test_a_verification_of_one(
        self,
        revoke: Change,
        admin: Client,
        user: Client,
        manager: Client,
        opened: OpenFirst,
    ) -> None:
        begun, other = await begin(manager, user.user_id), await begin(manager, user.user_id)

        async with opened() as first:
            await first.verify(begun)
            second = await first.blocks(revoke(admin, manager))

        await second
        assert [passkey.passkey_id for passkey in await passkeys(user)] == [begun.passkey_id]
        assert (await given.refusal(begun.verify(by=admin))).reason == "CHALLENGE_USED"
        assert (await given.refusal(other.verify(by=admin))).reason == "PASSKEY_NOT_FOUND"

    async def test_the_beginning_of_its_own(
        self,
        revoke: Change,
        admin: Client,
        manager: Client,
        opened: OpenFirst,
        rows: asyncpg.Connection,
    ) -> None:
        async with opened() as first:
            begun = await first.register(manager)
            second = await first.blocks(revoke(admin, manager))

        await second
        refused = await given.refusal(begun.verify(by=begun.token_holder))
        assert refused.code is grpc.StatusCode.UNAUTHENTICATED

    async def test_a_failed_try_of_one(
        self,
        revoke: Change,
        admin: Client,
        user: Client,
        manager: Client,
        opened: OpenFirst,
        rows: asyncpg.Connection,
    ) -> None:
        """Every statement locks them in the order of their IDs."""
        begun = await _tried_while(
            lambda: revoke(admin, manager), user=user, manager=manager, opened=opened, rows=rows
        )

        assert (await given.refusal(begun.verify(by=admin))).reason == "PASSKEY_NOT_FOUND"


class TestGrantAfter:
    """GrantRole, after the first transaction was ..."""

    async def test_the_beginning_of_a_ceremony_by_another(
        self, admin: Client, user: Client, manager: Client, opened: OpenFirst
    ) -> None:
        async with opened() as first:
            begun = await first.register(user, by=manager)
            second = await first.blocks(
                calls.grant(admin, user.user_id, user_pb.ROLE_INSTANCE_OWNER)
            )

        await second
        refused = await given.refusal(begun.verify(by=begun.token_holder))
        assert refused.code is grpc.StatusCode.UNAUTHENTICATED

    async def test_a_failed_try(
        self,
        admin: Client,
        user: Client,
        manager: Client,
        opened: OpenFirst,
        rows: asyncpg.Connection,
    ) -> None:
        """In the order of a revocation that may end the same ones."""
        await _tried_while(
            lambda: calls.grant(admin, user.user_id, user_pb.ROLE_INSTANCE_OWNER),
            user=user,
            manager=manager,
            opened=opened,
            rows=rows,
        )


# Races


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
            assert await _unlocked(rows, user) == []


async def test_users_who_begin_for_each_other_do_not_wait_for_each_other(
    admin: Client, org_id: str
) -> None:
    one, other = [
        await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_USER_MANAGER])
        for _ in range(2)
    ]

    for _ in range(10):
        ended = await outcomes(
            [create(one, other), create(other, one), create(one, other), create(other, one)]
        )

        assert ended == {"OK": 4}
