"""TLS on both ports: versions, protocols, and certificates that are replaced while calls run."""

import asyncio
import json
import shutil
import socket
import ssl
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import grpc
import httpx2
import pytest
import structlog
from cryptography import x509
from prometheus_client.parser import text_string_to_metric_families

from keystead.user.v1 import user_service_pb2 as user_pb
from server import app
from server.crypto.server_certificate import CertificateError
from server.settings.settings import Settings
from tests.conftest import MakeInstance
from tests.support import given
from tests.support.certificates import Authority, Certificate
from tests.support.databases import MakeDatabase
from tests.support.given import Client, Instance
from tests.support.process import free_port, keystead, serve_forked
from tests.support.web_client import web_client

pytestmark = pytest.mark.python_differs("ssl has stricter defaults since 3.13")

_VERSIONS = {"TLSv1.2": ssl.TLSVersion.TLSv1_2, "TLSv1.3": ssl.TLSVersion.TLSv1_3}
_PORTS = pytest.mark.parametrize("port_name", ["port", "web_port"], ids=["gRPC", "web"])
_LOCAL_POOL = [("grpc.use_local_subchannel_pool", 1)]  # new connections


class _Files:
    """The files of a server, which tests replace as an ACME client does."""

    def __init__(self, folder: Path, authority: Authority) -> None:
        self.certificate, self.key = folder / "tls.pem", folder / "tls.key"
        self._authority = authority

    def install(self, certificate: Certificate) -> int:
        """Replaces both files. Returns the serial number of the certificate."""
        pem = certificate.path.read_bytes()
        for path in (self.certificate, self.key):
            new = path.with_suffix(".new")
            new.write_bytes(pem)
            new.chmod(0o600)
            new.replace(path)
        return x509.load_pem_x509_certificate(pem).serial_number

    @property
    def settings(self) -> dict[str, Path]:
        return {"tls_certificate_file": self.certificate, "tls_key_file": self.key}


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """The authority that clients trust."""
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, authority: Authority) -> _Files:
    """The files of the shared server."""
    found = _Files(tmp_path_factory.mktemp("tls"), authority)
    found.install(authority.certificate())
    return found


@pytest.fixture(scope="module")
async def secured(
    make_instance: MakeInstance, authority: Authority, files: _Files, often: None
) -> AsyncIterator[Instance]:
    """A server with TLS."""
    async with make_instance(ca_file=authority.ca_file, **files.settings) as found:
        yield found


def _context(authority: Authority, version: ssl.TLSVersion | None = None) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=authority.ca_file)
    if version is not None:
        context.minimum_version = context.maximum_version = version
    return context


def _handshake(
    port: int, context: ssl.SSLContext, *, name: str | None = "localhost"
) -> ssl.SSLSocket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    return context.wrap_socket(connection, server_hostname=name)


async def _serial(port: int, authority: Authority) -> int:
    """The serial number of the certificate in a new handshake."""

    def shake_hands() -> int:
        with _handshake(port, _context(authority)) as connection:
            certificate = connection.getpeercert(binary_form=True)
        assert certificate is not None
        return x509.load_der_x509_certificate(certificate).serial_number

    return await asyncio.to_thread(shake_hands)


async def _presents(instance: Instance, authority: Authority, serial: int) -> None:
    """Waits until both ports present this certificate."""

    async def is_presented() -> bool:
        ports = (instance.port, instance.web_port)
        return {await _serial(port, authority) for port in ports} == {serial}

    await given.eventually(is_presented)


@_PORTS
@pytest.mark.parametrize("version", _VERSIONS)
async def test_both_ports_speak_tls_with_forward_secrecy(
    secured: Instance, authority: Authority, port_name: str, version: str
) -> None:
    context = _context(authority, _VERSIONS[version])
    context.set_alpn_protocols(["h2", "http/1.1"])

    def shake_hands() -> tuple[str | None, str | None, str]:
        with _handshake(getattr(secured, port_name), context) as connection:
            cipher = connection.cipher() or ("",)
            return connection.version(), connection.selected_alpn_protocol(), cipher[0]

    spoken, protocol, cipher = await asyncio.to_thread(shake_hands)

    assert spoken == version
    assert protocol == {"port": "h2", "web_port": "http/1.1"}[port_name]
    assert "GCM" in cipher or "CHACHA20" in cipher


@_PORTS
@pytest.mark.parametrize(
    ("version", "ciphers"),
    [
        (ssl.TLSVersion.TLSv1_1, "ALL:@SECLEVEL=0"),
        (ssl.TLSVersion.TLSv1_2, "ECDHE+AES:!AESGCM:!AESCCM"),
        (ssl.TLSVersion.TLSv1_2, "AES128-GCM-SHA256"),
    ],
    ids=["TLS 1.1", "CBC", "no forward secrecy"],
)
@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated")
async def test_old_versions_and_ciphers_are_refused(
    secured: Instance, authority: Authority, port_name: str, version: ssl.TLSVersion, ciphers: str
) -> None:
    context = _context(authority)
    context.minimum_version, context.maximum_version = version, version
    context.set_ciphers(ciphers)
    context.set_alpn_protocols(["h2"])

    # By an alert or by the end of the connection, and not by the client's own library.
    with pytest.raises(ssl.SSLError, match=r"(?i)alert|EOF"):
        await asyncio.to_thread(_handshake, getattr(secured, port_name), context)


