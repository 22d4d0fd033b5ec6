"""Sessions on a database that refuses writes, such as a standby (decision 6)."""

from typing import Any
from uuid import uuid4

import grpc
import pytest

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.session import store
from server.store.database import Database
from server.store.statement import Statement
from tests.session import sessions
from tests.support import given
from tests.support.given import Instance, Refusal

_PASS = "update session_activity set last_seen_at = last_seen_at - interval '40 minutes'"
_FULL_DISK = """
create function full_disk() returns trigger language plpgsql as
    $$begin raise exception 'full' using errcode = 'disk_full'; end$$;
create trigger full_disk before update on session_activity execute function full_disk()"""
_LAST_SEEN = "select last_seen_at from session_activity where session_id = $1"


async def test_a_session_reads_although_its_use_cannot_be_recorded(file_instance: Instance) -> None:
    signed_in = await sessions.signed_in(file_instance.admin)
    async with given.sql(file_instance.dsn) as rows:
        await rows.execute(_PASS)
        before = await rows.fetchval(_LAST_SEEN, signed_in.session_id)

        async with given.read_only(file_instance.dsn):
            session = await sessions.current(signed_in.client)
            listed = await sessions.listed(signed_in.client)
            refused = await given.refusal(sessions.sign_out(signed_in.client))

    assert session.last_seen_at.ToDatetime(before.tzinfo) == before
    assert [each.session_id for each in listed] == [signed_in.session_id]
    assert_waits(refused)


def assert_waits(refused: Refusal) -> None:
    """The refusal tells the client to repeat the call, and when."""
    assert refused.code is grpc.StatusCode.UNAVAILABLE
    assert refused.reason == "DATABASE_UNAVAILABLE"
    assert refused.retry_seconds


async def test_no_write_is_tried_where_it_would_be_refused(
    file_instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_in = await sessions.signed_in(file_instance.admin)
    sent: list[Statement] = []
    fetch_row = Database.fetch_row

    async def watched(self: Database, statement: Statement, /, **values: object) -> Any:
        sent.append(statement)
        return await fetch_row(self, statement, **values)

    async with given.sql(file_instance.dsn) as rows:
        await rows.execute(_PASS)
        async with given.read_only(file_instance.dsn):
            monkeypatch.setattr(Database, "fetch_row", watched)
            await sessions.current(signed_in.client)

    assert store._FIND_CALLER in sent  # noqa: SLF001 -- the look-up
    assert store._SEEN not in sent  # noqa: SLF001 -- the statement that records the use


async def test_a_session_reads_although_the_disk_is_full(file_instance: Instance) -> None:
    signed_in = await sessions.signed_in(file_instance.admin)
    async with given.sql(file_instance.dsn) as rows:
        await rows.execute(_PASS)
        await rows.execute(_FULL_DISK)

        session = await sessions.current(signed_in.client)
        await rows.execute("drop function full_disk cascade")

    assert session.session_id == signed_in.session_id


async def test_a_sign_in_starts_and_is_told_to_wait_with_its_end(file_instance: Instance) -> None:
    person = await sessions.person(file_instance.admin)

    async with given.read_only(file_instance.dsn):
        credential = person.assertion(await sessions.start(person.client))
        refused = await given.refusal(sessions.complete(person.client, credential))
    answer = await sessions.complete(person.client, credential)

    assert_waits(refused)
    assert answer.user_id == person.user_id  # the challenge was not used up


async def test_a_reauthentication_starts_and_is_told_to_wait_with_its_end(
    file_instance: Instance,
) -> None:
    signed_in = await sessions.signed_in(file_instance.admin)

    async with given.read_only(file_instance.dsn):
        options = await sessions.start_reauthentication(signed_in.client)
        credential = signed_in.person.assertion(options)
        refused = await given.refusal(sessions.reauthenticate(signed_in.client, credential))
        session = await sessions.current(signed_in.client)

    assert_waits(refused)
    assert session.session_id == signed_in.session_id  # the token is still valid


async def test_a_change_in_the_transaction_of_its_call_waits_and_is_then_made_once(
    file_instance: Instance,
) -> None:
    """A call with a header of preconditions runs all its statements in one transaction."""
    admin = file_instance.admin
    add, key = idp_pb.CreateIDPRequest(name="Provider"), uuid4().hex
    get = user_pb.GetCurrentUserRequest()

    async with given.read_only(file_instance.dsn):
        await admin.call(admin.users.GetCurrentUser, get)  # on a connection of its own
        keyed = await given.refusal(admin.call(admin.idps.CreateIDP, add, x_idempotency_key=key))
        tried = await given.refusal(admin.call(admin.idps.CreateIDP, add, x_validate_only="true"))
        await admin.call(admin.users.GetCurrentUser, get)
    added = await admin.call(admin.idps.CreateIDP, add, x_idempotency_key=key)
    again = await admin.call(admin.idps.CreateIDP, add, x_idempotency_key=key)

    assert_waits(keyed)
    assert_waits(tried)
    assert again.idp_id == added.idp_id
