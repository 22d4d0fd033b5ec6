"""Encrypted secrets, the keys and the key file."""

import base64
import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import structlog

from server.crypto.keyring import (
    EncryptedSecret,
    EncryptionKeyError,
    Keyring,
    create_key_file,
    load_keyring,
    parse_keys,
    read_key_file,
)
from server.crypto.private_file import write_private_file
from server.settings.settings import Settings

# Keys by name. They are easy to guess, which does not matter in tests.
FIRST, SECOND = b"first".ljust(32), b"second".ljust(32)
PLACE = b"the place it belongs to"


def encoded(key: bytes) -> str:
    return base64.b64encode(key).decode()


@pytest.mark.parametrize("secret", ["", "s", "wörd \N{GRINNING FACE}", "p" * 100_000])
def test_a_secret_comes_back_as_it_was(secret: str) -> None:
    keyring = Keyring([FIRST])

    encrypted = keyring.encrypt(secret, context=PLACE)

    assert keyring.decrypt(encrypted, context=PLACE) == secret


def test_a_secret_is_encrypted_anew_each_time() -> None:
    keyring = Keyring([FIRST])

    all_encrypted = [keyring.encrypt("secret", context=PLACE) for _ in range(100)]

    nonces = {encrypted.ciphertext[:12] for encrypted in all_encrypted}
    assert len(nonces) == 100
    # The size is that of the nonce, the secret and the tag.
    assert {len(encrypted.ciphertext) for encrypted in all_encrypted} == {12 + 6 + 16}


def test_the_first_key_writes_and_all_read() -> None:
    old = Keyring([FIRST]).encrypt("old", context=PLACE)

    keyring = Keyring([SECOND, FIRST])

    assert keyring.encrypt("new", context=PLACE).key_id == Keyring([SECOND]).writing_key_id
    assert keyring.decrypt(old, context=PLACE) == "old"
    assert set(keyring.key_ids) == {old.key_id, keyring.writing_key_id}


def test_an_unknown_key_is_named_with_where_to_put_it() -> None:
    encrypted = Keyring([FIRST]).encrypt("secret", context=PLACE)

    with pytest.raises(EncryptionKeyError) as refused:
        Keyring([SECOND]).decrypt(encrypted, context=PLACE)

    assert str(refused.value) == (
        f"Stored secrets are encrypted with keys that are not configured: {encrypted.key_id}. Put"
        " them into KEYSTEAD_ENCRYPTION_KEYS or the file encryption.keys of the"
        " data directory; a key's id is the first 16 hex digits of the SHA-256 of its 32 bytes."
    )


def test_everything_but_the_ciphertext_with_its_context_and_key_is_refused() -> None:
    keyring, second = Keyring([FIRST]), Keyring([SECOND])
    encrypted = keyring.encrypt("secret", context=PLACE)
    length = len(encrypted.ciphertext)
    cuts = [encrypted.ciphertext[:shorter] for shorter in range(length)]
    altered = [
        (int.from_bytes(encrypted.ciphertext) ^ 1 << bit).to_bytes(length)
        for bit in range(length * 8)
    ]
    others = [
        (keyring, encrypted, b"another place"),
        (second, EncryptedSecret(second.writing_key_id, encrypted.ciphertext), PLACE),
        *((keyring, EncryptedSecret(encrypted.key_id, each), PLACE) for each in cuts + altered),
    ]

    for used, stored, context in others:
        with pytest.raises(EncryptionKeyError, match="does not match its record: it was altered"):
            used.decrypt(stored, context=context)


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param("not-base64!", id="no base64"),
        pytest.param("schlüssel", id="not even ASCII"),
        pytest.param(encoded(b"31 bytes".ljust(31)), id="31 bytes"),
        pytest.param(encoded(b"33 bytes".ljust(33)), id="33 bytes"),
        pytest.param(encoded(FIRST).rstrip("="), id="no padding"),
        pytest.param("", id="empty"),
    ],
)
def test_a_wrong_key_is_named_by_its_place_and_not_by_its_text(wrong: str) -> None:
    with pytest.raises(EncryptionKeyError) as refused:
        parse_keys([encoded(FIRST), wrong], source="THERE")

    assert str(refused.value) == (
        "Key 2 of THERE is not 32 bytes in base64. Restore it from a backup, or for a new"
        " installation make one: openssl rand -base64 32"
    )
    assert refused.value.__cause__ is None


def test_the_keys_of_the_settings_are_used_and_no_file_is_made(tmp_path: Path) -> None:
    keys = f"{encoded(SECOND)}, {encoded(FIRST)}"
    settings = Settings.model_validate({"data_dir": tmp_path / "data", "encryption_keys": keys})

    keyring = load_keyring(settings.encryption_keys, settings.key_file)

    assert keyring.key_ids == Keyring([SECOND, FIRST]).key_ids
    assert not (tmp_path / "data").exists()


