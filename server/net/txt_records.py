"""Looks up TXT records in DNS.

The rule: a missing record and a look-up that failed are different. Only the first one tells
anything about the owner of the name.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import dns.asyncresolver
import dns.exception
import dns.name
import dns.nameserver
import dns.resolver
from dns.rdatatype import TXT

from server.values.host_port import split_host_port

# Of a look-up with all its attempts.
_SECONDS: Final = 5.0
_MAX_LOOK_UPS: Final = 16
# Of an answer; others are not compared.
_MAX_VALUES: Final = 100


class DNSUnavailableError(Exception):
    """The DNS servers gave no answer. The text is a sentence."""


@dataclass(frozen=True, slots=True)
class TXTAnswer:
    """The values of the records of a name. `alias_of` is the other name that has them, if any."""

    values: Sequence[str] = ()
    alias_of: str = ""


class TXTRecords:
    """Looks up records at some servers, `address:port`, by default at those of the system."""

    def __init__(self, servers: Sequence[str] = ()) -> None:
        self._servers = [split_host_port(server) for server in servers]
        self._look_ups = asyncio.Semaphore(_MAX_LOOK_UPS)

    async def look_up(self, name: str) -> TXTAnswer:
        """The records of a name. DNSUnavailableError."""
        async with self._look_ups:
            try:
                # Absolute, so that no search list of the system makes it another name.
                asked = dns.name.from_text(f"{name}.")
                answer = await self._resolver().resolve(asked, TXT, lifetime=_SECONDS, search=False)
            except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
                return TXTAnswer()
            except (dns.exception.DNSException, OSError) as error:
                raise DNSUnavailableError(
                    f"DNS gave no answer for {name}: {type(error).__name__}."
                ) from None
        values = [
            b"".join(record.strings).decode("ascii", "backslashreplace")
            for record in list(answer)[:_MAX_VALUES]
        ]
        found = answer.canonical_name
        return TXTAnswer(values, "" if found == asked else found.to_text(omit_final_dot=True))

    def _resolver(self) -> dns.asyncresolver.Resolver:
        """Reads the configuration of the system anew, since it changes while servers run."""
        resolver = dns.asyncresolver.Resolver(configure=not self._servers)
        if self._servers:
            resolver.nameservers = [
                dns.nameserver.Do53Nameserver(address, port) for address, port in self._servers
            ]
        return resolver
