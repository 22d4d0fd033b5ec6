"""The policy server that postfix asks before it accepts a recipient and a message.

The protocol is that of postfix's access policy delegation, as greylisting uses it. Requests
for which no test has set an answer are left to postfix.
"""

import asyncio
import contextlib
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

# The times at which postfix asks: for each recipient, and before it accepts a message.
Moment: TypeAlias = Literal["RCPT", "END-OF-MESSAGE"]

_GREYLISTED = "DEFER 4.2.0 Greylisted, try again later"


class Policy:
    """Answers of the policy server, which tests choose."""

    def __init__(self) -> None:
        self._greylisted: set[str] = set()
        self._held: dict[tuple[str, Moment], tuple[asyncio.Event, asyncio.Event]] = {}

    @contextlib.asynccontextmanager
    async def serving(self, path: Path) -> AsyncIterator[None]:
        """Listens on a socket in the file system, for every user of the machine.

        Postfix must have ended before the block does.
        """
        conversations: set[asyncio.Task[None]] = set()

        def begin(reader: StreamReader, writer: StreamWriter) -> None:
            conversations.add(asyncio.create_task(self._answer(reader, writer)))

        async with await asyncio.start_unix_server(begin, sock=_listening(path)):
            yield
        await asyncio.gather(*conversations)

    @contextlib.contextmanager
    def greylisting(self, recipient: str) -> Iterator[None]:
        """Refuses the recipient for now, until the end of the block."""
        self._greylisted.add(recipient)
        try:
            yield
        finally:
            self._greylisted.remove(recipient)

    @contextlib.asynccontextmanager
    async def holding(self, recipient: str, moment: Moment) -> AsyncIterator[asyncio.Event]:
        """Holds a delivery to the recipient at the moment until the end of the block.

        Gives the event that is set once the delivery waits.
        """
        waits, may_go_on = self._held[recipient, moment] = asyncio.Event(), asyncio.Event()
        try:
            yield waits
        finally:
            del self._held[recipient, moment]
            may_go_on.set()

    async def _answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                asked = (await reader.readuntil(b"\n\n")).decode().splitlines()
                action = await self._decide(dict(line.split("=", 1) for line in asked if line))
                writer.write(f"action={action}\n\n".encode())
                await writer.drain()
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    async def _decide(self, asked: dict[str, str]) -> str:
        recipient, moment = asked["recipient"], asked["protocol_state"]
        for held, (waits, may_go_on) in list(self._held.items()):
            if held == (recipient, moment):
                waits.set()
                await may_go_on.wait()
        return _GREYLISTED if recipient in self._greylisted else "DUNNO"


def _listening(path: Path) -> socket.socket:
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    path.chmod(0o666)
    return listening
