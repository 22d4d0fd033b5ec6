"""Whether mails can align for DMARC (RFC 7489, section 3.1), as far as it is known here.

From and the envelope have the same sender. But a provider of mailboxes delivers as the mailbox that
logs in: it replaces the envelope sender, and signs for the domain of the mailbox.
"""

from server.values.mail_address import ascii_domain


def alignment_problem(sender_address: str, login: str) -> str:
    """A sentence if the domains of From and of the login have no organizational domain in common.

    Empty: they can align, or the login is no mail address.
    """
    domain, of_login = (_domain(each) for each in (sender_address, login))
    if not of_login or _can_align(domain, of_login):
        return ""
    return (
        f"The sender is at {domain}, but the login is a mailbox at {of_login}. If the server"
        " replaces the envelope sender or signs (DKIM) for that domain, DMARC fails, and recipients"
        f" may refuse the mails: log in with a mailbox at {domain}, or have the server sign for it."
    )


def _domain(address: str) -> str:
    domain = address.rpartition("@")[2].lower() if "@" in address else ""
    try:
        return ascii_domain(domain)
    except ValueError:
        return domain


def _can_align(domain: str, other: str) -> bool:
    """Whether both end with the same two labels, or one with the other.

    Without the list of public suffixes, these labels pass for the organizational domain, so two
    domains under `co.uk` get no warning. One that is wrong would be worse than one that is missing.
    """
    labels, others = domain.split("."), other.split(".")
    number = min(2, len(labels), len(others))
    return labels[-number:] == others[-number:]
