"""Serializes the headers of mails without changing names and subjects.

The rule: text that a person chose is one line. Non-ASCII text is one run of encoded words (RFC
2047) that includes its spaces; an ASCII name is one quoted string.

Python's own folding (seen in 3.11) loses and adds spaces between encoded and plain words. It also
drops the quotes of names that it folds: a comma in a long name then starts another address.
"""

from email.header import Header
from email.headerregistry import Address, AddressHeader, UnstructuredHeader
from email.policy import EmailPolicy
from typing import Any

from server.values.mail_address import with_ascii_domain
from server.values.names import CONTROL_CHARACTER, is_invisible


class MailPolicy(EmailPolicy):
    """`email.policy.SMTP` with its own folding of addresses and non-ASCII text."""

    def fold(self, name: str, value: Any) -> str:
        """The header, folded into lines."""
        text = self._folded(name, value)
        return super().fold(name, value) if text is None else f"{name}: {text}{self.linesep}"

    def fold_binary(self, name: str, value: Any) -> bytes:
        """The folded header as bytes, in UTF-8 where an address needs it."""
        if self._folded(name, value) is None:
            return super().fold_binary(name, value)
        return self.fold(name, value).encode()

    def _folded(self, name: str, value: Any) -> str | None:
        """The folded value of headers that Python folds wrongly; None for other headers."""
        if isinstance(value, AddressHeader):
            return f",{self.linesep} ".join(self._address(name, each) for each in value.addresses)
        if isinstance(value, UnstructuredHeader) and not str(value).isascii():
            return self._words(name, str(value))
        return None

    def _address(self, name: str, address: Address) -> str:
        # A literal "=?" must not be decoded as an encoded word.
        if address.display_name.isascii() and "=?" not in address.display_name:
            return str(address)
        return f"{self._words(name, address.display_name)}{self.linesep} <{address.addr_spec}>"

    def _words(self, name: str, text: str) -> str:
        return Header(text, "utf-8", header_name=name).encode(linesep=self.linesep)


MAIL = MailPolicy(linesep="\r\n")


def header_address(address: str, name: str = "") -> Address:
    """An address with its display name, for From, To and Reply-To.

    ValueError: the domain is invalid (IDNA).
    """
    local_part, _, domain = with_ascii_domain(address).rpartition("@")
    return Address(header_text(name), local_part, domain)


def header_text(text: str) -> str:
    """One line in which a literal "=?" cannot be read as an encoded word (RFC 2047)."""
    return one_line(text).replace("=?", "= ?")


def one_line(text: str) -> str:
    """The text in one line, without control and formatting characters.

    The joiners U+200C and U+200D stay: some languages and emoji need them.
    """
    return " ".join(
        "".join(
            " " if is_invisible(each) or CONTROL_CHARACTER.match(each) else each for each in text
        ).split()
    )
