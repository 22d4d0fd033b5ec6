"""The table `recovery_requests`: addresses whose users requested recovery links.

The rule: a request is one statement, the same for every address, and the number of rows is limited.
A row is deleted after its address was looked up.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from server.access.user_aggregate import address_key
from server.store.database import Statements
from server.store.statement import statement

# Stores an address, unless it is stored already or the table is full.
_ADD = statement(f"""
insert into recovery_requests (address, requested_at, due_at)
select {address_key(":address::text")}, clock.now, clock.now
from (select clock_timestamp() as now) as clock
where (select count(*) from recovery_requests) < :max_pending
on conflict (address) do nothing""")

# Leases requests that are due, oldest first.
_ACQUIRE = statement("""
with due as (
    select address from recovery_requests where due_at <= clock_timestamp()
    order by due_at limit :limit for update skip locked)
update recovery_requests as request set due_at = clock_timestamp() + :lease::interval from due
where request.address = due.address
returning request.address, request.due_at""")

# Ends a request whose lease is still held.
_END = statement("""
delete from recovery_requests where address = :address and due_at = :due_at""")

# Deletes requests that were not processed in time; by now, the user has probably tried again.
_FORGET = statement("""
delete from recovery_requests where requested_at < clock_timestamp() - interval '10 minutes'""")


@dataclass(frozen=True, slots=True)
class Request:
    """A request that this process has leased, with the key of its address."""

    address: str
    due_at: datetime


async def add(database: Statements, address: str, *, max_pending: int) -> None:
    """Stores a request, unless the table is full."""
    await database.fetch(_ADD, address=address, max_pending=max_pending)


async def acquire(database: Statements, *, limit: int, lease: timedelta) -> list[Request]:
    """Leases requests; no other process gets them until the lease ends."""
    rows = await database.fetch(_ACQUIRE, limit=limit, lease=lease)
    return [Request(row["address"], row["due_at"]) for row in rows]


async def end(database: Statements, request: Request) -> None:
    """Deletes a processed request."""
    await database.fetch(_END, address=request.address, due_at=request.due_at)


async def forget_late(database: Statements) -> None:
    """Deletes requests that waited for too long."""
    await database.fetch(_FORGET)
