"""Connections to targets that answer, kept for the next push.

Most of the cost of a push is the TLS handshake. A connection is used by one push at a time, and
only for the host and port for which it was opened: its certificate was verified for that name, and
its address was checked.

The rule: a host is resolved and checked again at least every `_MOST_SECONDS`.
"""

import asyncio
from typing import ClassVar, Final

import httpx2

from server.net.http_requests import HostConnection

# Deliveries of one target that are attempted at once.
AT_ONCE: Final = 24
# The longest time that the addresses of a connection are used.
_MOST_SECONDS: Final = 30.0
# The maximum number of idle connections. A target has at most those that it uses at once.
_OF_ALL: Final = 128


class KeptConnections:
    """The idle connections of a process. Each is opened with `idle_seconds`."""

    idle_seconds: ClassVar = 5.0

    def __init__(self) -> None:
        # By origin; the last one was used last.
        self._idle: dict[tuple[str, str, int | None], list[HostConnection]] = {}
        self._number = 0
        self._closing: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None

    def take(self, url: httpx2.URL) -> HostConnection | None:
        """A connection to the origin, which is then kept no longer."""
        idle = self._idle.get(_origin(url), [])
        while idle:
            connection = idle.pop()
            self._number -= 1
            if connection.is_usable and _now() < connection.checked_at + _MOST_SECONDS:
                return connection
            self._close(connection)
        return None

    def keep(self, url: httpx2.URL, connection: HostConnection) -> None:
        """Keeps a connection whose last answer was read, or closes it."""
        idle = self._idle.get(_origin(url), [])
        if not connection.is_idle or len(idle) >= AT_ONCE or self._number >= _OF_ALL:
            self._close(connection)
            return
        self._idle[_origin(url)] = [*idle, connection]
        self._number += 1
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.idle_seconds, self._sweep)

    async def close(self) -> None:
        """Closes all idle connections."""
        if self._timer is not None:
            self._timer.cancel()
        for idle in self._idle.values():
            for connection in idle:
                self._close(connection)
        self._idle.clear()
        self._number = 0
        if self._closing:
            await asyncio.wait(self._closing)

    def _sweep(self) -> None:
        """Closes the connections that are not usable any more, and comes again."""
        for key, idle in [*self._idle.items()]:
            for connection in [*idle]:
                if not connection.is_usable:
                    idle.remove(connection)
                    self._number -= 1
                    self._close(connection)
            if not idle:
                del self._idle[key]
        self._timer = None
        if self._idle:
            self._timer = asyncio.get_running_loop().call_later(1, self._sweep)

    def _close(self, connection: HostConnection) -> None:
        task = asyncio.ensure_future(connection.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


def _now() -> float:
    return asyncio.get_running_loop().time()
