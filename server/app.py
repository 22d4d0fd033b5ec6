"""The application: prepares the database, starts the server, and stops it without losing calls."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path

import structlog
from prometheus_client import Counter
from starlette.routing import Route

from bridge.app import application
from bridge.oauth import discovery
from bridge.pages import docs, operations, people, well_known
from bridge.port import WebPort
from server.crypto import encryption_keys
from server.crypto.keyring import create_key_file, load_keyring
from server.crypto.server_certificate import FOLLOW_SECONDS, ServerCertificate
from server.crypto.stored_secrets import key_ids_in_use
from server.deliveries.loop import PACE, Pace
from server.figures import store as figure_store
from server.figures.counting import Figured
from server.log.checkpoints import INTERVAL_SECONDS as CHECKPOINT_INTERVAL_SECONDS
from server.log.feed import PACE_SECONDS, Feed
from server.log.partitions import add_partitions
from server.log.witness import Witness
from server.mail.loop import MailLoop
from server.oauth.capabilities import MetadataDocuments, capabilities
from server.oauth.refused.recorder import WRITE_SECONDS, Refusals
from server.operate import doctor
from server.operate.bootstrap import bootstrap
from server.operate.housekeeping import forget_ended, repeatedly
from server.org.brand.shown import InstanceBrand
from server.org.mail_texts.applied import OwnMailWords
from server.passkey.former import CountedUnmoved
from server.passkey.recovery import INTERVAL_SECONDS as RECOVERY_INTERVAL_SECONDS
from server.process.garbage import collect_less_often
from server.process.signals import stop_signals
from server.push.loop import PushLoop
from server.rpc.call_log import CallLog
from server.rpc.health import Health
from server.rpc.methods import Methods
from server.rpc.native import NativePort
from server.rpc.open_streams import CHECK_SECONDS
from server.rpc.running_calls import QUIET_SECONDS
from server.session.refused import RefusedSignIns
from server.settings.settings import Settings
from server.signing import commands as signing
from server.signing.schedule import MAX_AGE
from server.signing.signer import Signer
from server.store.database import Database, connected
from server.store.migrate import migrate
from server.store.schema import current_version, newest_version
from server.telemetry import tracing
from server.telemetry.background import tried
from server.telemetry.metrics import Exposition, Gauges, Metrics
from server.user import role_ends
from server.user.counts import CountedPeople
from server.user.pictures import Pictures
from server.wiring import options, services
from server.wiring.dependencies import OTHER_FEATURES

_log = structlog.get_logger("app")

# A database that does not answer must not delay the end of the server.
_LEAVE_SECONDS = 2


async def prepare(settings: Settings, dsn: str) -> Path | None:
    """Prepares the instance for all workers: checks files and keys, migrates, makes the first user.

    Gives the path of the administrator's token at the first start.
    """
    options.mail_templates(settings)  # an invalid template stops the start, once for all workers
    if settings.tls_files:
        ServerCertificate(*settings.tls_files)  # so does an invalid certificate
    for finding in doctor.ports(settings):
        _log.warning("a port does not suit clients", detail=finding.message)
    async with connected(dsn, pool_size=1) as database:
        migrated = await migrate(database)
        await add_partitions(database)
        if migrated:
            _log.info("schema is up to date", migrations=migrated)
        if (version := await current_version(database)) > newest_version():
            _log.warning("the schema is of a newer release", version=version)
        await check_keys(database, settings)
        await keep_signing(database, settings)
        for finding in await doctor.stranded(settings, database):
            _log.warning("passkeys do not suit the settings", detail=finding.message)
        token_file = settings.data_dir.resolve() / "admin.token"
        is_first = await bootstrap(database, token_file)
    return token_file if is_first else None


async def check_keys(database: Database, settings: Settings) -> None:
    """EncryptionKeyError if a stored secret has a missing key, or the first key was replaced.

    A key file is created only while there are no secrets: a new key would hide that one is lost.
    """
    needed = await key_ids_in_use(database)
    if not needed and not settings.encryption_keys:
        create_key_file(settings.key_file)
    keyring = load_keyring(settings.encryption_keys, settings.key_file)
    keyring.must_have(needed)
    await encryption_keys.admit(database, keyring)


async def keep_signing(database: Database, settings: Settings) -> None:
    """Makes and rotates signing keys."""
    keyring = load_keyring(settings.encryption_keys, settings.key_file)
    await signing.keep_up(database, keyring)


@dataclass(frozen=True, slots=True)
class Ports:
    """The ports of a running server, also if the settings have port 0."""

    grpc: int
    http: int


@contextlib.asynccontextmanager
async def serving(
    settings: Settings,
    dsn: str,
    *,
    revive: Callable[[], None] | None = None,
    mail_pace: Pace = PACE,
    push_pace: Pace = PACE,
    quiet_seconds: float = QUIET_SECONDS,
    recovery_seconds: float = RECOVERY_INTERVAL_SECONDS,
) -> AsyncIterator[Ports]:
    """A server on a prepared database, until the end of the block.

    `revive` is called, in a thread, when the database does not answer. `quiet_seconds` is the time
    without calls that ends a shutdown. `recovery_seconds` is the interval of recovery links.
    """
    keyring = load_keyring(settings.encryption_keys, settings.key_file)
    certificate = ServerCertificate(*settings.tls_files) if settings.tls_files else None
    async with (
        connected(
            dsn,
            pool_size=settings.database_pool_size,
            for_callers=True,
            observe=tracing.statement_observer(),
        ) as database,
        connected(dsn, pool_size=1) as probed,
    ):
        metrics = Metrics()
        failures = metrics.housekeeping_failures
        presence = encryption_keys.Presence(database, keyring)
        call_log = CallLog(metrics)
        instance_brand = InstanceBrand(database, rp_name=settings.rp_name)
        own_words = OwnMailWords(database)
        templates = options.mail_templates(settings)
        mail_loop = services.mail_loop(
            settings, database, keyring, metrics, mail_pace, instance_brand, own_words, templates
        )
        signer = Signer(database, keyring)
        feed = Feed(database)
        push_loop, push_follower = services.pushes(
            settings, database, keyring, signer, metrics, push_pace
        )
        refused = Refusals(database, metrics.refusals)
        refused_sign_ins = RefusedSignIns(database, count_days=figure_store.count_refused)
        figured = Figured(database, idle_timeout=timedelta(seconds=settings.session_idle_timeout))
        counted = CountedPeople(database)
        with tried("to count people", failures):
            await counted.count()
        unmoved = CountedUnmoved(database, options.rp_ids(settings))
        with tried("to count users of former domains", failures):
            await unmoved.count()
        methods, health = services.wire(
            settings,
            database,
            keyring,
            probed=probed,
            call_log=call_log,
            mail_loop=mail_loop,
            push_loop=push_loop,
            signer=signer,
            feed=feed,
            metrics=metrics,
            instance_brand=instance_brand,
            own_words=own_words,
            templates=templates,
            refused=refused,
            refused_sign_ins=refused_sign_ins,
        )
        exposition = Exposition(
            metrics,
            partial(
                _state,
                methods,
                health,
                database,
                mail_loop,
                push_loop,
                certificate,
                counted,
                unmoved,
            ),
            count=call_log.write,
        )
        shared = settings.workers > 1
        native = NativePort(
            methods,
            settings.grpc_address,
            shared=shared,
            header_table=settings.grpc_header_table,
            certificate=certificate,
            quiet_seconds=quiet_seconds,
        )
        web = WebPort(
            application(
                methods,
                pages=_pages(
                    settings,
                    health,
                    exposition,
                    signer,
                    instance_brand,
                    Pictures(database).find,
                ),
                cors_origins=settings.cors_origins,
                asks_clients=settings.tls_client_ca_file is not None,
                hsts_subdomains=settings.hsts_subdomains,
                discovery=discovery.routes(
                    capabilities(settings.issuer),
                    admits_documents=MetadataDocuments(database).are_admitted,
                ),
                missing=people.missing(instance_brand.get),
            ),
            settings.http_address,
            shared=shared,
            trusted_proxies=settings.trusted_proxies,
            certificate=certificate,
        )
        async with (
            contextlib.aclosing(call_log),
            _written(refused, failures),
            _written(refused_sign_ins, failures),
            native.serving(),
            web.serving(),
            _announced(presence, failures),
            asyncio.TaskGroup() as tasks,
        ):
            repeat = partial(repeatedly, failures=failures)
            recovery = services.recovery(settings, database, keyring, mail_loop, metrics)
            work = [
                health.keep_true(revive, failures),
                exposition.keep_current(),
                mail_loop.run(),
                push_loop.run(),
                repeat(partial(forget_ended, database)),
                repeat(counted.count, name="to count people"),
                repeat(unmoved.count, name="to count users of former domains"),
                repeat(
                    services.proofs(settings, database),
                    name="to look up the records of mail domains",
                ),
                repeat(figured.keep, name="to count days"),
                repeat(
                    partial(role_ends.end_roles, database, others=OTHER_FEATURES),
                    interval=role_ends.INTERVAL_SECONDS,
                    name="to end roles",
                ),
                repeat(
                    Witness(database, keyring, settings.checkpoint_file).take,
                    interval=CHECKPOINT_INTERVAL_SECONDS,
                    name="to take checkpoints of the log",
                ),
                repeat(
                    recovery.mail_links,
                    interval=recovery_seconds,
                    name="to mail recovery links",
                ),
                repeat(partial(keep_signing, database, settings), name="to keep signing keys"),
                repeat(
                    refused.write,
                    interval=WRITE_SECONDS,
                    name="to write refusals of applications",
                ),
                repeat(
                    refused_sign_ins.write,
                    interval=WRITE_SECONDS,
                    name="to write refused sign-ins",
                ),
                repeat(
                    presence.announce,
                    interval=encryption_keys.HEARTBEAT_SECONDS,
                    name="to announce this server",
                ),
                repeat(feed.advance, interval=PACE_SECONDS, name="to follow the log"),
                repeat(
                    lambda: push_follower.advance(feed.last),
                    interval=PACE_SECONDS,
                    name="to write pushes",
                ),
                repeat(
                    methods.open_streams.check,
                    interval=CHECK_SECONDS,
                    name="to check the callers of streams",
                ),
            ]
            if certificate is not None:
                work.append(
                    repeat(
                        certificate.follow,
                        interval=FOLLOW_SECONDS,
                        name="to follow the certificate",
                    )
                )
            background = [tasks.create_task(each) for each in work]
            try:
                yield Ports(native.port, web.port)
            finally:
                health.shut_down()
                await asyncio.sleep(settings.drain_delay)
                await asyncio.gather(
                    _drained(methods, settings.shutdown_grace),
                    mail_loop.close(),
                    push_loop.close(),
                )
                for task in background:
                    task.cancel()


@contextlib.asynccontextmanager
async def _announced(presence: encryption_keys.Presence, failures: Counter) -> AsyncIterator[None]:
    """Lists this process among the running servers until the end of the block."""
    with tried("to announce this server", failures):
        await presence.announce()
    yield
    with tried("to remove this server from the list", failures):
        async with asyncio.timeout(_LEAVE_SECONDS):
            await presence.leave()


@contextlib.asynccontextmanager
async def _written(refused: Refusals | RefusedSignIns, failures: Counter) -> AsyncIterator[None]:
    """Writes the refusals that still wait, after the block."""
    yield
    with tried("to write refusals", failures):
        async with asyncio.timeout(_LEAVE_SECONDS):
            await refused.write()


def _pages(
    settings: Settings,
    health: Health,
    exposition: Exposition,
    signer: Signer,
    instance_brand: InstanceBrand,
    find_picture: people.FindPicture,
) -> list[Route]:
    """The routes of the web port beside grpc-web and JSON."""
    return [
        *operations.routes(health, exposition),
        *docs.routes(),
        *people.routes(settings.page_origins, instance_brand.get),
        people.pictures(find_picture),
        *well_known.routes(
            settings.related_origins,
            signer.key_set,
            max_age=round(MAX_AGE.total_seconds()),
        ),
        *well_known.security_routes(settings.security_contact, settings.issuer),
    ]


def _state(
    methods: Methods,
    health: Health,
    database: Database,
    mail_loop: MailLoop,
    push_loop: PushLoop,
    certificate: ServerCertificate | None,
    counted: CountedPeople,
    unmoved: CountedUnmoved,
) -> Gauges:
    """The current values of the metrics' gauges."""
    size, in_use, waiting = database.pool
    return Gauges(
        calls_in_flight=len(methods.running.calls),
        database_up=health.database_answers,
        database_pool_size=size,
        database_pool_in_use=in_use,
        database_pool_waiting=waiting,
        mails_pending=mail_loop.backlog.pending,
        mails_overdue_seconds=mail_loop.backlog.overdue_seconds,
        pushes_pending=push_loop.backlog.pending,
        push_targets_failing=push_loop.backlog.failing_targets,
        people=counted.last.people if counted.last else None,
        people_with_passkey=counted.last.people_with_passkey if counted.last else None,
        unmoved_users=unmoved.last,
        tls_certificate_expiry_seconds=(
            certificate.pair.expires_at.timestamp() if certificate else None
        ),
    )


