"""Mail addresses as they stand in an envelope and in a header (RFC 5321, RFC 5322, RFC 6531)."""

import idna
from email_validator import SPECIAL_USE_DOMAIN_NAMES, EmailNotValidError, validate_email

from server.values.errors import WrongValueError

# Mail servers inside a company have domains like `corp.local`, which the library refuses by a
# process-wide list. With one more label such a domain is not on the list.
_LABEL = ".x"


def normal_mail_address(value: str) -> str:
    """The address in normal form, in which addresses are stored and compared.

    The part before the @ is in NFC (RFC 6532, section 3.1) and otherwise unchanged, since only its
    host knows whether case matters there. The domain is in lower case, mapped by UTS 46, with
    Unicode letters in place of `xn--`. ValueError names the mistake in an invalid address.
    """
    try:
        normal = _validated(value)
    except EmailNotValidError as error:
        text = str(error).removesuffix(".")
        text = f"{text[:1].lower()}{text[1:]}"
        raise WrongValueError(
            "INVALID_MAIL_ADDRESS", f"must be a mail address like name@example.com: {text}"
        ) from None
    # No address has an encoded word (RFC 2047, section 5), but Python's `email` decodes one, with
    # its line breaks, by which a client could add headers to mails.
    if "=?" in value:
        raise WrongValueError(
            "INVALID_MAIL_ADDRESS",
            "must be a mail address like name@example.com: '=?' is not allowed",
        )
    return normal


def normal_mail_domain(value: str) -> str:
    """The domain as addresses in normal form have it. ValueError with the correction."""
    try:
        return normal_mail_address(f"a@{value}").removeprefix("a@")
    except ValueError:
        raise ValueError("must be the domain of mail addresses, such as example.com") from None


def _validated(value: str) -> str:
    if _is_special_use(value.rpartition("@")[2]):
        return _syntax_checked(value + _LABEL).removesuffix(_LABEL)
    return _syntax_checked(value)


def _is_special_use(domain: str) -> bool:
    mapped = domain.lower()
    if not domain.isascii():
        try:
            mapped = idna.uts46_remap(domain, std3_rules=False)
        except idna.IDNAError:
            return False
    return f".{mapped}".endswith(tuple(f".{name}" for name in SPECIAL_USE_DOMAIN_NAMES))


def _syntax_checked(value: str) -> str:
    # Only a delivery can find out whether mail arrives at the address.
    valid = validate_email(value, check_deliverability=False, globally_deliverable=False)
    return valid.normalized


def ascii_domain(name: str) -> str:
    """A domain as DNS and every mail server know it (IDNA 2008 with UTS 46, as browsers do).

    A domain in ASCII is not changed: names inside a company have underscores. ValueError for a text
    that is not a domain.
    """
    return name if name.isascii() else idna.encode(name, uts46=True).decode()


def with_ascii_domain(address: str) -> str:
    """The address; only its part before the @ may still need SMTPUTF8 (RFC 6531). ValueError."""
    local_part, _, domain = address.rpartition("@")
    return f"{local_part}@{ascii_domain(domain)}"
