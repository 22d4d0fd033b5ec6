"""The certificate of both ports, and the authorities of client certificates.

The rule: the two files of the pair are read once and checked together, and both ports use the same
contents of all files.
"""

import contextlib
import os
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, SECP384R1, SECP521R1
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey as ECKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from server.crypto.followed_files import FollowedFiles
from server.crypto.private_file import UnusableFileError, read_trusted_file
from server.values.errors import OperatorError

FOLLOW_SECONDS: Final = 2
_CERTIFICATE: Final = "KEYSTEAD_TLS_CERTIFICATE_FILE"
_KEY: Final = "KEYSTEAD_TLS_KEY_FILE"
_CLIENT_CA: Final = "KEYSTEAD_TLS_CLIENT_CA_FILE"
# The curves of the TLS library of gRPC.
_CURVES: Final = (SECP256R1, SECP384R1, SECP521R1)


class CertificateError(OperatorError):
    """The files cannot be used; the message names the setting and the correction."""


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A certificate with its chain, and its private key, in PEM format. Times are aware, in UTC."""

    chain: bytes
    key: bytes = field(repr=False)
    begins_at: datetime
    expires_at: datetime

    def load_into(self, context: ssl.SSLContext) -> None:
        """Makes a server's context present the certificate. Raises ssl.SSLError."""
        with _in_memory(self.chain) as chain, _in_memory(self.key) as key:
            context.load_cert_chain(chain, key)


@dataclass(frozen=True, slots=True)
class ClientAuthorities:
    """The authorities that issue client certificates, in PEM format; the first end of validity."""

    pem: bytes
    expires_at: datetime


class Presented(NamedTuple):
    """The pair of a handshake, and the authorities of client certificates, if asked for."""

    pair: KeyPair
    authorities: ClientAuthorities | None


class ServerCertificate:
    """The files for the next handshake; established connections are not affected by new ones."""

    def __init__(
        self, certificate_file: Path, key_file: Path, client_ca_file: Path | None = None
    ) -> None:
        """With `client_ca_file` the ports ask for client certificates. Raises CertificateError."""
        self._pair = FollowedFiles("certificate", load_key_pair, certificate_file, key_file)
        self._authorities = (
            FollowedFiles("client CA", load_client_authorities, client_ca_file)
            if client_ca_file
            else None
        )

    @property
    def pair(self) -> KeyPair:
        """The certificate and its key."""
        return self._pair.loaded

    @property
    def asks_clients(self) -> bool:
        """Whether the ports ask for client certificates."""
        return self._authorities is not None

    @property
    def presented(self) -> Presented:
        """The contents of all files."""
        return Presented(self.pair, self._authorities.loaded if self._authorities else None)

    async def follow(self) -> None:
        """Loads the files that changed before the last call and not since."""
        await self._pair.follow()
        if self._authorities is not None:
            await self._authorities.follow()


def load_key_pair(certificate_file: Path, key_file: Path) -> KeyPair:
    """Reads and checks both files. Raises CertificateError, but not for an expired certificate."""
    chain, key = _read(_CERTIFICATE, certificate_file), _read(_KEY, key_file)
    wanted = "the server's certificate, followed by those that lead to its authority"
    with _reading(_CERTIFICATE, certificate_file, wanted=wanted):
        certificate = x509.load_pem_x509_certificates(chain)[0]
        public_key = certificate.public_key()
        begins_at, expires_at = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    if public_key != _private_key(key, key_file).public_key():
        raise CertificateError(
            f"{_KEY}: {key_file} is not the key of the first certificate in {certificate_file}."
            " Name the two files of one certificate."
        )
    pair = KeyPair(chain, key, begins_at, expires_at)
    try:
        pair.load_into(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))
    except ssl.SSLError as error:
        raise CertificateError(
            f"{_CERTIFICATE}: OpenSSL refuses {certificate_file}: {error.reason}. Have another"
            " certificate issued."
        ) from None
    return pair


def load_client_authorities(file: Path) -> ClientAuthorities:
    """Reads and checks the file. Raises CertificateError, but not for an expired certificate."""
    pem = _read(_CLIENT_CA, file)
    wanted = "the certificates of the authorities that issue client certificates"
    with _reading(_CLIENT_CA, file, wanted=wanted):
        certificates = x509.load_pem_x509_certificates(pem)
        expires_at = min(each.not_valid_after_utc for each in certificates)
        others = [each.subject.rfc4514_string() for each in certificates if not _is_authority(each)]
    if others:
        raise CertificateError(
            f"{_CLIENT_CA}: {others[0]} in {file} is no certificate authority. Name a file with the"
            " certificates of authorities only."
        )
    return ClientAuthorities(pem, expires_at)


@contextlib.contextmanager
def _reading(setting: str, file: Path, *, wanted: str) -> Iterator[None]:
    """Converts the errors of certificates, whose fields are parsed only when they are read."""
    try:
        yield
    except (ValueError, UnsupportedAlgorithm, x509.InvalidVersion):
        raise CertificateError(
            f"{setting}: {file} has no certificate in PEM format that can be read. Name a file with"
            f" {wanted}."
        ) from None


def _is_authority(certificate: x509.Certificate) -> bool:
    """Whether it may issue certificates (RFC 5280, section 4.2.1.9)."""
    try:
        return certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    except (x509.ExtensionNotFound, ValueError):
        return False


def _private_key(key: bytes, file: Path) -> RSAPrivateKey | ECKey:
    try:
        found: object = load_pem_private_key(key, password=None)
    except UnsupportedAlgorithm:
        found = None
    except TypeError:
        raise CertificateError(
            f"{_KEY}: the key in {file} is encrypted. Name a file with the plain key, which only"
            " the server's user can read."
        ) from None
    except ValueError:
        raise CertificateError(
            f"{_KEY}: {file} has no private key in PEM format. Name the key of the certificate."
        ) from None
    if isinstance(found, RSAPrivateKey) or (
        isinstance(found, ECKey) and isinstance(found.curve, _CURVES)
    ):
        return found
    raise CertificateError(
        f"{_KEY}: the key in {file} is neither RSA nor ECDSA on P-256, P-384 or P-521. Have a"
        " certificate issued for such a key."
    )


def _read(setting: str, file: Path) -> bytes:
    try:
        return read_trusted_file(file)
    except UnusableFileError as error:
        raise CertificateError(f"{setting}: {file} {error}.") from None


@contextlib.contextmanager
def _in_memory(data: bytes) -> Iterator[str]:
    """A path without a file on disk, because `ssl` loads certificates and keys only from paths."""
    with os.fdopen(os.memfd_create("keystead"), "wb") as file:
        file.write(data)
        file.flush()
        yield f"/proc/self/fd/{file.fileno()}"
