"""Every setting of the server: an environment variable `KEYSTEAD_*`, typed, checked at start."""

import difflib
import ipaddress
import os
import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
)
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from server.address import split_host_port
from server.encryption import EncryptionKeyError, parse_keys

PREFIX = "KEYSTEAD_"

# A name, an address, an IPv6 address in brackets, or nothing for a socket; and the port.
_DATABASE_HOST = re.compile(r"([\w.-]*|\[[0-9a-fA-F:.]+\])(:[0-9]{1,5})?")

# Labels of letters, digits and hyphens (RFC 1123, section 2.1), as browsers write them.
_DOMAIN = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")


class InvalidSettingsError(Exception):
    """The environment describes no server that can run; the message names every wrong variable."""


def _split(value: object) -> object:
    if isinstance(value, str):
        items = tuple(item.strip() for item in value.split(",") if item.strip())
        if not items:
            raise ValueError("names nothing; leave it out for the default")
        return items
    return value


def _encryption_keys(keys: tuple[SecretStr, ...]) -> tuple[SecretStr, ...]:
    try:
        parse_keys([key.get_secret_value() for key in keys], source="the list")
    except EncryptionKeyError as error:
        raise ValueError(str(error)) from None
    return keys


def _domain(value: str) -> str:
    if not _DOMAIN.fullmatch(value):
        raise ValueError("must be a domain like example.com, without scheme and port")
    return value


def _on_rp_id(origin: str, information: ValidationInfo) -> str:
    """An origin outside the relying party id can never register (WebAuthn L3, 5.1.3 step 8)."""
    host, rp_id = urlsplit(origin).hostname, information.data.get("rp_id")
    if host and rp_id and host != rp_id and not host.endswith(f".{rp_id}"):
        raise ValueError(f"has {origin}, which is not on {PREFIX}RP_ID ({rp_id})")
    return origin


def _can_share(workers: int, information: ValidationInfo) -> int:
    addresses = (information.data.get(name, "") for name in ("grpc_address", "http_address"))
    if workers > 1 and any(address.endswith(":0") for address in addresses):
        raise ValueError(
            f"must be 1 unless {PREFIX}GRPC_ADDRESS and {PREFIX}HTTP_ADDRESS name a port"
        )
    return workers


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
    # Not pydantic's PostgresDsn: it wants a host, which a socket (?host=/run/postgresql) has not.
    scheme, _, rest = value.get_secret_value().partition("://")
    authority = re.split("[/?#]", rest, maxsplit=1)[0]
    user, _, hosts = authority.rpartition("@")
    # Where these are, the driver may see the end of a password elsewhere than we do, and take the
    # rest for a port or an option, which its errors show.
    is_ambiguous = not set("@#[]").isdisjoint(user + rest.removeprefix(authority))
    if (
        scheme not in ("postgresql", "postgres")
        or is_ambiguous
        or not all(map(_DATABASE_HOST.fullmatch, hosts.split(",")))
    ):
        # Without the URL, which has the password. One with / or @ in it ends up here.
        raise ValueError(
            "must be a URL like postgresql://user@host:5432/database?option=value; in a password,"
            " write characters like / and @ as %2F and %40"
        )
    return value


def _origin(value: str) -> str:
    parts = urlsplit(value)
    default_port = {"http": ":80", "https": ":443"}.get(parts.scheme)
    is_web = (
        default_port
        and parts.hostname
        and value == f"{parts.scheme}://{parts.netloc.lower()}".removesuffix(default_port)
    )
    if not is_web and not value.startswith("android:apk-key-hash:"):
        raise ValueError(
            f"'{value}' is not an origin: write scheme://host or scheme://host:port as browsers do,"
            " in lower case, without the default port and without a path"
        )
    return value


HostPort = Annotated[str, AfterValidator(_host_port)]
Origin = Annotated[str, AfterValidator(_origin)]
Origins = Annotated[tuple[Origin, ...], NoDecode, BeforeValidator(_split)]
Networks = Annotated[
    tuple[Annotated[str, AfterValidator(_network)], ...], NoDecode, BeforeValidator(_split)
]
RPOrigins = Annotated[
    tuple[Annotated[Origin, AfterValidator(_on_rp_id)], ...], NoDecode, BeforeValidator(_split)
]


