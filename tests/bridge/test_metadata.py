"""HTTP headers as metadata: accepted, refused and sent ones."""

from collections.abc import Sequence
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge import metadata
from bridge.call import call_of
from bridge.metadata import Headers
from server.rpc.call import Call
from server.rpc.declared import Method
from server.values.errors import Failure, Kind
from tests.support.given import seam

_VALUES = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E))


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


@pytest.mark.parametrize(
    ("headers", "read"),
    [
        (
            [
                (b"content-type", b"application/grpc-web"),
                (b"content-length", b"5"),
                (b"connection", b"keep-alive"),
                (b"grpc-timeout", b"5S"),
                (b"grpc-accept-encoding", b"gzip"),
                (b"authorization", b"Bearer token"),
                (b"x-grpc-web", b"1"),
            ],
            [("authorization", "Bearer token"), ("x-grpc-web", "1")],
        ),
        (
            [(b"x-service-orgid", b"a"), (b"x", b"y"), (b"x-service-orgid", b"b, c")],
            [("x-service-orgid", "a"), ("x", "y"), ("x-service-orgid", "b, c")],
        ),
        ([(b"cookie", "é".encode())], [("cookie", "Ã©")]),
        *(([(b"x-bin", value)], [("x-bin", b"\x00\x01")]) for value in (b"AAE", b"AAE=", b" AAE ")),
        (
            [(b"x-bin", b"AA==,AQ, Ag")],
            [("x-bin", b"\x00"), ("x-bin", b"\x01"), ("x-bin", b"\x02")],
        ),
    ],
)
def test_headers_are_read(headers: Headers, read: Sequence[tuple[str, str | bytes]]) -> None:
    assert metadata.from_headers(headers) == tuple(read)


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
    ("header", "value"),
    [
        *((b"x-bin", value) for value in (b"A", b"A===", b"AA*=", "é".encode(), b"AA=A")),
        *(
            (b"grpc-timeout", value)
            for value in (
                *(b"", b"5", b"S", b"5s", b"1.5S", b"-5S", b"+5S", b"1_0S", b"123456789S"),
                *(b"5 S", b"5S\n"),
            )
        ),
    ],
)
async def test_a_malformed_header_is_refused(header: bytes, value: bytes) -> None:
    refused = await _refused((header, value))

    assert (refused.kind, refused.reason) == (Kind.INVALID_ARGUMENT, "MALFORMED_HEADER")
    assert refused.metadata == {"header": header.decode()}


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


@given(st.tuples(st.just("x"), _VALUES) | st.tuples(st.just("x-bin"), st.binary()))
def test_metadata_comes_back(header: tuple[str, str | bytes]) -> None:
    assert metadata.from_headers(metadata.to_headers([header])) == (header,)


def test_binary_metadata_leaves_unpadded() -> None:
    assert metadata.to_headers([("x-bin", b"\0")]) == [(b"x-bin", b"AA")]
