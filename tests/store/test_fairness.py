"""One caller with many calls beside others: the connections it holds, and the order of service."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable

import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.conftest import MakeInstance
from tests.idp import calls as idps
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls

pytestmark = pytest.mark.python_differs("asyncio cancels and wakes tasks in another order")

_CONVOY = 30


@pytest.fixture(scope="module")
async def instance(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server with a pool of four: three for all calls, of which a caller gets two."""
    async with make_instance(database_pool_size=4) as server:
        yield server


@contextlib.asynccontextmanager
async def _convoy(*waiting: Awaitable[object]) -> AsyncIterator[None]:
    """Makes calls, and cancels them at the end of the block."""
    tasks = [asyncio.ensure_future(call) for call in waiting]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def _locked_user(instance: Instance, user: Client) -> AsyncIterator[None]:
    async with given.sql(instance.dsn) as holder, holder.transaction():
        await holder.execute("select from users where id = $1 for update", user.user_id)
        yield


async def _waiting_at_most(instance: Instance, most: int) -> None:
    """Waits until this number of statements wait for a lock. Fails if there are more."""
    async with given.sql(instance.dsn) as sql:
        await given.waiting_for_a_lock(sql, statements=most)
        for _ in range(20):
            assert await given.waiting_statements(sql) == most
            await asyncio.sleep(0.005)


async def test_calls_on_one_user_wait_for_its_lock_with_one_connection(
    instance: Instance,
) -> None:
    user = await given.user(instance.admin)
    async with (
        _locked_user(instance, user),
        _convoy(*(calls.create_token(user, user.user_id) for _ in range(_CONVOY))),
    ):
        await _waiting_at_most(instance, 1)

        assert await calls.whoami(instance.admin)
        assert await calls.whoami(user)


async def test_a_caller_whose_statements_wait_leaves_connections_to_others(
    instance: Instance,
) -> None:
    manager = await given.user(instance.admin, roles=[user_pb.ROLE_ORG_OWNER])
    idp_id = await given.idp(manager)
    async with (
        given.locked_idp(instance.dsn, idp_id),
        _convoy(*(idps.update(manager, idp_id, name="Renamed") for _ in range(_CONVOY))),
    ):
        await _waiting_at_most(instance, 2)

        assert await calls.whoami(instance.admin)


async def test_a_call_that_takes_access_away_has_a_connection_of_its_own(
    instance: Instance,
) -> None:
    admin, user = instance.admin, await given.user(instance.admin)
    managers = [await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER]) for _ in range(2)]
    idp_ids = [await given.idp(manager) for manager in managers]
    token = await calls.create_token(admin, user.user_id)
    async with (
        given.locked_idp(instance.dsn, idp_ids[0]),
        given.locked_idp(instance.dsn, idp_ids[1]),
        _convoy(
            *(
                idps.update(manager, idp_id, name="Renamed")
                for manager, idp_id in zip(managers, idp_ids, strict=True)
                for _ in range(_CONVOY)
            )
        ),
    ):
        await _waiting_at_most(instance, 3)

        # Neither the look-up of the caller, nor the check of its rights, nor the write waits.
        assert await calls.revoke_token(admin, user.user_id, token.token_id)


async def test_a_user_is_revoked_beside_its_own_calls(instance: Instance) -> None:
    manager = await given.user(instance.admin, roles=[user_pb.ROLE_ORG_USER_MANAGER])
    async with _convoy(*(calls.create_token(manager, manager.user_id) for _ in range(_CONVOY))):
        await calls.revoke(instance.admin, manager.user_id, user_pb.ROLE_ORG_USER_MANAGER)

        assert not (await calls.whoami(manager)).roles


async def test_a_statement_that_waits_long_for_a_lock_gives_its_connection_back(
    instance: Instance,
) -> None:
    idp_id = await given.idp(instance.admin)
    async with given.locked_idp(instance.dsn, idp_id):
        refused = await given.refusal(idps.update(instance.admin, idp_id, name="Renamed"))

    assert refused.code is grpc.StatusCode.ABORTED
    assert refused.reason == "CONCURRENT_CHANGE"
    assert refused.retry_seconds
