"""The statements on leases, for the tables of each kind of delivery.

A table of deliveries has the columns state, attempts, failures, is_leased, is_urgent,
next_attempt_at, due_at, give_up_at, created_at and ended_at; that of their attempts has number,
started_at, ended_at, reason and message.

The rule: every statement of an attempt repeats the attempt's number, so a process that has lost its
lease changes nothing. One exception: a sent delivery is recorded as sent even after the lease was
lost.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from server.deliveries.results import AttemptResult, DeliveryState, storable
from server.store.database import Statements
from server.store.statement import Statement, statement


@dataclass(frozen=True, slots=True)
class Leases:
    """The names of the tables and of their key, and the back-off. All are constants of stores.

    The waits are intervals. The first one is the upper bound of the wait after the first failure.
    `of_attempt` are further columns of the attempts, and `of_result` further columns of the
    relation `made` of results, each with its type.
    """

    table: str
    key: str
    attempts: str
    first_wait: str
    longest_wait: str
    of_attempt: Mapping[str, str] = field(default_factory=dict)
    of_result: Mapping[str, str] = field(default_factory=dict)

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
        return self._pending(
            self.table, f":{self.key}", f"is_leased and {self.table}.attempts = :number"
        )

    def _pending(self, delivery: str, key: str, condition: str) -> str:
        """The condition that a delivery has the key, is pending, and meets a further condition.

        Within a case, the state is no condition of an index: with statistics of a table without
        pending deliveries, the planner would search a thousand later ones for the key.
        """
        return f"""{delivery}.{self.key} = {key} and case {delivery}.state
        when 'pending' then {condition} else false end"""

    @property
    def _made(self) -> str:
        """The results, one row for each: the relation `made`; and their attempts end."""
        columns = {
            self.key: "text",
            "number": "int",
            "reason": "text",
            "message": "text",
            "state": "text",
            "stays_due": "boolean",
            **self.of_attempt,
            **self.of_result,
        }
        arrays = ", ".join(f":{name}::{kind}[]" for name, kind in columns.items())
        further = "".join(f", {each} = made.{each}" for each in self.of_attempt)
        return f"""
with made as (
    select each.*, clock_timestamp() as now, 0.5 + random() / 2 as jitter
    from unnest({arrays}) as each ({", ".join(columns)})),
attempt as (
    update {self.attempts} as attempt set ended_at = made.now, reason = made.reason,
        message = made.message{further}
    from made where attempt.{self.key} = made.{self.key} and attempt.number = made.number)"""

    def recording(self, also: str = "") -> "Recording":
        """The statements that record results.

        `also` may read the relations `made`, the results, and `ended`, their deliveries. Each
        returns the key and the number of the attempt, and the state of the delivery.
        """
        # Exponential back-off with jitter, which spreads out deliveries that failed together.
        next_time = f"""made.now + made.jitter
            * least({self.longest_wait}, {self.first_wait} * power(2, least(failures, 12)))"""
        recorded = f"select {self.key}, number, state from ended"
        key, holds_lease = f"made.{self.key}", "is_leased and delivery.attempts = made.number"
        return Recording(
            # A sent delivery is recorded even without the lease: an outage of the database may
            # outlast the lease, and the next holder must not send it again.
            end=statement(f"""{self._made},
ended as (
    update {self.table} as delivery set state = made.state, ended_at = made.now, is_leased = false
    from made
    where {self._pending("delivery", key, f"made.state = 'sent' or {holds_lease}")}
    returning delivery.*, made.number){also}
{recorded}"""),
            # Ends the delivery if this was its first attempt after `give_up_at`. A delivery that
            # stays due waits only for its destination.
            postpone=statement(f"""{self._made},
ended as (
    update {self.table} as delivery set is_leased = false,
        failures = case when made.stays_due then failures else failures + 1 end,
        next_attempt_at = case when made.stays_due then made.now else {next_time} end,
        due_at = case when made.stays_due then due_at else {next_time} end,
        state = case when give_up_at <= made.now then 'failed' else 'pending' end,
        ended_at = case when give_up_at <= made.now then made.now end
    from made
    where {self._pending("delivery", key, holds_lease)}
    returning delivery.*, made.number){also}
{recorded}"""),
            # After a lost lease: this attempt ended or postponed the delivery, or it was cancelled.
            # No row: a later attempt exists.
            get_state=statement(f"""
select state from {self.table} where {self.key} = :{self.key} and attempts = :number"""),
            key=self.key,
        )


class Recording(NamedTuple):
    """The statements of `record`, for the tables of one kind of delivery."""

    end: Statement
    postpone: Statement
    get_state: Statement
    key: str


@dataclass(frozen=True, slots=True)
class Made:
    """An attempt that was made, and its result.

    `further` are the columns of the feature.
    """

    delivery_id: str
    number: int
    result: AttemptResult
    further: Mapping[str, object] = field(default_factory=dict)


async def record(
    database: Statements, statements: Recording, made: Sequence[Made]
) -> list[DeliveryState | None]:
    """Records results; returns the state of each delivery. None: the lease was lost.

    PENDING schedules the next attempt, or ends the delivery as failed after `give_up_at`. A
    delivery whose destination does not work stays due, and its back-off does not grow.
    """
    postponed = [each for each in made if each.result.state is DeliveryState.PENDING]
    ended = [each for each in made if each.result.state is not DeliveryState.PENDING]
    states = {
        (row[statements.key], row["number"]): DeliveryState(row["state"])
        for statement, results in ((statements.end, ended), (statements.postpone, postponed))
        if results
        for row in await database.fetch(statement, **_columns(statements, results))
    }
    return [
        states.get((each.delivery_id, each.number)) or await _state(database, statements, each)
        for each in made
    ]


def _columns(statements: Recording, made: Sequence[Made]) -> dict[str, list[object]]:
    rows = [
        {
            **_of_attempt(statements, each),
            "reason": each.result.reason,
            "message": storable(each.result.message),
            "state": each.result.state,
            "stays_due": each.result.destination_works is False,
            **each.further,
        }
        for each in made
    ]
    return {name: [row[name] for row in rows] for name in rows[0]}


def _of_attempt(statements: Recording, made: Made) -> dict[str, object]:
    return {statements.key: made.delivery_id, "number": made.number}


async def _state(database: Statements, statements: Recording, made: Made) -> DeliveryState | None:
    """The state of a delivery whose attempt no longer holds the lease.

    Its result was recorded by a statement whose answer was lost, or it was cancelled, or leased
    again.
    """
    row = await database.fetch_row(statements.get_state, **_of_attempt(statements, made))
    return DeliveryState(row["state"]) if row else None
