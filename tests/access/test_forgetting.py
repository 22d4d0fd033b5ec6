"""The cache of callers, when a call ends their rights."""

import asyncio

import pytest

from server.access.forgetting import forgetting


async def test_a_call_that_is_cancelled_after_its_commit_forgets_the_user() -> None:
    forgotten: list[str] = []

    async def call() -> None:
        with forgetting(forgotten.append, "user"):
            await asyncio.Event().wait()

    task = asyncio.create_task(call())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert forgotten == ["user"]
