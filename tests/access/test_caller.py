"""Authentication by token: refused tokens, and the time until a change of a token takes effect."""

import asyncio
import base64
import dataclasses
import hashlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Any

import asyncpg
import grpc
import pytest

from keystead.org.v1 import organization_service_pb2 as org_pb
from keystead.user.v1 import user_service_pb2 as pb
from server.access.authenticator import Authenticator
from server.access.cached_callers import CachedCallers
from server.access.caller import Caller
from server.access.roles import Role
from server.access.tokens import (
    TokenKind,
    is_intact,
    new_token,
    recognized,
    thumbprint_hash,
    token_hash,
    with_checksum,
    workload_hash,
)
from server.store.clock import DatabaseClock
from server.values.errors import Failure, Kind
from tests.conftest import MakeInstance
from tests.passkey import links
from tests.passkey.ceremonies import begin
from tests.support import given
from tests.support.given import Client, Instance, Refusal
from tests.user import calls

_WHO_AM_I = pb.GetCurrentUserRequest()


async def _refusal(instance: Instance, *authorization: str) -> Refusal:
    """How a call with these `authorization` headers is refused, without its request id."""
    call = instance.nobody.users.GetCurrentUser(
        _WHO_AM_I, metadata=[("authorization", value) for value in authorization]
    )
    return dataclasses.replace(await given.refusal(call), request_id="")


async def _expired(instance: Instance) -> str:
    user = await given.user(instance.admin)
    connection = await asyncpg.connect(instance.dsn)
    try:
        await connection.execute(
            "update tokens set expires_at = now() - interval '1 second' where user_id = $1",
            user.user_id,
        )
    finally:
        await connection.close()
    return user.token


async def _revoked(instance: Instance) -> str:
    user = await given.user(instance.admin)
    listed = await user.call(user.users.ListTokens, pb.ListTokensRequest(user_id=user.user_id))
    revoke = pb.RevokeTokenRequest(user_id=user.user_id, token_id=listed.tokens[0].token_id)
    await user.call(user.users.RevokeToken, revoke)
    return user.token


async def _of_a_removed_user(instance: Instance) -> str:
    user = await given.user(instance.admin)
    await calls.whoami(user)
    await calls.remove(instance.admin, user.user_id)
    return user.token


def _with_wrong_checksum(token: str) -> str:
    return token[:-1] + ("0" if token[-1] != "0" else "1")


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param(lambda _: [], id="missing"),
        pytest.param(lambda _: [""], id="empty"),
        pytest.param(lambda token: [token], id="no scheme"),
        pytest.param(lambda token: [f"Basic {token}"], id="another scheme"),
        pytest.param(lambda _: ["Bearer"], id="no token"),
        pytest.param(lambda _: ["Bearer secret"], id="malformed"),
        pytest.param(lambda token: [f"Bearer {token.upper()}"], id="in capitals"),
        pytest.param(lambda token: [f"Bearer {token} {token}"], id="two tokens"),
        pytest.param(lambda token: [f"Bearer {_with_wrong_checksum(token)}"], id="wrong checksum"),
        pytest.param(lambda _: [f"Bearer {new_token(TokenKind.USER)}"], id="unknown"),
        pytest.param(
            lambda _: [f"Bearer {new_token(TokenKind.REGISTRATION)}"], id="unknown registration"
        ),
        pytest.param(lambda _: [f"Bearer {new_token(TokenKind.LINK)}"], id="the code of a link"),
        pytest.param(lambda token: [f"Bearer {token}"] * 2, id="two headers"),
    ],
)
async def test_without_a_good_token_every_call_is_refused_with_one_text(
    instance: Instance, headers: Callable[[str], list[str]]
) -> None:
    refused = await _refusal(instance, *headers(instance.admin.token))

    assert refused == await _refusal(instance)
    assert refused.code is grpc.StatusCode.UNAUTHENTICATED
    assert refused.reason == "UNAUTHENTICATED"


@pytest.mark.parametrize("ended", [_expired, _revoked, _of_a_removed_user])
async def test_a_token_that_was_good_once_is_refused_with_the_same_text(
    instance: Instance, ended: Callable[[Instance], Awaitable[str]]
) -> None:
    token = await ended(instance)

    assert await _refusal(instance, f"Bearer {token}") == await _refusal(instance)


