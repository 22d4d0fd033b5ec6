"""Constructs the objects of a server: settings become options, and each part gets what it needs.

The rule: nothing here runs; a feature knows no other feature but by what it is given here.
"""

from datetime import timedelta
from functools import partial
from importlib.metadata import version
from ipaddress import ip_network
from typing import Any, cast

import grpc
from grpc_health.v1 import health_pb2_grpc

from bridge.json.routing import routes_of
from bridge.openapi.document import openapi
from keystead.idp.v1 import identity_provider_service_pb2_grpc
from keystead.mail.v1 import mail_service_pb2_grpc
from keystead.org.v1 import organization_service_pb2_grpc
from keystead.passkey.v1 import passkey_service_pb2_grpc
from keystead.session.v1 import session_service_pb2_grpc
from keystead.signin.v1 import signin_service_pb2_grpc
from keystead.smtp.v1 import smtp_service_pb2_grpc
from keystead.user.v1 import user_service_pb2_grpc
from server.access.authenticator import Authenticator
from server.access.authorizer import Authorizer
from server.crypto.keyring import Keyring
from server.idp import commands as idp_commands
from server.idp.service import IdentityProviderService
from server.mail import commands as mail_commands
from server.mail.attempt import Sender
from server.mail.loop import Deliveries, Pace
from server.mail.rendering import Templates
from server.mail.service import MailService
from server.mail.smtp_client import transport
from server.mail.smtp_client.transport import TransportOptions
from server.org import commands as org_commands
from server.org import store as org_store
from server.org.service import OrganizationService
from server.passkey import ceremony_store, link_store
from server.passkey import commands as passkey_commands
from server.passkey.links import LinkPolicy
from server.passkey.service import PasskeyService
from server.passkey.signin import commands as signin_commands
from server.passkey.signin.commands import SignInPolicy
from server.passkey.signin.service import SignInService
from server.passkey.webauthn.ceremony import Policy
from server.passkey.webauthn.checks import PagePolicy
from server.rpc.call_log import CallLog
from server.rpc.health import Health
from server.rpc.methods import Methods
from server.rpc.reflection import add_reflection
from server.session import commands as session_commands
from server.session import store as session_store
from server.session.service import SessionService
from server.settings.settings import Settings
from server.smtp import commands as smtp_commands
from server.smtp.service import SMTPService
from server.store.database import Database
from server.telemetry.metrics import Metrics
from server.user import commands as user_commands
from server.user import store as user_store
from server.user import token_store
from server.user.service import UserService
from server.validation.json_schema import limits_of


def transport_options(settings: Settings) -> TransportOptions:
    """How mail is delivered, for whoever delivers."""
    return TransportOptions(
        greeting_name=settings.smtp_greeting_name,
        ca_file=settings.smtp_ca_file,
        allowed_networks=[ip_network(each) for each in settings.smtp_allowed_networks],
        timeout=settings.smtp_timeout,
    )


def mail_templates(settings: Settings) -> Templates:
    """What mails look like. MailTemplateError."""
    return Templates(
        rp_name=settings.rp_name,
        reply_to=settings.mail_reply_to,
        folder=settings.mail_templates_dir,
    )


def deliveries(
    settings: Settings, database: Database, keyring: Keyring, metrics: Metrics, pace: Pace
) -> Deliveries:
    sender = Sender(
        database,
        keyring,
        mail_templates(settings),
        find_destination=partial(smtp_commands.destination, database, keyring),
        deliver=partial(transport.deliver, options=transport_options(settings)),
        step_seconds=settings.smtp_timeout,
    )
    return Deliveries(database, sender, metrics=metrics, pace=pace)


