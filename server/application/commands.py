"""The commands on applications."""

import base64
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, Final

from server.access.caller import Actor
from server.access.checked_append import written_by
from server.application import secrets, store
from server.application.configuration import (
    METHODS_WITH_SECRETS,
    ApplicationKind,
    Configuration,
    contradictions,
    with_defaults,
)
from server.application.events import ApplicationAdded, ApplicationChanged, ApplicationRemoved
from server.application.fields import (
    PATCHABLE,
    ApplicationFields,
    CreateApplication,
    OneApplication,
    PatchedApplication,
)
from server.application.groups import Groups
from server.application.store import Application
from server.store.database import Statements
from server.store.refusals import UNIQUE_CLAIMS_KEY, on_conflict
from server.store.rows import Details
from server.values.errors import FixedFailure, Kind, Violation, invalid
from server.values.ids import new_id


@dataclass(frozen=True, slots=True)
class AddedApplication:
    """The ids of an added application and of its chosen secret, empty without one."""

    application_id: str
    secret_id: str
    details: Details


@dataclass(frozen=True, slots=True)
class Reserved:
    """Values that no application can have: origins of this server, and audiences of sessions.

    The ID of an application is the audience of its tokens, too.
    """

    origins: Set[str]
    audiences: Set[str]

    def violations(self, fields: ApplicationFields) -> Iterator[Violation]:
        """The fields that have such a value."""
        for index, origin in enumerate(fields.origins or ()):
            if origin in self.origins:
                path = f"application.origins.{index}"
                yield Violation(path, "must not be an origin of Keystead itself")
        if fields.identifier in self.audiences:
            problem = "must be none of KEYSTEAD_JWT_AUDIENCES, which are for sessions"
            yield Violation("application.identifier", problem)


async def add(
    database: Statements,
    command: CreateApplication,
    *,
    actor: Actor,
    organization_id: str,
    groups: Groups,
    reserved: Reserved,
) -> AddedApplication:
    """Creates an application, with a chosen secret if there is one.

    `Failure` INVALID_ARGUMENT, ALREADY_EXISTS `ORIGIN_ALREADY_USED`, `IDENTIFIER_ALREADY_USED`,
    `APPLICATION_ID_ALREADY_USED`.
    """
    fields, secret = command.application, command.secret.get_secret_value()
    application_id = command.application_id or new_id()
    if application_id in reserved.audiences:
        raise invalid(Violation("applicationId", "must not be one of KEYSTEAD_JWT_AUDIENCES"))
    kind = ApplicationKind(fields.kind)
    of_application = {"application_id": application_id, "organization_id": organization_id}
    conflicts = {UNIQUE_CLAIMS_KEY: _already_used(fields), store.APPLICATIONS_KEY: _id_already_used}
    with on_conflict(conflicts):
        async with database.transaction() as transaction:
            if command.application_id and await store.is_used(transaction, application_id):
                raise _id_already_used()
            given = await _given(transaction, fields, organization_id, groups, reserved)
            complete = _complete(kind, Configuration(**given))
            if secret and complete.token_endpoint_auth_method not in METHODS_WITH_SECRETS:
                problem = "must be empty: the token_endpoint_auth_method uses no secret"
                raise invalid(Violation("secret", problem))
            event = ApplicationAdded.of(
                complete, kind=kind, logo=base64.b64encode(complete.logo).decode()
            )
            added = await store.ADD.details(
                transaction, event, **written_by(actor), **of_application
            )
            if not secret:
                return AddedApplication(application_id, "", added)
            secret_id, added = await secrets.add(transaction, secret, actor=actor, **of_application)
            return AddedApplication(application_id, secret_id, added)


async def get(
    database: Statements, command: OneApplication, *, organization_id: str, groups: Groups
) -> Application:
    """Reads an application. `Failure` NOT_FOUND."""
    found = await store.GET.one(
        database, application_id=command.application_id, organization_id=organization_id
    )
    [application] = await with_existing_groups(database, [found], groups)
    return application


async def with_existing_groups(
    database: Statements, applications: Sequence[Application], groups: Groups
) -> list[Application]:
    """The applications without the allowed groups that were removed."""
    named = {each for one in applications for each in one.configuration.allowed_groups}
    existing = await groups.list_existing(database, named) if named else set()
    return [replace(one, configuration=_only(one.configuration, existing)) for one in applications]


def _only(configuration: Configuration, existing: set[str]) -> Configuration:
    allowed = tuple(each for each in configuration.allowed_groups if each in existing)
    return replace(configuration, allowed_groups=allowed)


