"""The tables `mails` and `mail_attempts` as operators see them: listed, tried again, forgotten."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from server.mail.outbox import GIVE_UP_AFTER
from server.store.database import Row, Statements


class MailState(enum.StrEnum):
    """Where a mail stands, by the API's names without `MAIL_STATE_` and in lower case."""

    PENDING = "pending"
    SENT = "sent"
    FAILED = "failed"
    CANCELLED = "cancelled"


# Behind every id, for the beginning of a list.
NEWEST = "~"

# A failed mail whose secrets are erased has nothing to say any more. One that is being tried is
# left to who tries it, since a second try beside it would send it twice; if that one fails, it
# waits no longer than a new mail.
_RETRY = f"""
with mail as (select mail_id, state, has_secrets from mails where mail_id = $1 for update),
retried as (
    update mails set state = 'pending', failures = 0, ended_at = null, is_urgent = true,
        give_up_at = clock.now + {GIVE_UP_AFTER},
        due_at = case when mail.state = 'pending' then least(due_at, clock.now) else clock.now end,
        next_attempt_at = case when is_leased then next_attempt_at else clock.now end
    from mail, (select clock_timestamp() as now) as clock
    where mails.mail_id = mail.mail_id
        and (mail.state = 'pending' or mail.state = 'failed' and not mail.has_secrets))
select state, has_secrets from mail"""

# A mail and its tries are read by one statement: what says that it waits knows of no try that sent
# it.
_COLUMNS = """
mail_id, kind, user_id, recipient_address, message_domain, state, next_attempt_at, created_at,
    ended_at, array(
        select row(attempt.started_at, attempt.ended_at, attempt.reason, attempt.message)
        from mail_attempts as attempt where attempt.mail_id = mails.mail_id order by number
    ) as attempts"""

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

# In batches: what is deleted stays deleted even if there is no time for all of it.
_BATCH = 1000
_FORGET_MAILS = f"""
with forgotten as (
    select mail_id from mails where ended_at < now() - interval '30 days'
    order by ended_at limit {_BATCH} for update skip locked),
deleted as (delete from mails using forgotten where mails.mail_id = forgotten.mail_id)
select count(*) from forgotten"""

# A budget whose arrival has passed is as good as one that was never heard of.
_FORGET_BUDGETS = f"""
with forgotten as (
    select scope_id, address from mail_budgets where theoretical_arrival_at < now()
    order by theoretical_arrival_at limit {_BATCH} for update skip locked),
deleted as (
    delete from mail_budgets as budget using forgotten
    where budget.scope_id = forgotten.scope_id and budget.address = forgotten.address)
select count(*) from forgotten"""


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


async def retry(database: Statements, mail_id: str) -> tuple[MailState, bool] | None:
    """Has it tried at once if it can be: if it is pending, or failed without secrets.

    The state that it was in, and whether it has, or had, secrets. None: no such mail.
    """
    row = await database.fetch_row(_RETRY, mail_id)
    return (MailState(row["state"]), row["has_secrets"]) if row else None


async def get(database: Statements, mail_id: str) -> Mail | None:
    """Reads one."""
    row = await database.fetch_row(_GET, mail_id)
    return _mail(row) if row else None


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
    return [_mail(row) for row in rows]


async def forget_ended(database: Statements) -> None:
    """Deletes mails that ended long ago, and the budgets that none was taken of lately."""
    for statement in (_FORGET_MAILS, _FORGET_BUDGETS):
        while (await database.fetch_one(statement))["count"] == _BATCH:
            pass


def _mail(row: Row) -> Mail:
    columns = dict(row)
    attempts = [PastAttempt(*attempt) for attempt in columns.pop("attempts")]
    return Mail(**columns | {"state": MailState(row["state"])}, attempts=attempts)
