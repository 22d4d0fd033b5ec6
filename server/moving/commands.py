"""The import of users."""

import asyncio
import base64
import enum
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pydantic import ValidationError

from server.access import admission
from server.access.authorizer import authorize_beyond
from server.access.caller import Actor
from server.group import import_store as group_import_store
from server.group.events import GroupsImported
from server.group.import_store import CountedGroup
from server.idp.links import import_store as link_import_store
from server.idp.links.events import IDPLinksImported
from server.idp.links.import_store import NamedProvider
from server.moving import checks
from server.moving.batch import Batch, Candidate
from server.moving.imported import GivenUser, ImportedPasskey, ImportedUser, ImportUsers
from server.passkey import import_store as passkey_import_store
from server.passkey.events import PasskeysImported
from server.store.database import Statements
from server.store.refusals import UNIQUE_CLAIMS_KEY, on_conflict
from server.user import import_store as user_import_store
from server.user.events import EmailVerification, UserImported
from server.validation.fields import violations
from server.values.errors import FixedFailure, Kind, Violation
from server.values.ids import new_id
from server.values.pictures import new_key

# As WebAuthn recommends (Level 3, section 14.6.1).
_USER_HANDLE_BYTES: Final = 64
_PASSKEY_NAME: Final = "Passkey"

# The permissions that parts of an imported user need beside `user.write`.
_PERMISSIONS: Final[Mapping[str, str]] = {
    "passkeys": "passkey.write",
    "groups": "group.write",
    "idp_links": "idp.write",
    # An owner could verify it by a provider, too.
    "email_verified": "idp.write",
}


