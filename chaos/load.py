"""Callers that write over every transport, and record the answers."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import grpc
import httpx2
from google.protobuf.message import Message
from grpc_status import rpc_status

from keystead.common.v1.details_pb2 import Details
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.support.given import Refusal, read_refusal
from tests.support.transports import Answer, Call, Transport, Transports, authorization

PROTOCOLS = ("gRPC", "grpc-web", "JSON")
UNKNOWN_IDP = "00000000-0000-7000-8000-000000000000"

_METHODS = {
    method.name: method
    for service in (
        idp_pb.DESCRIPTOR.services_by_name["IdentityProviderService"],
        user_pb.DESCRIPTOR.services_by_name["UserService"],
    )
    for method in service.methods
}
# Each caller has a connection of its own, and reconnects at once to a restarted server.
CHANNEL_OPTIONS = (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 200),
)
# After these a client repeats the call (docs/api.md).
REPEATABLE = {
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.UNAVAILABLE,
}
# Every write of this process has another name.
_NUMBERS = count()
_PAUSE_SECONDS = 0.02
_POLL_SECONDS = 0.005


@dataclass(frozen=True, slots=True)
class Ports:
    """The ports of a server on the loopback interface."""

    grpc: int
    web: int


@dataclass(frozen=True, slots=True)
class Written:
    """A write that was acknowledged."""

    protocol: str
    method: str
    aggregate_id: str
    name: str
    details: Details
    # The token of CreateToken; empty for other methods.
    token: str = field(default="", repr=False)

    def __str__(self) -> str:
        event = f"sequence {self.details.sequence} of {self.aggregate_id}"
        return f"{self.protocol}: '{self.name}', {event}"


@dataclass(frozen=True, slots=True)
class Refused:
    """A write that was answered with a status of the server."""

    protocol: str
    name: str
    refusal: Refusal

    def __str__(self) -> str:
        refusal = self.refusal
        return f"{self.protocol}: {refusal.code.name} {refusal.reason} {refusal.message}"


@dataclass(frozen=True, slots=True)
class Cut:
    """A write without an answer of the server: the connection was lost, or could not be made."""

    protocol: str
    name: str
    why: str

    def __str__(self) -> str:
        return f"{self.protocol}: {self.why}"


@dataclass(frozen=True, slots=True)
class Caller:
    """A caller with a token, on one connection, over one transport (`protocol`)."""

    protocol: str
    transport: Transport
    channel: grpc.aio.Channel
    token: str

    @classmethod
    @contextlib.asynccontextmanager
    async def connected(cls, protocol: str, ports: Ports, token: str) -> AsyncIterator["Caller"]:
        """Until the end of the block."""
        address = f"127.0.0.1:{ports.grpc}"
        async with (
            grpc.aio.insecure_channel(address, options=CHANNEL_OPTIONS) as channel,
            Transports.into(channel, ports.web) as transports,
        ):
            yield cls(protocol, transports.all[protocol], channel, token)

    async def call(self, method: str, request: Message, *headers: tuple[str, str]) -> Answer:
        """Calls a method on identity providers or users. LostError without an answer."""
        call = Call(_METHODS[method], request, [*authorization(self.token), *headers])
        try:
            answer = await self.transport.answer(call)
        except httpx2.TransportError as error:
            raise LostError(f"{type(error).__name__}: {error}") from error
        if answer.response is None and not answer.status.details:  # from the client's gRPC library
            raise LostError(f"{answer.code.name}: {answer.status.message}")
        return answer

    async def reason(self, method: str, request: Message, *, within: float) -> str:
        """The refusal of a call with a deadline `within` seconds. Raises LostError otherwise.

        At the deadline gRPC's client may be quicker than the server, and then gives no reason.
        """
        headers = authorization(self.token)
        call = Call(_METHODS[method], request, headers)
        if self.protocol != "gRPC":
            headers = [*headers, ("grpc-timeout", f"{round(within * 1000)}m")]
            return (await self.transport.answer(replace(call, headers=headers))).refusal.reason
        stub: Any = self.channel.unary_unary(call.path)
        try:
            await stub(request.SerializeToString(), metadata=headers, timeout=within)
        except grpc.aio.AioRpcError as error:
            if rpc_status.from_call(error) is not None:
                return read_refusal(error).reason
            if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
                return error.code().name
            raise LostError(f"{error.code().name}: {error.details()}") from error
        raise AssertionError("the call was not refused")


class LostError(Exception):
    """The connection ended before the answer."""


@contextlib.asynccontextmanager
async def callers(ports: Ports, token: str, number: int) -> AsyncIterator[Sequence[Caller]]:
    """This number of callers, spread over the transports."""
    async with contextlib.AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(
                Caller.connected(PROTOCOLS[place % len(PROTOCOLS)], ports, token)
            )
            for place in range(number)
        ]


class Load:
    """Callers that write until they are stopped, also after refusals.

    Each creates an identity provider, changes it `changes` times, creates a user and a token of the
    user, and begins again: calls of one statement, and of transactions with several. Without
    `idps`, only users and tokens.
    """

    def __init__(
        self,
        ports: Ports,
        token: str,
        *,
        number: int,
        changes: int = 4,
        aborting: bool = False,
        idps: bool = True,
    ) -> None:
        self.ports = ports
        self._token = token
        self._number = number
        self._changes = changes
        self._aborting = aborting
        self._idps = idps
        self._stopped = False
        self.acknowledged: list[Written] = []
        self.refused: list[Refused] = []
        self.aborted: list[Refused] = []
        self.cut: list[Cut] = []

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Writes during the block."""
        async with (
            callers(self.ports, self._token, self._number) as all_callers,
            asyncio.TaskGroup() as tasks,
        ):
            for caller in all_callers:
                tasks.create_task(self._write(caller))
            try:
                yield
            finally:
                self.stop()

    def stop(self) -> None:
        """Lets every caller finish its current call, and stops it."""
        self._stopped = True

    async def more(self, kind: str, number: int) -> None:
        """Waits until this many more are `acknowledged`, `refused` or `cut`, on all transports."""
        outcomes = getattr(self, kind)
        start = len(outcomes)
        while True:
            new = Counter(each.protocol for each in outcomes[start:])
            if new.total() >= number and all(
                new[protocol] for protocol in PROTOCOLS[: self._number]
            ):
                return
            await asyncio.sleep(_POLL_SECONDS)

    @property
    def unanswered_names(self) -> list[str]:
        """The names of writes that were not acknowledged."""
        refused = [each.name for each in self.refused]
        return refused + [each.name for each in self.cut]

    async def _write(self, caller: Caller) -> None:
        while not self._stopped:
            if self._idps:
                await self._create_idp(caller)
            await self._create_user(caller)

    async def _create_idp(self, caller: Caller) -> None:
        name = _provider()
        request = idp_pb.CreateIDPRequest(name=name)
        created = await self._attempt(caller, "CreateIDP", request, name)
        if self._aborting:
            await self._abort(caller)
        if created is not None:
            await self._change(caller, created.aggregate_id)

    async def _create_user(self, caller: Caller) -> None:
        if self._stopped:
            return
        name = f"user-{next(_NUMBERS)}"
        user = user_pb.CreateUserRequest(user_name=name)
        created = await self._attempt(caller, "CreateUser", user, name)
        if created is not None and not self._stopped:
            name = f"Token {next(_NUMBERS)}"
            token = user_pb.CreateTokenRequest(user_id=created.aggregate_id, name=name)
            await self._attempt(caller, "CreateToken", token, name)

    async def _change(self, caller: Caller, idp_id: str) -> None:
        for _ in range(self._changes):
            if self._stopped:
                return
            name = _provider()
            request = idp_pb.UpdateIDPRequest(idp_id=idp_id, name=name)
            await self._attempt(caller, "UpdateIDP", request, name)
            if self._aborting:
                await self._abort(caller)

    async def _attempt(
        self, caller: Caller, method: str, request: Any, name: str
    ) -> Written | None:
        with self._heard(caller, name):
            answer = await caller.call(method, request)
            if answer.response is not None:
                acknowledged = written(caller.protocol, method, name, request, answer.response)
                self.acknowledged.append(acknowledged)
                return acknowledged
            self.refused.append(Refused(caller.protocol, name, answer.refusal))
        await asyncio.sleep(_PAUSE_SECONDS)
        return None

    async def _abort(self, caller: Caller) -> None:
        """Makes a call whose handler aborts."""
        request = idp_pb.UpdateIDPRequest(idp_id=UNKNOWN_IDP, name="Nobody's")
        with self._heard(caller, ""):
            answer = await caller.call("UpdateIDP", request)
            self.aborted.append(Refused(caller.protocol, "", answer.refusal))

    @contextlib.contextmanager
    def _heard(self, caller: Caller, name: str) -> Iterator[None]:
        try:
            yield
        except LostError as error:
            self.cut.append(Cut(caller.protocol, name, str(error)))


def _provider() -> str:
    return f"Provider {next(_NUMBERS)}"


def written(protocol: str, method: str, name: str, request: Any, response: Any) -> Written:
    """The write that an answer acknowledges."""
    # The answer to a creation names the aggregate; in all other calls the request names it.
    named = response if method in ("CreateIDP", "CreateUser") else request
    aggregate_id = named.idp_id if "IDP" in method else named.user_id
    token = response.token if method == "CreateToken" else ""
    return Written(protocol, method, aggregate_id, name, response.details, token)
