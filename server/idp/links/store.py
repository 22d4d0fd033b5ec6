"""The read table `idp_links` and every statement on it, except the removal of a provider.

Foreign keys delete a link with its provider and with its user. A rebuild may replay the events of
a user after the removal of a provider, so the projections join the provider: a link of a removed
provider must not return.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from server.access import makers
from server.access.held_roles import roles_of
from server.access.roles import Role
from server.access.user_aggregate import MOVED, account, part_of_user, sequence_of_part
from server.idp.links.events import IDPLinked, IDPMappingsSkipped, IDPUnlinked
from server.idp.store import CLAIM_KIND, claim_of
from server.log.append import Projections, append
from server.session import fragments
from server.session import store as session_store
from server.store.database import Row, Statements
from server.store.rows import Details, Query, from_row
from server.store.statement import statement
from server.values.errors import NotFound

_PAYLOAD_CLAIM = claim_of("idps.id", "event.payload->>'issuer'", "event.payload->>'subject'")
_CLAIM = claim_of("link.idp_id", "link.issuer", "link.subject")

PROJECTIONS: Projections = {
    IDPLinked: [
        f"""
        insert into idp_links (user_id, link_id, idp_id, issuer, subject, makers,
            sequence, creation_date, change_date)
        select event.aggregate_id, event.payload->>'link_id', idps.id, event.payload->>'issuer',
            event.payload->>'subject', {makers.PROJECTED}, event.sequence, event.created_at,
            event.created_at
        from event join idps on idps.id = event.payload->>'idp_id'""",
        f"""
        insert into unique_claims (kind, value, aggregate_id)
        select {CLAIM_KIND}, {_PAYLOAD_CLAIM}, event.aggregate_id
        from event join idps on idps.id = event.payload->>'idp_id'""",
        MOVED,
    ],
    IDPMappingsSkipped: [
        """
        update idp_links set skipped_mappings = event.payload->'skipped',
            sequence = event.sequence, change_date = event.created_at
        from event
        where idp_links.user_id = event.aggregate_id
            and idp_links.link_id = event.payload->>'link_id'""",
        MOVED,
    ],
    IDPUnlinked: [
        f"""
        delete from unique_claims using event, idp_links as link
        where link.user_id = event.aggregate_id and link.link_id = event.payload->>'link_id'
            and unique_claims.kind = {CLAIM_KIND} and unique_claims.value = {_CLAIM}
            and unique_claims.aggregate_id = event.aggregate_id""",  # rebuild: not another user's
        # A foreign key deletes the sessions of the link.
        """
        delete from idp_links using event
        where idp_links.user_id = event.aggregate_id
            and idp_links.link_id = event.payload->>'link_id'""",
        MOVED,
    ],
}

_MAKERS = makers.of_link(":organization_id::text")

_link_not_found: Final = NotFound(
    "idp_link", "The user has no such link. List its links to find the right id."
)

# Links an identity of a locked provider to a user.
LINK: Final = append(
    IDPLinked,
    target=part_of_user(creation_date="null::timestamptz"),
    projections=PROJECTIONS,
)

# Records the mappings that a sign-in skipped, if they changed.
_SKIP = append(
    IDPMappingsSkipped,
    target=part_of_user(
        join="join idp_links as link on link.user_id = account.id",
        where="link.link_id = :link_id",
        creation_date="link.creation_date",
        changed="link.skipped_mappings <> :payload::jsonb->'skipped'",
    ),
    projections=PROJECTIONS,
)

# Removes a link of a locked user.
_UNLINK = append(
    IDPUnlinked,
    target=part_of_user(
        join="join idp_links as link on link.user_id = account.id",
        where="link.link_id = :link_id",
        creation_date="link.creation_date",
        # Not joined, since a join would lock the provider: providers are locked before users.
        columns="(select name from idps where idps.id = link.idp_id) as idp_name",
    ),
    projections=PROJECTIONS,
    also=fragments.ACTIVITY_ENDED,
    returning=["email", "display_name", "idp_name"],
    missing=("link_id", _link_not_found),
)

# The link of an identity, its user, and the sessions that a new session would end.
_FIND = statement(f"""
select account.id as user_id, account.roles, account.sequence, account.is_locked,
    account.display_name, account.email, account.is_verified, link.link_id,
    link.skipped_mappings <> '{{}}' as has_skipped,
    {fragments.SURPLUS} as surplus
