"""TLS of both ports: whether it is needed, and the validity of its certificates."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Final

from server.crypto import conformance
from server.crypto.server_certificate import (
    CertificateError,
    load_client_authorities,
    load_key_pair,
)
from server.settings.ports import is_for_others
from server.settings.settings import Settings
from server.settings.sources import PREFIX
from server.system.checks.findings import Finding, problem
from server.system.checks.reasons import FindingReason, Said, found

# A certificate that expires within this time should have been renewed.
_SOON: Final = timedelta(days=14)


def check(settings: Settings) -> list[Finding]:
    """Plaintext, trusted proxies, and the configured certificates."""
    return [*check_ports(settings), *_trusted_proxies(settings), *_extensions(settings)]


def check_ports(settings: Settings) -> list[Finding]:
    """Plaintext, the certificate of both ports, and the authorities of client certificates."""
    now = datetime.now(UTC)
    return [
        *_plaintext(settings),
        *_certificate(settings, now),
        *_client_authorities(settings, now),
    ]


def _plaintext(settings: Settings) -> list[Finding]:
    """Without a certificate both ports use plaintext. A trusted proxy may protect the web port."""
    if settings.tls_files:
        return found(FindingReason.PORTS_TLS)
    ports = [(f"{PREFIX}GRPC_ADDRESS", settings.grpc_address)]
    if not settings.trusted_proxies:
        ports.append((f"{PREFIX}HTTP_ADDRESS", settings.http_address))
    open_ports = [(name, address) for name, address in ports if is_for_others(address)]
    if open_ports:
        english = " and ".join(f"{name} is {address}" for name, address in open_ports)
        named = ", ".join(f"{name}={address}" for name, address in open_ports)
        return found(FindingReason.PORTS_OPEN, ports=Said(english, named))
    return found(FindingReason.PORTS_LOCAL)


def _trusted_proxies(settings: Settings) -> list[Finding]:
    """A network of all addresses trusts every client, not only proxies."""
    everybody = [each for each in settings.trusted_proxies if ip_network(each).prefixlen == 0]
    if not everybody:
        return []
    networks = Said(" and ".join(everybody), ", ".join(everybody))
    return found(FindingReason.PROXIES_EVERYWHERE, networks=networks)


def _certificate(settings: Settings, now: datetime) -> list[Finding]:
    """An expired certificate does not prevent the start: clients may ignore the expiry."""
    if settings.tls_files is None:
        return []
    file, key_file, _ = settings.tls_files
    try:
        pair = load_key_pair(file, key_file)
    except CertificateError as error:
        return problem("certificate", str(error))
    if pair.begins_at > now:
        return found(FindingReason.CERTIFICATE_FUTURE, file=file, time=_minute(pair.begins_at))
    return _expiry(
        file,
        pair.expires_at,
        now,
        expired=FindingReason.CERTIFICATE_EXPIRED,
        soon=FindingReason.CERTIFICATE_EXPIRES,
        valid=FindingReason.CERTIFICATE_VALID,
    )


def _client_authorities(settings: Settings, now: datetime) -> list[Finding]:
    """An expired authority prevents no start, but every handshake with its certificates fails."""
    file = settings.tls_client_ca_file
    if file is None:
        return []
    try:
        expires_at = load_client_authorities(file).expires_at
    except CertificateError as error:
        return problem("client CA", str(error))
    return _expiry(
        file,
        expires_at,
        now,
        expired=FindingReason.CLIENT_CA_EXPIRED,
        soon=FindingReason.CLIENT_CA_EXPIRES,
        valid=FindingReason.CLIENT_CA_VALID,
    )


def _expiry(
    file: Path,
    expires_at: datetime,
    now: datetime,
    *,
    expired: FindingReason,
    soon: FindingReason,
    valid: FindingReason,
) -> list[Finding]:
    """The finding about the first certificate of a file that expires."""
    if expires_at <= now:
        return found(expired, file=file, time=_minute(expires_at))
    if expires_at - now < _SOON:
        return found(soon, file=file, time=_minute(expires_at))
    return found(valid, file=file, date=f"{expires_at:%Y-%m-%d}")


def _minute(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M}"


def _extensions(settings: Settings) -> list[Finding]:
    """Strict clients refuse a certificate without these extensions."""
    if settings.tls_files is None:
        return []
    file = settings.tls_files[0]
    try:
        missing = conformance.missing_extensions(file.read_bytes())
    except (OSError, ValueError):
        return []  # reported by the check of the certificate
    if not missing:
        return found(FindingReason.EXTENSIONS, file=file)
    return found(
        FindingReason.EXTENSIONS_MISSING,
        extension=missing[0].extension,
        subject=missing[0].subject,
        file=file,
    )
