"""A single delivery, on a connection of its own."""

from email.message import EmailMessage

from server.deliveries.smtp.connection import TransportOptions
from server.deliveries.smtp.destination import Destination
from server.deliveries.smtp.transport import Deliveries


async def deliver(
    destination: Destination, message: EmailMessage, *, recipient: str, options: TransportOptions
) -> None:
    """Delivers the message. Raises DeliveryError if the server did not accept it."""
    deliveries = Deliveries(options)
    try:
        await deliveries.deliver(destination, message, recipient=recipient)
    finally:
        deliveries.close()
