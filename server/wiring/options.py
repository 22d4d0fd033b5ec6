"""From the settings: options of connections to other servers, templates of mails, the RP IDs.

Unlike `policies.py`, this module imports no WebAuthn, so that commands start quickly.
"""

from ipaddress import ip_network

from server.deliveries.http.client import PushOptions
from server.deliveries.smtp.connection import TransportOptions
from server.mail.rendering import Templates
from server.passkey.former import RPIDs
from server.relying_party.http_client import ClientOptions
from server.settings.settings import Settings


def provider_options(settings: Settings) -> ClientOptions:
    """The options of requests to identity providers."""
    return ClientOptions(
        allowed_networks=[ip_network(each) for each in settings.idp_allowed_networks],
        ca_file=settings.idp_ca_file,
    )


def push_options(settings: Settings) -> PushOptions:
    """The options of webhooks and logout tokens."""
    return PushOptions(
        allowed_networks=[ip_network(each) for each in settings.push_allowed_networks],
        ca_file=settings.push_ca_file,
    )


def smtp_options(settings: Settings) -> TransportOptions:
    """The options of SMTP deliveries."""
    return TransportOptions(
        greeting_name=settings.smtp_greeting_name,
        ca_file=settings.smtp_ca_file,
        allowed_networks=[ip_network(each) for each in settings.smtp_allowed_networks],
        org_allowed_networks=[ip_network(each) for each in settings.smtp_org_allowed_networks],
        timeout=settings.smtp_timeout,
        require_tls=settings.require_tls,
    )


def mail_templates(settings: Settings) -> Templates:
    """The templates of mails. MailTemplateError: a template cannot be used."""
    return Templates(
        reply_to=settings.mail_reply_to,
        folder=settings.mail_templates_dir,
        language=settings.mail_language,
    )


def rp_ids(settings: Settings) -> RPIDs:
    """The RP IDs whose passkeys sign in."""
    return RPIDs(settings.rp_id, settings.former_rp_ids)
