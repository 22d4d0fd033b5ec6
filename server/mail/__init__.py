"""Mails: the outbox, the mail loop, and the list of mails.

Commands of other features write mails by `outbox`. RPCs: ListMails, RetryMail,
GetCapturedMail, ListMailPreviews. `loop`, `leases` and `breaker` decide which process tries which
mail at which time, and by which server; `attempt` alone knows how a mail is made and sent, and
`captured` keeps messages in place of their delivery.

The rule: only the process that holds the lease of a mail sends it, outside of any transaction. A
mail that is recorded as sent is never sent again. Delivery is at least once (RFC 5321, 4.1.1.4; RFC
1047): if a process is killed between the SMTP server's "250" and its own commit, the mail is sent
again with the same Message-ID.
"""
