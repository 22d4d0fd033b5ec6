"""HTTP headers as metadata: what is kept, what is refused, and what may leave."""

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge import metadata
from bridge.context import Context
from server.values.errors import Failure, Kind

_VALUES = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E))


def _context(
    *headers: tuple[bytes, bytes], client: tuple[str, int] | None = ("127.0.0.1", 1)
) -> Context:
    return Context({"headers": list(headers), "client": client})


def _refused(*headers: tuple[bytes, bytes]) -> Failure:
    refusal = _context(*headers).refusal
    assert refusal is not None
    return refusal


def test_headers_are_metadata_but_for_those_of_the_transport() -> None:
    headers = [
        (b"content-type", b"application/grpc-web"),
        (b"content-length", b"5"),
        (b"connection", b"keep-alive"),
        (b"grpc-timeout", b"5S"),
        (b"grpc-accept-encoding", b"gzip"),
        (b"authorization", b"Bearer token"),
        (b"x-grpc-web", b"1"),
    ]

    assert metadata.from_headers(headers) == (
        ("authorization", "Bearer token"),
        ("x-grpc-web", "1"),
    )


def test_repeated_headers_stay_apart() -> None:
    headers = [(b"x-service-orgid", b"a"), (b"x", b"y"), (b"x-service-orgid", b"b, c")]

    assert metadata.from_headers(headers) == (
        ("x-service-orgid", "a"),
        ("x", "y"),
        ("x-service-orgid", "b, c"),
    )


def test_a_header_that_is_not_ascii_is_read() -> None:
    assert metadata.from_headers([(b"cookie", "é".encode())]) == (("cookie", "Ã©"),)


@pytest.mark.parametrize("value", [b"AAE", b"AAE=", b" AAE "])
def test_a_binary_header_is_decoded_padded_or_not(value: bytes) -> None:
    assert metadata.from_headers([(b"x-bin", value)]) == (("x-bin", b"\x00\x01"),)


def test_a_binary_header_may_be_a_list() -> None:
    assert metadata.from_headers([(b"x-bin", b"AA==,AQ, Ag")]) == (
        ("x-bin", b"\x00"),
        ("x-bin", b"\x01"),
        ("x-bin", b"\x02"),
    )


@pytest.mark.parametrize("value", [b"A", b"A===", b"AA*=", "é".encode(), b"AA=A"])
def test_a_binary_header_that_is_not_base64_is_refused(value: bytes) -> None:
    refused = _refused((b"x-bin", value))

    assert (refused.kind, refused.reason) == (Kind.INVALID_ARGUMENT, "MALFORMED_HEADER")
    assert refused.metadata == {"header": "x-bin"}


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
    assert metadata.timeout([(b"grpc-timeout", value)]) == pytest.approx(seconds)


def test_no_timeout_is_none() -> None:
    assert metadata.timeout([(b"timeout", b"1S")]) is None


@pytest.mark.parametrize(
    "value",
    [b"", b"5", b"S", b"5s", b"1.5S", b"-5S", b"+5S", b"1_0S", b"123456789S", b"5 S", b"5S\n"],
)
def test_a_malformed_timeout_is_refused(value: bytes) -> None:
    refused = _refused((b"grpc-timeout", value))

    assert (refused.kind, refused.reason) == (Kind.INVALID_ARGUMENT, "MALFORMED_HEADER")
    assert refused.metadata == {"header": "grpc-timeout"}


def test_a_call_without_time_is_refused() -> None:
    assert _refused((b"grpc-timeout", b"0n")).kind is Kind.DEADLINE_EXCEEDED


def test_the_time_that_remains_is_never_more_than_the_timeout_nor_less_than_nothing() -> None:
    remaining = _context((b"grpc-timeout", b"5S")).time_remaining()

    assert remaining is not None
    assert 0 < remaining <= 5
    assert _context((b"grpc-timeout", b"1n")).time_remaining() == 0
    assert _context().time_remaining() is None


@pytest.mark.parametrize(
    ("client", "peer"),
    [
        (("10.0.0.1", 4711), "ipv4:10.0.0.1:4711"),
        (("::1", 4711), "ipv6:%5B::1%5D:4711"),
        (None, "unknown"),
    ],
)
def test_a_peer_is_written_as_grpc_does(client: tuple[str, int] | None, peer: str) -> None:
    assert _context(client=client).peer() == peer


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_percent_encoded_message_is_printable_and_comes_back(message: str) -> None:
    encoded = metadata.percent_encoded(message)

    assert all(0x20 <= byte <= 0x7E for byte in encoded)
    assert unquote(encoded.decode("ascii"), errors="strict") == message


def test_only_what_must_be_is_percent_encoded() -> None:
    assert metadata.percent_encoded("~!a b\"'+/%\r\né") == b"~!a b\"'+/%25%0D%0A%C3%A9"


@given(st.binary())
def test_binary_metadata_comes_back(value: bytes) -> None:
    headers = metadata.to_headers(metadata.validated([("x-bin", value)]))

    assert metadata.from_headers(headers) == (("x-bin", value),)


def test_binary_metadata_leaves_unpadded() -> None:
    assert metadata.to_headers([("x-bin", b"\0")]) == [(b"x-bin", b"AA")]


@given(_VALUES)
def test_ascii_metadata_comes_back(value: str) -> None:
    assert metadata.from_headers(metadata.to_headers(metadata.validated([("x", value)]))) == (
        ("x", value),
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("x", "a\r\ngrpc-status: 0"),
        ("x", "a\n"),
        ("x", "\0"),
        ("x", "é"),
        ("x\r\n", "a"),
        ("X", "a"),
        ("", "a"),
        ("x:", "a"),
        ("x", b"a"),
        ("x-bin", "a"),
    ],
)
async def test_what_would_break_a_trailer_cannot_be_set(key: str, value: str | bytes) -> None:
    context = _context()

    with pytest.raises(ValueError, match="metadata"):
        context.set_trailing_metadata([(key, value)])
