"""Settings in a file, and secrets in files of their own."""

from pathlib import Path

import pytest

from server.settings.problems import InvalidSettingsError
from server.settings.settings import Settings
from server.settings.sources import PREFIX, variable
from server.settings.unknown import unknown_variables
from tests.cli.words import objects
from tests.support import process

_KEY = "b25lIG9mIHRoZSBrZXlzIG9mIDMyIGJ5dGVzLi4uLi4="
_OTHER_KEY = "YW5vdGhlciBvZiB0aGUga2V5cyBvZiAzMiBieXRlcy4="
_URL = "postgresql://keystead:a-secret@db.internal/keystead"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of the settings file, which does not exist yet."""
    monkeypatch.delenv(f"{PREFIX}DATABASE_URL", raising=False)
    path = tmp_path / "keystead.toml"
    monkeypatch.setenv("KEYSTEAD_SETTINGS_FILE", str(path))
    return path


def _written(path: Path, text: str, mode: int = 0o600) -> Path:
    path.write_text(text)
    path.chmod(mode)
    return path


def _problems() -> list[str]:
    with pytest.raises(InvalidSettingsError) as refused:
        Settings.load()
    return list(refused.value.problems)


def test_the_settings_file_has_values_of_toml_or_as_in_a_variable(file: Path) -> None:
    _written(
        file,
        """
        workers = 4
        grpc_header_table = true
        drain_delay = "2.5"
        cors_origins = ["https://a.example", "https://b.example"]
        jwt_audiences = "one, two"
        update_idp_sunset = 2027-01-31
        rp_name = ""
        """,
    )

    settings = Settings.load()

    assert (settings.workers, settings.grpc_header_table, settings.drain_delay) == (4, True, 2.5)
    assert settings.cors_origins == ("https://a.example", "https://b.example")
    assert settings.jwt_audiences == ("one", "two")
    assert str(settings.update_idp_sunset) == "2027-01-31"
    assert settings.rp_name == "Keystead"


def test_the_environment_is_stronger_than_the_file(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _written(file, f"workers = 4\nrp_name = 'From the file'\ndatabase_url_file = '{tmp_path}/no'")
    monkeypatch.setenv("KEYSTEAD_WORKERS", "2")
    monkeypatch.setenv("KEYSTEAD_DATABASE_URL_FILE", str(_written(tmp_path / "url", f"{_URL}\n")))

    settings = Settings.load()

    assert (settings.workers, settings.rp_name) == (2, "From the file")
    assert settings.database_url is not None
    assert settings.database_url.get_secret_value() == _URL


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n\n"], ids=ascii)
def test_a_file_of_a_secret_may_end_with_a_line(file: Path, tmp_path: Path, end: str) -> None:
    _written(tmp_path / "url", _URL + end, 0o440)
    _written(file, f"database_url_file = '{tmp_path}/url'", 0o644)

    settings = Settings.load()

    assert settings.database_url is not None
    assert settings.database_url.get_secret_value() == _URL


@pytest.mark.parametrize(
    "text", [f"{_KEY}, {_OTHER_KEY}", f"# new\n{_KEY}\n{_OTHER_KEY}  # old\n"], ids=["list", "file"]
)
def test_keys_in_a_file_may_be_written_as_in_encryption_keys(
    file: Path, tmp_path: Path, text: str
) -> None:
    _written(file, f"encryption_keys_file = '{_written(tmp_path / 'keys', text)}'")

    keys = [key.get_secret_value() for key in Settings.load().encryption_keys]

    assert keys == [_KEY, _OTHER_KEY]


def test_every_mistake_of_both_is_named_at_once_by_its_place(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = _written(tmp_path / "url", "mysql://u:a-secret@host/db")
    _written(
        file,
        f"""
        Workers = 4
        purple = 1
        rp_id = 5
        cors_origins = [1]
        grpc_header_table = "maybe"
        log_level = "loud"
        database_url = "{_URL}"
        database_url_file = "{url}"
        mail_reply_to_file = 5
        [smtp]
        timeout = 1
        """,
    )
    monkeypatch.setenv("KEYSTEAD_ENCRYPTION_KEYS_FILE", str(tmp_path / "missing"))
    monkeypatch.setenv("KEYSTEAD_WORKERS", "many")

    problems = _problems()

    both = "database_url and database_url_file are both set; set only one of them"
    missing = "the file cannot be read: No such file or directory"
    assert sorted(problems) == sorted(
        [
            f"Workers in {file}: is not a setting; did you mean workers?",
            f"purple in {file}: is not a setting; `keystead settings` lists all",
            f"smtp in {file}: is not a setting; `keystead settings` lists all",
            f"rp_id in {file}: must be a text in quotes",
            f"cors_origins in {file}: must be a list of texts in quotes",
            f"grpc_header_table in {file}: must be true or false",
            f"log_level in {file}: must be debug, info, warning or error",
            f"database_url_file in {file}, read from {url}: {both}",
            f"mail_reply_to_file in {file}: must be a path in quotes",
            f"KEYSTEAD_ENCRYPTION_KEYS, read from {tmp_path}/missing: {missing}",
            "KEYSTEAD_WORKERS: must be a whole number from 1 to 64",
        ]
    )
    assert "a-secret" not in str(problems)


def test_a_variable_and_the_file_in_its_place_are_refused_by_both_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEYSTEAD_DATABASE_URL", _URL)
    monkeypatch.setenv("KEYSTEAD_DATABASE_URL_FILE", str(_written(tmp_path / "url", _URL)))

    [problem] = _problems()

    assert "KEYSTEAD_DATABASE_URL and KEYSTEAD_DATABASE_URL_FILE are both set" in problem


@pytest.mark.parametrize(
    ("content", "mode", "problem"),
    [
        (b"", 0o600, "the file is empty"),
        (b"\n", 0o600, "the file is empty"),
        (b"a-secret\xff", 0o600, "the file is not UTF-8"),
        (b"mysql://u:a-secret@host/db", 0o600, "must be a URL like postgresql://"),
        (_URL.encode(), 0o620, "the file can be changed by other users. Run: chmod go-w "),
        (_URL.encode(), 0o602, "the file can be changed by other users. Run: chmod go-w "),
    ],
)
def test_a_file_of_a_secret_that_cannot_be_used_is_refused_without_showing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, mode: int, problem: str
) -> None:
    monkeypatch.delenv("KEYSTEAD_DATABASE_URL", raising=False)
    path = tmp_path / "url"
    path.write_bytes(content)
    path.chmod(mode)
    monkeypatch.setenv("KEYSTEAD_DATABASE_URL_FILE", str(path))

    [refused] = _problems()

    assert refused.startswith(f"KEYSTEAD_DATABASE_URL, read from {path}: {problem}")
    assert "a-secret" not in refused


@pytest.mark.parametrize(
    ("content", "mode", "problem"),
    [
        (None, 0, "cannot be read: No such file or directory"),
        ("workers: 4", 0o600, "Expected '=' after a key in a key/value pair (at line 1"),
        ("workers = 4", 0o666, "can be changed by other users. Run: chmod go-w "),
    ],
)
def test_a_settings_file_that_cannot_be_used_is_refused(
    file: Path, content: str | None, mode: int, problem: str
) -> None:
    if content is not None:
        _written(file, content, mode)

    [refused] = _problems()

    assert refused.startswith(f"KEYSTEAD_SETTINGS_FILE: {file}: {problem}")


def test_the_variables_of_files_are_known_and_their_misspellings_pointed_out() -> None:
    known = ["KEYSTEAD_SETTINGS_FILE", "KEYSTEAD_DATABASE_URL_FILE", "KEYSTEAD_RP_ID_FILE"]
    misspelt = ["KEYSTEAD_DATABASE_URL_FLIE"]

    assert unknown_variables(dict.fromkeys(known + misspelt, "")) == [
        "KEYSTEAD_DATABASE_URL_FLIE is not a setting; did you mean KEYSTEAD_DATABASE_URL_FILE?"
    ]


def test_no_setting_has_the_name_of_the_file_of_another() -> None:
    names = set(Settings.model_fields)

    assert not names & {f"{name}_file" for name in names}
    assert "settings" not in names


async def test_the_values_are_listed_with_their_origins_and_without_secrets(
    tmp_path: Path,
) -> None:
    settings_file = _written(tmp_path / "keystead.toml", "mail_hourly_limit = 4\n")
    url = _written(tmp_path / "url", _URL)

    listed = await process.keystead(
        *("--settings", str(settings_file), "settings"), data_dir=tmp_path, database_url_file=url
    )

    assert (listed.status, listed.errors) == (0, "")
    lines = listed.output.splitlines()
    assert f"KEYSTEAD_MAIL_HOURLY_LIMIT = 4 (mail_hourly_limit in {settings_file})" in lines
    assert f"KEYSTEAD_DATABASE_URL = (set) (KEYSTEAD_DATABASE_URL, read from {url})" in lines
    assert "KEYSTEAD_LOG_FORMAT = json (KEYSTEAD_LOG_FORMAT)" in lines
    assert "KEYSTEAD_DRAIN_DELAY = 0.5 (default)" in lines
    assert "KEYSTEAD_SMTP_CA_FILE = (none) (default)" in lines
    assert "a-secret" not in listed.output


async def test_the_values_are_listed_for_programs(tmp_path: Path) -> None:
    words = ("settings", "--json")

    listed = await objects(process.keystead(*words, data_dir=tmp_path, encryption_keys=_KEY))

    assert [each["name"] for each in listed] == [*map(variable, Settings.model_fields)]
    by_name = {each["name"]: each for each in listed}
    assert by_name["KEYSTEAD_ENCRYPTION_KEYS"]["value"] == "(set)"
    assert by_name["KEYSTEAD_DATA_DIR"]["source"] == "environment"
    assert by_name["KEYSTEAD_CORS_ORIGINS"]["value"] == []
    assert by_name["KEYSTEAD_WORKERS"]["value"] == 1
    assert by_name["KEYSTEAD_WORKERS"]["source"] == "default"


async def test_settings_that_are_not_valid_are_listed_with_their_defaults(tmp_path: Path) -> None:
    listed = await process.keystead("settings", data_dir=tmp_path, workers="many")

    assert listed.status == 1
    assert "KEYSTEAD_WORKERS = 1 (default)" in listed.output
    assert "KEYSTEAD_WORKERS: must be a whole number" in listed.errors
