"""TLS contexts for connections to remote servers."""

import os
import ssl
from collections.abc import Collection
from pathlib import Path

import pytest
from cryptography import x509

from server.net.tls import remedy, verifying
from tests.support.certificates import Authority, Certificate

pytestmark = pytest.mark.python_differs("ssl has stricter defaults since 3.13")


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


def handshake(ca_file: Path, certificate: Certificate) -> None:
    """Connects to a server with this certificate, in memory. Raises ssl.SSLError."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = verifying(ca_file, purpose="test").wrap_bio(
        to_client, to_server, server_hostname="localhost"
    )
    server = certificate.context().wrap_bio(to_server, to_client, server_side=True)
    for _ in range(3):
        for side in (client, server):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    assert client.version()


@pytest.mark.parametrize(
    ("of_certificate", "of_authority", "extension"),
    [
        ([x509.AuthorityKeyIdentifier], [], "authorityKeyIdentifier=keyid"),
        ([], [x509.SubjectKeyIdentifier], "subjectKeyIdentifier=hash"),
        ([], [x509.KeyUsage], "keyUsage=critical,keyCertSign,cRLSign"),
    ],
)
def test_a_certificate_without_an_extension_of_rfc_5280_is_refused_on_every_python(
    tmp_path: Path,
    of_certificate: Collection[type[x509.ExtensionType]],
    of_authority: Collection[type[x509.ExtensionType]],
    extension: str,
) -> None:
    incomplete = Authority(tmp_path, without=of_authority)

    with pytest.raises(ssl.SSLCertVerificationError) as raised:
        handshake(incomplete.ca_file, incomplete.certificate(without=of_certificate))

    advice = remedy(raised.value) or ""
    assert f"RFC 5280 requires {extension}. Have the certificate issued again" in advice
    assert "openssl" in advice


def test_an_intermediate_authority_can_be_trusted_alone_on_every_python(tmp_path: Path) -> None:
    (tmp_path / "intermediate").mkdir()
    intermediate = Authority(tmp_path / "intermediate", issuer=Authority(tmp_path))

    handshake(intermediate.ca_file, intermediate.certificate())


def test_an_expired_certificate_has_another_remedy(tmp_path: Path) -> None:
    authority = Authority(tmp_path)

    with pytest.raises(ssl.SSLCertVerificationError) as raised:
        handshake(authority.ca_file, authority.certificate(days=-1))

    assert remedy(raised.value) is None
