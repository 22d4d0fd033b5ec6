"""Every setting of the server: an environment variable `KEYSTEAD_*`, typed, checked at start."""

import difflib
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
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from server.address import split_host_port

PREFIX = "KEYSTEAD_"

# A name, an address, an IPv6 address in brackets, or nothing for a socket; and the port.
_DATABASE_HOST = re.compile(r"([\w.-]*|\[[0-9a-fA-F:.]+\])(:[0-9]{1,5})?")


class InvalidSettingsError(Exception):
    """The environment describes no server that can run; the message names every wrong variable."""


def _split(value: object) -> object:
    if isinstance(value, str):
        items = tuple(item.strip() for item in value.split(",") if item.strip())
        if value and not items:
            raise ValueError("names nothing; leave it out for the default")
        return items
    return value


def _host_port(value: str) -> str:
    split_host_port(value, lowest_port=0)  # 0: any free port
    return value


def _database_url(value: SecretStr) -> SecretStr:
    # Not pydantic's PostgresDsn: it wants a host, which a socket (?host=/run/postgresql) has not.
    scheme, _, rest = value.get_secret_value().partition("://")
    hosts = re.split("[/?]", rest, maxsplit=1)[0].rpartition("@")[2].split(",")
    if scheme not in ("postgresql", "postgres") or not all(map(_DATABASE_HOST.fullmatch, hosts)):
        # Without the URL, which has the password. One with / or @ in it ends up here.
        raise ValueError(
            "must be a URL like postgresql://user@host:5432/database; in a password, write"
            " characters like / and @ as %2F and %40"
        )
    return value


def _origin(value: str) -> str:
    parts = urlsplit(value)
    is_web = (
        parts.scheme in ("http", "https")
        and parts.hostname
        and value == f"{parts.scheme}://{parts.netloc}"
    )
    if not is_web and not value.startswith("android:apk-key-hash:"):
        raise ValueError(
            f"'{value}' is not an origin: write scheme://host or scheme://host:port, without a path"
        )
    return value


HostPort = Annotated[str, AfterValidator(_host_port)]
Origins = Annotated[
    tuple[Annotated[str, AfterValidator(_origin)], ...], NoDecode, BeforeValidator(_split)
]


class Settings(BaseSettings):
    """What the environment says: `data_dir` is the variable `KEYSTEAD_DATA_DIR`, and so on."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, hide_input_in_errors=True)

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
    workers: int = Field(1, ge=1, le=64, description="Processes that share the port.")
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
    encryption_keys: Annotated[tuple[SecretStr, ...], NoDecode, BeforeValidator(_split)] = Field(
        (),
        description="Comma-separated keys, 32 bytes in base64 each; the first one writes."
        " Empty: the key file.",
    )
    rp_id: str = Field(
        "localhost", min_length=1, description="WebAuthn relying party id: a domain."
    )
    rp_name: str = Field(
        "Keystead", min_length=1, description="Name that authenticators show for it."
    )
    rp_origins: Origins = Field(
        ("http://localhost:8080",),
        min_length=1,
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

    @model_validator(mode="after")
    def _rp_origins_belong_to_rp_id(self) -> Self:
        """An origin outside the relying party id can never register (WebAuthn L3, 5.1.3 step 8)."""
        for origin in self.rp_origins:
            host = urlsplit(origin).hostname
            if host and host != self.rp_id and not host.endswith(f".{self.rp_id}"):
                raise ValueError(
                    f"{PREFIX}RP_ORIGINS has {origin}, which is not on {PREFIX}RP_ID ({self.rp_id})"
                )
        return self

    @model_validator(mode="after")
    def _workers_share_a_port(self) -> Self:
        if self.workers > 1 and self.grpc_address.endswith(":0"):
            raise ValueError(
                f"{PREFIX}GRPC_ADDRESS must name a port when {PREFIX}WORKERS is more than 1"
            )
        return self

    @classmethod
    def load(cls) -> Self:
        """The settings of this process's environment.

        InvalidSettingsError names every wrong variable.
        """
        try:
            return cls()
        except ValidationError as error:
            lines = [f"  {_variable(problem['loc'])}{problem['msg']}" for problem in error.errors()]
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


def _variable(location: tuple[int | str, ...]) -> str:
    return f"{PREFIX}{str(location[0]).upper()}: " if location else ""
