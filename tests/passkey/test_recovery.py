"""RequestPasskeyRecovery, and the differences between recovery links and other links."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from server.operate.housekeeping import forget_ended
from server.operate.rebuild.run import rebuild
from server.passkey import recovery, recovery_store
from server.store.database import Database, Statements
from server.store.statement import Statement
from tests.application import calls as applications
from tests.conftest import MakeInstance
from tests.oauth import devices, flow
from tests.passkey import links
from tests.passkey.ceremonies import begin, passkeys, register, remove
from tests.passkey.recovery import Recoveries, ask, recovering
from tests.passkey.transactions import POLICY, RolledBackError
from tests.session.sessions import Person
from tests.support import given
from tests.support.given import Instance
from tests.user import addresses
from tests.user import calls as users

_MANAGER = user_pb.ROLE_ORG_USER_MANAGER


instance = recovering


@pytest.fixture
async def recoveries(instance: Instance) -> AsyncIterator[Recoveries]:
    async with given.sql(instance.dsn) as rows:
        yield Recoveries(instance, rows)


async def test_the_user_is_mailed_a_link_that_registers_a_passkey(recoveries: Recoveries) -> None:
    person = await recoveries.person()

    link = await recoveries.recovery(person)
    await link.register()

    [mail] = await recoveries.mails(person)
    assert mail["recipient_address"] == await recoveries.address(person)
    assert json.loads(mail["parameters"]).keys() == {"user_name", "expiry"}
    assert mail["holds_until"] - mail["created_at"] <= recovery.LINK_LIFETIME
    assert len(await passkeys(person.client)) == 2


async def test_a_recovery_link_is_no_invitation(recoveries: Recoveries) -> None:
    person = await recoveries.person()
    before = await users.get(recoveries.admin, person.user_id)

    await recoveries.recovery(person)

    after = await users.get(recoveries.admin, person.user_id)
    assert after.details.sequence > before.details.sequence
    assert (before.HasField("invited_at"), after.HasField("invited_at")) == (False, False)


async def test_an_address_is_known_in_every_spelling(recoveries: Recoveries) -> None:
    address = addresses.unused()
    person = await recoveries.person(email=address)

    await recoveries.request_and_wait(address.upper())

    [mail] = await recoveries.mails(person)
    assert mail["recipient_address"] == address


async def test_every_user_of_an_address_is_mailed_a_link(recoveries: Recoveries) -> None:
    address = addresses.unused()
    people = [await recoveries.person(email=address) for _ in range(2)]

    await recoveries.request_and_wait(address)

    assert [len(await recoveries.mails(person)) for person in people] == [1, 1]


@pytest.mark.parametrize("allows", [False, True], ids=["that forbids", "that allows"])
async def test_users_of_another_organization_displace_nobody(
    recoveries: Recoveries, allows: bool
) -> None:
    address = addresses.unused()
    other = await recoveries.organization(allows=allows)
    crowd = [await recoveries.user(other, email=address) for _ in range(11)]
    count = "update users set passkey_count = $2 where id = any($1)"
    await recoveries.rows.execute(count, [user.user_id for user in crowd], 1)
    person = await recoveries.person(email=address)

    await recoveries.request_and_wait(address)
    await recoveries.rows.execute(count, [user.user_id for user in crowd], 0)

    assert len(await recoveries.mails(person)) == 1
    mailed = "select user_id from mails where user_id = any($1)"
    of_crowd = await recoveries.rows.fetch(mailed, [user.user_id for user in crowd])
    assert len(of_crowd) == (10 if allows else 0)


async def test_users_who_cannot_recover_displace_nobody(recoveries: Recoveries) -> None:
    address, org_id = addresses.unused(), await recoveries.organization()
    for _ in range(5):
        await recoveries.user(org_id, email=address)  # without a passkey
    managers = [await recoveries.person(org_id=org_id, email=address) for _ in range(5)]
    for manager in managers:
        await users.grant(recoveries.admin, manager.user_id, _MANAGER)
    person = await recoveries.person(org_id=org_id, email=address)

    await recoveries.request_and_wait(address)

    assert len(await recoveries.mails(person)) == 1


async def _forbid(recoveries: Recoveries, person: Person) -> None:
    """Changes the organization of the user."""
    user = await users.get(recoveries.admin, person.user_id)
    await recoveries.allow(user.details.resource_owner, allows=False)


Change = Callable[[Recoveries, Person], Awaitable[object]]


def _granted(role: user_pb.Role.ValueType) -> Change:
    return lambda recoveries, person: users.grant(recoveries.admin, person.user_id, role)


_NOT_MAILED: dict[str, Change] = {
    "its organization forbids it": _forbid,
    "its passkeys were removed": lambda recoveries, person: remove(
        recoveries.admin, person.passkey_id, person.user_id
    ),
    **{f"it has {user_pb.Role.Name(role)}": _granted(role) for role in user_pb.Role.values()[1:]},
}


@pytest.mark.parametrize("change", _NOT_MAILED.values(), ids=_NOT_MAILED)
async def test_a_user_who_may_not_recover_is_mailed_no_link(
    recoveries: Recoveries, change: Change
) -> None:
    person = await recoveries.person()
    await change(recoveries, person)

    await recoveries.request_and_wait(await recoveries.address(person))

    assert await recoveries.mails(person) == []


async def test_a_user_who_may_have_no_more_passkeys_is_mailed_none(limited: Instance) -> None:
    async with given.sql(limited.dsn) as rows:
        recoveries = Recoveries(limited, rows)
        person = await recoveries.person()
        await register(person.client)

        await recoveries.request_and_wait(await recoveries.address(person))

        assert await recoveries.mails(person) == []


async def test_while_a_recovery_link_works_no_other_is_mailed(recoveries: Recoveries) -> None:
    person = await recoveries.person()
    link = await recoveries.recovery(person)

    again = await recoveries.recovery(person)

    assert again.code == link.code
    assert len(await recoveries.mails(person)) == 1


async def test_after_a_link_was_used_the_next_one_is_mailed_at_once(recoveries: Recoveries) -> None:
    person = await recoveries.person()
    link = await recoveries.recovery(person)
    await link.register()

    again = await recoveries.recovery(person)

    assert again.code != link.code
    assert len(await recoveries.mails(person)) == 2


async def test_after_a_link_expired_the_next_one_replaces_it(recoveries: Recoveries) -> None:
    person = await recoveries.person()
    link = await recoveries.recovery(person)
    begun = await link.begin()
    await link.expire(recoveries.rows)

    again = await recoveries.recovery(person)

    assert again.code != link.code
    assert await given.outcome(begun.verify(by=begun.token_holder)) == "LINK_REPLACED"


async def test_an_outsider_cannot_end_the_link_of_a_manager(recoveries: Recoveries) -> None:
    person = await recoveries.person()
    made = await links.link(recoveries.admin, person.client)

    await recoveries.recovery(person)

    await made.register()


async def test_the_link_of_a_manager_ends_that_of_a_recovery(recoveries: Recoveries) -> None:
    person = await recoveries.person()
    link = await recoveries.recovery(person)

    await links.create(recoveries.admin, person.client)

    assert await given.outcome(link.begin()) == "LINK_REPLACED"
    [mail] = await recoveries.mails(person)
    assert mail["state"] == "cancelled"


async def test_a_recovery_leaves_the_budget_of_the_organization_alone(
    recoveries: Recoveries,
) -> None:
    org_id = await recoveries.organization()
    person = await recoveries.person(org_id=org_id)
    await links.create(recoveries.admin, person.client, send=True)
    spent = "select theoretical_arrival_at from mail_budgets where scope_id = $1 and address = $2"
    address = await recoveries.address(person)
    # The attempted mail of the manager keeps its place in the budget.
    await recoveries.rows.execute(
        "update mails set attempts = 1 where user_id = $1 and kind = $2",
        person.user_id,
        "passkey_registration_link",
    )
    before = await recoveries.rows.fetchval(spent, org_id, address)

    await recoveries.recovery(person)
    await links.create(recoveries.admin, person.client)  # cancels both mails

    assert before is not None
    assert await recoveries.rows.fetchval(spent, org_id, address) == before
    assert await recoveries.rows.fetchval(spent, f"recovery:{person.user_id}", address)


@pytest.mark.parametrize("email", ["", "ada", "ada@", "a" * 201], ids=lambda email: email[:9])
async def test_what_is_no_address_is_refused(recoveries: Recoveries, email: str) -> None:
    refused = await given.refusal(ask(recoveries.admin, email))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {"email"}


async def test_without_a_mail_server_the_answer_is_the_same(make_instance: MakeInstance) -> None:
    async with (
        make_instance(recovery_seconds=0.02) as instance,
        given.sql(instance.dsn) as rows,
    ):
        recoveries = Recoveries(instance, rows)
        person = await recoveries.person()

        await recoveries.request_and_wait(await recoveries.address(person))

        links_of = "select count(*) from passkey_links where user_id = $1"
        assert await rows.fetchval(links_of, person.user_id) == 0


async def test_every_address_costs_the_same_one_statement(
    recoveries: Recoveries, statements: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Statement] = []
    fetch = Database.fetch

    async def counted(self: Database, statement: Statement, /, **values: object) -> Any:
        if "address" in values and "max_pending" in values:
            sent.append(statement)
        return await fetch(self, statement, **values)

    removed = await recoveries.person()
    known = {
        "known": await recoveries.person(),
        "where it is not allowed": await recoveries.person(
            org_id=await recoveries.organization(allows=False)
        ),
        "removed": removed,
    }
    asked = {name: await recoveries.address(person) for name, person in known.items()}
    asked["unknown"] = addresses.unused()
    await users.remove(recoveries.admin, removed.client.user_id)
    monkeypatch.setattr(Database, "fetch", counted)

    costs, answers = {}, set()
    for name, address in asked.items():
        sent.clear()
        statements.clear()
        answers.add((await recoveries.request(address)).SerializeToString())
        costs[name] = (list(map(id, sent)), list(statements))

    assert answers == {b""}
    assert len({json.dumps(cost) for cost in costs.values()}) == 1
    selected, callers = costs["unknown"]
    assert (len(selected), callers) == (1, ["anonymous"])


_BREAK = """
create function no_link() returns trigger language plpgsql as
    $$begin raise exception 'broken'; end$$;
