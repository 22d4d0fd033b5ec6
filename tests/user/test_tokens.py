"""CreateToken, ListTokens, RevokeToken."""

from datetime import UTC, datetime, timedelta

import asyncpg
import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from keystead.user.v1 import user_service_pb2 as pb
from server.access.tokens import token_hash
from server.store.rows import Details
from server.user.tokens import NewToken
from tests.support import given
from tests.support.certificates import Authority
from tests.support.given import Client, Instance
from tests.user import calls

_IN_AN_HOUR = datetime.now(UTC).replace(microsecond=123456) + timedelta(hours=1)


@pytest.fixture
async def user_id(admin: Client) -> str:
    """The ID of a user without tokens."""
    return (await calls.create(admin)).user_id


async def test_a_new_token_authenticates_its_user(user_id: str, admin: Client) -> None:
    created = await calls.create_token(admin, user_id)

    assert (await calls.whoami(admin.with_token(created.token))).user_id == user_id


async def test_a_token_is_listed_without_itself(user_id: str, admin: Client) -> None:
    created = await calls.create_token(admin, user_id, name="ci", expires_at=_IN_AN_HOUR)

    [token] = await calls.tokens(admin, user_id)
    assert (token.token_id, token.name, token.details, token.created_by) == (
        created.token_id,
        "ci",
        created.details,
        admin.user_id,
    )
    assert token.expires_at.ToDatetime(UTC) == _IN_AN_HOUR
    assert created.token not in str(token)


async def test_a_token_without_an_end_has_none(user_id: str, admin: Client) -> None:
    await calls.create_token(admin, user_id)

    [token] = await calls.tokens(admin, user_id)
    assert not token.HasField("expires_at")


async def test_only_its_hash_is_kept(user_id: str, admin: Client, sql: asyncpg.Connection) -> None:
    created = await calls.create_token(admin, user_id)

    assert created.token not in str(await given.logged(sql, user_id))
    stored = await sql.fetchrow("select * from tokens where user_id = $1", user_id)
    assert stored is not None
    assert stored["hash"] == token_hash(created.token)
    assert created.token not in str(dict(stored))


def test_a_token_in_clear_is_not_in_a_repr() -> None:
    now = datetime.now(UTC)

    created = NewToken("id", "kst_secret", Details(1, now, now, "org"))

    assert "kst_secret" not in repr(created)


async def test_a_revoked_token_ends_at_once_and_no_other(admin: Client) -> None:
    user = await given.user(admin)
    await calls.whoami(user)  # so that the server has the token in its cache
    [token] = await calls.tokens(user, user.user_id)
    other = (await calls.create_token(admin, user.user_id)).token

    revoked = await calls.revoke_token(user, user.user_id, token.token_id)

    assert revoked.details.creation_date == token.details.creation_date
    assert revoked.details.sequence > token.details.sequence
    assert (await given.refusal(calls.whoami(user))).code is grpc.StatusCode.UNAUTHENTICATED
    [left] = await calls.tokens(admin, user.user_id)
    assert left.token_id != token.token_id
    assert (await calls.whoami(user.with_token(other))).user_id == user.user_id


async def test_a_token_is_revoked_once(user_id: str, admin: Client) -> None:
    created = await calls.create_token(admin, user_id)

    ended = await given.outcomes(
        calls.revoke_token(admin, user_id, created.token_id) for _ in range(10)
    )

    assert ended == {"OK": 1, "TOKEN_NOT_FOUND": 9}


async def test_tokens_move_the_sequence_of_their_user(user_id: str, admin: Client) -> None:
    created = await calls.create_token(admin, user_id)
    assert (await calls.get(admin, user_id)).details.sequence == created.details.sequence

    revoked = await calls.revoke_token(admin, user_id, created.token_id)
    assert (await calls.get(admin, user_id)).details.sequence == revoked.details.sequence


_NO_ENDS = [
    Timestamp(seconds=0),
    Timestamp(seconds=1_700_000_000),
    Timestamp(seconds=-1),
    Timestamp(seconds=2**62),
    Timestamp(seconds=-(2**62)),
    Timestamp(seconds=253402300800),
    Timestamp(seconds=253402300799, nanos=2**31 - 1),
    Timestamp(seconds=1_900_000_000, nanos=-(2**31)),
]


async def test_an_end_that_is_past_or_no_instant_is_a_field_violation(admin: Client) -> None:
    for expires_at in _NO_ENDS:
        request = pb.CreateTokenRequest(
            user_id=admin.user_id, name="x" * 201, expires_at=expires_at
        )

        refused = await given.refusal(admin.call(admin.users.CreateToken, request))

        assert refused.code is grpc.StatusCode.INVALID_ARGUMENT, expires_at
        assert refused.violations.keys() == {"name", "expiresAt"}, expires_at


async def test_the_last_instant_of_the_calendar_is_an_end(user_id: str, admin: Client) -> None:
    last = datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)

    await calls.create_token(admin, user_id, expires_at=last)

    [token] = await calls.tokens(admin, user_id)
    assert token.expires_at.ToDatetime(UTC) == last


async def test_an_expired_token_does_not_authenticate(
    user_id: str, admin: Client, sql: asyncpg.Connection
) -> None:
    created = await calls.create_token(admin, user_id, expires_at=_IN_AN_HOUR)

    await sql.execute("update tokens set expires_at = now() where user_id = $1", user_id)

    refused = await given.refusal(calls.whoami(admin.with_token(created.token)))
    assert refused.code is grpc.StatusCode.UNAUTHENTICATED


# The maximum number of tokens of a user.


async def test_a_token_beyond_the_limit_is_refused_until_one_is_revoked_or_expires(
    strict: Instance,
) -> None:
    user_id = (await calls.create(strict.admin)).user_id
    created = [
        await calls.create_token(strict.admin, user_id, expires_at=_IN_AN_HOUR) for _ in range(3)
    ]
    pem = Authority(strict.data_dir).certificate().pem

    async def refused_at(sequence: int) -> None:
        for call in (
            calls.create_token(strict.admin, user_id),
            calls.create_certificate(strict.admin, user_id, pem),
            calls.create_workload_credential(strict.admin, user_id, calls.workload(user_id)),
        ):
            refused = await given.refusal(call)
            assert refused.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert refused.reason == "TOO_MANY_TOKENS"
        assert (await calls.get(strict.admin, user_id)).details.sequence == sequence

    await refused_at(created[-1].details.sequence)
    await calls.revoke_token(strict.admin, user_id, created[0].token_id)
    again = await calls.create_token(strict.admin, user_id)
    await refused_at(again.details.sequence)
    async with given.sql(strict.dsn) as sql:
        expire = "update tokens set expires_at = now() where token_id = $1"
        await sql.execute(expire, created[1].token_id)
    await calls.create_token(strict.admin, user_id)


async def test_the_limit_of_tokens_holds_under_concurrency(strict: Instance) -> None:
    user_id = (await calls.create(strict.admin)).user_id

    ended = await given.outcomes(calls.create_token(strict.admin, user_id) for _ in range(20))

    assert ended == {"OK": 3, "TOO_MANY_TOKENS": 17}
    assert len(await calls.tokens(strict.admin, user_id)) == 3
