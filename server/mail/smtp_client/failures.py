"""Why a delivery fails: the one list of reasons, and what to change for each.

The rule: of what a server says only a bounded, printable part is passed on, nothing at all of what
it says to a password, and nothing in which the password can be found.
"""

import enum
import re
from base64 import b64encode
from collections.abc import Mapping

from aiosmtplib import SMTPRecipientRefused, SMTPResponse, SMTPResponseException

from server.mail.delivery import DeliveryError, Destination

MAX_SERVER_TEXT = 200

_ENHANCED_CODE = re.compile(r"[245]\.\d{1,3}\.\d{1,3}(?=\s|$)")
# Not authorized, or a sender's address that is no good (RFC 3463, sections 3.2 and 3.8).
_OF_SENDER = re.compile(r"5\.7\.|5\.1\.[78]$")


class Reason(enum.StrEnum):
    """Every reason that a step can fail for."""

    NAME_NOT_FOUND = "NAME_NOT_FOUND"
    NAME_LOOKUP_FAILED = "NAME_LOOKUP_FAILED"
    ADDRESS_NOT_ALLOWED = "ADDRESS_NOT_ALLOWED"
    CONNECTION_REFUSED = "CONNECTION_REFUSED"
    HOST_UNREACHABLE = "HOST_UNREACHABLE"
    TIMEOUT = "TIMEOUT"
    NO_ANSWER = "NO_ANSWER"
    CONNECTION_LOST = "CONNECTION_LOST"
    NOT_SMTP = "NOT_SMTP"
    GREETING_REFUSED = "GREETING_REFUSED"
    IMPLICIT_TLS_EXPECTED = "IMPLICIT_TLS_EXPECTED"
    IMPLICIT_TLS_NOT_OFFERED = "IMPLICIT_TLS_NOT_OFFERED"
    STARTTLS_NOT_OFFERED = "STARTTLS_NOT_OFFERED"
    STARTTLS_REFUSED = "STARTTLS_REFUSED"
    TLS_FAILED = "TLS_FAILED"
    CERTIFICATE_EXPIRED = "CERTIFICATE_EXPIRED"
    CERTIFICATE_NOT_YET_VALID = "CERTIFICATE_NOT_YET_VALID"
    CERTIFICATE_NAME_MISMATCH = "CERTIFICATE_NAME_MISMATCH"
    CERTIFICATE_NOT_TRUSTED = "CERTIFICATE_NOT_TRUSTED"
    CA_FILE_UNREADABLE = "CA_FILE_UNREADABLE"
    TLS_REQUIRED = "TLS_REQUIRED"
    AUTH_NOT_OFFERED = "AUTH_NOT_OFFERED"
    AUTH_MECHANISM_NOT_SUPPORTED = "AUTH_MECHANISM_NOT_SUPPORTED"
    AUTH_FAILED = "AUTH_FAILED"
    AUTH_REQUIRED = "AUTH_REQUIRED"
    TEMPORARILY_REFUSED = "TEMPORARILY_REFUSED"
    SENDER_REFUSED = "SENDER_REFUSED"
    RECIPIENT_REFUSED = "RECIPIENT_REFUSED"
    MESSAGE_REFUSED = "MESSAGE_REFUSED"
    MESSAGE_TOO_LARGE = "MESSAGE_TOO_LARGE"
    SMTPUTF8_NOT_OFFERED = "SMTPUTF8_NOT_OFFERED"
    ADDRESS_NOT_SENDABLE = "ADDRESS_NOT_SENDABLE"


# What stands against this very message, so that trying it again changes nothing. With a wrong
# configuration, sender included, mail waits until somebody has put it right.
_PERMANENT = frozenset(
    {
        Reason.RECIPIENT_REFUSED,
        Reason.MESSAGE_REFUSED,
        Reason.MESSAGE_TOO_LARGE,
        Reason.SMTPUTF8_NOT_OFFERED,
        Reason.ADDRESS_NOT_SENDABLE,
    }
)