async def _drained(methods: Methods, grace: float) -> None:
    """Refuses new calls on every port, and waits up to `grace` seconds for those in flight."""
    methods.running.close()
    if not await methods.running.drained(grace):
        _log.warning("calls are cut off", calls=len(methods.running.calls), grace_seconds=grace)
    methods.running.cut_off()


async def run(
    settings: Settings,
    dsn: str,
    *,
    revive: Callable[[], None] | None = None,
    parent: int | None = None,
) -> None:
    """Serves until a stop signal, or until the other end of the pipe `parent` is closed."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in stop_signals():
        loop.add_signal_handler(number, stop.set)
    if parent is not None:
        loop.add_reader(parent, _left_alone, parent, stop)
    with tracing.exporting(settings.otlp_endpoint, settings.trace_ratio):
        async with serving(settings, dsn, revive=revive) as ports:
            tls = settings.tls_files is not None
            _log.info("serving gRPC", address=settings.grpc_address, port=ports.grpc, tls=tls)
            _log.info("serving HTTP", address=settings.http_address, port=ports.http, tls=tls)
            collect_less_often()
            await stop.wait()
            _log.info("shutting down")


def _left_alone(parent: int, stop: asyncio.Event) -> None:
    asyncio.get_running_loop().remove_reader(parent)  # a closed pipe stays readable
    stop.set()
