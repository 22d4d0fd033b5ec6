"""TLS contexts: the verification of servers that Keystead connects to, and of its clients.

The rule: every context that verifies gets its flags here, because Python's releases differ in their
defaults (decision 16).
"""

import functools
import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Final

# Every authority of a file is trusted, not only roots.
_CLIENTS: Final = ssl.VERIFY_X509_TRUSTED_FIRST | ssl.VERIFY_X509_PARTIAL_CHAIN
# Also requires the extensions of RFC 5280.
_SERVERS: Final = _CLIENTS | ssl.VERIFY_X509_STRICT

_OF_CERTIFICATE: Final = (
    "openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -days 365 -copy_extensions copy"
    " -extfile <(echo authorityKeyIdentifier=keyid) -out server.pem"
)
_OF_AUTHORITY: Final = (
    'openssl req -x509 -key ca.key -days 3650 -subj "/CN=the same name"'
    " -addext keyUsage=critical,keyCertSign,cRLSign -out ca.pem"
)
# X509_V_ERR_* of OpenSSL (x509_vfy.h): violations of RFC 5280. Most are missing extensions.
_VIOLATIONS: Final = range(78, 95)
_EXTENSIONS: Mapping[int, tuple[str, str]] = {
    85: ("authorityKeyIdentifier=keyid", _OF_CERTIFICATE),
    86: ("subjectKeyIdentifier=hash", _OF_AUTHORITY),
    89: ("basicConstraints=critical,CA:TRUE", _OF_AUTHORITY),
    92: ("keyUsage=critical,keyCertSign,cRLSign", _OF_AUTHORITY),
}


def verifying(ca_file: Path | None, *, purpose: str) -> ssl.SSLContext:
    """Trusts the system's authorities, and those of the file, which is read again if it changes.

    Each purpose has a context of its own, because HTTP clients set ALPN protocols in theirs.
    Raises OSError (also as ssl.SSLError): the file cannot be used.
    """
    changed_at = ca_file.stat().st_mtime_ns if ca_file else 0
    return _verifying(purpose, ca_file, changed_at)


@functools.lru_cache(maxsize=4)
def _verifying(_purpose: str, ca_file: Path | None, _changed_at: int) -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.verify_flags = _SERVERS
    if ca_file is not None:
        context.load_verify_locations(cafile=ca_file)
    return context


def ask_clients(context: ssl.SSLContext, authorities: str) -> None:
    """Makes a server's context ask for certificates of these authorities (PEM).

    They are verified as by the TLS library of the gRPC port, which does not require the extensions.
    """
    context.load_verify_locations(cadata=authorities)
    context.verify_mode = ssl.CERT_OPTIONAL
    context.verify_flags = _CLIENTS


def remedy(error: ssl.SSLCertVerificationError) -> str | None:
    """How to issue a certificate again that violates RFC 5280; None for another error."""
    if error.verify_code not in _VIOLATIONS:
        return None
    if error.verify_code not in _EXTENSIONS:
        return "Have the certificate issued again as RFC 5280 requires."
    extension, command = _EXTENSIONS[error.verify_code]
    return (
        f"RFC 5280 requires {extension}. Have the certificate issued again, for example by:"
        f" {command}"
    )