_ADVICE: Mapping[Reason, str] = {
    Reason.NAME_NOT_FOUND: "Correct the name in host.",
    Reason.NAME_LOOKUP_FAILED: "Check the DNS servers of the machine that Keystead runs on.",
    Reason.ADDRESS_NOT_ALLOWED: "Name a public server in host, or, if this one is yours, add its"
    " address or network to KEYSTEAD_SMTP_ALLOWED_NETWORKS and restart Keystead.",
    Reason.CONNECTION_REFUSED: "Nothing listens there: correct the port in host (587 with STARTTLS,"
    " 465 with implicit TLS, 25 between servers), or start the server.",
    Reason.HOST_UNREACHABLE: "Check the network and the routes of the machine that Keystead runs"
    " on.",
    Reason.TIMEOUT: "Check that no firewall drops connections from here to this host and port (many"
    " networks block port 25; 587 and 465 mostly work), then try again.",
    Reason.NO_ANSWER: "If nothing at all was answered, no SMTP server listens on this port: mail is"
    " taken on 587, 465 or 25. Otherwise the server's log says what it waits for.",
    Reason.CONNECTION_LOST: "Try again; if it happens again, the server's log says why.",
    Reason.NOT_SMTP: "What answers is no SMTP server: correct the host and the port.",
    Reason.GREETING_REFUSED: "The server does not want mail from this machine: ask who runs it, or"
    " set KEYSTEAD_SMTP_GREETING_NAME to the name that this machine has in DNS.",
    Reason.IMPLICIT_TLS_EXPECTED: "It expects TLS from the first byte, which Keystead does on port"
    " 465 alone: write the server's port 465 into host with tls true, or its port for STARTTLS,"
    " mostly 587.",
    Reason.IMPLICIT_TLS_NOT_OFFERED: "On port 465 Keystead speaks TLS from the first byte, and what"
    " answers does not: write the server's port for STARTTLS into host, mostly 587.",
    Reason.STARTTLS_NOT_OFFERED: "Write another port of the server into host, mostly 587 or 465; or"
    " set tls to false, without a user, if it is reached over a network that you trust.",
    Reason.STARTTLS_REFUSED: "Try again; if it happens again, the server's TLS is not set up.",
    Reason.TLS_FAILED: "The server must speak TLS 1.2 or newer; ask who runs it.",
    Reason.CERTIFICATE_EXPIRED: "Whoever runs the server must renew its certificate.",
    Reason.CERTIFICATE_NOT_YET_VALID: "Check the clocks of both machines.",
    Reason.CERTIFICATE_NAME_MISMATCH: "Write the name that the certificate was issued for into"
    " host, or have one issued for this name.",
    Reason.CERTIFICATE_NOT_TRUSTED: "If the server has a certificate of your own authority or a"
    " self-signed one, put that into the file of KEYSTEAD_SMTP_CA_FILE; otherwise its chain is"
    " incomplete, and whoever runs it must send the intermediate certificates too.",
    Reason.CA_FILE_UNREADABLE: "Correct KEYSTEAD_SMTP_CA_FILE: it must name a PEM file that"
    " Keystead can read.",
    Reason.TLS_REQUIRED: "A password is never sent over a clear connection: set tls to true"
    " and use a port with TLS, mostly 587 or 465, or leave user and password empty.",
    Reason.AUTH_NOT_OFFERED: "Leave user and password empty if the server needs none, or use its"
    " submission port, mostly 587 or 465, with tls true.",
    Reason.AUTH_MECHANISM_NOT_SUPPORTED: "Keystead knows PLAIN, LOGIN and CRAM-MD5: enable one of"
    " them on the server, mostly under the name of SMTP AUTH or app passwords.",
    Reason.AUTH_FAILED: "Correct user and password. Many providers want the whole mail address as"
    " the user, and an app password instead of that of the account.",
    Reason.AUTH_REQUIRED: "Set the user and password that the server knows.",
    Reason.TEMPORARILY_REFUSED: "This may pass: try again later.",
    Reason.SENDER_REFUSED: "Set sender_address to one that this server, and this user, may send"
    " from. If the server speaks of relaying or logging in, set the user and password it knows.",
    Reason.RECIPIENT_REFUSED: "Correct the address. If it is right, ask who runs the server why it"
    " takes no mail for it.",
    Reason.MESSAGE_REFUSED: "The server takes it for unwanted mail or has a reason of its own: ask"
    " who runs it, and check SPF, DKIM and DMARC of the sender's domain.",
    Reason.MESSAGE_TOO_LARGE: "Have the limit of the server raised, or the templates made smaller.",
    Reason.SMTPUTF8_NOT_OFFERED: "Use an address whose part before the @ is ASCII, or a server that"
    " offers SMTPUTF8.",
    Reason.ADDRESS_NOT_SENDABLE: "Correct the address.",
}


