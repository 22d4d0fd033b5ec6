"""An SMTP delivery, step by step, for real deliveries and for tests.

The steps are resolve, connect, greeting, tls, token, auth, sender and message; with implicit TLS,
tls precedes greeting. `TransportOptions.timeout` limits each step as a whole, not each reply. A
reply has at most 32 KiB (aiosmtplib).

The rule: nothing is awaited after the server has accepted a message; otherwise a failure could make
an accepted message look unsent.
"""

import asyncio
import contextlib
import math
import ssl
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from functools import partial
from typing import Final

from aiosmtplib import SMTPConnectError, SMTPException, SMTPTimeoutError

from server.deliveries.smtp import tls
from server.deliveries.smtp.connection import Found, SMTPConnection, TransportOptions
from server.deliveries.smtp.destination import DeliveryError, Destination
from server.deliveries.smtp.envelope import trial_message
from server.deliveries.smtp.failures import SMTPReason, explained, failure
from server.net.trial import Step, recorded
from server.values.errors import Failure

# How long a connection is kept after a message, and for how many of them.
_KEPT_SECONDS: Final = 5.0
_MAX_MAILS: Final = 100
# The maximum number of kept connections.
_OF_ALL: Final = 128


async def try_out(
    destination: Destination,
    *,
    receiver_address: str | None,
    options: TransportOptions,
    seconds: float | None = None,
) -> list[Step]:
    """The executed steps, up to the first failure.

    Without a recipient, no message is sent. `seconds` limits the total time.
    """
    delivery = _Delivery(destination, options, seconds=seconds)
    message = trial_message(destination, receiver_address or destination.sender_address)
    with contextlib.suppress(DeliveryError, Failure):
        await delivery.run(message, receiver_address)
    return delivery.steps


class Deliveries:
    """Deliveries that share connections: one is kept for the next message while a batch lasts.

    The rule: a kept connection that does not take the sender gives way to a new one. Nothing was
    accepted then.
    """

    def __init__(self, options: TransportOptions) -> None:
        self._options = options
        self._kept: dict[Destination, list[_Kept]] = {}
        # The destinations of the kept connections, and the timers that end them; the oldest first.
        self._ends: dict[_Kept, tuple[Destination, asyncio.TimerHandle]] = {}

    async def deliver(
        self, destination: Destination, message: EmailMessage, *, recipient: str
    ) -> None:
        """Delivers the message. Raises DeliveryError if the server did not accept it."""
        used = await self._begun(destination, message, recipient)
        await used.delivery.hand_over(recipient)
        used.sent += 1
        self._keep(destination, used)

    def close(self) -> None:
        """Closes the kept connections."""
        for kept in [*self._ends]:
            self._end(kept)

    async def _begun(
        self, destination: Destination, message: EmailMessage, recipient: str
    ) -> "_Kept":
        """A connection whose server has accepted the sender."""
        while kept := self._take(destination):
            with contextlib.suppress(DeliveryError):
                await kept.delivery.begin(message, recipient)
                return kept
        new = _Kept(_Delivery(destination, self._options))
        await new.delivery.open()
        await new.delivery.begin(message, recipient)
        return new

    def _take(self, destination: Destination) -> "_Kept | None":
        kept = self._kept.get(destination)
        if not kept:
            return None
        taken = kept[-1]
        self._remove(taken)
        return taken

    def _keep(self, destination: Destination, used: "_Kept") -> None:
        if used.sent >= min(used.delivery.max_mails, _MAX_MAILS):
            used.delivery.leave()
            return
        if len(self._ends) >= _OF_ALL:
            self._end(next(iter(self._ends)))
        self._kept.setdefault(destination, []).append(used)
        timer = asyncio.get_running_loop().call_later(_KEPT_SECONDS, self._end, used)
        self._ends[used] = (destination, timer)

    def _end(self, kept: "_Kept") -> None:
        self._remove(kept)
        kept.delivery.leave()

    def _remove(self, kept: "_Kept") -> None:
        destination, timer = self._ends.pop(kept)
        timer.cancel()
        same = self._kept[destination]
        same.remove(kept)
        if not same:
            del self._kept[destination]


