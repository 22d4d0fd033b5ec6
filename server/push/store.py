"""The read tables `push_subscriptions` and `push_secrets`, and the started subscriptions."""

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Final

from server.access.authorizer import organization_not_found
from server.access.checked_append import IS_ADMITTED
from server.crypto import stored_secrets
from server.crypto.keyring import EncryptedSecret
from server.event.fields import matching
from server.log.append import Projections, append, new_aggregate
from server.log.projection import changed, inserted
from server.log.removals import Removals
from server.push.events import (
    SubscriptionAdded,
    SubscriptionChanged,
    SubscriptionRemoved,
    SubscriptionSecretCreated,
    SubscriptionSecretRemoved,
)
from server.store.database import Row, Statements
from server.store.object_names import ObjectNames
from server.store.pages import read_all
from server.store.rows import Details, Query, details
from server.store.statement import statement
from server.values.errors import NotFound

_MOVED = """
        update push_subscriptions set sequence = event.sequence, change_date = event.created_at
        from event where push_subscriptions.id = event.aggregate_id"""

PROJECTIONS: Projections = {
    SubscriptionAdded: [
        inserted("push_subscriptions", SubscriptionAdded, id="aggregate_id", owner="owner")
    ],
    SubscriptionChanged: [changed("push_subscriptions", SubscriptionChanged)],
    SubscriptionRemoved: [
        # A foreign key deletes the secrets.
        """
        delete from push_subscriptions using event
        where push_subscriptions.id = event.aggregate_id"""
    ],
    SubscriptionSecretCreated: [
        """
        insert into push_secrets (subscription_id, secret_id, kind, public_key, creation_date)
        select aggregate_id, payload->>'secret_id', payload->>'kind', payload->>'public_key',
            created_at
        from event""",
        _MOVED,
    ],
    SubscriptionSecretRemoved: [
        """
        delete from push_secrets using event
        where push_secrets.subscription_id = event.aggregate_id
            and push_secrets.secret_id = event.payload->>'secret_id'""",
        _MOVED,
    ],
}

subscription_not_found: Final = NotFound(
    "subscription",
    "The subscription does not exist in this organization. List the subscriptions to find its id,"
    " or name its organization in x-service-orgid.",
)
secret_not_found: Final = NotFound(
    "subscription_secret",
    "The subscription has no such secret. Read the subscription to find the right id.",
)

NAMES: Final = ObjectNames("push_subscriptions")

# Creates a subscription of the organization.
ADD: Final = append(
    SubscriptionAdded,
    target=new_aggregate(id=":subscription_id::text", owner=":organization_id::text"),
    projections=PROJECTIONS,
    missing=("organization_id", organization_not_found),
    admission=IS_ADMITTED,
)

_TARGET = """
    select id, owner, sequence, creation_date, change_date, true as changed
    from push_subscriptions
    where id = :subscription_id and owner = :organization_id for update"""

# Changes a locked subscription.
CHANGE: Final = append(
    SubscriptionChanged, target=_TARGET, projections=PROJECTIONS, admission=IS_ADMITTED
)

# Removes a locked subscription, and erases its secrets.
REMOVE: Final = append(
    SubscriptionRemoved,
    target=_TARGET,
    projections=PROJECTIONS,
    also={"erased": stored_secrets.erased_by_event()},
    admission=IS_ADMITTED,
)

_REMOVE_ALL = Removals(
    SubscriptionRemoved,
    "push_subscriptions",
    PROJECTIONS,
    also={"erased": stored_secrets.erased_by_event()},
)

# Forgets the subscriptions of an organization.
_STOP_ALL = statement("""
delete from push_started where subscription_id in (
    select id from push_subscriptions where owner = :organization_id)""")

# Adds a secret to a locked subscription.
CREATE_SECRET: Final = append(
    SubscriptionSecretCreated,
    target=_TARGET,
    projections=PROJECTIONS,
    also={"stored": stored_secrets.STORED_BY_EVENT},
    admission=IS_ADMITTED,
)

