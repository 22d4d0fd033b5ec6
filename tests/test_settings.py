"""Settings: typed environment variables, every mistake named at once, no secret ever shown."""

import pytest

from server.settings import PREFIX, InvalidSettingsError, Settings, unknown_variables


def _load(monkeypatch: pytest.MonkeyPatch, **variables: str) -> Settings:
    monkeypatch.delenv(f"{PREFIX}DATABASE_URL", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(PREFIX + name, value)
    return Settings.load()


def test_every_mistake_is_named_at_once_by_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidSettingsError) as refused:
        _load(
            monkeypatch,
            WORKERS="many",
            CORS_ORIGINS="*",
            GRPC_ADDRESS="localhost",
            HTTP_ADDRESS="localhost:99999",
            TRUSTED_PROXIES="10.0.0.0/33",
            LOG_LEVEL="loud",
            DATABASE_URL="mysql://u:a-secret@host/db",
            ENCRYPTION_KEYS="a-secret",
            RP_ORIGINS="https://example.com",
        )

    first, *lines = str(refused.value).splitlines()
    assert first == "The settings are not valid:"
    assert [line.split(":")[0].strip() for line in sorted(lines)] == [
        "KEYSTEAD_CORS_ORIGINS",
        "KEYSTEAD_DATABASE_URL",
        "KEYSTEAD_ENCRYPTION_KEYS",
        "KEYSTEAD_GRPC_ADDRESS",
        "KEYSTEAD_HTTP_ADDRESS",
        "KEYSTEAD_LOG_LEVEL",
        "KEYSTEAD_RP_ORIGINS",
        "KEYSTEAD_TRUSTED_PROXIES",
        "KEYSTEAD_WORKERS",
    ]
    assert "a-secret" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://user@host:5432/database",
        "postgres://user:p%2Fw@host/database?sslmode=require",
        "postgresql://user@/database?host=/run/postgresql",
        "postgresql://user@[::1]:5432/database",
        "postgresql://user@one:5432,two:5433/database?target_session_attrs=read-write",
    ],
    ids=["tcp", "password", "socket", "ipv6", "two hosts"],
)
def test_a_database_url_that_postgresql_takes_is_taken(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    settings = _load(monkeypatch, DATABASE_URL=url)

    assert settings.database_url is not None
    assert settings.database_url.get_secret_value() == url
    assert url not in repr(settings)


@pytest.mark.parametrize(
    "url",
    ["host/database", "postgresql://user:a-secret/x@host/db", "postgresql://user@host:port/db"],
    ids=["no scheme", "slash in the password", "no number as port"],
)
def test_a_database_url_that_cannot_be_one_is_refused_without_showing_it(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    with pytest.raises(InvalidSettingsError, match=r"KEYSTEAD_DATABASE_URL: .*must be a URL") as no:
        _load(monkeypatch, DATABASE_URL=url)

    assert "a-secret" not in str(no.value)


def test_lists_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    origins = "https://example.com, https://login.example.com:8443"

    settings = _load(monkeypatch, RP_ID="example.com", RP_ORIGINS=origins)

    assert settings.rp_origins == ("https://example.com", "https://login.example.com:8443")


@pytest.mark.parametrize(
    "variables",
    [
        {"RP_ORIGINS": "https://example.com"},
        {"RP_ID": "example.com", "RP_ORIGINS": "https://badexample.com"},
        {"RP_ORIGINS": "http://localhost:8080/path"},
        {"WORKERS": "2", "GRPC_ADDRESS": "127.0.0.1:0"},
        {"WORKERS": "2", "HTTP_ADDRESS": "127.0.0.1:0"},
        {"RP_ID": "https://example.com", "RP_ORIGINS": "https://example.com"},
        {"ENCRYPTION_KEYS": ","},
    ],
    ids=[
        "another domain",
        "another domain that ends alike",
        "a path",
        "workers without a port for gRPC",
        "workers without a port for HTTP",
        "no domain",
        "no key",
    ],
)
def test_settings_that_could_not_work_together_are_refused(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    with pytest.raises(InvalidSettingsError):
        _load(monkeypatch, **variables)


def test_an_unknown_variable_is_pointed_out_with_the_likely_one() -> None:
    environment = {"KEYSTEAD_GRPC_ADRESS": "x", "KEYSTEAD_PURPLE": "y", "HOME": "/"}

    assert unknown_variables(environment) == [
        "KEYSTEAD_GRPC_ADRESS is not a setting; did you mean KEYSTEAD_GRPC_ADDRESS?",
        "KEYSTEAD_PURPLE is not a setting.",
    ]
