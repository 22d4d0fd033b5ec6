"""What is put into an SMTP transaction: addresses and the bytes of a message.

The rule: what is sent needs as little of the server as it can. A bare CR or LF, which would end a
line for one server and not for the next (SMTP smuggling), aiosmtplib makes CRLF when it sends.
"""

from dataclasses import dataclass
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.utils import localtime, make_msgid

from server.mail.delivery import Destination
from server.mail.headers import MAIL, header_address
from server.mail.smtp_client.failures import Reason, failure
from server.values.mail_address import ascii_domain, with_ascii_domain


@dataclass(frozen=True, slots=True)
class Envelope:
    """Who sends to whom, as MAIL and RCPT say it; `needs_utf8` (RFC 6531) is one that does."""

    sender: str
    recipient: str
    needs_utf8: str | None


def envelope(message: EmailMessage, *, sender: str, recipient: str) -> Envelope:
    """DeliveryError ADDRESS_NOT_SENDABLE, for good only if that is the recipient's."""
    addresses = [
        _sendable(sender, is_ours=True),
        _sendable(recipient, is_ours=False),
        str(message.get("Reply-To", "")),
    ]
    beyond_ascii = [each for each in addresses if not each.isascii()]
    return Envelope(addresses[0], addresses[1], beyond_ascii[0] if beyond_ascii else None)


def _sendable(address: str, *, is_ours: bool) -> str:
    try:
        return with_ascii_domain(address)
    except ValueError:
        raise failure(
            "sender",
            Reason.ADDRESS_NOT_SENDABLE,
            f"{address} has no domain that DNS can know.",
            is_ours=is_ours,
        ) from None


def content(message: EmailMessage, *, utf8: bool) -> bytes:
    """The message as it is sent. Its body is ASCII, for every server; its headers unless `utf8`.

    DeliveryError ADDRESS_NOT_SENDABLE when a reader would see other headers than were written.
    """
    written = message.as_bytes(policy=MAIL.clone(utf8=utf8, cte_type="7bit"))
    # `email` decodes encoded words wherever they stand (seen in Python 3.11), line breaks included.
    if BytesHeaderParser().parsebytes(written).keys() != message.keys():
        raise failure("sender", Reason.ADDRESS_NOT_SENDABLE, "A text would break the headers.")
    return written


def trial_message(destination: Destination, receiver_address: str) -> EmailMessage:
    """What a trial sends."""
    message = EmailMessage(MAIL)
    sender = destination.sender_address
    message["From"] = header_address(sender, destination.sender_name)
    message["To"] = header_address(receiver_address)
    message["Subject"] = "Test of the SMTP configuration"
    message["Date"] = localtime()
    message["Message-ID"] = make_msgid(domain=ascii_domain(sender.rpartition("@")[2]))
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no vacation notice answers it
    message.set_content(
        f"{destination.sender_name} can send mail to you: this is the proof.\n\n"
        "Somebody tried the SMTP configuration of Keystead with your address.\n"
    )
    return message
