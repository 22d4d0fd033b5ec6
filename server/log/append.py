"""How a command appends an event to the log.

A command is one statement: one round trip, atomic, and visible to all later reads.

The rule: only this module writes to `events`, and no event is appended without its projections in
the same statement. (`archive_store` puts archived events back, which have their projections.)

Every such statement has the same shape, which `append` spells out:

    target     the aggregate, locked; no row refuses the command: preconditions are its `where`
    event      the new row of `events`, numbered by the hybrid logical clock of its aggregate
    projected  for each projection of the event, its statement, which reads the relation `event`

`server/operate/rebuild/` runs the same projections over the whole log.
"""

from collections.abc import Mapping, Sequence

from server.log.event import Event
from server.store.database import Row, Statements
from server.store.organizations import of_existing
from server.store.rows import Details
from server.store.statement import Statement, statement
from server.values.errors import NotFound, unauthenticated

# SQL by event. Each statement reads the relation `event`, whose columns are those of the table
# `events`, and writes one read table. `event` may have several rows, each of another aggregate.
Projections = Mapping[type[Event], Sequence[str]]


class NoTargetError(LookupError):
    """The target of an event does not exist, and its statement declares no failure for that."""


class Append(Statement):
    """The statement that appends an event of one type: see `append`.

    The values of its methods are the parameters of the statement, except for the payload and the
    fields of the event.
    """

    __slots__ = ("_checks_creator", "_missing", "_of_event")

    def __init__(
        self,
        compiled: Statement,
        event: type[Event],
        *,
        missing: tuple[str, NotFound] | None,
        checks_creator: bool,
    ) -> None:
        super().__init__(compiled.sql, compiled.names)
        fields: tuple[str, ...] = event.__match_args__
        self._of_event = tuple(name for name in fields if name in compiled.names)
        self._missing = missing
        self._checks_creator = checks_creator

    async def one(self, database: Statements, event: Event, **values: object) -> Row:
        """Appends the event, unless nothing would change, and gives the row of its aggregate.

        `Failure` NOT_FOUND, or NoTargetError without `missing`: `target` finds no aggregate.
        `Failure` UNAUTHENTICATED: the creator is not admitted, and nothing was appended.
        """
        for name in self._of_event:
            values[name] = getattr(event, name)
        row = await database.fetch_row(self, payload=event.payload(), **values)
        if row is None:
            if self._missing is None:
                raise NoTargetError
            key, not_found = self._missing
            raise not_found(str(values[key]))
        if self._checks_creator and not row["is_admitted"]:
            raise unauthenticated()
        return row

    async def row(self, database: Statements, event: Event, **values: object) -> Row | None:
        """The same for an aggregate that may be missing, without `missing`: None."""
        try:
            return await self.one(database, event, **values)
        except NoTargetError:
            return None

    async def details(self, database: Statements, event: Event, **values: object) -> Details:
        """The same, and the details of the aggregate, the first columns of its row."""
        row = await self.one(database, event, **values)
        return Details(*row[: len(Details._fields)])


def append(
    event: type[Event],
    *,
    target: str,
    projections: Projections,
    also: Mapping[str, str] | None = None,
    returning: Sequence[str] = (),
    payload: str = ":payload::jsonb",
    missing: tuple[str, NotFound] | None = None,
    admission: str = "",
) -> Append:
    """The statement of a command. Called at import, with constants only.

    Its parameters are `:payload`, `:creator`, and those of `target` and `also`; parameters with the
    name of a field of the event have its value. `target` gives a row for each aggregate, mostly
    one: id, owner, sequence (0 for a new aggregate), creation_date, change_date (null for a new
    one), changed (false: nothing would change, so no event), and the further columns that
    `returning`, `also` and `payload` read. `also` are further data-modifying statements by name,
    for tables that are not rebuilt from the log. `payload` is an expression, for events of several
    aggregates that differ. `missing` is the parameter with the ID of the object, and the failure if
    `target` does not find it. `admission` is a condition on the creator, an SQL expression that is
    evaluated once the rows of `target` are locked.

    Only the rows of `target` are read as they are once locked. All other rows are read and deleted
    as of the statement's beginning: where that matters, lock the aggregate by an earlier statement.

    The result has a row for each of `target`: sequence, creation_date, change_date, owner.
    """
    statements = {
        f"projected_{n}": sql for n, sql in enumerate(projections[event], start=1)
    } | dict(also or {})
    further = "".join(f",\n{name} as ({sql})" for name, sql in statements.items())
    columns = "".join(f", target.{column}" for column in returning)
    checked = condition = ""
    if admission:
        checked = f""",
caller as materialized (
    select {admission} as is_admitted from (select count(*) from target) as locked)"""
        condition = " and (select is_admitted from caller)"
        columns += ", (select is_admitted from caller)"
    # S608: every part is a constant of this code; values travel as arguments.
    compiled = statement(f"""
with target as ({target}){checked},
event as (
    insert into events (aggregate_id, sequence, aggregate_type, event_type, revision, payload,
        creator, owner, created_at)
    select target.id, clock.sequence, '{event.aggregate_type()}', '{event.event_type}', 1,
        {payload}, :creator, target.owner,
        'epoch'::timestamptz + clock.sequence * interval '1 microsecond'
    from target, lateral (
        select greatest((extract(epoch from clock_timestamp()) * 1e6)::bigint, target.sequence + 1)
            as sequence
    ) as clock
    where target.changed{condition}
    returning *
){further}
select coalesce(event.sequence, target.sequence) as sequence,
    coalesce(target.creation_date, event.created_at) as creation_date,
    coalesce(event.created_at, target.change_date) as change_date,
    target.owner{columns}
from target left join event on event.aggregate_id = target.id""")
    return Append(compiled, event, missing=missing, checks_creator=bool(admission))


def new_aggregate(*, id: str, owner: str) -> str:  # noqa: A002 -- the column's name
    """The `target` of a command that begins an aggregate; both are expressions.

    No row if the organization `owner` does not exist.
    """
    # S608: expressions of stores.
    return f"""
    select {id} as id, {owner} as owner, 0::bigint as sequence,
        null::timestamptz as creation_date, null::timestamptz as change_date, true as changed
    {of_existing(owner)}"""
