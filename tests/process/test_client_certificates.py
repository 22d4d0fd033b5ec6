"""Client certificates on both ports: who must present one, whom it identifies, and for how long."""

import asyncio
import contextlib
import shutil
import socket
import ssl
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import grpc
import httpx2
import pytest
from cryptography import x509

from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.user.v1 import user_service_pb2 as pb
from tests.conftest import MakeInstance
from tests.passkey import links
from tests.support import given
from tests.support.certificates import Authority, Certificate
from tests.support.given import Client, Instance
from tests.support.process import keystead
from tests.support.web_client import web_client
from tests.user import calls

pytestmark = pytest.mark.python_differs("ssl has stricter defaults since 3.13")

_ME = "/v1/users/me"
_LOCAL_POOL = ("grpc.use_local_subchannel_pool", 1)  # a connection of its own


class World:
    """Authorities of the server and of services. Only an intermediate one is in the CA file."""

    def __init__(self, folder: Path) -> None:
        folders = [folder / name for name in ("server", "root", "services", "others")]
        for each in folders:
            each.mkdir()
        self.server = Authority(folders[0])
        self.services = Authority(folders[2], issuer=Authority(folders[1]))
        self.others = Authority(folders[3])
        self.ca_file = folder / "clients.pem"
        self.trust(self.services)

    def trust(self, authority: Authority) -> None:
        """Replaces the authorities of clients."""
        new = self.ca_file.with_suffix(".new")
        shutil.copy(authority.ca_file, new)
        new.replace(self.ca_file)

    def context(self, certificate: Certificate | None) -> ssl.SSLContext:
        """That of a client."""
        context = ssl.create_default_context(cafile=self.server.ca_file)
        if certificate is not None:
            context.load_cert_chain(certificate.path)
        return context

    def web(self, instance: Instance, certificate: Certificate | None) -> httpx2.AsyncClient:
        """A client of the web port."""
        return web_client(instance.web_port, self.context(certificate))

    def channel(self, instance: Instance, certificate: Certificate | None) -> grpc.aio.Channel:
        """A connection to the gRPC port."""
        pem = certificate.path.read_bytes() if certificate else None
        credentials = grpc.ssl_channel_credentials(self.server.ca_file.read_bytes(), pem, pem)
        return grpc.aio.secure_channel(f"127.0.0.1:{instance.port}", credentials, [_LOCAL_POOL])

    async def callers(
        self, instance: Instance, certificate: Certificate, **sent: Any
    ) -> Mapping[str, str]:
        """The ID of the caller on each transport, or the status of the refusal."""
        found = {}
        async with self.channel(instance, certificate) as channel:
            client = Client(channel, "")
            request = pb.GetCurrentUserRequest()
            try:
                answer = await client.call(client.users.GetCurrentUser, request, **sent)
                found["gRPC"] = answer.user.user_id
            except grpc.aio.AioRpcError as error:
                found["gRPC"] = error.code().name
        async with self.web(instance, certificate) as web:
            found["JSON"] = _caller_of(await web.get(_ME, headers=sent))
            answer = await web.post(
                "/keystead.user.v1.UserService/GetCurrentUser",
                content=bytes(5),
                headers={"content-type": "application/grpc-web+proto", **sent},
            )
            found["grpc-web"] = _caller_of_grpcweb(answer)
        return found


def _caller_of(answer: httpx2.Response) -> str:
    content = answer.json()
    if answer.status_code == 200:
        return str(content["user"]["userId"])
    assert answer.status_code == 401
    return grpc.StatusCode.UNAUTHENTICATED.name


def _caller_of_grpcweb(answer: httpx2.Response) -> str:
    if "grpc-status" in answer.headers:
        assert answer.headers["grpc-status"] == "16"
        return grpc.StatusCode.UNAUTHENTICATED.name
    length = int.from_bytes(answer.content[1:5])
    return pb.GetCurrentUserResponse.FromString(answer.content[5 : 5 + length]).user.user_id


