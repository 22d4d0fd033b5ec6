"""Mails: the outbox, the mail loop, and their list.

Offers `outbox` to the commands of features, and the RPCs ListMails and RetryMail.

The rule: only the process that holds the lease of a mail sends it, outside of any transaction, and
no process sends it again once that is recorded. A process that is killed between the SMTP server's
"250" and its own commit leaves a mail that is sent once more, with the same Message-ID: SMTP
delivers at least once (RFC 5321, 4.1.1.4; RFC 1047).
"""
