"""Ends of sessions, and events that do not end them."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, timedelta
from typing import Any
from unittest.mock import AsyncMock

import asyncpg
import grpc
import pytest

from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.session.v1 import session_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.access.caller import Caller, CallerSession
from server.access.tokens import token_hash
from server.operate import housekeeping
from server.session import commands as session_commands
from server.session import store as session_store
from server.store.database import Database, connected
from server.values.errors import Failure, Kind
from tests.passkey import ceremonies
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.session.watcher import watching
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls as users

_OVER = grpc.StatusCode.UNAUTHENTICATED


async def _is_over(signed_in: SignedIn) -> bool:
    """Whether the session's token is refused, for a read and for a write."""
    client = signed_in.client
    read = client.call(client.sessions.GetCurrentSession, pb.GetCurrentSessionRequest())
    renaming = passkey_pb.RenamePasskeyRequest(
        user_id=client.user_id, passkey_id=signed_in.person.passkey_id, name="Renamed"
    )
    # The header has the session looked up, even if it is cached.
    write = client.call(client.passkeys.RenamePasskey, renaming, x_validate_only="true")
    codes = {await read.code(), await write.code()}
    assert len(codes) == 1
    return codes == {_OVER}


async def _pass(rows: asyncpg.Connection, signed_in: SignedIn, **time: float) -> None:
    """Sets all times of a session back, as if this time had passed."""
    ago = timedelta(**time)
    await rows.execute(
        """
        update sessions set expires_at = expires_at - $2::interval,
            authenticated_at = authenticated_at - $2::interval
        where session_id = $1""",
        signed_in.session_id,
        ago,
    )
    await rows.execute(
        "update session_activity set last_seen_at = last_seen_at - $2::interval"
        " where session_id = $1",
        signed_in.session_id,
        ago,
    )


async def _sign_in_too_often(_admin: Client, signed_in: SignedIn) -> None:
    await signed_in.person.sign_in()
    await signed_in.person.sign_in()


ENDS: Mapping[
    str, tuple[Callable[[Client, SignedIn], Awaitable[object]], pb.EndReason.ValueType]
] = {
    "sign-out": (lambda _, its: sessions.sign_out(its.client), pb.END_REASON_BY_USER),
    "ended by its user": (
        lambda _, its: sessions.end(its.person.client, its.session_id),
        pb.END_REASON_BY_USER,
    ),
    "ended by a manager": (
        lambda admin, its: sessions.end(admin, its.session_id, its.person.user_id),
        pb.END_REASON_BY_MANAGER,
    ),
    "all ended by a manager": (
        lambda admin, its: sessions.end_all(admin, its.person.user_id),
        pb.END_REASON_BY_MANAGER,
    ),
    "passkey removed": (
        lambda admin, its: ceremonies.remove(
            admin, its.person.passkey_id, user_id=its.person.user_id
        ),
        pb.END_REASON_PASSKEY_REMOVED,
    ),
    "user removed": (
        lambda admin, its: users.remove(admin, its.person.user_id),
        pb.END_REASON_USER_REMOVED,
    ),
    "user locked": (
        lambda admin, its: users.lock(admin, its.person.user_id),
        pb.END_REASON_USER_LOCKED,
    ),
    "too many sessions": (_sign_in_too_often, pb.END_REASON_TOO_MANY_SESSIONS),
}


@pytest.mark.parametrize(("end", "reason"), ENDS.values(), ids=ENDS)
async def test_an_end_of_a_session_is_told_and_counts_at_once(
    few_sessions: Instance,
    verifier: Client,
    end: Callable[[Client, SignedIn], Awaitable[object]],
    reason: pb.EndReason.ValueType,
) -> None:
    admin, org_id = few_sessions.admin, await given.organization(few_sessions.admin)
    signed_in = await sessions.signed_in(admin, org_id=org_id)
    begun = await ceremonies.begin(signed_in.client)
    assert (await sessions.introspect(verifier, signed_in)).active  # it is cached now

    async with watching(verifier) as watcher:
        await end(admin, signed_in)
        [ended] = await watcher.ended(signed_in.session_id)

    assert (ended.user_id, ended.org_id) == (signed_in.person.user_id, org_id)
    assert ended.reason == reason
    assert ended.ended_at.ToDatetime() > signed_in.answer.details.change_date.ToDatetime()
    assert await _is_over(signed_in)
    assert await sessions.introspect(verifier, signed_in) == pb.IntrospectSessionResponse()
    # Who ends a session by signing in again is the user itself.
    goes_on = reason == pb.END_REASON_TOO_MANY_SESSIONS
    outcome = await given.outcome(begun.verify(by=begun.token_holder))
    assert outcome == ("OK" if goes_on else "UNAUTHENTICATED")