async def test_grpcurl_and_http_clients_call_both_ports(
    secured: Instance, authority: Authority
) -> None:
    program = shutil.which("grpcurl", path=str(Path(sys.executable).parent))
    assert program is not None
    process = await asyncio.create_subprocess_exec(
        *(program, "-cacert", str(authority.ca_file), f"127.0.0.1:{secured.port}"),
        "grpc.health.v1.Health/Check",
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    assert json.loads(output) == {"status": "SERVING"}

    async with _web(secured, authority) as client:
        answer = await client.get("/v1/users/me")
        assert answer.status_code == 401
        assert answer.headers["strict-transport-security"]
        metrics = (await client.get("/metrics")).text

    [expiry] = [
        family.samples[0].value
        for family in text_string_to_metric_families(metrics)
        if family.name == "keystead_tls_certificate_expiry_seconds"
    ]
    assert expiry > datetime.now(UTC).timestamp()


def _web(instance: Instance, authority: Authority) -> httpx2.AsyncClient:
    return web_client(instance.web_port, _context(authority))


async def _me(client: Client) -> None:
    answer = await client.call(client.users.GetCurrentUser, user_pb.GetCurrentUserRequest())
    assert answer.user.user_id


async def test_no_call_fails_while_the_certificate_is_replaced(
    secured: Instance, authority: Authority, files: _Files
) -> None:
    roots = grpc.ssl_channel_credentials(authority.ca_file.read_bytes())
    address = f"127.0.0.1:{secured.port}"
    calls, over = 0, asyncio.Event()

    async def call_over_one_connection() -> None:
        nonlocal calls
        while not over.is_set():
            await _me(secured.admin)
            calls += 1

    async def call_over_new_connections() -> None:
        nonlocal calls
        while not over.is_set():
            async with (
                grpc.aio.secure_channel(address, roots, _LOCAL_POOL) as channel,
                _web(secured, authority) as web,
            ):
                await _me(Client(channel, secured.admin.token))
                assert (await web.get("/livez")).status_code == 200
            calls += 1

    async with asyncio.TaskGroup() as load:
        load.create_task(call_over_one_connection())
        load.create_task(call_over_new_connections())
        for _ in range(2):
            await _presents(secured, authority, files.install(authority.certificate()))
        over.set()

    assert calls > 2


async def test_a_certificate_with_another_type_of_key_replaces_the_old_one(
    secured: Instance, authority: Authority, files: _Files
) -> None:
    # One SSL context with both would keep both, and present the old one to some clients.
    for uses_rsa in (True, False):
        serial = files.install(authority.certificate(rsa_key=uses_rsa))

        await _presents(secured, authority, serial)

        for ciphers in (
            "ECDHE+aRSA+AESGCM:ECDHE+ECDSA+AESGCM",
            "ECDHE+ECDSA+AESGCM:ECDHE+aRSA+AESGCM",
        ):
            context = _context(authority, ssl.TLSVersion.TLSv1_2)
            context.set_ciphers(ciphers)
            with await asyncio.to_thread(_handshake, secured.web_port, context) as connection:
                assert ("RSA" in str(connection.cipher())) == uses_rsa


async def test_a_client_that_names_no_server_gets_the_new_certificate(
    secured: Instance, authority: Authority, files: _Files
) -> None:
    serial = files.install(authority.certificate())
    await _presents(secured, authority, serial)
    context = _context(authority)
    context.check_hostname = False

    with await asyncio.to_thread(
        lambda: _handshake(secured.web_port, context, name=None)
    ) as connection:
        certificate = connection.getpeercert(binary_form=True)

    assert certificate is not None
    assert x509.load_der_x509_certificate(certificate).serial_number == serial


async def test_a_broken_replacement_is_logged_once_and_the_old_certificate_stays(
    secured: Instance, authority: Authority, files: _Files
) -> None:
    serial = files.install(authority.certificate())
    await _presents(secured, authority, serial)

    with structlog.testing.capture_logs() as log:
        files.key.write_text("no key")

        async def is_logged() -> bool:
            return any(line["event"] == "the certificate is not replaced" for line in log)

        await given.eventually(is_logged)
        await _presents(secured, authority, serial)
    [line] = [each for each in log if each["event"] == "the certificate is not replaced"]
    assert line["log_level"] == "error"
    assert line["detail"].startswith(f"KEYSTEAD_TLS_KEY_FILE: {files.key} has no private key")

    await _presents(secured, authority, files.install(authority.certificate()))


async def test_workers_share_ports_with_tls_and_follow_their_files(
    tmp_path: Path, make_database: MakeDatabase, authority: Authority
) -> None:
    files = _Files(tmp_path, authority)
    first = files.install(authority.certificate())
    ports = {name: free_port() for name in ("grpc_address", "http_address")}
    async with serve_forked(
        tmp_path / "data",
        database_url=await make_database(),
        workers=2,
        **{name: f"127.0.0.1:{port}" for name, port in ports.items()},
        **files.settings,
    ) as server:
        await server.until(lambda: len(server.events("serving HTTP")) == 2)
        assert all(line["tls"] for line in server.events("serving HTTP"))
        for port in ports.values():
            assert await _serial(port, authority) == first
        health = await keystead(
            "health",
            data_dir=tmp_path,
            http_address=f"127.0.0.1:{ports['http_address']}",
            **files.settings,
        )
        assert (health.status, health.output) == (0, "ok\n")

        files.install(authority.certificate())

        await server.until(lambda: len(server.events("the certificate is replaced")) == 2)
        for port in ports.values():
            assert first not in {await _serial(port, authority) for _ in range(8)}


async def test_files_that_cannot_be_used_prevent_the_start(
    tmp_path: Path, authority: Authority
) -> None:
    files = _Files(tmp_path, authority)
    files.install(authority.certificate())
    shutil.copy(authority.certificate().path, files.key)
    settings = Settings.model_validate({"data_dir": tmp_path / "data", **files.settings})

    with pytest.raises(
        CertificateError, match=r"KEYSTEAD_TLS_KEY_FILE.*is not the key of the first"
    ):
        await app.prepare(settings, "postgresql://127.0.0.1:1/unused")
