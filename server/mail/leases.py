"""The tables `mails` and `mail_attempts` for the mail loop: leases of mails, results of attempts.

The rule: every statement of an attempt repeats the attempt's number, so a process that has lost its
lease changes nothing. One exception: a sent mail is recorded as sent even after the lease was lost.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from server.access.user_aggregate import account
from server.mail.outbox import MailKind
from server.mail.store import MailState
from server.store.database import Row, Statements
from server.store.rows import from_row
from server.store.statement import statement


def _acquire(pending: str) -> str:
    """Leases due mails of the kinds that this release knows; skips mails that others are leasing.

    Compares with `now()`, since an index cannot search for the volatile `clock_timestamp()`.
    """
    return f"""
with due as (
    select mail_id from mails
    where {pending} and next_attempt_at <= now() and kind = any(:kinds::text[])
    order by next_attempt_at limit :limit for update skip locked),
leased as (
    update mails set attempts = attempts + 1, is_leased = true, is_urgent = false,
        next_attempt_at = clock_timestamp() + :lease::interval
    from due where mails.mail_id = due.mail_id
    returning mails.mail_id, kind, attempts),
attempt as (
    insert into mail_attempts (mail_id, number, started_at)
    select mail_id, attempts, clock_timestamp() from leased)
select mail_id, kind, attempts from leased"""


# Leases mails that are due.
_ACQUIRE = statement(_acquire("state = 'pending'"))

# Leases due mails that an operator has retried.
_ACQUIRE_URGENT = statement(_acquire("state = 'pending' and is_urgent"))

_HELD = """mails.mail_id = :mail_id and mails.attempts = :number and mails.state = 'pending'
        and is_leased"""

# The content of a mail: one row per secret, or one row without a secret.
_GET_CONTENT = statement(f"""
select recipient_address, recipient_name, message_domain, parameters::text, mails.created_at,
    not exists ({account("mails.user_id")}) as is_without_user,
    coalesce(holds_until <= clock_timestamp(), false) as is_outdated,
    secret_id, key_id, ciphertext
from mails left join secrets on secrets.aggregate_id = mails.mail_id
where {_HELD}""")

_END_ATTEMPT = """
    update mail_attempts set ended_at = clock_timestamp(), reason = :reason, message = :message
    where mail_id = :mail_id and number = :number"""

_ERASE_SECRETS = """
    delete from secrets using ended
    where secrets.aggregate_id = ended.mail_id and ended.state <> 'pending'"""

# Ends a mail with an attempt. A sent mail is recorded even without the lease: an outage of the
# database may outlast the lease, and the next holder must not send the mail again.
_END = statement(f"""
with attempt as ({_END_ATTEMPT}),
ended as (
    update mails set state = :state, ended_at = clock_timestamp(), is_leased = false
    where {_HELD} or (:state = 'sent' and mails.mail_id = :mail_id and mails.state = 'pending')
    returning mail_id, state),
erased as ({_ERASE_SECRETS})
select state from ended""")

# The state of a mail whose lease was lost: this attempt ended or postponed it, or it was cancelled.
# No row: a later attempt exists.
_GET_STATE = statement("select state from mails where mail_id = :mail_id and attempts = :number")

# Exponential back-off with jitter, which spreads out mails that failed together.
_NEXT_TIME = """clock.now + clock.jitter
            * least(interval '1 hour', interval '1 minute' * power(2, least(failures, 10)))"""

# Postpones a mail after an attempt, or ends it if this was its first attempt after `give_up_at`. A
# mail that stays due waits only for its destination.
_POSTPONE = statement(f"""
with attempt as ({_END_ATTEMPT}),
ended as (
    update mails set is_leased = false,
        failures = case when :stays_due::boolean then failures else failures + 1 end,
        next_attempt_at = case when :stays_due::boolean then clock.now else {_NEXT_TIME} end,
        due_at = case when :stays_due::boolean then due_at else {_NEXT_TIME} end,
        state = case when give_up_at <= clock.now then 'failed' else 'pending' end,
        ended_at = case when give_up_at <= clock.now then clock.now end
    from (select clock_timestamp() as now, 0.5 + random() / 2 as jitter) as clock
    where {_HELD}
    returning mail_id, state),
erased as ({_ERASE_SECRETS})
select state from ended""")

_BATCH = 1000
_MAX_MESSAGE = 1000

# Ends mails whose destination has failed until `give_up_at`, each with an attempt that records the
# reason.
_GIVE_UP = statement(f"""
with due as (
    select mail_id from mails
    where state = 'pending' and next_attempt_at <= now() and give_up_at <= now() and not is_leased
        and kind = any(:kinds::text[])
    order by next_attempt_at limit {_BATCH} for update skip locked),
