"""Settings: types, one error that names every mistake, and no secret in any output."""

import re
from pathlib import Path

import pytest

from server.settings.problems import InvalidSettingsError
from server.settings.settings import Settings
from server.settings.sources import PREFIX
from server.settings.unknown import unknown_variables


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
    ("name", "value", "sentence"),
    [
        ("WORKERS", "many", "must be a whole number from 1 to 64"),
        ("WORKERS", "0", "must be a whole number from 1 to 64"),
        ("WORKERS", "65", "must be a whole number from 1 to 64"),
        ("WORKERS", "1.5", "must be a whole number from 1 to 64"),
        ("WORKERS", "9" * 5000, "must be a whole number from 1 to 64"),
        ("SHUTDOWN_GRACE", "nan", "must be a number from 0 to 3600"),
        ("DEFAULT_TIMEOUT", "0", "must be a number more than 0 and at most 3600"),
        ("DEFAULT_TIMEOUT", "10s", "must be a number more than 0 and at most 3600"),
        ("UPDATE_IDP_SUNSET", "soon", "must be a day like 2027-01-31"),
        ("UPDATE_IDP_SUNSET", "2027-02-31", "must be a day like 2027-01-31"),
        ("UPDATE_IDP_SUNSET", "2027-01-31T12:00", "must be a day like 2027-01-31"),
        ("RP_USER_VERIFICATION", "x", "must be required, preferred or discouraged"),
        ("RP_NAME", "\udcff", "must be UTF-8"),
    ],
)
def test_what_is_of_another_kind_is_answered_with_what_to_write(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, sentence: str
) -> None:
    with pytest.raises(InvalidSettingsError) as refused:
        _load(monkeypatch, **{name: value})

    assert refused.value.problems == [f"KEYSTEAD_{name}: {sentence}"]


@pytest.mark.parametrize("value", ["\udcff", "nan", "-1e999", "9" * 30, ".", "[]", "{", " ", ","])
def test_nothing_is_refused_in_the_words_of_a_library(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    with pytest.raises(InvalidSettingsError) as refused:
        _load(monkeypatch, **{name.upper(): value for name in Settings.model_fields})

    assert len(refused.value.problems) > len(Settings.model_fields) / 3
    for problem in refused.value.problems:
        assert not re.search("[Ii]nput|should|codec|unable|Error", problem)


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


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("postgresql://user:a-secret@/db?host=one,two", "several hosts before the database"),
        ("postgresql://user:a-secret@host/db?target_session_attrs=any", "must be read-write or"),
        ("postgresql://u:a-secret@a,b/db?target_session_attrs=standby", "must be read-write or"),
    ],
    ids=["hosts as an option", "any", "a standby"],
)
def test_a_database_url_that_may_lead_to_a_standby_is_refused(
    monkeypatch: pytest.MonkeyPatch, url: str, reason: str
) -> None:
    with pytest.raises(InvalidSettingsError, match=reason) as refused:
        _load(monkeypatch, DATABASE_URL=url)

    assert "a-secret" not in str(refused.value)


@pytest.mark.parametrize(
    "origin",
    [
        "https://*.example.com",
        "https://user@example.com",
        "https://example.com:",
        "https://example.com:port",
        "https://example.com:65536",
        "https://example.com:0443",
        "https://example.com:443",
        "https://exam ple.com",
        "https://Example.com",
        "https://b\u00fccher.example",
        "https://example.com/",
        "https://example..com",
        "https://[::1",
        "ftp://example.com",
        "*",
    ],
)
def test_an_origin_that_no_browser_writes_so_is_refused(
    monkeypatch: pytest.MonkeyPatch, origin: str
) -> None:
    with pytest.raises(InvalidSettingsError, match=r"CORS_ORIGINS: .*is not an origin"):
        _load(monkeypatch, CORS_ORIGINS=origin)


def test_origins_of_every_kind_of_host_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    origins = (
        "http://localhost:3000",
        "https://my_app.example.com",
        "http://10.0.0.1:8080",
        "https://[::1]:65535",
        "https://example.com:80",
        "http://xn--bcher-kva.example:443",
    )

    assert _load(monkeypatch, CORS_ORIGINS=",".join(origins)).cors_origins == origins