class Settings(BaseSettings):
    """What the environment says: `data_dir` is the variable `KEYSTEAD_DATA_DIR`, and so on."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, hide_input_in_errors=True
    )

    data_dir: Path = Field(
        Path(".keystead"),
        description="Folder of the embedded database, the key file and the first token.",
    )
    database_url: Annotated[SecretStr, AfterValidator(_database_url)] | None = Field(
        None, description="PostgreSQL 15 or newer to use instead of the embedded one."
    )
    database_pool_size: int = Field(
        10,
        ge=1,
        le=1000,
        description="Connections to PostgreSQL of each process; it has one more for its health.",
    )
    grpc_address: HostPort = Field("127.0.0.1:50051", description="host:port of native gRPC.")
    http_address: HostPort = Field(
        "127.0.0.1:8080", description="host:port of grpc-web, JSON and the pages."
    )
    cors_origins: Origins = Field(
        (),
        description="Comma-separated origins whose pages may call the server from a browser."
        " Empty: none but its own.",
    )
    trusted_proxies: Networks = Field(
        (),
        description="Comma-separated addresses or networks of the reverse proxies whose"
        " X-Forwarded-For and X-Forwarded-Proto are believed. Empty: nobody's.",
    )
    workers: Annotated[int, AfterValidator(_can_share)] = Field(
        1, ge=1, le=64, description="Processes that share the ports."
    )
    shutdown_grace: float = Field(
        10, ge=0, le=3600, description="Seconds that calls in flight have to finish after SIGTERM."
    )
    drain_delay: float = Field(
        0.5,
        ge=0,
        le=300,
        description="Seconds between saying NOT_SERVING and refusing new calls after SIGTERM.",
    )
    default_timeout: float = Field(
        10, gt=0, le=3600, description="Seconds that a call may take whose client sets no deadline."
    )
    encryption_keys: Annotated[
        tuple[SecretStr, ...], NoDecode, BeforeValidator(_split), AfterValidator(_encryption_keys)
    ] = Field(
        (),
        description="Comma-separated keys, 32 bytes in base64 each; the first one writes."
        " Empty: the key file.",
    )
    rp_id: Annotated[str, AfterValidator(_domain)] = Field(
        "localhost", description="WebAuthn relying party id: a domain."
    )
    rp_name: str = Field(
        "Keystead", min_length=1, description="Name that authenticators show for it."
    )
    rp_origins: RPOrigins = Field(
        ("http://localhost:8080",),
        description="Comma-separated origins that may register passkeys.",
    )
    rp_top_origins: Origins = Field(
        (), description="Comma-separated origins that may embed them in an iframe. Empty: none."
    )
    rp_user_verification: Literal["required", "preferred", "discouraged"] = Field(
        "required",
        description="Whether authenticators must verify the user (PIN, fingerprint, face).",
    )
    max_passkeys_per_user: int = Field(
        20, ge=1, le=1000, description="Verified passkeys a user may have."
    )
    max_tokens_per_user: int = Field(100, ge=1, le=10_000, description="Tokens a user may have.")
    update_idp_sunset: date | None = Field(
        None, description="Day (YYYY-MM-DD) on which UpdateIDP will be removed."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Least level that is logged."
    )
    log_format: Literal["auto", "json", "console"] = Field(
        "auto", description="Lines of JSON, or for people; auto: for people on a terminal."
    )

    @property
    def key_file(self) -> Path:
        """Where the encryption keys are that `encryption_keys` does not give."""
        return self.data_dir / "encryption.keys"

    @classmethod
    def load(cls) -> Self:
        """The settings of this process's environment.

        InvalidSettingsError names every wrong variable.
        """
        try:
            return cls()
        except ValidationError as error:
            lines = [_sentence(problem) for problem in error.errors()]
            raise InvalidSettingsError("\n".join(["The settings are not valid:", *lines])) from None


def unknown_variables(environment: Mapping[str, str] = os.environ) -> list[str]:
    """A sentence for every `KEYSTEAD_*` variable that is no setting, most likely a typo."""
    known = [name.upper() for name in Settings.model_fields]
    sentences = []
    for name in sorted(environment):
        setting = name.removeprefix(PREFIX)
        if name.startswith(PREFIX) and setting not in known:
            close = difflib.get_close_matches(setting, known, n=1)
            hint = f"; did you mean {PREFIX}{close[0]}?" if close else "."
            sentences.append(f"{name} is not a setting{hint}")
    return sentences


def _sentence(problem: ErrorDetails) -> str:
    variable = f"{PREFIX}{str(problem['loc'][0]).upper()}"
    return f"  {variable}: {problem['msg'].removeprefix('Value error, ')}"
