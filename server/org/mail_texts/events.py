"""The events of own texts of mails."""

from server.log.event import Event, Shown, event


@event("organization.mail_text_set")
class MailTextSet(Event):
    """The own text of a kind of mail in a language was set; the event contains all of it."""

    of_instance: Shown[bool]
    mail_text_id: Shown[str]
    subject: Shown[str]
    title: Shown[str]
    text: Shown[str]
    button: Shown[str]


@event("organization.mail_text_removed")
class MailTextRemoved(Event):
    """The own text of a kind of mail in a language was removed."""

    of_instance: Shown[bool]
    mail_text_id: Shown[str]
