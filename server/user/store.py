"""The read table `users` and every statement on it."""

import enum
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from server.access import makers
from server.access.authorizer import TargetUser, organization_not_found, user_not_found
from server.access.held_roles import AFTER_LOCK, end_of, has_ended, held_roles, roles_of
from server.access.roles import Role
from server.access.user_aggregate import address_key
from server.log.append import Append, Projections, append, new_aggregate
from server.log.event import Event
from server.session import fragments
from server.store.database import Row, Statements
from server.store.rows import Details, Query, details, from_row
from server.store.statement import statement
from server.user.attributes.values import AttributeAccess
from server.user.events import (
    EmailChangeCancelled,
    EmailChangeRequested,
    EmailVerification,
    RoleEnded,
    RoleGranted,
    RoleRevoked,
    UserAdded,
    UserChanged,
    UserLocked,
    UserRemoved,
    UserUnlocked,
)
from server.values.errors import FixedFailure

# Columns with the text of the field of this name, which an event of an older release lacks.
_FURTHER: Final = ("given_name", "family_name", "locale", "zoneinfo", "external_id")
_TEXTS: Final = ("display_name", "email", *_FURTHER)
_ADDED = ", ".join(f"coalesce(payload->>'{name}', '')" for name in _FURTHER)
_CHANGED = ", ".join(
    f"{name} = coalesce(event.payload->>'{name}', users.{name})" for name in _TEXTS
)
_DIFFERS = " or ".join(f"{name} <> coalesce(:payload::jsonb->>'{name}', {name})" for name in _TEXTS)


def _attributes(payload: str) -> str:
    """The values after a change, which has null for those that it removes."""
    return f"jsonb_strip_nulls(users.attributes || coalesce({payload}->'attributes', '{{}}'))"


# The verification after a change, null if it stays; that of another address ends.
_VERIFICATION = """coalesce(event.payload->>'email_verification',
                case when event.payload->>'email' <> users.email then '' end)"""
_IS_VERIFIED = "verified_email = email and email <> ''"
_VERIFIED = f"case when {_IS_VERIFIED} then email_verification else '' end"
# Ends a pending change of the address.
_NO_EMAIL_CHANGE = """email_change_id = '', email_change_address = '',
            email_change_expires_at = null"""
# The same if the event sets the address: a request of another one ends.
_EMAIL_CHANGE_AFTER = ", ".join(
    f"email_change_{name} = case when event.payload ? 'email' then {ended}"
    f" else users.email_change_{name} end"
    for name, ended in {"id": "''", "address": "''", "expires_at": "null"}.items()
)


# The entry of `role_grants` that a grant makes.
_GRANT = """jsonb_build_object(event.payload->>'role', jsonb_strip_nulls(jsonb_build_object(
                'granted_at',
                to_char(event.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                'granted_by', event.creator, 'expires_at', event.payload->>'expires_at')))"""


def _with_grants(grants: str) -> str:
    """Sets the grants of roles to this expression."""
    return f"""role_grants = {grants},
            roles_end_at = (
                select min((held.value->>'expires_at')::timestamptz)
                from jsonb_each({grants}) as held)"""


