"""The log ends cached callers of other processes, which would otherwise keep them for seconds."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, TypeAlias

import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as pb
from server.access import cached_callers
from tests.conftest import MakeInstance
from tests.passkey import ceremonies
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls


class _Here(NamedTuple):
    """An administrator, and the caller at the server that ends its rights."""

    admin: Client
    caller: Client
    signed_in: SignedIn


_End: TypeAlias = Callable[[_Here], Awaitable[object]]


async def _revoke_token(here: _Here) -> None:
    for token in await calls.tokens(here.admin, here.caller.user_id):
        await calls.revoke_token(here.admin, here.caller.user_id, token.token_id)


async def _end_role(here: _Here) -> None:
    until = datetime.now(UTC) + timedelta(seconds=0.5)
    await calls.grant(
        here.admin, here.caller.user_id, pb.ROLE_ORG_OWNER, end_foreign=True, expires_at=until
    )


_ENDS_OF_TOKENS: dict[str, _End] = {
    "token revoked": _revoke_token,
    "role revoked": lambda here: calls.revoke(here.admin, here.caller.user_id, pb.ROLE_ORG_OWNER),
    "role that ends now": _end_role,
    "user locked": lambda here: calls.lock(here.admin, here.caller.user_id),
    "user removed": lambda here: calls.remove(here.admin, here.caller.user_id),
}
_ENDS_OF_SESSIONS: dict[str, _End] = {
    "signed out": lambda here: sessions.sign_out(here.signed_in.client),
    "session ended": lambda here: sessions.end(
        here.admin, here.signed_in.session_id, here.caller.user_id
    ),
    "all sessions ended": lambda here: sessions.end_all(here.admin, here.caller.user_id),
    "passkey removed": lambda here: ceremonies.remove(
        here.admin, here.signed_in.person.passkey_id, here.caller.user_id
    ),
    "user locked": _ENDS_OF_TOKENS["user locked"],
}


@pytest.fixture
def cached_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache alone would keep the caller until the test has failed."""
    monkeypatch.setattr(cached_callers, "CACHE_SECONDS", 3600)


@pytest.fixture(scope="module")
async def there(file_instance: Instance, make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A second server of the same database."""
    async with make_instance(dsn=file_instance.dsn, data_dir=file_instance.data_dir) as second:
        yield second


@pytest.fixture
async def here(file_instance: Instance) -> _Here:
    admin = file_instance.admin
    caller = await given.user(admin, roles=[pb.ROLE_ORG_OWNER])
    person = await sessions.with_passkey(caller)
    return _Here(admin, caller, await person.sign_in())


@pytest.mark.parametrize("end", _ENDS_OF_TOKENS.values(), ids=_ENDS_OF_TOKENS.keys())
@pytest.mark.usefixtures("cached_for_long")
async def test_the_end_of_a_token_or_role_ends_the_cached_caller_of_another_process(
    end: _End, here: _Here, there: Instance
) -> None:
    await _is_ended(end, here, there.admin.with_token(here.caller.token))


@pytest.mark.parametrize("end", _ENDS_OF_SESSIONS.values(), ids=_ENDS_OF_SESSIONS.keys())
@pytest.mark.usefixtures("cached_for_long")
async def test_the_end_of_a_session_ends_the_cached_caller_of_another_process(
    end: _End, here: _Here, there: Instance
) -> None:
    await _is_ended(end, here, there.admin.with_token(here.signed_in.client.token))


async def _is_ended(end: _End, here: _Here, elsewhere: Client) -> None:
    async def is_refused() -> bool:
        try:
            await elsewhere.call(elsewhere.users.ListUsers, pb.ListUsersRequest())
        except grpc.aio.AioRpcError:
            return True
        return False

    assert not await is_refused()

    await end(here)

    await given.eventually(is_refused)
