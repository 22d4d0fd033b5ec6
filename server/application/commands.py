"""The commands on applications and their secrets."""

import base64
import enum
import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, Final, Protocol

from pydantic import AfterValidator, BeforeValidator, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from server.access.caller import Actor
from server.access.checked_append import written_by
from server.access.tokens import TokenKind, new_token, token_hash
from server.application import store
from server.application.configuration import (
    METHODS_WITH_SECRETS,
    ApplicationAudience,
    ApplicationKind,
    ClientAuthMethod,
    Configuration,
    IDTokenAlg,
    contradictions,
    with_defaults,
)
from server.application.events import (
    ApplicationAdded,
    ApplicationChanged,
    ApplicationRemoved,
    ApplicationSecretCreated,
    ApplicationSecretRemoved,
)
from server.application.keys import MAX_JWKS, check_jwks
from server.application.store import Application, application_not_found
from server.application.uris import (
    MAX_URI,
    check_https_uri,
    check_redirect_uri,
    check_secure_origin,
)
from server.rpc.update_mask import mask_of, mask_schema
from server.store.database import Statements
from server.store.eventlog import Details, new_id
from server.store.refusals import UNIQUE_CLAIMS_KEY, on_conflict
from server.validation.fields import Command, Id, Name, described
from server.validation.logos import Logo
from server.validation.paging import Page
from server.values.errors import FixedFailure, Kind, Violation, invalid
from server.values.names import printable

MAX_SECRETS: Final = 2
_MAX_VALUES: Final = 50
_MAX_NAME_OF_GROUP: Final = 200
_MAX_SCOPE: Final = 200
# RFC 6749, section 3.3.
_SCOPE: Final = re.compile(r"[!#-\[\]-~]+")
_CLAIMS: Final = ("name", "email", "groups")


class LockNamedGroups(Protocol):
    """The organization's groups among ids and names: their ids by id and name, locked."""

    async def __call__(
        self, transaction: Statements, named: Collection[str], organization_id: str
    ) -> dict[str, str]: ...


@dataclass(frozen=True, slots=True)
class Groups:
    """The functions of the group feature, constructed by `server/command_wiring.py`."""

    lock_named: LockNamedGroups
    # Those of some ids that are groups.
    list_existing: Callable[[Statements, Collection[str]], Awaitable[set[str]]]


# Of a list of a message. None: the command does not set it.
_Values = Annotated[
    tuple[str, ...] | None,
    BeforeValidator(lambda values: None if values is None else tuple(values)),
]


