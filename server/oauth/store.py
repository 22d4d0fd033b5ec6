"""The tables `oauth_authorizations` and `oauth_sessions`, and every statement on them.

Their rows are no projections: a code lives for a minute, and a refresh token rotates often. The
applications of a session are those that got a code in it, and are notified of its end.
"""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from server.oauth.claims import claims_of
from server.oauth.refresh_token import RefreshToken
from server.store.database import Statements
from server.store.retention import retention
from server.store.rows import from_row
from server.store.statement import statement

# RFC 6749, section 4.1.2, recommends ten minutes at most.
CODE_LIFETIME: Final = timedelta(seconds=60)
_SALT_BYTES: Final = 16
# After its last code. Sessions have no longer idle timeout.
_IN_SESSION: Final = "interval '90 days'"
# Time after a rotation in which the replaced token works, too.
_WINDOW: Final = "interval '60 seconds'"
# The time after which the present one is replaced. Longer than the window by more than a statement
# waits for its row: the last requests of the window must find the token that they may use.
_ROTATION: Final = "interval '65 seconds'"

# Servers of earlier builds store one resource, whose application is unknown.
_RESOURCES = "case when resources = '{}' then array_remove(array[resource], '') else resources end"
_COLUMNS = f"""authorization_id, application_id, user_id, session_id, nonce, scopes,
    id_token_claims, user_info_claims, {_RESOURCES} as resources, resource_ids,
    resource_scopes, expires_at"""
# Whether the authorization is for the resource of a request, or for one at most if it names none.
_IS_FOR = f"""case when :resource::text = '' then cardinality({_RESOURCES}) <= 1
        else :resource = any({_RESOURCES}) end"""

# Stores an approval, and notes the application of the session.
_ADD = statement(f"""
with entered as (
    insert into oauth_sessions (session_id, application_id, user_id, expires_at)
    values (:session_id, :application_id, :user_id, clock_timestamp() + {_IN_SESSION})
    on conflict (session_id, application_id) do nothing
    returning true)
insert into oauth_authorizations (authorization_id, application_id, user_id, session_id,
    redirect_uri, code_challenge, nonce, scopes, id_token_claims, user_info_claims, resource,
    resources, resource_ids, resource_scopes, began_with, code_hash, code_expires_at, expires_at)
values (:authorization_id::text, :application_id::text, :user_id::text, :session_id::text,
    :redirect_uri::text, :code_challenge::text, :nonce::text, :scopes::text[],
    :id_token_claims::text[], :user_info_claims::text[],
    coalesce((:resources::text[])[1], ''), :resources::text[], :resource_ids::text[],
    :resource_scopes::text[], :began_with::text[], :code_hash::bytea,
    coalesce(:code_expires_at::timestamptz, clock_timestamp() + :code_lifetime::interval),
    coalesce(:code_expires_at::timestamptz, clock_timestamp() + :code_lifetime::interval))
returning exists (select from entered) as is_first""")

# Uses up a code, and keeps the application of the session, whose length has no limit if its user
# signs in again. Of several simultaneous exchanges, one gets the row.
_USE_CODE = statement(f"""
with used as (
    update oauth_authorizations set
        code_used_at = clock_timestamp(), family = :family::bytea, generation = :generation::bytea,
        idle_expires_at = clock_timestamp() + :idle::interval,
        expires_at = clock_timestamp() + :lifetime::interval
    where code_hash = :code_hash::bytea and application_id = :application_id
        and redirect_uri = :redirect_uri and code_challenge = :code_challenge
        and {_IS_FOR}
        and code_used_at is null and code_expires_at > clock_timestamp()
    returning *),
in_session as (
    insert into oauth_sessions (session_id, application_id, user_id, expires_at)
    select session_id, application_id, user_id, clock_timestamp() + {_IN_SESSION} from used
    on conflict (session_id, application_id) do update set expires_at = excluded.expires_at)
select {_COLUMNS} from used""")

# Gives the applications of ended sessions, and forgets them.
_TAKE_APPLICATIONS = statement("""
delete from oauth_sessions where session_id = any(:session_ids::text[])
returning session_id, application_id, user_id""")

# The resources for which an unused code is.
_RESOURCES_OF_CODE = statement(f"""
select {_RESOURCES} as resources from oauth_authorizations
where code_hash = :code_hash and application_id = :application_id
    and code_used_at is null and code_expires_at > clock_timestamp()""")

# Ends the authorization whose code is used a second time.
_END_REUSED_CODE = statement("""
delete from oauth_authorizations
where code_hash = :code_hash and application_id = :application_id and code_used_at is not null""")

