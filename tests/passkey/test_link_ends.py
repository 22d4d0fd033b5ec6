"""Ends of a registration link, and of a ceremony that it began."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from secrets import token_bytes

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from server.passkey import link_store
from server.store.database import Database
from server.store.retention import delete_ended
from tests.passkey import ceremonies
from tests.passkey.ceremonies import Begun, begin, expire, passkeys, register
from tests.passkey.links import Link, create, link, state
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls as users

MANAGER, OWNER = user_pb.ROLE_ORG_USER_MANAGER, user_pb.ROLE_INSTANCE_OWNER


@dataclass(frozen=True)
class Case:
    """A link of a user that a manager created, and a ceremony that it began."""

    admin: Client
    manager: Client
    user: Client
    other: Client
    rows: asyncpg.Connection
    database: Database
    link: Link
    begun: Begun

    async def age(self, days: int) -> None:
        """Sets the link back to this number of days after its expiry, and cleans up."""
        await self.rows.execute(
            "update passkey_links set expires_at = now() - $2::int * interval '1 day'"
            " where user_id = $1",
            self.user.user_id,
            days,
        )
        await delete_ended(self.database, link_store.ENDED)

    async def fail(self, times: int) -> None:
        """Tries to complete the ceremony without the presence of the user."""
        for _ in range(times):
            failing = self.begun.credential(up=False)
            await given.refusal(self.begun.verify(failing, by=self.begun.token_holder))

    async def take_known_credential(self) -> None:
        """Tries to complete the ceremony with a credential of another user."""
        credential_id = token_bytes(32)
        await register(self.other, credential_id=credential_id)
        known = self.begun.credential(credential_id=credential_id)
        refused = await given.outcome(self.begun.verify(known, by=self.begun.token_holder))
        assert refused == "CREDENTIAL_ALREADY_REGISTERED"

    async def begin_more(self, times: int) -> None:
        for _ in range(times):
            await expire(self.rows, await self.link.begin())

    async def replace(self) -> None:
        await create(self.admin, self.user)

    async def use(self) -> Begun:
        return await self.link.register()

    async def use_and_remove(self) -> None:
        await ceremonies.remove(self.admin, (await self.use()).passkey_id, self.user.user_id)

    def demote(self) -> Awaitable[object]:
        return users.revoke(self.admin, self.manager.user_id, MANAGER)

    def remove_manager(self) -> Awaitable[object]:
        return users.remove(self.admin, self.manager.user_id)

    async def revoke_token(self, of: Client) -> None:
        [token] = await users.tokens(self.admin, of.user_id)
        await users.revoke_token(self.admin, of.user_id, token.token_id)

    def remove_ceremony(self) -> Awaitable[object]:
        return ceremonies.remove(self.admin, self.begun.passkey_id, self.user.user_id)

    def grant(self, role: user_pb.Role.ValueType) -> Awaitable[object]:
        return users.grant(self.admin, self.user.user_id, role, end_foreign=True)


Change = Callable[[Case], Awaitable[object]]


def _then(*changes: Change) -> Change:
    async def make(case: Case) -> None:
        for change in changes:
            await change(case)

    return make


async def _nothing(_case: Case) -> None:
    pass


# The result of the link (CheckPasskeyRegistration and RegisterPasskey), that of the ceremony, and
# the final state of all links of the user.
ENDS: Mapping[str, tuple[Change, str, str, list[str]]] = {
    "nothing": (_nothing, "OK", "OK", ["used"]),
    # Uses
    "used by another ceremony": (Case.use, "LINK_USED", "LINK_USED", ["used"]),
    "used by this ceremony": (
        lambda c: c.begun.verify(by=c.begun.token_holder),
        *("LINK_USED", "CHALLENGE_USED", ["used"]),
    ),
    "used, and the passkey removed": (Case.use_and_remove, "LINK_USED", "LINK_USED", ["used"]),
    "used, and a new link": (
        _then(Case.use, Case.replace),
        *("LINK_USED", "LINK_USED", ["used", "good"]),
    ),
    "begun nine times": (lambda c: c.begin_more(8), "OK", "OK", ["used"]),
    "a ceremony failed ten times": (lambda c: c.fail(10), "OK", "TOO_MANY_ATTEMPTS", ["good"]),
    "a ceremony removed": (Case.remove_ceremony, "OK", "UNAUTHENTICATED", ["good"]),
    "a ceremony expired": (lambda c: expire(c.rows, c.begun), "OK", "CHALLENGE_EXPIRED", ["good"]),
    "a credential of another user": (Case.take_known_credential, "OK", "OK", ["used"]),
    # Ends
    "replaced": (Case.replace, "LINK_REPLACED", "LINK_REPLACED", ["replaced", "good"]),
    "a link of another user": (lambda c: create(c.admin, c.other), "OK", "OK", ["used"]),
    "expired": (lambda c: c.link.expire(c.rows), "LINK_EXPIRED", "OK", ["used"]),
    "expired and replaced": (
        _then(lambda c: c.link.expire(c.rows), Case.replace),
        *("LINK_REPLACED", "LINK_REPLACED", ["replaced", "good"]),
    ),
    "expired for 89 days": (lambda c: c.age(89), "LINK_EXPIRED", "OK", ["used"]),
    "expired for 91 days": (lambda c: c.age(91), "UNAUTHENTICATED", "PASSKEY_NOT_FOUND", []),
    "begun ten times": (lambda c: c.begin_more(9), "TOO_MANY_ATTEMPTS", "OK", ["used"]),
    "its user removed": (
        lambda c: users.remove(c.admin, c.user.user_id),
        *("UNAUTHENTICATED", "UNAUTHENTICATED", []),
    ),
    # Rights of its creator and of its user
    "its creator demoted": (Case.demote, "UNAUTHENTICATED", "PASSKEY_NOT_FOUND", []),
    "its creator removed": (Case.remove_manager, "UNAUTHENTICATED", "PASSKEY_NOT_FOUND", []),
    "used, and its creator demoted": (
        _then(Case.use, Case.demote),
        *("LINK_USED", "LINK_USED", ["used"]),
    ),
    "replaced, and its creator removed": (
        _then(Case.replace, Case.remove_manager),
        *("LINK_REPLACED", "LINK_REPLACED", ["replaced", "good"]),
    ),
    "a token of its creator revoked": (lambda c: c.revoke_token(c.manager), "OK", "OK", ["used"]),
    "a token of its user revoked": (lambda c: c.revoke_token(c.user), "OK", "OK", ["used"]),
    "a role that its creator covers": (lambda c: c.grant(MANAGER), "OK", "OK", ["used"]),
    "a role beyond its creator": (
        lambda c: c.grant(OWNER),
        *("UNAUTHENTICATED", "UNAUTHENTICATED", []),
    ),
}
_CODES = {
    "OK": grpc.StatusCode.OK,
    "UNAUTHENTICATED": grpc.StatusCode.UNAUTHENTICATED,
    "PASSKEY_NOT_FOUND": grpc.StatusCode.NOT_FOUND,
}


@pytest.fixture
async def case(
    admin: Client,
    manager: Client,
    user: Client,
    other_user: Client,
    rows: asyncpg.Connection,
    database: Database,
) -> Case:
    by = await link(manager, user)
    return Case(admin, manager, user, other_user, rows, database, by, await by.begin())


async def _outcome(call: Awaitable[object]) -> str:
    """`OK` or the reason, whose code is that of the table."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        refused = given.read_refusal(error)
        code = _CODES.get(refused.reason, grpc.StatusCode.FAILED_PRECONDITION)
        assert refused.code is code
        return refused.reason
    return "OK"


