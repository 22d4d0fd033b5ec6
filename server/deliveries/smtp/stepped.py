"""aiosmtplib's client, which connects and reads the greeting in separate steps.

The rule: this file alone uses parts of aiosmtplib that its documentation does not promise: its
protocol, and the attributes `protocol` and `transport`. `tests/test_libraries.py` fails when they
change.
"""

import asyncio
import contextlib
import socket
import ssl
from typing import cast

from aiosmtplib import SMTP, SMTPResponse, SMTPServerDisconnected
from aiosmtplib.protocol import SMTPProtocol

from server.deliveries.smtp import tls


class SteppedSMTP(SMTP):
    """A client without time limits of its own."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    async def open(
        self, sock: socket.socket | None, context: ssl.SSLContext | None, name: str
    ) -> None:
        """Starts the protocol, with implicit TLS to `name` if there is a context."""
        protocol = SMTPProtocol()
        transport, _ = await asyncio.get_running_loop().create_connection(
            lambda: protocol, sock=sock, ssl=context, server_hostname=name if context else None
        )
        self.protocol, self.transport = protocol, transport

    async def first_reply(self) -> SMTPResponse:
        """Reads the greeting."""
        if self.protocol is None:
            raise SMTPServerDisconnected("before the greeting")
        return await self.protocol.read_response()

    async def speaks_tls(self) -> bool:
        """Whether a silent server answers a TLS handshake. Ends the connection if it does."""
        if self.protocol is None:
            return False
        transport = cast(asyncio.WriteTransport, self.protocol.transport)
        try:
            encrypted = await asyncio.get_running_loop().start_tls(
                transport, self.protocol, tls.encrypting()
            )
        except OSError:
            return False
        if encrypted is not None:
            encrypted.abort()
        return True

    def leave(self) -> None:
        """Sends QUIT, without waiting for the reply, and closes the connection."""
        if self.protocol is not None:
            with contextlib.suppress(SMTPServerDisconnected):
                self.protocol.write(b"QUIT\r\n")
        self.close()
