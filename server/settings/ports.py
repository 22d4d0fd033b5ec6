"""The settings of the ports: checks and defaults that depend on each other, and their reach."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from pydantic import ValidationInfo

from server.settings.sources import PREFIX
from server.settings.urls import is_plaintext, is_verified_or_local
from server.values.host_port import split_host_port
from server.values.origins import is_this_machine, is_web

WEB_PORT: Final = 8080
HTTP_ADDRESS: Final = f"127.0.0.1:{WEB_PORT}"
_DEFAULT_PORTS = {"http": 80, "https": 443}


def can_share(workers: int, information: ValidationInfo) -> int:
    """The check of `workers`: several share ports, which must have numbers for that."""
    addresses = (information.data.get(name, "") for name in ("grpc_address", "http_address"))
    if workers > 1 and any(address.endswith(":0") for address in addresses):
        raise ValueError(
            f"must be 1 unless {PREFIX}GRPC_ADDRESS and {PREFIX}HTTP_ADDRESS name a port"
        )
    return workers


def together(key_file: Path | None, information: ValidationInfo) -> Path | None:
    """The check of `tls_key_file`: it and the certificate are set together."""
    certificate_file = information.data.get("tls_certificate_file")
    if (key_file is None) != (certificate_file is None):
        is_set, other = ("is not", "is") if key_file is None else ("is", "is not")
        raise ValueError(
            f"{is_set} set, but {PREFIX}TLS_CERTIFICATE_FILE {other}; set both or neither"
        )
    return key_file


def with_tls(client_ca_file: Path | None, information: ValidationInfo) -> Path | None:
    """The check of `tls_client_ca_file`: it is set with the certificate."""
    if client_ca_file is not None and information.data.get("tls_certificate_file") is None:
        raise ValueError(
            f"is set, but {PREFIX}TLS_CERTIFICATE_FILE is not; client certificates need TLS"
        )
    return client_ca_file


def everywhere(require_tls: bool, information: ValidationInfo) -> bool:
    """The check of `require_tls`: every connection to another machine has TLS."""
    settings = information.data
    database_url, collector = settings.get("database_url"), settings.get("otlp_endpoint")
    plaintext = []
    if settings.get("tls_certificate_file") is None:
        plaintext += [
            f"{PREFIX}{name.upper()} is {settings[name]} without {PREFIX}TLS_CERTIFICATE_FILE"
            for name in ("grpc_address", "http_address")
            if name in settings and is_for_others(settings[name])
        ]
    if database_url is not None and not is_verified_or_local(database_url):
        plaintext.append(f"{PREFIX}DATABASE_URL is without sslmode=verify-full")
    if collector is not None and is_plaintext(collector):
        plaintext.append(f"{PREFIX}OTLP_ENDPOINT is {collector}")
    if require_tls and plaintext:
        raise ValueError(f"is true, but {' and '.join(plaintext)}")
    return require_tls


def captured_here(mail_capture: bool, information: ValidationInfo) -> bool:
    """The check of `mail_capture`: it is said twice unless the issuer is on this machine."""
    settings = information.data
    web = filter(is_web, settings.get("rp_origins", ()))
    issuer = settings.get("public_url") or next(web, f"https://{settings.get('rp_id')}")
    is_here = is_this_machine(urlsplit(issuer).hostname or "")
    if mail_capture and not is_here and not settings.get("mail_capture_in_public"):
        raise ValueError(
            f"is true, but the issuer {issuer} is not on this machine, and its users would get no"
            f" mails; if that is meant, set {PREFIX}MAIL_CAPTURE_IN_PUBLIC to true as well"
        )
    return mail_capture


def local_origin(http_address: str, *, tls: bool) -> str:
    """The origin at which a browser on this machine opens the pages of the web port."""
    _, port = split_host_port(http_address, lowest_port=0)
    scheme = "https" if tls else "http"
    if port == _DEFAULT_PORTS[scheme]:
        return f"{scheme}://localhost"
    return f"{scheme}://localhost:{port or WEB_PORT}"


def default_origins(information: Mapping[str, object]) -> tuple[str]:
    """The default of `rp_origins`."""
    # `keystead settings` computes the default without an address.
    address = str(information.get("http_address", HTTP_ADDRESS))
    return (local_origin(address, tls=information.get("tls_certificate_file") is not None),)


def is_for_others(address: str) -> bool:
    """Whether other machines can reach a server that listens on this address."""
    host, _ = split_host_port(address, lowest_port=0)
    return not is_this_machine(host)
