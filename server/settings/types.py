"""The types of settings, which check the format of each value.

The rule: a ValueError says how to correct the value, and shows nothing that may be secret.

Some types read settings that `settings.py` declares before theirs, by name.
"""

import ipaddress
import os
import re
import ssl
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BeforeValidator, SecretStr, ValidationInfo
from pydantic_settings import NoDecode

from server.crypto.keyring import EncryptionKeyError, key_words, parse_keys
from server.settings.urls import (
    collector_url,
    contact_url,
    database_url,
    issuer_url,
    page_url,
    redirect_uri,
)
from server.values.host_port import split_host_port
from server.values.languages import listed
from server.values.mail_address import normal_mail_address
from server.values.names import legible, printable
from server.values.origins import (
    MAX_ORIGIN_LABELS,
    check_domain,
    check_former,
    check_on,
    check_origin,
    check_related,
    check_secure,
    is_on,
    is_web,
    origin_labels,
)

_MAX_FORMER = 5  # the sign-in page has a button for each
_MAX_AUDIENCE = 500  # as of IssueSessionJWT


def _split(value: object) -> object:
    if isinstance(value, str):
        items = tuple(item.strip() for item in value.split(",") if item.strip())
        if not items:
            raise ValueError("is an empty list; leave it out for the default")
        return items
    return value


def _split_keys(value: object) -> object:
    """Keys between commas, or in the format of encryption.keys."""
    return _split(",".join(key_words(value))) if isinstance(value, str) else value


def _encryption_keys(keys: tuple[SecretStr, ...]) -> tuple[SecretStr, ...]:
    try:
        parse_keys([key.get_secret_value() for key in keys], source="the list")
    except EncryptionKeyError as error:
        raise ValueError(str(error)) from None
    return keys


def _on_rp_id(origin: str, information: ValidationInfo) -> str:
    rp_id = information.data.get("rp_id")  # missing if it is invalid itself
    return check_on(rp_id, origin) if rp_id else origin


def _related(origin: str, information: ValidationInfo) -> str:
    rp_id, rp_origins = (information.data.get(name) for name in ("rp_id", "rp_origins"))
    return check_related(origin, rp_id=rp_id, rp_origins=rp_origins or ())


def _few_labels(origins: tuple[str, ...]) -> tuple[str, ...]:
    labels = origin_labels(origins)
    if len(labels) > MAX_ORIGIN_LABELS:
        raise ValueError(
            f"names origins of {len(labels)} domains that differ before the suffix"
            f" ({', '.join(labels)}); browsers use only the first {MAX_ORIGIN_LABELS}"
        )
    return origins


def _former(rp_id: str, information: ValidationInfo) -> str:
    return check_former(rp_id, information.data.get("rp_id"))


def _distinct_former(rp_ids: tuple[str, ...], information: ValidationInfo) -> tuple[str, ...]:
    """The former IDs. Browsers must also accept all origins of today as related to each."""
    if len(rp_ids) > _MAX_FORMER or len(set(rp_ids)) < len(rp_ids):
        raise ValueError(f"must name at most {_MAX_FORMER} domains, and each once")
    data = information.data
    _few_labels((*data.get("rp_related_origins", ()), *filter(is_web, data.get("rp_origins", ()))))
    return rp_ids


def _on_former(origin: str, information: ValidationInfo) -> str:
    former = information.data.get("former_rp_ids")  # missing if it is invalid itself
    if former is not None and not any(is_on(rp_id, origin) for rp_id in former):
        raise ValueError(
            f"has {origin}, which is on none of KEYSTEAD_FORMER_RP_IDS; add its RP ID there"
        )
    return origin


def _network(value: str) -> str:
    try:
        ipaddress.ip_network(value)
    except ValueError:
        raise ValueError(
            f"'{value}' is not an address like 10.0.0.1 or a network like 10.0.0.0/8"
        ) from None
    return value


def _host_port(value: str) -> str:
    split_host_port(value, lowest_port=0)  # 0: any free port
    return value


