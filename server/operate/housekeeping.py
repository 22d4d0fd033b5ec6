"""Deletes ended mails, ceremonies and links, expired tokens and sessions, and stored answers.

Also adds partitions to the event log.
"""

import asyncio
from collections.abc import Awaitable, Callable

from prometheus_client import Counter

from server.idp.signin import store as idp_signin_store
from server.mail import store as mail_store
from server.passkey import ceremony_store, link_store, recovery_store
from server.passkey.signin import store as signin_store
from server.rpc.preconditions import idempotent_answers
from server.session import store as session_store
from server.store.database import Database
from server.store.migrate import add_partitions
from server.telemetry.background import tried
from server.user import token_store

_INTERVAL_SECONDS = 600
_TIMEOUT_SECONDS = 60


async def forget_ended(database: Database) -> None:
    """Deletes the rows whose retention has passed, and adds partitions ahead of time."""
    await mail_store.forget_ended(database)
    await ceremony_store.forget_ended(database)
    await link_store.forget_ended(database)
    await recovery_store.forget_late(database)
    await token_store.forget_expired(database)
    await session_store.forget_expired(database)
    await signin_store.forget_expired(database)
    await idp_signin_store.forget_expired(database)
    await idempotent_answers.forget_old(database)
    await add_partitions(database)


async def repeatedly(
    work: Callable[[], Awaitable[None]],
    failures: Counter,
    *,
    interval: float = _INTERVAL_SECONDS,
    name: str = "housekeeping",
) -> None:
    """Repeats `work`, every ten minutes by default, and counts failures. Never returns."""
    while True:
        await asyncio.sleep(interval)
        with tried(name, failures):
            async with asyncio.timeout(_TIMEOUT_SECONDS):
                await work()