_ROLE_LOST = f"""
        update users set roles = array_remove(users.roles, event.payload->>'role'),
            {_with_grants("users.role_grants - (event.payload->>'role')")},
            sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""


def inserted_user(*, creation_date: str = "created_at", **further: str) -> str:
    """The projection of an event that adds users; `further` columns are expressions."""
    names, values = (
        "".join(f", {each}" for each in further),
        "".join(f", {each}" for each in further.values()),
    )
    return f"""
        insert into users (id, owner, user_name, display_name, email, email_makers, roles,
            user_handle, passkey_count, {", ".join(_FURTHER)}, attributes, email_verification,
            verified_email, email_verified_at, sequence, creation_date, change_date{names})
        select aggregate_id, owner, payload->>'user_name', payload->>'display_name',
            payload->>'email', {makers.PROJECTED}, array[]::text[],
            decode(payload->>'user_handle', 'base64'), 0,
            {_ADDED}, coalesce(payload->'attributes', '{{}}'),
            coalesce(payload->>'email_verification', ''),
            case when payload->>'email_verification' <> '' then payload->>'email' else '' end,
            case when payload->>'email_verification' <> ''
                then coalesce((payload->>'email_verified_at')::timestamptz, created_at) end,
            sequence, {creation_date}, created_at{values}
        from event"""


PROJECTIONS: Projections = {
    UserAdded: [
        inserted_user(),
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'user_name', owner || ':' || (payload->>'user_name_claim'), aggregate_id
        from event""",
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'user_name_skeleton', owner || ':' || digest, aggregate_id
        from event, jsonb_array_elements_text(payload->'user_name_skeletons') as digest""",
    ],
    UserChanged: [
        f"""
        update users set {_CHANGED},
            attributes = {_attributes("event.payload")},
            email_verification = coalesce({_VERIFICATION}, users.email_verification),
            verified_email = case when {_VERIFICATION} is null then users.verified_email
                when {_VERIFICATION} = '' then ''
                else coalesce(event.payload->>'email', users.email) end,
            email_verified_at = case when {_VERIFICATION} is null then users.email_verified_at
                when {_VERIFICATION} <> '' then event.created_at end,
            picture = coalesce(decode(event.payload->>'picture', 'base64'), users.picture),
            picture_key = coalesce(event.payload->>'picture_key', users.picture_key),
            person_changed_at = event.created_at,
            email_makers = case when event.payload->>'email' is null then users.email_makers
                else {makers.PROJECTED} end,
            {_EMAIL_CHANGE_AFTER},
            sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""
    ],
    EmailChangeRequested: [
        """
        update users set email_change_id = event.payload->>'change_id',
            email_change_address = event.payload->>'email',
            email_change_expires_at = (event.payload->>'expires_at')::timestamptz,
            sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""
    ],
    EmailChangeCancelled: [
        f"""
        update users set {_NO_EMAIL_CHANGE},
            sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""
    ],
    UserRemoved: [
        # Foreign keys delete its tokens and passkeys.
        "delete from users using event where users.id = event.aggregate_id",
        # The ID of an imported user stays taken.
        """
        delete from unique_claims using event
        where unique_claims.aggregate_id = event.aggregate_id
            and unique_claims.kind in ('user_name', 'user_name_skeleton', 'credential_id',
                'idp_identity', 'certificate')""",
    ],
    UserLocked: [
        f"""
        update users set locked_at = event.created_at, lock_reason = event.payload->>'reason',
            {_NO_EMAIL_CHANGE},
            sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id""",
        fragments.NAMED_ENDED,
        """
        delete from unique_claims using event
        where unique_claims.aggregate_id = event.aggregate_id
            and unique_claims.kind = 'certificate'""",
        "delete from tokens using event where tokens.user_id = event.aggregate_id",
    ],
    UserUnlocked: [
        """
        update users set locked_at = null, lock_reason = '',
            sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""
    ],
    RoleGranted: [
        f"""
        update users set
            roles = array_remove(users.roles, event.payload->>'role') || (event.payload->>'role'),
            {_with_grants(f"users.role_grants || {_GRANT}")},
            sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""
    ],
    RoleRevoked: [_ROLE_LOST],
    RoleEnded: [_ROLE_LOST],
}

_last_instance_owner: Final = FixedFailure(
    "LAST_INSTANCE_OWNER",
    "This user is the only instance owner without an end who can sign in. Grant ROLE_INSTANCE_OWNER"
    " without an end to another user, or unlock another such instance owner, first.",
)

# Adds a user.
ADD: Final = append(
    UserAdded,
    target=new_aggregate(id=":user_id::text", owner=":organization_id::text"),
    projections=PROJECTIONS,
    missing=("organization_id", organization_not_found),
)


