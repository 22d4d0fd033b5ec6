"""The tables `mails` and `mail_attempts` as a delivery sees them: what is tried, what came of it.

The rule: whatever is done with a mail that is being tried restates the number of the attempt, so
who has lost its lease changes nothing; but what was sent is sent, whoever has the lease by then.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from server.mail.outbox import MailKind
from server.mail.store import MailState
from server.store.database import Row, Statements


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

# Between half and all of a time that doubles, so that mails that failed together come back apart.
_NEXT_TIME = """clock.now + clock.jitter
            * least(interval '1 hour', interval '1 minute' * power(2, least(failures, 10)))"""

# Not where it stays due ($5) and something else keeps it from being tried again at once.
# The last try of a mail is the first one after `give_up_at`.
_POSTPONE = f"""
with attempt as ({_END_ATTEMPT}),
outcome as (
    update mails set is_leased = false,
        failures = case when $5::boolean then failures else failures + 1 end,
        next_attempt_at = case when $5::boolean then clock.now else {_NEXT_TIME} end,
        due_at = case when $5::boolean then due_at else {_NEXT_TIME} end,
        state = case when give_up_at <= clock.now then 'failed' else 'pending' end,
        ended_at = case when give_up_at <= clock.now then clock.now end
    from (select clock_timestamp() as now, 0.5 + random() / 2 as jitter) as clock
    where {_HELD}
    returning mail_id, state),
erased as ({_ERASE_SECRETS})
select state from outcome"""

_BATCH = 1000
# $1 the kinds that this release knows, $2 reason, $3 message. What waits for its destination and
# has waited for long enough ends with the reason why it was not tried.
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

# By `due_at`: a mail that waits for its destination is due from its first moment on, however often
# it was the one that was tried; one that waits for its turn, or has failed itself, is not yet.
_LOOK = """
select (select count(*) from mails where state = 'pending') as pending,
    extract(epoch from greatest(interval '0', clock_timestamp()
        - (select min(due_at) from mails where state = 'pending')))::float as overdue_seconds"""


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


def _outcome(row: Row | None) -> MailState | None:
    return MailState(row["state"]) if row else None