# Removes and erases a secret of a locked subscription.
REMOVE_SECRET: Final = append(
    SubscriptionSecretRemoved,
    target=_TARGET,
    projections=PROJECTIONS,
    also={
        "erased": """
    delete from secrets using event
    where secrets.aggregate_id = event.aggregate_id
        and secrets.secret_id = event.payload->>'secret_id'"""
    },
    admission=IS_ADMITTED,
)


def _secrets(column: str) -> str:
    return f"""array(
        select {column} from push_secrets as secret
        where secret.subscription_id = push_subscriptions.id order by secret.secret_id)"""


_COLUMNS = f"""
id as subscription_id, owner, name, url, event_types, sequence, creation_date, change_date,
    {_secrets("secret.secret_id")} as secret_ids, {_secrets("secret.kind")} as secret_kinds,
    {_secrets("secret.public_key")} as public_keys,
    {_secrets("secret.creation_date")} as secret_dates"""


@dataclass(frozen=True, slots=True)
class SubscriptionSecret:
    """A stored secret, without the secret itself. `public_key` is empty for HMAC."""

    secret_id: str
    kind: str
    public_key: str
    creation_date: datetime


@dataclass(frozen=True, slots=True)
class Subscription:
    """A stored subscription. Without `event_types`, it gets all events."""

    subscription_id: str
    name: str
    url: str
    event_types: tuple[str, ...]
    secrets: Sequence[SubscriptionSecret]
    details: Details


def _subscription(row: Row) -> Subscription:
    secrets = zip(
        row["secret_ids"], row["secret_kinds"], row["public_keys"], row["secret_dates"], strict=True
    )
    return Subscription(
        row["subscription_id"],
        row["name"],
        row["url"],
        tuple(row["event_types"]),
        tuple(SubscriptionSecret(*secret) for secret in secrets),
        details(row),
    )


# A subscription of the organization.
GET: Final = Query(
    f"""
select {_COLUMNS} from push_subscriptions
where id = :subscription_id and owner = :organization_id""",
    _subscription,
    missing=("subscription_id", subscription_not_found),
)

# Locks a subscription of the organization.
_LOCK = statement("""
select from push_subscriptions
where id = :subscription_id and owner = :organization_id for update""")

# Locks a subscription of the organization, for a precondition.
LOCK_SEQUENCE: Final = statement("""
select sequence from push_subscriptions
where id = :subscription_id and owner = :organization_id for update""")

# A page of the organization's subscriptions, oldest first.
LIST: Final = Query(
    f"""
select {_COLUMNS} from push_subscriptions
where owner = :organization_id and id > :after order by id limit :limit""",
    _subscription,
)

# The number of the organization's subscriptions, at most `:limit`.
_COUNT = statement("""
select count(*) from (
    select from push_subscriptions where owner = :organization_id limit :limit) as counted""")

# Any subscription.
_ANY = statement("select id from push_subscriptions order by id limit 1")

# The subscriptions of organizations that have started.
_LIST_OF_OWNERS = statement("""
select id, owner, event_types
from push_subscriptions cross join lateral (
    select from push_started
    where push_started.subscription_id = push_subscriptions.id limit 1) as started
where owner = any(:owners::text[])""")

# Starts subscriptions.
_START = statement("""
insert into push_started (subscription_id)
select id from push_subscriptions where id = any(:subscription_ids::text[])
on conflict do nothing""")

# Forgets that a removed subscription has started.
_STOP = statement("delete from push_started where subscription_id = :subscription_id")

# The URL of a subscription with its secrets, one row for each. A removed secret does not sign.
_GET_ADDRESSES = statement(f"""
select secret.subscription_id, push_subscriptions.url, secret.secret_id, secret.kind,
    {stored_secrets.COLUMNS}
from push_subscriptions
    join push_secrets as secret on secret.subscription_id = push_subscriptions.id
    {stored_secrets.joined("secret.subscription_id", "secret.secret_id")}
where push_subscriptions.id = any(:subscription_ids::text[])
order by secret.subscription_id, secret.secret_id""")

# A page of the secrets, and one of those that are encrypted under another key than `:key_id`.
_ALL_SECRETS = f"""
select secret.subscription_id, secret.secret_id, {stored_secrets.COLUMNS}
from push_secrets as secret
    {stored_secrets.joined("secret.subscription_id", "secret.secret_id")}
where (secret.subscription_id, secret.secret_id)
    > (:after_subscription_id::text, :after_secret_id::text)"""