def _is_lasting_owner(users: str) -> str:
    """Whether the row is an instance owner without an end."""
    return f"""'INSTANCE_OWNER' = any({users}.roles)
            and {end_of("'INSTANCE_OWNER'", users)} is null"""


# Whether all other instance owners without an end are locked; exact while the default organization
# is locked.
_IS_LAST_INSTANCE_OWNER = f"""
    {_is_lasting_owner("users")} and not exists (
        select from users as other
        where {_is_lasting_owner("other")} and other.id <> :user_id
            and other.locked_at is null)"""

# Requests a new address of a locked user.
REQUEST_EMAIL_CHANGE: Final = append(
    EmailChangeRequested,
    target="""
    select id, owner, sequence, creation_date, change_date, true as changed
    from users where id = :user_id for update""",
    projections=PROJECTIONS,
)

# Cancels the request of a locked user, if there is one.
CANCEL_EMAIL_CHANGE: Final = append(
    EmailChangeCancelled,
    target="""
    select id, owner, sequence, creation_date, change_date, email_change_id <> '' as changed
    from users where id = :user_id for update""",
    projections=PROJECTIONS,
)

# Changes a user.
CHANGE: Final = append(
    UserChanged,
    target=f"""
    select id, owner, sequence, creation_date, change_date,
        {_DIFFERS}
            or attributes <> {_attributes(":payload::jsonb")}
            or {_VERIFIED} <> coalesce(:payload::jsonb->>'email_verification', {_VERIFIED})
            or picture <> coalesce(decode(:payload::jsonb->>'picture', 'base64'), picture)
            or (:makers::text[] is distinct from coalesce(email_makers, array[]::text[])
                or email_change_id <> '') and :payload::jsonb->>'email' is not null as changed
    from users where id = :user_id for update""",
    projections=PROJECTIONS,
)

# Locks a user.
_LOCK = statement("select roles from users where id = :user_id for update")

_UNLESS_LAST_OWNER = f"""
    select id, owner, sequence, creation_date, change_date,
        {_IS_LAST_INSTANCE_OWNER} as is_last, not ({_IS_LAST_INSTANCE_OWNER}) as changed
    from users where id = :user_id for update"""

# Removes a user.
_REMOVE = append(
    UserRemoved,
    target=_UNLESS_LAST_OWNER,
    projections=PROJECTIONS,
    returning=["is_last", "changed"],
    missing=("user_id", user_not_found),
)

# Locks out a user, whose row is locked.
_LOCK_OUT = append(
    UserLocked,
    target=_UNLESS_LAST_OWNER,
    projections=PROJECTIONS,
    also=fragments.ACTIVITY_ENDED,
    returning=["is_last"],
)

# Unlocks a user.
UNLOCK: Final = append(
    UserUnlocked,
    target="""
    select id, owner, sequence, creation_date, change_date, locked_at is not null as changed
    from users where id = :user_id for update""",
    projections=PROJECTIONS,
)

# Whether a grant with an end would take the last instance owner without one.
_GRANT_ENDS_LAST = f"""
    :role::text = 'INSTANCE_OWNER' and :expires_at::text is not null
        and {_IS_LAST_INSTANCE_OWNER}"""

# Grants a role to a user, or changes the end of a role that it has.
_GRANT_ROLE = append(
    RoleGranted,
    target=f"""
    select id, owner, sequence, creation_date, change_date, {_GRANT_ENDS_LAST} as is_last,
        (:role::text <> all(roles)
            or role_grants->:role->>'expires_at' is distinct from :expires_at::text)
            and not ({_GRANT_ENDS_LAST}) as changed
    from users where id = :user_id for update""",
    projections=PROJECTIONS,
    returning=["is_last"],
)

