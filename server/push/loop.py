"""The loop of pushes: every process attempts due deliveries, many at once.

The tiers of targets have attempts of their own, so that slow or failing targets delay no others.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import ClassVar, Final

from server.deliveries.loop import PACE, SPARE_SECONDS, DeliveryLoop, Pace
from server.deliveries.results import AttemptResult, Backlog, DeliveryState
from server.push import leases
from server.push.delivery_store import PushKind
from server.push.leases import PushAttempt, Tier
from server.push.sender import ATTEMPT_SECONDS, PushSender
from server.store.database import Database
from server.telemetry.metrics import Metrics

# Attempts at once of the targets of each tier.
_AT_ONCE: Final[Mapping[Tier, int]] = {Tier.SOON: 64, Tier.NEW_OR_SLOW: 48, Tier.NO_ANSWER: 48}
_LEASE: Final = timedelta(seconds=ATTEMPT_SECONDS + SPARE_SECONDS)


class PushLoop(DeliveryLoop[PushAttempt]):
    """Sends due pushes, as one of several processes."""

    name: ClassVar = "push"
    deliveries: ClassVar = "pushes"

    def __init__(
        self, database: Database, sender: PushSender, *, metrics: Metrics, pace: Pace = PACE
    ) -> None:
        super().__init__(
            PushKind, tries=metrics.push_tries, failures=metrics.housekeeping_failures, pace=pace
        )
        self._database = database
        self._sender = sender

    async def close(self) -> None:
        """Starts no further attempt, and closes the connections to targets."""
        await super().close()
        await self._sender.close()

    async def _acquire(self) -> Sequence[PushAttempt]:
        """Leases due deliveries of each tier of targets, up to its limit."""
        taken = Counter(attempt.tier for attempt in self.in_progress.values())
        limits = {
            tier: free for tier, at_once in _AT_ONCE.items() if (free := at_once - taken[tier]) > 0
        }
        return await leases.acquire(self._database, limits, lease=_LEASE) if limits else ()

    async def _send(self, attempt: PushAttempt) -> AttemptResult:
        return await self._sender.send(attempt)

    async def _record(
        self, made: Sequence[tuple[PushAttempt, AttemptResult]]
    ) -> Sequence[DeliveryState | None]:
        return await leases.record(self._database, made)

    async def _give_up(self, attempt: PushAttempt, result: AttemptResult) -> Mapping[str, int]:
        return {attempt.kind: await leases.give_up(self._database, attempt.target_id, result)}

    async def _look(self) -> Backlog:
        return await leases.look(self._database)

    def _named(self, attempt: PushAttempt) -> Mapping[str, str]:
        return {"delivery_id": attempt.delivery_id, "target_id": attempt.target_id}
