"""The commands on mail domains, and the repeated look-up of their records."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated, Final

from pydantic import AfterValidator

from server.access.caller import Actor, Operator
from server.access.checked_append import written_by
from server.idp import store as idp_store
from server.idp.domains import store
from server.idp.domains.events import (
    MailDomainAdded,
    MailDomainChanged,
    MailDomainLapsed,
    MailDomainProven,
    MailDomainRecordMissed,
    MailDomainRemoved,
)
from server.idp.domains.store import MailDomain
from server.net.txt_records import DNSUnavailableError, TXTAnswer, TXTRecords
from server.rpc.update_mask import mask_of
from server.store.database import Statements
from server.store.refusals import UNIQUE_CLAIMS_KEY, on_conflict
from server.store.rows import Details
from server.validation.fields import (
    AnonymousMailDomainName,
    Command,
    Id,
    MailDomainName,
    OptionalId,
)
from server.validation.paging import Page
from server.values.errors import Failure, FixedFailure, Kind
from server.values.ids import new_id

MAX_DOMAINS: Final = 50
# Of a name in DNS (RFC 1035, section 2.3.4), as it is written.
_MAX_RECORD_NAME: Final = 253
# Of the values in an error.
_SHOWN_VALUES: Final = 5
_SHOWN_CHARACTERS: Final = 120
# The domains that a server takes at once to look them up.
_ROUND: Final = 50

LockOrganizationOfDomains = Callable[[Statements, str], Awaitable[None]]


def _provable(domain: str) -> str:
    if len(store.record_name(domain)) > _MAX_RECORD_NAME:
        raise ValueError("must be shorter: no name of a record fits below it")
    return domain


class CreateMailDomain(Command):
    """Claim a mail domain."""

    domain: Annotated[MailDomainName, AfterValidator(_provable)]
    idp_id: OptionalId


class MailDomainFields(Command):
    """The fields of a patch; None leaves a field unchanged."""

    mail_domain_id: Id
    idp_id: OptionalId | None


PATCHABLE = ("idp_id",)


class PatchMailDomain(Command):
    """Set the fields that the mask names."""

    mail_domain: MailDomainFields
    update_mask: Annotated[tuple[str, ...], mask_of(PATCHABLE)]


class OneMailDomain(Command):
    """Select a mail domain."""

    mail_domain_id: Id


class ListMailDomains(Page):
    """List the mail domains of an organization."""


class GetSignInDomain(Command):
    """Find the provider for addresses of a domain."""

    domain: AnonymousMailDomainName


async def add(
    database: Statements,
    command: CreateMailDomain,
    *,
    actor: Actor,
    organization_id: str,
    lock_organization: LockOrganizationOfDomains,
) -> tuple[MailDomain, Details]:
    """Claims a domain; returns it with its record, and its details.

    `Failure` NOT_FOUND and FAILED_PRECONDITION for the provider, ALREADY_EXISTS,
    RESOURCE_EXHAUSTED `TOO_MANY_MAIL_DOMAINS`.
    """
    idp_id = await _idp_id(database, command.idp_id, organization_id) or ""
    event = MailDomainAdded(command.domain, idp_id, secrets.token_urlsafe(24))
    of_domain = {"mail_domain_id": new_id(), "organization_id": organization_id}
    with on_conflict({UNIQUE_CLAIMS_KEY: _already_exists}):
        async with database.transaction() as transaction:
            await lock_organization(transaction, organization_id)
            added, fits = await store.add(
                transaction, event, **written_by(actor), **of_domain, limit=MAX_DOMAINS
            )
            if not fits:
                raise _too_many()
            return await store.GET.one(transaction, **of_domain), added


async def patch(
    database: Statements, fields: MailDomainFields, *, actor: Actor, organization_id: str
) -> Details:
    """Replaces the fields that are not None. `Failure` NOT_FOUND, FAILED_PRECONDITION."""
    idp_id = await _idp_id(database, fields.idp_id, organization_id)
    of_domain = {
        "mail_domain_id": fields.mail_domain_id,
        "organization_id": organization_id,
    }
    found = await store.GET.one(database, **of_domain)
    event = MailDomainChanged(found.domain, idp_id)
    return await store.CHANGE.details(database, event, **written_by(actor), **of_domain)


async def _idp_id(database: Statements, named: str | None, organization_id: str) -> str | None:
    """The id of the named provider, which is not locked.

    `Failure` NOT_FOUND; FAILED_PRECONDITION `IDP_NAME_NOT_UNIQUE`.
    """
    if not named:
        return named
    found = await idp_store.find_named(database, named, organization_id=organization_id)
    if found is None:
        raise _ambiguous()
    return found


async def verify(
    database: Statements,
    command: OneMailDomain,
    *,
    actor: Actor,
    organization_id: str,
    records: TXTRecords,
) -> Details:
    """Proves a domain by its record.

    `Failure` NOT_FOUND; FAILED_PRECONDITION `MAIL_DOMAIN_NOT_PROVEN`; ALREADY_EXISTS
    `MAIL_DOMAIN_PROVEN_ELSEWHERE`; UNAVAILABLE `DNS_UNAVAILABLE`.
    """
    of_domain = {"mail_domain_id": command.mail_domain_id, "organization_id": organization_id}
    claim = await store.GET.one(database, **of_domain)
    of_others = {"domain": claim.domain, "organization_id": organization_id}
    before = {_proof(other) for other in await store.LIST_PROVEN.all(database, **of_others)}
    try:
        found = await records.look_up(claim.record_name)
    except DNSUnavailableError as error:
        raise _dns_unavailable(str(error)) from None
    if claim.record_value not in found.values:
        raise _not_proven(claim, found)
    with on_conflict({UNIQUE_CLAIMS_KEY: _proven_elsewhere}):
        async with database.transaction() as transaction:
            await transaction.fetch(store.LOCK_CLAIMS, domain=claim.domain)
            # All claims of a domain have the same record name, so `found` tells about all, except
            # for those that were proven by a later look-up.
            for other in await store.LIST_PROVEN.all(transaction, **of_others):
                if other.record_value in found.values or _proof(other) not in before:
                    raise _proven_elsewhere()
                await store.LAPSE.details(
                    transaction,
                    MailDomainLapsed(other.domain),
                    creator=Operator().user_id,  # the caller is of another organization
                    mail_domain_id=other.mail_domain_id,
                    organization_id=other.details.owner,
                )
            return await store.PROVE.details(
                transaction, MailDomainProven(claim.domain), **written_by(actor), **of_domain
            )


def _proof(claim: MailDomain) -> tuple[str, datetime | None]:
    return claim.mail_domain_id, claim.proven_at


async def remove(
    database: Statements, command: OneMailDomain, *, actor: Actor, organization_id: str
) -> Details:
    """Removes a domain with its proof; returns its last details. `Failure` NOT_FOUND."""
    of_domain = {"mail_domain_id": command.mail_domain_id, "organization_id": organization_id}
    async with database.transaction() as transaction:
        # Its statement would not see the claim of a proof that is written at the same time.
        await transaction.fetch(store.LOCK_SEQUENCE, **of_domain)
        found = await store.GET.one(transaction, **of_domain)
        event = MailDomainRemoved(found.domain)
        return await store.REMOVE.details(transaction, event, **written_by(actor), **of_domain)


async def check_proofs(database: Statements, records: TXTRecords) -> None:
    """Looks up the records of proven domains that no server has looked up for a day.

    A look-up that fails tells nothing, and is repeated a day later.
    """
    while due := await store.take_due(database, limit=_ROUND):
        found = await asyncio.gather(*(_is_there(claim, records) for claim in due))
        for claim, is_there in zip(due, found, strict=True):
            if is_there is not None:
                await _note(database, claim, is_there=is_there)


async def _is_there(claim: MailDomain, records: TXTRecords) -> bool | None:
    """Whether the record of a domain is there. None: DNS gave no answer."""
    try:
        return claim.record_value in (await records.look_up(claim.record_name)).values
    except DNSUnavailableError:
        return None


async def _note(database: Statements, claim: MailDomain, *, is_there: bool) -> None:
    values = {
        "creator": Operator().user_id,
        "mail_domain_id": claim.mail_domain_id,
        "organization_id": claim.details.owner,
    }
    if not is_there:
        if claim.lapses:
            await store.LAPSE_MISSING.row(database, MailDomainLapsed(claim.domain), **values)
        else:
            await store.MISS.row(database, MailDomainRecordMissed(claim.domain), **values)
    elif claim.missed_at is not None:
        await store.FIND.row(database, MailDomainProven(claim.domain), **values)


def _not_proven(claim: MailDomain, found: TXTAnswer) -> Failure:
    shown = [f'"{value[:_SHOWN_CHARACTERS]}"' for value in found.values[:_SHOWN_VALUES]]
    values, there = ", ".join(shown), "There is no TXT record of this name."
    if found.alias_of:
        # The DNS servers may know names whose values the caller must not see.
        values = f"CNAME {found.alias_of}"
        there = f"It is an alias of {found.alias_of}, which has other values."
    elif values:
        there = f"There are the values {values}."
    return Failure(
        Kind.FAILED_PRECONDITION,
        "MAIL_DOMAIN_NOT_PROVEN",
        f"No TXT record {claim.record_name} has the value {claim.record_value}. {there} Publish the"
        " record where DNS of the domain is managed, and try again: DNS servers may keep an old"
        " answer for hours.",
        metadata={
            "record_name": claim.record_name,
            "record_value": claim.record_value,
            "found": values or "-",
        },
    )


_ambiguous: Final = FixedFailure(
    "IDP_NAME_NOT_UNIQUE",
    "Several identity providers of the organization have this name. Name one of them by its ID.",
)
_already_exists: Final = FixedFailure(
    "MAIL_DOMAIN_ALREADY_EXISTS",
    "The organization has claimed this mail domain. List its mail domains.",
    kind=Kind.ALREADY_EXISTS,
)
_too_many: Final = FixedFailure(
    "TOO_MANY_MAIL_DOMAINS",
    f"The organization has {MAX_DOMAINS} mail domains, which is the maximum. Remove one first.",
    kind=Kind.RESOURCE_EXHAUSTED,
)
_proven_elsewhere: Final = FixedFailure(
    "MAIL_DOMAIN_PROVEN_ELSEWHERE",
    "Another organization of this server has proven this mail domain. Remove its TXT record from"
    " DNS, so that only yours has this name, and try again.",
    kind=Kind.ALREADY_EXISTS,
)
_dns_unavailable: Final = FixedFailure(
    "DNS_UNAVAILABLE",
    "The DNS servers gave no answer. Try again later; if it stays so, correct the DNS of the"
    " domain, or ask the operator of this server to set KEYSTEAD_DNS_SERVERS.",
    kind=Kind.UNAVAILABLE,
)
