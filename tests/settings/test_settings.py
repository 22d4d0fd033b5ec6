"""Settings: types, one error that names every mistake, and no secret in any output."""

import re
from pathlib import Path

import pytest

from server.settings.problems import InvalidSettingsError
from server.settings.settings import Settings
from server.settings.sources import PREFIX
from server.settings.unknown import unknown_variables

pytestmark = pytest.mark.python_differs("types and enums are read anew at import")


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


_WORKERS = "must be a whole number from 1 to 64"
_TIMEOUT = "must be a number more than 0 and at most 3600"
_DAY = "must be a day like 2027-01-31"
_URL = ".*must be a URL"
_STANDBY = "target_session_attrs must be read-write or"
_TLS = "KEYSTEAD_TLS_CERTIFICATE_FILE"
_OWN = ".*a domain of your own"
_SHOPS = ",".join(f"https://{name}.example" for name in "abcdef")

# Values of a setting, or several settings, and the beginning of the problem of the last one.
_REFUSED: list[tuple[dict[str, str], str]] = [
    *(({"WORKERS": value}, _WORKERS) for value in ("many", "0", "65", "1.5", "9" * 5000)),
    ({"SHUTDOWN_GRACE": "nan"}, "must be a number from 0 to 3600"),
    *(({"DEFAULT_TIMEOUT": value}, _TIMEOUT) for value in ("0", "10s")),
    *(({"UPDATE_IDP_SUNSET": value}, _DAY) for value in ("soon", "2027-02-31", "2027-01-31T12:00")),
    ({"RP_USER_VERIFICATION": "x"}, "must be required, preferred or discouraged"),
    ({"RP_NAME": "\udcff"}, "must be UTF-8"),
    *(
        ({"DATABASE_URL": url}, _URL)
        for url in (
            "host/database",
            "postgresql://user:a-secret/x@host/db",
            "postgresql://user@host:port/db",
        )
    ),
    (
        {"DATABASE_URL": "postgresql://user:a-secret@/db?host=one,two"},
        "must name several hosts before the database",
    ),
    ({"DATABASE_URL": "postgresql://u:a-secret@host/db?target_session_attrs=any"}, _STANDBY),
    ({"DATABASE_URL": "postgresql://u:a-secret@a,b/db?target_session_attrs=standby"}, _STANDBY),
    *(
        ({"CORS_ORIGINS": origin}, ".*is not an origin")
        for origin in (
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
        )
    ),
    *(
        ({"PASSKEY_PAGE_URL": page}, "must be a URL")
        for page in (
            "https://example.com/#",
            "https://example.com/?",
            "https://example.com/?a=b",
            "https://example.com:port/",
            "https://user:secret@example.com/",
            "https://example.com/a page",
            'https://example.com/"',
            "/passkeys/",
            "javascript://example.com/",
        )
    ),
    *(
        ({"SECURITY_CONTACT": contact}, "must be a mail address like mailto:")
        for contact in (
            "security@example.com",
            "mailto:nobody",
            "mailto:a@example.com\nPolicy: x",
            "http://example.com/security",
            "https://user@example.com/",
        )
    ),
    ({"GRPC_ADDRESS": "127.0.0.1:0", "WORKERS": "2"}, "must be 1 unless"),
    ({"HTTP_ADDRESS": "127.0.0.1:0", "WORKERS": "2"}, "must be 1 unless"),
    ({"ENCRYPTION_KEYS": ","}, ""),
    ({"RP_ID": "example.com", "RP_ORIGINS": "https://badexample.com"}, ""),
    ({"RP_ORIGINS": "http://localhost:8080/path"}, ""),
    ({"RP_ID": "https://example.com"}, ""),
    (
        {"RP_ID": "co.uk", "RP_ORIGINS": "https://id.example.co.uk"},
        ".*anybody can register domains below it; use example.co.uk",
    ),
    ({"RP_ID": "com", "RP_ORIGINS": "https://example.com"}, ".*use example.com"),
    (
        {"RP_ORIGINS": "https://id.example.com"},
        ".* not on the relying party id localhost; .*set KEYSTEAD_RP_ID",
    ),
    ({"RP_ORIGINS": "http://id.localhost"}, ".*use id.localhost"),
    ({"RP_ID": "127.0.0.1"}, ".*an IP address cannot be one"),
    (
        {"RP_ID": "example.com", "RP_ORIGINS": "http://example.com"},
        ".*serve it over https, or for a trial use http://localhost",
    ),
    ({"RP_TOP_ORIGINS": "http://example.com"}, ".*serve it over https"),
    (
        {"RP_RELATED_ORIGINS": "http://example.org"},
        ".*browsers take only https:// and a domain of your own",
    ),
    *(
        ({"RP_RELATED_ORIGINS": origin}, _OWN)
        for origin in (
            "https://localhost",
            "https://192.0.2.1",
            "https://co.uk",
            "android:apk-key-hash:AAAA",
        )
    ),
    (
        {
            "RP_ID": "example.com",
            "RP_ORIGINS": "https://example.com",
            "RP_RELATED_ORIGINS": "https://shop.example.com",
        },
        ".*is on the relying party id itself",
    ),
    (
        {"RP_RELATED_ORIGINS": _SHOPS},
        r".*6 domains that differ .*\(a, b, c, d, e, f\); browsers use only the first 5",
    ),
    ({"MAIL_LANGUAGE": "tlh"}, "must be one of en, de"),
    ({"FORMER_RP_IDS": "localhost"}, ".*is KEYSTEAD_RP_ID; name only IDs from before it"),
    ({"FORMER_RP_IDS": "https://old.example"}, ".*without scheme and port"),
    ({"FORMER_RP_IDS": "co.uk"}, ".*below which anybody can register domains"),
    ({"FORMER_RP_IDS": "old.example,old.example"}, ".*and each once"),
    ({"FORMER_RP_IDS": "a.at,b.at,c.at,d.at,e.at,f.at"}, ".*at most 5 domains"),
    (
        {
            "RP_ID": "example.com",
            "RP_ORIGINS": "https://id.example.com",
            "RP_RELATED_ORIGINS": ",".join(f"https://{label}.example" for label in "abcde"),
            "FORMER_RP_IDS": "old.example",
        },
        ".*6 domains that differ",
    ),
    ({"FORMER_RP_ORIGINS": "https://old.example"}, ".*on none of KEYSTEAD_FORMER_RP_IDS"),
    (
        {"FORMER_RP_IDS": "old.example", "FORMER_RP_ORIGINS": "http://id.old.example"},
        ".*serve it over https",
    ),
    ({"TLS_KEY_FILE": "tls.pem"}, f"is set, but {_TLS} is not; set both or neither$"),
    ({"TLS_CLIENT_CA_FILE": "ca.pem"}, f"is set, but {_TLS} is not; client certificates need TLS$"),
]


