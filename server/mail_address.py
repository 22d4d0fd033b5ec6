"""Mail addresses as they stand in an envelope and in a header (RFC 5321, RFC 5322, RFC 6531)."""

import idna
from email_validator import SPECIAL_USE_DOMAIN_NAMES, EmailNotValidError, validate_email

# Mail servers inside a company have any domain, `corp.local` too. The library's documented way.
SPECIAL_USE_DOMAIN_NAMES.clear()


def check_mail_address(value: str) -> str:
    """The address. ValueError says what is wrong with it."""
    try:
        # Deliverability is for the delivery to find out.
        validate_email(value, check_deliverability=False, globally_deliverable=False)
    except EmailNotValidError as error:
        raise ValueError(f"must be a mail address like name@example.com: {error}") from None
    # No address has an encoded word in it (RFC 2047, section 5), but Python's `email` decodes one
    # all the same, line breaks included: whoever chose it would write headers of our mails.
    if "=?" in value:
        raise ValueError("must be a mail address like name@example.com: '=?' is not allowed")
    return value


def ascii_domain(name: str) -> str:
    """A domain as DNS and every mail server know it (IDNA 2008 with UTS 46, as browsers do).

    What is ASCII stays as it is: names inside a company have underscores. ValueError for what is no
    domain.
    """
    return name if name.isascii() else idna.encode(name, uts46=True).decode()


def with_ascii_domain(address: str) -> str:
    """The address, so that only its part before the @ can need SMTPUTF8 (RFC 6531). ValueError."""
    local_part, _, domain = address.rpartition("@")
    return f"{local_part}@{ascii_domain(domain)}"
