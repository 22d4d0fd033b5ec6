"""The events of mail domains. The challenge is public: its owner publishes it in DNS."""

from server.log.event import Event, Shown, event


@event("mail_domain.added")
class MailDomainAdded(Event):
    """A mail domain was claimed."""

    domain: Shown[str]
    idp_id: Shown[str]
    challenge: Shown[str]


@event("mail_domain.changed")
class MailDomainChanged(Event):
    """Fields were set; None means unchanged."""

    domain: Shown[str]
    idp_id: Shown[str | None] = None


@event("mail_domain.proven")
class MailDomainProven(Event):
    """The record was found: for the first time, or after it was missing."""

    domain: Shown[str]


@event("mail_domain.record_missed")
class MailDomainRecordMissed(Event):
    """The record of a proven domain is no longer there."""

    domain: Shown[str]


@event("mail_domain.lapsed")
class MailDomainLapsed(Event):
    """The proof ended: the record was missing for too long, or another organization proved it."""

    domain: Shown[str]


@event("mail_domain.removed")
class MailDomainRemoved(Event):
    """A mail domain was removed with its proof."""

    domain: Shown[str]
