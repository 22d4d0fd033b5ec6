"""TLS to SMTP servers: trust, explanations of failed handshakes, and facts of the connection.

The rule: the certificate and its name are verified if `tls` is true or a password is sent.
"""

import functools
import ssl
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from server.deliveries.smtp.destination import DeliveryError
from server.deliveries.smtp.failures import SMTPReason, failure
from server.net import tls

# X509_V_ERR_* of OpenSSL (x509_vfy.h).
_VERIFY_ERRORS: Mapping[int, SMTPReason] = {
    9: SMTPReason.CERTIFICATE_NOT_YET_VALID,
    10: SMTPReason.CERTIFICATE_EXPIRED,
    62: SMTPReason.CERTIFICATE_NAME_MISMATCH,
    64: SMTPReason.CERTIFICATE_NAME_MISMATCH,  # IP address
}
# Errors of OpenSSL releases for a plaintext server.
_NO_TLS = frozenset({"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG"})


def verifying(ca_file: Path | None) -> ssl.SSLContext:
    """As `server.net.tls.verifying`. Raises DeliveryError CA_FILE_UNREADABLE."""
    try:
        return tls.verifying(ca_file, purpose="smtp")
    except OSError as error:
        raise failure(
            "tls", SMTPReason.CA_FILE_UNREADABLE, f"{ca_file} cannot be used: {error.strerror}."
        ) from None


@functools.cache
def encrypting() -> ssl.SSLContext:
    """Encrypts without verification: protects from eavesdroppers only, if plaintext is allowed."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def handshake_failure(error: ssl.SSLError, host: str, *, is_implicit: bool) -> DeliveryError:
    """Explains a failed handshake."""
    if isinstance(error, ssl.SSLCertVerificationError):
        why = error.verify_message.rstrip(".")
        observed = f"The certificate of {host} cannot be accepted: {why}."
        if remedy := tls.remedy(error):
            return failure("tls", SMTPReason.CERTIFICATE_NOT_CONFORMANT, observed, advice=remedy)
        reason = _VERIFY_ERRORS.get(error.verify_code, SMTPReason.CERTIFICATE_NOT_TRUSTED)
        return failure("tls", reason, observed)
    if is_implicit and error.reason in _NO_TLS:
        return failure(
            "tls", SMTPReason.IMPLICIT_TLS_NOT_OFFERED, f"{host} does not speak TLS here."
        )
    why = (error.reason or "no reason given").replace("_", " ").lower()
    return failure("tls", SMTPReason.TLS_FAILED, f"The TLS handshake with {host} failed: {why}.")


def facts(connection: ssl.SSLObject) -> dict[str, str]:
    """Facts of the handshake, and of the certificate if it was verified."""
    version, cipher = connection.version(), connection.cipher()
    found = {"tls_version": version or "", "cipher": cipher[0] if cipher else ""}
    certificate: Mapping[str, Any] = connection.getpeercert() or {}
    if certificate:
        names = [value for _, value in certificate.get("subjectAltName", ())]
        expires_at = datetime.fromtimestamp(
            ssl.cert_time_to_seconds(certificate["notAfter"]), tz=UTC
        )
        found["certificate_names"] = ", ".join(names[:10])
        found["certificate_expires_at"] = expires_at.isoformat().replace("+00:00", "Z")
    return found
