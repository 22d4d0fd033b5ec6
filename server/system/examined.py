"""Reads the state of the system, and remembers it for some seconds."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from server.crypto.encryption_keys import RunningServer, list_servers
from server.crypto.keyring import EncryptionKeyError, load_keyring
from server.crypto.stored_secrets import key_ids_in_use
from server.log.archive_store import Archive, absent, list_archives
from server.log.checkpoints import last_checkpoint
from server.log.partitions import list_partitions
from server.log.positions import count_waiting, last_position
from server.push import position_store
from server.settings.settings import Settings
from server.settings.shown import ShownSetting, shown
from server.settings.unknown import unknown_variables
from server.signing import store as signing_store
from server.signing.schedule import ScheduledKey
from server.store.database import Statements
from server.store.schema import current_version
from server.system import checks, store
from server.system.checks.findings import Finding, State
from server.system.checks.reasons import FindingReason, found
from server.system.store import PostgreSQL
from server.values.cache import Cache

_SECONDS: Final = 10
_ORDER: Final = [State.PROBLEM, State.WARNING, State.OK]


@dataclass(frozen=True, slots=True)
class StoredKey:
    """A key of stored secrets."""

    key_id: str
    is_writing: bool
    is_configured: bool
    is_in_use: bool


@dataclass(frozen=True, slots=True)
class LogState:
    """The event log and what follows it; `push_position` is that of the written deliveries."""

    last_position: int
    waiting_events: int
    push_position: int
    partitions: int
    archives: Sequence[Archive]
    checkpointed_at: datetime | None


@dataclass(frozen=True, slots=True)
class SystemState:
    """The state of the system; `findings` has problems first."""

    examined_at: datetime
    schema_version: int
    postgresql: PostgreSQL
    log: LogState
    findings: Sequence[Finding]
    servers: Sequence[RunningServer]
    signing_keys: Sequence[tuple[str, ScheduledKey]]
    encryption_keys: Sequence[StoredKey]
    settings: Sequence[ShownSetting]


class Examined:
    """The state of the system, which is read again after ten seconds."""

    def __init__(
        self,
        settings: Settings,
        database: Statements,
        *,
        readiness: Callable[[], Mapping[str, str]] | None,
    ) -> None:
        """`readiness` is the state of each part of the server. None: no server is asked."""
        self._settings = settings
        self._shown = list(shown(settings, Settings.origins()))
        self._unknown = unknown_variables()
        self._database = database
        self._readiness = readiness
        self._known: Cache[None, SystemState] = Cache()

    async def now(self) -> SystemState:
        """The state, at most ten seconds old."""
        return await self._known.get(None, self._examine, seconds=_SECONDS)

    async def _examine(self) -> SystemState:
        database = self._database
        findings = [
            *(_ready(self._readiness()) if self._readiness else []),
            *await asyncio.to_thread(checks.of_settings, self._settings, self._unknown),
            *await checks.of_database(self._settings, database),
        ]
        schedules, _ = await signing_store.get(database)
        return SystemState(
            examined_at=datetime.now(UTC),
            schema_version=await current_version(database),
            postgresql=await store.GET.one(database),
            log=await self._log(),
            findings=sorted(findings, key=lambda each: _ORDER.index(each.state)),
            servers=await list_servers(database),
            signing_keys=[
                (str(algorithm), key)
                for algorithm, schedule in schedules.items()
                for key in schedule.scheduled()
            ],
            encryption_keys=await self._encryption_keys(),
            settings=self._shown,
        )

    async def _log(self) -> LogState:
        database = self._database
        checkpoint = await last_checkpoint(database)
        return LogState(
            push_position=await position_store.get(database),
            last_position=await last_position(database),
            waiting_events=await count_waiting(database),
            partitions=len(await list_partitions(database)),
            archives=absent(await list_archives(database)),
            checkpointed_at=checkpoint.taken_at if checkpoint else None,
        )

    async def _encryption_keys(self) -> list[StoredKey]:
        """Those of the settings in their order, then others that are in use."""
        try:
            keyring = load_keyring(self._settings.encryption_keys, self._settings.key_file)
            configured = keyring.key_ids
        except EncryptionKeyError:  # a file that was replaced; a finding of `doctor`
            configured = []
        used = await key_ids_in_use(self._database)
        return [
            StoredKey(
                key_id,
                is_writing=key_id in configured[:1],
                is_configured=key_id in configured,
                is_in_use=key_id in used,
            )
            for key_id in (*configured, *sorted(used - set(configured)))
        ]


def _ready(parts: Mapping[str, str]) -> list[Finding]:
    """The parts that are not ready, as `/readyz` names them."""
    return [
        Finding(
            "readiness",
            State.PROBLEM,
            f"The server takes no calls from load balancers, {part}: {state}.",
            "See the log of the server.",
        )
        for part, state in parts.items()
        if state != "ok"
    ] or found(FindingReason.READY)
