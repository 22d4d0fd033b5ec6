"""Authentication to SMTP servers (RFC 4954).

The rule: a wrong password is tried once, because further attempts could lock the account.
"""

from collections.abc import Sequence

from aiosmtplib import SMTP, SMTPAuthenticationError

from server.deliveries.smtp.destination import Destination

# In order of preference. Every server implements PLAIN correctly; servers that store only hashes of
# passwords may offer CRAM-MD5 although they cannot verify it.
MECHANISMS = ("plain", "login", "cram-md5")
# The server refuses this mechanism (section 6) and may accept the next one.
_WRONG_MECHANISM = frozenset({500, 501, 502, 503, 504, 534, 538})


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
