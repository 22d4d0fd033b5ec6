"""The signer of a running server while the database does not answer."""

import asyncio
import json
import os
from datetime import timedelta
from typing import Any

import pytest

from server.crypto.keyring import Keyring
from server.signing import commands, signer, store
from server.signing.signer import Signer
from server.store.database import Database
from server.values.errors import Failure, Kind

_KEYRING = Keyring([os.urandom(32)])


async def test_the_key_set_outlives_the_database_and_the_signing_key_does_not(
    keys: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_database: Any) -> Any:
        raise Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "Try again.")

    monkeypatch.setattr(signer, "_CACHED", timedelta(0))
    await commands.withdraw_all(keys, _KEYRING)
    known, unknown = Signer(keys, _KEYRING), Signer(keys, _KEYRING)
    before = await known.key_set()
    monkeypatch.setattr(store, "get", fail)

    assert await known.key_set() == before
    assert len(json.loads(before)["keys"]) == 1
    for refused in (known.ready(), unknown.ready(), unknown.key_set()):
        with pytest.raises(Failure, match="DATABASE_UNAVAILABLE"):
            await refused


async def test_callers_who_come_before_during_and_after_a_read_share_it(
    keys: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads, stored = 0, await store.get(keys)

    async def get(_database: Any) -> Any:
        nonlocal reads
        reads += 1
        for _ in range(10):
            await asyncio.sleep(0)
        return stored

    async def ask(turn: int) -> bytes:
        for _ in range(turn):
            await asyncio.sleep(0)
        return await asked.key_set()

    monkeypatch.setattr(store, "get", get)
    asked = Signer(keys, _KEYRING)

    found = await asyncio.gather(*(ask(turn) for turn in range(20)))

    assert reads == 1
    assert len(set(found)) == 1


async def test_callers_who_wait_for_the_database_share_its_failure(
    keys: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = 0

    async def fail_slowly(_database: Any) -> Any:
        nonlocal reads
        reads += 1
        for _ in range(10):
            await asyncio.sleep(0)
        raise Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "Try again.")

    monkeypatch.setattr(store, "get", fail_slowly)
    asked = Signer(keys, _KEYRING)

    failures = await asyncio.gather(*(asked.key_set() for _ in range(20)), return_exceptions=True)

    assert reads == 1
    assert {type(failure) for failure in failures} == {Failure}


async def test_a_slow_read_does_not_put_the_clock_forward(
    keys: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verifiers refuse a token that was issued in the future."""
    await commands.withdraw_all(keys, _KEYRING)
    get = store.get

    async def wait_for_a_connection(database: Any) -> Any:
        await asyncio.sleep(1)
        return await get(database)

    monkeypatch.setattr(store, "get", wait_for_a_connection)
    signing = await Signer(keys, _KEYRING).ready()

    schedule, _ = await get(keys)
    assert signing.now <= schedule.now