# Revokes a role of a user.
_REVOKE_ROLE = append(
    RoleRevoked,
    target=f"""
    select id, owner, sequence, creation_date, change_date,
        :role::text = 'INSTANCE_OWNER' and {_IS_LAST_INSTANCE_OWNER} as is_last,
        :role::text = any(roles)
            and not (:role::text = 'INSTANCE_OWNER' and {_IS_LAST_INSTANCE_OWNER}) as changed
    from users where id = :user_id for update""",
    projections=PROJECTIONS,
    returning=["is_last", "changed"],
    missing=("user_id", user_not_found),
)

# Revokes a role of a user whose time has passed.
_END_ROLE = append(
    RoleEnded,
    target=f"""
    select id, owner, sequence, creation_date, change_date,
        :role::text = any(roles) and {end_of(":role::text")} <= clock_timestamp() as changed
    from users where id = :user_id for update""",
    projections=PROJECTIONS,
    returning=["changed"],
)

# The roles whose time has passed, those of one user after those of another.
_LIST_ENDED_ROLES = statement(f"""
select id as user_id, array(
    select role from unnest(roles) as role where {end_of("role")} <= clock_timestamp()) as roles
from users where {has_ended(now=AFTER_LOCK)} order by roles_end_at limit :limit""")

# Values with their access by the names of their definitions.
_ATTRIBUTES = """
    case when attributes <> '{}' then (
        select jsonb_object_agg(definition.name,
            jsonb_build_array(users.attributes->definition.id, definition.user_access))
        from attribute_definitions as definition
        where definition.owner = users.owner and users.attributes ? definition.id) end"""

# An expression, one of `UserState`.
STATE: Final = """case when locked_at is not null then 'LOCKED'
        when invited_at is not null and passkey_count = 0 and last_sign_in_at is null then 'INVITED'
        else 'ACTIVE' end"""

# Of `users`, as `user_of` reads them.
COLUMNS: Final = f"""
id as user_id, owner, user_name, display_name, email, {", ".join(_FURTHER)},
    {_ATTRIBUTES} as attributes, {_VERIFIED} as email_verification,
    case when {_IS_VERIFIED} then email_verified_at end as email_verified_at, picture_key,
    email_change_address, case when email_change_expires_at > clock_timestamp()
        then email_change_expires_at end as email_change_expires_at,
    coalesce(person_changed_at, creation_date) as updated_at, {held_roles()} as roles, role_grants,
    locked_at,
    lock_reason, {STATE} as state, passkey_count, invited_at, last_sign_in_at,
    sequence, creation_date, change_date"""


@dataclass(frozen=True, slots=True)
class Attribute:
    """The JSON value of an attribute, and the access of the user itself."""

    value: Any
    user_access: AttributeAccess


@dataclass(frozen=True, slots=True)
class HeldRole:
    """A role of a user: who granted it and when, and its end.

    `granted_by` is empty and `granted_at` None for grants of earlier releases. `expires_at` None:
    the role does not end.
    """

    role: Role
    granted_at: datetime | None
    granted_by: str
    expires_at: datetime | None


class UserState(enum.StrEnum):
    """Whether a user can sign in."""

    ACTIVE = "ACTIVE"
    # It has a registration link, has never signed in, and has no passkey.
    INVITED = "INVITED"
    LOCKED = "LOCKED"


@dataclass(frozen=True, slots=True)
class EmailChange:
    """A mail address that a user has requested, and the expiry of its link."""

    email: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class User:
    """A stored user."""

    user_id: str
    user_name: str
    display_name: str
    email: str
    given_name: str
    family_name: str
    locale: str
    zoneinfo: str
    external_id: str
    # By their names.
    attributes: Mapping[str, Attribute]
    email_verification: EmailVerification | None
    email_verified_at: datetime | None
    # None: no change is pending.
    email_change: EmailChange | None
    # Of the URL of the picture; empty: the user has none.
    picture_key: str
    # Of its own fields; the user also changes with its passkeys, tokens and sessions.
    updated_at: datetime
    roles: tuple[Role, ...]
    # One for each of them.
    role_grants: tuple[HeldRole, ...]
    # None: the user is not locked.
    locked_at: datetime | None
    lock_reason: str
    state: UserState
    passkey_count: int
    invited_at: datetime | None
    last_sign_in_at: datetime | None
    # The application of a list of users.
    entered_application_at: datetime | None
    details: Details


