"""The statements by which an identity provider starts a session."""

from dataclasses import dataclass
from typing import Final

from server.access.user_aggregate import LINK_EXISTS, part_of_user
from server.idp.links.store import FoundLink
from server.idp.mappings import IDPMapping
from server.idp.store import mappings_of
from server.log.append import Projections, append
from server.session import fragments
from server.session.events import SessionStartedByIDP
from server.session.fragments import Device
from server.store.database import Row, Statements
from server.store.rows import Details, Query, details, from_row

PROJECTIONS: Projections = {
    # A rebuild does not restore sessions of a removed provider.
    SessionStartedByIDP: fragments.started(where=LINK_EXISTS)
}

# Starts a session of a user who has not changed since `find`.
_START = append(
    SessionStartedByIDP,
    target=part_of_user(where="account.sequence = :sequence", creation_date="null::timestamptz"),
    projections=PROJECTIONS,
    also=fragments.ACTIVITY_STARTED,
)


@dataclass(frozen=True, slots=True)
class Option:
    """A provider with which people can sign in, and the look of its button."""

    idp_id: str
    name: str
    styling_type: int
    issuer: str
    logo: bytes
    background_color: str
    text_color: str


def _discovered(row: Row) -> tuple[str, Option | None]:
    return row["org_id"], from_row(Option, row) if row["idp_id"] is not None else None


# A page of the providers of an organization that have settings and are on, oldest first.
LIST_OPTIONS: Final = Query(
    """
select idps.id as idp_id, idps.name, idps.styling_type, config.issuer, config.logo,
    config.background_color, config.text_color
from idps join idp_oidc_configs as config on config.idp_id = idps.id
where idps.owner = :organization_id and not idps.is_disabled and idps.id > :after
order by idps.id limit :limit""",
    Option,
)


# The organization that has proven a domain, and its chosen or only provider for the domain. Columns
# of the provider are null if there is none, or a choice.
GET_DOMAIN: Final = Query(
    """
select domains.owner as org_id, chosen.*
from mail_domains as domains
left join lateral (
    select idps.id as idp_id, idps.name, idps.styling_type, config.issuer, config.logo,
        config.background_color, config.text_color, count(*) over () as choices
    from idps join idp_oidc_configs as config on config.idp_id = idps.id
    where idps.owner = domains.owner and not idps.is_disabled
        and domains.idp_id in ('', idps.id)
    limit 1) as chosen on chosen.choices = 1
where domains.domain = :domain and domains.proven_at is not null""",
    _discovered,
)


@dataclass(frozen=True, slots=True)
class Rules:
    """How a provider registers users and maps claims; `sequence` is that of the provider."""

    auto_register: bool
    mappings: tuple[IDPMapping, ...]
    sequence: int


def _rules(row: Row) -> Rules:
    return from_row(Rules, row, mappings=mappings_of(row))


RULES: Final = Query(
    "select auto_register, mappings, sequence from idps where id = :idp_id", _rules
)


@dataclass(frozen=True, slots=True)
class LockedProvider:
    """A provider that is locked until the transaction ends."""

    name: str
    sequence: int
    is_disabled: bool


# Locks a provider and its settings, unless these have changed since the sequence. A key share lock
# blocks changes, but not other sign-ins.
LOCK_PROVIDER: Final = Query(
    """
select idps.name, idps.sequence, idps.is_disabled
from idps join idp_oidc_configs as config on config.idp_id = idps.id
where idps.id = :idp_id and config.sequence = :sequence for key share""",
    LockedProvider,
)


async def start_session(
    transaction: Statements,
    event: SessionStartedByIDP,
    *,
    found: FoundLink,
    device: Device,
) -> Details | None:
    """Writes the session. None: the user has changed since `find`."""
    row = await _START.row(
        transaction,
        event,
        creator=found.user_id,
        user_id=found.user_id,
        sequence=found.sequence,
        **device.parameters(),
    )
    return details(row) if row else None
