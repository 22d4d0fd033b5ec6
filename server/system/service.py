"""The RPC method on the system: converts messages."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from keystead.system.v1 import system_service_pb2 as pb
from keystead.system.v1 import system_service_pb2_grpc as pb_grpc
from server.crypto.encryption_keys import RunningServer
from server.rpc.messages import Nested, nested, timestamp
from server.settings.settings import Settings
from server.settings.shown import ShownSetting, text_of
from server.signing.schedule import ScheduledKey
from server.store.database import Statements
from server.store.schema import newest_version
from server.system import installed
from server.system.checks.findings import Finding
from server.system.examined import Examined, LogState, SystemState
from server.validation.fields import Commands

COMMANDS: Commands = {}


class SystemService(pb_grpc.SystemServiceServicer):
    """See `keystead/system/v1/system_service.proto`."""

    def __init__(
        self,
        database: Statements,
        *,
        settings: Settings,
        readiness: Callable[[], Mapping[str, str]] | None,
        started_at: datetime | None,
    ) -> None:
        """`readiness` is the state of each part of the server. None: the command line answers."""
        self._examined = Examined(settings, database, readiness=readiness)
        self._settings = settings
        self._started_at = started_at

    async def GetSystem(self, _request: pb.GetSystemRequest, _context: Any) -> pb.GetSystemResponse:
        state = await self._examined.now()
        return pb.GetSystemResponse(system=self._system(state))

    def _system(self, state: SystemState) -> Nested:
        release = installed.release()
        return nested(
            pb.System,
            state,
            version=release.version,
            commit=release.commit,
            python_version=release.python_version,
            started_at=timestamp(self._started_at),
            workers=self._settings.workers,
            schema_version=newest_version(),
            database=nested(
                pb.DatabaseState,
                state.postgresql,
                is_embedded=self._settings.database_url is None,
                schema_version=state.schema_version,
            ),
            event_log=_event_log(state.log),
            findings=map(_finding, state.findings),
            servers=map(_server, state.servers),
            signing_keys=[_signing_key(algorithm, key) for algorithm, key in state.signing_keys],
            encryption_keys=[nested(pb.EncryptionKey, key) for key in state.encryption_keys],
            settings=map(_setting, state.settings),
        )


def _event_log(log: LogState) -> Nested:
    return nested(
        pb.EventLogState,
        log,
        push_lag=max(0, log.last_position - log.push_position),
        archives=len(log.archives),
        archived_events=sum(each.event_count for each in log.archives),
    )


def _finding(finding: Finding) -> Nested:
    state = pb.FindingState.Value(f"FINDING_STATE_{finding.state.name}")
    return nested(pb.Finding, finding, state=state, message=finding.fact)


def _server(server: RunningServer) -> Nested:
    return nested(pb.RunningServer, server, encryption_key_ids=server.key_ids)


def _signing_key(algorithm: str, scheduled: ScheduledKey) -> Nested:
    return nested(
        pb.SigningKey,
        scheduled.key,
        algorithm=algorithm,
        state=pb.SigningKeyState.Value(f"SIGNING_KEY_STATE_{scheduled.state.name}"),
        changes_at=timestamp(scheduled.changes_at),
    )


def _setting(setting: ShownSetting) -> Nested:
    return nested(
        pb.Setting,
        setting,
        value="" if setting.is_secret else text_of(setting.value),
        is_default=setting.value == setting.default,
        default_value=text_of(setting.default),
        origin=setting.origin.name if setting.is_set else "",
    )