def wire(
    settings: Settings,
    database: Database,
    keyring: Keyring,
    *,
    probed: Database,
    call_log: CallLog,
    deliveries: Deliveries,
) -> tuple[Methods, Health]:
    """Every object of the server, each with the few things it needs.

    `probed` is the database once more, with a connection that only health uses: a busy pool is not
    an unreachable database.
    """
    authenticator = Authenticator(
        find_user=partial(token_store.find_caller, database),
        find_session=partial(
            session_store.find_caller, database, idle_timeout=settings.session_idle_time
        ),
        find_registration=partial(ceremony_store.find_registration, database),
        find_link=partial(link_store.find_caller, database),
    )
    methods = Methods(
        authenticator=authenticator,
        authorizer=Authorizer(
            find_user=partial(user_store.target, database),
            organization_exists=partial(org_store.exists, database),
        ),
        default_timeout=settings.default_timeout,
        call_log=call_log,
        sunset=settings.update_idp_sunset,
    )
    # Generated code asks for a server; of one it only uses the method that `Methods` has too.
    server = cast(grpc.aio.Server, methods)
    smtp_service_pb2_grpc.add_SMTPServiceServicer_to_server(
        SMTPService(database, keyring, transport=transport_options(settings)),
        server,
    )
    passkey_service_pb2_grpc.add_PasskeyServiceServicer_to_server(
        PasskeyService(
            database,
            keyring,
            forget=authenticator.forget,
            policy=_policy(settings),
            link_policy=LinkPolicy(settings.passkey_page, settings.passkey_link_validity),
            max_passkeys_per_user=settings.max_passkeys_per_user,
            hourly_mail_limit=settings.mail_hourly_limit,
            wake=deliveries.wake,
        ),
        server,
    )
    sign_in_policy = _sign_in_policy(settings)
    signin_service_pb2_grpc.add_SignInServiceServicer_to_server(
        SignInService(database, keyring, policy=sign_in_policy, forget=authenticator.forget),
        server,
    )
    session_service_pb2_grpc.add_SessionServiceServicer_to_server(
        SessionService(
            database,
            forget=authenticator.forget,
            idle_timeout=settings.session_idle_time,
            start_reauthentication=partial(
                signin_commands.start_reauthentication, database, keyring, policy=sign_in_policy
            ),
            reauthenticate=partial(
                signin_commands.reauthenticate, database, keyring, policy=sign_in_policy
            ),
        ),
        server,
    )
    mail_service_pb2_grpc.add_MailServiceServicer_to_server(
        MailService(database, wake=deliveries.wake), server
    )
    identity_provider_service_pb2_grpc.add_IdentityProviderServiceServicer_to_server(
        IdentityProviderService(database), server
    )
    organization_service_pb2_grpc.add_OrganizationServiceServicer_to_server(
        OrganizationService(database), server
    )
    user_service_pb2_grpc.add_UserServiceServicer_to_server(
        UserService(
            database,
            forget=authenticator.forget,
            max_tokens_per_user=settings.max_tokens_per_user,
            hourly_mail_limit=settings.mail_hourly_limit,
            wake=deliveries.wake,
        ),
        server,
    )
    health = Health(database, probed, methods.services)
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    add_reflection(methods.services, server)
    return methods, health


def _policy(settings: Settings) -> Policy:
    return Policy(
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


# What reads the requests of each package, and so knows their limits.
_COMMANDS = {
    "keystead.idp.v1": idp_commands,
    "keystead.mail.v1": mail_commands,
    "keystead.org.v1": org_commands,
    "keystead.passkey.v1": passkey_commands,
    "keystead.session.v1": session_commands,
    "keystead.signin.v1": signin_commands,
    "keystead.smtp.v1": smtp_commands,
    "keystead.user.v1": user_commands,
}


def description(methods: Methods) -> dict[str, Any]:
    """The description of the JSON API, its limits those of the commands."""
    routes = routes_of(methods.services)
    requests = {route.method.input_type: route.method for route in routes}
    limits = {
        request.full_name: limits_of(
            method.name, request.fields_by_name, _COMMANDS[request.file.package]
        )
        for request, method in requests.items()
    }
    return openapi(routes, limits, title="Keystead", version=version("keystead"))