async def test_a_user_ends_one_of_its_sessions(admin: Client) -> None:
    person = await sessions.person(admin)
    kept, ended = await person.sign_in(), await person.sign_in()

    answer = await sessions.end(kept.client, ended.session_id)

    assert answer.details.creation_date == ended.answer.details.creation_date
    assert await _is_over(ended)
    assert [(each.session_id, each.current) for each in await sessions.listed(kept.client)] == [
        (kept.session_id, True)
    ]


@pytest.mark.parametrize("keep_current", [False, True])
async def test_signing_out_everywhere_ends_all_sessions_but_a_kept_one(
    admin: Client, *, keep_current: bool
) -> None:
    person = await sessions.person(admin)
    current, *others = [await person.sign_in() for _ in range(3)]

    answer = await sessions.end_all(current.client, keep_current=keep_current)

    assert answer.ended_count == 3 - keep_current
    assert [await _is_over(each) for each in others] == [True] * 2
    assert await _is_over(current) is not keep_current


async def test_ending_no_session_changes_nothing(admin: Client) -> None:
    person = await sessions.person(admin)
    before = (await users.get(person.client, person.user_id)).details

    answer = await sessions.end_all(person.client)

    assert (answer.ended_count, answer.details) == (0, before)


async def test_only_a_session_of_the_user_can_be_kept(org_id: str, admin: Client) -> None:
    signed_in = await sessions.signed_in(admin, org_id=org_id)
    roles = [user_pb.ROLE_ORG_USER_MANAGER]
    manager = await sessions.signed_in(admin, org_id=org_id, roles=roles)
    person = signed_in.person

    for caller in (person.client, admin, manager.client):
        refusal = await given.refusal(sessions.end_all(caller, person.user_id, keep_current=True))
        assert refusal.violations.keys() == {"keepCurrent"}
    assert not await _is_over(signed_in)


async def test_a_session_ends_with_its_passkey(admin: Client, database: Database) -> None:
    person = await sessions.person(admin)
    other = await sessions.with_passkey(person.client)
    ended, kept = await person.sign_in(), await other.sign_in()

    await ceremonies.remove(kept.client, person.passkey_id)

    assert [each.session_id for each in await sessions.listed(kept.client)] == [kept.session_id]
    refusal = await given.refusal(sessions.current(ended.client))
    assert refusal.code is _OVER


async def test_the_activity_of_a_removed_user_is_erased(
    signed_in: SignedIn, admin: Client, sql: asyncpg.Connection
) -> None:
    await users.remove(admin, signed_in.person.user_id)

    left = "select count(*) from session_activity where user_id = $1"
    assert await sql.fetchval(left, signed_in.person.user_id) == 0


async def test_a_session_goes_on_when_the_roles_of_its_user_change(
    signed_in: SignedIn, admin: Client
) -> None:
    user_id = signed_in.person.user_id

    await users.grant(admin, user_id, user_pb.ROLE_ORG_OWNER)
    assert await given.idp(signed_in.client)
    await users.revoke(admin, user_id, user_pb.ROLE_ORG_OWNER)

    refusal = await given.refusal(given.idp(signed_in.client))
    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED
    assert not await _is_over(signed_in)


async def test_a_caller_without_a_session_has_none(admin: Client) -> None:
    person = await sessions.person(admin)

    for call in (
        sessions.current(person.client),
        sessions.sign_out(person.client),
        sessions.start_reauthentication(person.client),
        sessions.reauthenticate(person.client, {}),
    ):
        refusal = await given.refusal(call)
        assert refusal.resource == ("session", "current")


async def test_a_registration_that_began_by_a_session_is_completed_by_it(
    signed_in: SignedIn,
) -> None:
    begun = await ceremonies.begin(signed_in.client)

    await begun.verify()

    assert len(await ceremonies.passkeys(signed_in.client)) == 2


# Expiry


async def test_a_session_expires_although_it_is_used(
    signed_in: SignedIn, sql: asyncpg.Connection
) -> None:
    await sql.execute(
        "update sessions set expires_at = clock_timestamp() where session_id = $1",
        signed_in.session_id,
    )

    assert await _is_over(signed_in)
    assert await sessions.listed(signed_in.person.client) == []


