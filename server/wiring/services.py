"""Constructs the objects of a server and passes each its dependencies.

The rule: nothing here runs, and one feature calls another only through objects passed here.
"""

from collections import ChainMap
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from types import ModuleType
from typing import Final, cast

import grpc

from server.access.authenticator import Authenticator
from server.access.authorizer import Authorizer
from server.application import service as application_service
from server.crypto.keyring import Keyring
from server.deliveries.http.client import PushClient
from server.deliveries.loop import Pace
from server.deliveries.smtp import transport
from server.event import service as event_service
from server.event.disclosure import EVENTS
from server.figures import service as figures_service
from server.gate import service as gate_service
from server.gate.commands import Gate
from server.group import service as group_service
from server.group.events import GroupLeft, GroupsMapped
from server.idp import service as idp_service
from server.idp.domains import commands as mail_domain_commands
from server.idp.domains import service as mail_domain_service
from server.idp.links import service as idp_link_service
from server.idp.oidc import service as oidc_service
from server.idp.signin import service as idp_signin_service
from server.idp.signin.flows import Flows
from server.log.feed import Feed
from server.log.positions import PositionedEvent
from server.mail import service as mail_service
from server.mail.attempt import Sender
from server.mail.loop import MailLoop
from server.mail.rendering import Templates
from server.moving import service as moving_service
from server.net.txt_records import TXTRecords
from server.oauth import service as oauth_service
from server.oauth.authorization import Authorizations
from server.oauth.clients import Clients
from server.oauth.device.commands import Devices
from server.oauth.directory import ClientDirectory
from server.oauth.events import ApplicationRevoked, ApplicationScopesRevoked
from server.oauth.exchange import Exchange
from server.oauth.grants import service as grant_service
from server.oauth.introspection import Introspection
from server.oauth.logout import Logouts
from server.oauth.preview import service as preview_service
from server.oauth.preview.service import ClaimsPreview
from server.oauth.refused import service as refused_service
from server.oauth.refused.recorder import Refusals
from server.oauth.refused.service import RefusedRequests
from server.oauth.visits import Visits
from server.org import service as org_service
from server.org import store as org_store
from server.org.brand import service as brand_service
from server.org.brand.shown import InstanceBrand
from server.org.mail_texts import service as mail_text_service
from server.org.mail_texts.applied import OwnMailWords, find_own_words
from server.passkey import ceremony_store, link_store
from server.passkey import service as passkey_service
from server.passkey.recovery import Recovery
from server.passkey.signin import service as passkey_signin_service
from server.push import service as push_service
from server.push.follower import PushFollower
from server.push.logout import LogoutTokens
from server.push.loop import PushLoop
from server.push.sender import PushSender
from server.relying_party.provider import Providers
from server.rpc.call_log import CallLog
from server.rpc.health import Health
from server.rpc.methods import Methods
from server.rpc.preconditions.changes import Objects
from server.rpc.preconditions.run import Preconditions
from server.rpc.reflection import add_reflection
from server.session import ended
from server.session import service as session_service
from server.session import store as session_store
from server.session.events import EndsSessions, SessionRenewed
from server.session.refused import RefusedSignIns
from server.settings.settings import Settings
from server.signing.signer import Signer
from server.signup import service as signup_service
from server.signup.commands import SignUps
from server.smtp import commands as smtp_commands
from server.smtp import service as smtp_service
from server.smtp.oauth.tokens import MailboxTokens
from server.store.database import Database, Statements
from server.system import installed
from server.system import service as system_service
from server.telemetry.metrics import Metrics
from server.user import service as user_service
from server.user import store as user_store
from server.user import token_store
from server.user.attributes import service as attribute_service
from server.user.email_change import service as email_change_service
from server.user.email_change.commands import EmailChanges
from server.user.events import RoleGranted, RoleRevoked, TokenRevoked
from server.user.workload_callers import WorkloadCallers
from server.validation.fields import Commands
from server.wiring import options, policies
from server.wiring.dependencies import (
    GROUPS,
    OBJECTS_OF_ORGANIZATION,
    OTHER_FEATURES,
    end_begun_with,
    end_sessions_of_idp,
    outbox,
    registration_policy,
    return_targets,
)

# The types of the events of users that may end a session, a token, a role or a visit of the gate. A
# grant may bring forward the end of a role.
_ENDS_OF_RIGHTS: Final = [
    each.event_type
    for each in EVENTS.values()
    if issubclass(
        each,
        (
            ApplicationRevoked,
            ApplicationScopesRevoked,
            EndsSessions,
            GroupLeft,
            GroupsMapped,
            RoleGranted,
            RoleRevoked,
            SessionRenewed,
            TokenRevoked,
        ),
    )
]