async def patch(
    database: Statements,
    fields: PatchedApplication,
    *,
    actor: Actor,
    organization_id: str,
    groups: Groups,
    reserved: Reserved,
) -> Details:
    """Replaces the fields that are not None.

    `Failure` NOT_FOUND, INVALID_ARGUMENT, ALREADY_EXISTS `ORIGIN_ALREADY_USED`,
    `IDENTIFIER_ALREADY_USED`.
    """
    of_application = {"application_id": fields.application_id, "organization_id": organization_id}
    with on_conflict({UNIQUE_CLAIMS_KEY: _already_used(fields)}):
        async with database.transaction() as transaction:
            # Groups are locked before applications.
            given = await _given(transaction, fields, organization_id, groups, reserved)
            stored = await store.lock(transaction, **of_application)
            [current] = await with_existing_groups(transaction, [stored], groups)
            after = _complete(current.kind, replace(current.configuration, **given))
            changed = {
                name: value
                for name in given
                if (value := getattr(after, name)) != getattr(stored.configuration, name)
            }
            if not changed:
                return stored.details
            if "logo" in changed:
                changed["logo"] = base64.b64encode(after.logo).decode()
            return await store.CHANGE.details(
                transaction, ApplicationChanged(**changed), **written_by(actor), **of_application
            )


async def remove(
    database: Statements, command: OneApplication, *, actor: Actor, organization_id: str
) -> Details:
    """Removes an application with its secrets; returns its last details. `Failure` NOT_FOUND."""
    of_application = {"application_id": command.application_id, "organization_id": organization_id}
    async with database.transaction() as transaction:
        # A change that has just claimed an origin is committed before the removal reads the claims.
        await store.lock(transaction, **of_application)
        return await store.REMOVE.details(
            transaction, ApplicationRemoved(), **written_by(actor), **of_application
        )


async def _given(
    transaction: Statements,
    fields: ApplicationFields,
    organization_id: str,
    groups: Groups,
    reserved: Reserved,
) -> dict[str, Any]:
    """The fields that are not None, with the ids of groups, which are locked.

    `Failure` INVALID_ARGUMENT for a group that does not exist, and for a reserved value.
    """
    if found := [*reserved.violations(fields)]:
        raise invalid(*found)
    given = {name: value for name in PATCHABLE if (value := getattr(fields, name)) is not None}
    named = dict(_named_groups(fields))
    ids = (
        await groups.lock_named(transaction, set(named.values()), organization_id) if named else {}
    )
    unknown = [
        Violation(f"application.{path}", "must be a group of the organization: list them")
        for path, group in named.items()
        if group not in ids
    ]
    if unknown:
        raise invalid(*unknown)
    if fields.allowed_groups is not None:
        given["allowed_groups"] = _ids(fields.allowed_groups, ids)
        given.setdefault("admits_groups_only", bool(fields.allowed_groups))
    if fields.resource_scopes is not None:
        given["resource_scopes"] = tuple(
            replace(each, allowed_groups=_ids(each.allowed_groups, ids))
            for each in fields.resource_scopes
        )
    return given


def _named_groups(fields: ApplicationFields) -> Iterator[tuple[str, str]]:
    """The groups that the fields name, with their paths."""
    for index, group in enumerate(fields.allowed_groups or ()):
        yield f"allowedGroups.{index}", group
    for place, scope in enumerate(fields.resource_scopes or ()):
        for index, group in enumerate(scope.allowed_groups):
            yield f"resourceScopes.{place}.allowedGroups.{index}", group


def _ids(named: Sequence[str], ids: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids[each] for each in named))


def _complete(kind: ApplicationKind, configuration: Configuration) -> Configuration:
    """The configuration with its defaults. `Failure` INVALID_ARGUMENT if fields contradict."""
    complete = with_defaults(kind, configuration)
    if found := contradictions(kind, complete):
        raise invalid(*found)
    return complete


_id_already_used: Final = FixedFailure(
    "APPLICATION_ID_ALREADY_USED",
    "An application of this installation has this ID or identifier, or had it as its ID: IDs are"
    " never used again. Choose another.",
    kind=Kind.ALREADY_EXISTS,
)


def _already_used(fields: ApplicationFields) -> FixedFailure:
    """The conflict of a new application; only a resource has an identifier, and no origins."""
    if fields.identifier:
        return _identifier_already_used
    return _origin_already_used if fields.origins else _id_already_used


_origin_already_used: Final = FixedFailure(
    "ORIGIN_ALREADY_USED",
    "Another application has one of these origins. Remove it there, or use another.",
    kind=Kind.ALREADY_EXISTS,
)
_identifier_already_used: Final = FixedFailure(
    "IDENTIFIER_ALREADY_USED",
    "Another application of the instance has this identifier, or this ID. Use another.",
    kind=Kind.ALREADY_EXISTS,
)
