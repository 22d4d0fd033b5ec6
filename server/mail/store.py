"""The tables `mails` and `mail_attempts`, and every statement that delivers or shows them.

The rule: whatever is done with a mail that is being tried restates the number of the attempt, so
who has lost its lease changes nothing; but what was sent is sent, whoever has the lease by then.
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


# $1 how many, $2 the lease, $3 the kinds that this release knows. What another process is at is
# skipped, not waited for. `now()`, since no index is searched for what `clock_timestamp()` may be
# for the next row.
def _claim(which: str) -> str:
    return f"""
with due as (
    select mail_id from mails
    where {which} and next_attempt_at <= now() and kind = any($3::text[])
    order by next_attempt_at limit $1 for update skip locked),
claimed as (
    update mails set attempts = attempts + 1, is_leased = true, is_urgent = false,
        next_attempt_at = clock_timestamp() + $2::interval
    from due where mails.mail_id = due.mail_id
    returning mails.mail_id, kind, attempts),
attempt as (
    insert into mail_attempts (mail_id, number, started_at)
    select mail_id, attempts, clock_timestamp() from claimed)
select mail_id, kind, attempts from claimed"""


_CLAIM = _claim("state = 'pending'")
_CLAIM_URGENT = _claim("state = 'pending' and is_urgent")

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

# $5 the state. An outage of the database may outlast the lease of a mail that was accepted: whoever
# has the lease afterwards must not send it again.
_END = f"""
with attempt as ({_END_ATTEMPT}),
outcome as (
    update mails set state = $5, ended_at = clock_timestamp(), is_leased = false
    where {_HELD} or ($5 = 'sent' and mails.mail_id = $1 and mails.state = 'pending')
    returning mail_id, state),
erased as ({_ERASE_SECRETS})
select state from outcome"""

# What became of a mail whose attempt $2 was not held any more: ended or postponed by that attempt,
# unheard of, or cancelled. Where there are later attempts it is theirs to say.
_GET_STATE = "select state from mails where mail_id = $1 and attempts = $2"

# Between half and all of a time that doubles, so that mails that failed together come back apart;
# or no time at all ($5), where something else keeps it from being tried again at once.
# The last try of a mail is the first one after `give_up_at`.
_POSTPONE = f"""
with attempt as ({_END_ATTEMPT}),
outcome as (
    update mails set is_leased = false,
        failures = case when $5::boolean then failures else failures + 1 end,
        next_attempt_at = clock.now + case when $5::boolean then interval '0'
            else (0.5 + random() / 2)
                * least(interval '1 hour', interval '1 minute' * power(2, least(failures, 10))) end,
        state = case when give_up_at <= clock.now then 'failed' else 'pending' end,
        ended_at = case when give_up_at <= clock.now then clock.now end
    from (select clock_timestamp() as now) as clock
    where {_HELD}
    returning mail_id, state),
erased as ({_ERASE_SECRETS})
select state from outcome"""

# $1 the kinds that this release knows, $2 reason, $3 message. What waits for its destination and
# has waited for long enough ends with the reason why it was not tried.
_BATCH = 1000
_GIVE_UP = f"""
with due as (
    select mail_id from mails
    where state = 'pending' and next_attempt_at <= now() and give_up_at <= now() and not is_leased
        and kind = any($1::text[])
    order by next_attempt_at limit {_BATCH} for update skip locked),
outcome as (
    update mails set state = 'failed', ended_at = clock_timestamp(), attempts = attempts + 1
    from due where mails.mail_id = due.mail_id
    returning mails.mail_id, kind, state, attempts, ended_at),
attempt as (
    insert into mail_attempts (mail_id, number, started_at, ended_at, reason, message)
    select mail_id, attempts, ended_at, ended_at, $2, $3 from outcome),
erased as ({_ERASE_SECRETS})
select kind from outcome"""

_LOOK = """
select count(*) as pending, coalesce(extract(epoch from clock_timestamp() - min(next_attempt_at)
    filter (where next_attempt_at <= clock_timestamp())), 0)::float as overdue_seconds
