"""The reasons why a delivery fails, with a remedy for each.

The rule: only a bounded, printable part of a server's reply is passed on, no reply to a password,
and no text that contains the password, or a part of an access token.
"""

import enum
import re
from base64 import b64encode
from collections.abc import Mapping
from typing import Final, Self

from aiosmtplib import (
    SMTPAuthenticationError,
    SMTPRecipientRefused,
    SMTPResponse,
    SMTPResponseException,
)

from server.deliveries.smtp.destination import DeliveryError, Destination
from server.deliveries.smtp.words import advice_of_login
from server.values.names import printable_line

MAX_SERVER_TEXT = 200
# The length of the parts of an access token that no text may have.
_PART: Final = 16

_ENHANCED_CODE = re.compile(r"[245]\.\d{1,3}\.\d{1,3}(?=\s|$)")
# Of Exchange Online, in reply to the message: the user may not send from the sender's address.
_SEND_AS_DENIED: Final = "5.2.252"
# Sender not authorized, or a bad sender address (RFC 3463, sections 3.2 and 3.8).
_OF_SENDER = re.compile(r"5\.7\.|5\.1\.[78]$")


class SMTPReason(enum.StrEnum):
    """The reasons of a failed step."""

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
    CERTIFICATE_NOT_CONFORMANT = "CERTIFICATE_NOT_CONFORMANT"
    CA_FILE_UNREADABLE = "CA_FILE_UNREADABLE"
    TLS_REQUIRED = "TLS_REQUIRED"
    TOKEN_ENDPOINT_FAILED = "TOKEN_ENDPOINT_FAILED"  # noqa: S105 -- a name
    TOKEN_REFUSED = "TOKEN_REFUSED"  # noqa: S105 -- a name
    TOKEN_ANSWER_INVALID = "TOKEN_ANSWER_INVALID"  # noqa: S105 -- a name
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


# Permanent for this message: retries are useless. If the configuration is wrong, sender included,
# mail waits until an operator corrects it.
_PERMANENT = frozenset(
    {
        SMTPReason.RECIPIENT_REFUSED,
        SMTPReason.MESSAGE_REFUSED,
        SMTPReason.MESSAGE_TOO_LARGE,
        SMTPReason.SMTPUTF8_NOT_OFFERED,
        SMTPReason.ADDRESS_NOT_SENDABLE,
    }
)

