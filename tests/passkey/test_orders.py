"""Two transactions on one user in a chosen order: the second waits for the first.

The first is a command in a transaction of the test, which stays open until the call of the second
waits for it. So every case is at a point that a race reaches only sometimes.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from secrets import token_bytes
from typing import Any, NamedTuple

import asyncpg
import grpc
import pytest

from examples.software_authenticator import b64
from keystead.user.v1 import user_service_pb2 as user_pb
from server.access.caller import OPERATOR
from server.access.roles import Role
from server.passkey import ceremony_store
from tests.passkey.ceremonies import Begun, begin, remove
from tests.passkey.links import Link, create, link
from tests.passkey.transactions import POLICY, First, OpenFirst, RolledBackError
from tests.support import given
from tests.support.given import Client
from tests.user import calls

MANAGER, OWNER = user_pb.ROLE_ORG_USER_MANAGER, user_pb.ROLE_INSTANCE_OWNER

# Passkeys and their claims, pending ceremonies, and links of a user.
_STATE = """
select 'passkey', passkey_id, attempts from passkeys
    left join passkey_ceremonies using (user_id, passkey_id) where user_id = $1
union all select 'ceremony', passkey_id, attempts from passkey_ceremonies
where user_id = $1 and verified_at is null
union all select case when used_at is not null then 'used link'
    when replaced_at is not null then 'replaced link' else 'link' end, '', 0
