"""The client's address behind reverse proxies: only trusted proxies may state it."""

import pytest
from starlette.types import Receive, Scope, Send

from tests.support.raw_http import request, respond, served

PROXIES = ("127.0.0.1", "10.0.0.0/8", "fd00::/8")


async def whose(scope: Scope, _receive: Receive, send: Send) -> None:
    """Answers with the client's address and scheme as the server sees them."""
    await respond(send, f"{scope['scheme']} {scope['client'][0]}".encode())


@pytest.mark.parametrize(
    ("lines", "client"),
    [
        (["X-Forwarded-For: 192.0.2.1"], "http 192.0.2.1"),
        (["X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https"], "https 192.0.2.1"),
        (["X-Forwarded-For: 192.0.2.1:4711"], "http 192.0.2.1"),
        (["X-Forwarded-For: 2001:db8::1"], "http 2001:db8::1"),
        (["X-Forwarded-For: [2001:db8::1]:4711"], "http 2001:db8::1"),
        # The client's own claims are on the left.
        (["X-Forwarded-For: 198.51.100.9, 192.0.2.1"], "http 192.0.2.1"),
        (["X-Forwarded-For: 198.51.100.9", "X-Forwarded-For: 192.0.2.1"], "http 192.0.2.1"),
        (["X-Forwarded-For: 198.51.100.9, 192.0.2.1, 10.1.2.3, fd00::1"], "http 192.0.2.1"),
        (["X-Forwarded-For: 10.0.0.5, 10.1.2.3"], "http 10.0.0.5"),
        (["X-Forwarded-For: unknown, 192.0.2.1"], "http 192.0.2.1"),
        (["X-Forwarded-For:"], "http 127.0.0.1"),
        (["X-Forwarded-For: 192.0.2.1,"], "http 127.0.0.1"),
        (["X-Forwarded-Proto: javascript"], "http 127.0.0.1"),
        (["X-Forwarded-Proto: https, http"], "http 127.0.0.1"),
        (["Forwarded: for=192.0.2.1;proto=https"], "http 127.0.0.1"),
        (["X-Real-IP: 192.0.2.1"], "http 127.0.0.1"),
    ],
)
def test_a_trusted_proxy_tells_whose_request_it_is(lines: list[str], client: str) -> None:
    with served(whose, trusted_proxies=PROXIES) as web, web.connect() as connection:
        connection.send(request("/", *lines))

        assert connection.answer().body.decode() == client


@pytest.mark.parametrize("trusted", [(), ("10.0.0.0/8", "::1")])
def test_nobody_else_is_believed(trusted: tuple[str, ...]) -> None:
    with served(whose, trusted_proxies=trusted) as web, web.connect() as connection:
        connection.send(request("/", "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https"))

        assert connection.answer().body == b"http 127.0.0.1"


def test_a_proxy_of_ipv4_is_known_on_a_socket_for_both() -> None:
    with (
        served(whose, trusted_proxies=PROXIES, address="[::]:0") as web,
        web.connect() as connection,
    ):
        connection.send(request("/", "X-Forwarded-For: 192.0.2.1"))

        assert connection.answer().body == b"http 192.0.2.1"
