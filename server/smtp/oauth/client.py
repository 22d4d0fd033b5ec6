"""This server as an OAuth client that asks for access tokens of a mailbox."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from server.smtp.oauth.credential import TokenMethod


@dataclass(frozen=True, slots=True)
class MailboxClient:
    """A client. Equal ones have the same secret, by its id.

    So a replaced refresh token changes nothing for the breaker of mails.
    """

    config_id: str
    # Empty: the configuration is that of the instance.
    organization_id: str
    secret_id: str
    token_endpoint: str
    client_id: str
    scope: str
    mailbox: str
    method: TokenMethod
    # The context of the ciphertext.
    context: bytes = field(repr=False)
    # By the names of fields of the API.
    credential: Mapping[str, str] = field(repr=False, compare=False)
