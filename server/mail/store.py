"""The tables `mails` and `mail_attempts`, and every statement that delivers or shows them.

The rule: whatever is done with a mail that is being tried restates the number of the attempt, so
who has lost its lease changes nothing.
"""

import enum
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from server.database import Row, Statements
from server.outbox import GIVE_UP_AFTER, MailKind


class MailState(enum.StrEnum):
    """Where a mail stands, by the API's names without `MAIL_STATE_` and in lower case."""

    PENDING = "pending"
    SENT = "sent"
    FAILED = "failed"
    CANCELLED = "cancelled"


# Behind every id, for the beginning of a list.
NEWEST = "~"

# $1 how many, $2 the lease. What another process is at is skipped, not waited for.
_CLAIM = """
with due as (
    select mail_id from mails where state = 'pending' and next_attempt_at <= clock_timestamp()
    order by next_attempt_at limit $1 for update skip locked),
claimed as (
    update mails set attempts = attempts + 1, is_leased = true,
        next_attempt_at = clock_timestamp() + $2::interval
    from due where mails.mail_id = due.mail_id
    returning mails.mail_id, kind, attempts, failures),
attempt as (
    insert into mail_attempts (mail_id, number, started_at)
    select mail_id, attempts, clock_timestamp() from claimed)
select mail_id, kind, attempts, failures from claimed"""

_HELD = "mails.mail_id = $1 and mails.attempts = $2 and mails.state = 'pending' and is_leased"

# $1 mail, $2 attempt. A row for each of its secrets, or one without.
_GET_CONTENT = f"""
select recipient_address, recipient_name, message_domain, parameters::text, created_at,
    users.id is null as is_without_user,
    coalesce(holds_until <= clock_timestamp(), false) as is_outdated,
    secret_id, key_id, ciphertext
from mails left join users on users.id = mails.user_id
left join secrets on secrets.aggregate_id = mails.mail_id
where {_HELD}"""

# $1 mail, $2 attempt, $3 reason, $4 message
_END_ATTEMPT = """
    update mail_attempts set ended_at = clock_timestamp(), reason = $3, message = $4
    where mail_id = $1 and number = $2"""

_ERASE_SECRETS = """
    delete from secrets using outcome
    where secrets.aggregate_id = outcome.mail_id and outcome.state <> 'pending'"""

# $5 the state
_END = f"""
with attempt as ({_END_ATTEMPT}),
outcome as (
    update mails set state = $5, ended_at = clock_timestamp(), is_leased = false
    where {_HELD}
    returning mail_id, state),
erased as ({_ERASE_SECRETS})
select state from outcome"""

# $5 how long it waits. The last try of a mail is the first one after `give_up_at`.
_POSTPONE = f"""
with attempt as ({_END_ATTEMPT}),
outcome as (
    update mails set is_leased = false, failures = failures + 1,
        next_attempt_at = clock.now + $5::interval,
        state = case when give_up_at <= clock.now then 'failed' else 'pending' end,
        ended_at = case when give_up_at <= clock.now then clock.now end
    from (select clock_timestamp() as now) as clock
    where {_HELD}
    returning mail_id, state),
erased as ({_ERASE_SECRETS})
select state from outcome"""

_LOOK = """
select count(*) as pending, coalesce(extract(epoch from clock_timestamp() - min(next_attempt_at)
    filter (where next_attempt_at <= clock_timestamp())), 0)::float as overdue_seconds
from mails where state = 'pending'"""

# A failed mail whose secrets are erased has nothing to say any more. One that is being tried is
# left to who tries it: a second try beside it would send it twice.
_RETRY = f"""
with mail as (select mail_id, state, has_secrets from mails where mail_id = $1 for update),
retried as (
    update mails set state = 'pending', failures = 0, ended_at = null,
        give_up_at = clock.now + {GIVE_UP_AFTER},
        next_attempt_at = case when is_leased then next_attempt_at else clock.now end
    from mail, (select clock_timestamp() as now) as clock
    where mails.mail_id = mail.mail_id
        and (mail.state = 'pending' or mail.state = 'failed' and not mail.has_secrets))
select state, has_secrets from mail"""

_COLUMNS = """
mail_id, kind, user_id, recipient_address, message_domain, state, next_attempt_at, created_at,
    ended_at"""

_GET = f"select {_COLUMNS} from mails where mail_id = $1"

# $1 before which id, $2 states, $3 user or empty, $4 how many
_LIST = f"""
select {_COLUMNS} from mails
where mail_id < $1 and state = any($2::text[]) and ($3 = '' or user_id = $3)
order by mail_id desc limit $4"""

_LIST_ATTEMPTS = """
select mail_id, started_at, ended_at, reason, message from mail_attempts
where mail_id = any($1::text[]) order by mail_id, number"""

