"""All rows that the server has written."""

import asyncpg

# Tables that calls without changes and background work write. The refusals of a victim's
# authorization requests are written up to two seconds later, during any call.
_OF_NO_CALL = {
    "application_refusals",
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
# Of mails, without the columns of delivery. The rows of an ended session are deleted when the
# pushes have read its end from the log, during any call.
_PARTS = {
    "mails": "select mail_id, kind, recipient_address from mails",
    "oauth_sessions": "select * from oauth_sessions where session_id in "
    "(select session_id from sessions)",
}


async def tables(database: asyncpg.Connection) -> dict[str, str | None]:
    """A digest of the rows of each table, or None."""
    names = [
        row["tablename"]
        for row in await database.fetch(
            "select tablename from pg_tables where schemaname = 'public' order by 1"
        )
        if row["tablename"] not in _OF_NO_CALL
    ]
    digests = (
        f"""
        select '{name}' as name, count(*) || ' ' || sum(hashtextextended(each::text, 0)) as digest
        from ({_PARTS.get(name, f"select * from {name}")}) as each"""  # noqa: S608 -- our own tables
        for name in names
    )
    rows = await database.fetch(" union all ".join(digests))
    return {row["name"]: row["digest"] for row in rows}
