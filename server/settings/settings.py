"""Every setting of the server: an environment variable `KEYSTEAD_*`, typed, checked at start."""

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
    HostPort,
    MailAddress,
    Networks,
    Origins,
    PageUrl,
    RelatedOrigins,
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
    """The environment describes no server that can run; each problem names its variable."""

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
    # Without the address, for the list of settings.
    return (local_origin(str(information.get("http_address", _HTTP_ADDRESS))),)


class Settings(BaseSettings):
    """What the environment says: `data_dir` is the variable `KEYSTEAD_DATA_DIR`, and so on."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, hide_input_in_errors=True
    )

    data_dir: Folder = Field(
        Path(".keystead"),
        description="Folder of the embedded database, encryption.keys and admin.token.",
    )
    database_url: DatabaseUrl | None = Field(
        None, description="PostgreSQL 15 or newer to use instead of the embedded one."
    )
    database_pool_size: int = Field(
        10,
        ge=1,
        le=1000,
        description="Connections to PostgreSQL of each process; it has one more for its health.",
    )
    grpc_address: HostPort = Field("127.0.0.1:50051", description="host:port of native gRPC.")
    grpc_header_table: bool = Field(
        False,
        description="Whether clients of native gRPC may compress metadata with a table (HPACK)."
        " Set it to true behind haproxy or nginx, which cannot do without. Behind other proxies one"
        " client's malformed header then fails the calls of others.",
    )
    http_address: HostPort = Field(
        _HTTP_ADDRESS, description="host:port of grpc-web, JSON and the pages."
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
        10,
        ge=0,
        le=3600,
        description="Seconds that calls in flight have to finish once the server is told to end.",
    )
    drain_delay: float = Field(
        0.5,
        ge=0,
        le=300,
        description="Seconds between saying NOT_SERVING and refusing new calls, once the server is"
        " told to end.",
    )
    default_timeout: float = Field(
        10, gt=0, le=3600, description="Seconds that a call may take whose client sets no deadline."
    )
    encryption_keys: EncryptionKeys = Field(
        (),
        description="Comma-separated keys of stored secrets, 32 bytes in base64 each; the first one"
        " writes. All servers of one database need the same. Empty: those of encryption.keys in"
        " KEYSTEAD_DATA_DIR, a line each, where # begins a comment; the first start makes it.",
    )
    rp_id: Domain = Field("localhost", description="WebAuthn relying party id: a domain.")
    rp_name: ShownName = Field(
        "Keystead", min_length=1, description="Name that authenticators show for it."
    )
    rp_origins: RPOrigins = Field(
        default_factory=_default_origins,
        description="Comma-separated origins that may register passkeys. Empty: http://localhost"
        f" with the port of KEYSTEAD_HTTP_ADDRESS, or with {_WEB_PORT} where that is 0.",
    )
    rp_related_origins: RelatedOrigins = Field(
        (),
        description="Comma-separated origins elsewhere that may use passkeys of this relying party."
        " Browsers ask https://KEYSTEAD_RP_ID/.well-known/webauthn for them, which the server"
        " answers.",
    )
    rp_top_origins: TopOrigins = Field(
        (),
        description="Comma-separated origins that may embed them in an iframe. Empty: none. Some"
        " browsers do not name the embedding page: limit it by frame-ancestors as well.",
    )
    rp_user_verification: Literal["required", "preferred", "discouraged"] = Field(
        "required",
        description="Whether authenticators must verify the user (PIN, fingerprint, face).",
    )
    max_passkeys_per_user: int = Field(
        20, ge=1, le=1000, description="Verified passkeys a user may have."
    )
    max_tokens_per_user: int = Field(100, ge=1, le=10_000, description="Tokens a user may have.")
    session_lifetime: float = Field(
        86_400,
        ge=300,
        le=2_592_000,
        description="Seconds until a session expires, whether it is used or not.",
    )
    session_idle_timeout: float = Field(
        3600, ge=60, le=2_592_000, description="Seconds until a session expires that is not used."
    )
    max_sessions_per_user: int = Field(
        20,
        ge=1,
        le=1000,
        description="Sessions a user may have. A further one ends the least recently used.",
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
        description="Name by which SMTP servers are greeted (EHLO). Empty: this machine's.",
    )
    smtp_ca_file: CAFile | None = Field(
        None,
        description="PEM file of certificate authorities to trust for SMTP besides the system's.",
    )
    smtp_allowed_networks: Networks = Field(
        (),
        description="Comma-separated private or local addresses or networks that an SMTP server may"
        " have. Empty: none, only public addresses.",
    )
    smtp_timeout: float = Field(
        30, gt=0, le=600, description="Seconds that each step of a delivery by SMTP may take."
    )
    mail_reply_to: MailAddress | None = Field(
        None, description="Mail address that answers to the server's mails go to."
    )
    mail_templates_dir: Path | None = Field(
        None, description="Folder whose templates replace those of the server's mails by name."
    )
    mail_hourly_limit: int = Field(
        20,
        ge=1,
        le=10_000,
        description="Links that one address is mailed in an hour for one organization, and notices"
        " about one user; a quarter of them at once. Others wait for their turn, which"
        " `keystead mail list` shows.",
    )
    update_idp_sunset: date | None = Field(
        None, description="Day (YYYY-MM-DD) on which UpdateIDP will be removed."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Least level that is logged."
    )
    log_format: Literal["auto", "json", "console"] = Field(
        "auto", description="Lines of JSON, or for people; auto: for people on a terminal."
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
        """The page that registration links open."""
        if self.passkey_page_url:
            return self.passkey_page_url
        pages = [*filter(is_web, self.rp_origins), f"https://{self.rp_id}"]
        return f"{pages[0]}/passkeys/"

    @property
    def passkey_link_validity(self) -> timedelta:
        """How long registration links are good."""
        return timedelta(seconds=self.passkey_link_lifetime)

    @property
    def session_idle_time(self) -> timedelta:
        """How long a session may be unused."""
        return timedelta(seconds=self.session_idle_timeout)

    @property
    def passkey_origins(self) -> tuple[str, ...]:
        """Where a passkey may be registered."""
        return (*self.rp_origins, *self.rp_related_origins)

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
            # A default that is derived from another setting is not made once any is refused.
            problems = [
                _sentence(problem)
                for problem in error.errors()
                if problem["type"] != "default_factory_not_called"
            ]
            raise InvalidSettingsError(problems) from None


def unknown_variables(environment: Mapping[str, str] = os.environ) -> list[str]:
    """A sentence for every variable that looks like a setting and is none, most likely a typo."""
    known = [name.upper() for name in Settings.model_fields]
    sentences = []
    for name in sorted(environment):
        # In upper case or lower case, a setting is the same.
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
    if kind == "value_error":  # of a type of our own, which says so itself
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
