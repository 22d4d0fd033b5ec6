"""Whether mails can align for DMARC (RFC 7489, section 3.1), as far as it is known here.

From and the envelope have the same sender. But a provider of mailboxes delivers as the mailbox that
logs in: it replaces the envelope sender, and signs for the domain of the mailbox.
"""

from server.values.mail_address import ascii_domain


def alignment_problem(sender_address: str, login: str) -> str:
    """A sentence if the domain of From is neither that of the login, nor above or below it.

    Empty: they can align, or the login is no mail address.
    """
    domain, of_login = (_domain(each) for each in (sender_address, login))
    if not of_login or _is_within(domain, of_login) or _is_within(of_login, domain):
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


def _is_within(domain: str, other: str) -> bool:
    return f".{domain}".endswith(f".{other}")
