"""The TCP connection to an SMTP server, to the first of its addresses that answers.

The rule: connects to the given addresses only, never to a name.
"""

import asyncio
import socket
from collections.abc import Sequence

from server.deliveries.smtp.destination import DeliveryError
from server.deliveries.smtp.failures import SMTPReason, failure
from server.net.resolve import Address


async def connected_to_first(
    addresses: Sequence[Address], *, until: float, place: str
) -> tuple[socket.socket, Address]:
    """A socket to the first address that answers.

    The addresses get equal shares of the time before `until` (loop time). Raises DeliveryError
    CONNECTION_REFUSED, HOST_UNREACHABLE or TIMEOUT, which names the server as `place`.
    """
    loop = asyncio.get_running_loop()
    errors: list[tuple[Address, OSError]] = []
    for number, address in enumerate(addresses):
        share = (until - loop.time()) / (len(addresses) - number)
        try:
            async with asyncio.timeout(share):
                return await connected(address), address
        except OSError as error:  # includes TimeoutError
            errors.append((address, error))
    raise _not_connected(place, errors)


async def connected(address: Address) -> socket.socket:
    """A socket to this address. Raises OSError."""
    connection = socket.socket(address.family, socket.SOCK_STREAM)
    connection.setblocking(False)
    try:
        await asyncio.get_running_loop().sock_connect(connection, address.sockaddr)
    except BaseException:
        connection.close()
        raise
    return connection


def _not_connected(place: str, errors: Sequence[tuple[Address, OSError]]) -> DeliveryError:
    """The most specific error decides: first a refusal, then a timeout."""
    kinds = (
        (ConnectionRefusedError, SMTPReason.CONNECTION_REFUSED, "refused the connection"),
        (TimeoutError, SMTPReason.TIMEOUT, "did not answer in time"),
        (OSError, SMTPReason.HOST_UNREACHABLE, "cannot be reached"),
    )
    kind, reason, observed = next(
        each for each in kinds if any(isinstance(error, each[0]) for _, error in errors)
    )
    addresses = ", ".join(str(address) for address, error in errors if isinstance(error, kind))
    return failure("connect", reason, f"{place} at {addresses} {observed}.")