class ImportState(enum.Enum):
    """The result of a user."""

    IMPORTED = enum.auto()
    SAME = enum.auto()
    REFUSED = enum.auto()


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The result of a user, with every wrong field if it was refused."""

    user_id: str
    state: ImportState
    wrong_fields: Sequence[Violation] = ()


@dataclass(frozen=True, slots=True)
class ImportPolicy:
    """The limit of passkeys of a user, and the function that locks an organization."""

    max_passkeys: int
    lock_organization: Callable[[Statements, str], Awaitable[None]]


async def import_users(
    database: Statements,
    command: ImportUsers,
    *,
    actor: Actor,
    organization_id: str,
    policy: ImportPolicy,
) -> list[ImportResult]:
    """Imports the users into the organization, each whole or not at all.

    `Failure` PERMISSION_DENIED, UNAUTHENTICATED; ABORTED `CONCURRENT_CHANGE`.
    """
    given = command.users
    for part, permission in _PERMISSIONS.items():
        if any(_has(each, part) for each in given):
            authorize_beyond(actor, permission, organization_id)
    batch = await _read(given)
    with on_conflict({UNIQUE_CLAIMS_KEY: _taken_meanwhile, _USERS_KEY: _taken_meanwhile}):
        async with database.transaction() as transaction:
            imported = await _write(transaction, batch, actor, organization_id, policy)
    return [
        ImportResult(each.user_id, _state(batch, place, imported), batch.wrong_fields(place))
        for place, each in enumerate(given)
    ]


def _has(given: GivenUser, part: str) -> bool:
    """Whether a user has a part. Its links can have groups, too."""
    links: Any = given.fields["idp_links"] if part == "groups" else ()
    return bool(given.fields[part]) or any(link["groups"] for link in links)


def _state(batch: Batch, place: int, imported: set[int]) -> ImportState:
    if batch.wrong_fields(place):
        return ImportState.REFUSED
    return ImportState.IMPORTED if place in imported else ImportState.SAME


async def _read(given: Sequence[GivenUser]) -> Batch:
    """The users whose fields are valid. Other tasks have a turn in between."""
    batch = Batch()
    for place, each in enumerate(given):
        await asyncio.sleep(0)
        try:
            user = ImportedUser.model_validate(each.fields)
        except ValidationError as error:
            batch.refuse(place, *violations(error))
        else:
            batch.add(Candidate(place, user, each.digest))
    return batch


async def _write(
    transaction: Statements,
    batch: Batch,
    actor: Actor,
    organization_id: str,
    policy: ImportPolicy,
) -> set[int]:
    """Writes the users that nothing refuses; returns their places.

    The organization is locked, so that nobody else registers with one of the addresses.
    """
    await policy.lock_organization(transaction, organization_id)
    providers = await checks.lock_providers(transaction, batch, organization_id)
    groups = await checks.lock_groups(transaction, batch, organization_id)
    found = await admission.check_caller(transaction, actor)
    sequences = await checks.check_users(transaction, batch, organization_id, actor)
    await checks.check_passkeys(transaction, batch, policy.max_passkeys)
    await checks.check_links(transaction, batch, providers)
    attributes = await checks.check_attributes(transaction, batch, organization_id)
    checks.check_sizes(batch, groups)
    writing = _Writing(
        list(batch.importable()),
        creator=actor.user_id,
        makers=tuple(sorted(admission.of_new(found))),
    )
    await writing.add_users(transaction, sequences, attributes, organization_id)
    await writing.add_passkeys(transaction)
    links = await writing.add_links(transaction, providers)
    await writing.join_groups(transaction, groups, links)
    return {each.place for each in writing.candidates}


@dataclass(frozen=True, slots=True)
class _Writing:
    """Writes the parts of importable users, each in one statement."""

    candidates: Sequence[Candidate]
    creator: str
    makers: tuple[str, ...]

    async def add_users(
        self,
        transaction: Statements,
        sequences: Mapping[int, int],
        attributes: Mapping[int, Mapping[str, Any]],
        organization_id: str,
    ) -> None:
        await user_import_store.add(
            transaction,
            {
                each.user.user_id: _user_event(each, self.makers, attributes.get(each.place))
                for each in self.candidates
            },
            [sequences[each.place] for each in self.candidates],
            creator=self.creator,
            organization_id=organization_id,
        )

    async def add_passkeys(self, transaction: Statements) -> None:
        events = {
            each.user.user_id: self._passkeys_event(each.user)
            for each in self.candidates
            if each.user.passkeys
        }
        if events:
            await passkey_import_store.add(transaction, events, creator=self.creator)

    def _passkeys_event(self, user: ImportedUser) -> PasskeysImported:
        passkeys = [_passkey_columns(each) for each in user.passkeys]
        return PasskeysImported(
            passkey_ids=tuple(str(each["passkey_id"]) for each in passkeys),
            passkeys=passkeys,
            began_by=self.creator,
            makers=self.makers,
        )

    async def add_links(
        self, transaction: Statements, providers: Mapping[tuple[int, int], NamedProvider]
    ) -> Mapping[str, IDPLinksImported]:
        events = {
            each.user.user_id: self._links_event(each, providers)
            for each in self.candidates
            if each.user.idp_links
        }
        if events:
            await link_import_store.add(transaction, events, creator=self.creator)
        return events

    def _links_event(
        self, candidate: Candidate, providers: Mapping[tuple[int, int], NamedProvider]
    ) -> IDPLinksImported:
        links = []
        for n, link in enumerate(candidate.user.idp_links):
            idp = providers[candidate.place, n]
            columns = {"idp_id": idp.idp_id, "issuer": str(idp.issuer), "subject": link.subject}
            links.append({"link_id": new_id(), **columns})
        return IDPLinksImported(tuple(each["link_id"] for each in links), links, self.makers)

    async def join_groups(
        self,
        transaction: Statements,
        groups: Mapping[str, CountedGroup],
        links: Mapping[str, IDPLinksImported],
    ) -> None:
        events = {
            each.user.user_id: _groups_event(each.user, groups, links.get(each.user.user_id))
            for each in self.candidates
            if each.groups
        }
        if events:
            await group_import_store.join(transaction, events, creator=self.creator)


def _groups_event(
    user: ImportedUser, groups: Mapping[str, CountedGroup], links: IDPLinksImported | None
) -> GroupsImported:
    """The groups of a user. One that is also given to the user itself is not that of a link."""
    own = checks.group_ids_of(user.groups, groups)
    of_links = {
        group_id: link_id
        for link_id, link in zip(links.link_ids if links else (), user.idp_links, strict=True)
        for group_id in checks.group_ids_of(link.groups, groups)
        if group_id not in own
    }
    return GroupsImported((*own, *of_links), of_links)


def _user_event(
    candidate: Candidate, makers: tuple[str, ...], attributes: Mapping[str, Any] | None
) -> UserImported:
    user = candidate.user
    handle = user.passkeys[0].user_handle if user.passkeys else None
    return UserImported.of(
        user,
        user_name_claim=candidate.name_claim,
        user_name_skeletons=candidate.skeletons,
        display_name=user.display_name or user.user_name,
        attributes=attributes,
        email_verification=EmailVerification.IMPORT if user.email_verified else "",
        email_verified_at=None,
        user_handle=_base64(handle or secrets.token_bytes(_USER_HANDLE_BYTES)),
        makers=makers,
        originally_created_at=_text(user.created_at),
        lock_reason=user.lock_reason if user.is_locked else None,
        import_digest=_base64(candidate.digest),
        picture=_base64(user.picture),
        picture_key=new_key() if user.picture else "",
    )


def _passkey_columns(passkey: ImportedPasskey) -> dict[str, object]:
    return {
        "passkey_id": new_id(),
        "name": passkey.name or _PASSKEY_NAME,
        "rp_id": passkey.rp_id,
        "credential_id": _base64(passkey.credential_id),
        "public_key": _base64(passkey.public_key.cose),
        "algorithm": passkey.public_key.algorithm,
        "sign_count": passkey.sign_count,
        "aaguid": passkey.aaguid,
        "transports": passkey.transports,
        "backup_eligible": passkey.backup_eligible,
        "backed_up": passkey.backed_up,
        "created_at": _text(passkey.created_at),
        "last_used_at": _text(passkey.last_used_at),
    }


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _text(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


_USERS_KEY: Final = "users_pkey"

_taken_meanwhile: Final = FixedFailure(
    "CONCURRENT_CHANGE",
    "Another call took a name, address, passkey or identity of these users at the same time. Send"
    " the call again.",
    kind=Kind.ABORTED,
)
