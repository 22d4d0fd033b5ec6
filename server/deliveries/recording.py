"""Records the results of attempts.

The rule: every statement of an attempt repeats the attempt's number, so a process that has lost its
lease changes nothing. One exception: a sent delivery is recorded as sent even after the lease was
lost. An outage of the database may outlast the lease, and the next holder must not send it again.
"""

from collections.abc import Sequence
from typing import NamedTuple

from server.deliveries.results import Attempt, AttemptResult, DeliveryState, storable
from server.store.database import Statements
from server.store.statement import Statement


class Recording(NamedTuple):
    """The statements on results, of one kind of delivery.

    `record` takes an array for each column, and returns delivery_id, number and state of the
    deliveries that it changed. `get_state` returns the state after a lost lease: this attempt ended
    or postponed the delivery, or it was cancelled. No row: a later attempt exists.
    """

    record: Statement
    get_state: Statement


async def record(
    database: Statements,
    statements: Recording,
    made: Sequence[tuple[Attempt, AttemptResult]],
    **columns: Sequence[object],
) -> list[DeliveryState | None]:
    """Records results; returns the state of each delivery. None: the lease was lost.

    PENDING schedules the next attempt, or ends the delivery as failed after `give_up_at`. A
    delivery whose destination does not work stays due, and its back-off does not grow. `columns`
    are further ones of the kind.
    """
    rows = await database.fetch(
        statements.record,
        delivery_ids=[attempt.delivery_id for attempt, _ in made],
        numbers=[attempt.number for attempt, _ in made],
        states=[result.state for _, result in made],
        reasons=[result.reason for _, result in made],
        messages=[storable(result.message) for _, result in made],
        stay_due=[result.destination_works is False for _, result in made],
        **columns,
    )
    states = {(row["delivery_id"], row["number"]): DeliveryState(row["state"]) for row in rows}
    return [
        states.get((attempt.delivery_id, attempt.number))
        or await _state(database, statements, attempt)
        for attempt, _ in made
    ]


async def _state(
    database: Statements, statements: Recording, attempt: Attempt
) -> DeliveryState | None:
    """The state of a delivery whose attempt no longer holds the lease.

    Its result was recorded by a statement whose answer was lost, or it was cancelled, or leased
    again.
    """
    row = await database.fetch_row(
        statements.get_state, delivery_id=attempt.delivery_id, number=attempt.number
    )
    return DeliveryState(row["state"]) if row else None
