"""Requests without TLS."""

from ipaddress import ip_network

import httpx2
import pytest

from server.net.http_requests import RequestFailedError, resolved


async def test_requests_to_another_machine_need_tls() -> None:
    elsewhere = "192.0.2.1"

    with pytest.raises(RequestFailedError) as refused:
        await resolved(httpx2.URL(f"http://{elsewhere}/"), [ip_network(elsewhere)])

    assert (refused.value.reason, refused.value.advice) == ("ADDRESS_NOT_ALLOWED", "Use https.")


async def test_requests_to_this_machine_need_none() -> None:
    [address] = await resolved(httpx2.URL("http://127.0.0.1:8080/"), [ip_network("127.0.0.1")])

    assert address.is_loopback