def _everywhere(caller: str) -> Mapping[str, str]:
    return dict.fromkeys(("gRPC", "JSON", "grpc-web"), caller)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """The authorities of this file."""
    return World(tmp_path_factory.mktemp("world"))


@pytest.fixture(scope="module")
def certificate(world: World) -> Certificate:
    """A certificate that is verified and identifies nobody."""
    return world.services.certificate(["nobody"])


@pytest.fixture(scope="module")
async def instance(
    make_instance: MakeInstance, world: World, certificate: Certificate, often: None
) -> AsyncIterator[Instance]:
    """A server that asks clients for certificates."""
    tls = world.server.certificate().path
    async with make_instance(
        ca_file=world.server.ca_file,
        client_certificate=certificate.path,
        tls_certificate_file=tls,
        tls_key_file=tls,
        tls_client_ca_file=world.ca_file,
    ) as found:
        yield found


async def _service(instance: Instance, world: World) -> tuple[Client, Certificate]:
    """A new user and its certificate."""
    user, certificate = await given.user(instance.admin), world.services.certificate(["service"])
    await calls.create_certificate(instance.admin, user.user_id, certificate.pem)
    return user, certificate


async def test_both_ports_accept_a_certificate_without_key_identifiers_on_every_python(
    instance: Instance, world: World
) -> None:
    """The gRPC port cannot require them."""
    user = await given.user(instance.admin)
    without: list[type[x509.ExtensionType]] = [
        x509.AuthorityKeyIdentifier,
        x509.SubjectKeyIdentifier,
    ]
    certificate = world.services.certificate(["old"], without=without)
    await calls.create_certificate(instance.admin, user.user_id, certificate.pem)

    assert await world.callers(instance, certificate) == _everywhere(user.user_id)


async def test_a_certificate_identifies_its_user_until_its_token_is_revoked(
    instance: Instance, world: World
) -> None:
    user, certificate = await _service(instance, world)

    assert await world.callers(instance, certificate) == _everywhere(user.user_id)

    [_, token] = await calls.tokens(instance.admin, user.user_id)
    await calls.revoke_token(instance.admin, user.user_id, token.token_id)
    assert await world.callers(instance, certificate) == _everywhere("UNAUTHENTICATED")


async def test_a_user_adds_the_certificate_of_its_connection(
    instance: Instance, world: World
) -> None:
    user, by_grpc, by_json = (
        await given.user(instance.admin),
        *(world.services.certificate([name]) for name in ("grpc", "json")),
    )

    async with world.channel(instance, by_grpc) as channel:
        await calls.create_certificate(Client(channel, user.token), user.user_id, by_grpc.pem)
    async with world.web(instance, by_json) as web:
        answer = await web.post(
            f"/v1/users/{user.user_id}/certificates",
            json={"certificate": by_json.pem},
            headers={"authorization": f"Bearer {user.token}"},
        )

    assert answer.status_code == 200
    for certificate in (by_grpc, by_json):
        assert await world.callers(instance, certificate) == _everywhere(user.user_id)


async def test_nobody_claims_the_certificate_of_another_service(
    instance: Instance, world: World, certificate: Certificate
) -> None:
    org_id = await given.organization(instance.admin)
    owner = await given.user(instance.admin, org_id=org_id, roles=[pb.ROLE_ORG_OWNER])
    user = await given.user(instance.admin, org_id=org_id)
    public = world.services.certificate(["public"]).pem

    refused = []
    async with world.channel(instance, certificate) as channel:
        for caller in (user, owner):
            adding = calls.create_certificate(Client(channel, caller.token), user.user_id, public)
            refused.append(await given.refusal(adding))
    async with world.web(instance, None) as web:
        answer = await web.post(
            f"/v1/users/{user.user_id}/certificates",
            json={"certificate": public},
            headers={"authorization": f"Bearer {user.token}"},
        )

    assert [each.reason for each in refused] == ["CERTIFICATE_NOT_PRESENTED"] * 2
    assert answer.json()["details"][0]["reason"] == "CERTIFICATE_NOT_PRESENTED"
    await calls.create_certificate(instance.admin, user.user_id, public)


