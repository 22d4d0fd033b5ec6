"""The tables `mail_domains` and `mail_domain_checks`, and every statement on them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from server.access.checked_append import IS_ADMITTED, IS_ADMITTED_LOCKED
from server.idp.domains.events import (
    MailDomainAdded,
    MailDomainChanged,
    MailDomainLapsed,
    MailDomainProven,
    MailDomainRecordMissed,
    MailDomainRemoved,
)
from server.log.append import Projections, append
from server.log.projection import changed, differs, inserted
from server.log.removals import Removals
from server.store.database import Statements
from server.store.object_names import ObjectNames
from server.store.rows import Details, Query, details
from server.store.statement import statement
from server.values.errors import NotFound
from server.values.mail_address import ascii_domain

# A proven domain is looked up again after this time, and its proof ends once the record has been
# missing for the second one.
_CHECK_EVERY = "interval '1 day'"
_LAPSES_AFTER = "interval '3 days'"

_LAPSES = f"coalesce(missed_at < now() - {_LAPSES_AFTER}, false)"

_RECORD: Final = "_keystead-challenge"
_VALUE: Final = "keystead-domain-verification="

_PROOF_ENDED = """
        delete from unique_claims using event
        where unique_claims.kind = 'mail_domain'
            and unique_claims.aggregate_id = event.aggregate_id"""


def _stated(settings: str) -> str:
    return f"""
        update mail_domains set {settings}, sequence = event.sequence,
            change_date = event.created_at
        from event where mail_domains.id = event.aggregate_id"""


PROJECTIONS: Projections = {
    MailDomainAdded: [
        inserted("mail_domains", MailDomainAdded, id="aggregate_id", owner="owner"),
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'mail_domain_of_organization', owner || ':' || (payload->>'domain'), aggregate_id
        from event""",
    ],
    MailDomainChanged: [changed("mail_domains", MailDomainChanged)],
    MailDomainProven: [
        _stated("proven_at = event.created_at, missed_at = null"),
        # A domain whose record was missing still has its claim.
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'mail_domain', payload->>'domain', aggregate_id from event
        where not exists (
            select from unique_claims as held
            where held.kind = 'mail_domain' and held.aggregate_id = event.aggregate_id)""",
    ],
    MailDomainRecordMissed: [_stated("missed_at = event.created_at")],
    MailDomainLapsed: [_stated("proven_at = null, missed_at = null"), _PROOF_ENDED],
    MailDomainRemoved: [
        "delete from mail_domains using event where mail_domains.id = event.aggregate_id",
        """
        delete from unique_claims using event
        where unique_claims.aggregate_id = event.aggregate_id""",
    ],
}

mail_domain_not_found: Final = NotFound(
    "mail_domain",
    "The mail domain does not exist in this organization. List the mail domains to find its id, or"
    " name its organization in x-service-orgid.",
)

NAMES: Final = ObjectNames("mail_domains", column="domain")


def record_name(domain: str) -> str:
    """The name of the record that proves a domain, as DNS knows it."""
    return f"{_RECORD}.{ascii_domain(domain)}"


@dataclass(frozen=True, slots=True)
class MailDomain:
    """A stored mail domain. `lapses`: its record has been missing for too long."""

    mail_domain_id: str
    domain: str
    idp_id: str
    challenge: str
    proven_at: datetime | None
    missed_at: datetime | None
    lapses: bool
    details: Details

    @property
    def record_name(self) -> str:
        """The name of the record that proves it."""
        return record_name(self.domain)

    @property
    def record_value(self) -> str:
        """The value of the record."""
        return f"{_VALUE}{self.challenge}"


_FITS = ":limit::int > (select count(*) from mail_domains where owner = :organization_id)"

# Claims a domain for a locked organization, if it fits.
_ADD = append(
    MailDomainAdded,
    target=f"""
    select new.*, {_FITS} as changed
    from (select :mail_domain_id::text as id, :organization_id::text as owner,
        0::bigint as sequence, null::timestamptz as creation_date,
        null::timestamptz as change_date) as new""",
    projections=PROJECTIONS,
    returning=["changed"],
    admission=IS_ADMITTED,
)


def _of_organization(changed: str) -> str:
    return f"""
    select id, owner, sequence, creation_date, change_date, {changed} as changed
    from mail_domains where id = :mail_domain_id and owner = :organization_id for update"""


# Changes a mail domain if a value of the payload differs.
CHANGE: Final = append(
    MailDomainChanged,
    target=_of_organization(differs(MailDomainChanged)),
    projections=PROJECTIONS,
    missing=("mail_domain_id", mail_domain_not_found),
    admission=IS_ADMITTED_LOCKED,
)

# The look-ups of a removed mail domain are forgotten.
_FORGOTTEN: Final = {
    "forgotten": """
    delete from mail_domain_checks using event where mail_domain_id = event.aggregate_id"""
}

# Removes the mail domains of an organization.
OF_ORGANIZATION: Final = Removals(
    MailDomainRemoved, "mail_domains", PROJECTIONS, columns=("domain",), also=_FORGOTTEN
)

# Proves a mail domain, unless it is proven and its record was not missing.
PROVE: Final = append(
    MailDomainProven,
    target=_of_organization("(proven_at is null or missed_at is not null)"),
    projections=PROJECTIONS,
    missing=("mail_domain_id", mail_domain_not_found),
    admission=IS_ADMITTED_LOCKED,
)

# Removes a locked mail domain.
REMOVE: Final = append(
    MailDomainRemoved,
    target=_of_organization("true"),
    projections=PROJECTIONS,
    also=_FORGOTTEN,
    missing=("mail_domain_id", mail_domain_not_found),
    admission=IS_ADMITTED_LOCKED,
)

# Notes that the record of a proven domain is missing.
MISS: Final = append(
    MailDomainRecordMissed,
    target=_of_organization("(proven_at is not null and missed_at is null)"),
    projections=PROJECTIONS,
)
# Notes that a missing record is there again.
FIND: Final = append(
    MailDomainProven,
    target=_of_organization("(proven_at is not null and missed_at is not null)"),
    projections=PROJECTIONS,
)
# Ends the proof of a locked mail domain.
LAPSE: Final = append(
    MailDomainLapsed,
    target=_of_organization("(proven_at is not null)"),
    projections=PROJECTIONS,
)
# Ends a proof whose record is still missing.
LAPSE_MISSING: Final = append(
    MailDomainLapsed,
    target=_of_organization(f"(proven_at is not null and {_LAPSES})"),
    projections=PROJECTIONS,
)

_COLUMNS = f"""
id as mail_domain_id, owner, domain, idp_id, challenge, proven_at, missed_at,
    {_LAPSES} as lapses, sequence, creation_date, change_date"""

# A mail domain of the organization.
GET: Final = Query(
    f"""
select {_COLUMNS} from mail_domains
where id = :mail_domain_id and owner = :organization_id""",
    MailDomain,
    missing=("mail_domain_id", mail_domain_not_found),
)

# Locks a mail domain of the organization, for a precondition.
LOCK_SEQUENCE: Final = statement("""
select sequence from mail_domains
where id = :mail_domain_id and owner = :organization_id for update""")

# A page of the organization's mail domains, oldest first.
LIST: Final = Query(
    f"""
select {_COLUMNS} from mail_domains
where owner = :organization_id and id > :after order by id limit :limit""",
    MailDomain,
)

# The claims of other organizations that have proven a domain.
LIST_PROVEN: Final = Query(
    f"""
select {_COLUMNS} from mail_domains
where domain = :domain and owner <> :organization_id and proven_at is not null order by id""",
    MailDomain,
)

# Locks all claims of a domain, so that one of them after the other is proven.
LOCK_CLAIMS: Final = statement(
    "select from mail_domains where domain = :domain order by id for update"
)

# Keeps the proof of a domain that counts for a provider until the transaction ends.
_LOCK_TRUST = statement("""
select from mail_domains
where domain = :domain and owner = :organization_id and proven_at is not null
    and idp_id in ('', :idp_id)
for share""")

# Proven domains whose latest look-up is old. The caller, and no other server, looks them up: not
# even one that has just committed.
_TAKE_DUE = Query(
    f"""
with due as (
    select id from mail_domains
    where proven_at is not null and not exists (
        select from mail_domain_checks as latest
        where latest.mail_domain_id = mail_domains.id
            and latest.checked_at > clock_timestamp() - {_CHECK_EVERY})
    order by id limit :limit for update skip locked),
taken as (
    insert into mail_domain_checks (mail_domain_id, checked_at)
    select id, clock_timestamp() from due
    on conflict (mail_domain_id) do update set checked_at = excluded.checked_at
        where mail_domain_checks.checked_at <= excluded.checked_at - {_CHECK_EVERY}
    returning mail_domain_id)
select {_COLUMNS} from mail_domains where id in (select mail_domain_id from taken)""",
    MailDomain,
)


async def add(
    transaction: Statements, event: MailDomainAdded, *, limit: int, **values: object
) -> tuple[Details, bool]:
    """Claims a domain for a locked organization.

    False: nothing was written, because the organization has the maximum number of mail domains.
    UniqueConflictError: it has claimed this one.
    """
    row = await _ADD.one(transaction, event, limit=limit, **values)
    return details(row), row["changed"]


async def is_trusted(
    transaction: Statements, domain: str, *, idp_id: str, organization_id: str
) -> bool:
    """Whether the organization has proven the domain, and trusts the provider for it."""
    values = {"domain": domain, "idp_id": idp_id, "organization_id": organization_id}
    return await transaction.fetch_row(_LOCK_TRUST, **values) is not None


async def take_due(database: Statements, *, limit: int) -> list[MailDomain]:
    """Proven domains that no server has looked up for a day; this one looks them up now."""
    return list(await _TAKE_DUE.all(database, limit=limit))
