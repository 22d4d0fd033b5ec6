"""The application: everything wired in one place, started, and stopped without losing a call."""

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import structlog

from bridge.app import application
from bridge.pages import docs, operations, people, well_known
from bridge.port import WebPort
from server import wiring
from server.crypto.keyring import create_key_file, load_keyring
from server.crypto.stored_secrets import key_ids_in_use
from server.mail.loop import PACE as MAIL_PACE
from server.mail.loop import MailLoop, Pace
from server.mail.rendering import mail_templates
from server.operate import doctor
from server.operate.bootstrap import bootstrap
from server.operate.housekeeping import forget_ended, repeatedly
from server.process.signals import stop_signals
from server.rpc.call_log import CallLog
from server.rpc.health import Health
from server.rpc.methods import Methods
from server.rpc.native import NativePort
from server.settings.settings import Settings
from server.store.database import Database, connected
from server.store.migrate import migrate
from server.telemetry.metrics import Exposition, Gauges, Metrics

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
        mail_loop = wiring.mail_loop(settings, database, keyring, metrics, mail_pace)
        methods, health = wiring.wire(
            settings, database, keyring, probed=probed, call_log=call_log, mail_loop=mail_loop
        )
        exposition = Exposition(
            metrics,
            partial(_state, methods, health, database, mail_loop),
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
                    *docs.routes(wiring.description(methods)),
                    *people.routes(),
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
                tasks.create_task(mail_loop.run()),
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
                await asyncio.gather(_drained(methods, settings.shutdown_grace), mail_loop.close())
                for task in background:
                    task.cancel()


def _state(methods: Methods, health: Health, database: Database, mail_loop: MailLoop) -> Gauges:
    """How things stand, for the metrics."""
    size, in_use, waiting = database.pool
    return Gauges(
        calls_in_flight=methods.in_flight,
        database_up=health.database_answers,
        database_pool_size=size,
        database_pool_in_use=in_use,
        database_pool_waiting=waiting,
        mails_pending=mail_loop.backlog.pending,
        mails_overdue_seconds=mail_loop.backlog.overdue_seconds,
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