def _values(check: Callable[[str], object]) -> AfterValidator:
    """A validator of a list of different texts, which reports every wrong one with its index."""

    def check_all(values: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if values is None:
            return None
        if len(values) > _MAX_VALUES:
            raise ValueError(f"must have at most {_MAX_VALUES} entries")
        problems = [
            _problem_at(index, problem)
            for index, value in enumerate(values)
            if (problem := _problem(check, value, before=values[:index]))
        ]
        if problems:
            raise ValidationError.from_exception_data("values", problems)
        return values

    return AfterValidator(check_all)


def _problem(check: Callable[[str], object], value: str, *, before: Collection[str]) -> str:
    try:
        check(value)
    except ValueError as error:
        return str(error)
    return "must not be listed twice" if value in before else ""


def _problem_at(index: int, problem: str) -> InitErrorDetails:
    error = PydanticCustomError("value_error", "{error}", {"error": problem})
    return InitErrorDetails(type=error, loc=(index,), input=None)


def _scope(scope: str) -> None:
    if len(scope) > _MAX_SCOPE or not _SCOPE.fullmatch(scope):
        raise ValueError(
            f"must be 1 to {_MAX_SCOPE} characters without spaces, quotes and backslashes"
        )


def _claim(claim: str) -> None:
    if claim not in _CLAIMS:
        raise ValueError(f"must be one of {', '.join(_CLAIMS)}")


def _group(named: str) -> None:
    printable(named)
    if not 0 < len(named) <= _MAX_NAME_OF_GROUP:
        raise ValueError("must be the ID or the name of a group")


def _https_uri(uri: str | None) -> str | None:
    return check_https_uri(uri) if uri else uri


def _jwks(text: str | None) -> str | None:
    return text if text is None else check_jwks(text)


def _one_of(values: type[enum.StrEnum], prefix: str, *, has_default: bool) -> BeforeValidator:
    """The value of a number of the API's enum, whose values have the same order.

    UNSPECIFIED is valid if there is a default; its value is empty.
    """
    known: dict[int, str] = dict(enumerate(values, start=1))
    names = [f"{prefix}_{value}" for value in values]
    if has_default:
        known[0] = ""
        names.append(f"{prefix}_UNSPECIFIED")

    def value_of(number: int | None) -> str | None:
        if number is not None and number not in known:
            raise ValueError(f"must be one of {', '.join(names)}")
        return None if number is None else known[number]

    return BeforeValidator(value_of)


def _seconds(lowest: int, highest: int) -> AfterValidator:
    def check(seconds: int | None) -> int | None:
        if seconds and not lowest <= seconds <= highest:
            raise ValueError(f"must be {lowest} to {highest}, or 0 for the default")
        return seconds

    return AfterValidator(check)


_MAX_ACCESS: Final = 3600
_MIN_REFRESH: Final = 3600
_MAX_REFRESH: Final = 400 * 86_400
_Uris = Annotated[_Values, _values(check_redirect_uri), described(maxItems=_MAX_VALUES)]
_RefreshSeconds = Annotated[
    int | None,
    _seconds(_MIN_REFRESH, _MAX_REFRESH),
    described(minimum=0, maximum=_MAX_REFRESH),
]
_HttpsUri = Annotated[str | None, AfterValidator(_https_uri), described(maxLength=MAX_URI)]


class ApplicationFields(Command):
    """The fields of an application. None leaves a field of a patch unchanged."""

    name: Name | None
    redirect_uris: _Uris
    post_logout_redirect_uris: _Uris
    backchannel_logout_uri: _HttpsUri
    token_endpoint_auth_method: Annotated[
        str | None, _one_of(ClientAuthMethod, "TOKEN_ENDPOINT_AUTH_METHOD", has_default=True)
    ]
    jwks: Annotated[str | None, AfterValidator(_jwks), described(maxLength=MAX_JWKS)]
    jwks_uri: _HttpsUri
    scopes: Annotated[_Values, _values(_scope), described(maxItems=_MAX_VALUES)]
    id_token_alg: Annotated[str | None, _one_of(IDTokenAlg, "ID_TOKEN_ALG", has_default=True)]
    first_party: bool | None
    requires_pkce: bool | None
    allowed_groups: Annotated[_Values, _values(_group), described(maxItems=_MAX_VALUES)]
    # None also of an added application: as `allowed_groups` says.
    admits_groups_only: bool | None
    audience: Annotated[
        str | None, _one_of(ApplicationAudience, "APPLICATION_AUDIENCE", has_default=True)
    ]
    access_token_lifetime_seconds: Annotated[
        int | None, _seconds(60, _MAX_ACCESS), described(minimum=0, maximum=_MAX_ACCESS)
    ]
    refresh_token_lifetime_seconds: _RefreshSeconds
    refresh_token_idle_seconds: _RefreshSeconds
    logo: Logo | None
    id_token_claims: Annotated[_Values, _values(_claim), described(maxItems=len(_CLAIMS))]
    origins: Annotated[_Values, _values(check_secure_origin), described(maxItems=_MAX_VALUES)]


PATCHABLE = tuple(ApplicationFields.model_fields)


class NewApplication(ApplicationFields):
    """The fields of an added application, all of which are given but `admits_groups_only`."""

    kind: Annotated[str, _one_of(ApplicationKind, "APPLICATION_KIND", has_default=False)]


class AddApplication(Command):
    """Add an application."""

    application: NewApplication


class PatchedApplication(ApplicationFields):
    """The fields of a patch."""

    application_id: Id


class PatchApplication(Command):
    """Set the fields that the mask names."""

    application: PatchedApplication
    update_mask: Annotated[
        tuple[str, ...], AfterValidator(mask_of(PATCHABLE)), mask_schema(PATCHABLE)
    ]


class OneApplication(Command):
    """Select an application."""

    application_id: Id


class OneApplicationSecret(Command):
    """Select a secret of an application."""

    application_id: Id
    secret_id: Id


class ListApplications(Page):
    """List the applications of an organization."""

    max_page_size: ClassVar[int] = 50


@dataclass(frozen=True, slots=True)
class NewSecret:
    """A new secret. This is the only time that `secret` is in plaintext."""

    secret_id: str
    secret: str = field(repr=False)
    details: Details


async def add(
    database: Statements,
    fields: NewApplication,
    *,
    actor: Actor,
    organization_id: str,
    groups: Groups,
) -> tuple[str, Details]:
    """Adds an application; returns its id and details.

    `Failure` INVALID_ARGUMENT, ALREADY_EXISTS `ORIGIN_ALREADY_USED`.
    """
    application_id, kind = new_id(), ApplicationKind(fields.kind)
    with on_conflict({UNIQUE_CLAIMS_KEY: _origin_already_used}):
        async with database.transaction() as transaction:
            given = await _given(transaction, fields, organization_id, groups)
            event = ApplicationAdded.of(
                complete := _complete(kind, Configuration(**given)),
                kind=kind,
                logo=base64.b64encode(complete.logo).decode(),
            )
            added = await store.ADD.details(
                transaction,
                event,
                **written_by(actor),
                application_id=application_id,
                organization_id=organization_id,
            )
    return application_id, added


async def get(
    database: Statements, command: OneApplication, *, organization_id: str, groups: Groups
) -> Application:
    """Reads an application. `Failure` NOT_FOUND."""
    found = await store.get(
        database, application_id=command.application_id, organization_id=organization_id
    )
    if found is None:
        raise application_not_found(command.application_id)
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
) -> Details:
    """Replaces the fields that are not None.

    `Failure` NOT_FOUND, INVALID_ARGUMENT, ALREADY_EXISTS `ORIGIN_ALREADY_USED`.
    """
    of_application = {
        "application_id": fields.application_id,
        "organization_id": organization_id,
    }
    with on_conflict({UNIQUE_CLAIMS_KEY: _origin_already_used}):
        async with database.transaction() as transaction:
            # Groups are locked before applications.
            given = await _given(transaction, fields, organization_id, groups)
            stored = await _lock(transaction, **of_application)
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
    return await store.REMOVE.details(
        database,
        ApplicationRemoved(),
        **written_by(actor),
        application_id=command.application_id,
        organization_id=organization_id,
    )