from passkey_links where user_id = $1"""
_COUNTS = """
select (select count(*) from passkeys where user_id = $1) = all(array[
    coalesce((select passkey_count from users where id = $1), 0),
    (select count(*) from unique_claims where aggregate_id = $1 and kind = 'credential_id')])"""


@dataclass
class Stage:
    """The people and objects of a case. `one` and `two` are ceremonies or their passkeys."""

    admin: Client
    user: Client
    other: Client
    manager: Client
    rows: asyncpg.Connection
    first: First = field(init=False)
    one: Begun = field(init=False)
    two: Begun = field(init=False)
    link: Link = field(init=False)
    token: str = ""
    answer: Any = None
    credential_ids: dict[str, bytes] = field(
        default_factory=lambda: {"one": token_bytes(32), "two": token_bytes(32)}
    )

    async def begin(self, *names: str, by: Client | None = None, of: Client | None = None) -> None:
        for name in names:
            setattr(self, name, await begin(by or of or self.user, (of or self.user).user_id))

    async def begin_by_link(self, *names: str, by: Client | None = None) -> None:
        self.link = await link(by or self.admin, self.user)
        for name in names:
            setattr(self, name, await self.link.begin())

    async def register(self, *names: str, of: Client | None = None) -> None:
        await self.begin(*names, of=of)
        for name in names:
            await self.verify(name, by=of or self.user)

    def verify(self, name: str, *, by: Client | None = None, **parts: Any) -> Any:
        """Completes a ceremony, by default with its registration token."""
        begun: Begun = getattr(self, name)
        credential = begun.credential(credential_id=self.credential_ids[name], **parts)
        return begun.verify(credential, by=by or begun.token_holder)

    async def verify_first(self, name: str) -> None:
        begun = getattr(self, name)
        await self.first.verify(begun, credential_id=self.credential_ids[name])

    async def try_first(self, times: int) -> None:
        for _ in range(times):
            await ceremony_store.count_attempt(
                self.first.transaction,
                user_id=self.user.user_id,
                passkey_id=self.one.passkey_id,
                actor=OPERATOR,
            )

    async def begin_first(self, *, of: Client, by: Client | None = None) -> None:
        self.two = await self.first.register(of, by=by)

    async def begin_first_by_link(self) -> None:
        link_id = await self.link.link_id(self.rows)
        self.two = await self.first.register(self.user, link_id=link_id)

    async def create_token_first(self) -> None:
        self.token = await self.first.create_token(self.user, by=self.manager)

    async def revoke_token(self) -> None:
        [token] = await calls.tokens(self.admin, self.manager.user_id)
        await calls.revoke_token(self.admin, self.manager.user_id, token.token_id)

    async def state(self) -> list[str]:
        """What the user has, with the names of this case."""
        names = {
            begun.passkey_id: f" {name}"
            for name in ("one", "two")
            if (begun := getattr(self, name, None)) is not None
        }
        assert await self.rows.fetchval(_COUNTS, self.user.user_id)
        return sorted(
            f"{kind}{names.get(passkey_id, '')}{f' tried {attempts}' if attempts else ''}"
            for kind, passkey_id, attempts in await self.rows.fetch(_STATE, self.user.user_id)
        )


Step = Callable[[Stage], Awaitable[object]]


async def _nothing(_stage: Stage) -> None:
    pass


async def _same_credential(s: Stage) -> None:
    s.credential_ids["two"] = s.credential_ids["one"]
    await s.begin("one")


async def _times(times: int, step: Callable[[], Awaitable[object]]) -> None:
    for _ in range(times):
        await step()


async def _before_the_last_passkey(s: Stage) -> None:
    for _ in range(POLICY.max_passkeys - 1):
        await s.register("one")
        s.credential_ids["one"] = token_bytes(32)
    await s.begin("one", "two")


async def _before_the_last_ceremony_of_a_link(s: Stage) -> None:
    await s.begin_by_link()
    await _times(9, s.link.begin)


async def _of_another(s: Stage) -> None:
    await _same_credential(s)
    await s.begin("two", of=s.other)


async def _registered_by_another(s: Stage) -> None:
    await _same_credential(s)
    await s.register("two", of=s.other)


async def _one_of_two(s: Stage) -> None:
    await s.begin("one")
    await s.register("two")


GIVEN: Mapping[str, Step] = {
    "nothing": _nothing,
    "one": lambda s: s.begin("one"),
    "one, two": lambda s: s.begin("one", "two"),
    "nine others": lambda s: _times(9, lambda: s.begin("one")),
    "19 passkeys, one, two": _before_the_last_passkey,
    "one, two is another's": _of_another,
    "one, two is another's passkey": _registered_by_another,
    "one, two is a passkey": _one_of_two,
    "both are passkeys": lambda s: s.register("one", "two"),
    "one by the manager": lambda s: s.begin("one", by=s.manager),
    "both by the manager": lambda s: s.begin("one", "two", by=s.manager),
    "a link": lambda s: s.begin_by_link(),
    "one by a link": lambda s: s.begin_by_link("one"),
    "both by a link": lambda s: s.begin_by_link("one", "two"),
    "nine by a link": _before_the_last_ceremony_of_a_link,
    "a manager's link": lambda s: s.begin_by_link(by=s.manager),
    "one by a manager's link": lambda s: s.begin_by_link("one", by=s.manager),
}
FIRST: Mapping[str, Step] = {
    "verify one": lambda s: s.verify_first("one"),
    "verify two": lambda s: s.verify_first("two"),
    "expire one": lambda s: s.first.expire(s.one),
    "try one ten times": lambda s: s.try_first(10),
    "remove one": lambda s: s.first.remove(s.one),
    "remove two": lambda s: s.first.remove(s.two),
    "remove the user": lambda s: s.first.remove_user(s.user),
    "remove the manager": lambda s: s.first.remove_user(s.manager),
    "revoke the user's token": lambda s: s.first.revoke_tokens(s.user),
    "revoke the manager's token": lambda s: s.first.revoke_tokens(s.manager),
    "revoke the manager's role": lambda s: s.first.revoke_role(s.manager, Role.ORG_USER_MANAGER),
    "grant a role": lambda s: s.first.grant_role(s.user, Role.INSTANCE_OWNER),
    "create a link": lambda s: s.first.create_link(s.user),
    "forget the link": lambda s: s.first.forget_links(s.user),
    "begin two": lambda s: s.begin_first(of=s.user),
    "begin two by the manager": lambda s: s.begin_first(of=s.user, by=s.manager),
    "begin two of the manager": lambda s: s.begin_first(of=s.manager),
    "begin two by the link": lambda s: s.begin_first_by_link(),
    "create a token by the manager": lambda s: s.create_token_first(),
}
SECOND: Mapping[str, Step] = {
    "verify one": lambda s: s.verify("one"),
    "verify two": lambda s: s.verify("two"),
    "verify one as the user": lambda s: s.verify("one", by=s.user),
    "verify one as the admin": lambda s: s.verify("one", by=s.admin),
    "verify two as the admin": lambda s: s.verify("two", by=s.admin),
    "verify one without presence": lambda s: s.verify("one", by=s.user, up=False),
    "verify the answer": lambda s: s.answer.verify(),
    "begin": lambda s: begin(s.user),
    "begin as the admin": lambda s: begin(s.admin, s.user.user_id),
    "begin by the manager": lambda s: begin(s.manager, s.user.user_id),
    "begin of the manager": lambda s: begin(s.manager),
    "begin by the link": lambda s: s.link.begin(),
    "create a link": lambda s: create(s.admin, s.user),
    "create a link by the manager": lambda s: create(s.manager, s.user),
    "remove one": lambda s: remove(s.user, s.one.passkey_id),
    "remove two": lambda s: remove(s.user, s.two.passkey_id),
    "remove the user": lambda s: calls.remove(s.admin, s.user.user_id),
    "remove the manager": lambda s: calls.remove(s.admin, s.manager.user_id),
    "revoke the manager's token": lambda s: s.revoke_token(),
    "revoke the manager's role": lambda s: calls.revoke(s.admin, s.manager.user_id, MANAGER),
    "grant a role": lambda s: calls.grant(s.admin, s.user.user_id, OWNER),
    "grant a role alone": lambda s: calls.grant(s.admin, s.user.user_id, OWNER, end_foreign=True),
    "create a token by the manager": lambda s: calls.create_token(s.manager, s.user.user_id),
    "use the token": lambda s: calls.whoami(s.admin.with_token(s.token)),
}


class Order(NamedTuple):
    """`reason` is the result of the second, `then` those of later calls, with the final state."""

    given: str
    first: str
    second: str
    reason: str
    state: str = ""
    then: Mapping[str, str] = {}
    committed: bool = True

    @property
    def name(self) -> str:
        committed = "" if self.committed else " (rolled back)"
        return f"{self.given}: {self.first}{committed} | {self.second}"


_REVOKE = ("revoke the manager's token", "revoke the manager's role", "remove the manager")
_BEGIN = ("begin by the manager", "create a link by the manager")
_ENDED = ("revoke the manager's role", "remove the manager", "grant a role")

ORDERS = [
    # VerifyPasskeyRegistration
    Order("one", "verify one", "verify one as the user", "CHALLENGE_USED", "passkey one"),
    Order("one", "verify one", "verify one", "CHALLENGE_USED", "passkey one"),
    Order("one", "verify one", "verify one as the user", "OK", "passkey one", committed=False),
    Order("one, two", "verify two", "verify one as the user", "OK", "passkey one, passkey two"),
    Order(
        *("19 passkeys, one, two", "verify two", "verify one as the user", "TOO_MANY_PASSKEYS"),
        state="ceremony one" + ", passkey" * 19 + ", passkey two",
    ),
    Order(
        *("one, two is another's", "verify two", "verify one as the user"),
        *("CREDENTIAL_ALREADY_REGISTERED", "ceremony one tried 1"),
    ),
    Order(
        *("one, two is another's", "verify two", "verify one as the user", "OK", "passkey one"),
        committed=False,
    ),
    Order(
        *("one, two is another's passkey", "remove two", "verify one as the user", "OK"),
        state="passkey one",
    ),
    Order("one", "expire one", "verify one as the user", "CHALLENGE_EXPIRED", "ceremony one"),
    Order(
        *("one", "try one ten times", "verify one as the user", "TOO_MANY_ATTEMPTS"),
        state="ceremony one tried 10",
    ),
    Order("one", "remove one", "verify one as the user", "PASSKEY_NOT_FOUND"),
    Order("one", "remove the user", "verify one", "PASSKEY_NOT_FOUND"),
    Order("one", "revoke the user's token", "verify one", "PASSKEY_NOT_FOUND"),
    Order("one", "verify one", "verify one without presence", "USER_NOT_VERIFIED", "passkey one"),
    *(Order("one by the manager", end, "verify one", "PASSKEY_NOT_FOUND") for end in _ENDED),
    # A ceremony whose link was deleted is hidden.
    *(
        Order("one by a manager's link", end, "verify one", "PASSKEY_NOT_FOUND", "ceremony one")
        for end in _ENDED[:2]
    ),
    Order("one by a manager's link", "grant a role", "verify one", "PASSKEY_NOT_FOUND"),
    Order(
        *("one by the manager", "revoke the manager's role", "verify one", "OK", "passkey one"),
        committed=False,
    ),
    Order(
        *("both by a link", "verify one", "verify two", "LINK_USED"),
        state="ceremony two, passkey one, used link",
    ),
    Order(
        *("both by a link", "verify one", "verify two", "OK"),
        state="ceremony one, passkey two, used link",
        committed=False,
    ),
    Order(
        *("one by a link", "create a link", "verify one", "LINK_REPLACED"),
        state="ceremony one, link, replaced link",
    ),
    Order(
        *("one by a link", "create a link", "verify one", "OK", "passkey one, used link"),
        committed=False,
    ),
    Order(
        *("one by a link", "begin two by the link", "verify one", "OK"),
        state="ceremony two, passkey one, used link",
        then={"verify two": "LINK_USED"},
    ),
    # RegisterPasskey
    Order("nine others", "begin two", "begin", "TOO_MANY_CEREMONIES", "*"),
    Order("nine others", "begin two", "begin", "OK", "*", committed=False),
    Order("nothing", "remove the user", "begin as the admin", "USER_NOT_FOUND"),
    Order("nothing", "remove the user", "begin", "UNAUTHENTICATED"),
    Order("nothing", "revoke the user's token", "begin", "UNAUTHENTICATED"),
    Order(
        "one by a link", "verify one", "begin by the link", "LINK_USED", "passkey one, used link"
    ),
    Order("a link", "create a link", "begin by the link", "LINK_REPLACED", "link, replaced link"),
    Order("nine by a link", "begin two by the link", "begin by the link", "TOO_MANY_ATTEMPTS", "*"),
    Order("a link", "remove the user", "begin by the link", "USER_NOT_FOUND"),
    Order("a link", "forget the link", "begin by the link", "UNAUTHENTICATED"),
    Order("a manager's link", "grant a role", "begin by the link", "UNAUTHENTICATED"),
    Order(
        *("nothing", "revoke the manager's role", "begin of the manager", "OK"),
        then={"verify the answer": "OK"},
    ),
    Order(
        *("nothing", "revoke the manager's token", "begin by the manager", "OK", "passkey"),
        then={"verify the answer": "OK"},
        committed=False,
    ),
    # RegisterPasskey and CreatePasskeyRegistrationLink
    *(Order("nothing", _REVOKE[0], begins, "UNAUTHENTICATED") for begins in _BEGIN),
    *(Order("nothing", _REVOKE[1], begins, "PERMISSION_DENIED") for begins in _BEGIN),
    *(Order("nothing", _REVOKE[2], begins, "UNAUTHENTICATED") for begins in _BEGIN),
    *(Order("nothing", "grant a role", begins, "PERMISSION_DENIED") for begins in _BEGIN),
    Order("one by a link", "verify one", "create a link", "OK", "link, passkey one, used link"),
    Order("nothing", "create a link", "create a link", "OK", "link, replaced link"),
    Order("nothing", "remove the user", "create a link", "USER_NOT_FOUND"),
    # RemovePasskey, RemoveUser
    Order("one", "verify one", "remove one", "OK"),
    Order("both are passkeys", "remove one", "remove one", "PASSKEY_NOT_FOUND", "passkey two"),
    Order("one", "remove one", "remove one", "PASSKEY_NOT_FOUND"),
    Order("one, two is a passkey", "verify one", "remove two", "OK", "passkey one"),
    Order("one", "verify one", "remove the user", "OK"),
    Order("nothing", "create a link", "remove the user", "OK"),
    # RevokeToken, RevokeRole, RemoveUser of a manager, GrantRole, CreateToken
    *(
        Order(
            *("both by the manager", "verify one", revoke, "OK", "passkey one"),
            then={
                "verify one as the admin": "CHALLENGE_USED",
                "verify two as the admin": "PASSKEY_NOT_FOUND",
            },
        )
        for revoke in _REVOKE
    ),
    *(
        Order(
            *("nothing", "begin two of the manager", revoke, "OK"),
            then={"verify two": "UNAUTHENTICATED"},
        )
        for revoke in _REVOKE[::2]
    ),
    Order(
        *("nothing", "begin two by the manager", "grant a role", "OK"),
        then={"verify two": "UNAUTHENTICATED"},
    ),
    Order(
        *("one by a manager's link", "verify one", "grant a role", "MADE_BY_OTHERS"),
        state="passkey one, used link",
    ),
    Order("nothing", "grant a role", "create a token by the manager", "PERMISSION_DENIED"),
    Order(
        *("nothing", "create a token by the manager", "grant a role alone", "OK"),
        then={"use the token": "UNAUTHENTICATED"},
    ),
]


async def _reason(call: Awaitable[Any], stage: Stage) -> str:
    """`OK`, or the reason of the refusal."""
    try:
        stage.answer = await call
    except grpc.aio.AioRpcError as error:
        return given.read_refusal(error).reason
    return "OK"


@pytest.fixture
def stage(
    admin: Client, user: Client, other_user: Client, manager: Client, rows: asyncpg.Connection
) -> Stage:
    return Stage(admin, user, other_user, manager, rows)


@pytest.mark.parametrize("order", ORDERS, ids=[order.name for order in ORDERS])
async def test_the_second_waits_for_the_first(
    order: Order, stage: Stage, opened: OpenFirst
) -> None:
    await GIVEN[order.given](stage)

    async with opened() as stage.first:
        await FIRST[order.first](stage)
        second = await stage.first.blocks(_reason(SECOND[order.second](stage), stage))
        if not order.committed:
            raise RolledBackError

    assert await second == order.reason
    for name, reason in order.then.items():
        assert await _reason(SECOND[name](stage), stage) == reason, name
    if order.state != "*":
        assert ", ".join(await stage.state()) == order.state


async def test_an_end_that_is_taken_back_before_it_was_read(
    user: Client, opened: OpenFirst
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


async def test_a_passkey_that_was_just_verified_is_excluded(
    user: Client, opened: OpenFirst
) -> None:
    begun = await begin(user)
    credential_id = token_bytes(32)

    async with opened() as first:
        await first.verify(begun, credential_id=credential_id)
        second = await first.blocks(begin(user))

    [excluded] = (await second).options["excludeCredentials"]
    assert excluded["id"] == b64(credential_id)


@pytest.mark.parametrize("change", [*_REVOKE, "grant a role"])
async def test_ceremonies_are_locked_in_the_order_of_their_ids(
    change: str, stage: Stage, opened: OpenFirst
) -> None:
    """A change waits for a try of one of two ceremonies, and has not locked the other."""
    await stage.begin("one", "two", by=stage.manager)
    # This moves its row behind that of the other one.
    await given.refusal(stage.verify("one", up=False))

    async with opened() as stage.first:
        await stage.try_first(1)
        second = await stage.first.blocks(SECOND[change](stage))
        unlocked = await stage.rows.fetch(
            "select passkey_id from passkey_ceremonies where user_id = $1 for update skip locked",
            stage.user.user_id,
        )

    await second
    assert [row["passkey_id"] for row in unlocked] == [stage.two.passkey_id]
    assert await stage.state() == []
