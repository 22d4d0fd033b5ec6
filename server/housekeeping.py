"""Deletes what nobody needs any more: mails, ceremonies and links that ended."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from prometheus_client import Counter

from server.database import Database
from server.errors import Failure
from server.mail import store as mail_store
from server.passkey import ceremony_store, link_store

_INTERVAL_SECONDS = 600
_TIMEOUT_SECONDS = 60

_log = structlog.get_logger("app")


async def forget_ended(database: Database) -> None:
    """Deletes what ended long enough ago."""
    await mail_store.forget_ended(database)
    await ceremony_store.forget_ended(database)
    await link_store.forget_ended(database)


async def repeatedly(work: Callable[[], Awaitable[None]], failures: Counter) -> None:
    """Does it every ten minutes, and counts how often it could not be done. Never returns."""
    while True:
        await asyncio.sleep(_INTERVAL_SECONDS)
        try:
            async with asyncio.timeout(_TIMEOUT_SECONDS):
                await work()
        except (Failure, TimeoutError) as error:
            failures.inc()
            _log.warning("housekeeping failed and will be tried again", detail=str(error))
