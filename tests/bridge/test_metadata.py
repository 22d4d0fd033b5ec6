"""HTTP headers as metadata: accepted, refused and sent ones."""

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge import metadata
from bridge.call import call_of
from server.rpc.call import Call
from server.rpc.declared import Method
from server.values.errors import Failure, Kind
from tests.support.given import seam


def _call_of(
    *headers: tuple[bytes, bytes], client: tuple[str, int] | None = ("127.0.0.1", 1)
) -> tuple[Call, Failure | None]:
    return call_of(
        seam(default_timeout=10), Method("/p.S/M"), {"headers": headers, "client": client}
    )


async def _refused(*headers: tuple[bytes, bytes]) -> Failure:
    _, refusal = _call_of(*headers)
    assert refusal is not None
    return refusal


async def test_headers_are_read_by_name_and_in_their_order() -> None:
    call, _ = _call_of((b"x", b"a"), (b"cookie", "é".encode()), (b"x", b"b, c"))

    assert call.headers == {"x": ["a", "b, c"], "cookie": ["Ã©"]}


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (b"1H", 3600),
        (b"2M", 120),
        (b"3S", 3),
        (b"4m", 0.004),
        (b"5u", 0.000005),
        (b"6n", 0.000000006),
        (b"00000001S", 1),
        (b"99999999H", 365 * 24 * 3600),
    ],
)
def test_a_timeout_is_read(value: bytes, seconds: float) -> None:
    assert metadata.timeout(value) == pytest.approx(seconds)


async def test_another_header_is_no_timeout() -> None:
    call, refusal = _call_of((b"timeout", b"1S"))

    assert refusal is None
    assert call.seconds_left > 5


@pytest.mark.parametrize(
    "value",
    [
        *(b"", b"5", b"S", b"5s", b"1.5S", b"-5S", b"+5S", b"1_0S", b"123456789S", b"5 S"),
        b"5S\n",
    ],
)
async def test_a_malformed_timeout_is_refused(value: bytes) -> None:
    refused = await _refused((b"grpc-timeout", value))

    assert (refused.kind, refused.reason) == (Kind.INVALID_ARGUMENT, "MALFORMED_HEADER")
    assert refused.metadata == {"header": "grpc-timeout"}


async def test_a_call_without_time_is_refused() -> None:
    assert (await _refused((b"grpc-timeout", b"0n"))).kind is Kind.DEADLINE_EXCEEDED


async def test_a_call_ends_before_the_timeout_of_its_client_or_by_the_default_one() -> None:
    call, _ = _call_of((b"grpc-timeout", b"5S"))
    assert 4 < call.seconds_left <= 5 - 0.02

    call, _ = _call_of()
    assert 9 < call.seconds_left <= 10


@pytest.mark.parametrize(
    ("client", "peer"),
    [
        (("10.0.0.1", 4711), "ipv4:10.0.0.1:4711"),
        (("::1", 4711), "ipv6:%5B::1%5D:4711"),
        (None, "unknown"),
    ],
)
async def test_a_peer_is_written_as_grpc_does(client: tuple[str, int] | None, peer: str) -> None:
    call, _ = _call_of(client=client)

    assert call.peer == peer


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_percent_encoded_message_is_printable_and_comes_back(message: str) -> None:
    encoded = metadata.percent_encoded(message)

    assert all(0x20 <= byte <= 0x7E for byte in encoded)
    assert unquote(encoded.decode("ascii"), errors="strict") == message


def test_only_the_necessary_characters_are_percent_encoded() -> None:
    assert metadata.percent_encoded("~!a b\"'+/%\r\né") == b"~!a b\"'+/%25%0D%0A%C3%A9"


def test_binary_metadata_leaves_unpadded() -> None:
    assert metadata.to_headers([("x-bin", b"\0")]) == [(b"x-bin", b"AA")]
