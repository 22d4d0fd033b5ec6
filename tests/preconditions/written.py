"""All rows that the server has written."""

import asyncpg

# Tables that calls without changes and background work write.
_OF_NO_CALL = {
    "event_positions",
    "idempotent_answers",
    "last_event_position",
    "mail_attempts",
    "push_attempts",
    "push_deliveries",
    "push_position",
    "push_started",
    "push_targets",
    "servers",
    "session_activity",
    "unpositioned_events",
    "write_probe",
}


async def tables(database: asyncpg.Connection) -> dict[str, str | None]:
    """A digest of the rows of each table, or None. Of mails, without the columns of delivery."""
    names = [
        row["tablename"]
        for row in await database.fetch(
            "select tablename from pg_tables where schemaname = 'public' order by 1"
        )
        if row["tablename"] not in _OF_NO_CALL
    ]
    columns = {"mails": "mail_id, kind, recipient_address"}
    digests = (
        f"""
        select '{name}' as name, count(*) || ' ' || sum(hashtextextended(each::text, 0)) as digest
        from (select {columns.get(name, "*")} from {name}) as each"""  # noqa: S608 -- our own tables
        for name in names
    )
    rows = await database.fetch(" union all ".join(digests))
    return {row["name"]: row["digest"] for row in rows}