from unique_claims as claim
    cross join lateral ({account("claim.aggregate_id")}) as account
    join idp_links as link on link.user_id = account.id and link.idp_id = :idp_id
        and link.issuer = :issuer and link.subject = :subject
where claim.kind = {CLAIM_KIND}
    and claim.value = {claim_of(":idp_id::text", ":issuer::text", ":subject::text")}""")

MADE: Final = makers.MadeCredentials("idp_links", "link_id", made_by=_MAKERS)


@dataclass(frozen=True, slots=True)
class IDPLink:
    """A stored link."""

    link_id: str
    idp_id: str
    idp_name: str
    issuer: str
    subject: str
    skipped_mappings: Mapping[str, str]
    details: Details


def _link(row: Row) -> IDPLink:
    return from_row(IDPLink, row, skipped_mappings=json.loads(row["skipped_mappings"]))


# A page of a user's links, oldest first.
LIST: Final = Query(
    f"""
select link.link_id, link.idp_id, idps.name as idp_name, link.issuer, link.subject, account.owner,
    link.skipped_mappings,    link.sequence, link.creation_date, link.change_date
from idp_links as link
    join idps on idps.id = link.idp_id
    cross join lateral ({account("link.user_id")}) as account
where link.user_id = :user_id and link.link_id > :after order by link.link_id limit :limit""",
    _link,
)

# Locks a link and its user, for a precondition.
LOCK_SEQUENCE: Final = statement(sequence_of_part("idp_links", "link_id"))


@dataclass(frozen=True, slots=True)
class Identity:
    """An identity at a provider: the issuer and the subject of its tokens."""

    idp_id: str
    issuer: str
    subject: str


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A link at a sequence of its user; `surplus` are the sessions that a new session ends."""

    user_id: str
    sequence: int
    link_id: str
    roles: frozenset[Role] = frozenset()
    surplus: tuple[str, ...] = ()
    is_locked: bool = False
    display_name: str = ""
    email: str = ""
    # Whether applications are told that the address is verified.
    is_verified: bool = False
    # Whether the latest sign-in skipped mappings.
    has_skipped: bool = False


# Whether one of the providers of a user sets its mail address at every sign-in. A mapping of the
# address comes before the setting.
_GIVES_ADDRESS = statement("""
select exists (
    select from idp_links as link
    join idps on idps.id = link.idp_id
    join idp_oidc_configs as config on config.idp_id = idps.id
    where link.user_id = :user_id and not idps.is_disabled and (
        idps.mappings @> '[{"attribute": "email", "when": "EVERY_SIGN_IN"}]'
        or config.update_email_at_sign_in and not idps.mappings @> '[{"attribute": "email"}]')
) as gives_address""")


@dataclass(frozen=True, slots=True)
class Unlinked:
    """A removed link, with its user and its provider before the removal."""

    details: Details
    email: str
    display_name: str
    idp_name: str


async def find(database: Statements, identity: Identity, *, max_sessions: int) -> FoundLink | None:
    """The link of the identity. None: no user is linked to it."""
    row = await database.fetch_row(
        _FIND,
        idp_id=identity.idp_id,
        issuer=identity.issuer,
        subject=identity.subject,
        max_sessions=max_sessions,
    )
    return from_row(FoundLink, row, roles=roles_of(row)) if row else None


async def gives_address(database: Statements, user_id: str) -> bool:
    """Whether a provider sets the mail address of the user at every sign-in."""
    return bool((await database.fetch_one(_GIVES_ADDRESS, user_id=user_id))["gives_address"])


async def skip(
    transaction: Statements, link_id: str, skipped: Mapping[str, str], *, user_id: str
) -> None:
    """Records the mappings that a sign-in of a locked user skipped."""
    event = IDPMappingsSkipped(link_id, skipped)
    await _SKIP.details(transaction, event, creator=user_id, user_id=user_id)


async def unlink(
    transaction: Statements,
    link_id: str,
    *,
    lost_or_stolen: bool = False,
    creator: str,
    user_id: str,
) -> tuple[Unlinked, int]:
    """Removes a link of a locked user, and its sessions; returns their number.

    `Failure` NOT_FOUND.
    """
    ended = await session_store.list_ids(transaction, user_id=user_id, link_id=link_id)
    event = IDPUnlinked(link_id, ended, lost_or_stolen)
    row = await _UNLINK.one(transaction, event, creator=creator, user_id=user_id)
    return from_row(Unlinked, row), len(ended)
