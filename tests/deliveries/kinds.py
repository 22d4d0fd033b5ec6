"""The two kinds of deliveries behind one face, on a database without a server."""

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar, cast

from server.deliveries.loop import PACE, DeliveryLoop, Pace
from server.deliveries.results import Attempt, AttemptResult, DeliveryState
from server.mail import leases as mail_leases
from server.mail import store as mail_store
from server.mail.attempt import Sender
from server.mail.loop import MailLoop
from server.push import delivery_store
from server.push import leases as push_leases
from server.push.delivery_store import NewDelivery, PushKind
from server.push.leases import Tier
from server.push.loop import PushLoop
from server.push.sender import PushSender
from server.store.statement import Statement
from server.values.ids import new_id
from tests.mail.mail_instance import DESTINATION, MailInstance

LEASE = timedelta(hours=1)
SENT = AttemptResult(DeliveryState.SENT, destination_works=True)
REFUSED = AttemptResult(DeliveryState.PENDING, "REFUSED", "It said no.", destination_works=True)
DEAD = AttemptResult(DeliveryState.PENDING, "DEAD", "No answer.", destination_works=False)

Send = Callable[[Attempt], Awaitable[AttemptResult]]


async def accept(_attempt: Attempt) -> AttemptResult:
    """Accepts every delivery."""
    return SENT


@dataclass
class Deliveries(ABC):
    """Deliveries of one kind, each to a target or address that works."""

    instance: MailInstance

    table: ClassVar[str]
    key: ClassVar[str]
    kind: ClassVar[str]
    name: ClassVar[str]
    leases: ClassVar[ModuleType]
    ended: ClassVar[Statement]
    # The longest wait after the first failure, and after many.
    first_wait: ClassVar[timedelta]
    longest_wait: ClassVar[timedelta]
    give_up_after: ClassVar[timedelta]

    def __post_init__(self) -> None:
        self.database = self.instance.database
        self.sql = self.instance.sql
        self.metrics = self.instance.metrics

    @abstractmethod
    async def add(self) -> str:
        """Writes a delivery, which is due; returns its ID."""

    @abstractmethod
    async def acquire(self) -> Sequence[Attempt]:
        """Leases due deliveries."""

    @abstractmethod
    async def get(self, delivery_id: str) -> Any:
        """The delivery as callers see it."""

    @abstractmethod
    async def retry(self, delivery_id: str) -> object:
        """Makes the delivery due, as an operator does."""

    @abstractmethod
    def loop(self, send: Send, pace: Pace) -> DeliveryLoop[Any]:
        """A loop that does not run yet."""

    async def record(self, attempt: Attempt, result: AttemptResult = SENT) -> DeliveryState | None:
        """Records the result of an attempt."""
        [state] = await self.leases.record(self.database, [(attempt, result)])
        return cast("DeliveryState | None", state)

    async def set(self, **columns: str) -> None:
        """Sets columns of all deliveries to SQL expressions."""
        values = ", ".join(f"{name} = {value}" for name, value in columns.items())
        await self.sql.execute(f"update {self.table} set {values}")  # noqa: S608

    async def make_due(self) -> None:
        """Ends all waits, and all leases."""
        await self.set(next_attempt_at="now()")

    async def column(self, name: str) -> Any:
        """A column of the only delivery."""
        return await self.sql.fetchval(f"select {name} from {self.table}")  # noqa: S608

    @contextlib.asynccontextmanager
    async def looping(self, send: Send = accept, **pace: float) -> AsyncIterator[DeliveryLoop[Any]]:
        """Runs a loop until the end of the block."""
        loop = self.loop(send, Pace(**{"poll": 0.01, **pace}))
        running = asyncio.create_task(loop.run())
        try:
            yield loop
        finally:
            await loop.close()
            running.cancel()
            await asyncio.wait([running])

    def counted(self, state: str) -> float | None:
        """The number of attempts that ended in this state."""
        labels = {"kind": self.kind, "state": state}
        name = f"keystead_{self.name}_tries_total"
        return self.metrics.registry.get_sample_value(name, labels)


class Mails(Deliveries):
    """Mails with a link."""

    table: ClassVar = "mails"
    key: ClassVar = "mail_id"
    kind: ClassVar = "passkey_registration_link"
    name: ClassVar = "mail"
    leases: ClassVar = mail_leases
    ended: ClassVar = mail_store.ENDED
    first_wait: ClassVar = timedelta(minutes=1)
    longest_wait: ClassVar = timedelta(hours=1)
    give_up_after: ClassVar = timedelta(hours=48)

    async def add(self) -> str:
        return await self.instance.enqueue()

    async def acquire(self) -> Sequence[Attempt]:
        return await mail_leases.acquire(self.database, {"": 4}, lease=LEASE)

    async def get(self, delivery_id: str) -> Any:
        return await self.instance.mail(delivery_id)

    async def retry(self, delivery_id: str) -> object:
        return await mail_store.retry(self.database, delivery_id)

    def loop(self, send: Send, pace: Pace = PACE) -> DeliveryLoop[Any]:
        async def sent(attempt: Attempt, _server: str) -> tuple[object, AttemptResult]:
            return DESTINATION, await send(attempt)

        async def target(_server: str) -> object:
            return DESTINATION

        def close() -> None:
            """Has no connections."""

        sender = cast(Sender, SimpleNamespace(send=sent, target=target, close=close, seconds=120))
        return MailLoop(self.database, sender, metrics=self.metrics, pace=pace)


class Pushes(Deliveries):
    """Webhooks, each of an aggregate of its own."""

    table: ClassVar = "push_deliveries"
    key: ClassVar = "delivery_id"
    kind: ClassVar = "webhook"
    name: ClassVar = "push"
    leases: ClassVar = push_leases
    ended: ClassVar = delivery_store.ENDED
    first_wait: ClassVar = timedelta(seconds=10)
    longest_wait: ClassVar = timedelta(hours=6)
    give_up_after: ClassVar = timedelta(days=3)

    async def add(self) -> str:
        delivery_id = new_id()
        delivery = NewDelivery(
            delivery_id, "target", PushKind.WEBHOOK, "org", delivery_id, "group.added", 1, "{}"
        )
        async with self.database.transaction() as transaction:
            await push_leases.add(transaction, [delivery])
        return delivery_id

    async def acquire(self) -> Sequence[Attempt]:
        return await push_leases.acquire(self.database, dict.fromkeys(Tier, 4), lease=LEASE)

    async def get(self, delivery_id: str) -> Any:
        return await delivery_store.get(
            self.database, delivery_id=delivery_id, organization_id="org"
        )

    async def retry(self, delivery_id: str) -> object:
        return await push_leases.retry(
            self.database, delivery_id=delivery_id, organization_id="org"
        )

    async def make_due(self) -> None:
        await super().make_due()
        await self.sql.execute("update push_targets set next_turn_at = now()")

    def loop(self, send: Send, pace: Pace = PACE) -> DeliveryLoop[Any]:
        async def close() -> None:
            """Has no connections."""

        sender = cast(PushSender, SimpleNamespace(send=send, close=close))
        return PushLoop(self.database, sender, metrics=self.metrics, pace=pace)