async def test_whoever_proves_to_have_a_known_certificate_is_not_told_of_its_user(
    instance: Instance, world: World
) -> None:
    _, certificate = await _service(instance, world)
    other = await given.user(instance.admin)

    async with world.channel(instance, certificate) as channel:
        adding = calls.create_certificate(
            Client(channel, other.token), other.user_id, certificate.pem
        )
        refused = await given.refusal(adding)

    assert (refused.reason, refused.metadata) == ("CERTIFICATE_ALREADY_ADDED", {})


async def test_a_service_replaces_its_only_credential(instance: Instance, world: World) -> None:
    user, old = await _service(instance, world)
    new = world.services.certificate(["service"])

    async with world.channel(instance, old) as channel:
        token = await given.token(Client(channel, ""), user.user_id)
    async with world.channel(instance, new) as channel:
        await calls.create_certificate(Client(channel, token), user.user_id, new.pem)

    assert await world.callers(instance, new) == _everywhere(user.user_id)


async def test_a_certificate_that_nobody_added_identifies_nobody(
    instance: Instance, world: World, certificate: Certificate
) -> None:
    assert await world.callers(instance, certificate) == _everywhere("UNAUTHENTICATED")


async def test_the_error_says_whether_the_certificate_or_the_token_is_unknown(
    instance: Instance, world: World, certificate: Certificate
) -> None:
    async with world.web(instance, certificate) as web:
        by_certificate = (await web.get(_ME)).json()
        by_token = (await web.get(_ME, headers={"authorization": "Bearer unknown"})).json()

    assert "certificate of this connection belongs to no user" in by_certificate["message"]
    assert "CreateCertificate" in by_certificate["message"]
    assert "A valid token is required" in by_token["message"]
    assert by_certificate["details"][0]["reason"] == by_token["details"][0]["reason"]


async def test_authorization_identifies_the_caller_rather_than_the_certificate(
    instance: Instance, world: World
) -> None:
    _, certificate = await _service(instance, world)
    other = await given.user(instance.admin)

    for authorization, caller in (
        (f"Bearer {other.token}", other.user_id),
        ("Bearer unknown", "UNAUTHENTICATED"),
        ("", "UNAUTHENTICATED"),
    ):
        found = await world.callers(instance, certificate, authorization=authorization)
        assert found == _everywhere(caller)


async def test_the_code_of_a_link_identifies_the_caller_rather_than_the_certificate(
    instance: Instance, world: World
) -> None:
    service, certificate = await _service(instance, world)
    person = await given.user(instance.admin)
    link = await links.link(instance.admin, person)

    async with world.channel(instance, certificate) as channel:
        client = Client(channel, "")

        def register(user_id: str, code: str) -> Any:
            request = passkey_pb.RegisterPasskeyRequest(user_id=user_id, code=code)
            return client.call(client.passkeys.RegisterPasskey, request)

        assert (await register(person.user_id, link.code)).passkey_id
        assert (await register(service.user_id, "")).passkey_id
        refused = await given.refusal(register(service.user_id, link.code))
        assert refused.code is grpc.StatusCode.UNAUTHENTICATED


async def test_a_certificate_writes_as_its_user(instance: Instance, world: World) -> None:
    user, certificate = await _service(instance, world)

    async with world.web(instance, certificate) as web:
        path = f"/v1/users/{user.user_id}/tokens"
        created = await web.post(path, json={"name": "by certificate"})

    assert created.status_code == 200
    tokens = await calls.tokens(instance.admin, user.user_id)
    [token] = [each for each in tokens if each.name == "by certificate"]
    assert token.created_by == user.user_id


async def test_a_page_of_another_site_gains_nothing_by_the_certificate(
    instance: Instance, world: World
) -> None:
    _, certificate = await _service(instance, world)
    own = f"https://127.0.0.1:{instance.web_port}"

    async with world.web(instance, certificate) as web:
        statuses = [
            (await web.get(_ME, headers=headers)).status_code
            for headers in (
                {},
                {"origin": own},
                {"sec-fetch-site": "same-origin"},
                {"origin": "https://evil.test"},
                {"sec-fetch-site": "cross-site"},
            )
        ]

    assert statuses == [200, 200, 200, 401, 401]


