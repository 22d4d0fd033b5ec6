"""The tables `mails` and `mail_attempts` for the mail loop: leases of mails, results of attempts.

The rule: every statement of an attempt repeats the attempt's number, so a process that has lost its
lease changes nothing. One exception: a sent mail is recorded as sent even after the lease was lost.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from server.access.user_aggregate import account
from server.deliveries import leases
from server.deliveries.leases import Leases, Made
from server.deliveries.results import AttemptResult, Backlog, DeliveryState, storable
from server.mail.outbox import MailKind
from server.store.database import Row, Statements
from server.store.rows import from_row
from server.store.statement import Statement, statement

_LEASES = Leases(
    table="mails",
    key="mail_id",
    attempts="mail_attempts",
    first_wait="interval '1 minute'",
    longest_wait="interval '1 hour'",
)


def _acquire(pending: str) -> Statement:
    """Leases due mails of the kinds that this release knows; skips mails that others are leasing.

    Compares with `now()`, since an index cannot search for the volatile `clock_timestamp()`.
    """
    return _LEASES.acquired(
        f"""
    select mail_id from mails
    where {pending} and next_attempt_at <= now() and kind = any(:kinds::text[])
    order by next_attempt_at limit :limit for update skip locked""",
        "mail_id, kind, attempts",
    )


# Leases mails that are due.
_ACQUIRE = _acquire("state = 'pending'")

# Leases due mails that an operator has retried.
_ACQUIRE_URGENT = _acquire("state = 'pending' and is_urgent")

# The content of a mail: one row per secret, or one row without a secret.
_GET_CONTENT = statement(f"""
select recipient_address, recipient_name, message_domain, parameters::text, mails.created_at,
    user_id <> '' and not exists ({account("mails.user_id")}) as is_without_user,
    coalesce(holds_until <= clock_timestamp(), false) as is_outdated,
    secret_id, key_id, ciphertext
from mails left join secrets on secrets.aggregate_id = mails.mail_id
where {_LEASES.held}""")

_ERASE_SECRETS = """
    delete from secrets using ended
    where secrets.aggregate_id = ended.mail_id and ended.state <> 'pending'"""

_RECORDING = _LEASES.recording(f""",
erased as ({_ERASE_SECRETS})""")
_END, _POSTPONE, _GET_STATE, _ = _RECORDING

_BATCH = 1000

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


async def record(
    database: Statements, made: Sequence[tuple[Attempt, AttemptResult]]
) -> list[DeliveryState | None]:
    """Records results; returns the state of each mail. None: the lease was lost."""
    ends = [Made(attempt.mail_id, attempt.number, result) for attempt, result in made]
    return await leases.record(database, _RECORDING, ends)


async def give_up(database: Statements, result: AttemptResult) -> list[MailKind]:
    """Ends due mails after `give_up_at` with an attempt of this result; returns their kinds."""
    told = {"reason": result.reason, "message": storable(result.message)}
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
