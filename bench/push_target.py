"""A target of webhooks in a process of its own, and one that never answers."""

import asyncio
import contextlib
import ipaddress
import multiprocessing
import os
import re
import ssl
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import uvloop
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_DAY = timedelta(days=1)
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_ANSWER = b"HTTP/1.1 204 No Content\r\n\r\n"


@dataclass(frozen=True)
class Target:
    """The ports of both, the authority of its certificate, and the count of its requests."""

    port: int
    dead_port: int
    ca_file: Path
    _received: Any

    @property
    def received(self) -> int:
        """The number of requests so far."""
        count: int = self._received.value
        return count


@contextlib.contextmanager
def running(folder: Path, processors: Sequence[int]) -> Iterator[Target]:
    """Runs both on these processors until the end of the block."""
    folder.mkdir()
    certificate, ca_file = _certificate(folder)
    spawning = multiprocessing.get_context("spawn")
    received = spawning.Value("L", 0)
    ours, theirs = spawning.Pipe()
    process = spawning.Process(
        target=_serve, args=(certificate, list(processors), received, theirs), daemon=True
    )
    process.start()
    try:
        port, dead_port = ours.recv()
        yield Target(port, dead_port, ca_file, received)
    finally:
        process.kill()
        process.join()


def _serve(certificate: Path, processors: list[int], received: Any, parent: Connection) -> None:
    os.sched_setaffinity(0, processors)
    uvloop.run(_answer(certificate, received, parent))


async def _answer(certificate: Path, received: Any, parent: Connection) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Accepting(received), "127.0.0.1", 0, ssl=context)
    dead = await loop.create_server(asyncio.Protocol, "127.0.0.1", 0)
    parent.send([each.sockets[0].getsockname()[1] for each in (server, dead)])
    await asyncio.Event().wait()


class _Accepting(asyncio.Protocol):
    """Counts the requests of a connection, and accepts each."""

    def __init__(self, received: Any) -> None:
        self._received = received
        self._buffer = b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            length = _LENGTH.search(self._buffer, 0, end)
            whole = end + 4 + int(length[1] if length else 0)
            if len(self._buffer) < whole:
                return
            self._buffer = self._buffer[whole:]
            self._received.value += 1
            self._transport.write(_ANSWER)


def _certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost with its key, and that of its authority."""
    now = datetime.now(UTC)
    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]
    names = [x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, each)]) for each in ("CA", "host")]
    files = []
    for number, key in enumerate(keys):
        is_authority = number == 0
        builder = (
            x509.CertificateBuilder()
            .subject_name(names[number])
            .issuer_name(names[0])
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - _DAY)
            .not_valid_after(now + _DAY)
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
            .add_extension(
                x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False
            )
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(keys[0].public_key()),
                critical=False,
            )
        )
        if is_authority:
            usage = x509.KeyUsage(
                digital_signature=False,
                content_commitment=False,
                key_encipherment=False,
                data_encipherment=False,
                key_agreement=False,
                key_cert_sign=True,
                crl_sign=True,
                encipher_only=False,
                decipher_only=False,
            )
            builder = builder.add_extension(usage, critical=True)
        else:
            address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
            hosts = x509.SubjectAlternativeName([x509.DNSName("localhost"), address])
            builder = builder.add_extension(hosts, critical=False)
        pem = serialization.Encoding.PEM
        content = builder.sign(keys[0], hashes.SHA256()).public_bytes(pem)
        if not is_authority:
            form, none = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            content += key.private_bytes(pem, form, none)
        files.append(folder / f"{number}.pem")
        files[-1].write_bytes(content)
    ca_file, certificate = files
    return certificate, ca_file
