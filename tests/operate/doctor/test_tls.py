"""Plaintext ports, and certificates."""

from pathlib import Path

import pytest
import structlog
from cryptography import x509

from server import app
from server.system.checks.findings import State
from tests.operate.doctor.installation import before_database, settings_of
from tests.support.certificates import Authority
from tests.support.given import Instance

pytestmark = pytest.mark.python_differs("ssl has stricter defaults since 3.13")


def test_a_web_port_behind_a_trusted_proxy_is_not_in_plaintext_for_others(tmp_path: Path) -> None:
    settings = {"http_address": "0.0.0.0:8080", "trusted_proxies": ("10.0.0.1",)}

    assert before_database(tmp_path, **settings)["plaintext"].state is State.OK


async def test_the_start_warns_of_plaintext_that_other_machines_reach(instance: Instance) -> None:
    with structlog.testing.capture_logs() as logged:
        await app.prepare(settings_of(instance, grpc_address="0.0.0.0:50051"), instance.dsn)

    # Other servers of this process log warnings, too.
    [line] = [line for line in logged if line["event"] == "a port does not suit clients"]
    assert "KEYSTEAD_GRPC_ADDRESS is 0.0.0.0:50051: other machines reach it" in line["detail"]


@pytest.mark.parametrize("network", ["0.0.0.0/0", "::/0"])
def test_a_trusted_network_of_all_addresses_is_warned_of(tmp_path: Path, network: str) -> None:
    found = before_database(tmp_path, trusted_proxies=("10.0.0.1", network))["trusted proxies"]

    assert found.state is State.WARNING
    assert f"KEYSTEAD_TRUSTED_PROXIES has {network}: " in found.message
    assert "trusted proxies" not in before_database(tmp_path, trusted_proxies=("10.0.0.0/8",))


@pytest.mark.parametrize(
    ("days", "state", "words"),
    [
        (30, State.OK, "is valid until"),
        (10, State.WARNING, "Renew it"),
        (-1, State.PROBLEM, "expired on"),
        (60, State.PROBLEM, "is valid only from"),
    ],
)
def test_a_certificate_must_be_valid_for_some_time(
    tmp_path: Path, days: int, state: State, words: str
) -> None:
    path = Authority(tmp_path).certificate(days=days).path

    found = before_database(tmp_path, tls_certificate_file=path, tls_key_file=path)

    assert found["certificate"].state is state
    assert words in found["certificate"].message
    assert found["plaintext"].message == "Both ports use TLS."
    assert found["link page"].message.startswith("Registration links open https://localhost:8080/")


def test_the_authorities_of_client_certificates_are_looked_at(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    path = authority.certificate().path
    tls = {"tls_certificate_file": path, "tls_key_file": path}

    found = before_database(tmp_path, **tls, tls_client_ca_file=authority.ca_file)
    assert found["client CA"].state is State.OK
    found = before_database(tmp_path, **tls, tls_client_ca_file=path)
    assert found["client CA"].state is State.PROBLEM
    assert "is no certificate authority" in found["client CA"].message
    expired = Authority(tmp_path, days=-1).ca_file
    found = before_database(tmp_path, **tls, tls_client_ca_file=expired)
    assert found["client CA"].state is State.PROBLEM
    assert f"A certificate in {expired} expired on" in found["client CA"].message
    found = before_database(tmp_path, **tls, tls_client_ca_file=Authority(tmp_path, days=5).ca_file)
    assert found["client CA"].state is State.WARNING


def test_the_files_of_a_certificate_are_looked_at(tmp_path: Path) -> None:
    path = Authority(tmp_path).certificate().path
    path.chmod(0o644)

    found = before_database(tmp_path, tls_certificate_file=tmp_path / "no", tls_key_file=path)

    assert "KEYSTEAD_TLS_CERTIFICATE_FILE" in found["certificate"].message
    assert found["certificate"].state is State.PROBLEM
    assert f"KEYSTEAD_TLS_KEY_FILE is in {path}" in found["secret files"].message


def test_a_certificate_that_strict_clients_refuse_is_warned_of(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    for without, state, words in (
        ([], State.OK, "has the extensions that RFC 5280 requires"),
        (
            [x509.AuthorityKeyIdentifier],
            State.WARNING,
            "requires authorityKeyIdentifier=keyid of CN=localhost in ",
        ),
    ):
        path = authority.certificate(without=without).path

        found = before_database(tmp_path, tls_certificate_file=path, tls_key_file=path)

        assert found["extensions of the certificate"].state is state
        assert words in found["extensions of the certificate"].message


@pytest.mark.parametrize(
    ("without", "extension"),
    [
        (x509.SubjectKeyIdentifier, "subjectKeyIdentifier=hash"),
        (x509.KeyUsage, "keyUsage=critical,keyCertSign,cRLSign"),
    ],
)
def test_a_chain_with_an_authority_that_strict_clients_refuse_is_warned_of(
    tmp_path: Path, without: type[x509.ExtensionType], extension: str
) -> None:
    authority = Authority(tmp_path, without=[without])
    path = authority.certificate().path
    path.write_bytes(path.read_bytes() + authority.ca_file.read_bytes())

    found = before_database(tmp_path, tls_certificate_file=path, tls_key_file=path)

    assert found["extensions of the certificate"].state is State.WARNING
    assert (
        f"RFC 5280 requires {extension} of CN=Authority of "
        in found["extensions of the certificate"].message
    )