_ORDER = "order by secret.subscription_id, secret.secret_id limit :limit"
_LIST_SECRETS = statement(f"{_ALL_SECRETS} {_ORDER}")
_LIST_UNDER_OTHER_KEYS = statement(f"{_ALL_SECRETS} and secrets.key_id <> :key_id {_ORDER}")


@dataclass(frozen=True, slots=True)
class StoredSecret:
    """A secret as it is stored. `encrypted` is None if it was lost."""

    subscription_id: str
    secret_id: str
    kind: str
    encrypted: EncryptedSecret | None


@dataclass(frozen=True, slots=True)
class SubscriptionAddress:
    """The URL of a subscription, and the secrets that sign what is sent to it."""

    url: str
    secrets: Sequence[StoredSecret]


@dataclass(frozen=True, slots=True)
class Interest:
    """A subscription and the events that it gets; without `event_types`, all of its owner."""

    subscription_id: str
    owner: str
    event_types: frozenset[str]


async def lock(transaction: Statements, **of_subscription: str) -> Subscription:
    """Locks a subscription until the transaction ends, and reads it. `Failure` NOT_FOUND."""
    await transaction.fetch(_LOCK, **of_subscription)
    return await GET.one(transaction, **of_subscription)


async def count(database: Statements, *, organization_id: str, limit: int) -> int:
    """The number of subscriptions of the organization, at most `limit`."""
    row = await database.fetch_one(_COUNT, organization_id=organization_id, limit=limit)
    return int(row["count"])


async def exists(database: Statements) -> bool:
    """Whether there is any subscription."""
    return await database.fetch_row(_ANY) is not None


async def list_interests(database: Statements, owners: Collection[str]) -> list[Interest]:
    """The subscriptions of these organizations that have started."""
    rows = await database.fetch(_LIST_OF_OWNERS, owners=sorted(owners))
    return [Interest(row["id"], row["owner"], matching(row["event_types"])) for row in rows]


async def start(transaction: Statements, subscription_ids: Collection[str]) -> None:
    """Starts subscriptions, which then get events."""
    await transaction.fetch(_START, subscription_ids=sorted(subscription_ids))


async def stop(transaction: Statements, subscription_id: str) -> None:
    """Forgets a removed subscription."""
    await transaction.fetch(_STOP, subscription_id=subscription_id)


async def remove_all(transaction: Statements, organization_id: str, creator: str) -> int:
    """Removes the subscriptions of an organization, with their secrets; returns their number."""
    await transaction.fetch(_STOP_ALL, organization_id=organization_id)
    return await _REMOVE_ALL.all(transaction, organization_id, creator)


async def addresses(
    database: Statements, subscription_ids: Collection[str]
) -> dict[str, SubscriptionAddress]:
    """The URL and the secrets of each subscription, by its id. Removed ones are left out."""
    rows = await database.fetch(_GET_ADDRESSES, subscription_ids=[*subscription_ids])
    return {
        subscription_id: _address([*of_subscription])
        for subscription_id, of_subscription in groupby(rows, itemgetter("subscription_id"))
    }


def _address(rows: Sequence[Row]) -> SubscriptionAddress:
    secrets = [
        StoredSecret(
            row["subscription_id"],
            row["secret_id"],
            row["kind"],
            stored_secrets.encrypted_secret(row),
        )
        for row in rows
    ]
    return SubscriptionAddress(rows[0]["url"], secrets)


async def list_secrets(
    database: Statements, *, not_under: str | None = None
) -> AsyncIterator[tuple[str, str, EncryptedSecret]]:
    """All secrets, or those that are encrypted under another key than `not_under`.

    Each with the ids of its subscription and its own. Lost secrets are left out.
    """
    start = {"subscription_id": "", "secret_id": ""}
    rows = (
        read_all(database, _LIST_SECRETS, after=start)
        if not_under is None
        else read_all(database, _LIST_UNDER_OTHER_KEYS, after=start, key_id=not_under)
    )
    async for row in rows:
        if (encrypted := stored_secrets.encrypted_secret(row)) is not None:
            yield row["subscription_id"], row["secret_id"], encrypted
