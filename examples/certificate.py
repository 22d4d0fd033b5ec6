"""Certificates for the tour, valid for one day."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate and its key, and their files in PEM format."""

    file: Path
    key_file: Path
    content: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def server_certificate(folder: Path) -> Certificate:
    """A certificate for localhost and 127.0.0.1, signed by its own key."""
    names = [x509.DNSName("localhost"), x509.IPAddress(IPv4Address("127.0.0.1"))]
    return _write(folder, "server", x509.SubjectAlternativeName(names))


def authority(folder: Path) -> Certificate:
    """An authority for certificates of clients."""
    return _write(folder, "services-ca", x509.BasicConstraints(ca=True, path_length=0))


def client_certificate(folder: Path, name: str, issuer: Certificate) -> Certificate:
    """The certificate of a service."""
    return _write(folder, name, x509.BasicConstraints(ca=False, path_length=None), issuer)


def _write(
    folder: Path, name: str, extension: x509.ExtensionType, issuer: Certificate | None = None
) -> Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.content.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=1))
        .add_extension(extension, critical=False)
        .sign(issuer.key if issuer else key, hashes.SHA256())
    )
    file, key_file = folder / f"{name}.pem", folder / f"{name}.key"
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key_file.touch(mode=0o600)
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return Certificate(file, key_file, certificate, key)