def mail_loop(
    settings: Settings,
    database: Database,
    keyring: Keyring,
    metrics: Metrics,
    pace: Pace,
    instance_brand: InstanceBrand,
    own_words: OwnMailWords,
    templates: Templates,
) -> MailLoop:
    """The loop that delivers mails."""
    smtp_options = options.smtp_options(settings)
    tokens = MailboxTokens(database, keyring, smtp_options)
    deliveries = transport.Deliveries(smtp_options)
    sender = Sender(
        database,
        keyring,
        templates,
        find_brand=instance_brand.of,
        find_own_words=own_words.of,
        find_destination=partial(smtp_commands.destination, database, keyring, tokens),
        allows_fallback=partial(org_store.allows_mail_fallback, database),
        deliver=deliveries.deliver,
        close=deliveries.close,
        step_seconds=settings.smtp_timeout,
        captures=settings.mail_capture,
    )
    return MailLoop(database, sender, metrics=metrics, pace=pace)


def pushes(
    settings: Settings,
    database: Database,
    keyring: Keyring,
    signer: Signer,
    metrics: Metrics,
    pace: Pace,
) -> tuple[PushLoop, PushFollower]:
    """The loop that sends webhooks and logout tokens, and the follower that writes them."""
    logouts = LogoutTokens(database, signer=signer, issuer=settings.issuer, events=EVENTS.values())
    client = PushClient(options.push_options(settings))
    sender = PushSender(keyring, client, make_logout=logouts.request)
    push_loop = PushLoop(database, sender, metrics=metrics, pace=pace)
    return push_loop, PushFollower(database, logouts=logouts, wake=push_loop.wake)


def recovery(
    settings: Settings,
    database: Database,
    keyring: Keyring,
    mail_loop: MailLoop,
    metrics: Metrics,
) -> Recovery:
    """The work that mails links for recovery."""
    return Recovery(
        database,
        keyring,
        policy=registration_policy(settings),
        list_recovering=org_store.list_recovering,
        outbox=outbox(settings, wake=mail_loop.wake),
        failures=metrics.housekeeping_failures,
    )


def proofs(settings: Settings, database: Database) -> Callable[[], Awaitable[None]]:
    """The work that looks up the records of proven mail domains again."""
    records = TXTRecords(settings.dns_servers)
    return partial(mail_domain_commands.check_proofs, database, records)


