"""Names that resolve to another address at the connection than at the check (DNS rebinding).

127.0.0.2 stands for a public address, because the settings allow it; 127.0.0.1 is private. Both
have a server on the same port, and each counts its connections.
"""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from server.relying_party import http_client
from server.relying_party.http_client import ClientOptions, Connections
from server.relying_party.reasons import ProviderError, Reason
from tests.support.certificates import Authority
from tests.support.oidc_provider import answer

_NAME, _OTHER_NAME = "provider.example", "other.example"
_PUBLIC, _PRIVATE = "127.0.0.2", "127.0.0.1"


@dataclass
class Network:
    """Two servers, and a resolver with a list of answers for `_NAME`, one for each look-up."""

    port: int = 0
    answers: list[Sequence[str]] = field(default_factory=list)
    lookups: int = 0
    connections: list[str] = field(default_factory=list)
    requests: list[bytes] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"https://{_NAME}:{self.port}/"

    def resolve(self, host: str, port: int, *_: Any, **__: Any) -> list[tuple[Any, ...]]:
        """Replaces `socket.getaddrinfo`. The last answer is repeated."""
        assert host in (_NAME, _OTHER_NAME), f"{host} is looked up"
        self.lookups += 1
        addresses = self.answers[min(self.lookups, len(self.answers)) - 1]
        kind = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
        return [(*kind, (address, port)) for address in addresses]

    async def serve(
        self, address: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                self.requests.append(await reader.readuntil(b"\r\n\r\n"))
                writer.write(answer(address.encode(), closes=False))
                await writer.drain()
        writer.close()


@pytest.fixture
async def network(
    oidc_authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Network]:
    context = oidc_authority.certificate(names=[_NAME]).context()
    network = Network()

    async def listen(address: str) -> asyncio.Server:
        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Any:
            network.connections.append(address)
            return network.serve(address, reader, writer)

        return await asyncio.start_server(accept, address, network.port, ssl=context)

    async with contextlib.AsyncExitStack() as servers:
        while not network.port:
            public = await servers.enter_async_context(await listen(_PUBLIC))
            network.port = public.sockets[0].getsockname()[1]
            try:
                await servers.enter_async_context(await listen(_PRIVATE))
            except OSError:  # the port is in use at the other address
                network.port = 0
        monkeypatch.setattr(socket, "getaddrinfo", network.resolve)
        yield network


@pytest.fixture
def options(oidc_authority: Authority) -> ClientOptions:
    return ClientOptions([ip_network(_PUBLIC)], oidc_authority.ca_file, timeout=2)


async def test_a_name_that_moves_after_the_check_is_connected_where_it_was_checked(
    network: Network, options: ClientOptions
) -> None:
    network.answers = [[_PUBLIC], [_PRIVATE]]

    received = await http_client.get(network.url, options)

    assert (received.content, network.lookups) == (_PUBLIC.encode(), 1)
    assert network.connections == [_PUBLIC]


@pytest.mark.parametrize(
    "addresses",
    [[_PRIVATE, _PUBLIC], [_PUBLIC, _PRIVATE], [_PRIVATE, _PUBLIC, _PRIVATE], [_PUBLIC] * 40],
)
async def test_of_mixed_answers_only_the_public_addresses_are_connected_to(
    network: Network, options: ClientOptions, addresses: Sequence[str]
) -> None:
    network.answers = [addresses]

    received = await http_client.get(network.url, options)

    assert received.content == _PUBLIC.encode()
    assert network.connections == [_PUBLIC]


async def test_a_public_address_that_fails_is_not_replaced_by_a_private_one(
    network: Network, oidc_authority: Authority
) -> None:
    refusing = "127.0.0.3"  # no server listens there
    options = ClientOptions([ip_network(refusing)], oidc_authority.ca_file, timeout=2)
    network.answers = [[refusing, _PRIVATE], [_PRIVATE]]

    with pytest.raises(ProviderError) as raised:
        await http_client.get(network.url, options)

    assert raised.value.reason == "UNREACHABLE"
    assert (network.lookups, network.connections) == (1, [])


async def test_of_two_public_addresses_the_second_is_connected_to_if_the_first_fails(
    network: Network, oidc_authority: Authority
) -> None:
    refusing = "127.0.0.3"
    allowed = [ip_network(refusing), ip_network(_PUBLIC)]
    network.answers = [[refusing, _PUBLIC], [_PRIVATE]]

    received = await http_client.get(
        network.url, ClientOptions(allowed, oidc_authority.ca_file, timeout=2)
    )

    assert (received.content, network.lookups) == (_PUBLIC.encode(), 1)


@pytest.mark.parametrize("addresses", [[_PRIVATE], ["::ffff:127.0.0.1"], ["10.0.0.1", _PRIVATE]])
async def test_every_request_checks_the_name_again(
    network: Network, options: ClientOptions, addresses: Sequence[str]
) -> None:
    """A name with a public address for discovery may get a private one for the token endpoint."""
    network.answers = [[_PUBLIC], addresses]
    await http_client.get(network.url, options)

    with pytest.raises(ProviderError) as raised:
        async with Connections(options) as connections:
            await connections.post(network.url, form={"code": "secret"}, headers={})

    assert raised.value.reason == "ADDRESS_NOT_ALLOWED"
    assert network.connections == [_PUBLIC]


async def test_requests_together_share_a_connection_but_check_the_name_again(
    network: Network, options: ClientOptions
) -> None:
    network.answers = [[_PUBLIC], [_PUBLIC], [_PRIVATE]]
    async with Connections(options) as connections:
        for _ in range(2):
            await connections.get(network.url)
        with pytest.raises(ProviderError) as raised:
            await connections.get(network.url)

    assert raised.value.reason == "ADDRESS_NOT_ALLOWED"
    assert (len(network.requests), network.connections) == (2, [_PUBLIC])


async def test_a_connection_of_one_name_is_not_used_for_another_at_the_same_address(
    network: Network, options: ClientOptions
) -> None:
    """The certificate of the server is for the first name only."""
    network.answers = [[_PUBLIC]]
    async with Connections(options) as connections:
        await connections.get(network.url)
        with pytest.raises(ProviderError) as raised:
            await connections.get(network.url.replace(_NAME, _OTHER_NAME))

    assert raised.value.reason == "CERTIFICATE_NOT_ACCEPTED"
    assert len(network.requests) == 1


async def test_authorities_that_cannot_be_read_are_reported(
    network: Network, options: ClientOptions, tmp_path: Path
) -> None:
    network.answers = [[_PUBLIC]]
    missing = replace(options, ca_file=tmp_path / "missing.pem")

    with pytest.raises(ProviderError) as caught:
        await http_client.get(network.url, missing)

    assert caught.value.reason is Reason.CERTIFICATE_NOT_ACCEPTED
    assert "missing.pem cannot be used" in caught.value.message


async def test_a_url_that_is_not_of_https_is_not_even_looked_up(
    network: Network, options: ClientOptions
) -> None:
    network.answers = [[_PUBLIC]]

    with pytest.raises(ProviderError) as refused:
        await http_client.get(network.url.replace("https:", "http:"), options)

    assert refused.value.reason == Reason.METADATA_INVALID
    assert (network.lookups, network.connections) == (0, [])


async def test_the_proxy_of_the_environment_is_not_used(
    network: Network, options: ClientOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy would resolve the name again, unchecked."""
    network.answers = [[_PUBLIC]]
    for name in ("HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://{_PRIVATE}:{network.port}")

    await http_client.get(network.url, options)

    assert network.connections == [_PUBLIC]


async def test_answers_are_asked_for_without_compression(
    network: Network, options: ClientOptions
) -> None:
    network.answers = [[_PUBLIC]]

    await http_client.get(network.url, options)

    [request] = network.requests
    assert b"\r\naccept-encoding: identity\r\n" in request.lower()