# Uses a refresh token, and replaces it if it rotates. Of simultaneous requests, the first one
# replaces the token. The time is that of the statement: the same for all columns.
_IS_CURRENT = f"""(generation = :generation or previous_generation = :generation
        and rotated_at > statement_timestamp() - {_WINDOW})"""
_IS_DUE = f"""when :rotates::bool and generation = :generation
        and coalesce(rotated_at <= statement_timestamp() - {_ROTATION}, true)"""
_USE_REFRESH_TOKEN = statement(f"""
update oauth_authorizations set
    generation = case {_IS_DUE} then :successor::bytea else generation end,
    previous_generation = case {_IS_DUE} then :generation::bytea else previous_generation end,
    successor_salt = case {_IS_DUE} then :salt::bytea else successor_salt end,
    rotated_at = case {_IS_DUE} then statement_timestamp() else rotated_at end,
    idle_expires_at = clock_timestamp() + :idle::interval
where family = :family::bytea and application_id = :application_id and {_IS_CURRENT}
    and :scopes::text[] <@ (scopes || resource_scopes) and {_IS_FOR}
    and expires_at > clock_timestamp() and idle_expires_at > clock_timestamp()
returning {_COLUMNS}, generation, successor_salt""")

# Ends the family of a refresh token that was replaced.
_END_REUSED = statement(f"""
delete from oauth_authorizations
where family = :family and application_id = :application_id and not {_IS_CURRENT}""")

_ALIVE = f"""
select {_COLUMNS} from oauth_authorizations
where expires_at > clock_timestamp() and idle_expires_at > clock_timestamp()"""
_FIND = statement(f"{_ALIVE} and authorization_id = :authorization_id")
_FIND_BY_REFRESH_TOKEN = statement(f"""{_ALIVE} and family = :family
    and generation = :generation and application_id = :application_id""")

_END = statement("""
delete from oauth_authorizations
where authorization_id = :authorization_id and application_id = :application_id""")
_END_FAMILY = statement("""
delete from oauth_authorizations where family = :family and application_id = :application_id""")
_END_OF_USER = statement("""
delete from oauth_authorizations
where user_id = :user_id and (:application_id::text is null or application_id = :application_id)""")

# Ends the authorizations of a user that began with a passkey or an identity link, or at an
# application whose grant did.
_END_BEGUN_WITH = statement("""
delete from oauth_authorizations
where user_id = :user_id
    and (:credential_id = any(began_with) or application_id = any(:application_ids::text[]))
returning application_id""")


def _without(column: str, removed: str) -> str:
    """The array of a column without these values, in its order; SQL expressions."""
    return f"""array(
        select value from unnest({column}) with ordinality as listed (value, place)
        where value <> all({removed}) order by place)"""


# Takes scopes of the authorizations of a user at an application back, with the claims that they
# carry. Those without another scope end.
_OF_APPLICATION = "user_id = :user_id and application_id = :application_id"
_END_WITHIN = statement(f"""
delete from oauth_authorizations where {_OF_APPLICATION}
    and scopes || resource_scopes <@ :scopes::text[]""")
_NARROW = statement(f"""
update oauth_authorizations set scopes = {_without("scopes", ":scopes::text[]")},
    resource_scopes = {_without("resource_scopes", ":scopes::text[]")},
    id_token_claims = {_without("id_token_claims", ":claims::text[]")},
    user_info_claims = {_without("user_info_claims", ":claims::text[]")}
where {_OF_APPLICATION}""")

ENDED: Final = retention("oauth_authorizations", until="expires_at")
ENDED_SESSIONS: Final = retention("oauth_sessions", until="expires_at")


@dataclass(frozen=True, slots=True)
class Authorization:
    """An approval whose code was used."""

    authorization_id: str
    application_id: str
    user_id: str
    session_id: str
    nonce: str
    scopes: Sequence[str]
    id_token_claims: Sequence[str]
    user_info_claims: Sequence[str]
    # Identifiers of resources, the IDs of their applications, and the granted scopes of these.
    resources: Sequence[str]
    resource_ids: Sequence[str]
    resource_scopes: Sequence[str]
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class ApplicationOfSession:
    """An application that got tokens in a session."""

    session_id: str
    application_id: str
    user_id: str


async def add(transaction: Statements, **values: object) -> bool:
    """Stores an approval with the hash of its code. True: it is the first one of its session."""
    row = await transaction.fetch_one(_ADD, **values, code_lifetime=CODE_LIFETIME)
    return bool(row["is_first"])


