"""What the settings mean for those parts of the server that commands use as well."""

from ipaddress import ip_network

from server.mail.rendering import Templates
from server.mail.smtp_client.transport import TransportOptions
from server.settings.settings import Settings


def transport_options(settings: Settings) -> TransportOptions:
    """How mail is delivered, for whoever delivers."""
    return TransportOptions(
        greeting_name=settings.smtp_greeting_name,
        ca_file=settings.smtp_ca_file,
        allowed_networks=[ip_network(each) for each in settings.smtp_allowed_networks],
        timeout=settings.smtp_timeout,
    )


def mail_templates(settings: Settings) -> Templates:
    """What mails look like. MailTemplateError."""
    return Templates(
        rp_name=settings.rp_name,
        reply_to=settings.mail_reply_to,
        folder=settings.mail_templates_dir,
    )
