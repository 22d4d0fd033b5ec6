"""The frames of requests: in pieces of any size, and malformed in any way."""

import base64
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.grpcweb import frames
from bridge.grpcweb.frames import Deframer
from server.rpc.requests import MAX_MESSAGE_BYTES
from server.values.errors import Failure, Kind
from tests.support.grpcweb_client import frame

_MESSAGES = st.lists(st.binary(max_size=40), max_size=5)


@st.composite
def _cut(draw: st.DrawFn, body: bytes) -> list[bytes]:
    """A body in pieces, some of them empty."""
    cuts = sorted(draw(st.lists(st.integers(0, len(body)), max_size=12)))
    return [body[start:end] for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True)]


def _read(pieces: list[bytes], *, text: bool) -> list[bytes]:
    deframer = Deframer(MAX_MESSAGE_BYTES, text=text)
    messages = [message for piece in pieces for message in deframer.feed(piece)]
    deframer.close()
    return messages


def _refused(body: bytes, *, text: bool = False) -> Failure:
    with pytest.raises(Failure) as raised:
        _read([body], text=text)
    return raised.value


@given(st.data(), _MESSAGES)
def test_messages_are_the_same_in_whatever_pieces_they_come(
    data: st.DataObject, messages: list[bytes]
) -> None:
    body = b"".join(map(frame, messages))

    assert _read(data.draw(_cut(body)), text=False) == messages


@given(st.data(), _MESSAGES)
def test_so_they_are_as_text_with_padding_wherever_it_was_flushed(
    data: st.DataObject, messages: list[bytes]
) -> None:
    flushed = data.draw(_cut(b"".join(map(frame, messages))))
    body = b"".join(map(base64.b64encode, flushed))

    assert _read(data.draw(_cut(body)), text=True) == messages


@given(st.data(), st.binary(max_size=200), st.booleans())
def test_nothing_but_a_failure_comes_of_any_bytes(
    data: st.DataObject, body: bytes, text: bool
) -> None:
    with contextlib.suppress(Failure):
        _read(data.draw(_cut(body)), text=text)


@given(st.data(), st.text("AQ=+-\n", max_size=24))
def test_text_is_judged_alike_in_whatever_pieces_it_comes(data: st.DataObject, text: str) -> None:
    body = text.encode()

    def outcome(pieces: list[bytes]) -> object:
        try:
            return _read(pieces, text=True)
        except Failure as failure:
            return failure.reason

    assert outcome(data.draw(_cut(body))) == outcome([body])


def test_what_is_wrong_first_is_told_also_if_what_follows_is_no_base64() -> None:
    too_large, no_base64 = b"AAQ=AAAA", b"===="

    for pieces in ([too_large, no_base64], [too_large + no_base64]):
        with pytest.raises(Failure) as refused:
            _read(pieces, text=True)
        assert refused.value.reason == "MESSAGE_TOO_LARGE"


def test_an_empty_frame_is_an_empty_message() -> None:
    assert _read([frame(b"")], text=False) == [b""]


def test_an_empty_body_has_no_message() -> None:
    assert _read([b""], text=False) == []


@pytest.mark.parametrize("body", [b"\0", frame(b"abc")[:4], frame(b"abc")[:-1], frame(b"") + b"\0"])
def test_a_frame_that_is_cut_is_malformed(body: bytes) -> None:
    assert _refused(body).reason == "MALFORMED_MESSAGE"


@pytest.mark.parametrize(
    "body",
    [
        b"AAAAAAA",
        b"AAAAAAA*",
        b"AAAAAAA=A",
        b"AAAAAA==AAA",
        b"AAAA====",
        b"AAAA==AA",
        b"====",
        b"AAAA\nAAA",
        b"-_-_",
    ],
)
def test_text_that_is_not_base64_is_malformed(body: bytes) -> None:
    assert _refused(body, text=True).reason == "MALFORMED_MESSAGE"


def test_a_compressed_message_that_no_header_announces_is_internal() -> None:
    refused = _refused(frame(b"abc", flags=1))

    assert (refused.kind, refused.reason) == (Kind.INTERNAL, "UNANNOUNCED_COMPRESSION")
    assert "compressed" in refused.message.lower()


@pytest.mark.parametrize("flags", [2, 3, 0x40, 0x80, 0x81, 0xFF])
def test_other_flags_are_malformed(flags: int) -> None:
    refused = _refused(frame(b"abc", flags=flags))

    assert (refused.kind, refused.reason) == (Kind.INVALID_ARGUMENT, "MALFORMED_MESSAGE")


def test_a_message_of_the_largest_size_is_read() -> None:
    message = bytes(MAX_MESSAGE_BYTES)

    assert _read([frame(message)], text=False) == [message]


def test_a_larger_one_is_refused_by_its_head_alone() -> None:
    refused = _refused(frame(bytes(MAX_MESSAGE_BYTES + 1))[:5])

    assert (refused.kind, refused.reason) == (Kind.RESOURCE_EXHAUSTED, "MESSAGE_TOO_LARGE")


def test_the_frames_of_an_answer_are_as_the_protocol_says() -> None:
    assert frames.message(b"abc") == b"\x00\x00\x00\x00\x03abc"
    assert frames.trailers([(b"grpc-status", b"0"), (b"x", b"y z")]) == (
        b"\x80\x00\x00\x00\x18grpc-status: 0\r\nx: y z\r\n"
    )