@pytest.mark.parametrize(("change", "link", "ceremony", "final"), ENDS.values(), ids=ENDS)
async def test_a_link_and_its_ceremony_after_a_change(
    case: Case, change: Change, link: str, ceremony: str, final: list[str]
) -> None:
    await change(case)

    outcomes = [
        await _outcome(case.link.check()),
        await _outcome(case.link.begin()),
        await _outcome(case.begun.verify(by=case.begun.token_holder)),
    ]

    assert outcomes == [link, link, ceremony]
    assert await state(case.rows, case.user) == final


@pytest.mark.parametrize("change", [Case.replace, Case.demote], ids=["replaced", "demoted"])
async def test_the_ceremonies_of_a_link_that_ended_are_not_pending(
    case: Case, change: Change
) -> None:
    for _ in range(9):
        await case.link.begin()
    assert await given.outcome(begin(case.user)) == "TOO_MANY_CEREMONIES"

    await change(case)

    await register(case.user)


async def test_a_ceremony_that_a_link_could_not_begin_does_not_count(
    admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    others = [await begin(user) for _ in range(10)]
    by = await link(admin, user)

    for _ in range(11):
        assert await given.outcome(by.begin()) == "TOO_MANY_CEREMONIES"

    await expire(rows, others[0])
    await by.register()


async def test_only_ceremonies_that_a_link_began_end_with_it(case: Case) -> None:
    own = await begin(case.user)

    await case.use()
    await case.replace()

    await own.verify()
    assert len(await passkeys(case.user)) == 2


async def test_a_user_who_may_have_no_more_passkeys_gets_and_uses_no_link(
    limited: Instance,
) -> None:
    admin = limited.admin
    user = await given.user(admin)
    by = await link(admin, user)
    begun = await by.begin()
    own = [await register(user) for _ in range(2)]

    refused = [
        await given.refusal(call)
        for call in (
            begin(user),
            create(admin, user),
            by.check(),
            by.begin(),
            begun.verify(by=begun.token_holder),
        )
    ]

    assert [each.reason for each in refused] == ["TOO_MANY_PASSKEYS"] * 5
    assert {each.code for each in refused} == {grpc.StatusCode.RESOURCE_EXHAUSTED}
    assert refused[0].retry_seconds is None
    await ceremonies.remove(user, own[0].passkey_id)
    await by.register()
