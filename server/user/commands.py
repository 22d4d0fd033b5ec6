"""The commands on users."""

import base64
import re
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final

from pydantic import Field, ValidationError

from server.access import admission
from server.access.admission import LockedUser
from server.access.authorizer import authorize_beyond
from server.access.caller import OPERATOR, Actor
from server.access.checked_append import check_admitted
from server.access.listing import FilteredPage, Listed, pattern_of_orders
from server.mail.outbox import MailKind, Notice, Outbox, cancel_about, cancel_to
from server.rpc.update_mask import mask_of
from server.session import store as session_store
from server.store.database import Statements
from server.store.filters import read_order
from server.store.refusals import UNIQUE_CLAIMS_KEY, on_conflict
from server.store.rows import Details
from server.user import list_store, store
from server.user.attributes import commands as attribute_commands
from server.user.events import EmailVerification, UserAdded, UserChanged, UserRemoved
from server.user.other_features import OtherFeatures
from server.user.person import (
    Attributes,
    ExternalId,
    Locale,
    Verification,
    Zone,
)
from server.user.roles import lock_instance_owner
from server.validation.confusables import skeleton_digests
from server.validation.fields import (
    MAX_NAME,
    Command,
    Id,
    OptionalMailAddress,
    OptionalName,
    Printable,
    UniqueName,
    case_folded,
    described,
)
from server.validation.logos import Picture
from server.values.errors import FixedFailure, Kind, Violation, invalid
from server.values.ids import new_id
from server.values.pictures import new_key

# The maximum length, which WebAuthn recommends (Level 3, section 14.6.1).
_USER_HANDLE_BYTES = 64
# The microseconds of the time of an order, and the ID of a user.
_ID: Final = "([A-Za-z0-9][A-Za-z0-9._:-]{0,127})"
_POSITION: Final = re.compile(rf"(-?[0-9]{{1,18}}):{_ID}")
# The same of the order by name, as UTF-8 in hexadecimal digits without the character of the code 0.
_NAMED_POSITION: Final = re.compile(rf"((?:[1-9a-f][0-9a-f]|0[1-9a-f]){{0,400}}):{_ID}")


class CreateUser(Command):
    """Create a user in an organization."""

    user_name: UniqueName
    display_name: OptionalName
    email: OptionalMailAddress
    given_name: OptionalName = ""
    family_name: OptionalName = ""
    locale: Locale = ""
    zoneinfo: Zone = ""
    external_id: ExternalId = ""
    attributes: Attributes = None


class OneUser(Command):
    """Select a user."""

    user_id: Id


class ListUsers(FilteredPage):
    """List the users of an organization, or those that a text and a filter select."""

    filters = list_store.FILTERS
    orders = list_store.ORDERS

    order_by: Annotated[
        Printable,
        Field(max_length=MAX_NAME),
        described(pattern=pattern_of_orders(list_store.ORDERS)),
    ]


PATCHABLE = (
    *("display_name", "email", "given_name", "family_name", "locale", "zoneinfo", "external_id"),
    *("attributes", "email_verification", "picture"),
)


_PROFILE: Final = ("display_name", "given_name", "family_name", "locale", "zoneinfo", "picture")


class UserFields(Command):
    """The fields of a patch; None leaves a field unchanged."""

    user_id: Id
    display_name: OptionalName | None
    email: OptionalMailAddress | None
    given_name: OptionalName | None
    family_name: OptionalName | None
    locale: Locale | None
    zoneinfo: Zone | None
    external_id: ExternalId | None
    attributes: Attributes
    email_verification: Verification | None
    picture: Picture | None

    @property
    def has_profile(self) -> bool:
        """Whether it sets names, language, time zone or picture."""
        return any(getattr(self, name) is not None for name in _PROFILE)

    @property
    def needs_role(self) -> bool:
        """Whether a user may not change this of itself."""
        return (self.email, self.external_id, self.email_verification) != (None, None, None)


class PatchUser(Command):
    """Set the fields that the mask names."""

    user: UserFields
    update_mask: Annotated[tuple[str, ...], mask_of(PATCHABLE)]


