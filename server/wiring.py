"""Constructs the objects of a server and passes each its dependencies.

The rule: nothing here runs, and one feature calls another only through objects passed here.
"""

from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any, cast

import grpc
from google.protobuf.descriptor import MethodDescriptor
from grpc_health.v1 import health_pb2_grpc

from bridge.json.routing import routes_of
from bridge.openapi.document import openapi
from keystead.event.v1 import event_service_pb2_grpc
from keystead.idp.v1 import identity_provider_service_pb2_grpc, oidc_config_service_pb2_grpc
from keystead.mail.v1 import mail_service_pb2_grpc
from keystead.org.v1 import organization_service_pb2_grpc
from keystead.passkey.v1 import passkey_service_pb2_grpc
from keystead.session.v1 import session_service_pb2_grpc
from keystead.signin.v1 import signin_service_pb2_grpc
from keystead.smtp.v1 import smtp_service_pb2_grpc
from keystead.user.v1 import idp_link_service_pb2_grpc, user_service_pb2_grpc
from server.access.authenticator import Authenticator
from server.access.authorizer import Authorizer
from server.command_wiring import OTHER_FEATURES, end_sessions_of_idp, outbox, registration_policy
from server.crypto.keyring import Keyring
from server.event.service import COMMANDS as EVENT_COMMANDS
from server.event.service import EventService
from server.idp import store as idp_store
from server.idp.links import store as idp_link_store
from server.idp.links.events import IDPUnlinked
from server.idp.links.service import COMMANDS as IDP_LINK_COMMANDS
from server.idp.links.service import IDPLinkService
from server.idp.oidc import store as oidc_store
from server.idp.oidc.service import COMMANDS as OIDC_COMMANDS
from server.idp.oidc.service import OIDCConfigService
from server.idp.relying_party.http_client import client_options
from server.idp.relying_party.provider import Providers
from server.idp.service import COMMANDS as IDP_COMMANDS
from server.idp.service import IdentityProviderService
from server.idp.signin.commands import IDPSignInPolicy
from server.idp.signin.flows import Flows
from server.idp.signin.service import COMMANDS as IDP_SIGNIN_COMMANDS
from server.idp.signin.service import IDPSignIn
from server.mail.attempt import Sender
from server.mail.loop import MailLoop, Pace
from server.mail.rendering import mail_templates
from server.mail.service import COMMANDS as MAIL_COMMANDS
from server.mail.service import MailService
from server.mail.smtp_client import transport
from server.mail.smtp_client.transport import transport_options
from server.org import store as org_store
from server.org.service import COMMANDS as ORG_COMMANDS
from server.org.service import OrganizationService
from server.passkey import ceremony_store, link_store
from server.passkey import store as passkey_store
from server.passkey.events import PasskeyRemoved
from server.passkey.recovery import Recovery
from server.passkey.service import COMMANDS as PASSKEY_COMMANDS
from server.passkey.service import PasskeyService
from server.passkey.signin import commands as signin_commands
from server.passkey.signin.commands import SignInPolicy
from server.passkey.signin.service import COMMANDS as PASSKEY_SIGNIN_COMMANDS
from server.passkey.signin.service import PasskeySignIn
from server.passkey.webauthn.checks import PagePolicy
from server.passkey.webauthn.registration import CeremonyPolicy
from server.rpc.call_log import CallLog
from server.rpc.changes import Objects, headers_of
from server.rpc.health import Health
from server.rpc.methods import Methods
from server.rpc.preconditions import Preconditions
from server.rpc.rate_limits import RateLimit, RateLimits
from server.rpc.reflection import add_reflection
from server.session import ended
from server.session import store as session_store
from server.session.jwt import JWTPolicy
from server.session.service import COMMANDS as SESSION_COMMANDS
from server.session.service import SessionService
from server.settings.settings import Settings
from server.signing.signer import Signer
from server.smtp import commands as smtp_commands
from server.smtp import store as smtp_store
from server.smtp.service import COMMANDS as SMTP_COMMANDS
from server.smtp.service import SMTPService
from server.store.database import Database, once_written
from server.store.feed import Feed
from server.telemetry.metrics import Metrics
from server.user import commands as user_commands
from server.user import store as user_store
from server.user import token_store
from server.user.events import UserRemoved
from server.user.service import COMMANDS as USER_COMMANDS
from server.user.service import UserService
from server.validation.fields import Commands
from server.validation.json_schema import limits_of


def mail_loop(
    settings: Settings, database: Database, keyring: Keyring, metrics: Metrics, pace: Pace
) -> MailLoop:
    sender = Sender(
        database,
        keyring,
        mail_templates(settings),
        find_destination=partial(smtp_commands.destination, database, keyring),
        deliver=partial(transport.deliver, options=transport_options(settings)),
        step_seconds=settings.smtp_timeout,
    )
    return MailLoop(database, sender, metrics=metrics, pace=pace)


def recovery(
    settings: Settings,
    database: Database,
    keyring: Keyring,
    mail_loop: MailLoop,
    metrics: Metrics,
) -> Recovery:
    return Recovery(
        database,
        keyring,
        policy=registration_policy(settings),
        outbox=outbox(settings),
        wake=mail_loop.wake,
        failures=metrics.housekeeping_failures,
    )