@pytest.mark.parametrize(("minutes", "over"), [(59, False), (61, True)])
async def test_a_session_expires_when_it_is_not_used(
    signed_in: SignedIn, sql: asyncpg.Connection, minutes: int, *, over: bool
) -> None:
    await _pass(sql, signed_in, minutes=minutes)

    assert len(await sessions.listed(signed_in.person.client)) == (not over)
    assert await _is_over(signed_in) == over


async def test_a_session_that_is_used_does_not_become_idle(
    signed_in: SignedIn, sql: asyncpg.Connection
) -> None:
    for _ in range(3):
        await _pass(sql, signed_in, minutes=40)
        assert not await _is_over(signed_in)


@pytest.mark.parametrize(("minutes", "written"), [(2.9, False), (3.1, True)])
async def test_when_a_session_was_used_is_written_every_twentieth_of_the_idle_time(
    signed_in: SignedIn, sql: asyncpg.Connection, minutes: float, *, written: bool
) -> None:
    await _pass(sql, signed_in, minutes=minutes)
    last_seen = "select last_seen_at from session_activity where session_id = $1"
    before = await sql.fetchval(last_seen, signed_in.session_id)

    await ceremonies.rename(signed_in.client, signed_in.person.passkey_id, "Renamed")

    assert (await sql.fetchval(last_seen, signed_in.session_id) != before) == written


@pytest.mark.parametrize("is_use", [True, False])
async def test_a_look_up_is_recorded_only_if_it_is_a_use_of_the_session(
    signed_in: SignedIn, sql: asyncpg.Connection, database: Database, is_use: bool
) -> None:
    """Otherwise a long stream would keep the session of its caller from becoming idle."""
    await _pass(sql, signed_in, minutes=10)
    last_seen = "select last_seen_at from session_activity where session_id = $1"
    before = await sql.fetchval(last_seen, signed_in.session_id)

    found = await session_store.find_caller(
        database,
        token_hash(signed_in.answer.session_token),
        idle_timeout=timedelta(hours=1),
        is_use=is_use,
    )

    assert found is not None
    assert (await sql.fetchval(last_seen, signed_in.session_id) != before) == is_use
    recorded_at = await sql.fetchval(last_seen, signed_in.session_id)
    assert found.expires_at == recorded_at + timedelta(hours=1)


async def test_a_use_of_a_session_whose_activity_was_erased_is_recorded_again(
    signed_in: SignedIn, sql: asyncpg.Connection
) -> None:
    await sql.execute("delete from session_activity where session_id = $1", signed_in.session_id)
    await sql.execute(
        "update sessions set change_date = change_date - interval '30 minutes'"
        " where session_id = $1",
        signed_in.session_id,
    )

    await sessions.current(signed_in.client)

    is_recorded = """
        select last_seen_at > now() - interval '1 minute' from session_activity
        where session_id = $1"""
    assert await sql.fetchval(is_recorded, signed_in.session_id)


async def test_a_session_whose_activity_was_erased_is_idle_since_its_sign_in(
    admin: Client, sql: asyncpg.Connection
) -> None:
    signed_in = await (await sessions.person(admin)).sign_in(device_name="Phone")
    await sql.execute("delete from session_activity where session_id = $1", signed_in.session_id)

    session = await sessions.current(signed_in.client)

    assert (session.device_name, session.user_agent, session.ip_address) == ("", "", "")
    assert session.last_seen_at == session.authenticated_at


async def test_housekeeping_forgets_sessions_that_expired_and_what_is_left_of_others(
    admin: Client, sql: asyncpg.Connection, database: Database
) -> None:
    person = await sessions.person(admin)
    kept, expired = await person.sign_in(), await person.sign_in()
    removed = await sessions.with_passkey(person.client)
    orphan = await removed.sign_in()
    await ceremonies.remove(person.client, removed.passkey_id)
    await _pass(sql, expired, hours=25)
    await sql.execute("update used_values set expires_at = expires_at - interval '2 days'")

    await housekeeping.forget_ended(database)

    ids = [kept.session_id, expired.session_id, orphan.session_id]
    for table in ("sessions", "session_activity"):
        left = await sql.fetch(
            f"select session_id from {table} where session_id = any($1)",  # noqa: S608
            ids,
        )
        assert [row["session_id"] for row in left] == [kept.session_id]
    assert await sql.fetchval("select count(*) from used_values") == 0


# The maximum number of sessions


