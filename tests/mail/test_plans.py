"""What loops ask for again and again is searched for in an index, however many mails there are."""

import re
from datetime import timedelta
from typing import Any

import pytest

from server.mail import delivery_store, store
from tests.mail.desk import Desk


class Explained:
    """A database that plans each statement, and answers as if there were nothing."""

    def __init__(self, desk: Desk) -> None:
        self._sql = desk.sql
        self.plans: list[str] = []

    async def fetch(self, sql: str, *args: object) -> list[Any]:
        """No rows."""
        rows = await self._sql.fetch(f"explain {sql}", *args)
        self.plans.append("\n".join(line for (line,) in rows))
        return []

    async def fetch_one(self, sql: str, *args: object) -> Any:
        """A count of none."""
        await self.fetch(sql, *args)
        return {"count": 0}


@pytest.fixture
async def explained(desk: Desk) -> Explained:
    """Plans that read a whole table only where there is no other way."""
    await desk.sql.execute("set enable_seqscan = off")
    return Explained(desk)


def searched(plan: str) -> set[tuple[str, str]]:
    """The indexes that are searched for a condition, and its column."""
    found = re.findall(r"Scan (?:using|on) (\w+).*\n\s+Index Cond: \(+(\w+)", plan)
    return {(index, column) for index, column in found}


async def test_mails_that_are_due_are_searched_for(explained: Explained) -> None:
    lease = timedelta(minutes=1)
    await delivery_store.claim(explained, limit=4, lease=lease)  # type: ignore[arg-type]
    await delivery_store.claim(explained, limit=4, lease=lease, only_urgent=True)  # type: ignore[arg-type]

    due, urgent = explained.plans
    assert ("mails_due", "next_attempt_at") in searched(due)
    assert ("mails_urgent", "next_attempt_at") in searched(urgent)


async def test_what_is_to_be_forgotten_is_searched_for(explained: Explained) -> None:
    await store.forget_ended(explained)  # type: ignore[arg-type]

    mails, recipients = explained.plans
    assert ("mails_ended_at", "ended_at") in searched(mails)
    index = "mail_recipients_theoretical_arrival_at"
    assert (index, "theoretical_arrival_at") in searched(recipients)