@pytest.mark.parametrize("scheme", ["bearer ", "BEARER ", "Bearer   "])
async def test_the_scheme_is_read_as_http_reads_it(instance: Instance, scheme: str) -> None:
    answer = await instance.nobody.users.GetCurrentUser(
        _WHO_AM_I, metadata=[("authorization", f"{scheme}{instance.admin.token}")]
    )

    assert answer.user.user_id == instance.admin.user_id


async def test_the_database_knows_only_the_hash_of_a_token(instance: Instance) -> None:
    user = await given.user(instance.admin)
    begun = await begin(user)
    used = await links.link(instance.admin, user)
    await used.register()
    tokens = [user.token, begun.registration_token, used.code]

    connection = await asyncpg.connect(instance.dsn)
    try:
        tables = await connection.fetch("select tablename from pg_tables where schemaname='public'")
        rows = [
            str(row["row"])
            for (table,) in tables
            for row in await connection.fetch(f"select {table}::text as row from {table}")  # noqa: S608
        ]
    finally:
        await connection.close()

    stored = "\n".join(rows)
    for token in tokens:
        assert hashlib.sha256(token.encode()).hexdigest() in stored
        for form in (token, token[4:-8], token.encode().hex(), _base64(token)):
            assert form not in stored


def _base64(token: str) -> str:
    return base64.b64encode(token.encode()).decode()


_WITHOUT_TEXT = {TokenKind.CERTIFICATE, TokenKind.WORKLOAD}


@pytest.mark.parametrize("kind", TokenKind)
def test_a_token_has_the_form_that_secret_scanners_look_for(kind: TokenKind) -> None:
    tokens = {new_token(kind) for _ in range(100)}

    assert len(tokens) == 100
    assert all(re.fullmatch(rf"{kind}000[0-9a-f]{{72}}", token) for token in tokens)
    assert all(map(is_intact, tokens)) == (kind not in _WITHOUT_TEXT)


def test_a_token_of_another_database_is_malformed_and_one_without_a_database_is_not() -> None:
    digits = "0123456789abcdef" * 4

    assert recognized(with_checksum(f"kst_000{digits}"))
    assert recognized(with_checksum(f"kst_{digits}"))
    for database in ("001", "100", "fff", "00", "0000"):
        token = with_checksum(f"kst_{database}{digits}")
        assert recognized(token) is None
        assert not is_intact(token)


class _Tokens:
    """A store of one token, which counts its look-ups."""

    def __init__(self, *, expires_at: datetime | None = None) -> None:
        self.token = new_token(TokenKind.USER)
        self.caller: Caller | None = Caller(
            "user", "org", frozenset(Role), expires_at, clock=DatabaseClock(datetime.now(UTC))
        )
        self.lookups = 0
        self.read = asyncio.Event()
        self.answer = asyncio.Event()
        self.answer.set()
        self.authenticator = Authenticator(
            find_user=self._find_user,
            find_workload=self._find_nothing,
            find_session=self._find_nothing,
            peek_session=self._find_nothing,
            find_registration=self._find_nothing,
            find_link=self._find_nothing,
        )

    async def _find_user(self, _hashed: bytes) -> Caller | None:
        self.lookups += 1
        found = self.caller
        self.read.set()
        await self.answer.wait()
        return found

    async def _find_nothing(self, _key: object) -> None:
        return None

    async def refuses(self) -> bool:
        """Whether the token is refused now."""
        try:
            await self.authenticator.authenticate(recognized(self.token))
        except Failure as failure:
            return failure.kind is Kind.UNAUTHENTICATED
        return False

    async def accepts(self) -> bool:
        """Whether the token is accepted now."""
        return not await self.refuses()


def test_a_jwt_is_recognized_and_not_shown() -> None:
    token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"

    found = recognized(token)

    assert found is not None
    assert found.kind is TokenKind.WORKLOAD
    assert token not in repr(found)
    for other in (f"{token}.", f"{token} ", f"x{token}", f"{token}\n", token + "x" * 8000):
        assert recognized(other) is None


def test_no_token_has_the_hash_of_a_workload() -> None:
    assert workload_hash("id") == hashlib.sha256(b"\xffworkload:id").digest()
    assert workload_hash("id") != thumbprint_hash(b"id")