async def create_secret(
    database: Statements, command: OneApplication, *, actor: Actor, organization_id: str
) -> NewSecret:
    """Creates a secret of an application.

    `Failure` NOT_FOUND; FAILED_PRECONDITION `APPLICATION_WITHOUT_SECRETS`; RESOURCE_EXHAUSTED
    `TOO_MANY_SECRETS`.
    """
    of_application = {
        "application_id": command.application_id,
        "organization_id": organization_id,
    }
    secret, secret_id = new_token(TokenKind.APPLICATION_SECRET), new_id()
    event = ApplicationSecretCreated(secret_id, base64.b64encode(token_hash(secret)).decode())
    async with database.transaction() as transaction:
        application = await _lock(transaction, **of_application)
        if application.configuration.token_endpoint_auth_method not in METHODS_WITH_SECRETS:
            raise _application_without_secrets()
        if len(application.secrets) >= MAX_SECRETS:
            raise _too_many_secrets()
        details = await store.CREATE_SECRET.details(
            transaction, event, **written_by(actor), **of_application
        )
    return NewSecret(secret_id, secret, details)


async def remove_secret(
    database: Statements, command: OneApplicationSecret, *, actor: Actor, organization_id: str
) -> Details:
    """Removes a secret; returns the details of the application. `Failure` NOT_FOUND."""
    of_application = {
        "application_id": command.application_id,
        "organization_id": organization_id,
    }
    async with database.transaction() as transaction:
        await _lock(transaction, **of_application)
        return await store.REMOVE_SECRET.details(
            transaction,
            ApplicationSecretRemoved(command.secret_id),
            **written_by(actor),
            **of_application,
        )


async def _lock(
    transaction: Statements, *, application_id: str, organization_id: str
) -> Application:
    """Locks an application and reads it. `Failure` NOT_FOUND."""
    found = await store.lock(
        transaction, application_id=application_id, organization_id=organization_id
    )
    if found is None:
        raise application_not_found(application_id)
    return found


async def _given(
    transaction: Statements, fields: ApplicationFields, organization_id: str, groups: Groups
) -> dict[str, Any]:
    """The fields that are not None, with the ids of groups, which are locked.

    `Failure` INVALID_ARGUMENT for a group that does not exist.
    """
    given = {name: value for name in PATCHABLE if (value := getattr(fields, name)) is not None}
    if fields.allowed_groups is None:
        return given
    ids = (
        await groups.lock_named(transaction, fields.allowed_groups, organization_id)
        if fields.allowed_groups
        else {}
    )
    unknown = [
        Violation(
            f"application.allowedGroups.{index}", "must be a group of the organization: list them"
        )
        for index, named in enumerate(fields.allowed_groups)
        if named not in ids
    ]
    if unknown:
        raise invalid(*unknown)
    given["allowed_groups"] = tuple(dict.fromkeys(ids[named] for named in fields.allowed_groups))
    given.setdefault("admits_groups_only", bool(fields.allowed_groups))
    return given


def _complete(kind: ApplicationKind, configuration: Configuration) -> Configuration:
    """The configuration with its defaults. `Failure` INVALID_ARGUMENT if fields contradict."""
    complete = with_defaults(kind, configuration)
    if found := contradictions(kind, complete):
        raise invalid(*found)
    return complete


_origin_already_used: Final = FixedFailure(
    "ORIGIN_ALREADY_USED",
    "Another application has one of these origins. Remove it there, or use another.",
    kind=Kind.ALREADY_EXISTS,
)
_application_without_secrets: Final = FixedFailure(
    "APPLICATION_WITHOUT_SECRETS",
    "The application does not authenticate with a secret. Set token_endpoint_auth_method to one"
    " that does, or use its key.",
)
_too_many_secrets: Final = FixedFailure(
    "TOO_MANY_SECRETS",
    f"The application has {MAX_SECRETS} secrets, which is the maximum. Remove the one that it no"
    " longer uses.",
    kind=Kind.RESOURCE_EXHAUSTED,
)