async def create(
    database: Statements, command: CreateUser, *, actor: Actor, organization_id: str
) -> tuple[str, Details]:
    """Creates a user; returns its id and details. `Failure` ALREADY_EXISTS."""
    user_id = new_id()
    with on_conflict({UNIQUE_CLAIMS_KEY: _user_already_exists}):
        async with database.transaction() as transaction:
            makers = admission.of_new(await admission.check_caller(transaction, actor))
            values = await attribute_commands.by_ids(
                transaction, command.attributes, organization_id=organization_id
            )
            event = _added(command, makers, attributes=values)
            added = await store.ADD.details(
                transaction,
                event,
                creator=actor.user_id,
                user_id=user_id,
                organization_id=organization_id,
            )
    return user_id, added


async def register(
    transaction: Statements,
    *,
    user_name: str,
    display_name: str,
    email: str,
    organization_id: str,
    email_verification: EmailVerification | None = None,
    user_id: str | None = None,
    makers: Collection[str] | None = None,
) -> str | None:
    """Creates a user who registers itself; returns its id. The organization is locked.

    Without a name, the id is the name. `makers` are those of the address; None: the owners of the
    organization, who control the identity provider that gave it. None is returned if another user
    has the address. UniqueConflictError: another user has the name, or one that looks the same.
    """
    if email and await store.has_address(
        transaction, organization_id=organization_id, address=email
    ):
        return None
    user_id = user_id or new_id()
    makers = {organization_id} if makers is None else makers
    command = CreateUser(user_name=user_name or user_id, display_name=display_name, email=email)
    event = replace(_added(command, makers), email_verification=email_verification or "")
    await store.ADD.details(
        transaction, event, creator=user_id, user_id=user_id, organization_id=organization_id
    )
    return user_id


async def register_by_provider(
    transaction: Statements,
    *,
    user_name: str,
    display_name: str,
    email: str,
    is_verified: bool,
    organization_id: str,
) -> str | None:
    """The same for a user of an identity provider of the organization.

    `is_verified` is as in `update_by_provider`.
    """
    return await register(
        transaction,
        user_name=user_name,
        display_name=display_name,
        email=email,
        email_verification=EmailVerification.PROVIDER if is_verified else None,
        organization_id=organization_id,
    )


def _added(
    command: CreateUser,
    makers: Collection[str],
    *,
    attributes: Mapping[str, Any] | None = None,
) -> UserAdded:
    return UserAdded.of(
        command,
        user_name_claim=case_folded(command.user_name),
        user_name_skeletons=skeleton_digests(command.user_name),
        display_name=command.display_name or command.user_name,
        attributes=attributes,
        email_verification="",
        email_verified_at=None,
        user_handle=base64.b64encode(secrets.token_bytes(_USER_HANDLE_BYTES)).decode(),
        makers=tuple(sorted(makers)),
    )


async def list_page(
    database: Statements,
    command: ListUsers,
    *,
    actor: Actor,
    organization_id: str,
    others: OtherFeatures,
) -> Listed[store.User]:
    """A page of the users of an organization. `Failure` PERMISSION_DENIED, INVALID_ARGUMENT."""
    values: dict[str, Any] = list_store.FILTERS.read(command.filter)
    selection = await _selection(database, command, values, actor, organization_id, others)
    order = read_order(command.order_by, list_store.ORDERS)
    is_by_name = order is not None and order.field == list_store.NAME
    if order and not is_by_name and not await list_store.can_order(database, organization_id):
        allowed = f"must be empty or {list_store.NAME}"
        problem = f"{allowed} for more than {list_store.MOST_ORDERED:,} users"
        raise invalid(Violation("orderBy", problem))
    parent = command.parent(organization_id)
    found = command.position(parent, _NAMED_POSITION if is_by_name else _POSITION)
    page = await list_store.list_page(
        database,
        selection,
        order=order,
        after=_position(found, is_by_name=is_by_name),
        size=command.size(),
    )
    token = ""
    if page.goes_on_after:
        key, user_id = page.goes_on_after
        written = key.encode().hex() if isinstance(key, str) else key
        token = command.token(parent, f"{written}:{user_id}")
    users = await _with_entries(database, page.users, values["applications"], others)
    total = await list_store.count(database, selection) if command.with_total_size else None
    return Listed(users, token, total)


