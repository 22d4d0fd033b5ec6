"""The approval of a checked request by the user of a session, and the rules for it."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from server.access import user_aggregate
from server.application import store as application_store
from server.application.configuration import ApplicationKind
from server.application.store import Application
from server.group import member_store
from server.oauth import grant_store, refusals, resources, store
from server.oauth.admission import admits
from server.oauth.claims import scopes_of
from server.oauth.client_documents.client_id_url import is_url
from server.oauth.events import ApplicationEntered, ApplicationGranted
from server.oauth.policy import OAuthPolicy
from server.oauth.request import AuthorizationRequest
from server.oauth.tokens import acr_of
from server.session import store as session_store
from server.session.store import Session
from server.store.database import Statements
from server.user import store as user_store
from server.values.errors import unauthenticated
from server.values.ids import new_id


async def approve(
    transaction: Statements,
    request: AuthorizationRequest,
    application: Application,
    *,
    user_id: str,
    session_id: str,
    policy: OAuthPolicy,
    consents: bool,
    code_hash: bytes,
    code_expires_at: datetime | None = None,
) -> None:
    """Stores the approval with the hash of its code, which expires in a minute by default.

    `Failure`: see ApproveAuthorization.
    """
    # A session ends, and a user is removed, under this lock.
    await user_aggregate.lock(transaction, user_id)
    session = await session_store.GET.one_or_none(
        transaction, user_id=user_id, session_id=session_id, idle_timeout=policy.idle_timeout
    )
    if session is None:
        raise unauthenticated()
    granted = await grant_store.granted_scopes(
        transaction, user_id=user_id, application_id=application.application_id
    )
    targets = await _targets(transaction, request, application, session, policy)
    agreed = _agreed(request, targets)
    needs_consent = _needs_consent(request, application, session, granted, agreed)
    # Or an application would learn silently whether the visitor is a certain user. Nobody is asked,
    # so nobody consents.
    if needs_consent and "none" in request.prompts:
        raise refusals.consent_required()
    _check_sign_in(session, request)
    groups = (
        await member_store.names_of_user(transaction, user_id)
        if application.configuration.admits_groups_only
        else {}
    )
    if not await admits(
        transaction, application, organization_id=session.details.owner, group_ids=groups
    ):
        raise refusals.not_allowed()
    await _check_email(transaction, application, user_id)
    resource_scopes = _resource_scopes(request, targets)
    if needs_consent and not consents:
        raise refusals.consent_required()
    await _record_consent(transaction, application, granted, agreed, session=session)
    is_first = await store.add(
        transaction,
        authorization_id=new_id(),
        application_id=application.application_id,
        user_id=user_id,
        session_id=session_id,
        redirect_uri=request.redirect_uri,
        code_challenge=request.code_challenge,
        nonce=request.nonce,
        scopes=request.scopes,
        id_token_claims=request.id_token_claims,
        user_info_claims=request.user_info_claims,
        resources=[each.configuration.identifier for each in targets],
        resource_ids=[each.application_id for each in targets],
        resource_scopes=resource_scopes,
        began_with=session.began_with,
        code_hash=code_hash,
        code_expires_at=code_expires_at,
    )
    if is_first:
        event = ApplicationEntered(
            application.application_id, application.configuration.name, session_id
        )
        await grant_store.ENTER.details(transaction, event, creator=user_id, user_id=user_id)


async def _check_email(transaction: Statements, application: Application, user_id: str) -> None:
    """`Failure` `EMAIL_REQUIRED` if the application requires an address that the user lacks."""
    if not application.configuration.requires_email:
        return
    user = await user_store.GET.one(transaction, user_id=user_id)
    if not user.email:
        raise refusals.email_required()


async def _targets(
    transaction: Statements,
    request: AuthorizationRequest,
    application: Application,
    session: Session,
    policy: OAuthPolicy,
) -> dict[Application, tuple[str, ...] | None]:
    """The resources of a request, and the scopes of each that the user can grant.

    None: it does not admit the user. `Failure` `AUTHORIZATION_REQUEST_EXPIRED` if the application
    can no longer name one.
    """
    found = await resources.find_all(
        transaction, request.targets, reserved=policy.session_audiences
    )
    if found is None or not all(resources.can_name(application, each) for each in found):
        raise refusals.request_expired("a resource was removed, renamed or moved")
    return {
        each: await resources.scopes_of_user(
            transaction,
            each,
            request.resource_scopes,
            user_id=session.user_id,
            organization_id=session.details.owner,
        )
        for each in found
    }


def _agreed(
    request: AuthorizationRequest, targets: Mapping[Application, Sequence[str] | None]
) -> tuple[str, ...]:
    """The entries that the grant has after the approval."""
    of_resources = [
        entry for one, scopes in targets.items() for entry in resources.consented(one, scopes or ())
    ]
    return (*shared_scopes(request), *of_resources)


def _resource_scopes(
    request: AuthorizationRequest, targets: Mapping[Application, Sequence[str] | None]
) -> list[str]:
    """The scopes of resources that the user can grant. `Failure` `APPLICATION_NOT_ALLOWED`."""
    if None in targets.values():
        raise refusals.not_allowed()
    granted = sorted({name for scopes in targets.values() for name in scopes or ()})
    if not (granted or request.scopes):
        raise refusals.not_allowed()
    return granted


def shared_scopes(request: AuthorizationRequest) -> tuple[str, ...]:
    """The scopes of a request, with those that carry the claims that it names."""
    claims = {*request.id_token_claims, *request.user_info_claims}
    return tuple(dict.fromkeys([*request.scopes, *sorted(scopes_of(claims))]))


def _check_sign_in(session: Session, request: AuthorizationRequest) -> None:
    """Refuses the sign-in of a session that does not suffice for the request."""
    if request.subject and session.user_id != request.subject:
        raise refusals.another_account_required()
    signed_in_at = session.authenticated_at.timestamp()
    if "login" in request.prompts and signed_in_at < request.started_at:
        raise refusals.sign_in_required()
    if request.max_age is not None and signed_in_at + request.max_age < request.started_at:
        raise refusals.sign_in_required()
    if request.essential_acr and acr_of(session) not in request.essential_acr:
        raise refusals.passkey_required()


def _can_be_another(request: AuthorizationRequest, application: Application) -> bool:
    """Whether another program on the device can use the client_id and get the response.

    Then the user is asked each time (RFC 8252, section 8.6). A metadata document is public, so
    any program can name it, and listen at its address of the loopback interface.
    """
    if is_url(request.client_id):
        return request.redirect_uri.startswith("http://")
    return application.kind == ApplicationKind.NATIVE and not request.redirect_uri.startswith(
        "https://"
    )


def _needs_consent(
    request: AuthorizationRequest,
    application: Application,
    session: Session,
    granted: frozenset[str],
    agreed: Collection[str],
) -> bool:
    """Whether the user must be asked, who has granted these scopes to the application before."""
    # Nobody but its own organization vouches for a first-party application.
    is_of_house = (
        application.configuration.first_party and session.details.owner == application.details.owner
    )
    return (
        "consent" in request.prompts
        or _can_be_another(request, application)
        or not (granted.issuperset(agreed) or is_of_house)
    )


async def _record_consent(
    transaction: Statements,
    application: Application,
    granted: frozenset[str],
    agreed: Collection[str],
    *,
    session: Session,
) -> None:
    """Records the consent of the locked user, if it is new. `Failure` `TOO_MANY_GRANTS`."""
    user_id = session.user_id
    if not granted and not await _has_room(transaction, user_id):
        raise refusals.too_many_grants()
    if not granted.issuperset(agreed):
        event = ApplicationGranted(
            application.application_id, tuple(sorted(granted.union(agreed))), session.began_with
        )
        await grant_store.GRANT.details(transaction, event, creator=user_id, user_id=user_id)


async def _has_room(transaction: Statements, user_id: str) -> bool:
    """Whether a locked user may have another grant; if not yet, those to removed applications end.

    Applications by a metadata document are not stored, so they are never removed.
    """
    if await grant_store.may_have_another(transaction, user_id):
        return True
    granted = await grant_store.list_ids(transaction, user_id)
    existing = await application_store.names_of(transaction, granted)
    removed = [each for each in granted if each not in existing and not is_url(each)]
    await grant_store.end(transaction, removed, user_id=user_id, creator=user_id)
    return bool(removed)
