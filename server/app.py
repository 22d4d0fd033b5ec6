"""The application: everything wired in one place, started, and stopped without losing a call."""

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import cast

import grpc
import structlog
from grpc_health.v1 import health_pb2_grpc

from bridge.app import application
from bridge.pages import docs, operations, passkey_page, well_known
from bridge.port import WebPort
from keystead.idp.v1 import identity_provider_service_pb2_grpc
from keystead.mail.v1 import mail_service_pb2_grpc
from keystead.org.v1 import organization_service_pb2_grpc
from keystead.passkey.v1 import passkey_service_pb2_grpc
from keystead.smtp.v1 import smtp_service_pb2_grpc
from keystead.user.v1 import user_service_pb2_grpc
from server.access.authorizer import Authorizer
from server.access.caller import Authenticator
from server.crypto.keyring import Keyring, create_key_file, load_keyring
from server.crypto.stored_secrets import key_ids_in_use
from server.description import description
from server.idp.service import IdentityProviderService
from server.mail.attempt import Sender
from server.mail.loop import PACE as MAIL_PACE
from server.mail.loop import Deliveries, Pace
from server.mail.service import MailService
from server.mail.smtp_client import transport
from server.operate import doctor
from server.operate.bootstrap import bootstrap
from server.operate.housekeeping import forget_ended, repeatedly
from server.options import mail_templates, transport_options
from server.org import store as org_store
from server.org.service import OrganizationService
from server.passkey import ceremony_store, link_store
from server.passkey.links import LinkPolicy
from server.passkey.service import PasskeyService
from server.passkey.webauthn.ceremony import Policy
from server.process.signals import stop_signals
from server.rpc.call_log import CallLog
from server.rpc.health import Health
from server.rpc.methods import Methods
from server.rpc.native import NativePort
from server.rpc.reflection import add_reflection
from server.settings.settings import Settings
from server.smtp import commands as smtp_commands
from server.smtp.service import SMTPService
from server.store.database import Database, connected
from server.store.migrate import migrate
from server.telemetry.metrics import Exposition, Metrics, State
from server.user import store as user_store
from server.user import token_store
from server.user.service import UserService

_log = structlog.get_logger("app")


async def prepare(settings: Settings, dsn: str) -> Path | None:
    """What precedes serving, once for all workers: keys, schema, first start.

    The path of the administrator's token when this was the first start.
    """
    mail_templates(settings)  # a wrong one is to be noticed now, and once
    async with connected(dsn, pool_size=1) as database:
        migrated = await migrate(database)
        if migrated:
            _log.info("schema is up to date", migrations=migrated)
        await check_keys(database, settings)
        for finding in await doctor.stranded(settings, database):
            _log.warning("passkeys do not suit the settings", detail=finding.message)
        token_file = settings.data_dir.resolve() / "admin.token"
        is_first = await bootstrap(database, token_file)
    return token_file if is_first else None


async def check_keys(database: Database, settings: Settings) -> None:
    """EncryptionKeyError when a stored secret is under a key that is not here.

    Only while there are no secrets is a key file made: another key would hide that one is lost.
    """
    needed = await key_ids_in_use(database)
    if not needed and not settings.encryption_keys:
        create_key_file(settings.key_file)
    load_keyring(settings.encryption_keys, settings.key_file).must_have(needed)


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
            policy=_policy(settings),
            link_policy=LinkPolicy(settings.passkey_page, settings.passkey_link_validity),
            max_passkeys_per_user=settings.max_passkeys_per_user,
            hourly_mail_limit=settings.mail_hourly_limit,
            wake=deliveries.wake,
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


@dataclass(frozen=True, slots=True)
class Ports:
    """Where a server really listens, when port 0 was asked for."""

    grpc: int
    http: int


