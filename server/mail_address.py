"""Mail addresses as they stand in an envelope and in a header (RFC 5321, RFC 5322, RFC 6531)."""

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