from mails where state = 'pending'"""

# A failed mail whose secrets are erased has nothing to say any more. One that is being tried is
# left to who tries it, since a second try beside it would send it twice; if that one fails, it
# waits no longer than a new mail.
_RETRY = f"""
with mail as (select mail_id, state, has_secrets from mails where mail_id = $1 for update),
retried as (
    update mails set state = 'pending', failures = 0, ended_at = null, is_urgent = true,
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

# $1 before which id, $2 how many. A statement for each list, because each has an index of its own.
_LIST = f"select {_COLUMNS} from mails where mail_id < $1 order by mail_id desc limit $2"

# $3 the state
_LIST_OF_STATE = f"""
select {_COLUMNS} from mails where mail_id < $1 and state = $3 order by mail_id desc limit $2"""

# $3 the user, $4 the state or empty
_LIST_OF_USER = f"""
select {_COLUMNS} from mails where mail_id < $1 and user_id = $3 and ($4 = '' or state = $4)
order by mail_id desc limit $2"""

_LIST_ATTEMPTS = """
select mail_id, started_at, ended_at, reason, message from mail_attempts
where mail_id = any($1::text[]) order by mail_id, number"""

# In batches: what is deleted stays deleted even if there is no time for all of it.
_FORGET_MAILS = f"""
with forgotten as (
    select mail_id from mails where ended_at < now() - interval '30 days'
    order by ended_at limit {_BATCH} for update skip locked),
deleted as (delete from mails using forgotten where mails.mail_id = forgotten.mail_id)
select count(*) from forgotten"""

# A recipient whose arrival has passed is as good as one that was never heard of.
_FORGET_RECIPIENTS = f"""
with forgotten as (
    select address from mail_recipients where theoretical_arrival_at < now()
    order by theoretical_arrival_at limit {_BATCH} for update skip locked),
deleted as (
    delete from mail_recipients as recipient using forgotten
    where recipient.address = forgotten.address)
select count(*) from forgotten"""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A try that has the lease of its mail."""

    mail_id: str
    kind: MailKind
    number: int


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


async def claim(
    database: Statements, *, limit: int, lease: timedelta, only_urgent: bool = False
) -> list[Attempt]:
    """Takes mails that are due, at most so many; nobody else gets them until the lease ends.

    Urgent are those that `retry` was called for.
    """
    statement = _CLAIM_URGENT if only_urgent else _CLAIM
    return [
        Attempt(row["mail_id"], MailKind(row["kind"]), row["attempts"])
        for row in await database.fetch(statement, limit, lease, list(MailKind))
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
    database: Statements, attempt: Attempt, *, reason: str, message: str, stays_due: bool = False
) -> MailState | None:
    """Has it tried again after a while, or ends it as failed if it was tried for long enough.

    If it `stays_due` it may be tried again at once, and its next wait does not grow by this.
    None: it was not to be postponed by this attempt any more.
    """
    return _outcome(
        await database.fetch_row(
            _POSTPONE, attempt.mail_id, attempt.number, reason, message, stays_due
        )
    )


async def state_after(database: Statements, attempt: Attempt) -> MailState | None:
    """The state that the mail is in; None: a later attempt has it, or had it."""
    return _outcome(await database.fetch_row(_GET_STATE, attempt.mail_id, attempt.number))


async def give_up(database: Statements, *, reason: str, message: str) -> list[MailKind]:
    """Ends due mails that have waited for long enough, as if tried and failed; the kind of each."""
    ended: list[MailKind] = []
    while True:
        rows = await database.fetch(_GIVE_UP, list(MailKind), reason, message)
        ended += [MailKind(row["kind"]) for row in rows]
        if len(rows) < _BATCH:
            return ended


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
    database: Statements, *, before: str, state: MailState | None, user_id: str, limit: int
) -> list[Mail]:
    """Those before an id, newest first; None: in any state, an empty user id: to any user."""
    if user_id:
        rows = await database.fetch(_LIST_OF_USER, before, limit, user_id, state or "")
    elif state:
        rows = await database.fetch(_LIST_OF_STATE, before, limit, state)
    else:
        rows = await database.fetch(_LIST, before, limit)
    return await _with_attempts(database, rows)


async def forget_ended(database: Statements) -> None:
    """Deletes mails that ended long ago, and what is known of addresses that got none lately."""
    for statement in (_FORGET_MAILS, _FORGET_RECIPIENTS):
        while (await database.fetch_one(statement))["count"] == _BATCH:
            pass


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
