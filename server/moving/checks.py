"""What others have already of the values of imported users: IDs, names, credentials, identities.

The rule: every check reads rows that the transaction has locked, or values that a constraint keeps
unique, so that a concurrent call makes this one fail as a whole, never overlap with it.

The log and the claims know every ID that was used once, except for IDs of the server whose events
are all in archives. Such an ID contains a time before the end of the archives (RFC 9562, section
5.7), so that IDs of this form and time are refused. Reading the log keeps it from being archived
until the transaction ends.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any, Final

from server.access.authorizer import may_beyond
from server.access.caller import Actor
from server.application.chosen import ASSIGNED_ID
from server.group import import_store as group_import_store
from server.group.commands import MAX_MEMBERS
from server.group.import_store import CountedGroup
from server.idp.links import import_store as link_import_store
from server.idp.links.import_store import NamedProvider
from server.log import aggregates, archive_store
from server.log.aggregates import LoggedAggregate
from server.log.archive_store import End
from server.moving.batch import Batch
from server.passkey import import_store as passkey_import_store
from server.store.database import Statements
from server.user import import_store as user_import_store
from server.user.attributes import store as attribute_store
from server.user.attributes.commands import problem_of
from server.user.import_store import Compared

# Between the clocks of servers, which give IDs, and that of the database, which gives events.
_CLOCK_SKEW: Final = timedelta(hours=1)

_ID_TAKEN: Final = (
    "is the ID of another object, now or once, or of this user with other values, which an import"
    " does not change. Choose another ID, or change the user itself"
)
_ID_REMOVED: Final = (
    "is the ID of a user that was removed. An owner of its organization can import it there again,"
    " an owner of the instance anywhere. Choose another ID"
)
_ID_ARCHIVED: Final = (
    "has the form of an ID of this server, from a time whose events were archived, so that it may"
    " be the ID of another object. Restore the archives first, or choose another ID"
)
_NAME_TAKEN: Final = (
    "is the name of another user of the organization, or looks like it. Choose another"
)
_ADDRESS_TAKEN: Final = (
    "is the address of another user of the organization. Leave it out, or choose another"
)
_REGISTERED: Final = "is registered already, for this or another user. Leave the passkey out"
_LINKED: Final = "is linked to another user already. Leave the link out"


class _Seen:
    """Values that must be unique in a call."""

    def __init__(self) -> None:
        self._values: set[object] = set()

    def add(self, *values: object) -> bool:
        """Adds the values; returns whether one of them was there before."""
        is_seen = not self._values.isdisjoint(values)
        self._values.update(values)
        return is_seen


async def check_users(
    transaction: Statements, batch: Batch, organization_id: str, actor: Actor
) -> dict[int, int]:
    """Checks IDs, names and addresses; settles the users that were imported before.

    An ID of a removed user makes the new one the same person for all applications. The permission
    `org.write` is needed for it, and for one of another organization `user.write` on the instance.
    Returns the sequence of the last event of each other user: 0, unless it was removed.
    """
    candidates = batch.candidates()
    rows = await user_import_store.COMPARE.all(
        transaction,
        user_ids=[each.user.user_id for each in candidates],
        name_claims=[each.name_claim for each in candidates],
        skeletons=[" ".join(each.skeletons) for each in candidates],
        emails=[each.user.email for each in candidates],
        organization_id=organization_id,
    )
    logged = await aggregates.find(transaction, [each.user.user_id for each in candidates])
    may_restore = _may_restore(actor, organization_id)
    archived = await archive_store.end_of_archives(transaction)
    ids, names, addresses, sequences = _Seen(), _Seen(), _Seen(), dict[int, int]()
    for each, row in zip(candidates, rows, strict=True):
        last = logged.get(row.user_id)
        if row.owner == organization_id and row.import_digest == each.digest:
            batch.settle(each)
            continue
        sequences[each.place] = last.sequence if last else 0
        problem = _problem_of_id(row, last, archived, may_restore)
        batch.check(each.place, "userId", _ID_TAKEN if ids.add(row.user_id) else problem)
        is_name_taken = names.add(each.name_claim, *each.skeletons) or row.is_name_taken
        batch.check(each.place, "userName", _NAME_TAKEN if is_name_taken else "")
        if row.address_key:
            is_taken = addresses.add(row.address_key) or row.is_address_taken
            batch.check(each.place, "email", _ADDRESS_TAKEN if is_taken else "")
    return sequences


def _may_restore(actor: Actor, organization_id: str) -> Callable[[str], bool]:
    """Whether the actor may import the ID of a removed user of an organization."""
    is_of_all = may_beyond(actor, "user.write", None)
    is_of_own = may_beyond(actor, "org.write", organization_id)
    return lambda owner: is_of_all or (is_of_own and owner == organization_id)


def _problem_of_id(
    row: Compared, last: LoggedAggregate | None, archived: End, may_restore: Callable[[str], bool]
) -> str:
    """The reason to refuse an ID; empty if it is free, or may be restored."""
    if row.owner is not None:
        return _ID_TAKEN
    if last is None:
        if row.is_claimed:
            return _ID_TAKEN
        return _ID_ARCHIVED if _may_be_archived(row.user_id, archived) else ""
    if last.aggregate_type != "user":
        return _ID_TAKEN
    return "" if may_restore(last.owner) else _ID_REMOVED


def _may_be_archived(user_id: str, archived: End) -> bool:
    """Whether this server may have given the ID, to an object whose events are in archives."""
    if archived.until is None or not re.fullmatch(ASSIGNED_ID, user_id):
        return False
    milliseconds = int(user_id.replace("-", "")[:12], 16)
    return milliseconds < (archived.until + _CLOCK_SKEW).timestamp() * 1000


async def check_attributes(
    transaction: Statements, batch: Batch, organization_id: str
) -> dict[int, dict[str, Any]]:
    """Checks the attributes; returns the values of each user by the IDs of definitions."""
    given = {
        each.place: each.user.attributes for each in batch.candidates() if each.user.attributes
    }
    names = {name for values in given.values() for name in values}
    if not names:
        return {}
    definitions = await attribute_store.list_named(transaction, names, organization_id)
    found = defaultdict[int, dict[str, Any]](dict)
    for place, values in given.items():
        for name, value in values.items():
            problem = problem_of(definitions.get(name), value)
            batch.check(place, f"attributes.{name}", problem)
            if not problem and value is not None:
                found[place][definitions[name].attribute_id] = value
    return found


async def check_passkeys(transaction: Statements, batch: Batch, max_passkeys: int) -> None:
    """Checks the number of passkeys, and that no user has their credentials."""
    claims = {
        (each.place, n): passkey_import_store.claim_of(passkey.rp_id, passkey.credential_id)
        for each in batch.candidates()
        for n, passkey in enumerate(each.user.passkeys)
    }
    registered, seen = _Seen(), set[str]()
    if claims:
        seen = await passkey_import_store.list_registered(transaction, list(claims.values()))
    registered.add(*seen)
    for (place, n), claim in claims.items():
        problem = _REGISTERED if registered.add(claim) else ""
        batch.check(place, f"passkeys.{n}.credentialId", problem)
    for each in batch.candidates():
        if len(each.user.passkeys) > max_passkeys:
            batch.check(each.place, "passkeys", f"must have at most {max_passkeys} entries")


async def lock_providers(
    transaction: Statements, batch: Batch, organization_id: str
) -> dict[tuple[int, int], NamedProvider]:
    """Locks the providers of links, by place and index of each link."""
    named = {link.idp for each in batch.candidates() for link in each.user.idp_links}
    if not named:
        return {}
    locked = await link_import_store.LOCK_PROVIDERS.all(
        transaction, named=sorted(named), organization_id=organization_id
    )
    found = dict[tuple[int, int], NamedProvider]()
    for each in batch.candidates():
        for n, link in enumerate(each.user.idp_links):
            matching = [idp for idp in locked if link.idp in (idp.idp_id, idp.name)]
            batch.check(each.place, f"idpLinks.{n}.idp", _problem_of(matching))
            if len(matching) == 1:
                found[each.place, n] = matching[0]
    return found


def _problem_of(matching: list[NamedProvider]) -> str:
    match matching:
        case []:
            return "is no identity provider of the organization. Create it, or choose another"
        case [only]:
            return "" if only.issuer else "has no OpenID Connect settings. Set them first"
        case _:
            return "is the name of several identity providers. Name one by its ID"


async def check_links(
    transaction: Statements, batch: Batch, providers: Mapping[tuple[int, int], NamedProvider]
) -> None:
    """Checks that no user has the identities."""
    claims = {
        (each.place, n): f"{idp.idp_id} {idp.issuer} {link.subject}"
        for each in batch.candidates()
        for n, link in enumerate(each.user.idp_links)
        if (idp := providers.get((each.place, n)))
    }
    if not claims:
        return
    linked = _Seen()
    linked.add(*await link_import_store.list_linked(transaction, claims.values()))
    for (place, n), claim in claims.items():
        batch.check(place, f"idpLinks.{n}.subject", _LINKED if linked.add(claim) else "")


async def lock_groups(
    transaction: Statements, batch: Batch, organization_id: str
) -> Mapping[str, CountedGroup]:
    """Locks the groups of the candidates, by IDs and names, and checks that they exist."""
    named = {name for each in batch.candidates() for name in each.groups.values()}
    if not named:
        return {}
    found = await group_import_store.lock_named(
        transaction, sorted(named), organization_id=organization_id
    )
    for each in batch.candidates():
        for path, name in each.groups.items():
            problem = "" if name in found else "is no group of the organization. Create it first"
            batch.check(each.place, path, problem)
    return found


def check_sizes(batch: Batch, groups: Mapping[str, CountedGroup]) -> None:
    """Checks that the groups have room for their new members."""
    members = Counter({group.group_id: group.members for group in groups.values()})
    for each in list(batch.importable()):
        for path, name in each.groups.items():
            group_id = groups[name].group_id
            members[group_id] += 1
            if members[group_id] > MAX_MEMBERS:
                batch.check(each.place, path, f"has {MAX_MEMBERS:,} members, the maximum")


def group_ids_of(names: Iterable[str], groups: Mapping[str, CountedGroup]) -> tuple[str, ...]:
    """The groups with these names or IDs, each once."""
    return tuple(dict.fromkeys(groups[name].group_id for name in names))