async def _with_entries(
    database: Statements,
    users: Sequence[store.User],
    application_ids: Sequence[str] | None,
    others: OtherFeatures,
) -> Sequence[store.User]:
    """The users, with the time at which they entered the only application of the filter."""
    if application_ids is None or len(application_ids) > 1:
        return users
    entered = await others.entered_at(
        database, [user.user_id for user in users], application_ids[0]
    )
    return [replace(user, entered_application_at=entered.get(user.user_id)) for user in users]


async def _selection(
    database: Statements,
    command: ListUsers,
    filtered: Mapping[str, Any],
    actor: Actor,
    organization_id: str,
    others: OtherFeatures,
) -> list_store.Selection:
    values = dict(filtered)
    if values["groups"]:
        authorize_beyond(actor, "group.read", organization_id)
        values["groups"] = await others.list_members(database, values["groups"])
    if values["applications"]:
        authorize_beyond(actor, "application.read", organization_id)
        values["applications"] = await others.list_admitted(
            database, values["applications"], organization_id
        )
    return list_store.Selection(organization_id, command.query, values)


def _position(match: re.Match[str] | None, *, is_by_name: bool) -> list_store.UserPosition | None:
    if match is None:
        return None
    key = bytes.fromhex(match[1]).decode(errors="replace") if is_by_name else int(match[1])
    return list_store.UserPosition(key, match[2])


async def patch(
    database: Statements,
    fields: UserFields,
    *,
    actor: Actor,
    is_administrator: bool = True,
    others: OtherFeatures,
    outbox: Outbox,
) -> Details:
    """Replaces the fields that are not None; of attributes, those that are given.

    `is_administrator` says whether the actor may set all of them.

    A new address ends the links that were mailed to the old address, which gets a notice.
    """
    async with database.transaction() as transaction:
        # A user without a role may not change its own address.
        user = await admission.lock_user(
            transaction,
            fields.user_id,
            actor=actor,
            needs_role=fields.needs_role or (is_administrator and bool(fields.attributes)),
        )
        is_own_profile = fields.has_profile and not is_administrator
        if is_own_profile and await others.keeps_profiles(transaction, user.organization_id):
            raise profile_kept()
        values = await attribute_commands.by_ids(
            transaction,
            fields.attributes,
            organization_id=user.organization_id,
            field="user.attributes",
            is_administrator=is_administrator,
        )
        event = UserChanged.of(
            fields,
            display_name=user.user_name if fields.display_name == "" else fields.display_name,
            makers=None if fields.email is None else tuple(sorted(user.makers)),
            attributes=values,
            email_verification=await _verification(transaction, fields),
            picture=None if fields.picture is None else base64.b64encode(fields.picture).decode(),
            picture_key=None if fields.picture is None else new_key() if fields.picture else "",
        )
        return await change(
            transaction, user, event, creator=actor.user_id, others=others, outbox=outbox
        )


async def _verification(transaction: Statements, fields: UserFields) -> str | None:
    """The new state of the address of a locked user; None: it stays.

    An administrator does not lower the state of a verified address.
    """
    given = fields.email_verification
    if not given:
        return given
    current = await store.GET.one(transaction, user_id=fields.user_id)
    if current.email_verification and fields.email in (None, current.email):
        if given in (EmailVerification.ADMINISTRATOR, current.email_verification):
            return None
    elif given == EmailVerification.ADMINISTRATOR:
        return given
    problem = "must be EMAIL_VERIFICATION_ADMINISTRATOR, EMAIL_VERIFICATION_UNSPECIFIED or as it is"
    raise invalid(Violation("user.emailVerification", problem))


class ProviderFields(Command):
    """The fields of a user that an identity provider gives; None leaves a field unchanged."""

    display_name: OptionalName | None = None
    email: OptionalMailAddress | None = None
    given_name: OptionalName | None = None
    family_name: OptionalName | None = None
    locale: Locale | None = None
    zoneinfo: Zone | None = None
    external_id: ExternalId | None = None


