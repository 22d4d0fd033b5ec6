"""The mails that `server/mail/outbox.py` wrote: sending them, and what became of them.

Its RPCs: ListMails, RetryMail.

The rule: a mail is sent by who holds its lease, outside of any transaction, and never again once
its delivery is recorded. A process that is killed between the SMTP server's "250" and our commit
leaves a mail that is sent once more, with the same Message-ID: SMTP knows no better (RFC 5321,
4.1.1.4; RFC 1047).
"""