_ADVICE: Mapping[SMTPReason, str] = {
    SMTPReason.NAME_NOT_FOUND: "Correct the name in host.",
    SMTPReason.NAME_LOOKUP_FAILED: "Check the DNS servers of the machine that Keystead runs on.",
    SMTPReason.ADDRESS_NOT_ALLOWED: "Set host to a public server. If this server is yours, add its"
    " address or network to KEYSTEAD_SMTP_ALLOWED_NETWORKS (for servers of organizations:"
    " KEYSTEAD_SMTP_ORG_ALLOWED_NETWORKS) and restart Keystead.",
    SMTPReason.CONNECTION_REFUSED: "Nothing listens there: correct the port in host (587 with"
    " STARTTLS, 465 with implicit TLS, 25 between servers), or start the server.",
    SMTPReason.HOST_UNREACHABLE: "Check the network and the routes of the machine that Keystead"
    " runs on.",
    SMTPReason.TIMEOUT: "Check that no firewall drops connections from here to this host and port"
    " (many networks block port 25; 587 and 465 mostly work), then try again.",
    SMTPReason.NO_ANSWER: "If the server sent nothing, no SMTP server listens on this port: use"
    " 587, 465 or 25. Otherwise see the server's log.",
    SMTPReason.CONNECTION_LOST: "Try again; if it happens again, see the server's log.",
    SMTPReason.NOT_SMTP: "The server does not speak SMTP: correct the host and the port.",
    SMTPReason.GREETING_REFUSED: "The server refuses mail from this machine: ask its operator, or"
    " set KEYSTEAD_SMTP_GREETING_NAME to the DNS name of this machine.",
    SMTPReason.IMPLICIT_TLS_EXPECTED: "The server expects implicit TLS, which Keystead uses on port"
    " 465 only: set host to port 465 of the server and tls to true, or set host to its port for"
    " STARTTLS, usually 587.",
    SMTPReason.IMPLICIT_TLS_NOT_OFFERED: "Keystead uses implicit TLS on port 465, but the server"
    " does not: set host to the server's port for STARTTLS, usually 587.",
    SMTPReason.STARTTLS_NOT_OFFERED: "Set host to another port of the server, usually 587 or 465."
    " On a network that you trust, set tls to false, without a user, and KEYSTEAD_REQUIRE_TLS to"
    " false.",
    SMTPReason.STARTTLS_REFUSED: "Try again; if it happens again, the server's TLS is"
    " misconfigured.",
    SMTPReason.TLS_FAILED: "The server must support TLS 1.2 or newer; ask its operator.",
    SMTPReason.CERTIFICATE_EXPIRED: "The operator of the server must renew its certificate.",
    SMTPReason.CERTIFICATE_NOT_YET_VALID: "Check the clocks of both machines.",
    SMTPReason.CERTIFICATE_NAME_MISMATCH: "Set host to the name in the certificate, or get a"
    " certificate for this name.",
    SMTPReason.CERTIFICATE_NOT_TRUSTED: "If the certificate is self-signed or from your own"
    " authority, add it or the authority's to KEYSTEAD_SMTP_CA_FILE. Otherwise the server must send"
    " the intermediate certificates of its chain as well.",
    SMTPReason.CA_FILE_UNREADABLE: "Set KEYSTEAD_SMTP_CA_FILE to a PEM file that Keystead can"
    " read.",
    SMTPReason.TLS_REQUIRED: "A password is never sent in plaintext: set tls to true and use a port"
    " with TLS, usually 587 or 465, or leave user and password empty.",
    SMTPReason.TOKEN_ENDPOINT_FAILED: "Correct the token endpoint with SetSMTPOAuth. If it is"
    " yours, add its address or network to KEYSTEAD_SMTP_ALLOWED_NETWORKS (for organizations:"
    " KEYSTEAD_SMTP_ORG_ALLOWED_NETWORKS), and its authority to KEYSTEAD_SMTP_CA_FILE.",
    SMTPReason.TOKEN_REFUSED: "Correct the OAuth settings with SetSMTPOAuth.",
    SMTPReason.TOKEN_ANSWER_INVALID: "The token endpoint must follow RFC 6749: correct it with"
    " SetSMTPOAuth, or ask its operator.",
    SMTPReason.AUTH_NOT_OFFERED: "Leave user and password empty if the server needs none, or use"
    " its submission port, usually 587 or 465, with tls true.",
    SMTPReason.AUTH_MECHANISM_NOT_SUPPORTED: "With a password, Keystead supports PLAIN, LOGIN and"
    " CRAM-MD5. If the server offers XOAUTH2 or OAUTHBEARER, set OAuth settings with SetSMTPOAuth;"
    " otherwise enable one of these on it, where it is often called SMTP AUTH or app passwords.",
    SMTPReason.AUTH_FAILED: "Correct user and password. Many providers require the mail address as"
    " the user, and an app password in place of the account password. Microsoft and Google take no"
    " password: use SetSMTPOAuth.",
    SMTPReason.AUTH_REQUIRED: "Set the user and password that the server knows.",
    SMTPReason.TEMPORARILY_REFUSED: "This may be temporary: try again later.",
    SMTPReason.SENDER_REFUSED: "Set sender_address to an address that this server and this user may"
    " send from. If the reply mentions relaying or login, set user and password.",
    SMTPReason.RECIPIENT_REFUSED: "Correct the address. If it is correct, ask the operator of the"
    " server why it is refused.",
    SMTPReason.MESSAGE_REFUSED: "The server refuses the message, perhaps as spam: ask its operator,"
    " and check SPF, DKIM and DMARC of the sender's domain.",
    SMTPReason.MESSAGE_TOO_LARGE: "Raise the limit of the server, or make the templates smaller.",
    SMTPReason.SMTPUTF8_NOT_OFFERED: "Use an address with an ASCII local part, or a server that"
    " offers SMTPUTF8.",
    SMTPReason.ADDRESS_NOT_SENDABLE: "Correct the address.",
}


def failure(
    step: str,
    reason: SMTPReason,
    observed: str,
    *,
    advice: str | None = None,
    is_ours: bool = False,
) -> DeliveryError:
    """The error of a failed step: the observation, as a sentence, and the remedy.

    `advice` replaces the remedy of the reason. `is_ours`: a setting causes the failure, so it is
    never permanent for this mail.
    """
    is_permanent = reason in _PERMANENT and not is_ours
    return DeliveryError(
        step, reason, f"{observed} {advice or _ADVICE[reason]}", is_permanent=is_permanent
    )


# The reason of a permanent refusal, by step, unless the reply code is more precise.
_REFUSALS: Mapping[str, SMTPReason] = {
    "greeting": SMTPReason.GREETING_REFUSED,
    "tls": SMTPReason.STARTTLS_REFUSED,
    "auth": SMTPReason.AUTH_FAILED,
    "sender": SMTPReason.SENDER_REFUSED,
    "recipient": SMTPReason.RECIPIENT_REFUSED,
    "message": SMTPReason.MESSAGE_REFUSED,
}


