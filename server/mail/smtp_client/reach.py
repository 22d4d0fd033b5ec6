"""The TCP connection to an SMTP server: which of its addresses answers.

The rule: what is connected to is one of the addresses that were given, never a name.
"""

import asyncio
import socket
from collections.abc import Sequence

from server.mail.delivery import DeliveryError
from server.mail.smtp_client.failures import Reason, failure
from server.mail.smtp_client.resolve import Address


async def connected_to_first(
    addresses: Sequence[Address], *, until: float, place: str
) -> tuple[socket.socket, Address]:
    """A socket to the first address that answers.

    Each has its share of the time until then (loop time). `place` names them all in DeliveryError
    CONNECTION_REFUSED, HOST_UNREACHABLE, TIMEOUT.
    """
    loop = asyncio.get_running_loop()
    errors: list[tuple[Address, OSError]] = []
    for number, address in enumerate(addresses):
        share = (until - loop.time()) / (len(addresses) - number)
        try:
            async with asyncio.timeout(share):
                return await connected(address), address
        except OSError as error:  # TimeoutError is one
            errors.append((address, error))
    raise _not_connected(place, errors)


async def connected(address: Address) -> socket.socket:
    """A socket to this address. OSError."""
    connection = socket.socket(address.family, socket.SOCK_STREAM)
    connection.setblocking(False)
    try:
        await asyncio.get_running_loop().sock_connect(connection, address.sockaddr)
    except BaseException:
        connection.close()
        raise
    return connection


def _not_connected(place: str, errors: Sequence[tuple[Address, OSError]]) -> DeliveryError:
    """The most telling one decides: that of an address which answered, then one that may."""
    kinds = (
        (ConnectionRefusedError, Reason.CONNECTION_REFUSED, "refused the connection"),
        (TimeoutError, Reason.TIMEOUT, "did not answer in time"),
        (OSError, Reason.HOST_UNREACHABLE, "cannot be reached"),
    )
    reason, what, kind = next(
        (reason, what, kind)
        for kind, reason, what in kinds
        if any(isinstance(error, kind) for _, error in errors)
    )
    addresses = ", ".join(str(address) for address, error in errors if isinstance(error, kind))
    return failure("connect", reason, f"{place} at {addresses} {what}.")
