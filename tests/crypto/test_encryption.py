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
    assert keyring.key_ids == {old.key_id, keyring.writing_key_id}


def test_an_unknown_key_is_named_with_where_to_put_it() -> None:
    encrypted = Keyring([FIRST]).encrypt("secret", context=PLACE)

    with pytest.raises(EncryptionKeyError) as refused:
        Keyring([SECOND]).decrypt(encrypted, context=PLACE)

    assert str(refused.value) == (
        f"Stored secrets are encrypted with keys that are not configured: {encrypted.key_id}. Put"
        " them into KEYSTEAD_ENCRYPTION_KEYS or the file encryption.keys of the"
        " data directory; a key's id is the first 16 hex digits of the SHA-256 of its 32 bytes."
    )


def test_another_context_is_refused() -> None:
    keyring = Keyring([FIRST])
    encrypted = keyring.encrypt("secret", context=PLACE)

    with pytest.raises(EncryptionKeyError, match="does not match its record"):
        keyring.decrypt(encrypted, context=b"another place")


def test_a_ciphertext_under_the_id_of_another_key_is_refused() -> None:
    encrypted = Keyring([FIRST]).encrypt("secret", context=PLACE)
    second = Keyring([SECOND])

    with pytest.raises(EncryptionKeyError, match="does not match its record"):
        second.decrypt(EncryptedSecret(second.writing_key_id, encrypted.ciphertext), context=PLACE)


def test_every_altered_bit_is_noticed() -> None:
    keyring = Keyring([FIRST])
    encrypted = keyring.encrypt("secret", context=PLACE)

    for place in range(len(encrypted.ciphertext) * 8):
        altered = bytearray(encrypted.ciphertext)
        altered[place // 8] ^= 1 << place % 8
        with pytest.raises(EncryptionKeyError):
            keyring.decrypt(EncryptedSecret(encrypted.key_id, bytes(altered)), context=PLACE)


def test_every_cut_is_noticed() -> None:
    keyring = Keyring([FIRST])
    encrypted = keyring.encrypt("secret", context=PLACE)

    for length in range(len(encrypted.ciphertext)):
        with pytest.raises(EncryptionKeyError, match="was altered"):
            keyring.decrypt(
                EncryptedSecret(encrypted.key_id, encrypted.ciphertext[:length]), context=PLACE
            )


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

    assert keyring.writing_key_id == Keyring([SECOND]).writing_key_id
    assert keyring.key_ids == Keyring([FIRST, SECOND]).key_ids
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


def test_a_folder_in_place_of_the_file_is_called_one(tmp_path: Path) -> None:
    with pytest.raises(EncryptionKeyError, match="is a folder; it should hold the key"):
        read_key_file(tmp_path)


def test_a_file_that_is_missing_is_not_replaced_by_reading_it(tmp_path: Path) -> None:
    file = tmp_path / "encryption.keys"

    with pytest.raises(EncryptionKeyError, match="is missing; it should hold the key"):
        load_keyring((), file)

    assert not file.exists()


def test_the_file_may_have_several_keys_and_the_first_writes(tmp_path: Path) -> None:
    file = tmp_path / "encryption.keys"
    file.write_text(f"{encoded(SECOND)}\n\n{encoded(FIRST)}\n")
    file.chmod(0o400)

    assert read_key_file(file) == [SECOND, FIRST]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o601, 0o777])
def test_a_file_that_is_open_to_others_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "encryption.keys"
    file.write_text(encoded(FIRST))
    file.chmod(mode)

    with pytest.raises(EncryptionKeyError) as refused:
        read_key_file(file)

    assert str(refused.value) == (
        f"{file} can be read by others than its owner. Run: chmod 600 {file}"
    )


def test_a_file_that_somebody_else_put_there_is_refused(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    file = tmp_path / "encryption.keys"
    file.write_text(encoded(FIRST))
    file.chmod(0o600)
    os.chown(file, 65534, 65534)

    with pytest.raises(EncryptionKeyError, match="belongs to user 65534, who knows the keys"):
        read_key_file(file)

    os.chown(tmp_path, 65534, 65534)  # the user of the installation; root may read its files
    assert read_key_file(file) == [FIRST]


def test_an_empty_file_is_refused_and_never_filled(tmp_path: Path) -> None:
    file = tmp_path / "encryption.keys"
    file.touch(mode=0o600)

    with pytest.raises(EncryptionKeyError) as refused:
        read_key_file(file)

    assert str(refused.value) == (
        f"{file} is empty. Restore it from a backup; without it stored secrets are lost."
    )
    assert file.read_bytes() == b""


def test_a_file_of_something_else_is_refused_by_place(tmp_path: Path) -> None:
    file = tmp_path / "encryption.keys"
    file.write_bytes(encoded(FIRST).encode() + b"\n\xff\xfe\x00")
    file.chmod(0o600)

    with pytest.raises(EncryptionKeyError, match=f"Key 2 of {file} is not 32 bytes"):
        read_key_file(file)


_READ = """
import sys
from pathlib import Path
from server.crypto.keyring import create_key_file, read_key_file
print("ready", flush=True)
sys.stdin.readline()
create_key_file(Path(sys.argv[1]))
print(read_key_file(Path(sys.argv[1])), flush=True)
"""


def test_the_file_may_say_what_its_keys_are(tmp_path: Path) -> None:
    file = tmp_path / "encryption.keys"
    file.write_text(
        f"# of 2027, l\u00e4uft\n\n{encoded(SECOND)}  # writes\n  #{encoded(b'an old one')}\r\n"
        f"{encoded(FIRST)}#of 2026",
        "utf-8",
    )
    file.chmod(0o600)

    assert read_key_file(file) == [SECOND, FIRST]


def test_a_file_of_comments_alone_is_an_empty_one(tmp_path: Path) -> None:
    file = tmp_path / "encryption.keys"
    file.write_text(f"# {encoded(FIRST)}\n")
    file.chmod(0o600)

    with pytest.raises(EncryptionKeyError, match=f"{file} is empty") as refused:
        read_key_file(file)

    assert encoded(FIRST) not in str(refused.value)


def test_who_makes_the_file_says_so_and_who_finds_it_does_not(tmp_path: Path) -> None:
    file = tmp_path / "encryption.keys"

    with structlog.testing.capture_logs() as logged:
        create_key_file(file)
        create_key_file(file)

    [line] = logged
    assert line["event"].startswith("created encryption.keys")
    assert line["path"] == str(file)
    assert file.read_text().strip() not in str(line)


def test_a_name_that_is_taken_is_never_replaced(tmp_path: Path) -> None:
    file = tmp_path / "encryption.keys"
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


def test_processes_that_start_at_once_make_one_key_together(tmp_path: Path) -> None:
    file = tmp_path / "encryption.keys"
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
