"""The words of Microsoft and Google in a refused token request, each with its remedy.

By https://learn.microsoft.com/entra/identity-platform/reference-error-codes and
https://developers.google.com/identity/protocols/oauth2/service-account#error-codes.
"""

from collections.abc import Mapping
from typing import Final

_CLOCK: Final = "Check the clock of the machine that Keystead runs on."

# The first that stands in the text is the remedy.
_TOKEN_ADVICE: Final[Mapping[str, str]] = {
    "AADSTS700016": "Microsoft Entra has no such application in this tenant: correct the client ID"
    " (Overview of the app registration) and the tenant.",
    "AADSTS90002:": "Correct the tenant: its ID or one of its domains.",
    "AADSTS900023": "Correct the tenant: its ID or one of its domains.",
    "AADSTS7000215": "Set the client secret again: its Value under Certificates & secrets, not its"
    " Secret ID.",
    "AADSTS7000222": "The client secret has expired: create a new one under Certificates &"
    " secrets, and set it.",
    "AADSTS700027": "Upload the certificate of the private key under Certificates & secrets.",
    "AADSTS700024": _CLOCK,
    "AADSTS1002012": "Set the scope to https://outlook.office365.com/.default.",
    "AADSTS70011:": "Set the scope to https://outlook.office365.com/.default.",
    "AADSTS65001": "Grant admin consent under API permissions of the app registration.",
    "Client is unauthorized": "Add the client ID of the service account with the scope"
    " https://mail.google.com/ in the Google Admin console under Security, Access and data"
    " control, API controls, Domain-wide delegation. It works some minutes later, at most a day.",
    "iat and exp": _CLOCK,
    "Invalid JWT Signature": "Google does not know this key, perhaps because it was deleted:"
    " create a new key of the service account, and set it.",
    "Invalid email": "Set the mailbox to the address of a user of this Google Workspace, not an"
    " alias or a group.",
    "account not found": "Google does not know this service account, perhaps because it was"
    " deleted: set the key of another one.",
    "unauthorized_client": "The provider does not allow this client to request tokens in this way:"
    " check the permissions of the application, and of Google the domain-wide delegation.",
    "invalid_client": "Correct the client ID and the secret with SetSMTPOAuth.",
    "invalid_grant": "The refresh token or the key has expired or was revoked: set a new one with"
    " SetSMTPOAuth, and check that the mailbox exists.",
    "invalid_scope": "Correct the scope with SetSMTPOAuth.",
}


def advice_of_token(text: str) -> str | None:
    """The remedy of a refused token request. None: the words are unknown."""
    return next((advice for word, advice in _TOKEN_ADVICE.items() if word in text), None)
