"""Deletes what nobody needs any more: mails, ceremonies, links, tokens, sessions."""

import asyncio
from collections.abc import Awaitable, Callable

from prometheus_client import Counter

from server.mail import store as mail_store
from server.passkey import ceremony_store, link_store
from server.passkey.signin import store as signin_store
from server.session import store as session_store
from server.store.database import Database
from server.telemetry.background import tried
from server.user import token_store

_INTERVAL_SECONDS = 600
_TIMEOUT_SECONDS = 60


async def forget_ended(database: Database) -> None:
    """Deletes what ended long enough ago."""
    await mail_store.forget_ended(database)
    await ceremony_store.forget_ended(database)
    await link_store.forget_ended(database)
    await token_store.forget_expired(database)
    await session_store.forget_expired(database)
    await signin_store.forget_expired(database)


async def repeatedly(
    work: Callable[[], Awaitable[None]], failures: Counter, *, interval: float = _INTERVAL_SECONDS
) -> None:
    """Does it every ten minutes, and counts how often it could not be done. Never returns."""
    while True:
        await asyncio.sleep(interval)
        with tried("housekeeping", failures):
            async with asyncio.timeout(_TIMEOUT_SECONDS):
                await work()