def _dns_server(value: str) -> str:
    host, _ = split_host_port(value)
    try:
        ipaddress.ip_address(host)
    except ValueError:
        raise ValueError(
            f"'{value}' is not an address with a port, like 10.0.0.53:53 or [fd00::53]:53"
        ) from None
    return value


def _audience(value: str) -> str:
    if len(value) > _MAX_AUDIENCE or not re.fullmatch(r"[!-~]+", value):
        raise ValueError(
            "must name audiences of at most 500 visible ASCII characters, such as"
            " https://orders.example.com"
        )
    return value


def _greeting_name(value: str) -> str:
    """A domain or an address literal (RFC 5321, section 4.1.1.1)."""
    if len(value) > 255 or not re.fullmatch(r"[!-~]+", value):
        raise ValueError("must be a domain like mail.example.com, or an address like [192.0.2.1]")
    return value


def _ca_file(path: Path) -> Path:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=path)
    except ssl.SSLError:
        raise ValueError(f"{path} has no valid certificates in PEM format") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    return path


def holds_secret(value: object) -> bool:
    """Whether the value of a setting must not be shown."""
    values = value if isinstance(value, tuple) else (value,)
    return any(isinstance(each, SecretStr) for each in values)


def nearest_existing(path: Path) -> Path:
    """The path, or its nearest existing parent."""
    # Not Path.exists, which raises in directories that this user may not read.
    return next(each for each in (path, *path.parents) if os.path.lexists(each))


def _folder(path: Path) -> Path:
    """An existing directory, or one whose nearest existing parent is a directory."""
    nearest = nearest_existing(path)
    if not os.path.isdir(nearest):  # noqa: PTH112 -- see nearest_existing
        raise ValueError(f"must be a directory, but {nearest} is not one; name another")
    return path


Item = TypeVar("Item")
# Values between commas.
ListOf = Annotated[tuple[Item, ...], NoDecode, BeforeValidator(_split)]

ListenAddress = Annotated[str, AfterValidator(_host_port)]
CollectorUrl = Annotated[str, AfterValidator(collector_url)]
DatabaseUrl = Annotated[SecretStr, AfterValidator(database_url)]
EncryptionKeys = Annotated[
    tuple[SecretStr, ...], NoDecode, BeforeValidator(_split_keys), AfterValidator(_encryption_keys)
]
Domain = Annotated[str, AfterValidator(check_domain)]
ContactUrl = Annotated[str, AfterValidator(contact_url)]
PageUrl = Annotated[str, AfterValidator(page_url)]
IssuerUrl = Annotated[str, AfterValidator(issuer_url)]
Audiences = ListOf[Annotated[str, AfterValidator(_audience)]]
GreetingName = Annotated[str, AfterValidator(_greeting_name)]
ReplyTo = Annotated[str, AfterValidator(normal_mail_address)]
Language = Annotated[str, AfterValidator(listed)]
Folder = Annotated[Path, AfterValidator(_folder)]
ShownName = Annotated[str, AfterValidator(printable), AfterValidator(legible)]
CAFile = Annotated[Path, AfterValidator(_ca_file)]
Origin = Annotated[str, AfterValidator(check_origin)]
SecureOrigin = Annotated[Origin, AfterValidator(check_secure)]
Origins = ListOf[Origin]
RedirectURIs = ListOf[Annotated[str, AfterValidator(redirect_uri)]]
DNSServers = ListOf[Annotated[str, AfterValidator(_dns_server)]]
Networks = ListOf[Annotated[str, AfterValidator(_network)]]
RPOrigins = ListOf[Annotated[SecureOrigin, AfterValidator(_on_rp_id)]]
RelatedOrigins = Annotated[
    ListOf[Annotated[Origin, AfterValidator(_related)]], AfterValidator(_few_labels)
]
FormerDomains = Annotated[
    ListOf[Annotated[Domain, AfterValidator(_former)]], AfterValidator(_distinct_former)
]
FormerOrigins = ListOf[Annotated[SecureOrigin, AfterValidator(_on_former)]]
TopOrigins = ListOf[SecureOrigin]
