"""The tables `mails` and `mail_attempts` for the mail loop: leases of mails, results of attempts.

The rule: as `server/deliveries/recording.py`. The statement that ends a mail erases its secrets.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from server.access.user_aggregate import account, locale
from server.deliveries import recording
from server.deliveries.recording import Recording
from server.deliveries.results import Attempt, AttemptResult, Backlog, DeliveryState, storable
from server.mail.mail_secrets import CAPTURED
from server.mail.outbox import MailKind
from server.store.database import Row, Statements
from server.store.rows import from_row
from server.store.statement import Statement, statement

# The organizations of servers with due mails, the longest due first; that of the instance is empty.
# Finds them one by one in the index; `distinct` would read all pending mails.
_LIST_DUE = statement("""
with recursive server as (
    (select smtp_org_id from mails where state = 'pending' order by smtp_org_id limit 1)
    union all
    select (
        select smtp_org_id from mails
        where state = 'pending' and mails.smtp_org_id > server.smtp_org_id
        order by smtp_org_id limit 1)
    from server where server.smtp_org_id is not null)
select smtp_org_id
from server, lateral (
    select next_attempt_at from mails
    where state = 'pending' and mails.smtp_org_id >= server.smtp_org_id
    order by mails.smtp_org_id, next_attempt_at limit 1) as first
where next_attempt_at <= now() order by next_attempt_at""")

_LEASED = """
leased as (
    update mails set attempts = attempts + 1, is_leased = true, is_urgent = false,
        next_attempt_at = clock_timestamp() + :lease::interval
    from due where mails.mail_id = due.mail_id
    returning mails.mail_id, kind, attempts, smtp_org_id, failures),
attempt as (
    insert into mail_attempts (mail_id, number, started_at)
    select mail_id, attempts, clock_timestamp() from leased)
select mail_id, kind, attempts, smtp_org_id, failures from leased"""

# Leases due mails of some servers and the kinds that this release knows, up to a number for each
# server; skips mails that others are leasing. Compares with `now()`, since an index cannot search
# for the volatile `clock_timestamp()`. With `=` in place of `>=` and `<=`, the planner would search
# the due mails of all servers.
_ACQUIRE = statement(f"""
with due as (
    select due.mail_id
    from unnest(:smtp_org_ids::text[], :limits::int[]) as turn (smtp_org_id, number), lateral (
        select mail_id from mails
        where state = 'pending' and mails.smtp_org_id >= turn.smtp_org_id
            and (mails.smtp_org_id, next_attempt_at) <= (turn.smtp_org_id, now())
            and kind = any(:kinds::text[])
        order by mails.smtp_org_id, next_attempt_at limit turn.number
        for update skip locked) as due),
{_LEASED}""")

# Leases a mail of one of some servers that an operator has retried. These mails have an index of
# their own.
_ACQUIRE_URGENT = statement(f"""
with due as (
    select mail_id from mails
    where state = 'pending' and is_urgent and next_attempt_at <= now()
        and smtp_org_id = any(:smtp_org_ids::text[]) and kind = any(:kinds::text[])
    order by next_attempt_at limit 1 for update skip locked),
{_LEASED}""")

# The content of a leased mail: one row per secret, or one row without a secret.
_GET_CONTENT = statement(f"""
select recipient_address, recipient_name, message_domain, parameters::text, mails.created_at,
    user_id <> '' and not exists ({account("mails.user_id")}) as is_without_user,
    coalesce(holds_until <= clock_timestamp(), false) as is_outdated,
    {locale("mails.user_id")} as locale,
    secret_id, key_id, ciphertext
from mails left join secrets
    on secrets.aggregate_id = mails.mail_id and secret_id <> '{CAPTURED}'
where mails.mail_id = :mail_id and case mails.state when 'pending'
    then is_leased and mails.attempts = :number else false end""")

# Ends mails, or schedules their next attempts: exponential back-off with jitter, which spreads out
# mails that failed together. A mail that stays due waits only for its destination. Within a case,
# the state is no condition of an index: with statistics of a table without pending mails, the
# planner would search a thousand later ones for the key. Of two attempts of a mail, that which has
# sent it counts.
_RECORD = statement(f"""
with made as (
    select each.*, clock_timestamp() as now, 0.5 + random() / 2 as jitter
    from unnest(:delivery_ids::text[], :numbers::int[], :states::text[], :reasons::text[],
        :messages::text[], :stay_due::boolean[], :routes::text[])
        as each (mail_id, number, state, reason, message, stays_due, route)),
attempt as (
    update mail_attempts as attempt
    set ended_at = made.now, reason = made.reason, message = made.message,
        route = made.route
    from made where attempt.mail_id = made.mail_id and attempt.number = made.number),
recorded as (
    update mails as mail set is_leased = false,
        state = case when made.state <> 'pending' then made.state
            when give_up_at <= made.now then 'failed' else 'pending' end,
        ended_at = case when made.state <> 'pending' or give_up_at <= made.now then made.now end,
        failures = case when made.state = 'pending' and not made.stays_due then failures + 1
            else failures end,
        next_attempt_at = case when made.state <> 'pending' then next_attempt_at
            when made.stays_due then made.now
            else made.now + made.jitter
                * least(interval '1 hour', interval '1 minute' * power(2, least(failures, 12))) end,
        due_at = case when made.state <> 'pending' or made.stays_due then due_at
            else made.now + made.jitter
                * least(interval '1 hour', interval '1 minute' * power(2, least(failures, 12))) end
    from (
        select distinct on (mail_id) * from made order by mail_id, state = 'sent' desc, number desc
    ) as made
    where mail.mail_id = made.mail_id and case mail.state when 'pending'
        then made.state = 'sent' or is_leased and mail.attempts = made.number else false end
    returning mail.mail_id, made.number, mail.state),
