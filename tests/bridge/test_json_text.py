"""JSON texts: accepted, refused and written ones."""

import json
from typing import Any

import pytest
from google.protobuf import struct_pb2
from google.rpc import error_details_pb2

from bridge.json import codec
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from server.values.errors import Failure


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"", "Expecting value (line 1, column 1)"),
        (b"{", "double quotes (line 1, column 2)"),
        (b'{"a":1,}', "(line 1, column 8)"),
        (b"{'a':1}", "(line 1, column 2)"),
        (b'{"a":1} {}', "Extra data (line 1, column 9)"),
        (b'{"a":\n01}', "(line 2, column 2)"),
        (b'{"a":+1}', "(line 1, column 6)"),
        (b'{"a":.5}', "(line 1, column 6)"),
        (b'{"a":"\x01"}', "Invalid control character"),
        (b'{"a":"\\x"}', "escape"),
        (b'{"a":NaN}', "NaN is not a JSON value"),
        (b'{"a":-Infinity}', "-Infinity is not a JSON value"),
        (b'\xef\xbb\xbf{"a":1}', "Expecting value (line 1, column 1)"),
        (b'{"a":"\xff"}', "Byte 6 is not UTF-8"),
        (b'{"a":"\xed\xa0\x80"}', "Byte 6 is not UTF-8"),
        ('{"a":1}'.encode("utf-16"), "is not UTF-8"),
        (b'{"a":"\\ud800"}', "one half of a surrogate pair"),
        (b'{"a":["\\uDC00 "]}', "one half of a surrogate pair"),
        (b'{"\\ud800":1}', "one half of a surrogate pair"),
        (b'{"a":' + b"9" * 5000 + b"}", "too many digits"),
        (b'{"a":' + b"[" * 10_000 + b"]" * 10_000 + b"}", "nested too deeply"),
        (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, "nested too deeply"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_is_no_json_is_refused_with_its_mistake(text: bytes, problem: str) -> None:
    with pytest.raises(Failure) as failure:
        codec.loads(text)

    assert failure.value.reason == "MALFORMED_JSON"
    assert problem in failure.value.message
    assert len(failure.value.message) < 200


@pytest.mark.parametrize("form", ['{"a":[%s]}', '{"a":{"b":[[%s]]}}', "[{},%s]"])
def test_so_is_what_would_take_long_to_read(form: str) -> None:
    fits, too_much = ((form % ",".join(["1"] * count)).encode() for count in (19_000, 20_001))

    assert codec.loads(fits)
    with pytest.raises(Failure, match="MALFORMED_JSON") as failure:
        codec.loads(too_much)
    assert "It has more than 20000 values." in failure.value.message


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b' {"a" : [1, 2.5, true, null, "x"]}\r\n', {"a": [1, 2.5, True, None, "x"]}),
        (b'"\\ud83d\\ude00 \\u00e9"', "😀 é"),
        ('"é😀"'.encode(), "é😀"),
        (b"1E400", float("inf")),
        (b"[]", []),
    ],
)
def test_what_is_json_is_read(text: bytes, value: Any) -> None:
    assert codec.loads(text) == value


def test_members_that_are_given_twice_are_remembered_wherever_they_are() -> None:
    value = codec.loads(b'{"a":[{"b":1,"b":1,"c":1,"c":1,"d":1}]}')

    assert not isinstance(value, codec.RepeatedMembers)
    assert isinstance(value["a"][0], codec.RepeatedMembers)
    assert value["a"][0].repeated == ["b", "c"]


def test_a_message_is_written_with_the_names_of_json_and_every_field() -> None:
    message = error_details_pb2.RequestInfo(request_id="é")

    assert codec.of_message(message) == '{"requestId":"é","servingData":""}\n'.encode()


def test_an_enum_value_without_a_name_is_written_as_its_number() -> None:
    text = codec.of_message(idp_pb.IDP(styling_type=9))  # type: ignore[arg-type]

    assert json.loads(text)["stylingType"] == 9


def test_whole_numbers_are_written_as_such() -> None:
    struct = struct_pb2.Struct()
    struct.update({"a": [300000, -7, 2.5, 0, 2**53 - 1, 1e300, True, {"b": 1}]})

    assert codec.of_message(struct) == (
        b'{"a":[300000,-7,2.5,0,9007199254740991,1e+300,true,{"b":1}]}\n'
    )
