"""Sign-ins that race with each other, and with the statements that end sessions."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import asyncpg
import grpc
import pytest

from server.access.caller import OPERATOR
from server.passkey.signin import store as signin_store
from server.session.commands import EndSessions, end_all
from server.store.database import Database
from server.values.errors import Failure
from server.wiring.dependencies import OTHER_FEATURES
from tests.conftest import MakeInstance
from tests.passkey import ceremonies
from tests.session import sessions
from tests.support import first_calls, given
from tests.support.given import Client, Instance
from tests.user import calls as users

_ROUNDS = 8


@pytest.fixture(scope="module")
async def processes(
    few_sessions: Instance, make_instance: MakeInstance
) -> AsyncIterator[tuple[Instance, Instance]]:
    """Two servers of one database. One server would serialize the calls to one user itself."""
    one = few_sessions
    async with make_instance(dsn=one.dsn, data_dir=one.data_dir, max_sessions_per_user=2) as two:
        yield one, two


async def _live(rows: asyncpg.Connection, user_id: str) -> int:
    return await rows.fetchval("select count(*) from sessions where user_id = $1", user_id)


async def test_sign_ins_at_the_same_time_do_not_exceed_the_limit(
    processes: tuple[Instance, Instance],
) -> None:
    person = await sessions.person(processes[0].admin)
    credentials = [person.assertion(await sessions.start(person.client)) for _ in range(20)]

    ended = await given.outcomes(
        sessions.complete(processes[n % 2].nobody, credential)
        for n, credential in enumerate(credentials)
    )

    assert ended == {"OK": 20}
    assert len(await sessions.listed(person.client)) == 2


async def test_one_count_of_a_device_bound_passkey_signs_in_once(
    processes: tuple[Instance, Instance],
) -> None:
    person = await sessions.with_passkey(await given.user(processes[0].admin), sign_count=1)
    credentials = [
        person.assertion(await sessions.start(person.client), sign_count=2) for _ in range(10)
    ]

    ended = await given.outcomes(
        sessions.complete(processes[n % 2].nobody, credential)
        for n, credential in enumerate(credentials)
    )

    assert ended == {"OK": 1, "SIGN_IN_FAILED": 9}


async def test_a_challenge_that_another_user_uses_meanwhile_records_no_copy(
    processes: tuple[Instance, Instance], monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = await sessions.with_passkey(await given.user(processes[0].admin), sign_count=5)
    other = await sessions.person(processes[0].admin)
    options = await sessions.start(copied.client)
    of_other = other.assertion(options)
    first_calls.then(
        monkeypatch, signin_store, "find", lambda: sessions.complete(other.client, of_other)
    )

    reason = await given.outcome(
        sessions.complete(copied.client, copied.assertion(options, sign_count=5))
    )

    assert reason == "CHALLENGE_USED"


@pytest.mark.parametrize("ceremony", ["sign-in", "reauthentication"])
async def test_a_copy_is_recorded_although_the_user_changes_meanwhile(
    processes: tuple[Instance, Instance], monkeypatch: pytest.MonkeyPatch, ceremony: str
) -> None:
    admin = processes[0].admin
    copied = await sessions.with_passkey(await given.user(admin), sign_count=5)
    client, start = copied.client, sessions.start
    complete: Callable[[Client, dict[str, Any]], Any] = sessions.complete
    if ceremony == "reauthentication":
        client = (await copied.sign_in(sign_count=6)).client
        start, complete = sessions.start_reauthentication, sessions.reauthenticate
    credential = copied.assertion(await start(client), sign_count=5)
    first_calls.then(
        monkeypatch,
        signin_store,
        "find",
        lambda: users.patch(admin, copied.user_id, ["display_name"], display_name="Changed"),
    )

    first = await given.outcome(complete(client, credential))
    again = await given.outcome(complete(client, credential))

    assert (first, again) == ("SIGN_IN_FAILED", "CHALLENGE_USED")
    async with given.sql(processes[0].dsn) as rows:
        assert len(await given.logged(rows, copied.user_id, "user.passkey_clone_suspected")) == 1


_REMOVALS: dict[str, Callable[[Client, sessions.Person], Awaitable[Any]]] = {
    "passkey": lambda admin, person: ceremonies.remove(admin, person.passkey_id, person.user_id),
    "user": lambda admin, person: users.remove(admin, person.user_id),
    "right to sign in": lambda admin, person: users.lock(admin, person.user_id),
}


@pytest.mark.parametrize("removed", _REMOVALS)
async def test_no_session_outlives_what_is_removed_while_it_starts(
    processes: tuple[Instance, Instance], removed: str
) -> None:
    here, there = processes
    for _ in range(_ROUNDS):
        person = await sessions.person(here.admin)
        credentials = [person.assertion(await sessions.start(person.client)) for _ in range(4)]

        reasons = await asyncio.gather(
            *(
                given.outcome(sessions.complete(here.nobody, credential))
                for credential in credentials
            ),
            given.outcome(_REMOVALS[removed](there.admin, person)),
        )

        assert reasons.pop() == "OK"
        assert set(reasons) <= {"OK", "PASSKEY_UNKNOWN", "USER_LOCKED"}
        async with given.sql(here.dsn) as rows:
            assert await _live(rows, person.user_id) == 0


async def test_signing_out_everywhere_ends_a_session_or_comes_before_it(
    processes: tuple[Instance, Instance],
) -> None:
    here, there = processes
    person = await sessions.person(here.admin)
    for _ in range(_ROUNDS):
        await person.sign_in()
        credential = person.assertion(await sessions.start(person.client))

        signed_in, ended = await asyncio.gather(
            sessions.complete(here.nobody, credential),
            sessions.end_all(there.admin, person.user_id),
        )

        left = [each.session_id for each in await sessions.listed(person.client)]
        came_after = signed_in.details.sequence > ended.details.sequence
        assert left == ([signed_in.session_id] if came_after else [])
        await sessions.end_all(person.client)


@pytest.mark.parametrize("call", [sessions.current, sessions.sign_out, ceremonies.begin])
async def test_a_session_that_ended_elsewhere_a_moment_ago_is_over(
    processes: tuple[Instance, Instance], call: Callable[[Client], Awaitable[object]]
) -> None:
    here, there = processes
    signed_in = await sessions.signed_in(here.admin)
    elsewhere = Client(there.channel, signed_in.client.token, signed_in.person.user_id)
    assert await sessions.current(elsewhere)  # which that process caches

    await sessions.sign_out(signed_in.client)

    refusal = await given.refusal(call(elsewhere))
    assert refusal.code is grpc.StatusCode.UNAUTHENTICATED


async def test_a_call_on_its_way_grants_nothing_once_its_session_has_ended(
    processes: tuple[Instance, Instance],
) -> None:
    """The caller's rights are checked again under the lock."""
    here, there = processes
    for _ in range(_ROUNDS):
        signed_in = await sessions.signed_in(here.admin)
        client, user_id = signed_in.client, signed_in.person.user_id

        reason, _ = await asyncio.gather(
            given.outcome(users.create_token(client, user_id)),
            sessions.end_all(there.admin, user_id),
        )

        assert reason in ("OK", "UNAUTHENTICATED")
        refusal = await given.refusal(users.create_token(client, user_id))
        assert refusal.code is grpc.StatusCode.UNAUTHENTICATED


async def test_the_sessions_of_a_user_who_was_just_removed_are_not_found(
    database: Database,
) -> None:
    command = EndSessions(user_id="unknown", keep_current=False)

    with pytest.raises(Failure, match="NOT_FOUND"):
        await end_all(database, command, actor=OPERATOR, end_ceremonies=OTHER_FEATURES.end_begun_by)
