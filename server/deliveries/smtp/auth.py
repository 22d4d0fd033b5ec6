"""Authentication to SMTP servers (RFC 4954), by a password or an access token.

The rule: a wrong password is tried once, because further attempts could lock the account.
"""

import binascii
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from typing import Final

from aiosmtplib import SMTP, SMTPAuthenticationError, SMTPResponse

from server.deliveries.smtp.destination import Destination

# In order of preference. Every server implements PLAIN correctly; servers that store only hashes of
# passwords may offer CRAM-MD5 although they cannot verify it.
MECHANISMS = ("plain", "login", "cram-md5")
# Exchange Online offers XOAUTH2 alone. Gmail offers both, and documents XOAUTH2:
# https://github.com/curl/curl/issues/10259 and
# https://developers.google.com/workspace/gmail/imap/xoauth2-protocol
TOKEN_MECHANISMS: Final = ("xoauth2", "oauthbearer")
# The client's answer to an error, which the server sends as a challenge (RFC 7628, section 3.2.3).
_END: Mapping[str, bytes] = {"xoauth2": b"", "oauthbearer": b"AQ=="}
# The server refuses this mechanism (section 6) and may accept the next one.
_WRONG_MECHANISM = frozenset({500, 501, 502, 503, 504, 534, 538})
_ACCEPTED, _CONTINUED = 235, 334


async def log_in(smtp: SMTP, destination: Destination, mechanisms: Sequence[str]) -> str:
    """Logs in; returns the first mechanism that the server accepts. SMTPAuthenticationError."""
    methods = {
        "plain": smtp.auth_plain,
        "login": smtp.auth_login,
        "cram-md5": smtp.auth_crammd5,
    }
    for mechanism in mechanisms[:-1]:
        try:
            await methods[mechanism](destination.user, destination.password)
        except SMTPAuthenticationError as error:
            if error.code not in _WRONG_MECHANISM:
                raise
        else:
            return mechanism
    await methods[mechanisms[-1]](destination.user, destination.password)
    return mechanisms[-1]


async def log_in_with_token(
    smtp: SMTP, destination: Destination, mechanisms: Sequence[str], token: str
) -> str:
    """Logs in with an access token; returns the first mechanism that the server accepts.

    SMTPAuthenticationError, whose message contains the error that the server explained.
    """
    for mechanism in mechanisms[:-1]:
        response = await _offered(smtp, destination, mechanism, token)
        if response.code == _ACCEPTED:
            return mechanism
        if response.code not in _WRONG_MECHANISM:
            raise SMTPAuthenticationError(response.code, response.message)
    response = await _offered(smtp, destination, mechanisms[-1], token)
    if response.code != _ACCEPTED:
        raise SMTPAuthenticationError(response.code, response.message)
    return mechanisms[-1]


async def _offered(
    smtp: SMTP, destination: Destination, mechanism: str, token: str
) -> SMTPResponse:
    """The server's reply to the token."""
    first = b64encode(initial_response(mechanism, destination, token))
    response = await smtp.execute_command(b"AUTH", mechanism.upper().encode(), first)
    if response.code != _CONTINUED:
        return response
    explained = _decoded(response.message)
    response = await smtp.execute_command(_END[mechanism])
    return SMTPResponse(response.code, f"{response.message} {explained}")


def initial_response(mechanism: str, destination: Destination, token: str) -> bytes:
    """The client's first message of XOAUTH2 or OAUTHBEARER (RFC 7628, section 3.1)."""
    bearer = f"auth=Bearer {token}\1\1"
    if mechanism == "xoauth2":
        return f"user={destination.user}\1{bearer}".encode()
    name = destination.user.replace("=", "=3D").replace(",", "=2C")  # RFC 5801, section 4
    place = f"host={destination.host}\1port={destination.port}\1"
    return f"n,a={name},\1{place}{bearer}".encode()


def _decoded(challenge: str) -> str:
    try:
        return b64decode(challenge, validate=True).decode(errors="replace")
    except binascii.Error:
        return challenge
