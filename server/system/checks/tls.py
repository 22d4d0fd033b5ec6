"""TLS of both ports: whether it is needed, and the validity of its certificates."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
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
from server.system.checks.findings import Finding, ok, problem, warning

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
        return ok("plaintext", "Both ports use TLS.")
    ports = [(f"{PREFIX}GRPC_ADDRESS", settings.grpc_address)]
    if not settings.trusted_proxies:
        ports.append((f"{PREFIX}HTTP_ADDRESS", settings.http_address))
    open_ports = [f"{name} is {address}" for name, address in ports if is_for_others(address)]
    if open_ports:
        return warning(
            "plaintext",
            f"{' and '.join(open_ports)}: other machines reach it in plaintext, which exposes"
            " tokens.",
            f"Set {PREFIX}TLS_CERTIFICATE_FILE and {PREFIX}TLS_KEY_FILE, listen on"
            " 127.0.0.1, or let only a proxy that terminates TLS reach it.",
        )
    return ok(
        "plaintext",
        "Both ports can be reached only from this machine or through a trusted proxy.",
    )


def _trusted_proxies(settings: Settings) -> list[Finding]:
    """A network of all addresses trusts every client, not only proxies."""
    everybody = [each for each in settings.trusted_proxies if ip_network(each).prefixlen == 0]
    if not everybody:
        return []
    return warning(
        "trusted proxies",
        f"{PREFIX}TRUSTED_PROXIES has {' and '.join(everybody)}: every client that reaches the web"
        " port chooses the address that rate limits and logs use.",
        "Name only the networks of your proxies.",
    )


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
        return problem(
            "certificate",
            f"{file} is valid only from {pair.begins_at:%Y-%m-%d %H:%M} UTC on, so clients refuse"
            " it.",
            "Check the clock of this machine, or use another certificate.",
        )
    return _expiry("certificate", str(file), pair.expires_at, now, "clients refuse it")


def _client_authorities(settings: Settings, now: datetime) -> list[Finding]:
    """An expired authority prevents no start, but every handshake with its certificates fails."""
    file = settings.tls_client_ca_file
    if file is None:
        return []
    try:
        expires_at = load_client_authorities(file).expires_at
    except CertificateError as error:
        return problem("client CA", str(error))
    effect = "clients with certificates of this authority cannot connect"
    return _expiry("client CA", f"A certificate in {file}", expires_at, now, effect)


def _expiry(
    check: str, certificate: str, expires_at: datetime, now: datetime, effect: str
) -> list[Finding]:
    """The findings about the first certificate that expires."""
    remedy = "Renew it; running servers take over new files."
    moment = f"{expires_at:%Y-%m-%d %H:%M} UTC"
    if expires_at <= now:
        return problem(check, f"{certificate} expired on {moment}, so {effect}.", remedy)
    if expires_at - now < _SOON:
        return warning(check, f"{certificate} expires on {moment}.", remedy)
    return ok(check, f"{certificate} is valid until {expires_at:%Y-%m-%d}.")


def _extensions(settings: Settings) -> list[Finding]:
    """Strict clients refuse a certificate without these extensions."""
    if settings.tls_files is None:
        return []
    name, file = "extensions of the certificate", settings.tls_files[0]
    try:
        missing = conformance.missing_extensions(file.read_bytes())
    except (OSError, ValueError):
        return []  # reported by the check of the certificate
    if not missing:
        return ok(name, f"{file} has the extensions that RFC 5280 requires.")
    return warning(
        name,
        f"RFC 5280 requires {missing[0].extension} of {missing[0].subject} in {file}. Without it"
        " strict clients, such as Python 3.13, refuse the certificate.",
        "Have it issued again, as docs/operating-tls.md shows.",
    )