create trigger no_link before insert on passkey_links
    for each row when (new.user_id = '{}') execute function no_link()"""
_MEND = "drop trigger no_link on passkey_links; drop function no_link"
_NOTE = """
insert into recovery_requests (address, requested_at, due_at)
select address, now(), now() + place * interval '1 microsecond'
from unnest($1::text[]) with ordinality as asked (address, place)"""
_ASKED = "select address from recovery_requests"
_DUE = "update recovery_requests set due_at = now()"


async def test_a_link_that_fails_holds_up_no_other_and_is_mailed_later(
    recoveries: Recoveries,
) -> None:
    shared = addresses.unused()
    broken, neighbour = [await recoveries.person(email=shared) for _ in range(2)]
    other = await recoveries.person()
    await recoveries.rows.execute(_BREAK.format(broken.user_id))

    async def only_the_broken_one_waits() -> bool:
        asked = await recoveries.rows.fetch(_ASKED)
        return [row["address"] for row in asked] == [shared]

    try:
        # One statement, so that one batch answers them.
        await recoveries.rows.execute(_NOTE, [shared, await recoveries.address(other)])
        await given.eventually(only_the_broken_one_waits)
        mailed = [len(await recoveries.mails(each)) for each in (broken, neighbour, other)]
    finally:
        await recoveries.rows.execute(_MEND)

    await recoveries.rows.execute(_DUE)
    await recoveries.answered()

    assert mailed == [0, 1, 1]
    assert [len(await recoveries.mails(each)) for each in (broken, neighbour)] == [1, 1]


# The statements of requests in a transaction, so that no server processes them.


@pytest.fixture
async def requests(recoveries: Recoveries, database: Database) -> AsyncIterator[Statements]:
    await recoveries.answered()
    with contextlib.suppress(RolledBackError):
        async with database.transaction() as transaction:
            yield transaction
            raise RolledBackError


async def test_networks_take_turns(requests: Statements) -> None:
    await _ask(requests, "flood", 30, max_pending=1000)
    await _ask(requests, "home", 2, max_pending=1000)

    batches = [await _acquired(requests, limit=4) for _ in range(2)]

    assert batches == [
        ["flood-0", "flood-1", "home-0", "home-1"],
        ["flood-2", "flood-3", "flood-4", "flood-5"],
    ]


async def test_many_floods_together_delay_a_request_by_one_turn_each(requests: Statements) -> None:
    for network in "abcdef":
        await _ask(requests, network, 5, max_pending=1000)
    first = await _acquired(requests, limit=4)

    await _ask(requests, "home", 2, max_pending=1000)

    second, third = [await _acquired(requests, limit=4) for _ in range(2)]
    assert first == ["a-0", "b-0", "c-0", "d-0"]
    assert second == ["a-1", "e-0", "f-0", "home-0"]
    assert third == ["b-1", "c-1", "d-1", "e-1"]
    assert "home-1" in await _acquired(requests, limit=4)


async def test_a_flood_makes_room_for_other_networks(requests: Statements) -> None:
    await _ask(requests, "flood", 30, max_pending=10)
    await _ask(requests, "home", 2, max_pending=10)
    await _ask(requests, "flood", 30, max_pending=10)

    found = await _acquired(requests, limit=99)

    assert found == [*(f"flood-{n}" for n in range(8)), "home-0", "home-1"]


async def test_two_floods_share_the_room(requests: Statements) -> None:
    await _ask(requests, "a", 30, max_pending=10)
    await _ask(requests, "b", 30, max_pending=10)
    await _ask(requests, "a", 30, max_pending=10)

    found = await _acquired(requests, limit=99)

    assert found == [f"{network}-{n}" for network in "ab" for n in range(5)]


async def test_an_address_belongs_to_the_network_with_the_earlier_turn(
    requests: Statements,
) -> None:
    await _ask(requests, "flood", 10, max_pending=10)

    for network in ("home", "flood"):
        await recovery_store.add(requests, "flood-9", return_to="", network=network, max_pending=10)

    assert await _acquired(requests, limit=2) == ["flood-0", "flood-9"]


async def test_the_link_leads_to_the_page_of_the_request(recoveries: Recoveries) -> None:
    person = await recoveries.person()
    email, page = await recoveries.address(person), "http://localhost:8080/account/#passkeys"

    await recoveries.request_and_wait(email, return_to=page)

    assert (await (await recoveries.link(person)).check()).return_to == page


async def test_another_page_is_refused_alike_for_every_address(recoveries: Recoveries) -> None:
    known = await recoveries.address(await recoveries.person())

    refusals = [
        await given.refusal(recoveries.request(email, return_to="https://evil.example/"))
        for email in (known, addresses.unused())
    ]

    assert refusals[0].violations == refusals[1].violations
    assert list(refusals[0].violations) == ["returnTo"]


_LEASE = recovery.LINK_LIFETIME


async def _ask(requests: Statements, network: str, count: int, *, max_pending: int) -> None:
    """Requests for different addresses, from one network."""
    for n in range(count):
        await recovery_store.add(
            requests, f"{network}-{n}", return_to="", network=network, max_pending=max_pending
        )


async def _acquired(requests: Statements, *, limit: int) -> list[str]:
    found = await recovery_store.ACQUIRE.all(requests, limit=limit, lease=_LEASE)
    return sorted(each.address for each in found)


async def test_a_request_is_one_of_its_clients_network(make_instance: MakeInstance) -> None:
    async with (
        make_instance(recovery_seconds=3600) as instance,
        given.sql(instance.dsn) as rows,
    ):
        await Recoveries(instance, rows).request("ada@example.com")

        [stored] = await rows.fetch("select address, network from recovery_requests")
        assert tuple(stored) == ("ada@example.com", "127.0.0.1")


async def test_many_requests_for_an_address_are_one(
    recoveries: Recoveries, database: Database
) -> None:
    person = await recoveries.person()
    address = await recoveries.address(person)

    await asyncio.gather(*(recoveries.request(address) for _ in range(30)))
    await recoveries.answered()

    assert len(await recoveries.mails(person)) == 1


async def test_a_request_that_waited_too_long_is_forgotten(
    recoveries: Recoveries, database: Database
) -> None:
    await recoveries.rows.execute("""
        insert into recovery_requests (address, requested_at, due_at)
        values ('late@example.com', now() - interval '11 minutes', now() + interval '1 hour')
    """)

    await forget_ended(database)

    assert not await recoveries.rows.fetchval("select count(*) from recovery_requests")


# The refusals of the link and of a ceremony that it began, and the state of the mail.
_ENDS: dict[str, tuple[Change, str, str, str]] = {
    "another address": (
        lambda recoveries, person: recoveries.move(person.client, addresses.unused()),
        *("UNAUTHENTICATED", "PASSKEY_NOT_FOUND", "cancelled"),
    ),
    "a role": (
        lambda recoveries, person: users.grant(recoveries.admin, person.user_id, _MANAGER),
        *("UNAUTHENTICATED", "UNAUTHENTICATED", "cancelled"),
    ),
    "the removal of the last passkey": (
        lambda recoveries, person: remove(recoveries.admin, person.passkey_id, person.user_id),
        *("RECOVERY_NOT_ALLOWED", "RECOVERY_NOT_ALLOWED", "pending"),
    ),
    "an organization that forbids it": (
        _forbid,
        *("RECOVERY_NOT_ALLOWED", "RECOVERY_NOT_ALLOWED", "pending"),
    ),
}


async def test_a_recovery_ends_all_sessions_and_leaves_the_passkeys(recoveries: Recoveries) -> None:
    person = await recoveries.person()
    session = await person.sign_in()
    link = await recoveries.recovery(person)

    await link.register()

    assert not await users.is_good(session.client)
    await person.sign_in()


async def test_a_recovery_ends_all_grants_to_applications(recoveries: Recoveries) -> None:
    """A thief may have agreed to an application of its own, and have a token or a code."""
    org_id = await recoveries.organization()
    person = await recoveries.person(org_id=org_id)
    thief = (await person.sign_in()).client
    owner = await given.user(recoveries.admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
    app = await flow.app(owner)
    tokens = await flow.tokens(app, thief, scope="openid offline_access")
    code = await flow.approved(app, thief, scope="openid offline_access")
    started = await devices.start(app, scope="openid offline_access")
    await devices.approve(thief, started.user_code)
    link = await recoveries.recovery(person)

    await link.register()

    refused = [
        await given.refusal(app.refresh(tokens.refresh_token)),
        await given.refusal(app.redeem(code)),
        await given.refusal(devices.poll(app, started.device_code)),
    ]
    assert [each.reason for each in refused] == ["INVALID_GRANT"] * 3
    assert await app.introspect(tokens.access_token) is None
    assert not await applications.grants(person.client)
    again = (await person.sign_in()).client
    asked = await given.refusal(flow.approve(again, await flow.sealed(app), consents=False))
    assert asked.reason == "CONSENT_REQUIRED"


async def test_a_recovery_ends_the_tokens_that_the_user_made(recoveries: Recoveries) -> None:
    """A token of a thief could register a passkey at any time, without being seen."""
    person = await recoveries.person()
    session = (await person.sign_in()).client
    created = await users.create_token(session, person.user_id)
    thief = session.with_token(created.token, person.user_id)
    begun = await begin(thief)
    link = await recoveries.recovery(person)

    await link.register()

    assert not await users.is_good(thief)
    refused = await given.refusal(begun.verify(by=begun.token_holder))
    assert refused.code is grpc.StatusCode.UNAUTHENTICATED
    [of_manager] = await users.tokens(recoveries.admin, person.user_id)
    assert of_manager.created_by == recoveries.admin.user_id
    assert await users.is_good(person.client)


async def test_a_link_that_is_no_recovery_ends_no_session(recoveries: Recoveries) -> None:
    person = await recoveries.person()
    session = await person.sign_in()

    await (await links.link(recoveries.admin, person.client)).register()

    await users.whoami(session.client)
    assert await recoveries.told(person) == []


async def test_the_address_of_a_recovery_and_the_former_one_are_told(
    recoveries: Recoveries,
) -> None:
    former, address = addresses.unused(), addresses.unused()
    person = await recoveries.person(email=former)
    await recoveries.move(person.client, address)

    await (await recoveries.recovery(person)).register()

    told = await recoveries.told(person)
    assert [recipient for recipient, _ in told] == [address, former]
    assert {each["passkey_name"] for _, each in told} == {"Key"}
    assert address not in str(told[1])


async def test_the_log_says_how_the_passkey_came_and_holds_no_address(
    recoveries: Recoveries, database: Database
) -> None:
    person = await recoveries.person()
    address = await recoveries.address(person)
    signed_in = await person.sign_in()

    begun = await (await recoveries.recovery(person)).register()

    events = await recoveries.rows.fetch(
        """
        select event_type, payload, creator from events where aggregate_id = $1
        order by sequence desc limit 4""",
        person.user_id,
    )
    ended, changed, verified, created = [
        (each["event_type"], json.loads(each["payload"]), each["creator"]) for each in events
    ]
    ids = {"ended_session_ids": [signed_in.session_id]}
    assert changed == ("user.changed", {"email_verification": "LINK"}, person.user_id)
    assert ended == ("user.sessions_ended", ids, person.user_id)
    assert (verified[1]["passkey_id"], verified[1]["began_by"]) == (
        begun.passkey_id,
        "recovery",
    )
    assert created[0] == "user.passkey_link_created"
    assert (created[1]["purpose"], created[2]) == ("recovery", "recovery")
    assert verified[1]["link_id"] == created[1]["link_id"]
    assert address not in str(events)
    assert (await rebuild(database, repair=False)).differences == ()


@pytest.mark.parametrize(("change", "begin", "verify", "mail"), _ENDS.values(), ids=_ENDS)
async def test_a_recovery_link_ends_with_what_it_stands_on(
    recoveries: Recoveries, change: Change, begin: str, verify: str, mail: str
) -> None:
    person = await recoveries.person()
    link = await recoveries.recovery(person)
    begun = await link.begin()

    await change(recoveries, person)

    assert await given.outcome(link.begin()) == begin
    assert await given.outcome(begun.verify(by=begun.token_holder)) == verify
    assert begun.passkey_id not in {each.passkey_id for each in await passkeys(person.client)}
    assert [each["state"] for each in await recoveries.mails(person)] == [mail]


async def test_a_recovery_waits_for_the_change_of_the_setting(
    recoveries: Recoveries, instance: Instance
) -> None:
    org_id = await recoveries.organization()
    person = await recoveries.person(org_id=org_id)
    begun = await (await recoveries.recovery(person)).begin()

    async with given.sql(instance.dsn) as other, other.transaction():
        await other.execute(
            "update organizations set allows_mail_recovery = false where id = $1", org_id
        )
        late = asyncio.ensure_future(given.refusal(begun.verify(by=begun.token_holder)))
        await given.waiting_for_a_lock(other)

    assert (await late).reason == "RECOVERY_NOT_ALLOWED"


async def test_a_change_of_the_setting_waits_for_a_recovery(
    recoveries: Recoveries, database: Database
) -> None:
    org_id = await recoveries.organization()
    person = await recoveries.person(org_id=org_id)

    async with database.transaction() as transaction:
        await recovery.admit(transaction, person.user_id, POLICY)
        change = asyncio.ensure_future(recoveries.allow(org_id, allows=False))
        await given.waiting_for_a_lock(recoveries.rows)
        assert not change.done()

    await change
