"""What is put into an SMTP transaction: addresses and the bytes of a message.

The rule: what is sent needs as little of the server as it can. A bare CR or LF, which would end a
line for one server and not for the next (SMTP smuggling), aiosmtplib makes CRLF when it sends.
"""

from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8
from email.utils import localtime, make_msgid

from server.delivery import Destination
from server.smtp.failures import Reason, failure
from server.smtp.resolve import ascii_name


def envelope_address(address: str) -> str:
    """With its domain in ASCII, so that only the part before the @ may need SMTPUTF8 (RFC 6531).

    DeliveryError ADDRESS_NOT_SENDABLE.
    """
    local_part, _, domain = address.rpartition("@")
    try:
        return f"{local_part}@{ascii_name(domain)}"
    except ValueError:
        raise failure(
            "sender", Reason.ADDRESS_NOT_SENDABLE, f"{address} has no domain that DNS can know."
        ) from None


def content(message: EmailMessage, *, utf8: bool) -> bytes:
    """The message as it is sent. Its body is ASCII, for every server; its headers unless `utf8`."""
    return message.as_bytes(policy=(SMTPUTF8 if utf8 else SMTP).clone(cte_type="7bit"))


def trial_message(destination: Destination, receiver_address: str) -> EmailMessage:
    """What a trial sends."""
    message = EmailMessage()
    sender = destination.sender_address
    message["From"] = _header_address(sender, destination.sender_name)
    message["To"] = _header_address(receiver_address)
    message["Subject"] = "Test of the SMTP configuration"
    message["Date"] = localtime()
    message["Message-ID"] = make_msgid(domain=ascii_name(sender.rpartition("@")[2]))
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no vacation notice answers it
    message.set_content(
        f"{destination.sender_name} can send mail to you: this is the proof.\n\n"
        "Somebody tried the SMTP configuration of Keystead with your address.\n"
    )
    return message


def _header_address(address: str, name: str = "") -> Address:
    local_part, _, domain = address.rpartition("@")
    return Address(name, local_part, ascii_name(domain))