# A recipient whose arrival has passed is as good as one that was never heard of.
_FORGET_MAILS = "delete from mails where ended_at < clock_timestamp() - interval '30 days'"
_FORGET_RECIPIENTS = "delete from mail_recipients where theoretical_arrival_at < clock_timestamp()"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A try that has the lease of its mail; `failures` is how many failed before it, in a row."""

    mail_id: str
    kind: MailKind
    number: int
    failures: int


@dataclass(frozen=True, slots=True)
class Content:
    """What is to be sent, its secrets as `outbox.read_secrets` takes them.

    It does not hold any more if it is outdated, or without a user.
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
class PastAttempt:
    """A try as it is shown."""

    started_at: datetime
    ended_at: datetime | None
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail as it is shown."""

    mail_id: str
    kind: str
    user_id: str
    recipient_address: str
    message_domain: str
    state: MailState
    next_attempt_at: datetime
    created_at: datetime
    ended_at: datetime | None
    attempts: Sequence[PastAttempt]


@dataclass(frozen=True, slots=True)
class Backlog:
    """Mails that wait, and for how long the one that is most overdue has been due."""

    pending: int
    overdue_seconds: float


async def claim(database: Statements, *, limit: int, lease: timedelta) -> list[Attempt]:
    """Takes mails that are due, at most so many; nobody else gets them until the lease ends."""
    return [
        Attempt(row["mail_id"], MailKind(row["kind"]), row["attempts"], row["failures"])
        for row in await database.fetch(_CLAIM, limit, lease)
    ]


async def get_content(database: Statements, attempt: Attempt) -> Content | None:
    """What to send. None: the mail was cancelled, or the lease is lost."""
    rows = await database.fetch(_GET_CONTENT, attempt.mail_id, attempt.number)
    if not rows:
        return None
    return Content(
        rows[0]["recipient_address"],
        rows[0]["recipient_name"],
        rows[0]["message_domain"],
        json.loads(rows[0]["parameters"]),
        [row for row in rows if row["secret_id"] is not None],
        rows[0]["created_at"],
        rows[0]["is_without_user"],
        rows[0]["is_outdated"],
    )


async def end(
    database: Statements, attempt: Attempt, state: MailState, *, reason: str = "", message: str = ""
) -> MailState | None:
    """Ends the mail with this attempt. None: it was not to be ended by it any more."""
    return _outcome(
        await database.fetch_row(_END, attempt.mail_id, attempt.number, reason, message, state)
    )


async def postpone(
    database: Statements, attempt: Attempt, delay: timedelta, *, reason: str, message: str
) -> MailState | None:
    """Has it tried again after the delay, or ends it as failed if it was tried for long enough.

    None: it was not to be postponed by this attempt any more.
    """
    return _outcome(
        await database.fetch_row(_POSTPONE, attempt.mail_id, attempt.number, reason, message, delay)
    )


async def look(database: Statements) -> Backlog:
    """How much waits."""
    row = await database.fetch_one(_LOOK)
    return Backlog(row["pending"], row["overdue_seconds"])


async def retry(database: Statements, mail_id: str) -> tuple[MailState, bool] | None:
    """Has it tried at once if it can be: if it is pending, or failed without secrets.

    The state that it was in, and whether it has, or had, secrets. None: no such mail.
    """
    row = await database.fetch_row(_RETRY, mail_id)
    return (MailState(row["state"]), row["has_secrets"]) if row else None


async def get(database: Statements, mail_id: str) -> Mail | None:
    """Reads one."""
    found = await _with_attempts(database, await database.fetch(_GET, mail_id))
    return found[0] if found else None


async def list_before(
    database: Statements, *, before: str, states: Sequence[MailState], user_id: str, limit: int
) -> list[Mail]:
    """Those in one of the states before an id, newest first; an empty user id: to any user."""
    rows = await database.fetch(_LIST, before, list(states), user_id, limit)
    return await _with_attempts(database, rows)


async def forget_ended(database: Statements) -> None:
    """Deletes mails that ended long ago, and what is known of addresses that got none lately."""
    await database.fetch(_FORGET_MAILS)
    await database.fetch(_FORGET_RECIPIENTS)


def _outcome(row: Row | None) -> MailState | None:
    return MailState(row["state"]) if row else None


async def _with_attempts(database: Statements, rows: Sequence[Any]) -> list[Mail]:
    attempts: dict[str, list[PastAttempt]] = {row["mail_id"]: [] for row in rows}
    for row in await database.fetch(_LIST_ATTEMPTS, list(attempts)):
        mail_id, *columns = row
        attempts[mail_id].append(PastAttempt(*columns))
    return [
        Mail(**{**row, "state": MailState(row["state"])}, attempts=attempts[row["mail_id"]])
        for row in rows
    ]
