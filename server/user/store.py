"""The read table `users` and every statement on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from server.access.authorizer import TargetUser
from server.access.caller import Caller
from server.access.roles import Role
from server.mail.outbox import (
    SECRETS_SENT_ELSEWHERE,
    SENT_ELSEWHERE,
    WITHOUT_RECEIVER,
    MailKind,
    about_event,
    secrets_about,
)
from server.session.store import ACTIVITY_OF_USER_ENDED
from server.store.database import Statements
from server.store.eventlog import Details, Projections, append, details, new_aggregate
from server.user.events import RoleGranted, RoleRevoked, UserAdded, UserChanged, UserRemoved

PROJECTIONS: Projections = {
    UserAdded: [
        """
        insert into users (id, owner, user_name, display_name, email, roles, user_handle,
            passkey_count, sequence, creation_date, change_date)
        select aggregate_id, owner, payload->>'user_name', payload->>'display_name',
            payload->>'email', '{}',
            decode(payload->>'user_handle', 'base64'), 0, sequence, created_at, created_at
        from event""",
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'user_name', owner || ':' || (payload->>'user_name_claim'), aggregate_id
        from event""",
    ],
    UserChanged: [
        """
        update users set
            display_name = coalesce(event.payload->>'display_name', users.display_name),
            email = coalesce(event.payload->>'email', users.email),
            sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""
    ],
    UserRemoved: [
        # its tokens and passkeys go with it, by their foreign keys
        "delete from users using event where users.id = event.aggregate_id",
        """
        delete from unique_claims using event
        where unique_claims.aggregate_id = event.aggregate_id""",
    ],
    RoleGranted: [
        """
        update users set roles = users.roles || (event.payload->>'role'),
            sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""
    ],
    RoleRevoked: [
        """
        update users set roles = array_remove(users.roles, event.payload->>'role'),
            sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""
    ],
}

# $3 id, $4 organization
_ADD = append(
    UserAdded, target=new_aggregate(id="$3::text", owner="$4::text"), projections=PROJECTIONS
)

# Whether user $3 is the only one that administers the instance. Meaningful after
# `lock_instance_owners`.
_IS_LAST_INSTANCE_OWNER = """
    'INSTANCE_OWNER' = any(users.roles) and not exists (
        select from users as other where 'INSTANCE_OWNER' = any(other.roles) and other.id <> $3)"""


def _ends(table: str, key: str, which: str) -> Mapping[str, str]:
    """For `append(also=...)` of an event of a user: deletes what is `pending`, and in no list.

    Two such statements may end the same rows. They lock them in one order, so that neither has what
    the other waits for.
    """
    return {
        f"ends_{table}": f"""
    delete from {table} using (
        select pending.user_id, pending.{key} from {table} as pending, event
        where {which}
        order by pending.user_id, pending.{key} for update of pending
    ) as ended
    where {table}.user_id = ended.user_id and {table}.{key} = ended.{key}
    returning {table}.{key}"""
    }


_CEREMONIES = ("passkey_ceremonies", "passkey_id")
_LINKS = ("passkey_links", "link_id")

# Begun by the user, for whomever: by what is revoked, as far as one knows. Who began by a link did
# it by that link alone.
_BEGUN_BY_IT = """pending.creator = event.aggregate_id
            and pending.verified_at is null and pending.link_id is null"""
# The user was given the code.
_RETURNED_TO_IT = """pending.returned_to = event.aggregate_id
            and pending.used_at is null and pending.replaced_at is null"""

# For the event that revokes a token, too.
ENDS_CEREMONIES_IT_BEGAN: Final = _ends(*_CEREMONIES, _BEGUN_BY_IT)

# $3 id; $4 id and $5 hourly limit of the notice to the old address. Ends the link that was mailed
# to another address than the new one, if `lock` precedes it.
_CHANGE = append(
    UserChanged,
    target="""
    select id, owner, user_name, display_name, email, sequence, creation_date, change_date,
        not jsonb_build_object('display_name', display_name, 'email', email) @> $1::jsonb as changed
    from users where id = $3 for update""",
    projections=PROJECTIONS,
    also={
        **_ends(
            *_LINKS,
            f"""pending.user_id = event.aggregate_id
            and pending.used_at is null and pending.replaced_at is null and exists (
                select from mails
                where mails.user_id = pending.user_id and mails.reference = pending.link_id
                    and mails.has_secrets and {SENT_ELSEWHERE})""",
        ),
        **SECRETS_SENT_ELSEWHERE,
        **about_event(
            MailKind.EMAIL_CHANGED,
            mail_id="$4::text",
            hourly_limit="$5::int",
            parameters="(select jsonb_build_object('user_name', user_name) from target)",
            reference="(select id from target)",
            only_if="target.email <> event.payload->>'email'",
        ),
    },
)

# $3 id. Removes all that the user has if `lock` precedes it.
_REMOVE = append(
    UserRemoved,
    target=f"""
    select id, owner, sequence, creation_date, change_date,
        {_IS_LAST_INSTANCE_OWNER} as is_last, not ({_IS_LAST_INSTANCE_OWNER}) as changed
    from users where id = $3 for update""",
    projections=PROJECTIONS,
    also={
        **_ends(*_CEREMONIES, f"pending.user_id = event.aggregate_id or {_BEGUN_BY_IT}"),
        **_ends(*_LINKS, f"pending.user_id = event.aggregate_id or {_RETURNED_TO_IT}"),
        **WITHOUT_RECEIVER,
        **ACTIVITY_OF_USER_ENDED,
    },
    returning=["is_last"],
)

# $3 id, $4 role, $5 makers. Ends the ceremonies and links that any of these made for the user, and
# the mails that carry the links, if its lock precedes it.
_GRANT_ROLE = append(
    RoleGranted,
    target="""
    select id, owner, sequence, creation_date, change_date, $4::text <> all(roles) as changed
    from users where id = $3 for update""",
    projections=PROJECTIONS,
    also={
        **_ends(
            *_CEREMONIES,
            """pending.user_id = event.aggregate_id
            and pending.makers && $5::text[] and pending.verified_at is null""",
        ),
        **_ends(
            *_LINKS,
            """pending.user_id = event.aggregate_id and pending.makers && $5::text[]
            and pending.used_at is null and pending.replaced_at is null""",
        ),
        **secrets_about("(select link_id from ends_passkey_links)"),
    },
)

# $1 user. By whose hands it has tokens, links and ceremonies that are good.
_MAKERS = """
with made as (
    select makers from tokens
    where user_id = $1 and coalesce(expires_at, 'infinity') > statement_timestamp()
    union all
    select makers from passkey_links
    where user_id = $1 and used_at is null and replaced_at is null
    union all
    select makers from passkey_ceremonies where user_id = $1 and verified_at is null
), maker as (select distinct unnest(makers) as id from made)
select maker.id, users.owner, users.roles from maker left join users on users.id = maker.id"""

# $3 id, $4 role. Ends all that the user began, and the links that it was given, if `lock` precedes.
_REVOKE_ROLE = append(
    RoleRevoked,
    target=f"""
    select id, owner, sequence, creation_date, change_date,
        $4::text = 'INSTANCE_OWNER' and {_IS_LAST_INSTANCE_OWNER} as is_last,
        $4::text = any(roles)
            and not ($4::text = 'INSTANCE_OWNER' and {_IS_LAST_INSTANCE_OWNER}) as changed
    from users where id = $3 for update""",
    projections=PROJECTIONS,
    also={**ENDS_CEREMONIES_IT_BEGAN, **_ends(*_LINKS, _RETURNED_TO_IT)},
    returning=["is_last"],
)

# Whoever takes an instance owner away does it alone. A statement after this one in the same
# transaction sees the owners as they then are.
_LOCK_INSTANCE_OWNERS = """
select from organizations
where id = (select aggregate_id from unique_claims where kind = 'default_organization')
for update"""

_LOCK = "select from users where id = $1 for update"

_COLUMNS = "id, owner, user_name, display_name, email, roles, sequence, creation_date, change_date"

_GET = f"select {_COLUMNS} from users where id = $1"

_LIST = f"select {_COLUMNS} from users where owner = $1 and id > $2 order by id limit $3"

_FIND_BY_NAME = (
    "select aggregate_id as id from unique_claims where kind = 'user_name' and value = $1"
)


@dataclass(frozen=True, slots=True)
class User:
    """A user as it is read back."""

    user_id: str
    user_name: str
    display_name: str
    email: str
    roles: tuple[Role, ...]
    details: Details


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a command that the last instance owner is protected from."""

    details: Details
    is_last_instance_owner: bool


async def add(
    database: Statements, event: UserAdded, *, creator: str, user_id: str, organization_id: str
) -> Details:
    """Writes a new user. UniqueConflictError: the organization has one of this name."""
    return details(
        await database.fetch_one(_ADD, event.payload(), creator, user_id, organization_id)
    )


async def change(
    database: Statements,
    event: UserChanged,
    *,
    creator: str,
    user_id: str,
    mail_id: str,
    hourly_mail_limit: int,
) -> Details:
    """Writes the change of a user who is locked, or nothing if it would change nothing.

    If the address is another, the old one gets a mail about it, if it can.
    """
    arguments = (event.payload(), creator, user_id, mail_id, hourly_mail_limit)
    return details(await database.fetch_one(_CHANGE, *arguments))


async def remove(database: Statements, *, creator: str, user_id: str) -> Outcome | None:
    """Removes it, unless it is the last instance owner. None: no such user."""
    row = await database.fetch_row(_REMOVE, UserRemoved().payload(), creator, user_id)
    return Outcome(details(row), row["is_last"]) if row else None


async def grant_role(
    transaction: Statements,
    event: RoleGranted,
    *,
    creator: str,
    user_id: str,
    uncovering: Sequence[str],
) -> Details:
    """Grants the role to a user who is locked; nothing is written if it has it.

    The ceremonies and links that any of `uncovering` made for the user end.
    """
    arguments = (event.payload(), creator, user_id, event.role, uncovering)
    return details(await transaction.fetch_one(_GRANT_ROLE, *arguments))


async def list_makers(transaction: Statements, user_id: str) -> dict[str, Caller | None]:
    """By whose hands a user who is locked has what it can be acted as with, by their ids.

    None: the maker is no user, or not any more.
    """
    return {
        row["id"]: Caller(row["id"], row["owner"], frozenset(map(Role, row["roles"])))
        if row["owner"]
        else None
        for row in await transaction.fetch(_MAKERS, user_id)
    }


async def revoke_role(
    database: Statements, event: RoleRevoked, *, creator: str, user_id: str
) -> Outcome | None:
    """Revokes the role, unless it is the last instance owner's; nothing is written without it.

    None: no such user.
    """
    row = await database.fetch_row(_REVOKE_ROLE, event.payload(), creator, user_id, event.role)
    return Outcome(details(row), row["is_last"]) if row else None


async def lock_instance_owners(transaction: Statements) -> None:
    """Until the transaction ends, nobody else takes an instance owner away."""
    await transaction.fetch(_LOCK_INSTANCE_OWNERS)


async def lock(transaction: Statements, user_id: str) -> None:
    """Until the transaction ends, nobody else changes what the user has."""
    await transaction.fetch(_LOCK, user_id)


async def get(database: Statements, user_id: str) -> User | None:
    """Reads one."""
    row = await database.fetch_row(_GET, user_id)
    return _user(row) if row else None


async def target(database: Statements, user_id: str) -> TargetUser | None:
    """What decides who may act on it."""
    user = await get(database, user_id)
    return TargetUser(user.details.owner, frozenset(user.roles)) if user else None


async def list_after(
    database: Statements, *, organization_id: str, after: str, limit: int
) -> list[User]:
    """Those of the organization after an id, oldest first."""
    return [_user(row) for row in await database.fetch(_LIST, organization_id, after, limit)]


async def find_by_name(
    database: Statements, *, organization_id: str, name_claim: str
) -> str | None:
    """The id of the user with this name in the organization."""
    row = await database.fetch_row(_FIND_BY_NAME, f"{organization_id}:{name_claim}")
    return row["id"] if row else None


def _user(row: Any) -> User:
    return User(
        row["id"],
        row["user_name"],
        row["display_name"],
        row["email"],
        tuple(map(Role, row["roles"])),
        details(row),
    )
