"""The tables `mails` and `mail_attempts` for operators: list, count, retry, delete."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from server.access.growing import GrowingList, IndexRange
from server.deliveries.results import DeliveryState
from server.mail.outbox import GIVE_UP_AFTER, MailKind
from server.store.database import Row, Statements
from server.store.filters import Key, OneOf
from server.store.retention import retention
from server.store.statement import statement

# Makes a mail due now. A failed mail with secrets stays failed, because its secrets are erased. An
# attempt in progress goes on, since a second attempt would send the mail twice; if it fails, the
# back-off is that of a new mail.
_RETRY = statement(f"""
with mail as (select mail_id, state, has_secrets from mails where mail_id = :mail_id for update),
retried as (
    update mails set state = 'pending', failures = 0, ended_at = null, is_urgent = true,
        give_up_at = clock.now + {GIVE_UP_AFTER},
        due_at = case when mail.state = 'pending' then least(due_at, clock.now) else clock.now end,
        next_attempt_at = case when is_leased then next_attempt_at else clock.now end
    from mail, (select clock_timestamp() as now) as clock
    where mails.mail_id = mail.mail_id
        and (mail.state = 'pending' or mail.state = 'failed' and not mail.has_secrets))
select state, has_secrets from mail""")

# A mail with its attempts, in one statement, so that state and attempts are consistent.
_COLUMNS = """
mail_id, kind, user_id, recipient_address, message_domain, state, next_attempt_at, created_at,
    ended_at, smtp_org_id, is_captured, array(
        select row(attempt.started_at, attempt.ended_at, attempt.reason, attempt.message,
            attempt.route)
        from mail_attempts as attempt where attempt.mail_id = mails.mail_id order by number
    ) as attempts"""

# One mail.
_GET = statement(f"select {_COLUMNS} from mails where mail_id = :mail_id")

# Numbers of mails that failed within a day, and of late pending mails. The column `failures` is no
# measure: while the destination fails, attempts do not increment it, and most mails are not tried.
_UNDELIVERED = statement("""
select count(*) filter (where state = 'failed') as failed,
    count(*) filter (where state = 'pending') as delayed
from mails
where state = 'failed' and ended_at > clock_timestamp() - interval '1 day'
    or state = 'pending' and smtp_org_id = '' and (
        next_attempt_at < clock_timestamp() - interval '1 minute'
        or exists (
            select from mail_attempts
            where mail_attempts.mail_id = mails.mail_id and mail_attempts.reason <> ''))""")

# The reason of their last failed attempt.
_LAST_REASON = statement("""
select mail_attempts.reason from mail_attempts join mails using (mail_id)
where mail_attempts.reason <> '' and (
    mails.state = 'pending' and mails.smtp_org_id = ''
    or mails.state = 'failed' and mails.ended_at > clock_timestamp() - interval '1 day')
order by mail_attempts.ended_at desc limit 1""")

# The number of failed mails of an organization that is counted.
MOST_FAILED: Final = 1_000

# The number of failed mails of an organization.
_COUNT_FAILED = statement(f"""
select count(*) as mails from (
    select from mails where org_id = :org_id and org_id <> '' and state = 'failed'
    limit {MOST_FAILED}) as failed""")

# Mails that ended 30 days ago, with the messages of captured ones.
ENDED: Final = retention(
    "mails",
    until="ended_at",
    after="now() - interval '30 days'",
    also="delete from secrets using deleted where secrets.aggregate_id = deleted.mail_id",
)

# Budgets whose theoretical arrival has passed, which are equivalent to new ones.
UNUSED_BUDGETS: Final = retention("mail_budgets", until="theoretical_arrival_at")


@dataclass(frozen=True, slots=True)
class PastAttempt:
    """An attempt, as shown to operators."""

    started_at: datetime
    ended_at: datetime | None
    reason: str
    message: str
    route: str


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail, as shown to operators."""

    mail_id: str
    kind: str
    user_id: str
    recipient_address: str
    message_domain: str
    state: DeliveryState
    next_attempt_at: datetime
    created_at: datetime
    ended_at: datetime | None
    smtp_org_id: str
    is_captured: bool
    attempts: Sequence[PastAttempt]


@dataclass(frozen=True, slots=True)
class Undelivered:
    """Numbers of mails that failed within a day, and of pending mails that are late.

    `last_reason` is that of their last failed attempt, without the message, which may contain the
    recipient; empty if there was none.
    """

    failed: int
    delayed: int
    last_reason: str


async def undelivered(database: Statements) -> Undelivered:
    """The mails that need the attention of an operator."""
    mails = await database.fetch_one(_UNDELIVERED)
    attempt = await database.fetch_row(_LAST_REASON)
    return Undelivered(mails["failed"], mails["delayed"], attempt["reason"] if attempt else "")


async def retry(database: Statements, mail_id: str) -> tuple[DeliveryState, bool] | None:
    """Makes a mail due now if it is pending, or failed without secrets.

    Returns its previous state, and whether it has or had secrets. None: no such mail.
    """
    row = await database.fetch_row(_RETRY, mail_id=mail_id)
    return (DeliveryState(row["state"]), row["has_secrets"]) if row else None


async def get(database: Statements, mail_id: str) -> Mail | None:
    """Reads a mail."""
    row = await database.fetch_row(_GET, mail_id=mail_id)
    return _mail(row) if row else None


def _mail(row: Row) -> Mail:
    columns: dict[str, Any] = {name: row[name] for name in Mail.__match_args__}
    attempts = [PastAttempt(*attempt) for attempt in columns["attempts"]]
    return Mail(**columns | {"state": DeliveryState(row["state"]), "attempts": attempts})


def _narrowest(selection: Mapping[str, Any]) -> str:
    """The name of the narrowest range of an index."""
    if selection["user_id"]:
        return "user"
    if selection["organization_id"]:
        return "failed" if selection["state"] == [DeliveryState.FAILED.name] else "organization"
    return "state" if selection["state"] and len(selection["state"]) == 1 else "all"


# Mails, newest first. An empty organization is that of mails of earlier releases, which no caller
# can select; the parameter is empty for the mails of all organizations.
LIST: Final = GrowingList(
    "mails",
    "mail_id",
    _COLUMNS,
    _mail,
    fields={
        "state": OneOf("upper(state)", [each.name for each in DeliveryState], prefix="MAIL_STATE_"),
        "kind": OneOf("kind", [each.value for each in MailKind], prefix=""),
        "user_id": Key("user_id"),
    },
    within="(:organization_id::text = '' or org_id = :organization_id::text)",
    ranges={
        # Mails of other organizations count for no page, or its token would tell of them.
        "user": IndexRange(
            {"user_id": "(:user_id::text[])[1]"},
            "(:organization_id::text = '' or org_id = :organization_id::text)",
        ),
        "failed": IndexRange({"org_id": ":organization_id::text"}, "state = 'failed'"),
        "organization": IndexRange({"org_id": ":organization_id::text"}, "org_id <> ''"),
        "state": IndexRange({"state": "lower((:state::text[])[1])"}),
        "all": IndexRange({}),
    },
    narrowest=_narrowest,
)


async def count_failed(database: Statements, organization_id: str) -> int:
    """The number of failed mails of an organization, at most `MOST_FAILED`."""
    row = await database.fetch_one(_COUNT_FAILED, org_id=organization_id)
    return int(row["mails"])
