"""Certificates for test servers, issued by an authority that only tests trust."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext
from uuid import uuid4

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Certificate:
    """A server's certificate with its key, as one PEM file."""

    path: Path
    expires_at: datetime

    def context(self) -> SSLContext:
        """An SSL context for a server."""
        context = SSLContext(PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.path)
        return context


class Authority:
    """A certificate authority; clients trust it through `ca_file`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Authority of the tests")])
        now = datetime.now(UTC)
        certificate = (
            _builder(self._name, self._key, begins_at=now - 60 * _DAY, expires_at=now + 60 * _DAY)
            .issuer_name(self._name)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .sign(self._key, hashes.SHA256())
        )
        self.ca_file = folder / "authority.pem"
        self.ca_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))

    def certificate(
        self,
        names: Sequence[str] = ("localhost", "127.0.0.1", "::1"),
        *,
        days: int = 30,
        self_signed: bool = False,
    ) -> Certificate:
        """A certificate for names and addresses; `days` until its expiry, negative if expired."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
        expires_at = (datetime.now(UTC) + days * _DAY).replace(microsecond=0)
        certificate = (
            _builder(subject, key, begins_at=expires_at - 50 * _DAY, expires_at=expires_at)
            .issuer_name(subject if self_signed else self._name)
            .add_extension(x509.SubjectAlternativeName(list(map(_general_name, names))), False)
            .sign(key if self_signed else self._key, hashes.SHA256())
        )
        path = self._folder / f"{uuid4().hex}.pem"
        path.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
            + certificate.public_bytes(serialization.Encoding.PEM)
        )
        return Certificate(path, expires_at)


def _builder(
    subject: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    *,
    begins_at: datetime,
    expires_at: datetime,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins_at)
        .not_valid_after(expires_at)
    )


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)
