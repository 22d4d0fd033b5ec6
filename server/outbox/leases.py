"""The statements on leases, for the tables of each kind of delivery.

A table of deliveries has the columns state, attempts, failures, is_leased, is_urgent,
next_attempt_at, due_at, give_up_at, created_at and ended_at; that of their attempts has number,
started_at, ended_at, reason and message.

The rule: every statement of an attempt repeats the attempt's number, so a process that has lost its
lease changes nothing. One exception: a sent delivery is recorded as sent even after the lease was
lost.
"""

from dataclasses import dataclass
from typing import NamedTuple

from server.outbox.results import AttemptResult, DeliveryState, storable
from server.store.database import Statements
from server.store.statement import Statement, statement


@dataclass(frozen=True, slots=True)
class Leases:
    """The names of the tables and of their key, and the back-off. All are constants of stores.

    The waits are intervals. The first one is the upper bound of the wait after the first failure.
    `of_attempt` are further columns of the attempts, each the parameter with its name.
    """

    table: str
    key: str
    attempts: str
    first_wait: str
    longest_wait: str
    of_attempt: tuple[str, ...] = ()

    def acquired(self, due: str, columns: str, *, before: str = "", also: str = "") -> Statement:
        """Leases the deliveries of `due`, a query that gives their keys, and that locks them.

        `before` are relations for `due`. `also` are further statements, which may read the
        relation `leased` of `columns`.
        """
        return statement(f"""
with {before}due as ({due}),
leased as (
    update {self.table} set attempts = attempts + 1, is_leased = true, is_urgent = false,
        next_attempt_at = clock_timestamp() + :lease::interval
    from due where {self.table}.{self.key} = due.{self.key}
    returning {self._columns(columns)}),
attempt as (
    insert into {self.attempts} ({self.key}, number, started_at)
    select {self.key}, attempts, clock_timestamp() from leased){also}
select {columns} from leased""")

    def _columns(self, columns: str) -> str:
        return ", ".join(f"{self.table}.{each.strip()}" for each in columns.split(","))

    @property
    def held(self) -> str:
        """The condition that the attempt `:number` of the delivery holds its lease."""
        return f"""{self.table}.{self.key} = :{self.key} and {self.table}.attempts = :number
        and {self.table}.state = 'pending' and is_leased"""

    @property
    def _attempt_ended(self) -> str:
        further = "".join(f", {each} = :{each}" for each in self.of_attempt)
        return f"""
    update {self.attempts} set ended_at = clock_timestamp(), reason = :reason,
        message = :message{further}
    where {self.key} = :{self.key} and number = :number"""

    def recording(self, also: str = "") -> "Recording":
        """The statements that record results. `also` may read the relation `ended`: key, state."""
        # Exponential back-off with jitter, which spreads out deliveries that failed together.
        next_time = f"""clock.now + clock.jitter
            * least({self.longest_wait}, {self.first_wait} * power(2, least(failures, 12)))"""
        return Recording(
            # A sent delivery is recorded even without the lease: an outage of the database may
            # outlast the lease, and the next holder must not send it again.
            end=statement(f"""
with attempt as ({self._attempt_ended}),
ended as (
    update {self.table} set state = :state, ended_at = clock_timestamp(), is_leased = false
    where {self.held} or (
        :state = 'sent' and {self.table}.{self.key} = :{self.key}
        and {self.table}.state = 'pending')
    returning *){also}
select state from ended"""),
            # Ends the delivery if this was its first attempt after `give_up_at`. A delivery that
            # stays due waits only for its destination.
            postpone=statement(f"""
with attempt as ({self._attempt_ended}),
ended as (
    update {self.table} set is_leased = false,
        failures = case when :stays_due::boolean then failures else failures + 1 end,
        next_attempt_at = case when :stays_due::boolean then clock.now else {next_time} end,
        due_at = case when :stays_due::boolean then due_at else {next_time} end,
        state = case when give_up_at <= clock.now then 'failed' else 'pending' end,
        ended_at = case when give_up_at <= clock.now then clock.now end
    from (select clock_timestamp() as now, 0.5 + random() / 2 as jitter) as clock
    where {self.held}
    returning {self.table}.*){also}
select state from ended"""),
            # After a lost lease: this attempt ended or postponed the delivery, or it was cancelled.
            # No row: a later attempt exists.
            get_state=statement(f"""
select state from {self.table} where {self.key} = :{self.key} and attempts = :number"""),
        )


class Recording(NamedTuple):
    """The statements of `record`, for the tables of one kind of delivery."""

    end: Statement
    postpone: Statement
    get_state: Statement


async def record(
    database: Statements,
    statements: Recording,
    attempt: dict[str, object],
    result: AttemptResult,
    **further: object,
) -> DeliveryState | None:
    """Records the result; returns the state of the delivery. None: the lease was lost.

    PENDING schedules the next attempt, or ends the delivery as failed after `give_up_at`. A
    delivery whose destination does not work stays due, and its back-off does not grow. `attempt`
    has the key and the number; `further` are the parameters of the statements of the feature.
    """
    told = {"reason": result.reason, "message": storable(result.message), **further}
    if result.state is DeliveryState.PENDING:
        stays_due = result.destination_works is False
        row = await database.fetch_row(statements.postpone, **attempt, **told, stays_due=stays_due)
    else:
        row = await database.fetch_row(statements.end, **attempt, **told, state=result.state)
    # No row: recorded by a statement whose answer was lost, or cancelled, or leased again.
    row = row or await database.fetch_row(statements.get_state, **attempt)
    return DeliveryState(row["state"]) if row else None
