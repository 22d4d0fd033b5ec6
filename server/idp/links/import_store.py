"""The statements by which identity links are imported, each for all users of a call."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from server.access import makers
from server.access.user_aggregate import MOVED, part_of_imported
from server.idp.links.events import IDPLinksImported
from server.idp.store import CLAIM_KIND, claim_of
from server.log.append import Projections, append
from server.store.database import Statements
from server.store.rows import Query
from server.store.statement import statement

# A link of a removed provider must not return in a rebuild.
_LINKS: Final = """event cross join lateral
            jsonb_to_recordset(event.payload->'links') as link (
                link_id text, idp_id text, issuer text, subject text)
            join idps on idps.id = link.idp_id collate "C\""""

PROJECTIONS: Projections = {
    IDPLinksImported: [
        f"""
        insert into idp_links (user_id, link_id, idp_id, issuer, subject, makers, sequence,
            creation_date, change_date)
        select event.aggregate_id, link.link_id, idps.id, link.issuer, link.subject,
            {makers.PROJECTED}, event.sequence, event.created_at, event.created_at
        from {_LINKS}""",
        f"""
        insert into unique_claims (kind, value, aggregate_id)
        select {CLAIM_KIND}, {claim_of("idps.id", "link.issuer", "link.subject")},
            event.aggregate_id
        from {_LINKS}""",
        MOVED,
    ]
}

# Adds the links of users who were imported in this transaction.
_ADD = append(
    IDPLinksImported,
    target=part_of_imported(),
    projections=PROJECTIONS,
    payload="target.payload::jsonb",
)


@dataclass(frozen=True, slots=True)
class NamedProvider:
    """A provider, and its issuer; None without OpenID Connect settings."""

    idp_id: str
    name: str
    issuer: str | None


@dataclass(frozen=True, slots=True)
class ExportedLink:
    """An identity of a user, with the name of its provider."""

    user_id: str
    link_id: str
    idp: str
    subject: str


# The identities of some users, oldest first.
LIST_EXPORTED: Final = Query(
    """
select link.user_id, link.link_id, idps.name as idp, link.subject
from idp_links as link join idps on idps.id = link.idp_id
where link.user_id = any(:user_ids::text[]) order by link.user_id, link.link_id""",
    ExportedLink,
)

# The organization's providers among some IDs and names. Blocks their removal and new settings.
LOCK_PROVIDERS: Final = Query(
    """
with named as materialized (
    select id as idp_id, name from idps
    where owner = :organization_id and (id = any(:named::text[]) or name = any(:named::text[]))
    order by id for share)
select named.idp_id, named.name, config.issuer
from named left join idp_oidc_configs as config on config.idp_id = named.idp_id
order by named.idp_id""",
    NamedProvider,
)

# Those of the identities that are linked already.
_LIST_LINKED = statement(f"""
select value from unique_claims where kind = {CLAIM_KIND} and value = any(:claims::text[])""")


async def list_linked(transaction: Statements, claims: Collection[str]) -> set[str]:
    """Those of the claims that a user has."""
    rows = await transaction.fetch(_LIST_LINKED, claims=list(claims))
    return {row["value"] for row in rows}


async def add(
    transaction: Statements, events: Mapping[str, IDPLinksImported], *, creator: str
) -> None:
    """Writes the links by the IDs of users who were imported in this transaction.

    UniqueConflictError: somebody has just linked an identity.
    """
    await transaction.fetch(
        _ADD,
        user_ids=list(events),
        payloads=[event.payload() for event in events.values()],
        creator=creator,
    )
