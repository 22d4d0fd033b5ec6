"""Headers of mails as they go out: names and subjects arrive as they were written.

The rule: whatever a person chose, a name above all, is one line; text beyond ASCII is one run of
encoded words (RFC 2047), its spaces inside of them, and a name in ASCII is one quoted string.
Python's own folding (seen in 3.11) loses spaces and adds others where encoded words meet plain
ones, and the quotes of what it folds: a comma in a long name then begins another address.
"""

import unicodedata
from email.header import Header
from email.headerregistry import Address, AddressHeader, UnstructuredHeader
from email.policy import EmailPolicy
from typing import Any

from server.values.mail_address import with_ascii_domain

_INVISIBLE = {"Cc", "Cf", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"


class MailPolicy(EmailPolicy):
    """As `email.policy.SMTP`, but for addresses and text beyond ASCII."""

    def fold(self, name: str, value: Any) -> str:
        """The header in lines."""
        text = self._folded(name, value)
        return super().fold(name, value) if text is None else f"{name}: {text}{self.linesep}"

    def fold_binary(self, name: str, value: Any) -> bytes:
        """The same as it is sent, in UTF-8 where an address needs it."""
        if self._folded(name, value) is None:
            return super().fold_binary(name, value)
        return self.fold(name, value).encode()

    def _folded(self, name: str, value: Any) -> str | None:
        """What Python gets wrong; None: it does not."""
        if isinstance(value, AddressHeader):
            return f",{self.linesep} ".join(self._address(name, each) for each in value.addresses)
        if isinstance(value, UnstructuredHeader) and not str(value).isascii():
            return self._words(name, str(value))
        return None

    def _address(self, name: str, address: Address) -> str:
        # What looks like an encoded word is to be read as it is.
        if address.display_name.isascii() and "=?" not in address.display_name:
            return str(address)
        return f"{self._words(name, address.display_name)}{self.linesep} <{address.addr_spec}>"

    def _words(self, name: str, text: str) -> str:
        return Header(text, "utf-8", header_name=name).encode(linesep=self.linesep)


MAIL = MailPolicy(linesep="\r\n")


def header_address(address: str, name: str = "") -> Address:
    """An address with the name that goes with it, for From, To and Reply-To.

    ValueError: its domain is none that DNS can know.
    """
    local_part, _, domain = with_ascii_domain(address).rpartition("@")
    return Address(header_text(name), local_part, domain)


def header_text(text: str) -> str:
    """One line, in which nothing looks like an encoded word that is none (RFC 2047)."""
    return one_line(text).replace("=?", "= ?")


def one_line(text: str) -> str:
    """Without line breaks and other control characters, and what would turn the text's direction.

    The joiners stay (U+200C, U+200D): languages, and emoji, need them.
    """
    return " ".join("".join(" " if _is_invisible(each) else each for each in text).split())


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) in _INVISIBLE and character not in _JOINERS