def test_no_token_has_the_hash_of_a_thumbprint() -> None:
    thumbprint = bytes(range(32))
    hashed = b"\xffx5t#S256:" + thumbprint

    assert thumbprint_hash(thumbprint) == hashlib.sha256(hashed).digest()
    assert thumbprint_hash(thumbprint) != token_hash(hashed.decode("latin-1"))
    with pytest.raises(UnicodeDecodeError):
        hashed.decode()  # so it is the encoding of no text


async def test_a_caller_is_looked_up_once_for_many_calls() -> None:
    tokens = _Tokens()

    assert [await tokens.accepts() for _ in range(3)] == [True, True, True]
    assert tokens.lookups == 1


async def test_a_caller_is_looked_up_afresh_when_that_is_asked_for() -> None:
    tokens = _Tokens()
    assert await tokens.accepts()
    tokens.caller = None

    with pytest.raises(Failure, match="UNAUTHENTICATED"):
        await tokens.authenticator.authenticate(recognized(tokens.token), fresh=True)


async def test_a_caller_is_looked_up_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.access.cached_callers.CACHE_SECONDS", 0.05)
    tokens = _Tokens()
    assert await tokens.accepts()

    tokens.caller = None  # as if another process had revoked it

    await given.eventually(tokens.refuses)
    assert tokens.lookups == 2


async def test_a_caller_is_as_old_as_the_beginning_of_its_look_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.access.cached_callers.CACHE_SECONDS", 0)
    tokens = _Tokens()
    assert await tokens.accepts()

    tokens.caller = None  # as if another process had revoked it while the answer was on its way

    assert await tokens.refuses()


async def test_an_unknown_token_is_looked_up_every_time() -> None:
    tokens = _Tokens()
    tokens.caller, created = None, tokens.caller
    assert not await tokens.accepts()

    tokens.caller = created

    assert await tokens.accepts()


async def test_a_token_expires_although_it_was_looked_up_a_moment_ago(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.access.cached_callers.CACHE_SECONDS", 3600)
    tokens = _Tokens(expires_at=datetime.now(UTC) + timedelta(seconds=0.2))
    assert await tokens.accepts()

    tokens.caller = None  # the database gives no token that has expired

    await given.eventually(tokens.refuses)
    assert tokens.lookups == 2


async def test_what_is_forgotten_is_looked_up_anew() -> None:
    tokens = _Tokens()
    assert await tokens.accepts()

    tokens.caller = None
    tokens.authenticator.forget("user")

    assert not await tokens.accepts()


async def test_forgetting_a_user_visits_no_caller_of_another_user() -> None:
    visited: list[str] = []

    class Watched(Caller):
        def __getattribute__(self, name: str) -> Any:
            if name == "user_id":
                visited.append(name)
            return super().__getattribute__(name)

    cached = CachedCallers()
    for number in range(100):
        cached.add(
            b"%d" % number, Watched(f"user-{number}", "org", frozenset()), looked_up_at=monotonic()
        )
    visited.clear()

    cached.forget("user-7", "user-8", "unknown")

    assert not visited
    assert [number for number in range(100) if cached.get(b"%d" % number) is None] == [7, 8]


async def test_a_look_up_that_overlaps_a_revocation_is_not_remembered() -> None:
    tokens = _Tokens()
    tokens.answer.clear()
    overlapping = asyncio.create_task(tokens.accepts())
    await tokens.read.wait()

    tokens.caller = None
    tokens.authenticator.forget("user")
    tokens.answer.set()
    await overlapping

    assert not await tokens.accepts()


@pytest.fixture(scope="module")
async def elsewhere(instance: Instance, make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """Another server on the same database."""
    async with make_instance(dsn=instance.dsn, data_dir=instance.data_dir) as other:
        yield other


async def test_a_write_looks_its_caller_up_anew(instance: Instance, elsewhere: Instance) -> None:
    """`test_cached_callers.py` has the writes that check their caller themselves."""
    owner = await given.user(instance.admin, roles=[pb.ROLE_INSTANCE_OWNER])
    cached = Client(elsewhere.channel, owner.token, owner.user_id)
    await cached.call(cached.users.GetCurrentUser, pb.GetCurrentUserRequest())
    (token,) = await calls.tokens(instance.admin, owner.user_id)
    await calls.revoke_token(instance.admin, owner.user_id, token.token_id)

    request = org_pb.CreateOrganizationRequest(name="Mine")
    refused = await given.refusal(cached.call(cached.orgs.CreateOrganization, request))

    assert refused.code is grpc.StatusCode.UNAUTHENTICATED
