"""Calls without preconditions and idempotency keys send no statements for them."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.store.turns import current_claimant
from tests.support import given
from tests.support.given import Client

_OF_A_TRANSACTION = ("begin", "commit", "savepoint", "release")


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements that calls have sent. The server runs in this process."""
    sent: list[str] = []

    def counted(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        def send(connection: Any, sql: str, *arguments: Any, **options: Any) -> Awaitable[Any]:
            if current_claimant.get().claim.caller != "server":  # not a health check
                sent.append(sql.strip().split(maxsplit=1)[0])
            return method(connection, sql, *arguments, **options)

        return send

    for name in ("fetch", "fetchrow", "execute"):
        method = getattr(asyncpg.Connection, name)
        monkeypatch.setattr(asyncpg.Connection, name, counted(method))
    return sent


async def _calls(admin: Client) -> dict[str, tuple[Any, Any]]:
    idp_id, user = await given.idp(admin), await given.user(admin)
    return {
        "GetIDP": (admin.idps.GetIDP, idp_pb.GetIDPRequest(idp_id=idp_id)),
        "UpdateIDP": (
            admin.idps.UpdateIDP,
            idp_pb.UpdateIDPRequest(idp_id=idp_id, name=uuid4().hex),
        ),
        "RemoveUser": (
            admin.users.RemoveUser,
            user_pb.RemoveUserRequest(user_id=user.user_id),
        ),
    }


# RemoveUser: the look-ups of the caller and of the user for the permission, and its statements.
@pytest.mark.parametrize(
    ("name", "most", "in_transaction"),
    [("GetIDP", 1, False), ("UpdateIDP", 1, False), ("RemoveUser", 11, True)],
)
async def test_a_call_without_the_headers_sends_its_own_statements(
    admin: Client, statements: list[str], name: str, most: int, in_transaction: bool
) -> None:
    method, request = (await _calls(admin))[name]
    await admin.call(admin.users.GetCurrentUser, user_pb.GetCurrentUserRequest())  # cached now
    statements.clear()

    await admin.call(method, request)

    own = [each for each in statements if each not in _OF_A_TRANSACTION]
    assert len(own) == most, statements
    assert statements.count("begin") == statements.count("commit") == in_transaction
    assert "savepoint" not in statements


@pytest.mark.parametrize("name", ["UpdateIDP", "RemoveUser"])
async def test_a_key_costs_a_row_and_its_answer(
    admin: Client, statements: list[str], name: str
) -> None:
    method, request = (await _calls(admin))[name]
    statements.clear()

    await admin.call(method, request, x_idempotency_key=uuid4().hex)

    assert statements.count("begin") == statements.count("commit") == 1
    assert statements.count("savepoint") == statements.count("release") > 0