class _Delivery:
    """Runs the steps with a time limit, and records them. Leaves the server at a failure."""

    def __init__(
        self, destination: Destination, options: TransportOptions, *, seconds: float | None = None
    ) -> None:
        self._to = destination
        self._options = options
        self._connection = SMTPConnection(destination, options)
        self._end = asyncio.get_running_loop().time() + seconds if seconds is not None else math.inf
        self.steps: list[Step] = []

    @property
    def max_mails(self) -> float:
        """The number of messages that the server takes in a connection."""
        return self._connection.max_mails

    async def run(self, message: EmailMessage, recipient: str | None) -> None:
        """Runs all steps; without a recipient, sends nothing. Raises DeliveryError at a failure."""
        await self.open()
        await self.begin(message, recipient)
        if recipient is not None:
            await self.hand_over(recipient)
        self.leave()

    async def open(self) -> None:
        """Runs the steps before a message. Raises DeliveryError."""
        connection, step = self._connection, self._step
        with self._left_at_failure():
            await step("resolve", connection.resolve)
            await step("connect", connection.connect)
            if connection.is_implicit:
                await step("tls", connection.implicit_tls)
            await step("greeting", connection.greet)
            if connection.wants_starttls:
                await step("tls", connection.starttls)
            if self._to.tokens is not None:
                await step("token", partial(connection.fetch_token, self._to.tokens))
            if self._to.user:
                await step("auth", connection.authenticate)

    async def begin(self, message: EmailMessage, recipient: str | None) -> None:
        """Sends the sender of a message. Raises DeliveryError."""
        with self._left_at_failure():
            await self._step("sender", partial(self._connection.begin, message, recipient))

    async def hand_over(self, recipient: str) -> None:
        """Sends the message. Raises DeliveryError."""
        with self._left_at_failure():
            await self._step("message", partial(self._connection.hand_over, recipient))

    def leave(self) -> None:
        """Ends the connection."""
        self._connection.leave()

    @contextlib.contextmanager
    def _left_at_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.leave()
            raise

    async def _step(self, name: str, act: Callable[[], Awaitable[Found]]) -> None:
        """Runs a step with a time limit, and converts its errors to DeliveryError.

        `Failure`: the database did not give a token.
        """
        started = time.perf_counter()
        now = asyncio.get_running_loop().time()
        self._connection.until = min(now + self._options.timeout, self._end)
        with recorded(self.steps, name) as step:
            try:
                async with asyncio.timeout_at(self._connection.until):
                    step.message, step.facts = await act()
            except Failure as error:  # of the database, in the step `token`
                step.reason, step.message = error.reason, error.message
                raise
            except (DeliveryError, SMTPException, OSError) as error:
                failed = self._explained(name, error, time.perf_counter() - started)
                step.reason, step.message = failed.reason, failed.message
                raise failed from None

    def _explained(self, step: str, error: Exception, seconds: float) -> DeliveryError:
        if isinstance(error, SMTPConnectError) and isinstance(error.__cause__, ssl.SSLError):
            error = error.__cause__
        match error:
            case DeliveryError():
                return error
            case ssl.SSLError():
                is_implicit = self._connection.is_implicit
                return tls.handshake_failure(error, self._to.host, is_implicit=is_implicit)
            case TimeoutError() if not isinstance(error, SMTPTimeoutError):
                observed = f"{self._to.host} did not answer within {seconds:.1f} seconds."
                is_connected = step not in ("resolve", "connect")
                reason = SMTPReason.NO_ANSWER if is_connected else SMTPReason.TIMEOUT
                return failure(step, reason, observed)
            case _:
                return explained(step, error, self._to, self._connection.said)


@dataclass(eq=False, slots=True)
class _Kept:
    """A connection with the number of its messages."""

    delivery: _Delivery
    sent: int = 0