def wire(
    settings: Settings,
    database: Database,
    keyring: Keyring,
    *,
    probed: Database,
    call_log: CallLog,
    mail_loop: MailLoop,
    signer: Signer,
    feed: Feed,
    metrics: Metrics,
) -> tuple[Methods, Health]:
    """All objects of the server.

    `probed` is the same database with a connection of its own for health, so that a busy pool does
    not count as an unreachable database. Services make their topics with `feed`.
    """
    find_session = partial(
        session_store.find_caller, database, idle_timeout=settings.session_idle_time
    )
    authenticator = Authenticator(
        find_user=partial(token_store.find_caller, database),
        find_session=find_session,
        peek_session=partial(find_session, is_use=False),
        find_registration=partial(ceremony_store.find_registration, database),
        find_link=partial(link_store.find_caller, database),
    )
    forget, wake = once_written(authenticator.forget), once_written(mail_loop.wake)
    methods = Methods(
        authenticator=authenticator,
        authorizer=Authorizer(
            find_user=partial(user_store.target, database),
            organization_exists=partial(org_store.exists, database),
        ),
        default_timeout=settings.default_timeout,
        call_log=call_log,
        preconditions=Preconditions(database, keyring, OBJECTS),
        rate_limits=_rate_limits(settings, metrics),
        sunset=settings.update_idp_sunset,
    )
    # Generated code expects a grpc.aio.Server, but only calls methods that `Methods` has, too.
    server = cast(grpc.aio.Server, methods)
    smtp_service_pb2_grpc.add_SMTPServiceServicer_to_server(
        SMTPService(database, keyring, transport=transport_options(settings)),
        server,
    )
    passkey_service_pb2_grpc.add_PasskeyServiceServicer_to_server(
        PasskeyService(
            database,
            keyring,
            outbox=outbox(settings),
            forget=forget,
            policy=registration_policy(settings),
            ceremony_policy=_ceremony_policy(settings),
            wake=wake,
        ),
        server,
    )
    sign_in_policy = _sign_in_policy(settings)
    providers = Providers(client_options(settings))
    flows = Flows(database, keyring, providers=providers, redirect_uris=settings.redirect_uris)
    signin_service_pb2_grpc.add_SignInServiceServicer_to_server(
        _sign_in_service(
            PasskeySignIn(database, keyring, policy=sign_in_policy, forget=forget),
            IDPSignIn(database, flows, policy=_idp_sign_in_policy(settings), forget=forget),
        ),
        server,
    )
    session_service_pb2_grpc.add_SessionServiceServicer_to_server(
        SessionService(
            database,
            forget=forget,
            idle_timeout=settings.session_idle_time,
            start_reauthentication=partial(
                signin_commands.start_reauthentication, database, keyring, policy=sign_in_policy
            ),
            reauthenticate=partial(
                signin_commands.reauthenticate, database, keyring, policy=sign_in_policy
            ),
            end_ceremonies=OTHER_FEATURES.end_begun_by,
            introspect=authenticator.introspect,
            ended=ended.topic(feed, END_REASONS),
            signer=signer,
            jwt_policy=JWTPolicy(
                settings.issuer, settings.rp_id, frozenset(settings.jwt_audiences)
            ),
        ),
        server,
    )
    mail_service_pb2_grpc.add_MailServiceServicer_to_server(
        MailService(database, wake=wake), server
    )
    event_service_pb2_grpc.add_EventServiceServicer_to_server(EventService(database, feed), server)
    identity_provider_service_pb2_grpc.add_IdentityProviderServiceServicer_to_server(
        IdentityProviderService(database, end_sessions=end_sessions_of_idp, forget=forget), server
    )
    oidc_config_service_pb2_grpc.add_OIDCConfigServiceServicer_to_server(
        OIDCConfigService(
            database,
            keyring,
            providers=providers,
            end_sessions=end_sessions_of_idp,
            forget=forget,
        ),
        server,
    )
    idp_link_service_pb2_grpc.add_IDPLinkServiceServicer_to_server(
        IDPLinkService(
            database,
            flows,
            outbox=outbox(settings),
            forget=forget,
            end_ceremonies=OTHER_FEATURES.end_begun_by,
            wake=wake,
        ),
        server,
    )
    organization_service_pb2_grpc.add_OrganizationServiceServicer_to_server(
        OrganizationService(database), server
    )
    user_service_pb2_grpc.add_UserServiceServicer_to_server(
        UserService(
            database,
            others=OTHER_FEATURES,
            outbox=outbox(settings),
            forget=forget,
            max_tokens_per_user=settings.max_tokens_per_user,
            wake=wake,
        ),
        server,
    )
    health = Health(database, probed, methods.services)
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    add_reflection(methods.services, server)
    return methods, health


