"""The command that computes the claims of a user for an application."""

from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import AfterValidator

from server.access.authorizer import authorize_beyond, user_not_found
from server.access.caller import Actor
from server.application import store as application_store
from server.application.configuration import ApplicationKind
from server.application.resources import check_scope
from server.group import member_store
from server.oauth.admission import admits
from server.oauth.claims import allowed_claims, claims_of, id_token_claims
from server.oauth.request import OPENID, allowed_scopes
from server.oauth.tokens import UserProfile
from server.store.database import Statements
from server.user import store as user_store
from server.validation.fields import Command, Id, described
from server.validation.value_lists import MAX_VALUES, each
from server.values.errors import FixedFailure, Violation, invalid


class GetApplicationClaims(Command):
    """Show the claims that an application would get of a user."""

    application_id: Id
    user_id: Id
    scopes: Annotated[
        tuple[str, ...], AfterValidator(tuple), each(check_scope), described(maxItems=MAX_VALUES)
    ]


@dataclass(frozen=True, slots=True)
class ShownClaims:
    """The claims, and whether the application admits the user at present."""

    is_admitted: bool
    id_token: dict[str, Any]
    userinfo: dict[str, Any]


async def claims_of_user(
    database: Statements,
    command: GetApplicationClaims,
    *,
    actor: Actor,
    organization_id: str,
    issuer: str,
) -> ShownClaims:
    """The claims, by the code that makes ID tokens and userinfo.

    `Failure` NOT_FOUND; PERMISSION_DENIED; INVALID_ARGUMENT for a scope that the application may
    not request; FAILED_PRECONDITION `APPLICATION_WITHOUT_PEOPLE`.
    """
    application = await application_store.GET.one(
        database, application_id=command.application_id, organization_id=organization_id
    )
    if application.kind in _WITHOUT_PEOPLE:
        raise _application_without_people()
    user = await user_store.GET.one_or_none(database, user_id=command.user_id)
    authorize_beyond(actor, "user.read", user.details.owner if user else None)
    if user is None:
        raise user_not_found(command.user_id)
    requested = command.scopes or application.configuration.scopes
    scopes = allowed_scopes(application, " ".join(requested))
    if len(scopes) < len(set(requested)):
        raise invalid(Violation("scopes", "must be scopes of the application"))
    owner = application.details.owner
    groups = dict[str, str]()
    if user.details.owner == owner:
        groups = await member_store.names_of_user(database, user.user_id)
    profile = UserProfile(user, groups)
    is_admitted = user.locked_at is None and await admits(
        database, application, organization_id=user.details.owner, group_ids=groups
    )
    if OPENID not in scopes:  # neither an ID token nor userinfo
        return ShownClaims(is_admitted, {}, {})
    names = allowed_claims(application, claims_of(scopes))
    return ShownClaims(
        is_admitted,
        profile.of_id_token(application, id_token_claims(application, scopes), issuer=issuer),
        profile.user_info(application, names, issuer=issuer),
    )


_WITHOUT_PEOPLE: Final = {ApplicationKind.SERVICE, ApplicationKind.GATE, ApplicationKind.RESOURCE}
_application_without_people: Final = FixedFailure(
    "APPLICATION_WITHOUT_PEOPLE",
    "The application gets no claims of users. Choose one of the kinds WEB, BROWSER and NATIVE.",
)
