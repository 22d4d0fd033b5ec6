"""The files of the certificate: refused files, and the instructions in the error messages."""

import base64
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519

from server.crypto.server_certificate import (
    CertificateError,
    ServerCertificate,
    load_client_authorities,
    load_key_pair,
)
from tests.support.certificates import Authority

pytestmark = pytest.mark.python_differs("ssl has stricter defaults since 3.13")

_PEM = serialization.Encoding.PEM
_PKCS8 = serialization.PrivateFormat.PKCS8


class Files:
    """The files of a certificate and its key, which tests damage."""

    def __init__(self, folder: Path) -> None:
        self._authority = Authority(folder)
        self.certificate, self.key = folder / "tls.pem", folder / "tls.key"
        self.replace()

    def replace(self) -> None:
        """Replaces both files by another pair."""
        pem = self._authority.certificate().path.read_text()
        key, certificate = re.findall(r"-----BEGIN.*?-----END[^\n]*\n", pem, re.DOTALL)
        self.key.write_text(key)
        self.certificate.write_text(certificate)

    def encrypt_key(self) -> None:
        """Encrypts the key."""
        key = serialization.load_pem_private_key(self.key.read_bytes(), None)
        encryption = serialization.BestAvailableEncryption(b"word")
        self.key.write_bytes(key.private_bytes(_PEM, _PKCS8, encryption))

    def use_ed25519(self) -> None:
        """Replaces the key by one that gRPC cannot use."""
        key = ed25519.Ed25519PrivateKey.generate()
        plain = serialization.NoEncryption()
        self.key.write_bytes(key.private_bytes(_PEM, _PKCS8, plain))

    def use_unknown_curve(self) -> None:
        """Changes the curve of the key to one that `cryptography` does not support (SM2)."""
        self.key.write_text(
            _replaced(self.key, "2a8648ce3d030107", "2a811ccf5501822d", "PRIVATE KEY")
        )

    def use_unknown_curve_of_certificate(self) -> None:
        """The same for the curve of the certificate."""
        self.certificate.write_text(
            _replaced(self.certificate, "2a8648ce3d030107", "2a811ccf5501822d", "CERTIFICATE")
        )

    def damage_key_of_certificate(self) -> None:
        """Changes the public key of the certificate to a point in an unknown format."""
        self.certificate.write_text(
            _replaced(self.certificate, "03420004", "03420009", "CERTIFICATE")
        )

    def use_unknown_version(self) -> None:
        """Changes the version of the certificate to one that X.509 does not have."""
        self.certificate.write_text(
            _replaced(self.certificate, "a003020102", "a003020105", "CERTIFICATE")
        )


def _replaced(file: Path, old: str, new: str, label: str) -> str:
    """The PEM object of a file, with hexadecimal digits replaced by others."""
    [body] = re.findall(rf"-----BEGIN {label}-----(.*?)-----END", file.read_text(), re.DOTALL)
    der = base64.b64decode(body)
    assert bytes.fromhex(old) in der
    changed = base64.encodebytes(der.replace(bytes.fromhex(old), bytes.fromhex(new))).decode()
    return f"-----BEGIN {label}-----\n{changed}-----END {label}-----\n"


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """The files of a valid pair."""
    return Files(tmp_path)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda files: files.certificate.unlink(), "CERTIFICATE_FILE: {certificate} cannot be re"),
        (lambda files: files.key.unlink(), "KEY_FILE: {key} cannot be read: No such file"),
        (lambda files: files.certificate.write_text("none"), "CERTIFICATE_FILE: {certificate} has"),
        (lambda files: files.key.write_text("none"), "KEY_FILE: {key} has no private key"),
        (lambda files: files.key.chmod(0o620), "Run: chmod go-w {key}"),
        (Files.encrypt_key, "KEY_FILE: the key in {key} is encrypted"),
        (Files.use_ed25519, "KEY_FILE: the key in {key} is neither RSA nor ECDSA"),
        (Files.use_unknown_curve, "KEY_FILE: the key in {key} is neither RSA nor ECDSA"),
        (Files.use_unknown_curve_of_certificate, "CERTIFICATE_FILE: {certificate} has no certif"),
        (Files.damage_key_of_certificate, "CERTIFICATE_FILE: {certificate} has no certificate in"),
        (Files.use_unknown_version, "CERTIFICATE_FILE: {certificate} has no certificate in PEM"),
        (
            lambda files: shutil.copy(Authority(files.key.parent).certificate().path, files.key),
            "KEY_FILE: {key} is not the key of the first certificate in {certificate}",
        ),
    ],
)
def test_files_that_cannot_be_used_are_named_with_the_setting(
    files: Files, spoil: Callable[[Files], object], message: str
) -> None:
    spoil(files)

    wanted = message.format(certificate=files.certificate, key=files.key)
    with pytest.raises(CertificateError, match=re.escape(wanted)) as refused:
        load_key_pair(files.certificate, files.key)
    assert "PRIVATE" not in str(refused.value)


def test_a_pair_does_not_show_its_key(files: Files) -> None:
    pair = load_key_pair(files.certificate, files.key)

    assert b"PRIVATE" in pair.key
    assert "key=" not in repr(pair)


async def test_files_are_taken_over_once_both_are_written(files: Files) -> None:
    certificate = ServerCertificate(files.certificate, files.key)
    old = certificate.pair
    await certificate.follow()
    assert certificate.pair is old

    files.replace()
    await certificate.follow()
    assert certificate.pair is old  # the second file may not be written yet
    await certificate.follow()

    new = certificate.pair
    assert new.chain == files.certificate.read_bytes() != old.chain
    await certificate.follow()
    assert certificate.pair is new


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda file: file.unlink(), "{file} cannot be read: No such file"),
        (lambda file: file.write_text("none"), "{file} has no certificate in PEM format"),
        (lambda file: file.chmod(0o666), "Run: chmod go-w {file}"),
        (
            lambda file: file.write_text(
                file.read_text() + Authority(file.parent).certificate(["orders"]).pem
            ),
            "CN=orders in {file} is no certificate authority",
        ),
    ],
)
def test_authorities_that_cannot_be_used_are_named_with_the_setting(
    tmp_path: Path, spoil: Callable[[Path], object], message: str
) -> None:
    file = tmp_path / "clients.pem"
    shutil.copy(Authority(tmp_path).ca_file, file)
    spoil(file)

    with pytest.raises(CertificateError, match=re.escape(message.format(file=file))) as refused:
        load_client_authorities(file)
    assert str(refused.value).startswith("KEYSTEAD_TLS_CLIENT_CA_FILE: ")


async def test_broken_authorities_do_not_delay_the_renewal_of_the_pair(
    files: Files, tmp_path: Path
) -> None:
    file = tmp_path / "clients.pem"
    shutil.copy(Authority(tmp_path).ca_file, file)
    certificate = ServerCertificate(files.certificate, files.key, file)
    old = certificate.presented

    files.replace()
    file.write_text("none")
    await certificate.follow()
    await certificate.follow()

    assert certificate.presented.pair is not old.pair
    assert certificate.presented.authorities is old.authorities
