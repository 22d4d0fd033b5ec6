"""The types of settings, which check the format of each value.

The rule: a ValueError says how to correct the value, and shows nothing that may be secret.

Some types read settings that `settings.py` declares before theirs, by name.
"""

import ipaddress
import os
import re
import ssl
from pathlib import Path
from typing import Annotated, Final, TypeVar
from urllib.parse import parse_qsl, urlsplit

from pydantic import AfterValidator, BeforeValidator, SecretStr, ValidationInfo
from pydantic_settings import NoDecode

from server.crypto.keyring import EncryptionKeyError, key_words, parse_keys
from server.values.host_port import split_host_port
from server.values.mail_address import normal_mail_address
from server.values.names import legible, printable
from server.values.origins import (
    MAX_ORIGIN_LABELS,
    check_domain,
    check_on,
    check_origin,
    check_related,
    check_secure,
    is_web_origin,
    origin_labels,
)

# A name, an address, an IPv6 address in brackets, or nothing (a socket); then the port.
_DATABASE_HOST = re.compile(r"([\w.-]*|\[[0-9a-fA-F:.]+\])(:[0-9]{1,5})?")
_WRITES: Final = "read-write"
# RFC 3986 without query and fragment: links append their own.
_PAGE_URL = re.compile(r"(?P<origin>[^/?#]+://[^/?#]+)(/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)?")

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


def _database_url(value: SecretStr) -> SecretStr:
    # Not pydantic's PostgresDsn: it requires a host, and a socket (?host=/run/postgresql) has none.
    scheme, _, rest = value.get_secret_value().partition("://")
    authority = re.split("[/?#]", rest, maxsplit=1)[0]
    user, _, hosts = authority.rpartition("@")
    # With these characters, the driver may split the URL at another place than this function, and
    # show a part of the password in an error about a port or an option.
    is_ambiguous = not set("@#[]").isdisjoint(user + rest.removeprefix(authority))
    if (
        scheme not in ("postgresql", "postgres")
        or is_ambiguous
        or not all(map(_DATABASE_HOST.fullmatch, hosts.split(",")))
    ):
        # Without the URL, which contains the password. A password with / or @ ends up here.
        raise ValueError(
            "must be a URL like postgresql://user@host:5432/database?option=value; in a password,"
            " write characters like / and @ as %2F and %40"
        )
    options = dict(parse_qsl(urlsplit(value.get_secret_value()).query))
    if "," in options.get("host", "") or "," in options.get("port", ""):
        raise ValueError(
            "must name several hosts before the database, such as"
            " postgresql://user@one:5432,two:5432/database"
        )
    if options.get("target_session_attrs", _WRITES) not in (_WRITES, "primary"):
        raise ValueError(
            f"target_session_attrs must be {_WRITES} or primary, because Keystead writes; with"
            f" several hosts, the default is {_WRITES}"
        )
    return value


def _is_page(url: str) -> bool:
    page = _PAGE_URL.fullmatch(url)
    return page is not None and is_web_origin(page["origin"])


def _page_url(value: str) -> str:
    if not _is_page(value):
        raise ValueError(
            "must be a URL like https://id.example.com/passkeys/ as browsers write it, without"
            " default port, user, query and fragment"
        )
    return value


def _issuer(value: str) -> str:
    """An issuer, which verifiers compare byte by byte (RFC 8414, section 2)."""
    if not _is_page(value) or value.endswith("/"):
        raise ValueError(
            "must be a URL like https://id.example.com as browsers write it, without default port,"
            " user, query, fragment and a slash at the end"
        )
    return value


def _collector_url(value: str) -> str:
    url = urlsplit(value)
    try:
        split_host_port(url.netloc, lowest_port=1)
        is_address = value == f"{url.scheme}://{url.netloc}" and url.scheme in ("http", "https")
    except ValueError:
        is_address = False
    if not is_address:
        raise ValueError("must be a URL like http://127.0.0.1:4317, with a port and without path")
    return value


def _redirect_uri(value: str) -> str:
    """A page for each identity provider, so that none receives the response of another."""
    path = value.rpartition("//")[2].partition("/")[2]
    if not _is_page(value.replace("{idp_id}", "id")) or path.count("{idp_id}") != 1:
        raise ValueError(
            "must be URLs like https://id.example.com/signin/callback/{idp_id} as browsers write"
            " them, without default port, user, query and fragment, and with {idp_id} in the path"
        )
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
CollectorUrl = Annotated[str, AfterValidator(_collector_url)]
DatabaseUrl = Annotated[SecretStr, AfterValidator(_database_url)]
EncryptionKeys = Annotated[
    tuple[SecretStr, ...], NoDecode, BeforeValidator(_split_keys), AfterValidator(_encryption_keys)
]
Domain = Annotated[str, AfterValidator(check_domain)]
PageUrl = Annotated[str, AfterValidator(_page_url)]
IssuerUrl = Annotated[str, AfterValidator(_issuer)]
Audiences = ListOf[Annotated[str, AfterValidator(_audience)]]
GreetingName = Annotated[str, AfterValidator(_greeting_name)]
ReplyTo = Annotated[str, AfterValidator(normal_mail_address)]
Folder = Annotated[Path, AfterValidator(_folder)]
ShownName = Annotated[str, AfterValidator(printable), AfterValidator(legible)]
CAFile = Annotated[Path, AfterValidator(_ca_file)]
Origin = Annotated[str, AfterValidator(check_origin)]
SecureOrigin = Annotated[Origin, AfterValidator(check_secure)]
Origins = ListOf[Origin]
RedirectURIs = ListOf[Annotated[str, AfterValidator(_redirect_uri)]]
Networks = ListOf[Annotated[str, AfterValidator(_network)]]
RPOrigins = ListOf[Annotated[SecureOrigin, AfterValidator(_on_rp_id)]]
RelatedOrigins = Annotated[
    ListOf[Annotated[Origin, AfterValidator(_related)]], AfterValidator(_few_labels)
]
TopOrigins = ListOf[SecureOrigin]
