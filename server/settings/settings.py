"""The settings, typed and checked at start."""

from datetime import date
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from server.crypto.private_file import UnusableFileError
from server.settings.ports import (
    HTTP_ADDRESS,
    WEB_PORT,
    can_share,
    captured_here,
    default_origins,
    everywhere,
    together,
    with_tls,
)
from server.settings.problems import InvalidSettingsError, sentence
from server.settings.sources import (
    PREFIX,
    Environment,
    SettingOrigin,
    SettingsFile,
    UnusableValueError,
)
from server.settings.types import (
    Audiences,
    CAFile,
    CollectorUrl,
    ContactUrl,
    DatabaseUrl,
    DNSServers,
    Domain,
    EncryptionKeys,
    Folder,
    FormerDomains,
    FormerOrigins,
    GreetingName,
    IssuerUrl,
    Language,
    ListenAddress,
    Networks,
    Origins,
    PageUrl,
    RedirectURIs,
    RelatedOrigins,
    ReplyTo,
    RPOrigins,
    ShownName,
    TopOrigins,
)
from server.values.languages import ENGLISH, LANGUAGES
from server.values.origins import is_on, is_web


class Settings(BaseSettings):
    """The settings by name: the variable of `data_dir` is `KEYSTEAD_DATA_DIR`, and so on."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, hide_input_in_errors=True
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # Environment replaces it
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The sources of values, the strongest first."""
        return init_settings, Environment(settings_cls), SettingsFile(settings_cls)

    # Data.
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

    checkpoint_file: Path | None = Field(
        None,
        description="File outside of the database to which each server appends the number and the"
        " MAC of every checkpoint of the event log, so that `keystead audit verify` notices removed"
        " ones. Empty: only the log lines of the server have them.",
    )

    # Ports and processes.
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
        HTTP_ADDRESS, description="host:port of the web port: grpc-web, JSON and pages."
    )
    tls_certificate_file: Path | None = Field(
        None,
        description="PEM file of the certificate of both ports, followed by its chain. Replaced"
        " files are used without a restart. Empty: both ports are plaintext.",
    )
    tls_key_file: Annotated[Path | None, AfterValidator(together)] = Field(
        None,
        validate_default=True,
        description="PEM file of the private key of the certificate, RSA or ECDSA, unencrypted.",
    )
    tls_client_ca_file: Annotated[Path | None, AfterValidator(with_tls)] = Field(
        None,
        description="PEM file of the authorities of client certificates. The gRPC port then"
        " requires a certificate of every client, and the web port asks for one. Empty: no client"
        " is asked.",
    )
    cors_origins: Origins = Field(
        (),
        description="Comma-separated origins whose pages may call the server. Empty: only its own.",
    )
    return_origins: Origins = Field(
        (),
        description="Comma-separated origins to which the pages may send people back after a"
        " sign-in, besides those of applications and of KEYSTEAD_RP_ORIGINS. Empty: none.",
    )
    trusted_proxies: Networks = Field(
        (),
        description="Comma-separated addresses or networks of the reverse proxies whose"
        " X-Forwarded-For and X-Forwarded-Proto headers are trusted. Empty: none.",
    )
    workers: Annotated[int, AfterValidator(can_share)] = Field(
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

    # Limits of calls.
    default_timeout: float = Field(
        10, gt=0, le=3600, description="Time limit in seconds of a call without a deadline."
    )
    open_rate_limit: float = Field(
        0,
        ge=0,
        le=100_000,
        description="Calls per second without a valid token, such as sign-ins and reflection, from"
        " one client network: an IPv4 address, or 64 bits of an IPv6 address. Of each process. 0:"
        " no limit.",
    )
    open_rate_burst: int = Field(
        100, ge=1, le=1_000_000, description="Calls that KEYSTEAD_OPEN_RATE_LIMIT admits at once."
    )
    caller_rate_limit: float = Field(
        0,
        ge=0,
        le=100_000,
        description="Calls per second of all other methods by one user. Of each process. 0: no"
        " limit.",
    )
    caller_rate_burst: int = Field(
        1000,
        ge=1,
        le=1_000_000,
        description="Calls that KEYSTEAD_CALLER_RATE_LIMIT admits at once.",
    )

    # Secrets.
    encryption_keys: EncryptionKeys = Field(
        (),
        description="Comma-separated keys of stored secrets, 32 bytes in base64 each. The first one"
        " encrypts. All servers of one database need the same keys. Empty: the keys in the file"
        " encryption.keys in KEYSTEAD_DATA_DIR, one per line; # begins a comment. The first start"
        " creates the file.",
    )

    # Passkeys.
    rp_id: Domain = Field("localhost", description="WebAuthn relying party ID (RP ID), a domain.")
    rp_name: ShownName = Field(
        "Keystead", min_length=1, description="Name of the relying party, shown by authenticators."
    )
    rp_origins: RPOrigins = Field(
        default_factory=default_origins,
        description="Comma-separated origins that may register passkeys. Empty: http://localhost,"
        " https:// with TLS, with the port of KEYSTEAD_HTTP_ADDRESS, or"
        f" {WEB_PORT} if that port is 0.",
    )
    rp_related_origins: RelatedOrigins = Field(
        (),
        description="Comma-separated origins on other domains that may use the same passkeys."
        " Browsers fetch them from https://KEYSTEAD_RP_ID/.well-known/webauthn, a path of the web"
        " port.",
    )
    former_rp_ids: FormerDomains = Field(
        (),
        description="Comma-separated former RP IDs, whose passkeys still sign in. Browsers fetch"
        " https://FORMER_ID/.well-known/webauthn, a path of the web port, before they use one on"
        " the present pages. Empty: none.",
    )
    former_rp_origins: FormerOrigins = Field(
        (),
        description="Comma-separated addresses on former RP IDs, where people use these passkeys"
        " whose browser does not know related origins. They lead to the web port. Empty: https://"
        " and each ID.",
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

    # Sessions.
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

    # Tokens for applications, and JWTs of sessions.
    public_url: IssuerUrl | None = Field(
        None,
        description="URL at which services reach the web port. It is the issuer of tokens,"
        " whose keys are at /.well-known/jwks.json below it. Empty: the first web origin of"
        " KEYSTEAD_RP_ORIGINS.",
    )
    jwt_audiences: Audiences = Field(
        (),
        description="Comma-separated audiences for which IssueSessionJWT issues JWTs, such as"
        " https://orders.example.com. Applications get no tokens for them. Empty: none.",
    )

    # Registration links.
    passkey_page_url: PageUrl | None = Field(
        None,
        description="Page that registration links open. Empty: /passkeys/ of the first web origin"
        " of KEYSTEAD_RP_ORIGINS.",
    )
    passkey_link_lifetime: float = Field(
        86_400, ge=60, le=2_592_000, description="Seconds until a registration link expires."
    )

    # SMTP servers.
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
        description="Comma-separated private or local addresses or networks that the SMTP server of"
        " the instance and its token endpoint may have. Empty: only public addresses are allowed.",
    )
    smtp_org_allowed_networks: Networks = Field(
        (),
        description="Comma-separated private or local addresses or networks that SMTP servers of"
        " organizations and their token endpoints may have; owners of organizations choose them."
        " Empty: only public addresses are allowed.",
    )
    smtp_timeout: float = Field(
        30, gt=0, le=600, description="Time limit in seconds of each step of an SMTP delivery."
    )

    # Identity providers.
    idp_ca_file: CAFile | None = Field(
        None,
        description="PEM file of additional certificate authorities for identity providers, issuers"
        " of workloads and the jwks_uri of applications.",
    )
    idp_allowed_networks: Networks = Field(
        (),
        description="Comma-separated private or local addresses or networks that identity"
        " providers, issuers of workloads, the jwks_uri of applications and named hosts of client"
        " ID metadata documents may have. Empty: only public addresses are allowed.",
    )
    dns_servers: DNSServers = Field(
        (),
        description="Comma-separated DNS servers, address:port, that are asked for the TXT records"
        " of mail domains. Empty: those of the system.",
    )
    idp_redirect_uris: RedirectURIs = Field(
        (),
        description="Comma-separated pages that identity providers send browsers back to. Each has"
        " {idp_id} in its path, so that providers have different ones. Empty:"
        " /signin/callback/{idp_id} of the first web origin of KEYSTEAD_RP_ORIGINS, without one of"
        " https:// and KEYSTEAD_RP_ID.",
    )

    # Pushes.
    push_ca_file: CAFile | None = Field(
        None,
        description="PEM file of additional certificate authorities for the targets of webhooks and"
        " logout tokens.",
    )
    push_allowed_networks: Networks = Field(
        (),
        description="Comma-separated private or local addresses or networks that the targets of"
        " webhooks and logout tokens may have. Empty: only public addresses are allowed.",
    )

    # Mails.
    mail_reply_to: ReplyTo | None = Field(
        None, description="Reply-To address of the server's mails."
    )
    mail_templates_dir: Path | None = Field(
        None, description="Directory of templates that replace the built-in mail templates by name."
    )
    mail_language: Language = Field(
        ENGLISH,
        description=f"Language of mails to users without one of their own: {', '.join(LANGUAGES)}.",
    )
    mail_hourly_limit: int = Field(
        20,
        ge=1,
        le=10_000,
        description="Maximum number of links per hour to one address from one organization, and of"
        " notices about one user; a quarter of it at once. Further mails are delayed;"
        " `keystead mail list` shows them.",
    )

    mail_capture_in_public: bool = Field(
        False,
        description="Whether KEYSTEAD_MAIL_CAPTURE may be true although the issuer is not on this"
        " machine, so that nobody gets a mail.",
    )
    mail_capture: Annotated[bool, AfterValidator(captured_here)] = Field(
        False,
        description="Whether mails are kept in place of their delivery, for tests. The console and"
        " GetCapturedMail show them, with their links.",
    )

    # Reports of vulnerabilities.
    security_contact: ContactUrl | None = Field(
        None,
        description="Contact for reports of vulnerabilities in /.well-known/security.txt (RFC"
        " 9116), such as mailto:security@example.com or https://example.com/security. Empty: there"
        " is no such file.",
    )

    # Deprecation.
    update_idp_sunset: date | None = Field(
        None, description="Date (YYYY-MM-DD) on which UpdateIDP will be removed."
    )

    # Logs and traces.
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Minimum level of log lines."
    )
    log_format: Literal["auto", "json", "console"] = Field(
        "auto", description="Format of log lines; auto: console on a terminal, else json."
    )
    otlp_endpoint: CollectorUrl | None = Field(
        None,
        description="URL of an OpenTelemetry collector that takes OTLP over gRPC, such as"
        " http://127.0.0.1:4317. It gets the traces of calls. Empty: no traces. Needs the packages"
        " of keystead[telemetry].",
    )
    trace_ratio: float = Field(
        1,
        ge=0,
        le=1,
        description="Share of calls that are traced. A traceparent header of the caller overrides"
        " it.",
    )

    # TLS everywhere.
    hsts_subdomains: bool = Field(
        False,
        description="Whether Strict-Transport-Security also covers the subdomains of the host."
        " Browsers then refuse plaintext at all of them for a year.",
    )
    # The last one: it depends on other settings.
    require_tls: Annotated[bool, AfterValidator(everywhere)] = Field(
        False,
        description="Whether connections to other machines must use TLS. The server then does not"
        " start with a plaintext port that other machines can reach, without sslmode=verify-full"
        " of the database, or with an http:// collector; and it sends mails as if `tls` of the SMTP"
        " configuration were true.",
    )

    @field_validator("*", mode="before")
    @classmethod
    def _is_text(cls, value: object) -> object:
        if isinstance(value, UnusableValueError):
            raise value
        if isinstance(value, str):
            try:
                value.encode()
            except UnicodeEncodeError:  # its text contains the value
                raise ValueError("must be UTF-8") from None
        return value

    @property
    def tls_files(self) -> tuple[Path, Path, Path | None] | None:
        """The files of certificate, key and client CA; None if both ports are plaintext."""
        if self.tls_certificate_file is None or self.tls_key_file is None:
            return None
        return self.tls_certificate_file, self.tls_key_file, self.tls_client_ca_file

    @property
    def passkey_page(self) -> str:
        """URL of the page that registration links open."""
        if self.passkey_page_url:
            return self.passkey_page_url
        return f"{self._web_origin}/passkeys/"

    @property
    def sign_in_page(self) -> str:
        """URL of the page that sign-up links open."""
        return f"{self._web_origin}/signin/"

    @property
    def account_page(self) -> str:
        """URL of the page that links to a new mail address open."""
        return f"{self._web_origin}/account/"

    @property
    def console_page(self) -> str:
        """URL of the console."""
        return f"{self._web_origin}/console/"

    @property
    def redirect_uris(self) -> tuple[str, ...]:
        """The redirect URIs for identity providers, with `{idp_id}`."""
        return self.idp_redirect_uris or (f"{self._web_origin}/signin/callback/{{idp_id}}",)

    @property
    def issuer(self) -> str:
        """Issuer of session JWTs."""
        return self.public_url or self._web_origin

    @property
    def _web_origin(self) -> str:
        return [*filter(is_web, self.rp_origins), f"https://{self.rp_id}"][0]

    @property
    def own_origins(self) -> frozenset[str]:
        """Origins of the web port itself, which no application can have."""
        issuer = urlsplit(self.issuer)
        former = (each for rp_id in self.former_rp_ids for each in self.origins_of_former(rp_id))
        return frozenset({*self.rp_origins, *former, f"{issuer.scheme}://{issuer.netloc}"})

    @property
    def page_origins(self) -> tuple[str, ...]:
        """Origins at which the pages work: for passkeys, or for redirects of identity providers."""
        redirects = (urlsplit(uri) for uri in self.idp_redirect_uris)
        return (
            *filter(is_web, self.passkey_origins),
            *(f"{uri.scheme}://{uri.netloc}" for uri in redirects),
        )

    @property
    def related_origins(self) -> tuple[str, ...]:
        """Origins of `/.well-known/webauthn`: of other domains than that of the RP ID.

        For a former RP ID, these are all of today.
        """
        today = filter(is_web, self.rp_origins) if self.former_rp_ids else ()
        return (*self.rp_related_origins, *today)

    def origins_of_former(self, rp_id: str) -> tuple[str, ...]:
        """The addresses where passkeys of a former RP ID are used by themselves."""
        named = tuple(origin for origin in self.former_rp_origins if is_on(rp_id, origin))
        return named or (f"https://{rp_id}",)

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
        """Reads environment and settings file. InvalidSettingsError names every invalid setting.

        A default derived from another setting is not computed while any setting is invalid.
        """
        try:
            return cls()
        except UnusableFileError as error:
            raise InvalidSettingsError([str(error)]) from None
        except ValidationError as error:
            origins = cls.origins()
            problems = [
                sentence(problem, origins, cls.model_fields)
                for problem in error.errors()
                if problem["type"] != "default_factory_not_called"
            ]
            raise InvalidSettingsError(problems) from None

    @classmethod
    def origins(cls) -> dict[str, SettingOrigin]:
        """The origin of each setting that is set, and of each unknown key of the settings file."""
        return SettingsFile(cls).origins() | Environment(cls).origins()
