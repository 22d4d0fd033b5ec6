"""A DNS server on the loopback interface, with the TXT records that tests give it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import dns.flags
import dns.message
import dns.rcode
import dns.rrset

# Of a packet without EDNS (RFC 1035, section 4.2.1); a larger answer is asked for again over TCP.
_MOST = 512


@dataclass
class Zone:
    """The records by names: values, or texts that are the parts of one value."""

    address: str = ""
    records: dict[str, list[str | Sequence[str]]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    # Names for which the server answers SERVFAIL, and all names that it was asked for.
    failing: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)

    def publish(self, name: str, *values: str | Sequence[str]) -> None:
        self.records[name] = list(values)

    def answer(self, wire: bytes) -> dns.message.Message:
        query = dns.message.from_wire(wire)
        question = query.question[0]
        name = question.name.to_text(omit_final_dot=True)
        self.asked.append(name)
        response = dns.message.make_response(query)
        if name in self.failing:
            response.set_rcode(dns.rcode.SERVFAIL)
            return response
        if alias := self.aliases.get(name):
            response.answer.append(
                dns.rrset.from_text(question.name, 60, "IN", "CNAME", f"{alias}.")
            )
            name = alias
        values = self.records.get(name)
        if values is None:
            response.set_rcode(dns.rcode.NXDOMAIN)
        else:
            texts = [_text(value) for value in values]
            if texts:
                response.answer.append(dns.rrset.from_text(f"{name}.", 60, "IN", "TXT", *texts))
        return response


def _text(value: str | Sequence[str]) -> str:
    parts = [value] if isinstance(value, str) else value
    return " ".join(f'"{part}"' for part in parts)


class _Packets(asyncio.DatagramProtocol):
    def __init__(self, zone: Zone) -> None:
        self._zone = zone
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, addr: Any) -> None:
        response = self._zone.answer(data)
        wire = response.to_wire()
        if len(wire) > _MOST:
            response.answer.clear()
            response.flags |= dns.flags.TC
            wire = response.to_wire()
        self._transport.sendto(wire, addr)


@contextlib.asynccontextmanager
async def dns_server() -> AsyncIterator[Zone]:
    """Serves a zone over UDP and TCP, on one port."""
    zone = Zone()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        length = int.from_bytes(await reader.readexactly(2))
        wire = zone.answer(await reader.readexactly(length)).to_wire()
        writer.write(len(wire).to_bytes(2) + wire)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        packets, _ = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: _Packets(zone), local_addr=("127.0.0.1", port)
        )
        zone.address = f"127.0.0.1:{port}"
        try:
            yield zone
        finally:
            packets.close()