@pytest.mark.parametrize(
    "page",
    [
        "https://example.com/#",
        "https://example.com/?",
        "https://example.com/?a=b",
        "https://example.com:port/",
        "https://user:secret@example.com/",
        "https://example.com/a page",
        'https://example.com/"',
        "/passkeys/",
        "javascript://example.com/",
    ],
)
def test_a_page_that_a_link_cannot_open_is_refused(
    monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    with pytest.raises(InvalidSettingsError, match="KEYSTEAD_PASSKEY_PAGE_URL: must be a URL"):
        _load(monkeypatch, PASSKEY_PAGE_URL=page)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "cannot be read: No such file"),
        ("no certificate", "has no valid certificates in PEM"),
    ],
)
def test_a_file_of_authorities_that_cannot_be_used_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str | None, problem: str
) -> None:
    file = tmp_path / "authorities.pem"
    if content:
        file.write_text(content)

    with pytest.raises(InvalidSettingsError, match=f"KEYSTEAD_SMTP_CA_FILE: {file} {problem}"):
        _load(monkeypatch, SMTP_CA_FILE=str(file))


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


@pytest.mark.parametrize(
    "variables",
    [
        {"RP_ID": "example.co.uk", "RP_ORIGINS": "https://www.example.co.uk"},
        {"RP_ID": "intranet", "RP_ORIGINS": "https://intranet:8443"},
        {"RP_ID": "project.github.io", "RP_ORIGINS": "https://project.github.io"},
        {"RP_ID": "id.localhost", "RP_ORIGINS": "http://id.localhost:8080"},
        {"RP_ID": "xn--bcher-kva.example", "RP_ORIGINS": "https://xn--bcher-kva.example"},
        {"RP_ORIGINS": "android:apk-key-hash:AAAA,http://localhost"},
        {"RP_TOP_ORIGINS": "https://portal.example.com"},
        {"RP_RELATED_ORIGINS": "https://example.org,https://www.example.org:8443"},
        {
            "RP_RELATED_ORIGINS": ",".join(
                f"https://shop.{tld}" for tld in ("at", "be", "ch", "de", "fr", "it")
            )
        },
    ],
    ids=str,
)
def test_relying_parties_that_browsers_take(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    settings = _load(monkeypatch, **variables)

    assert settings.passkey_origins == (*settings.rp_origins, *settings.rp_related_origins)


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        (
            {"RP_ID": "co.uk", "RP_ORIGINS": "https://id.example.co.uk"},
            "KEYSTEAD_RP_ORIGINS: .*anybody can register domains below it; use example.co.uk",
        ),
        ({"RP_ID": "com", "RP_ORIGINS": "https://example.com"}, "use example.com"),
        (
            {"RP_ORIGINS": "https://id.example.com"},
            "KEYSTEAD_RP_ORIGINS: .* not on the relying party id localhost; .*set KEYSTEAD_RP_ID",
        ),
        ({"RP_ORIGINS": "http://id.localhost"}, "use id.localhost"),
        ({"RP_ID": "127.0.0.1"}, "KEYSTEAD_RP_ID: .*an IP address cannot be one"),
        (
            {"RP_ID": "example.com", "RP_ORIGINS": "http://example.com"},
            "KEYSTEAD_RP_ORIGINS: .*serve it over https, or for a trial use http://localhost",
        ),
        (
            {"RP_TOP_ORIGINS": "http://example.com"},
            "KEYSTEAD_RP_TOP_ORIGINS: .*serve it over https",
        ),
        (
            {"RP_RELATED_ORIGINS": "http://example.org"},
            "KEYSTEAD_RP_RELATED_ORIGINS: .*browsers take only https:// and a domain of your own",
        ),
        ({"RP_RELATED_ORIGINS": "https://localhost"}, "a domain of your own"),
        ({"RP_RELATED_ORIGINS": "https://192.0.2.1"}, "a domain of your own"),
        ({"RP_RELATED_ORIGINS": "https://co.uk"}, "a domain of your own"),
        ({"RP_RELATED_ORIGINS": "android:apk-key-hash:AAAA"}, "a domain of your own"),
        (
            {
                "RP_ID": "example.com",
                "RP_ORIGINS": "https://example.com",
                "RP_RELATED_ORIGINS": "https://shop.example.com",
            },
            "is on the relying party id itself",
        ),
        (
            {"RP_RELATED_ORIGINS": ",".join(f"https://{n}.example" for n in "abcdef")},
            r"6 domains that differ .*\(a, b, c, d, e, f\); browsers use only the first 5",
        ),
    ],
    ids=str,
)
def test_relying_parties_that_no_browser_takes_are_refused_with_advice(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], sentence: str
) -> None:
    with pytest.raises(InvalidSettingsError, match=sentence):
        _load(monkeypatch, **variables)