@pytest.mark.parametrize(("variables", "problem"), _REFUSED, ids=lambda value: ascii(value)[:70])
def test_a_setting_that_cannot_work_is_refused_with_advice(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], problem: str
) -> None:
    with pytest.raises(InvalidSettingsError) as refused:
        _load(monkeypatch, **variables)

    named = next(each for each in refused.value.problems if f"_{[*variables][-1]}: " in each)
    assert re.match(f"KEYSTEAD_[A-Z_]+: {problem}", named)
    assert "a-secret" not in str(refused.value)


_TOGETHER = {"GRPC_ADDRESS": "0.0.0.0:50051", "HTTP_ADDRESS": "[::]:8080"}


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        (_TOGETHER, ["GRPC_ADDRESS is 0.0.0.0:50051 without", "HTTP_ADDRESS is [::]:8080 without"]),
        ({"DATABASE_URL": "postgresql://u:a-secret@db/keystead"}, ["DATABASE_URL is without"]),
        ({"DATABASE_URL": "postgresql://127.0.0.1,db/k?sslmode=require"}, ["DATABASE_URL"]),
        ({"DATABASE_URL": "postgresql://127.example.com/keystead"}, ["DATABASE_URL is without"]),
        ({"OTLP_ENDPOINT": "http://collector:4317"}, ["OTLP_ENDPOINT is http://collector:4317"]),
    ],
    ids=str,
)
def test_plaintext_is_refused_where_tls_is_required(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], named: list[str]
) -> None:
    with pytest.raises(InvalidSettingsError) as refused:
        _load(monkeypatch, REQUIRE_TLS="true", **variables)

    [problem] = refused.value.problems
    assert problem.startswith("KEYSTEAD_REQUIRE_TLS: is true, but ")
    assert [each for each in named if each not in problem] == []
    assert "a-secret" not in problem
    assert not _load(monkeypatch, REQUIRE_TLS="false", **variables).require_tls


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"DATABASE_URL": "postgresql://u@one:5432,two:5432/keystead?sslmode=verify-full"},
        {"DATABASE_URL": "postgresql://u@127.0.0.1:5432/keystead"},
        {"DATABASE_URL": "postgresql://u@[::1]:5432/keystead"},
        {"DATABASE_URL": "postgresql:///keystead?host=/run/postgresql"},
        {"OTLP_ENDPOINT": "https://collector:4317"},
        {"OTLP_ENDPOINT": "http://localhost:4317"},
        {**_TOGETHER, "TLS_CERTIFICATE_FILE": "tls.pem", "TLS_KEY_FILE": "tls.key"},
    ],
    ids=str,
)
def test_loopback_and_sockets_need_no_tls(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    assert _load(monkeypatch, REQUIRE_TLS="true", **variables).require_tls


@pytest.mark.parametrize(
    "variables",
    [
        {"PUBLIC_URL": "https://id.example.com"},
        {"RP_ID": "example.com", "RP_ORIGINS": "https://example.com"},
        {"RP_ID": "example.com", "RP_ORIGINS": "android:apk-key-hash:" + 43 * "A"},
    ],
    ids=str,
)
def test_mails_of_a_public_issuer_are_captured_only_if_it_is_said_twice(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    with pytest.raises(InvalidSettingsError) as refused:
        _load(monkeypatch, MAIL_CAPTURE="true", **variables)

    [problem] = refused.value.problems
    assert "KEYSTEAD_MAIL_CAPTURE: is true, but the issuer https://" in problem
    assert "set KEYSTEAD_MAIL_CAPTURE_IN_PUBLIC to true as well" in problem
    twice = {"MAIL_CAPTURE": "true", "MAIL_CAPTURE_IN_PUBLIC": "true", **variables}
    assert _load(monkeypatch, **twice).mail_capture
    assert not _load(monkeypatch, **{**twice, "MAIL_CAPTURE": "false"}).mail_capture


@pytest.mark.parametrize("variables", [{}, {"PUBLIC_URL": "http://localhost:8080"}], ids=str)
def test_mails_of_an_issuer_on_this_machine_are_captured(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    assert _load(monkeypatch, MAIL_CAPTURE="true", **variables).mail_capture


def test_a_certificate_needs_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidSettingsError) as refused:
        _load(monkeypatch, TLS_CERTIFICATE_FILE="tls.pem")

    assert refused.value.problems == [
        f"KEYSTEAD_TLS_KEY_FILE: is not set, but {_TLS} is; set both or neither"
    ]


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
    ("origins", "expected"),
    [("", "https://old.example"), ("https://id.old.example", "https://id.old.example")],
)
def test_a_former_domain_has_an_address(
    monkeypatch: pytest.MonkeyPatch, origins: str, expected: str
) -> None:
    settings = _load(monkeypatch, FORMER_RP_IDS="old.example", FORMER_RP_ORIGINS=origins)

    assert settings.origins_of_former("old.example") == (expected,)
    assert settings.related_origins == settings.rp_origins
    assert expected in settings.own_origins


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
