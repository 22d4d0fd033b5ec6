"""The extensions that RFC 5280 requires of certificates, and that strict clients look for."""

from typing import NamedTuple

from cryptography import x509
from cryptography.x509 import (
    AuthorityKeyIdentifier,
    BasicConstraints,
    KeyUsage,
    SubjectKeyIdentifier,
)


class Missing(NamedTuple):
    """A certificate and the extension that it lacks, as OpenSSL writes it."""

    subject: str
    extension: str


def missing_extensions(pem: bytes) -> list[Missing]:
    """The extensions that these certificates lack. Raises ValueError: one cannot be read."""
    return [
        Missing(certificate.subject.rfc4514_string(), extension)
        for certificate in x509.load_pem_x509_certificates(pem)
        for extension in _missing(certificate)
    ]


def _missing(certificate: x509.Certificate) -> list[str]:
    found = {type(each.value): each for each in certificate.extensions}
    constraints, usage = found.get(BasicConstraints), found.get(KeyUsage)
    missing = []
    if certificate.subject != certificate.issuer and AuthorityKeyIdentifier not in found:
        missing.append("authorityKeyIdentifier=keyid")
    if constraints is not None and constraints.value.ca:
        if not constraints.critical:
            missing.append("basicConstraints=critical,CA:TRUE")
        if SubjectKeyIdentifier not in found:
            missing.append("subjectKeyIdentifier=hash")
        if usage is None or not usage.value.key_cert_sign:
            missing.append("keyUsage=critical,keyCertSign,cRLSign")
    return missing
