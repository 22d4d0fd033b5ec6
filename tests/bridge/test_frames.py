"""The frames of requests: in pieces of any size, and malformed in any way."""

import asyncio
import base64
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.grpcweb import frames
from server.rpc.requests import MAX_MESSAGE_BYTES
from server.values.errors import Failure, Kind
from tests.support.grpcweb_client import frame

_MESSAGES = st.lists(st.binary(max_size=40), max_size=3)


@st.composite
def _cut(draw: st.DrawFn, body: bytes) -> list[bytes]:
    """A body in pieces, some of them empty."""
    cuts = sorted(draw(st.lists(st.integers(0, len(body)), max_size=12)))
    return [body[start:end] for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True)]


def _read(pieces: list[bytes], *, text: bool) -> bytes:
    left = iter(pieces)

    async def next_piece() -> bytes | None:
        return next(left, None)

    return asyncio.run(frames.one_message(next_piece, MAX_MESSAGE_BYTES, is_text=text))


@given(st.data(), _MESSAGES, st.booleans())
def test_a_message_is_the_same_in_any_pieces_and_must_be_the_only_one(
    data: st.DataObject, messages: list[bytes], text: bool
) -> None:
    body = b"".join(map(frame, messages))
    if text:  # padded wherever it was flushed
        body = b"".join(map(base64.b64encode, data.draw(_cut(body))))
    pieces = data.draw(_cut(body))

    if len(messages) == 1:
        assert _read(pieces, text=text) == messages[0]
    else:
        with pytest.raises(Failure, match="METHOD_NOT_IMPLEMENTED"):
            _read(pieces, text=text)


@given(st.data(), st.binary(max_size=200), st.booleans())
def test_nothing_but_a_failure_comes_of_any_bytes(
    data: st.DataObject, body: bytes, text: bool
) -> None:
    with contextlib.suppress(Failure):
        _read(data.draw(_cut(body)), text=text)


@given(st.data(), st.text("AQ=+-\n", max_size=24))
def test_text_has_the_same_outcome_in_any_pieces(data: st.DataObject, text: str) -> None:
    body = text.encode()

    def outcome(pieces: list[bytes]) -> object:
        try:
            return _read(pieces, text=True)
        except Failure as failure:
            return failure.reason

    assert outcome(data.draw(_cut(body))) == outcome([body])


def test_the_first_mistake_is_named_before_malformed_base64() -> None:
    too_large, no_base64 = b"AAQ=AAAA", b"===="

    for pieces in ([too_large, no_base64], [too_large + no_base64]):
        with pytest.raises(Failure) as refused:
            _read(pieces, text=True)
        assert refused.value.reason == "MESSAGE_TOO_LARGE"


_TEXTS = (
    *(b"AAAAAAA", b"AAAAAAA*", b"AAAAAAA=A", b"AAAAAA==AAA", b"AAAA====", b"AAAA==AA", b"===="),
    *(b"AAAA\nAAA", b"-_-_"),
)
_FLAGS = (2, 3, 0x40, 0x80, 0x81, 0xFF)


@pytest.mark.parametrize(
    ("body", "text", "kind", "reason"),
    [
        *(
            (body, False, Kind.INVALID_ARGUMENT, "MALFORMED_MESSAGE")
            for body in (b"\0", frame(b"abc")[:4], frame(b"abc")[:-1], frame(b"") + b"\0")
        ),
        *((body, True, Kind.INVALID_ARGUMENT, "MALFORMED_MESSAGE") for body in _TEXTS),
        *(
            (frame(b"abc", flags=flags), False, Kind.INVALID_ARGUMENT, "MALFORMED_MESSAGE")
            for flags in _FLAGS
        ),
        (frame(b"abc", flags=1), False, Kind.INTERNAL, "UNANNOUNCED_COMPRESSION"),
        # By its head alone.
        (
            *(frame(bytes(MAX_MESSAGE_BYTES + 1))[:5], False),
            *(Kind.RESOURCE_EXHAUSTED, "MESSAGE_TOO_LARGE"),
        ),
    ],
)
def test_other_bytes_are_refused(body: bytes, text: bool, kind: Kind, reason: str) -> None:
    with pytest.raises(Failure) as refused:
        _read([body], text=text)
    assert (refused.value.kind, refused.value.reason) == (kind, reason)


def test_a_message_of_the_largest_size_is_read() -> None:
    message = bytes(MAX_MESSAGE_BYTES)

    assert _read([frame(message)], text=False) == message


def test_the_frames_of_an_answer_are_as_the_protocol_says() -> None:
    assert frames.message(b"abc") == b"\x00\x00\x00\x00\x03abc"
    assert frames.trailers([(b"grpc-status", b"0"), (b"x", b"y z")]) == (
        b"\x80\x00\x00\x00\x18grpc-status: 0\r\nx: y z\r\n"
    )
