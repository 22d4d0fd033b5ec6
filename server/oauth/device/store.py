"""The tables `device_authorizations` and `user_code_budgets`, and every statement on them."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from server.store.database import Statements
from server.store.retention import retention
from server.store.rows import from_row
from server.store.statement import statement, surviving_failure

LIFETIME: Final = timedelta(minutes=10)
POLL_SECONDS: Final = 5
# RFC 8628, section 3.5.
_SLOW_DOWN_SECONDS: Final = 5
# A user may use codes this often at once, and once more in each interval.
_BURST: Final = 20
BUDGET_INTERVAL: Final = timedelta(seconds=30)

# Stores a started authorization. No row: the user code is in use.
_ADD = statement("""
insert into device_authorizations (device_code_hash, user_code_hash, application_id, scopes,
    resource, resources, resource_scopes, next_poll_at, poll_seconds, expires_at)
values (:device_code_hash::bytea, :user_code_hash::bytea, :application_id::text, :scopes::text[],
    coalesce((:resources::text[])[1], ''), :resources::text[], :resource_scopes::text[],
    clock_timestamp(), :poll_seconds::int,
    clock_timestamp() + :lifetime::interval)
on conflict (user_code_hash) do nothing
returning expires_at""")

_IS_PENDING = """user_code_hash = :user_code_hash and decision = 'pending'
    and expires_at > clock_timestamp()"""
_COLUMNS = """device_code_hash, application_id, scopes, resource, resources, resource_scopes,
    expires_at"""

# The authorization that waits for a person.
_FIND = statement(f"select {_COLUMNS} from device_authorizations where {_IS_PENDING}")

# Decides. Of several simultaneous decisions, one gets the row.
_DECIDE = statement(f"""
update device_authorizations set decision = :decision::text
where {_IS_PENDING}
returning {_COLUMNS}""")

# Notes a poll, and makes the interval longer if the poll is early.
_POLL = statement(f"""
with device as (
    select device_code_hash, decision, expires_at <= clock_timestamp() as is_expired,
        clock_timestamp() < next_poll_at as is_early
    from device_authorizations
    where device_code_hash = :device_code_hash and application_id = :application_id
    for update),
polled as (
    update device_authorizations as stored set
        poll_seconds = poll_seconds + further,
        next_poll_at = clock_timestamp() + make_interval(secs => poll_seconds + further)
    from device cross join lateral (
        select case when is_early then {_SLOW_DOWN_SECONDS} else 0 end as further) as added
    where stored.device_code_hash = device.device_code_hash)
select decision, is_expired, is_early from device""")

# An hour after their expiry. Until then, a device that polls learns of the expiry.
ENDED: Final = retention(
    "device_authorizations", until="expires_at", after="now() - interval '1 hour'"
)

# Takes a turn of a user's budget. No row: the budget is spent. Guesses count although their calls
# fail.
_TAKE_TURN = surviving_failure(
    statement("""
insert into user_code_budgets as budget (user_id, theoretical_arrival_at)
values (:user_id::text, clock_timestamp() + :interval::interval)
on conflict (user_id) do update set theoretical_arrival_at =
    greatest(budget.theoretical_arrival_at, clock_timestamp()) + :interval::interval
where budget.theoretical_arrival_at <= clock_timestamp() + :tolerance::interval
returning theoretical_arrival_at""")
)

UNUSED_BUDGETS: Final = retention("user_code_budgets", until="theoretical_arrival_at")


class Decision(enum.StrEnum):
    """The decision of a person about a device."""

    PENDING = "pending"
    APPROVED = "approved"
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class WaitingDevice:
    """A device that waits for a person, or on which one has just decided."""

    device_code_hash: bytes
    application_id: str
    scopes: Sequence[str]
    # The first of `resources`, also of servers of earlier builds, which store it alone.
    resource: str
    resources: Sequence[str]
    resource_scopes: Sequence[str]
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Poll:
    """The state that a poll finds."""

    decision: Decision
    is_expired: bool
    is_early: bool


async def add(database: Statements, **values: object) -> bool:
    """Stores a started authorization. False: its user code is in use."""
    row = await database.fetch_row(_ADD, **values, poll_seconds=POLL_SECONDS, lifetime=LIFETIME)
    return row is not None


async def find(database: Statements, user_code_hash: bytes) -> WaitingDevice | None:
    """The device that waits for a person with this code."""
    row = await database.fetch_row(_FIND, user_code_hash=user_code_hash)
    return from_row(WaitingDevice, row) if row else None


async def decide(
    transaction: Statements, user_code_hash: bytes, decision: Decision
) -> WaitingDevice | None:
    """Decides about the device with this code. None: it does not wait for a decision."""
    row = await transaction.fetch_row(_DECIDE, user_code_hash=user_code_hash, decision=decision)
    return from_row(WaitingDevice, row) if row else None


async def poll(
    database: Statements, *, device_code_hash: bytes, application_id: str
) -> Poll | None:
    """Notes a poll. None: the device code is unknown, or of another application."""
    row = await database.fetch_row(
        _POLL, device_code_hash=device_code_hash, application_id=application_id
    )
    return Poll(**dict(row) | {"decision": Decision(row["decision"])}) if row else None


async def take_turn(database: Statements, user_id: str) -> bool:
    """Counts a use of a user code. False: the user has used too many."""
    row = await database.fetch_row(
        _TAKE_TURN,
        user_id=user_id,
        interval=BUDGET_INTERVAL,
        tolerance=BUDGET_INTERVAL * (_BURST - 1),
    )
    return row is not None
