"""Network addresses: accepted forms, and the correction that a refusal suggests."""

import errno
import re
import socket

import pytest

from server.values.host_port import CannotListenError, check_listening, split_host_port

pytestmark = pytest.mark.python_differs("ipaddress knows other special addresses since 3.12.4")


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("smtp.example.com:587", ("smtp.example.com", 587)),
        ("localhost:1", ("localhost", 1)),
        ("relay:65535", ("relay", 65535)),
        ("mail_out.internal:25", ("mail_out.internal", 25)),
        ("192.0.2.1:25", ("192.0.2.1", 25)),
        ("example.com.:25", ("example.com.", 25)),
        ("bücher.example:25", ("bücher.example", 25)),
        ("[::1]:25", ("::1", 25)),
        ("[2001:DB8:0::1]:25", ("2001:db8::1", 25)),
        ("h" * 497 + ":25", ("h" * 497, 25)),
    ],
)
def test_an_address_has_a_host_and_a_port(address: str, expected: tuple[str, int]) -> None:
    assert split_host_port(address) == expected


@pytest.mark.parametrize(
    ("address", "advice"),
    [
        ("", "must include the port"),
        ("smtp.example.com", "must include the port"),
        ("smtp.example.com:", "must include the port"),
        ("smtp.example.com:smtp", "must include the port"),
        ("smtp.example.com:-1", "must include the port"),
        ("smtp.example.com:٢٥", "must include the port"),
        ("smtp.example.com:123456", "must include the port"),
        ("[::1]", "must include the port"),
        ("smtp.example.com:0", "has the port 0, which is not in 1..65535"),
        ("smtp.example.com:65536", "has the port 65536, which is not in 1..65535"),
        (":25", "has no valid host name before the port"),
        ("https://smtp.example.com:25", "must be without a scheme"),
        ("smtp.example.com/path:25", "has no valid host name before the port"),
        ("user@smtp.example.com:25", "has no valid host name before the port"),
        ("smtp example com:25", "has no valid host name before the port"),
        ("smtp..example.com:25", "has no valid host name before the port"),
        (".example.com:25", "has no valid host name before the port"),
        ("example.com\n:25", "has no valid host name before the port"),
        ("::1:25", "has an IPv6 address without brackets"),
        ("[]:25", "has no IPv6 address between the brackets"),
        ("[192.0.2.1]:25", "has no IPv6 address between the brackets"),
        ("[::1:25", "has an IPv6 address without brackets"),
    ],
)
def test_a_refusal_contains_advice(address: str, advice: str) -> None:
    with pytest.raises(ValueError, match=rf"^{advice}"):
        split_host_port(address)


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (
            errno.EADDRINUSE,
            "it is in use. Stop the process that uses it, or set KEYSTEAD_X to another address.",
        ),
        (errno.EACCES, "this user may not use the port. .* set KEYSTEAD_X to a higher port"),
        (errno.EADDRNOTAVAIL, "it is not an address of this machine .*Set KEYSTEAD_X to such an"),
    ],
    ids=errno.errorcode.get,
)
def test_an_address_that_cannot_be_had_is_named_with_the_reason(number: int, advice: str) -> None:
    refused = CannotListenError("127.0.0.1:80", "KEYSTEAD_X", OSError(number, "the system's words"))

    assert re.match(f"Cannot listen on 127.0.0.1:80: {advice}", str(refused))


def test_whether_an_address_can_be_had_is_found_without_listening() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match="Address already in use"):
            check_listening("127.0.0.1", port)
    check_listening("127.0.0.1", port)
    check_listening("localhost", port)
    with pytest.raises(OSError, match="Cannot assign requested address"):
        check_listening("192.0.2.1", port)
    with pytest.raises(socket.gaierror):
        check_listening("no-such-host.invalid", port)


def test_a_server_may_ask_for_any_free_port() -> None:
    assert split_host_port("127.0.0.1:0", lowest_port=0) == ("127.0.0.1", 0)