async def test_the_web_port_serves_clients_without_a_certificate(
    instance: Instance, world: World, tmp_path: Path
) -> None:
    async with world.web(instance, None) as web:
        for page in ("/livez", "/readyz", "/metrics"):
            assert (await web.get(page)).status_code == 200
        assert (await web.get(_ME)).status_code == 401
        authorization = {"authorization": f"Bearer {instance.admin.token}"}
        assert (await web.get(_ME, headers=authorization)).status_code == 200

    tls = world.server.certificate().path
    health = await keystead(
        "health",
        data_dir=tmp_path,
        http_address=f"127.0.0.1:{instance.web_port}",
        tls_certificate_file=tls,
        tls_key_file=tls,
        tls_client_ca_file=world.ca_file,
    )
    assert (health.status, health.output) == (0, "ok\n")


async def test_certificates_that_are_not_verified_end_the_handshake(
    instance: Instance, world: World
) -> None:
    await _is_refused_by_grpc(instance, world, None)
    for certificate in (
        world.others.certificate(),
        world.services.certificate(self_signed=True),
        world.services.certificate(days=-1),
    ):
        await _is_refused_by_grpc(instance, world, certificate)
        async with world.web(instance, certificate) as web:
            with pytest.raises(httpx2.TransportError):
                await web.get("/livez")


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
async def test_a_removed_authority_is_not_trusted_by_a_resumed_session(
    instance: Instance, world: World, version: ssl.TLSVersion
) -> None:
    _, certificate = await _service(instance, world)
    connections = [
        _Connection(world.context(certificate), version, "http/1.1", instance.web_port),
        _Connection(world.context(certificate), version, "h2", instance.port),
    ]
    for connection in connections:
        assert await asyncio.to_thread(connection.is_answered)
        assert await asyncio.to_thread(connection.is_answered)
        assert connection.is_resumed

    world.trust(world.others)
    try:
        await given.eventually(lambda: _is_served(instance, world, world.others.certificate()))
        for connection in connections:
            assert not await asyncio.to_thread(connection.is_answered)
        await _is_refused_by_grpc(instance, world, certificate)
    finally:
        world.trust(world.services)
        await given.eventually(lambda: _is_served(instance, world, certificate))


class _Connection:
    """Connections to a port, each with the session of the one before it."""

    _HELLO: ClassVar = {
        "http/1.1": f"GET {_ME} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode(),
        "h2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]),
    }

    def __init__(
        self, context: ssl.SSLContext, version: ssl.TLSVersion, protocol: str, port: int
    ) -> None:
        context.minimum_version = context.maximum_version = version
        context.set_alpn_protocols([protocol])
        self._context, self._protocol, self._port = context, protocol, port
        self._session: ssl.SSLSession | None = None
        self.is_resumed = False

    def is_answered(self) -> bool:
        """Whether the server answers on a new connection."""
        plain = socket.create_connection(("127.0.0.1", self._port), timeout=10)
        with contextlib.suppress(ssl.SSLError, ConnectionError):
            with self._context.wrap_socket(
                plain, server_hostname="localhost", session=self._session
            ) as tls:
                tls.sendall(self._HELLO[self._protocol])
                answer = tls.recv(100)
                self.is_resumed, self._session = bool(tls.session_reused), tls.session
            return bool(answer)
        return False


async def _is_refused_by_grpc(
    instance: Instance, world: World, certificate: Certificate | None
) -> None:
    async with world.channel(instance, certificate) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await calls.whoami(Client(channel, ""))
    assert refused.value.code() is grpc.StatusCode.UNAVAILABLE


async def _is_served(instance: Instance, world: World, certificate: Certificate) -> bool:
    try:
        async with world.web(instance, certificate) as web:
            return (await web.get("/livez")).status_code == 200
    except httpx2.TransportError:
        return False
