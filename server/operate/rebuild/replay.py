"""Replays the events of a batch, and checks that replayed events are still the same.

The n-th events of all aggregates of a batch are generation n. A wave is the events of one type in a
generation: at most one event of an aggregate, as projections require.
"""

from typing import Final, NoReturn

from server.log.archive_store import require_all_events
from server.operate.rebuild.errors import ChangedLogError, UnreplayableLogError, described
from server.operate.rebuild.rounds import Batch
from server.store.database import Transaction
from server.store.refusals import REFUSED_VALUES
from server.store.statement import statement

# Whether the batch still has to be replayed. Locked, so that it is replayed once.
_CLAIM = statement("""
select from keystead_rebuild.rebuild_batches
where batch = :batch and digest is null for update""")

_EVENTS: Final = """
from keystead_rebuild.rebuild_pieces as piece
    join events as event on event.aggregate_id = piece.aggregate_id
        and event.aggregate_type = piece.aggregate_type
        and event.sequence between piece.first_sequence and piece.last_sequence"""

# The events of a batch in their waves.
_NUMBER_EVENTS: Final = f"""
create temporary table numbered_events on commit drop as
select event.*,
    row_number() over (partition by event.aggregate_id order by event.sequence) as generation
{_EVENTS}
where piece.batch = {{batch}}
order by generation, event_type;
create index on numbered_events (generation, event_type, aggregate_id)"""

# The number of events, and a value that changes with any of them.
_DIGEST: Final = """
select count(*) as events, bit_xor(hashtextextended(row(aggregate_id, sequence, aggregate_type,
    event_type, revision, payload, creator, owner, created_at)::text, 0)) as digest"""

# The digest of the events that are about to be replayed.
_DIGEST_NOW = statement(f"{_DIGEST} from numbered_events")

# The digest of the events of a batch, beside that of the events that were replayed.
_DIGESTS = statement(f"""
with event as (select event.* {_EVENTS} where piece.batch = :batch),
now as ({_DIGEST} from event)
select replayed.digest as replayed, now.*
from keystead_rebuild.rebuild_batches as replayed, now where replayed.batch = :batch""")

# Replays the waves in their order.
_REPLAY = statement("""
select keystead_rebuild.project(generation, event_type, null) from (
    select distinct generation, event_type from numbered_events
    order by generation, event_type) as wave""")

# Replays one event.
_REPLAY_ONE = statement("""
select keystead_rebuild.project(:generation, :event_type, :aggregate_id)""")

# Each event, in the order of the waves.
_EACH = statement("""
select aggregate_type, aggregate_id, sequence, event_type, revision, generation
from numbered_events order by generation, event_type, created_at, aggregate_id""")

_COMPLETE = statement("""
update keystead_rebuild.rebuild_batches set digest = :digest where batch = :batch""")


async def replay(transaction: Transaction, batch: Batch) -> None:
    """Replays a batch. Raises EventsArchivedError, ChangedLogError, UnreplayableLogError."""
    if not await transaction.fetch(_CLAIM, batch=batch.batch):
        return
    await transaction.script(_NUMBER_EVENTS.format(batch=batch.batch))
    found = await transaction.fetch_one(_DIGEST_NOW)
    if found["events"] != batch.events:
        await _refuse(transaction)
    await transaction.script("savepoint batch")
    try:
        await transaction.fetch(_REPLAY)
    except REFUSED_VALUES:
        await transaction.script("rollback to savepoint batch")
        await _find_refused(transaction)
        raise
    await transaction.fetch(_COMPLETE, batch=batch.batch, digest=found["digest"])
    await transaction.script("release savepoint batch; drop table numbered_events")


async def verify(transaction: Transaction, batch: Batch) -> None:
    """Checks the events of a batch that an earlier process has replayed.

    Raises EventsArchivedError, ChangedLogError.
    """
    row = await transaction.fetch_one(_DIGESTS, batch=batch.batch)
    if (row["events"], row["digest"]) != (batch.events, row["replayed"]):
        await _refuse(transaction)


async def _refuse(transaction: Transaction) -> NoReturn:
    """Events of a batch were archived, or the log was changed."""
    await require_all_events(transaction)
    raise ChangedLogError


async def _find_refused(transaction: Transaction) -> None:
    """Replays the events one by one, to name the one that PostgreSQL refuses."""
    for event in await transaction.fetch(_EACH):
        try:
            await transaction.fetch(
                _REPLAY_ONE,
                generation=event["generation"],
                event_type=event["event_type"],
                aggregate_id=event["aggregate_id"],
            )
        except REFUSED_VALUES as error:
            raise UnreplayableLogError(f"{described(event)}: {error}") from error