def failure(step: str, reason: Reason, observed: str, *, is_ours: bool = False) -> DeliveryError:
    """A failed step: what was observed, a whole sentence, and what to change.

    `is_ours`: what a setting says is at fault, not this mail, whatever the reason.
    """
    is_permanent = reason in _PERMANENT and not is_ours
    return DeliveryError(step, reason, f"{observed} {_ADVICE[reason]}", is_permanent=is_permanent)


# What it means when a step is refused for good, unless its code says it better.
_REFUSALS: Mapping[str, Reason] = {
    "greeting": Reason.GREETING_REFUSED,
    "tls": Reason.STARTTLS_REFUSED,
    "auth": Reason.AUTH_FAILED,
    "sender": Reason.SENDER_REFUSED,
    "recipient": Reason.RECIPIENT_REFUSED,
    "message": Reason.MESSAGE_REFUSED,
}


def explained(step: str, error: Exception, destination: Destination) -> DeliveryError:
    """What an exception of the library means in a step of a connection that stood."""
    said = ServerText(destination)
    match error:
        case SMTPRecipientRefused():
            return _refused("recipient", error, said, about=f"The recipient {error.recipient}")
        case SMTPResponseException() if error.code > 0:
            about = {
                "greeting": "The connection",
                "tls": "STARTTLS",
                "auth": f"The user {destination.user}",
                "sender": f"The sender {destination.sender_address}",
                "message": "The message",
            }
            return _refused(step, error, said, about=about[step])
        case OSError():  # SMTPServerDisconnected is one
            return failure(step, Reason.CONNECTION_LOST, "The server ended the connection.")
        case _:
            return failure(step, Reason.NOT_SMTP, "The answer follows no rule of SMTP.")


def _refused(
    command: str, error: SMTPResponseException, said: "ServerText", *, about: str
) -> DeliveryError:
    response = SMTPResponse(error.code, error.message)
    text = said.code_only(response) if command == "auth" else said(response)
    step = "message" if command == "recipient" else command
    reason = _reason(command, error.code, _enhanced_code(response))
    return failure(step, reason, f"{about} was refused: {text}.")


def _reason(command: str, code: int, enhanced: str) -> Reason:
    # RFC 5321, section 4.2; RFC 3463 for the enhanced codes.
    if not 400 <= code <= 599:
        return Reason.NOT_SMTP
    if code == 530 and command in ("sender", "recipient", "message"):
        return Reason.AUTH_REQUIRED
    if code < 500:
        return Reason.TEMPORARILY_REFUSED
    # To RCPT 552 says that the mailbox is full.
    if enhanced in ("5.3.4", "5.2.3") or (code == 552 and command in ("sender", "message")):
        return Reason.MESSAGE_TOO_LARGE
    # Many servers, postfix among them, judge the sender only when they know a recipient.
    if command == "recipient" and _OF_SENDER.match(enhanced):
        return Reason.SENDER_REFUSED
    return _REFUSALS[command]


def _enhanced_code(response: SMTPResponse) -> str:
    match = _ENHANCED_CODE.match(response.message)
    return match.group() if match else ""


class ServerText:
    """What servers say, made fit to be shown."""

    def __init__(self, destination: Destination) -> None:
        user, password = destination.user, destination.password
        forms = [password, _base64(password), _base64(f"\0{user}\0{password}")] if password else []
        self._forbidden = [_squeezed(form) for form in forms]

    def __call__(self, response: SMTPResponse) -> str:
        """The code and the text of a reply, in quotes."""
        return f'"{response.code} {self.clean(response.message)}"'

    def code_only(self, response: SMTPResponse) -> str:
        """The code of a reply, with the enhanced one if it has that."""
        return f'"{response.code} {_enhanced_code(response)}'.rstrip() + '"'

    def clean(self, text: str) -> str:
        """A printable line of at most MAX_SERVER_TEXT characters without the password.

        Servers repeat what they were told, base64 and all.
        """
        squeezed = _squeezed(text)
        if any(form in squeezed for form in self._forbidden):
            return "(not shown: it repeats the password)"
        line = " ".join(text.split())
        return "".join(each if each.isprintable() else "?" for each in line)[:MAX_SERVER_TEXT]


def _base64(text: str) -> str:
    # Without the padding, which a repetition may lack.
    return b64encode(text.encode()).decode().rstrip("=")


def _squeezed(text: str) -> str:
    """Without what a reply of several lines puts in between, in one case."""
    return "".join(text.split()).casefold()
