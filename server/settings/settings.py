"""The settings: environment variables `KEYSTEAD_*`, typed and checked at start."""

import difflib
import os
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated, Literal, Self, get_args

from annotated_types import Ge, Gt, Le
from pydantic import AfterValidator, Field, ValidationError, ValidationInfo, field_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from server.settings.types import (
    CAFile,
    DatabaseUrl,
    Domain,
    EncryptionKeys,
    Folder,
    GreetingName,
    ListenAddress,
    Networks,
    Origins,
    PageUrl,
    RelatedOrigins,
    ReplyTo,
    RPOrigins,
    ShownName,
    TopOrigins,
)
from server.values.errors import OperatorError
from server.values.host_port import split_host_port
from server.values.origins import is_web

PREFIX = "KEYSTEAD_"
_WEB_PORT = 8080
_HTTP_ADDRESS = f"127.0.0.1:{_WEB_PORT}"
_DEFAULT_PORT_OF_HTTP = 80


class InvalidSettingsError(OperatorError):
    """The environment has invalid settings; each problem names its variable."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n  ".join(["The settings are not valid:", *problems]))
        self.problems = problems


def _can_share(workers: int, information: ValidationInfo) -> int:
    addresses = (information.data.get(name, "") for name in ("grpc_address", "http_address"))
    if workers > 1 and any(address.endswith(":0") for address in addresses):
        raise ValueError(
            f"must be 1 unless {PREFIX}GRPC_ADDRESS and {PREFIX}HTTP_ADDRESS name a port"
        )
    return workers


def local_origin(http_address: str) -> str:
    """The origin at which a browser on this machine opens the pages of the web port."""
    _, port = split_host_port(http_address, lowest_port=0)
    if port == _DEFAULT_PORT_OF_HTTP:
        return "http://localhost"
    return f"http://localhost:{port or _WEB_PORT}"


def _default_origins(information: Mapping[str, object]) -> tuple[str]:
    # `keystead settings` asks for the default without an address.
    return (local_origin(str(information.get("http_address", _HTTP_ADDRESS))),)


class Settings(BaseSettings):
    """The settings by name: the variable of `data_dir` is `KEYSTEAD_DATA_DIR`, and so on."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, hide_input_in_errors=True
    )

    data_dir: Folder = Field(
        Path(".keystead"),
        description="Directory of the embedded database, encryption.keys and admin.token.",
    )
    database_url: DatabaseUrl | None = Field(
        None, description="URL of a PostgreSQL 15 or newer, in place of the embedded one."
    )
    database_pool_size: int = Field(
        10,
        ge=1,
        le=1000,
        description="Database connections of each process, besides one for health checks.",
    )
    grpc_address: ListenAddress = Field(
        "127.0.0.1:50051", description="host:port of the gRPC port."
    )
    grpc_header_table: bool = Field(
        False,
        description="Whether gRPC clients may use the HPACK header table. Set it to true behind"
        " haproxy or nginx, which require it. Behind other proxies, leave it false: otherwise one"
        " client's malformed header fails the calls of others.",
    )
    http_address: ListenAddress = Field(
        _HTTP_ADDRESS, description="host:port of the web port: grpc-web, JSON and pages."
    )
    cors_origins: Origins = Field(
        (),
        description="Comma-separated origins whose pages may call the server. Empty: only its own.",
    )
    trusted_proxies: Networks = Field(
        (),
        description="Comma-separated addresses or networks of the reverse proxies whose"
        " X-Forwarded-For and X-Forwarded-Proto headers are trusted. Empty: none.",
    )
    workers: Annotated[int, AfterValidator(_can_share)] = Field(
        1, ge=1, le=64, description="Processes that share the ports."
    )
    shutdown_grace: float = Field(
        10,
        ge=0,
        le=3600,
        description="Seconds that running calls have to finish when the server shuts down.",
    )
    drain_delay: float = Field(
        0.5,
        ge=0,
        le=300,
        description="Seconds between reporting NOT_SERVING and refusing new calls, when the server"
        " shuts down.",
    )
    default_timeout: float = Field(
        10, gt=0, le=3600, description="Time limit in seconds of a call without a deadline."
    )
    encryption_keys: EncryptionKeys = Field(
        (),
        description="Comma-separated keys of stored secrets, 32 bytes in base64 each. The first one"
        " encrypts. All servers of one database need the same keys. Empty: the keys in the file"
        " encryption.keys in KEYSTEAD_DATA_DIR, one per line; # begins a comment. The first start"
        " creates the file.",
    )
    rp_id: Domain = Field("localhost", description="WebAuthn relying party ID (RP ID), a domain.")
    rp_name: ShownName = Field(
        "Keystead", min_length=1, description="Name of the relying party, shown by authenticators."
    )
    rp_origins: RPOrigins = Field(
        default_factory=_default_origins,
        description="Comma-separated origins that may register passkeys. Empty: http://localhost"
        f" with the port of KEYSTEAD_HTTP_ADDRESS, or {_WEB_PORT} if that port is 0.",
    )
    rp_related_origins: RelatedOrigins = Field(
        (),
        description="Comma-separated origins on other domains that may use the same passkeys."
        " Browsers fetch them from https://KEYSTEAD_RP_ID/.well-known/webauthn, a path of the web"
        " port.",
    )
    rp_top_origins: TopOrigins = Field(
        (),
        description="Comma-separated origins whose pages may embed pages of the relying party in an"
        " iframe. Empty: none. Some browsers do not report the embedding page, so restrict it with"
        " frame-ancestors as well.",
    )
    rp_user_verification: Literal["required", "preferred", "discouraged"] = Field(
        "required",
        description="Whether authenticators must verify the user (PIN, fingerprint, face).",
    )
    max_passkeys_per_user: int = Field(
        20, ge=1, le=1000, description="Maximum number of passkeys of a user."
    )
    max_tokens_per_user: int = Field(
        100, ge=1, le=10_000, description="Maximum number of tokens of a user."
    )
    session_lifetime: float = Field(
        86_400,
        ge=300,
        le=2_592_000,
        description="Seconds until a session expires, whether it is used or not.",
    )
    session_idle_timeout: float = Field(
        3600, ge=60, le=2_592_000, description="Seconds until an unused session expires."
    )
    max_sessions_per_user: int = Field(
        20,
        ge=1,
        le=1000,
        description="Maximum number of sessions of a user. One more ends the least recently used.",
    )
    passkey_page_url: PageUrl | None = Field(
        None,
        description="Page that registration links open. Empty: /passkeys/ of the first web origin"
        " of KEYSTEAD_RP_ORIGINS.",
    )
    passkey_link_lifetime: float = Field(
        86_400, ge=60, le=2_592_000, description="Seconds until a registration link expires."
    )
    smtp_greeting_name: GreetingName | None = Field(
        None,
        description="Host name to send in EHLO. Empty: this machine's.",
    )
    smtp_ca_file: CAFile | None = Field(
        None,
        description="PEM file of additional certificate authorities for SMTP servers.",
    )
    smtp_allowed_networks: Networks = Field(
        (),
        description="Comma-separated private or local addresses or networks that SMTP servers may"
        " have. Empty: only public addresses are allowed.",
    )
    smtp_timeout: float = Field(
        30, gt=0, le=600, description="Time limit in seconds of each step of an SMTP delivery."
    )
    mail_reply_to: ReplyTo | None = Field(
        None, description="Reply-To address of the server's mails."
    )
    mail_templates_dir: Path | None = Field(
        None, description="Directory of templates that replace the built-in mail templates by name."
    )
    mail_hourly_limit: int = Field(
        20,
        ge=1,
        le=10_000,
        description="Maximum number of links per hour to one address from one organization, and of"
        " notices about one user; a quarter of it at once. Further mails are delayed;"
        " `keystead mail list` shows them.",
    )
    update_idp_sunset: date | None = Field(
        None, description="Date (YYYY-MM-DD) on which UpdateIDP will be removed."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Minimum level of log lines."
    )
    log_format: Literal["auto", "json", "console"] = Field(
        "auto", description="Format of log lines; auto: console on a terminal, else json."
    )

    @field_validator("*", mode="before")
    @classmethod
    def _is_text(cls, value: object) -> object:
        if isinstance(value, str):
            try:
                value.encode()
            except UnicodeEncodeError:  # whose text is the value
                raise ValueError("must be UTF-8") from None
        return value

    @property
    def passkey_page(self) -> str:
        """URL of the page that registration links open."""
        if self.passkey_page_url:
            return self.passkey_page_url
        pages = [*filter(is_web, self.rp_origins), f"https://{self.rp_id}"]
        return f"{pages[0]}/passkeys/"

    @property
    def passkey_link_validity(self) -> timedelta:
        """Lifetime of registration links."""
        return timedelta(seconds=self.passkey_link_lifetime)

    @property
    def session_idle_time(self) -> timedelta:
        """How long a session may be unused."""
        return timedelta(seconds=self.session_idle_timeout)

    @property
    def passkey_origins(self) -> tuple[str, ...]:
        """Origins that may register passkeys."""
        return (*self.rp_origins, *self.rp_related_origins)

    @property
    def key_file(self) -> Path:
        """File of the encryption keys, used if `encryption_keys` is empty."""
        return self.data_dir / "encryption.keys"

    @classmethod
    def load(cls) -> Self:
        """Reads the environment. InvalidSettingsError names every invalid variable.

        A default derived from another setting is not computed while any setting is invalid.
        """
        try:
            return cls()
        except ValidationError as error:
            problems = [
                _sentence(problem)
                for problem in error.errors()
                if problem["type"] != "default_factory_not_called"
            ]
            raise InvalidSettingsError(problems) from None