def wire(
    settings: Settings,
    database: Database,
    keyring: Keyring,
    *,
    probed: Database,
    call_log: CallLog,
    mail_loop: MailLoop,
    push_loop: PushLoop,
    signer: Signer,
    feed: Feed,
    metrics: Metrics,
    instance_brand: InstanceBrand,
    own_words: OwnMailWords,
    templates: Templates,
    refused: Refusals,
    refused_sign_ins: RefusedSignIns,
) -> tuple[Methods, Health]:
    """The methods of the server with all objects that they use, and its health.

    `probed` is the same database with a connection of its own for health, so that a busy pool does
    not count as an unreachable database. Services make their topics with `feed`.
    """
    idle_timeout = timedelta(seconds=settings.session_idle_timeout)
    providers = Providers(options.provider_options(settings))
    authenticator = _authenticator(database, providers, idle_timeout=idle_timeout)
    mails = outbox(settings, wake=mail_loop.wake)

    def forget(user_id: str) -> None:
        database.once_written(partial(authenticator.forget, user_id))

    async def end_sessions(transaction: Statements, idp_id: str, *, creator: str) -> None:
        user_ids = await end_sessions_of_idp(transaction, idp_id, creator=creator)
        transaction.once_written(partial(authenticator.forget, *user_ids))

    methods = Methods(
        authenticator=authenticator,
        authorizer=Authorizer(
            find_user=partial(user_store.target, database),
            organization_exists=partial(org_store.exists, database),
        ),
        default_timeout=settings.default_timeout,
        call_log=call_log,
        preconditions=Preconditions(database, keyring, OBJECTS),
        rate_limits=policies.rate_limits(settings, metrics),
        sunset=settings.update_idp_sunset,
    )
    methods.add_service(
        "keystead.smtp.v1.SMTPService",
        smtp_service.SMTPService(
            database,
            keyring,
            transport=options.smtp_options(settings),
            captures=settings.mail_capture,
        ),
    )
    methods.add_service(
        "keystead.passkey.v1.PasskeyService",
        passkey_service.PasskeyService(
            database,
            keyring,
            outbox=mails,
            forget=forget,
            policy=registration_policy(settings),
            ceremony_policy=policies.ceremony_policy(settings),
            rp_ids=options.rp_ids(settings),
            find_rp_name=instance_brand.name,
            end_begun_with=end_begun_with,
        ),
    )
    flows = Flows(database, keyring, providers=providers, redirect_uris=settings.redirect_uris)
    passkey_sign_in = passkey_signin_service.PasskeySignIn(
        database,
        keyring,
        policy=policies.sign_in_policy(settings),
        check_return=return_targets(settings).check,
        forget=forget,
        refused=refused_sign_ins,
    )
    methods.add_service(
        "keystead.signin.v1.SignInService",
        idp_signin_service.IDPSignIn(
            database,
            flows,
            policy=policies.idp_sign_in_policy(settings, outbox=mails),
            self_service=org_store.self_service,
            forget=forget,
            refused=refused_sign_ins,
        ),
        passkey_sign_in,
        signup_service.SignUpMethods(
            SignUps(
                database,
                keyring,
                page=settings.sign_in_page,
                policy=registration_policy(settings),
                outbox=mails,
            )
        ),
    )
    methods.add_service(
        "keystead.session.v1.SessionService",
        session_service.Sessions(
            database,
            forget=forget,
            idle_timeout=idle_timeout,
            end_ceremonies=OTHER_FEATURES.end_begun_by,
            introspect=authenticator.introspect,
            ended=ended.topic(feed, EVENTS.values()),
            signer=signer,
            jwt_policy=policies.jwt_policy(settings),
        ),
        passkey_sign_in,
    )
    methods.add_service(
        "keystead.mail.v1.MailService",
        mail_service.Mails(
            database,
            keyring,
            templates=templates,
            find_brand=instance_brand.of,
            find_own_words=partial(find_own_words, database),
            wake=mail_loop.wake,
        ),
        mail_text_service.MailTexts(
            database,
            templates=templates,
            find_brand=instance_brand.of,
            forget=own_words.forget,
        ),
    )
    methods.add_service(
        "keystead.event.v1.EventService",
        event_service.EventService(database, feed),
    )
    methods.add_service(
        "keystead.idp.v1.IdentityProviderService",
        idp_service.IdentityProviderService(
            database, end_sessions=end_sessions, lock_groups=GROUPS.lock_named
        ),
    )
    methods.add_service(
        "keystead.idp.v1.MailDomainService",
        mail_domain_service.MailDomainService(
            database,
            records=TXTRecords(settings.dns_servers),
            lock_organization=org_store.lock,
        ),
    )
    methods.add_service(
        "keystead.idp.v1.OIDCConfigService",
        oidc_service.OIDCConfigService(
            database,
            keyring,
            providers=providers,
            end_sessions=end_sessions,
        ),
    )
    methods.add_service(
        "keystead.user.v1.IDPLinkService",
        idp_link_service.IDPLinkService(
            database,
            flows,
            outbox=mails,
            forget=forget,
            end_ceremonies=OTHER_FEATURES.end_begun_by,
            end_begun_with=end_begun_with,
        ),
    )
    methods.add_service(
        "keystead.org.v1.OrganizationService",
        org_service.Organizations(database, objects=OBJECTS_OF_ORGANIZATION),
        figures_service.OrganizationFigures(database, idle_timeout=idle_timeout),
    )
    methods.add_service(
        "keystead.org.v1.BrandService",
        brand_service.BrandService(database, instance_brand),
    )
    methods.add_service(
        "keystead.group.v1.GroupService",
        group_service.GroupService(database),
    )
    methods.add_service(
        "keystead.application.v1.ApplicationService",
        application_service.Applications(
            database, groups=GROUPS, reserved=policies.reserved_values(settings)
        ),
        grant_service.Grants(database),
        RefusedRequests(database),
        ClaimsPreview(database, issuer=policies.oauth_policy(settings).issuer),
    )
    oauth_policy = policies.oauth_policy(settings)
    directory = ClientDirectory(database, providers=providers)
    clients = Clients(database, directory=directory, signer=signer, issuer=oauth_policy.issuer)
    methods.add_service(
        "keystead.oauth.v1.OAuthService",
        oauth_service.OAuthService(
            signer=signer,
            authorizations=Authorizations(
                database, keyring, policy=oauth_policy, directory=directory, clients=clients
            ),
            logouts=Logouts(database, keyring),
            exchange=Exchange(
                database, policy=oauth_policy, signer=signer, providers=providers, clients=clients
            ),
            introspection=Introspection(
                database, policy=oauth_policy, signer=signer, clients=clients
            ),
            devices=Devices(database, policy=oauth_policy, clients=clients),
            refused=refused,
        ),
    )
    gate = Gate(
        database,
        keyring,
        visits=Visits(database, policy=oauth_policy, signer=signer),
        issuer=oauth_policy.issuer,
    )
    methods.add_service("keystead.gate.v1.GateService", gate_service.GateService(gate, refused))
    methods.add_alias(_CHECK_OF_ENVOY, "/keystead.gate.v1.GateService/Check")

    def forget_ended(event: PositionedEvent) -> None:
        if ended.is_end(event):
            authenticator.forget(event.aggregate_id)
            gate.forget(event.aggregate_id)

    feed.listen(forget_ended, types=_ENDS_OF_RIGHTS)
    methods.add_service(
        "keystead.push.v1.PushService",
        push_service.PushService(
            database,
            keyring,
            client=PushClient(options.push_options(settings)),
            wake=push_loop.wake,
        ),
    )
    methods.add_service(
        "keystead.attribute.v1.AttributeService",
        attribute_service.AttributeService(database, lock_organization=org_store.lock),
    )
    methods.add_service(
        "keystead.user.v1.UserService",
        user_service.UserService(
            database,
            others=OTHER_FEATURES,
            outbox=mails,
            forget=forget,
            max_tokens_per_user=settings.max_tokens_per_user,
            issuer=settings.issuer,
        ),
        email_change_service.EmailChangeMethods(
            EmailChanges(
                database,
                keyring,
                page=settings.account_page,
                others=OTHER_FEATURES,
                outbox=mails,
            )
        ),
        moving_service.MovingUsers(database, policy=policies.import_policy(settings)),
    )

    def readiness() -> Mapping[str, str]:
        return health.parts()

    methods.add_service(
        "keystead.system.v1.SystemService",
        system_service.SystemService(
            database,
            settings=settings,
            readiness=readiness,
            started_at=installed.STARTED_AT,
        ),
    )
    health = Health(database, probed, methods.services)
    methods.add_service(
        "grpc.health.v1.Health",
        health,
    )
    # Generated code expects a grpc.aio.Server, but only calls methods that `Methods` has, too.
    add_reflection(methods.services, cast(grpc.aio.Server, methods), aliases=methods.aliases)
    return methods, health