async def test_sessions_last_as_set_and_a_further_one_ends_the_least_recently_used(
    few_sessions: Instance,
) -> None:
    person = await sessions.person(few_sessions.admin)
    first, second = await person.sign_in(), await person.sign_in()
    assert not await _is_over(second)  # from here on the server has it in its cache
    session = await sessions.current(first.client)
    begun_at = session.authenticated_at.seconds
    assert session.expires_at.seconds == begun_at + 600
    assert session.idle_expires_at.seconds == begun_at + 120
    async with given.sql(few_sessions.dsn) as rows:
        await _pass(rows, second, minutes=1)

        third = await person.sign_in()

        assert [await _is_over(each) for each in (first, second, third)] == [False, True, False]
        activity = "select count(*) from session_activity where user_id = $1"
        assert await rows.fetchval(activity, person.user_id) == 2


async def test_sessions_are_listed_in_pages(admin: Client) -> None:
    person = await sessions.person(admin)
    signed_in = [await person.sign_in() for _ in range(3)]
    client = person.client

    request = pb.ListSessionsRequest(user_id=person.user_id, page_size=2)
    page = await client.call(client.sessions.ListSessions, request)
    request.page_token = page.next_page_token
    rest = await client.call(client.sessions.ListSessions, request)

    assert [each.session_id for each in (*page.sessions, *rest.sessions)] == [
        each.session_id for each in signed_in
    ]
    assert not rest.next_page_token


async def test_the_sessions_of_a_user_have_an_order(admin: Client, instance: Instance) -> None:
    person = await sessions.person(admin)
    ids = [(await person.sign_in()).session_id for _ in range(4)]
    client = person.client
    async with given.sql(instance.dsn) as sql:
        for session_id, days in zip(ids, (2, 3, 1, 2), strict=True):
            await sql.execute(
                "update sessions set expires_at = timestamptz '2036-01-01Z' + $2 * interval '1 day'"
                " where session_id = $1",
                session_id,
                days,
            )

    async def pages(order_by: str) -> list[int]:
        request = pb.ListSessionsRequest(user_id=person.user_id, page_size=1, order_by=order_by)
        found = list[str]()
        while True:
            page = await client.call(client.sessions.ListSessions, request)
            found += [each.session_id for each in page.sessions]
            if not page.next_page_token:
                return [ids.index(each) for each in found]
            request.page_token = page.next_page_token

    assert await pages("creation_date desc") == [3, 2, 1, 0]
    assert await pages("last_seen_at") == [0, 1, 2, 3]
    assert await pages("expires_at") == [2, 0, 3, 1]
    assert await pages("expires_at desc") == [1, 3, 0, 2]


async def test_an_order_that_sessions_lack_is_refused(admin: Client) -> None:
    person = await sessions.person(admin)
    for order_by in ("user_name", "expires_at down"):
        request = pb.ListSessionsRequest(user_id=person.user_id, order_by=order_by)
        refused = await given.refusal(
            person.client.call(person.client.sessions.ListSessions, request)
        )
        expected = "must be one of creation_date, expires_at, last_seen_at"
        assert expected in refused.violations["orderBy"]


async def test_a_session_that_another_call_ended_is_unauthenticated(
    admin: Client, instance: Instance
) -> None:
    person = await sessions.person(admin)
    signed_in = await person.sign_in()
    session = await sessions.current(signed_in.client)
    await sessions.sign_out(signed_in.client)
    now = session.authenticated_at.ToDatetime(UTC)
    of_session = CallerSession(session.session_id, now, now, "ada", "Ada", by_passkey=True)
    actor = Caller(person.user_id, "", frozenset(), session=of_session)

    async with connected(instance.dsn, pool_size=1) as database:
        with pytest.raises(Failure) as refused:
            await session_commands.sign_out(database, actor=actor, end_ceremonies=AsyncMock())

    assert refused.value.kind is Kind.UNAUTHENTICATED


async def test_an_idempotency_key_of_another_session_ends_none_silently(admin: Client) -> None:
    person = await sessions.person(admin)
    one, other = [await person.sign_in() for _ in range(2)]

    def ended(by: SignedIn) -> Any:
        request = pb.SignOutRequest()
        return by.client.call(by.client.sessions.SignOut, request, x_idempotency_key="a")

    await ended(one)

    assert await given.outcome(ended(other)) == "IDEMPOTENCY_KEY_REUSED"
    assert (await sessions.current(other.client)).session_id == other.session_id