@contextlib.asynccontextmanager
async def serving(
    settings: Settings,
    dsn: str,
    *,
    revive: Callable[[], None] | None = None,
    mail_pace: Pace = MAIL_PACE,
) -> AsyncIterator[Ports]:
    """A server on a prepared database, until the end of the block.

    `revive` is called, in a thread, when the database does not answer.
    """
    keyring = load_keyring(settings.encryption_keys, settings.key_file)
    async with (
        connected(dsn, pool_size=settings.database_pool_size, for_callers=True) as database,
        connected(dsn, pool_size=1) as probed,
    ):
        metrics = Metrics()
        call_log = CallLog(metrics)
        deliveries = _deliveries(settings, database, keyring, metrics, mail_pace)
        methods, health = wire(
            settings, database, keyring, probed=probed, call_log=call_log, deliveries=deliveries
        )
        exposition = Exposition(
            metrics,
            partial(_state, methods, health, database, deliveries),
            count=call_log.write,
        )
        shared = settings.workers > 1
        native = NativePort(
            methods,
            settings.grpc_address,
            shared=shared,
            header_table=settings.grpc_header_table,
        )
        web = WebPort(
            application(
                methods,
                pages=[
                    *operations.routes(health, exposition),
                    *docs.routes(description(methods)),
                    *passkey_page.routes(),
                    *well_known.routes(settings.rp_related_origins),
                ],
                cors_origins=settings.cors_origins,
            ),
            settings.http_address,
            shared=shared,
            trusted_proxies=settings.trusted_proxies,
        )
        async with (
            contextlib.aclosing(call_log),
            native.serving(),
            web.serving(),
            asyncio.TaskGroup() as tasks,
        ):
            background = [
                tasks.create_task(health.keep_true(revive, metrics.housekeeping_failures)),
                tasks.create_task(exposition.keep_current()),
                tasks.create_task(deliveries.run()),
                tasks.create_task(
                    repeatedly(
                        partial(forget_ended, database),
                        metrics.housekeeping_failures,
                    )
                ),
            ]
            try:
                yield Ports(native.port, web.port)
            finally:
                health.shut_down()
                await asyncio.sleep(settings.drain_delay)
                await asyncio.gather(_drained(methods, settings.shutdown_grace), deliveries.close())
                for task in background:
                    task.cancel()


def _deliveries(
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


def _state(methods: Methods, health: Health, database: Database, deliveries: Deliveries) -> State:
    """How things stand, for the metrics."""
    size, in_use, waiting = database.pool
    return State(
        calls_in_flight=methods.in_flight,
        database_up=health.database_answers,
        database_pool_size=size,
        database_pool_in_use=in_use,
        database_pool_waiting=waiting,
        mails_pending=deliveries.backlog.pending,
        mails_overdue_seconds=deliveries.backlog.overdue_seconds,
    )


async def _drained(methods: Methods, grace: float) -> None:
    """Refuses new calls on every port, and gives those in flight the time to finish."""
    methods.close()
    if not await methods.drained(grace):
        _log.warning("calls are cut off", calls=methods.in_flight, grace_seconds=grace)
    methods.cut_off()


async def run(
    settings: Settings,
    dsn: str,
    *,
    revive: Callable[[], None] | None = None,
    parent: int | None = None,
) -> None:
    """Serves until a signal to end, or until `parent`, the end of a pipe, is closed elsewhere."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in stop_signals():
        loop.add_signal_handler(number, stop.set)
    if parent is not None:
        loop.add_reader(parent, _left_alone, parent, stop)
    async with serving(settings, dsn, revive=revive) as ports:
        _log.info("serving gRPC", address=settings.grpc_address, port=ports.grpc)
        _log.info("serving HTTP", address=settings.http_address, port=ports.http)
        _collect_less_often()
        await stop.wait()
        _log.info("shutting down")


def _collect_less_often() -> None:
    """What exists now stays for good, and calls leave few cycles: to search it all costs time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


def _left_alone(parent: int, stop: asyncio.Event) -> None:
    asyncio.get_running_loop().remove_reader(parent)  # it stays readable
    stop.set()


def _policy(settings: Settings) -> Policy:
    return Policy(
        rp_id=settings.rp_id,
        rp_name=settings.rp_name,
        origins=settings.passkey_origins,
        top_origins=settings.rp_top_origins,
        user_verification=settings.rp_user_verification,
    )
