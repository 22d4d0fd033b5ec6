"""Fixtures of the tests of users."""

from collections.abc import AsyncIterator

import asyncpg
import pytest

from tests.conftest import MakeInstance
from tests.support import given
from tests.support.given import Client, Instance


@pytest.fixture
async def org_id(admin: Client) -> str:
    """An organization for this test alone."""
    return await given.organization(admin)


@pytest.fixture
async def holder(instance: Instance) -> AsyncIterator[asyncpg.Connection]:
    """A second connection, for locks that calls wait for.

    Not `sql`: within a transaction, PostgreSQL's view of activity does not change.
    """
    async with given.sql(instance.dsn) as connection:
        yield connection


@pytest.fixture(scope="module")
async def elsewhere(instance: Instance, make_instance: MakeInstance) -> AsyncIterator[Client]:
    """The administrator, at another server on the same database."""
    async with make_instance(dsn=instance.dsn, data_dir=instance.data_dir) as other:
        yield other.admin