erased as (
    delete from secrets using recorded
    where secrets.aggregate_id = recorded.mail_id and recorded.state <> 'pending'
        and secret_id <> '{CAPTURED}')
select mail_id as delivery_id, number, state from recorded""")

_GET_STATE = statement("""
select state from mails where mail_id = :delivery_id and attempts = :number""")

_RECORDING: Final = Recording(_RECORD, _GET_STATE)

_BATCH = 1000

# Ends mails of a server that has failed until `give_up_at`, each with an attempt that records the
# reason.
_GIVE_UP = statement(f"""
with due as (
    select mail_id from mails
    where state = 'pending' and next_attempt_at <= now() and give_up_at <= now() and not is_leased
        and smtp_org_id = :server and kind = any(:kinds::text[])
    order by next_attempt_at limit {_BATCH} for update skip locked),
ended as (
    update mails set state = 'failed', ended_at = clock_timestamp(), attempts = attempts + 1
    from due where mails.mail_id = due.mail_id
    returning mails.mail_id, kind, attempts, ended_at),
attempt as (
    insert into mail_attempts (mail_id, number, started_at, ended_at, reason, message)
    select mail_id, attempts, ended_at, ended_at, :reason, :message from ended),
erased as (
    delete from secrets using ended where secrets.aggregate_id = ended.mail_id)
select kind from ended""")

# The backlog, by `due_at`: a mail that waits for its destination stays due, however often it was
# tried; a mail that waits for its turn or its own back-off is not due yet. Mails by servers of
# organizations do not count as overdue: their owners are responsible for these servers.
_LOOK = statement("""
select (select count(*) from mails where state = 'pending') as pending,
    extract(epoch from greatest(interval '0', clock_timestamp()
        - (select min(due_at) from mails
            where state = 'pending' and smtp_org_id = '')))::float as overdue_seconds""")


@dataclass(frozen=True, slots=True)
class MailAttempt(Attempt):
    """An attempt of a mail. `failures` is the number of those that failed for this mail alone."""

    smtp_org_id: str
    failures: int


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a mail, with the rows of its secrets for `mail_secrets.py`.

    An outdated mail, or a mail of a removed user, is not sent. `locale` is the user's preferred
    language tag, which may be empty.
    """

    recipient_address: str
    recipient_name: str
    message_domain: str
    parameters: Mapping[str, str]
    secrets: Sequence[Row]
    created_at: datetime
    is_without_user: bool
    is_outdated: bool
    locale: str


async def list_due(database: Statements) -> list[str]:
    """The organizations of the servers with due mails; that of the instance is empty."""
    return [row["smtp_org_id"] for row in await database.fetch(_LIST_DUE)]


async def acquire(
    database: Statements, limits: Mapping[str, int], *, lease: timedelta
) -> list[MailAttempt]:
    """Leases due mails, up to a number for each server.

    No other process gets them until the lease ends.
    """
    if not limits:
        return []
    turns = {"smtp_org_ids": list(limits), "limits": list(limits.values())}
    return await _acquired(database, _ACQUIRE, lease, **turns)


async def acquire_urgent(
    database: Statements, servers: Sequence[str], *, lease: timedelta
) -> list[MailAttempt]:
    """Leases a mail of one of the servers that an operator has retried."""
    if not servers:
        return []
    return await _acquired(database, _ACQUIRE_URGENT, lease, smtp_org_ids=servers)


async def _acquired(
    database: Statements, acquire: Statement, lease: timedelta, **turns: object
) -> list[MailAttempt]:
    rows = await database.fetch(acquire, lease=lease, kinds=list(MailKind), **turns)
    return [
        MailAttempt(
            row["mail_id"],
            MailKind(row["kind"]),
            row["attempts"],
            smtp_org_id=row["smtp_org_id"],
            failures=row["failures"],
        )
        for row in rows
    ]


async def get_content(database: Statements, attempt: Attempt) -> Content | None:
    """The content to send. None: the mail was cancelled, or the lease is lost."""
    rows = await database.fetch(_GET_CONTENT, mail_id=attempt.delivery_id, number=attempt.number)
    if not rows:
        return None
    return from_row(
        Content,
        rows[0],
        parameters=json.loads(rows[0]["parameters"]),
        secrets=[row for row in rows if row["secret_id"] is not None],
    )


async def record(
    database: Statements, made: Sequence[tuple[Attempt, AttemptResult]]
) -> list[DeliveryState | None]:
    """Records results; returns the state of each mail. None: the lease was lost."""
    routes = [result.route for _, result in made]
    return await recording.record(database, _RECORDING, made, routes=routes)


async def give_up(database: Statements, server: str, result: AttemptResult) -> Mapping[str, int]:
    """Ends due mails of a server after `give_up_at` with this result; their numbers by kind."""
    told = {"server": server, "reason": result.reason, "message": storable(result.message)}
    ended: Counter[str] = Counter()
    while True:
        rows = await database.fetch(_GIVE_UP, kinds=list(MailKind), **told)
        ended.update(row["kind"] for row in rows)
        if len(rows) < _BATCH:
            return ended


async def look(database: Statements) -> Backlog:
    """Reads the backlog."""
    row = await database.fetch_one(_LOOK)
    return Backlog(row["pending"], row["overdue_seconds"])