def _authenticator(
    database: Database, providers: Providers, *, idle_timeout: timedelta
) -> Authenticator:
    find_session = partial(session_store.find_caller, database, idle_timeout=idle_timeout)
    return Authenticator(
        find_user=partial(token_store.find_caller, database),
        find_workload=WorkloadCallers(database, providers).find,
        find_session=find_session,
        peek_session=partial(find_session, is_use=False),
        find_registration=partial(ceremony_store.find_registration, database),
        find_link=partial(link_store.find_caller, database),
    )


# The method that Envoy's filter `ext_authz` calls. Its messages have the same fields as ours.
_CHECK_OF_ENVOY: Final = "/envoy.service.auth.v3.Authorization/Check"

# The services, and the modules that answer their methods. Each module has the `COMMANDS` of its
# methods, and the `OBJECTS` of its paths, if there are any.
SERVICES: Final[Mapping[str, Sequence[ModuleType]]] = {
    "keystead.application.v1.ApplicationService": (
        application_service,
        grant_service,
        refused_service,
        preview_service,
    ),
    "keystead.event.v1.EventService": (event_service,),
    "keystead.gate.v1.GateService": (gate_service,),
    "keystead.group.v1.GroupService": (group_service,),
    "keystead.idp.v1.IdentityProviderService": (idp_service,),
    "keystead.idp.v1.MailDomainService": (mail_domain_service,),
    "keystead.idp.v1.OIDCConfigService": (oidc_service,),
    "keystead.mail.v1.MailService": (mail_service, mail_text_service),
    "keystead.oauth.v1.OAuthService": (oauth_service,),
    "keystead.org.v1.BrandService": (brand_service,),
    "keystead.org.v1.OrganizationService": (org_service, figures_service),
    "keystead.passkey.v1.PasskeyService": (passkey_service,),
    "keystead.push.v1.PushService": (push_service,),
    "keystead.session.v1.SessionService": (session_service, passkey_signin_service),
    "keystead.signin.v1.SignInService": (
        passkey_signin_service,
        idp_signin_service,
        signup_service,
    ),
    "keystead.smtp.v1.SMTPService": (smtp_service,),
    "keystead.system.v1.SystemService": (system_service,),
    "keystead.attribute.v1.AttributeService": (attribute_service,),
    "keystead.user.v1.IDPLinkService": (idp_link_service,),
    "keystead.user.v1.UserService": (user_service, email_change_service, moving_service),
}

# The commands of each service, by method.
COMMANDS: Final[Mapping[str, Commands]] = {
    service: dict(ChainMap(*(module.COMMANDS for module in modules)))
    for service, modules in SERVICES.items()
}

# The objects whose sequence a caller can require with `if-match`.
OBJECTS: Final[Objects] = {
    path: lock
    for modules in SERVICES.values()
    for module in modules
    for path, lock in getattr(module, "OBJECTS", {}).items()
}
