"""Certificates for test servers, issued by an authority that only tests trust."""

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, PEM_cert_to_DER_cert, SSLContext
from uuid import uuid4

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tests.support import rsa_keys

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Certificate:
    """The certificate of a server or client with its key, as one PEM file."""

    path: Path
    expires_at: datetime

    @property
    def pem(self) -> str:
        """The certificate without its key."""
        text = self.path.read_text()
        return text[text.index("-----BEGIN CERTIFICATE-----") :]

    @property
    def thumbprint(self) -> str:
        """The SHA-256 of the certificate, as base64url without padding."""
        digest = hashlib.sha256(PEM_cert_to_DER_cert(self.pem)).digest()
        return urlsafe_b64encode(digest).decode().rstrip("=")

    def context(self) -> SSLContext:
        """An SSL context for a server."""
        context = SSLContext(PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.path)
        return context


class Authority:
    """A certificate authority, a root without `issuer`; clients trust it through `ca_file`.

    Certificates have the extensions that RFC 5280 requires, except those of the types `without`.
    """

    def __init__(
        self,
        folder: Path,
        *,
        issuer: "Authority | None" = None,
        days: int = 60,
        without: Collection[type[x509.ExtensionType]] = (),
    ) -> None:
        issuer = issuer or self
        self._folder = folder
        self.key = ec.generate_private_key(ec.SECP256R1())
        name = f"Authority of {folder.name}"
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        now = datetime.now(UTC)
        builder = _builder(
            self.name, self.key, begins_at=now - 60 * _DAY, expires_at=now + days * _DAY
        ).issuer_name(issuer.name)
        builder = _extended(
            builder,
            x509.BasicConstraints(ca=True, path_length=None),
            _key_usage(key_cert_sign=True, crl_sign=True),
            x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()),
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key()),
            without=without,
        )
        certificate = builder.sign(issuer.key, hashes.SHA256())
        self.ca_file = folder / "authority.pem"
        self.ca_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))

    def certificate(
        self,
        names: Sequence[str] = ("localhost", "127.0.0.1", "::1"),
        *,
        days: int = 30,
        self_signed: bool = False,
        rsa_key: bool = False,
        without: Collection[type[x509.ExtensionType]] = (),
    ) -> Certificate:
        """A certificate for names and addresses; `days` until its expiry, negative if expired."""
        key = (
            rsa_keys.rsa_key("of certificates")
            if rsa_key
            else ec.generate_private_key(ec.SECP256R1())
        )
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
        expires_at = (datetime.now(UTC) + days * _DAY).replace(microsecond=0)
        issuer_key = key if self_signed else self.key
        builder = _builder(
            subject, key, begins_at=expires_at - 50 * _DAY, expires_at=expires_at
        ).issuer_name(subject if self_signed else self.name)
        builder = _extended(
            builder,
            x509.SubjectAlternativeName(list(map(_general_name, names))),
            x509.BasicConstraints(ca=False, path_length=None),
            _key_usage(digital_signature=True, key_encipherment=rsa_key),
            x509.ExtendedKeyUsage(
                [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
            ),
            x509.SubjectKeyIdentifier.from_public_key(key.public_key()),
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()),
            without=without,
        )
        certificate = builder.sign(issuer_key, hashes.SHA256())
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
    key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey,
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


def _extended(
    builder: x509.CertificateBuilder,
    *extensions: x509.ExtensionType,
    without: Collection[type[x509.ExtensionType]],
) -> x509.CertificateBuilder:
    for each in extensions:
        if type(each) not in without:
            critical = isinstance(each, x509.BasicConstraints | x509.KeyUsage)
            builder = builder.add_extension(each, critical)
    return builder


def _key_usage(
    *,
    digital_signature: bool = False,
    key_encipherment: bool = False,
    key_cert_sign: bool = False,
    crl_sign: bool = False,
) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=digital_signature,
        content_commitment=False,
        key_encipherment=key_encipherment,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=key_cert_sign,
        crl_sign=crl_sign,
        encipher_only=False,
        decipher_only=False,
    )


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)