@pytest.mark.parametrize(
    ("variables", "page"),
    [
        ({}, "http://localhost:8080/passkeys/"),
        ({"HTTP_ADDRESS": "127.0.0.1:9090"}, "http://localhost:9090/passkeys/"),
        ({"HTTP_ADDRESS": "[::]:80"}, "http://localhost/passkeys/"),
        ({"HTTP_ADDRESS": "127.0.0.1:0"}, "http://localhost:8080/passkeys/"),
        ({"PASSKEY_PAGE_URL": "https://id.example.com/keys"}, "https://id.example.com/keys"),
        ({"RP_ORIGINS": "android:apk-key-hash:A,http://localhost"}, "http://localhost/passkeys/"),
        ({"RP_ORIGINS": "android:apk-key-hash:A"}, "https://localhost/passkeys/"),
    ],
    ids=str,
)
def test_links_open_the_page_that_is_set_or_the_first_one_of_the_relying_party(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], page: str
) -> None:
    assert _load(monkeypatch, **variables).passkey_page == page


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("TLS_CERTIFICATE_FILE", "is not set, but KEYSTEAD_TLS_CERTIFICATE_FILE is"),
        ("TLS_KEY_FILE", "is set, but KEYSTEAD_TLS_CERTIFICATE_FILE is not"),
    ],
)
def test_a_certificate_and_its_key_are_set_together(
    monkeypatch: pytest.MonkeyPatch, name: str, sentence: str
) -> None:
    with pytest.raises(InvalidSettingsError) as refused:
        _load(monkeypatch, **{name: "/etc/keystead/tls.pem"})

    assert refused.value.problems == [f"KEYSTEAD_TLS_KEY_FILE: {sentence}; set both or neither"]


def test_client_certificates_need_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidSettingsError) as refused:
        _load(monkeypatch, TLS_CLIENT_CA_FILE="ca.pem")

    assert refused.value.problems == [
        (
            "KEYSTEAD_TLS_CLIENT_CA_FILE: is set, but KEYSTEAD_TLS_CERTIFICATE_FILE is not; client"
            " certificates need TLS"
        )
    ]


def test_with_a_certificate_the_own_pages_are_served_by_https(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = _load(
        monkeypatch, TLS_CERTIFICATE_FILE="a", TLS_KEY_FILE="b", HTTP_ADDRESS="127.0.0.1:443"
    )

    assert settings.rp_origins == ("https://localhost",)
    assert settings.issuer == "https://localhost"
    assert settings.passkey_page == "https://localhost/passkeys/"


def test_the_variables_of_example_clients_are_not_pointed_out() -> None:
    assert not unknown_variables(dict.fromkeys(["KEYSTEAD_TOKEN", "KEYSTEAD_URL"], ""))


def test_an_unknown_variable_is_pointed_out_with_the_likely_one() -> None:
    names = ["KEYSTEAD_GRPC_ADRESS", "KEYSTEAD_PURPLE", "KEYSTAED_WORKERS", "keystead_worker"]
    others = ["HOME", "KEYSTEAD_WORKERS", "KEYSTONE_WORKERS", "WORKERS"]

    assert unknown_variables(dict.fromkeys(names + others, "")) == [
        "KEYSTAED_WORKERS is not a setting; did you mean KEYSTEAD_WORKERS?",
        "KEYSTEAD_GRPC_ADRESS is not a setting; did you mean KEYSTEAD_GRPC_ADDRESS?",
        "KEYSTEAD_PURPLE is not a setting; `keystead settings` lists all.",
        "keystead_worker is not a setting; did you mean KEYSTEAD_WORKERS?",
    ]


def test_a_setting_is_the_same_in_upper_and_lower_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("Keystead_MAIl_Reply_To", "help@example.com")

    assert Settings.load().mail_reply_to == "help@example.com"
    assert unknown_variables({"Keystead_MAIl_Reply_To": "help@example.com"}) == []


@pytest.mark.parametrize(
    ("name", "wrong"), [("file", "file"), ("file/below", "file"), ("nowhere", "nowhere")]
)
def test_a_data_directory_that_cannot_become_a_folder_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, wrong: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing")

    refusal = f"KEYSTEAD_DATA_DIR: .* {tmp_path / wrong} is not one"
    with pytest.raises(InvalidSettingsError, match=refusal):
        _load(monkeypatch, DATA_DIR=str(tmp_path / name))


@pytest.mark.parametrize("name", ["", "missing/below"])
def test_a_data_directory_that_is_a_folder_or_can_become_one_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    assert _load(monkeypatch, DATA_DIR=str(tmp_path / name)).data_dir == tmp_path / name
