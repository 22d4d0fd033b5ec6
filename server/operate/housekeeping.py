"""Deletes ended mails, pushes, ceremonies and links, expired tokens and sessions, stored answers.

Also deletes old refusals of applications and old days of figures, adds partitions to the event log,
and removes servers that ended without a shutdown.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from prometheus_client import Counter

from server.access import uses
from server.crypto import encryption_keys
from server.figures import store as figure_store
from server.log.partitions import add_partitions
from server.mail import store as mail_store
from server.oauth import store as oauth_store
from server.oauth.device import store as device_store
from server.oauth.refused import store as refusal_store
from server.passkey import ceremony_store, link_store, recovery_store
from server.push import delivery_store
from server.push import leases as push_leases
from server.rpc.preconditions import idempotent_answers
from server.session import refused as refused_sign_ins
from server.session import store as session_store
from server.store import one_time
from server.store.database import Database
from server.store.retention import delete_ended
from server.telemetry.background import tried
from server.user import token_store

_INTERVAL_SECONDS = 600
_TIMEOUT_SECONDS = 60


_RETAINED: Final = (
    mail_store.ENDED,
    mail_store.UNUSED_BUDGETS,
    ceremony_store.ENDED,
    link_store.ENDED,
    recovery_store.ENDED,
    token_store.ENDED,
    uses.ENDED,
    session_store.ENDED,
    oauth_store.ENDED,
    oauth_store.ENDED_SESSIONS,
    device_store.ENDED,
    device_store.UNUSED_BUDGETS,
    refusal_store.ENDED,
    delivery_store.ENDED,
    push_leases.IDLE_TARGETS,
    one_time.ENDED,
    idempotent_answers.ENDED,
    figure_store.ENDED,
    refused_sign_ins.ENDED,
)
_STEPS: Final[Sequence[Callable[[Database], Awaitable[None]]]] = (
    *(partial(delete_ended, retained=each) for each in _RETAINED),
    add_partitions,
    encryption_keys.forget_gone,
)


async def forget_ended(database: Database) -> None:
    """Deletes what has ended, and adds partitions ahead of time.

    A step that fails does not stop the others. The first failure is raised at the end.
    """
    failures: list[Exception] = []
    for step in _STEPS:
        try:
            await step(database)
        except Exception as error:  # noqa: BLE001 -- raised below
            failures.append(error)
    if failures:
        raise failures[0]


async def repeatedly(
    work: Callable[[], Awaitable[object]],
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