def token_not_accepted(
    destination: Destination, error: SMTPAuthenticationError, said: "ServerText"
) -> DeliveryError:
    """The error of a login with an access token, in the words of the server."""
    response = SMTPResponse(error.code, error.message)
    reason = _reason("auth", error.code, _enhanced_code(response))
    observed = f"The mailbox {destination.user} was refused: {said(response)}."
    advice = advice_of_login(f"{error.code} {error.message}")
    return failure("auth", reason, observed, advice=advice if error.code >= 500 else None)


def explained(
    step: str, error: Exception, destination: Destination, said: "ServerText"
) -> DeliveryError:
    """Converts an exception of the library, raised in a step on an open connection."""
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
        case OSError():  # includes SMTPServerDisconnected
            return failure(step, SMTPReason.CONNECTION_LOST, "The server ended the connection.")
        case _:
            return failure(step, SMTPReason.NOT_SMTP, "The answer is not valid SMTP.")


def _refused(
    command: str, error: SMTPResponseException, said: "ServerText", *, about: str
) -> DeliveryError:
    response = SMTPResponse(error.code, error.message)
    text = said.code_only(response) if command == "auth" else said(response)
    step = "message" if command == "recipient" else command
    reason = _reason(command, error.code, _enhanced_code(response))
    return failure(step, reason, f"{about} was refused: {text}.")


def _reason(command: str, code: int, enhanced: str) -> SMTPReason:
    # RFC 5321, section 4.2; RFC 3463 for the enhanced codes.
    if not 400 <= code <= 599:
        return SMTPReason.NOT_SMTP
    if code == 530 and command in ("sender", "recipient", "message"):
        return SMTPReason.AUTH_REQUIRED
    if code < 500:
        return SMTPReason.TEMPORARILY_REFUSED
    # In reply to RCPT, 552 means that the mailbox is full.
    if enhanced in ("5.3.4", "5.2.3") or (code == 552 and command in ("sender", "message")):
        return SMTPReason.MESSAGE_TOO_LARGE
    # Many servers, such as postfix, check the sender only when they know a recipient.
    if command == "recipient" and _OF_SENDER.match(enhanced):
        return SMTPReason.SENDER_REFUSED
    if enhanced == _SEND_AS_DENIED:
        return SMTPReason.SENDER_REFUSED
    return _REFUSALS[command]


def _enhanced_code(response: SMTPResponse) -> str:
    match = _ENHANCED_CODE.match(response.message)
    return match.group() if match else ""


class ServerText:
    """Makes replies of servers safe to show."""

    def __init__(self) -> None:
        self._forbidden: list[str] = []
        # No part of these may be shown, since servers cut long lines.
        self._long: list[str] = []

    @classmethod
    def of(cls, destination: Destination) -> Self:
        """Hides replies that repeat the password."""
        said, user, password = cls(), destination.user, destination.password
        if password:
            forms = (password, _base64(password), _base64(f"\0{user}\0{password}"))
            said._forbidden = [_squeezed(form) for form in forms]
        return said

    def hide(self, secret: str) -> None:
        """Hides replies that repeat this secret, or a part of it."""
        self._forbidden.append(_squeezed(secret))
        # base64 depends on the position in the text before it.
        encoded = (_base64(secret[start:]) for start in range(3))
        self._long += map(_squeezed, (secret, *encoded))

    def __call__(self, response: SMTPResponse) -> str:
        """The code and the text of a reply, in quotes."""
        return f'"{response.code} {self.clean(response.message)}"'

    def code_only(self, response: SMTPResponse) -> str:
        """The code of a reply, and its enhanced code if present."""
        return f'"{response.code} {_enhanced_code(response)}'.rstrip() + '"'

    def clean(self, text: str) -> str:
        """A printable line of at most MAX_SERVER_TEXT characters without a secret.

        Servers may echo their input, also in base64.
        """
        squeezed, shown = _squeezed(text), printable_line(text)[:MAX_SERVER_TEXT]
        if any(form in squeezed for form in self._forbidden) or self._has_part(_squeezed(shown)):
            return "(not shown: it repeats a secret)"
        return shown

    def _has_part(self, text: str) -> bool:
        parts = [text[start : start + _PART] for start in range(len(text) - _PART + 1)]
        return any(part in secret for secret in self._long for part in parts)


def _base64(text: str) -> str:
    # Without padding, which an echo may lack.
    return b64encode(text.encode()).decode().rstrip("=")


def _squeezed(text: str) -> str:
    """The text in lower case and without white space, so that line breaks hide no echo."""
    return "".join(text.split()).casefold()
