"""TLS contexts for connections to remote servers."""

import os
from pathlib import Path

import pytest

from server.net.tls import verifying
from tests.support.certificates import Authority


def authority(folder: Path) -> Authority:
    folder.mkdir()
    return Authority(folder)


def test_a_file_that_changes_is_read_again(tmp_path: Path) -> None:
    first, second = authority(tmp_path / "first"), authority(tmp_path / "second")
    file = first.ca_file
    before = verifying(file, purpose="test")
    assert verifying(file, purpose="test") is before

    file.write_bytes(second.ca_file.read_bytes())
    os.utime(file, ns=(0, file.stat().st_mtime_ns + 1_000_000_000))

    after = verifying(file, purpose="test")
    added = [each for each in after.get_ca_certs() if each not in before.get_ca_certs()]
    assert [each["subject"] for each in added] == [((("commonName", "Authority of second"),),)]


def test_each_purpose_has_a_context_of_its_own(tmp_path: Path) -> None:
    file = authority(tmp_path / "one").ca_file

    assert verifying(file, purpose="smtp") is not verifying(file, purpose="identity providers")


def test_a_file_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        verifying(tmp_path / "missing.pem", purpose="test")
