"""Sends pushes by HTTP, with bounded answers.

The rule: as `server/net/http_requests.py`. A request takes at most ten seconds, and of the answer
only the first 1024 bytes are read.
"""

import asyncio
import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpcore2
import httpx2

from server.deliveries.http.connections import KeptConnections
from server.net.http_requests import (
    HostConnection,
    RequestFailedError,
    context_of,
    explained,
    resolved,
)
from server.net.resolve import Address, Network
from server.net.trial import Step
from server.telemetry.tracing import span
from server.values.names import printable_line

SECONDS: Final = 10.0
MAX_ANSWER: Final = 1024

_ADVICE: Mapping[str, str] = {
    "NAME_NOT_FOUND": "Correct the URL.",
    "NAME_LOOKUP_FAILED": "Check the DNS servers of the machine that Keystead runs on.",
    "ADDRESS_NOT_ALLOWED": "If the target is yours, add its address or network to"
    " KEYSTEAD_PUSH_ALLOWED_NETWORKS and restart Keystead.",
    "UNREACHABLE": "Check the URL, and that no firewall blocks connections from Keystead.",
    "TIMEOUT": "The target must answer soon: it should store the push, answer, and work later.",
    "CERTIFICATE_NOT_ACCEPTED": "The target must renew or correct its certificate. If your own"
    " authority issued it, add the authority's certificate to KEYSTEAD_PUSH_CA_FILE.",
    "TLS_FAILED": "The target must support TLS 1.2 or newer.",
    "NOT_HTTP": "No web server listens at this address: correct the URL.",
    "REDIRECTED": "Redirects are not followed: set the URL to the final address.",
    "UNEXPECTED_STATUS": "The target must answer with a status of 200 to 299 once it has stored the"
    " push. See its logs.",
}


@dataclass(frozen=True, slots=True)
class PushOptions:
    """Options of all requests; `seconds` is the time limit of each."""

    allowed_networks: Sequence[Network] = ()
    ca_file: Path | None = None
    seconds: float = SECONDS


@dataclass(frozen=True, slots=True)
class PushRequest:
    """A request to a target, by POST."""

    url: str
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True, slots=True)
class PushAnswer:
    """The answer of a target. `content` are its first bytes, as a line that can be shown."""

    status: int
    content: str

    @property
    def refusal(self) -> tuple[str, str] | None:
        """The reason and the message if the target did not accept the push."""
        if 200 <= self.status < 300:
            return None
        reason = "REDIRECTED" if 300 <= self.status < 400 else "UNEXPECTED_STATUS"
        return reason, f"The target answered with status {self.status}. {_ADVICE[reason]}"


class PushFailedError(Exception):
    """The target gave no answer. `reason` is for programs; `message` also names a remedy."""

    def __init__(self, error: RequestFailedError) -> None:
        self.reason = error.reason
        self.message = f"{error.observed} {error.advice or _ADVICE[error.reason]}"
        super().__init__(self.message)


class PushClient:
    """Sends pushes, over connections that it keeps for a while."""

    def __init__(self, options: PushOptions) -> None:
        self._options = options
        self._kept = KeptConnections()

    async def post(
        self, request: PushRequest, *, steps: "PushSteps | None" = None, seconds: float = SECONDS
    ) -> PushAnswer:
        """Sends a push. PushFailedError: there is no answer.

        With `steps`, which gets each of its steps, the push opens a connection of its own.
        """
        url, seconds = httpx2.URL(request.url), min(seconds, self._options.seconds)
        until = asyncio.get_running_loop().time() + seconds
        try:
            with span("push"):
                async with explained(url.host, seconds):
                    return await self._posted(request, url, until, steps)
        except RequestFailedError as error:
            raise PushFailedError(error) from None

    async def close(self) -> None:
        """Closes the kept connections."""
        await self._kept.close()

    async def _posted(
        self, request: PushRequest, url: httpx2.URL, until: float, steps: "PushSteps | None"
    ) -> PushAnswer:
        if steps is None and (kept := self._kept.take(url)) is not None:
            # The target may have closed it, perhaps after it took the push, which has one ID.
            with contextlib.suppress(httpcore2.NetworkError, httpcore2.RemoteProtocolError):
                return await self._sent(request, url, kept, until)
        addresses = await resolved(url, self._options.allowed_networks)
        if steps is not None:
            steps.resolved(addresses)
        context = context_of(self._options.ca_file, purpose="pushes")
        connection = HostConnection(url, addresses, context, idle_seconds=self._kept.idle_seconds)
        return await self._sent(request, url, connection, until, steps)

    async def _sent(
        self,
        request: PushRequest,
        url: httpx2.URL,
        connection: HostConnection,
        until: float,
        steps: "PushSteps | None" = None,
    ) -> PushAnswer:
        async with contextlib.AsyncExitStack() as stack:
            stack.push_async_callback(connection.close)
            answer = await _answered(request, url, connection, until, steps)
            if steps is None:
                stack.pop_all()
                self._kept.keep(url, connection)
        return answer


async def _answered(
    request: PushRequest,
    url: httpx2.URL,
    connection: HostConnection,
    until: float,
    steps: "PushSteps | None",
) -> PushAnswer:
    built = httpx2.Request(
        "POST",
        url,
        content=request.content,
        headers={**request.headers, "accept-encoding": "identity", "user-agent": "Keystead"},
        extensions={} if steps is None else {"trace": steps.traced},
    )
    response = await connection.send(built, until)
    async with contextlib.aclosing(response):
        content = bytearray()
        async for part in response.aiter_raw():
            content += part
            if len(content) >= MAX_ANSWER:
                break
    text = content[:MAX_ANSWER].decode(errors="replace")
    return PushAnswer(response.status_code, printable_line(text))


class PushSteps:
    """The steps of a request: resolve, connect, tls and answer.

    Each begins when the one before has succeeded. A failure belongs to the last one.
    """

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._started = 0.0
        self._begin("resolve")

    def resolved(self, addresses: Sequence[Address]) -> None:
        """Ends the first step."""
        named = ", ".join(map(str, addresses))
        self._succeed(f"The host is at {named}.", addresses=named)
        self._begin("connect")

    async def traced(self, event: str, _information: Mapping[str, object]) -> None:
        """Takes the events of the HTTP library (httpcore, extension `trace`)."""
        if event == "connection.connect_tcp.complete":
            self._succeed("The target accepts connections.")
            self._begin("tls")
        elif event == "connection.start_tls.complete":
            self._succeed("The certificate is valid for the host.")
            self._begin("answer")

    def answered(self, answer: PushAnswer) -> None:
        """Ends the last step."""
        facts = {"status": str(answer.status), "answer": answer.content}
        if answer.refusal is None:
            self._succeed(f"The target answered with status {answer.status}.", **facts)
        else:
            self.steps[-1].facts = facts
            self.failed(*answer.refusal)

    def failed(self, reason: str, message: str) -> None:
        """Ends the last step with a failure."""
        step = self.steps[-1]
        step.seconds = time.perf_counter() - self._started
        step.reason, step.message = reason, message

    def _begin(self, name: str) -> None:
        self._started = time.perf_counter()
        self.steps.append(Step(name))

    def _succeed(self, message: str, **facts: str) -> None:
        step = self.steps[-1]
        step.succeeded, step.seconds = True, time.perf_counter() - self._started
        step.message, step.facts = message, facts
