"""Client certificates of services, identified by their thumbprints (RFC 8705, section 3.1).

The rule: a thumbprint identifies a caller only if the handshake has verified its certificate.
"""

import hashlib
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from server.values.base64url import base64url

MAX_PEM: Final = 16_384
# As many connections as the native port has at most.
_REMEMBERED: Final = 1024


@dataclass(frozen=True, slots=True)
class ClientCertificate:
    """A certificate that has not expired. `thumbprint` is the SHA-256 of its DER encoding."""

    thumbprint: bytes
    expires_at: datetime


def read_certificate(pem: str) -> ClientCertificate:
    """The only certificate in a text. Raises ValueError, which names the required form."""
    if not pem:
        raise ValueError("must not be empty")
    if len(pem) > MAX_PEM:
        raise ValueError(f"must be at most {MAX_PEM} characters")
    if pem.count("-----BEGIN") > 1:
        raise ValueError("must be one certificate, without its chain and without its key")
    try:
        certificate = x509.load_pem_x509_certificate(pem.encode())
        expires_at = certificate.not_valid_after_utc
    except (ValueError, x509.InvalidVersion):
        raise ValueError("must be a certificate in PEM format") from None
    if expires_at <= datetime.now(UTC):
        raise ValueError(f"expired on {expires_at:%Y-%m-%d}: have another certificate issued")
    return ClientCertificate(thumbprint_of_der(certificate.public_bytes(Encoding.DER)), expires_at)


def thumbprint_of_der(certificate: bytes) -> bytes:
    """The thumbprint of a certificate in DER encoding."""
    return hashlib.sha256(certificate).digest()


@lru_cache(_REMEMBERED)
def thumbprint_of_pem(certificate: bytes) -> bytes:
    """The thumbprint of a certificate in PEM format, as a TLS library gives it."""
    return thumbprint_of_der(ssl.PEM_cert_to_DER_cert(certificate.decode("ascii")))


def shown(thumbprint: bytes) -> str:
    """The thumbprint as people and other programs know it: base64url without padding."""
    return base64url(thumbprint)