def unknown_variables(environment: Mapping[str, str] = os.environ) -> list[str]:
    """A sentence for every variable that resembles a setting but is none: probably a typo."""
    known = [name.upper() for name in Settings.model_fields]
    sentences = []
    for name in sorted(environment):
        # Names of settings are case-insensitive.
        prefix, setting = name.upper()[: len(PREFIX)], name.upper()[len(PREFIX) :]
        if setting in known and prefix == PREFIX:
            continue
        close = difflib.get_close_matches(setting, known, n=1)
        if prefix == PREFIX or (close and _is_close(prefix)):
            hint = f"; did you mean {PREFIX}{close[0]}?" if close else "."
            sentences.append(f"{name} is not a setting{hint}")
    return sentences


def _is_close(prefix: str) -> bool:
    return bool(difflib.get_close_matches(prefix, [PREFIX], cutoff=0.8))


def _sentence(problem: ErrorDetails) -> str:
    name, kind = str(problem["loc"][0]), problem["type"]
    return f"{PREFIX}{name.upper()}: {_what_to_write(Settings.model_fields[name], kind, problem)}"


def _what_to_write(field: FieldInfo, kind: str, problem: ErrorDetails) -> str:
    if kind == "value_error":  # raised by a type of ours, with its own text
        return str(problem["ctx"]["error"])
    if kind == "literal_error":
        *others, last = get_args(field.annotation)
        return f"must be {', '.join(others)} or {last}"
    if field.annotation in (int, float):
        return f"must be a {'whole ' * (field.annotation is int)}number {_bounds(field)}"
    return "must be a day like 2027-01-31"


def _bounds(field: FieldInfo) -> str:
    [most] = [limit.le for limit in field.metadata if isinstance(limit, Le)]
    least = [f"from {limit.ge} to" for limit in field.metadata if isinstance(limit, Ge)]
    above = [
        f"more than {limit.gt} and at most" for limit in field.metadata if isinstance(limit, Gt)
    ]
    return f"{(least + above)[0]} {most}"
