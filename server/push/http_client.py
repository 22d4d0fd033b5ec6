"""Sends pushes by HTTP, with bounded answers.

The rule: as `server/net/http_requests.py`. A request takes at most ten seconds, and of the answer
only the first 1024 bytes are read.
"""

import asyncio
import contextlib
import ssl
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx2

from server.net.http_requests import (
    RequestFailedError,
    context_of,
    explained,
    resolved,
    sent,
)
from server.net.resolve import Address, Network
from server.net.trial import Step
from server.telemetry.tracing import span

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
    """The answer of a target. `content` are its first bytes, as text that can be stored."""

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
    """Sends pushes, each with a connection of its own."""

    def __init__(self, options: PushOptions) -> None:
        self._options = options

    async def post(
        self, request: PushRequest, *, steps: "PushSteps | None" = None, seconds: float = SECONDS
    ) -> PushAnswer:
        """Sends a push. `steps` is told of its steps. PushFailedError: there is no answer."""
        url, seconds = httpx2.URL(request.url), min(seconds, self._options.seconds)
        steps = steps or PushSteps()
        until = asyncio.get_running_loop().time() + seconds
        try:
            with span("push"):
                async with explained(url.host, seconds):
                    addresses = await resolved(url, self._options.allowed_networks)
                    steps.resolved(addresses)
                    context = context_of(self._options.ca_file, purpose="pushes")
                    return await _posted(request, context, addresses, until, steps)
        except RequestFailedError as error:
            raise PushFailedError(error) from None


async def _posted(
    request: PushRequest,
    context: ssl.SSLContext,
    addresses: Sequence[Address],
    until: float,
    steps: "PushSteps",
) -> PushAnswer:
    async with httpx2.AsyncClient(verify=context, trust_env=False) as client:
        built = client.build_request(
            "POST",
            request.url,
            content=request.content,
            headers={**request.headers, "accept-encoding": "identity", "user-agent": "Keystead"},
            extensions={"trace": steps.traced},
        )
        response = await sent(client, built, addresses, until)
        async with contextlib.aclosing(response):
            content = bytearray()
            async for part in response.aiter_raw():
                content += part
                if len(content) >= MAX_ANSWER:
                    break
    text = content[:MAX_ANSWER].decode(errors="replace")
    return PushAnswer(response.status_code, text.replace("\0", ""))


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
