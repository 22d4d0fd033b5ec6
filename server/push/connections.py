"""Connections to targets that answer, kept for the next push.

Most of the cost of a push is the TLS handshake. A connection is used by one push at a time, and
only for the host and port for which it was opened: its certificate was verified for that name, and
its address was checked.

The rule: a host is resolved and checked again at least every `_MOST_SECONDS`.
"""

import asyncio
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import httpx2

from server.net.resolve import Address

# The longest time that an idle connection is kept, and that its addresses are used.
_IDLE_SECONDS: Final = 5.0
_MOST_SECONDS: Final = 30.0
# The maximum numbers of idle connections: to a target, and to all.
_OF_TARGET: Final = 12
_OF_ALL: Final = 128


@dataclass(frozen=True, slots=True)
class TargetConnection:
    """A client with at most one connection, to the first of these addresses that accepts one.

    `opened_at` is the loop time at which the addresses were checked.
    """

    client: httpx2.AsyncClient
    addresses: Sequence[Address]
    opened_at: float

    @classmethod
    def new(cls, context: ssl.SSLContext, addresses: Sequence[Address]) -> "TargetConnection":
        """A connection that its first request opens."""
        client = httpx2.AsyncClient(
            verify=context,
            trust_env=False,
            limits=httpx2.Limits(max_connections=1, keepalive_expiry=_IDLE_SECONDS),
        )
        return cls(client, addresses, _now())


class KeptConnections:
    """The idle connections of a process."""

    def __init__(self) -> None:
        # By host and port; the last one was used last.
        self._idle: dict[tuple[str, int | None], list[tuple[TargetConnection, float]]] = {}
        self._number = 0
        self._closing: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None

    def take(self, url: httpx2.URL) -> TargetConnection | None:
        """A connection to the host and port, which is then kept no longer."""
        idle = self._idle.get((url.host, url.port), [])
        while idle:
            connection, kept_at = idle.pop()
            self._number -= 1
            now = _now()
            if now < min(kept_at + _IDLE_SECONDS, connection.opened_at + _MOST_SECONDS):
                return connection
            self._close(connection)
        return None

    def keep(self, url: httpx2.URL, connection: TargetConnection) -> None:
        """Keeps a connection whose last answer was read, or closes it."""
        idle = self._idle.setdefault((url.host, url.port), [])
        if len(idle) >= _OF_TARGET or self._number >= _OF_ALL:
            self._close(connection)
            return
        idle.append((connection, _now()))
        self._number += 1
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_IDLE_SECONDS, self._sweep)

    async def close(self) -> None:
        """Closes all idle connections."""
        self._sweep(until=_now())
        if self._timer is not None:
            self._timer.cancel()
        if self._closing:
            await asyncio.wait(self._closing)

    def _sweep(self, until: float | None = None) -> None:
        """Closes the connections that have been idle for too long, and comes again."""
        until = _now() - _IDLE_SECONDS if until is None else until
        for key, idle in [*self._idle.items()]:
            for connection, kept_at in idle:
                if kept_at <= until:
                    self._close(connection)
                    self._number -= 1
            idle[:] = [each for each in idle if each[1] > until]
            if not idle:
                del self._idle[key]
        self._timer = None
        if self._idle:
            self._timer = asyncio.get_running_loop().call_later(1, self._sweep)

    def _close(self, connection: TargetConnection) -> None:
        task = asyncio.ensure_future(connection.client.aclose())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)


def _now() -> float:
    return asyncio.get_running_loop().time()
