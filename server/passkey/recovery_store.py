"""The table `recovery_requests`: addresses whose users requested recovery links.

The rule: a request is one statement, the same for every address, and the number of rows is limited.
No network can take the room or the turns of another. A row is deleted after its address was looked
up.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from server.access.user_aggregate import address_key
from server.store.database import Statements
from server.store.retention import retention
from server.store.rows import Query
from server.store.statement import statement

# Stores an address. Its turn follows that of the last waiting request of its network, and is not
# before the turn that is served now, which is the lowest one that waits (start-time fair queueing).
# If the table is full, the newest request of the network with the most requests makes room, unless
# this network would then have as many. An address that another network has requested moves to this
# one if its turn is earlier here.
_ADD = statement(f"""
with asked as (select {address_key(":address::text")} as address, clock_timestamp() as now),
waiting as (
    select coalesce(min(turn) filter (where due_at <= clock_timestamp()), 0) as now_served,
        max(turn) filter (where network = :network) as last_of_network,
        count(*) filter (where network = :network) as of_network,
        count(*) >= :max_pending as is_full
    from recovery_requests),
own as (
    select greatest(now_served, last_of_network + 1) as turn, of_network + 1 as requests, is_full,
        exists (select from recovery_requests join asked using (address)) as is_pending
    from waiting),
displaced as (
    delete from recovery_requests where address = (
        select request.address from recovery_requests as request
        where request.network = (
            select network from recovery_requests cross join own
            where own.is_full and not own.is_pending
            group by network having count(*) > min(own.requests)
            order by count(*) desc, network limit 1)
        order by request.requested_at desc limit 1 for update skip locked)
    returning address)
insert into recovery_requests as request (network, turn, address, return_to, requested_at, due_at)
select :network, own.turn, asked.address, :return_to::text, asked.now, asked.now from asked, own
where own.is_pending or not own.is_full or exists (select from displaced)
on conflict (address) do update set network = excluded.network, turn = excluded.turn
where excluded.turn < request.turn""")


@dataclass(frozen=True, slots=True)
class Request:
    """A request that this process has leased, with the key of its address."""

    address: str
    return_to: str
    due_at: datetime


# Leases requests that are due, in their turn. No other process gets them until the lease ends.
ACQUIRE: Final = Query(
    """
with due as (
    select address from recovery_requests where due_at <= clock_timestamp()
    order by turn, due_at limit :limit for update skip locked)
update recovery_requests as request set due_at = clock_timestamp() + :lease::interval from due
where request.address = due.address
returning request.address, request.return_to, request.due_at""",
    Request,
)

# Ends a request whose lease is still held.
_END = statement("""
delete from recovery_requests where address = :address and due_at = :due_at""")

# Requests that were not processed in time; by now, the user has probably tried again.
ENDED: Final = retention(
    "recovery_requests", until="requested_at", after="now() - interval '10 minutes'"
)


async def add(
    database: Statements, address: str, *, return_to: str, network: str, max_pending: int
) -> None:
    """Stores a request of a client network, unless the table is full of others in its turn.

    If a request for the address waits, its target stays.
    """
    await database.fetch(
        _ADD, address=address, return_to=return_to, network=network, max_pending=max_pending
    )


async def end(database: Statements, request: Request) -> None:
    """Deletes a processed request."""
    await database.fetch(_END, address=request.address, due_at=request.due_at)
