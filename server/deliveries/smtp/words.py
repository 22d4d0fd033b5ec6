"""The words of Microsoft and Google in a refused login with an access token, with their remedies.

By https://learn.microsoft.com/exchange/clients-and-mobile-in-exchange-online/authenticated-client-smtp-submission
and https://learn.microsoft.com/exchange/client-developer/legacy-protocols/how-to-authenticate-an-imap-pop-smtp-application-by-using-oauth
"""

from collections.abc import Mapping
from typing import Final

# The first that stands in the text is the remedy.
_ADVICE: Final[Mapping[str, str]] = {
    "SmtpClientAuthentication is disabled": "Allow it for the mailbox: in the Microsoft 365 admin"
    " center under Users, Mail, Manage email apps, Authenticated SMTP; or by Set-CASMailbox with"
    " -SmtpClientAuthenticationDisabled $false.",
    "5.7.139": "A policy of the tenant refuses the login: see security defaults, Conditional"
    " Access and authentication policies of the mailbox.",
    "5.7.3": "In Exchange Online, register the application by New-ServicePrincipal with the object"
    " ID of its enterprise application, and give it the mailbox by Add-MailboxPermission; in"
    " Microsoft Entra, grant admin consent for SMTP.SendAsApp. Changes take up to an hour.",
    "https://mail.google.com/": "Set the scope to https://mail.google.com/, and the mailbox to the"
    " address of the user that the token is for. In Google Workspace, the user must have Gmail.",
}
_OTHERWISE: Final = (
    "Correct the mailbox and the scope with SetSMTPOAuth, and check that the provider lets the"
    " client use this mailbox by SMTP."
)


def advice_of_login(text: str) -> str:
    """The remedy of a refused login."""
    return next((advice for word, advice in _ADVICE.items() if word in text), _OTHERWISE)