def _rate_limits(settings: Settings, metrics: Metrics) -> RateLimits:
    def limit(kind: str, rate: float, burst: int) -> RateLimit | None:
        refused = metrics.rate_limited.labels(kind).inc  # begins the series with 0
        return RateLimit(rate, burst, refused=refused) if rate else None

    return RateLimits(
        open=limit("open", settings.open_rate_limit, settings.open_rate_burst),
        caller=limit("caller", settings.caller_rate_limit, settings.caller_rate_burst),
    )


def _ceremony_policy(settings: Settings) -> CeremonyPolicy:
    return CeremonyPolicy(
        rp_id=settings.rp_id,
        rp_name=settings.rp_name,
        origins=settings.passkey_origins,
        top_origins=settings.rp_top_origins,
        user_verification=settings.rp_user_verification,
    )


def _sign_in_policy(settings: Settings) -> SignInPolicy:
    return SignInPolicy(
        page=PagePolicy(
            rp_id=settings.rp_id,
            origins=settings.passkey_origins,
            top_origins=settings.rp_top_origins,
            user_verification=settings.rp_user_verification,
        ),
        session_lifetime=timedelta(seconds=settings.session_lifetime),
        max_sessions=settings.max_sessions_per_user,
    )


def _idp_sign_in_policy(settings: Settings) -> IDPSignInPolicy:
    return IDPSignInPolicy(
        session_lifetime=timedelta(seconds=settings.session_lifetime),
        max_sessions=settings.max_sessions_per_user,
        lock_organization=org_store.lock,
        create_user=user_commands.register,
    )


def _sign_in_service(
    passkeys: PasskeySignIn, idps: IDPSignIn
) -> signin_service_pb2_grpc.SignInServiceServicer:
    """One service with the methods of two features."""
    service = SimpleNamespace(
        StartPasskeySignIn=passkeys.StartPasskeySignIn,
        CompletePasskeySignIn=passkeys.CompletePasskeySignIn,
        ListSignInOptions=idps.ListSignInOptions,
        StartIDPSignIn=idps.StartIDPSignIn,
        CompleteIDPSignIn=idps.CompleteIDPSignIn,
    )
    return cast(signin_service_pb2_grpc.SignInServiceServicer, service)


# The reasons of the events of other features that end sessions (`ended_session_ids`).
END_REASONS: ended.Reasons = {
    IDPUnlinked.event_type: ended.Reason.LINK_REMOVED,
    PasskeyRemoved.event_type: ended.Reason.PASSKEY_REMOVED,
    UserRemoved.event_type: ended.Reason.USER_REMOVED,
}

# The objects whose sequence a caller can require with `if-match`.
OBJECTS: Objects = {
    "/v1/idps/{idp_id}": idp_store.LOCK_SEQUENCE,
    "/v1/idps/{idp_id}/oidc": oidc_store.LOCK_SEQUENCE,
    "/v1/orgs/{org_id}": org_store.LOCK_SEQUENCE,
    "/v1/sessions/current": session_store.LOCK_SEQUENCE,
    "/v1/smtp": smtp_store.LOCK_SEQUENCE,
    "/v1/users/{user_id}": user_store.LOCK_SEQUENCE,
    "/v1/users/{user_id}/idpLinks/{link_id}": idp_link_store.LOCK_SEQUENCE,
    "/v1/users/{user_id}/passkeys/{passkey_id}": passkey_store.LOCK_SEQUENCE,
    "/v1/users/{user_id}/sessions/{session_id}": session_store.LOCK_SEQUENCE,
    "/v1/users/{user_id}/tokens/{token_id}": token_store.LOCK_SEQUENCE,
}

# The commands of each service, by method.
_COMMANDS: Mapping[str, Commands] = {
    "keystead.event.v1.EventService": EVENT_COMMANDS,
    "keystead.idp.v1.IdentityProviderService": IDP_COMMANDS,
    "keystead.idp.v1.OIDCConfigService": OIDC_COMMANDS,
    "keystead.mail.v1.MailService": MAIL_COMMANDS,
    "keystead.org.v1.OrganizationService": ORG_COMMANDS,
    "keystead.passkey.v1.PasskeyService": PASSKEY_COMMANDS,
    "keystead.session.v1.SessionService": SESSION_COMMANDS,
    "keystead.signin.v1.SignInService": {**PASSKEY_SIGNIN_COMMANDS, **IDP_SIGNIN_COMMANDS},
    "keystead.smtp.v1.SMTPService": SMTP_COMMANDS,
    "keystead.user.v1.IDPLinkService": IDP_LINK_COMMANDS,
    "keystead.user.v1.UserService": USER_COMMANDS,
}


def description(methods: Methods) -> dict[str, Any]:
    """The description of the JSON API. The limits of requests are those of the commands."""
    routes = routes_of(methods.services)
    limits = {route.method.input_type.full_name: _limits(route.method) for route in routes}
    headers = {route.method.full_name: headers_of(route.method, OBJECTS) for route in routes}
    return openapi(routes, limits, title="Keystead", version=version("keystead"), headers=headers)


def _limits(method: MethodDescriptor) -> Mapping[str, Any]:
    command = _COMMANDS[method.containing_service.full_name].get(method.name)
    return limits_of(command) if command else {}
