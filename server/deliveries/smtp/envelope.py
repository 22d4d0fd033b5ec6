"""The content of an SMTP transaction: addresses, and the bytes of a message.

The rule: a transaction requires as few extensions of the server as possible. aiosmtplib converts a
bare CR or LF to CRLF, so that all servers see the same line ends (SMTP smuggling).
"""

import re
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import localtime, make_msgid
from typing import Final

from server.deliveries.smtp.destination import Destination
from server.deliveries.smtp.failures import SMTPReason, failure
from server.deliveries.smtp.headers import MAIL, header_address
from server.values.mail_address import ascii_domain, with_ascii_domain

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Envelope:
    """Sender and recipient for MAIL and RCPT; `needs_utf8` requires SMTPUTF8 (RFC 6531)."""

    sender: str
    recipient: str
    needs_utf8: str | None


def envelope(message: EmailMessage, *, sender: str, recipient: str) -> Envelope:
    """Raises DeliveryError ADDRESS_NOT_SENDABLE, permanent only for the recipient's address."""
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
            SMTPReason.ADDRESS_NOT_SENDABLE,
            f"{address} has an invalid domain.",
            is_ours=is_ours,
        ) from None


def content(message: EmailMessage, *, utf8: bool) -> bytes:
    """The bytes of the message. The body is ASCII; the headers are too, unless `utf8`.

    Raises DeliveryError ADDRESS_NOT_SENDABLE if a header has a control character, as an encoded
    word of a name or a subject may: releases of Python differ in the lines that they write then.
    """
    if any(_CONTROL.search(str(value)) for value in message.values()):
        raise failure(
            "sender", SMTPReason.ADDRESS_NOT_SENDABLE, "A name or an address would add headers."
        )
    return message.as_bytes(policy=MAIL.clone(utf8=utf8, cte_type="7bit"))


def trial_message(destination: Destination, receiver_address: str) -> EmailMessage:
    """The message of an SMTP test."""
    message = EmailMessage(MAIL)
    sender = destination.sender_address
    message["From"] = header_address(sender, destination.sender_name)
    message["To"] = header_address(receiver_address)
    message["Subject"] = "Test of the SMTP configuration"
    message["Date"] = localtime()
    message["Message-ID"] = make_msgid(domain=ascii_domain(sender.rpartition("@")[2]))
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: prevents automatic replies
    message.set_content(
        f"{destination.sender_name} can send mail to you: this is the proof.\n\n"
        "Somebody tried the SMTP configuration of Keystead with your address.\n"
    )
    return message