def test_without_keys_a_file_is_made_that_only_its_owner_reads(tmp_path: Path) -> None:
    settings = Settings.model_validate({"data_dir": tmp_path / "new" / "data"})

    create_key_file(settings.key_file)

    file = tmp_path / "new" / "data" / "encryption.keys"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert [each.name for each in file.parent.iterdir()] == ["encryption.keys"]
    made = load_keyring(settings.encryption_keys, settings.key_file)
    create_key_file(settings.key_file)
    assert load_keyring((), settings.key_file).key_ids == made.key_ids


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The path of a key file, which does not exist yet."""
    return tmp_path / "encryption.keys"


@pytest.mark.parametrize(
    "text",
    [
        f"{encoded(SECOND)}\n\n{encoded(FIRST)}\n",
        f"# l\u00e4uft\n{encoded(SECOND)}  # new\n  #{encoded(b'old')}\r\n{encoded(FIRST)}#of 2026",
    ],
    ids=["keys", "comments"],
)
def test_the_file_may_have_several_keys_and_the_first_encrypts(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")
    file.chmod(0o400)

    assert read_key_file(file) == [SECOND, FIRST]


_KEY = encoded(FIRST).encode()
_EMPTY = "{} is empty. Restore it from a backup; without it stored secrets are lost."
_OPEN = "{0} can be read by others than its owner. Run: chmod 600 {0}"


@pytest.mark.parametrize(
    ("content", "mode", "problem"),
    [
        (b"", 0o600, _EMPTY),
        (b"# " + _KEY, 0o600, _EMPTY),
        (_KEY + b"\n\xff\xfe\x00", 0o600, "Key 2 of {} is not 32 bytes"),
        *((_KEY, mode, _OPEN) for mode in (0o640, 0o604, 0o620, 0o601, 0o777)),
        (None, 0, "{} is missing; it should hold the key"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_and_left_alone(
    file: Path, content: bytes | None, mode: int, problem: str
) -> None:
    if content is not None:
        file.write_bytes(content)
        file.chmod(mode)

    with pytest.raises(EncryptionKeyError) as refused:
        load_keyring((), file)

    assert str(refused.value).startswith(problem.format(file))
    assert encoded(FIRST) not in str(refused.value)
    assert (file.read_bytes() if file.exists() else None) == content


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EncryptionKeyError, match="is a folder; it should hold the key"):
        read_key_file(tmp_path)


def test_a_file_that_somebody_else_put_there_is_refused(file: Path, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    file.write_text(encoded(FIRST))
    file.chmod(0o600)
    os.chown(file, 65534, 65534)

    with pytest.raises(EncryptionKeyError, match="belongs to user 65534, who knows the keys"):
        read_key_file(file)

    os.chown(tmp_path, 65534, 65534)  # the user of the installation; root may read its files
    assert read_key_file(file) == [FIRST]


_READ = """
import sys
from pathlib import Path
from server.crypto.keyring import create_key_file, read_key_file
print("ready", flush=True)
sys.stdin.readline()
create_key_file(Path(sys.argv[1]))
print(read_key_file(Path(sys.argv[1])), flush=True)
"""


def test_only_the_creator_of_the_file_logs_it(file: Path) -> None:
    with structlog.testing.capture_logs() as logged:
        create_key_file(file)
        create_key_file(file)

    [line] = logged
    assert line["event"].startswith("created encryption.keys")
    assert line["path"] == str(file)
    assert file.read_text().strip() not in str(line)


def test_a_name_that_is_taken_is_never_replaced(file: Path, tmp_path: Path) -> None:
    file.symlink_to(tmp_path / "not mounted yet")  # the name exists, the file does not

    with structlog.testing.capture_logs() as logged:
        create_key_file(file)

    assert logged == []
    assert file.is_symlink()
    with pytest.raises(EncryptionKeyError, match="is missing"):
        read_key_file(file)


@pytest.mark.parametrize("refusal", [errno.EPERM, errno.EOPNOTSUPP])
def test_a_file_system_without_hard_links_has_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: int
) -> None:
    """Such as a network share or a bucket that is mounted."""

    def refuse(*_: object) -> None:
        raise OSError(refusal, os.strerror(refusal))

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    file = tmp_path / "encryption.keys"

    assert write_private_file(file, "first", replace=False)
    assert not write_private_file(file, "second", replace=False)

    assert file.read_text() == "first"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["encryption.keys"]


def test_processes_that_start_at_once_make_one_key_together(file: Path, tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _READ, str(file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"

    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    # The last line, because one of the processes also writes log lines.
    read = {process.communicate()[0].splitlines()[-1] for process in processes}

    assert read == {f"{read_key_file(file)}"}
    assert [each.name for each in tmp_path.iterdir()] == ["encryption.keys"]


def test_nothing_shows_a_key_or_a_secret() -> None:
    keyring = Keyring([FIRST])
    encrypted = keyring.encrypt("never-to-be-seen", context=PLACE)
    settings = Settings.model_validate({"encryption_keys": encoded(FIRST)})

    shown = " ".join(f"{thing} {thing!r} {vars(type(thing))}" for thing in (keyring, encrypted))
    shown += f"{vars(keyring)} {settings} {settings!r} {settings.model_dump_json()}"

    for key in (encoded(FIRST), FIRST.hex(), repr(FIRST), "first   "):
        assert key not in shown
    assert "never-to-be-seen" not in shown