ended as (
    update mails set state = 'failed', ended_at = clock_timestamp(), attempts = attempts + 1
    from due where mails.mail_id = due.mail_id
    returning mails.mail_id, kind, state, attempts, ended_at),
attempt as (
    insert into mail_attempts (mail_id, number, started_at, ended_at, reason, message)
    select mail_id, attempts, ended_at, ended_at, :reason, :message from ended),
erased as ({_ERASE_SECRETS})
select kind from ended""")

# The backlog, by `due_at`: a mail that waits for its destination stays due, however often it was
# tried; a mail that waits for its turn or its own back-off is not due yet.
_LOOK = statement("""
select (select count(*) from mails where state = 'pending') as pending,
    extract(epoch from greatest(interval '0', clock_timestamp()
        - (select min(due_at) from mails where state = 'pending')))::float as overdue_seconds""")


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt that holds the lease of its mail."""

    mail_id: str
    kind: MailKind
    number: int


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """The result of an attempt. PENDING: a further attempt follows.

    `destination_works` is None if the attempt ended before it contacted the destination.
    `is_login`: the login failed.
    """

    state: MailState
    reason: str = ""
    message: str = ""
    destination_works: bool | None = None
    is_login: bool = False


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a mail, with the rows of its secrets for `mail_secrets.py`.

    An outdated mail, or a mail of a removed user, is not sent.
    """

    recipient_address: str
    recipient_name: str
    message_domain: str
    parameters: Mapping[str, str]
    secrets: Sequence[Row]
    created_at: datetime
    is_without_user: bool
    is_outdated: bool


@dataclass(frozen=True, slots=True)
class Backlog:
    """The number of pending mails, and the longest time that one of them has been due."""

    pending: int
    overdue_seconds: float


async def acquire(
    database: Statements, *, limit: int, lease: timedelta, only_urgent: bool = False
) -> list[Attempt]:
    """Leases at most `limit` mails that are due; no other process gets them until the lease ends.

    Urgent mails are those that an operator has retried.
    """
    rows = await database.fetch(
        _ACQUIRE_URGENT if only_urgent else _ACQUIRE, limit=limit, lease=lease, kinds=list(MailKind)
    )
    return [Attempt(row["mail_id"], MailKind(row["kind"]), row["attempts"]) for row in rows]


async def get_content(database: Statements, attempt: Attempt) -> Content | None:
    """The content to send. None: the mail was cancelled, or the lease is lost."""
    rows = await database.fetch(_GET_CONTENT, mail_id=attempt.mail_id, number=attempt.number)
    if not rows:
        return None
    return from_row(
        Content,
        rows[0],
        parameters=json.loads(rows[0]["parameters"]),
        secrets=[row for row in rows if row["secret_id"] is not None],
    )


async def record(database: Statements, attempt: Attempt, result: AttemptResult) -> MailState | None:
    """Records the result; returns the state of the mail. None: the lease was lost.

    PENDING schedules the next attempt, or ends the mail as failed after `give_up_at`. A mail whose
    destination does not work stays due, and its back-off does not grow.
    """
    of_attempt = {"mail_id": attempt.mail_id, "number": attempt.number}
    told = {"reason": result.reason, "message": _storable(result.message)}
    if result.state is MailState.PENDING:
        stays_due = result.destination_works is False
        row = await database.fetch_row(_POSTPONE, **of_attempt, **told, stays_due=stays_due)
    else:
        row = await database.fetch_row(_END, **of_attempt, **told, state=result.state)
    # No row: recorded by a statement whose answer was lost, or cancelled, or leased again.
    row = row or await database.fetch_row(_GET_STATE, **of_attempt)
    return MailState(row["state"]) if row else None


async def give_up(database: Statements, result: AttemptResult) -> list[MailKind]:
    """Ends due mails after `give_up_at` with an attempt of this result; returns their kinds."""
    told = {"reason": result.reason, "message": _storable(result.message)}
    ended: list[MailKind] = []
    while True:
        rows = await database.fetch(_GIVE_UP, kinds=list(MailKind), **told)
        ended += [MailKind(row["kind"]) for row in rows]
        if len(rows) < _BATCH:
            return ended


async def look(database: Statements) -> Backlog:
    """Reads the backlog."""
    row = await database.fetch_one(_LOOK)
    return Backlog(row["pending"], row["overdue_seconds"])


def _storable(text: str) -> str:
    """The text of a server without characters that PostgreSQL refuses."""
    return text.encode(errors="replace").decode().replace("\0", "")[:_MAX_MESSAGE]