def user_of(row: Row) -> User:
    """The user of a row of `COLUMNS`."""
    values = json.loads(row["attributes"] or "{}")
    verification, expires_at = row["email_verification"], row["email_change_expires_at"]
    grants = json.loads(row["role_grants"])
    return from_row(
        User,
        row,
        roles=tuple(map(Role, row["roles"])),
        role_grants=tuple(_held(Role(each), grants.get(each, {})) for each in row["roles"]),
        state=UserState(row["state"]),
        attributes={
            name: Attribute(value, AttributeAccess(access))
            for name, (value, access) in values.items()
        },
        email_verification=EmailVerification(verification) if verification else None,
        email_change=EmailChange(row["email_change_address"], expires_at) if expires_at else None,
        entered_application_at=None,
    )


def _held(role: Role, grant: Mapping[str, str]) -> HeldRole:
    return HeldRole(
        role,
        _instant(grant.get("granted_at")),
        grant.get("granted_by", ""),
        _instant(grant.get("expires_at")),
    )


def _instant(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


# A user.
GET: Final = Query(
    f"select {COLUMNS} from users where id = :user_id", user_of, missing=("user_id", user_not_found)
)

# The picture with a key.
_PICTURE = statement("select picture from users where picture_key = :key and picture_key <> ''")

# The pictures of some users, in the order of their IDs; null once they have too many bytes.
_PICTURES = statement("""
select id, case when bytes_until <= :most_bytes::bigint then picture end as picture from (
    select id, picture, sum(octet_length(picture)) over (order by id) as bytes_until
    from users where id = any(:user_ids::text[])
) as counted
order by id""")

# Locks a user, for a precondition.
LOCK_SEQUENCE: Final = statement("select sequence from users where id = :user_id for update")

# A page of the users of an organization, oldest first.
LIST: Final = Query(
    f"""
select {COLUMNS} from users where owner = :organization_id and id > :after
order by id limit :limit""",
    user_of,
)


@dataclass(frozen=True, slots=True)
class RequestedEmail:
    """The request of a new address; without an ID, there is none."""

    change_id: str
    email: str
    expires_at: datetime | None


# The request of a locked user, which may have expired.
REQUESTED_EMAIL: Final = Query(
    """
select email_change_id as change_id, email_change_address as email,
    email_change_expires_at as expires_at
from users where id = :user_id""",
    RequestedEmail,
)

# Whether another user of the organization has the address in any of its spellings.
_HAS_ADDRESS = statement(f"""
select exists (
    select from users where owner = :organization_id and email <> ''
        and {address_key("email")} = {address_key(":address::text")}
        and id <> :but_user_id
) as has_address""")

# The number of users of an organization.
_COUNT_OF_ORGANIZATION = statement("""
select count(*) as number from users where owner = :organization_id""")

# The user with a name.
_FIND_BY_NAME = statement("""
select aggregate_id as id from unique_claims where kind = 'user_name' and value = :claim""")


async def picture(database: Statements, key: str) -> bytes:
    """The picture of a user by the key of its URL; empty: there is none, or no longer."""
    row = await database.fetch_row(_PICTURE, key=key)
    return row["picture"] if row else b""


async def pictures(
    database: Statements, user_ids: Sequence[str], *, most_bytes: int
) -> dict[str, bytes | None]:
    """The pictures of those users that exist. None: those before, in the order of IDs, fill it."""
    rows = await database.fetch(_PICTURES, user_ids=user_ids, most_bytes=most_bytes)
    return {row["id"]: row["picture"] for row in rows}


async def lock(transaction: Statements, user_id: str) -> frozenset[Role]:
    """Locks the user until the transaction ends; returns its roles: none if it does not exist."""
    row = await transaction.fetch_row(_LOCK, user_id=user_id)
    return roles_of(row) if row else frozenset()


async def remove(
    transaction: Statements, event: UserRemoved, *, creator: str, user_id: str
) -> Details:
    """Removes a user. `Failure` NOT_FOUND; FAILED_PRECONDITION `LAST_INSTANCE_OWNER`."""
    return details(
        await _unless_last(_REMOVE, transaction, event, creator=creator, user_id=user_id)
    )


async def lock_out(
    transaction: Statements, event: UserLocked, *, creator: str, user_id: str
) -> Details:
    """Locks out a user who is not locked. `Failure` FAILED_PRECONDITION `LAST_INSTANCE_OWNER`."""
    return details(
        await _unless_last(_LOCK_OUT, transaction, event, creator=creator, user_id=user_id)
    )


async def grant_role(
    transaction: Statements, event: RoleGranted, *, creator: str, user_id: str
) -> Details:
    """Grants the role, or changes its end. `Failure` FAILED_PRECONDITION `LAST_INSTANCE_OWNER`."""
    return details(
        await _unless_last(_GRANT_ROLE, transaction, event, creator=creator, user_id=user_id)
    )


async def list_ended_roles(database: Statements, *, limit: int) -> list[tuple[str, Role]]:
    """Users and their roles whose time has passed, of at most `limit` users."""
    rows = await database.fetch(_LIST_ENDED_ROLES, limit=limit)
    return [(row["user_id"], Role(role)) for row in rows for role in row["roles"]]


async def end_role(
    transaction: Statements, event: RoleEnded, *, creator: str, user_id: str
) -> bool:
    """Revokes a role of a locked user whose time has passed. False: it has not, any more."""
    row = await _END_ROLE.row(transaction, event, creator=creator, user_id=user_id)
    return row is not None and bool(row["changed"])


async def revoke_role(
    transaction: Statements, event: RoleRevoked, *, creator: str, user_id: str
) -> tuple[Details, bool]:
    """Revokes the role. False: the user does not have it, so nothing was written.

    `Failure` NOT_FOUND; FAILED_PRECONDITION `LAST_INSTANCE_OWNER`.
    """
    row = await _unless_last(_REVOKE_ROLE, transaction, event, creator=creator, user_id=user_id)
    return details(row), row["changed"]


async def _unless_last(
    change: Append, transaction: Statements, event: Event, *, creator: str, user_id: str
) -> Row:
    """Makes a change, unless it would remove the last instance owner; gives its row. `Failure`."""
    row = await change.one(transaction, event, creator=creator, user_id=user_id)
    if row["is_last"]:
        raise _last_instance_owner()
    return row


async def target(database: Statements, user_id: str) -> TargetUser | None:
    """Reads a user's organization and roles, for the authorizer."""
    user = await GET.one_or_none(database, user_id=user_id)
    return TargetUser(user.details.owner, frozenset(user.roles)) if user else None


async def count_of_organization(database: Statements, organization_id: str) -> int:
    """The number of users of the organization."""
    row = await database.fetch_one(_COUNT_OF_ORGANIZATION, organization_id=organization_id)
    return int(row["number"])


async def find_by_name(
    database: Statements, *, organization_id: str, name_claim: str
) -> str | None:
    """The id of the user with this name in the organization."""
    row = await database.fetch_row(_FIND_BY_NAME, claim=f"{organization_id}:{name_claim}")
    return row["id"] if row else None


async def has_address(
    database: Statements, *, organization_id: str, address: str, but_user_id: str = ""
) -> bool:
    """Whether a user of the organization, but this one, has the address in any of its spellings."""
    row = await database.fetch_one(
        _HAS_ADDRESS, organization_id=organization_id, address=address, but_user_id=but_user_id
    )
    return bool(row["has_address"])