async def use_code(
    database: Statements, *, refresh_token: RefreshToken, **values: object
) -> Authorization | None:
    """Uses up a code. None: it cannot be used, or not by this request."""
    row = await database.fetch_row(
        _USE_CODE,
        family=refresh_token.family,
        generation=refresh_token.generation,
        **values,
    )
    return from_row(Authorization, row) if row else None


async def resources_of_code(
    database: Statements, *, code_hash: bytes, application_id: str
) -> Sequence[str] | None:
    """The identifiers of the resources for which a code is. None: it cannot be used."""
    row = await database.fetch_row(
        _RESOURCES_OF_CODE, code_hash=code_hash, application_id=application_id
    )
    return row["resources"] if row else None


async def end_reused_code(database: Statements, *, code_hash: bytes, application_id: str) -> None:
    """Ends the tokens of a code if it was used before."""
    await database.fetch(_END_REUSED_CODE, code_hash=code_hash, application_id=application_id)


async def use_refresh_token(
    database: Statements, token: RefreshToken, *, rotates: bool, **values: object
) -> tuple[Authorization, RefreshToken] | None:
    """Uses a refresh token; also returns the present one. None: it cannot be used."""
    salt = secrets.token_bytes(_SALT_BYTES)
    row = await database.fetch_row(
        _USE_REFRESH_TOKEN,
        family=token.family,
        generation=token.generation,
        successor=token.successor(salt).generation,
        salt=salt,
        rotates=rotates,
        **values,
    )
    if row is None:
        return None
    is_present = row["generation"] == token.generation
    present = token if is_present else token.successor(row["successor_salt"])
    return from_row(Authorization, row), present


async def end_reused(database: Statements, token: RefreshToken, application_id: str) -> None:
    """Ends the family of a refresh token if it was replaced before."""
    await database.fetch(
        _END_REUSED,
        family=token.family,
        generation=token.generation,
        application_id=application_id,
    )


async def find(database: Statements, authorization_id: str) -> Authorization | None:
    """Reads an authorization that has not ended by itself. Its session may have."""
    row = await database.fetch_row(_FIND, authorization_id=authorization_id)
    return from_row(Authorization, row) if row else None


async def find_by_refresh_token(
    database: Statements, token: RefreshToken, application_id: str
) -> Authorization | None:
    """The same by its present refresh token."""
    row = await database.fetch_row(
        _FIND_BY_REFRESH_TOKEN,
        family=token.family,
        generation=token.generation,
        application_id=application_id,
    )
    return from_row(Authorization, row) if row else None


async def end(database: Statements, *, authorization_id: str, application_id: str) -> None:
    """Ends an authorization of the application."""
    await database.fetch(_END, authorization_id=authorization_id, application_id=application_id)


async def end_family(database: Statements, token: RefreshToken, application_id: str) -> None:
    """Ends the authorization of a refresh token of any generation."""
    await database.fetch(_END_FAMILY, family=token.family, application_id=application_id)


async def end_of_user(
    transaction: Statements, *, user_id: str, application_id: str | None = None
) -> None:
    """Ends the authorizations of a locked user, all or at one application."""
    await transaction.fetch(_END_OF_USER, user_id=user_id, application_id=application_id)


async def end_begun_with(
    transaction: Statements, credential_id: str, application_ids: Sequence[str], *, user_id: str
) -> set[str]:
    """Ends those authorizations of a locked user that began with a credential.

    Also ends all those at these applications. Returns the applications.
    """
    rows = await transaction.fetch(
        _END_BEGUN_WITH,
        user_id=user_id,
        credential_id=credential_id,
        application_ids=application_ids,
    )
    return {row["application_id"] for row in rows}


async def narrow(
    transaction: Statements, *, user_id: str, application_id: str, scopes: Collection[str]
) -> None:
    """Takes scopes of the authorizations of a locked user at an application back."""
    taken = {"user_id": user_id, "application_id": application_id, "scopes": sorted(scopes)}
    await transaction.fetch(_END_WITHIN, **taken)
    await transaction.fetch(_NARROW, **taken, claims=claims_of(scopes))


async def take_applications(
    transaction: Statements, session_ids: Sequence[str]
) -> list[ApplicationOfSession]:
    """The applications of ended sessions, which are forgotten with the transaction."""
    rows = await transaction.fetch(_TAKE_APPLICATIONS, session_ids=session_ids)
    return [from_row(ApplicationOfSession, row) for row in rows]