async def update_by_provider(
    transaction: Statements,
    user_id: str,
    *,
    fields: Mapping[str, str],
    attributes: Mapping[str, Any],
    is_verified: bool,
    organization_id: str,
    others: OtherFeatures,
    outbox: Outbox,
) -> dict[str, str]:
    """Sets the values to those of an identity provider of the organization, as far as they fit.

    Returns reasons by the names of the others. `is_verified` says whether the address, or that of
    the user if there is none, is of a domain for which the organization trusts the provider. The
    organization is locked if there is an address; one that another user has is not taken. The
    makers of the address are the owners of the organization, as in `register`.
    """
    user = await admission.lock_user(transaction, user_id, actor=OPERATOR)
    skipped = dict.fromkeys(_wrong(fields), "VALUE_INVALID")
    if (email := fields.get("email")) and await store.has_address(
        transaction, organization_id=organization_id, address=email
    ):
        skipped["email"], is_verified = "ADDRESS_TAKEN", False
    given = ProviderFields(**{name: fields[name] for name in fields.keys() - skipped.keys()})
    values, further = await attribute_commands.fitting(
        transaction, attributes, organization_id=organization_id
    )
    event = UserChanged.of(
        given,
        makers=(organization_id,) if given.email else None,
        attributes=values or None,
        email_verification=EmailVerification.PROVIDER if is_verified else None,
        picture=None,
        picture_key=None,
    )
    await change(transaction, user, event, creator=user_id, others=others, outbox=outbox)
    return skipped | further


def _wrong(fields: Mapping[str, str]) -> list[str]:
    """The names of the fields whose values do not fit."""
    try:
        ProviderFields.model_validate(fields)
    except ValidationError as error:
        return [str(problem["loc"][0]) for problem in error.errors()]
    return []


async def verify_address(transaction: Statements, user_id: str) -> None:
    """Records that a locked user opened a link that was mailed to its address."""
    event = UserChanged(email_verification=EmailVerification.LINK)
    await store.CHANGE.details(transaction, event, creator=user_id, user_id=user_id)


async def change(
    transaction: Statements,
    user: LockedUser,
    event: UserChanged,
    *,
    creator: str,
    others: OtherFeatures,
    outbox: Outbox,
) -> Details:
    """Changes a locked user. A new address ends the links to others; the old one gets a notice."""
    if event.email is not None:
        await end_link(transaction, user.user_id, user.organization_id)
    details = await store.CHANGE.details(transaction, event, creator=creator, user_id=user.user_id)
    if event.email is not None and event.email != user.email:
        await others.end_mailed_elsewhere(transaction, user, event.email)
        await outbox.notify(transaction, notice_of(MailKind.EMAIL_CHANGED, user))
    return details


def notice_of(kind: MailKind, user: LockedUser) -> Notice:
    """A notice to the present address of a user, about that address."""
    return Notice(
        kind=kind,
        user_id=user.user_id,
        organization_id=user.organization_id,
        recipient_address=user.email,
        recipient_name=user.display_name,
        reference=user.user_id,
        parameters={"user_name": user.user_name},
    )


async def end_link(transaction: Statements, user_id: str, organization_id: str) -> str:
    """Cancels the mail to the address that a locked user requested; the ID of the request."""
    change_id = (await store.REQUESTED_EMAIL.one(transaction, user_id=user_id)).change_id
    if change_id:
        await cancel_about(transaction, [change_id], organization_id=organization_id)
    return change_id


async def remove(
    database: Statements, command: OneUser, *, actor: Actor, others: OtherFeatures
) -> Details:
    """Removes a user with all its objects; returns its last details. `Failure` NOT_FOUND."""
    async with database.transaction() as transaction:
        await lock_instance_owner(transaction, command.user_id, others)
        await check_admitted(transaction, actor)
        event = UserRemoved(await session_store.list_ids(transaction, user_id=command.user_id))
        details = await store.remove(
            transaction, event, creator=actor.user_id, user_id=command.user_id
        )
        await others.end_of_removed(transaction, command.user_id)
        await cancel_to(transaction, user_id=command.user_id, organization_id=details.owner)
    return details


profile_kept: Final = FixedFailure(
    "PROFILE_KEPT",
    "Only administrators of the organization change the profiles and mail addresses of its users."
    " Ask one of them to change yours.",
)
_user_already_exists: Final = FixedFailure(
    "USER_ALREADY_EXISTS",
    "The organization has a user with this name, or with one that looks the same. Choose another"
    " user name.",
    kind=Kind.ALREADY_EXISTS,
)
