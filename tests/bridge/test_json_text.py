"""JSON texts: accepted, refused and written ones."""

import json
from typing import Any

import pytest
from google.protobuf import struct_pb2
from google.rpc import error_details_pb2

from bridge.json import codec
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from server.values.errors import Failure

pytestmark = pytest.mark.python_differs("json reads deeper since 3.12, and words errors anew")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"", "EOF while parsing a value at line 1 column 0"),
        (b"{", "EOF while parsing an object at line 1 column 1"),
        (b'{"a":1,}', "Trailing comma at line 1 column 8"),
        (b'{"a":[1,]}', "Trailing comma at line 1 column 9"),
        (b"{'a':1}", "Key must be a string at line 1 column 2"),
        (b'{"a":1} {}', "Trailing characters at line 1 column 9"),
        (b'{"a":\n01}', "Invalid number at line 2 column 2"),
        (b'{"a":+1}', "Expected value at line 1 column 6"),
        (b'{"a":.5}', "Expected value at line 1 column 6"),
        (b'{"a":"\x01"}', "while parsing a string at line 1 column 7"),
        (b'{"a":"\\x"}', "Invalid escape at line 1 column 8"),
        (b'{"a":NaN}', "Expected value at line 1 column 6"),
        (b'{"a":-Infinity}', "Invalid number at line 1 column 7"),
        (b'\xef\xbb\xbf{"a":01}', "Invalid number at line 1 column 7"),
        (b'\xef\xbb\xbf\xef\xbb\xbf{"a":1}', "Expected value at line 1 column 1"),
        (b'{"a":"\xff"}', "Invalid unicode code point at line 1 column 7"),
        (b'{"a":"\xed\xa0\x80"}', "Invalid unicode code point at line 1 column 7"),
        ('{"a":1}'.encode("utf-16"), "Expected value at line 1 column 1"),
        (b'{"a":"\\ud800"}', "hex escape at line 1 column 13"),
        (b'{"a":["\\uDC00 "]}', "Lone leading surrogate in hex escape at line 1 column 13"),
        (b'{"\\ud800":1}', "hex escape at line 1 column 9"),
        (b'{"a":' + b"9" * 5000 + b"}", "Number out of range at line 1 column 4307"),
        (b'{"a":' + b"[" * 201 + b"]" * 201 + b"}", "Recursion limit exceeded"),
        (b'{"a":' * 202 + b"1" + b"}" * 202, "Recursion limit exceeded"),
        (b'{"a":{"b":' + b"[" * 10_000 + b"]" * 10_000 + b"}}", "Recursion limit exceeded"),
        (b'{"\\ud800":' + b"[" * 10_000 + b"]" * 10_000 + b"}", "hex escape at line 1 column 9"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_malformed_json_is_refused_with_its_mistake(text: bytes, problem: str) -> None:
    with pytest.raises(Failure) as failure:
        codec.loads(text, 20_000)

    assert failure.value.reason == "MALFORMED_JSON"
    assert problem in failure.value.message
    assert len(failure.value.message) < 200


@pytest.mark.parametrize(
    ("form", "most"), [('{"a":[%s]}', 98), ('{"a":{"b":[[%s]]}}', 96), ("[{},%s]", 97)]
)
def test_a_text_with_too_many_values_is_refused(form: str, most: int) -> None:
    fits, too_much = ((form % ",".join(["1"] * count)).encode() for count in (most, most + 1))

    assert codec.loads(fits, 99)
    with pytest.raises(Failure, match="MALFORMED_JSON") as failure:
        codec.loads(too_much, 99)
    assert "It has more than 99 values." in failure.value.message


@pytest.mark.parametrize("text", [",[{" * 200, '\\"' * 200, "\\\\,", "a\n,"])
def test_the_characters_of_a_string_are_one_value(text: str) -> None:
    value = {"name,[{": text, "another": [text, text]}

    assert codec.loads(json.dumps(value).encode(), 6) == value


@pytest.mark.parametrize("end", ["", "\\", '\\"', ","])
def test_a_string_without_an_end_takes_no_longer(end: str) -> None:
    text = b'{"a":[1,"' + b'\\"' * 1_000_000 + end.encode()

    with pytest.raises(Failure, match="MALFORMED_JSON"):
        codec.loads(text, 2)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b' {"a" : [1, 2.5, true, null, "x"]}\r\n', {"a": [1, 2.5, True, None, "x"]}),
        (b'"\\ud83d\\ude00 \\u00e9"', "😀 é"),
        ('"é😀"'.encode(), "é😀"),
        (b"1E400", float("inf")),
        (b"[]", []),
        (b"[" * 201 + b"]" * 201, json.loads("[" * 201 + "]" * 201)),
        # As Windows PowerShell 5 writes it (about_Character_Encoding): RFC 8259, section 8.1.
        (b'\xef\xbb\xbf{"a":1}', {"a": 1}),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_json_is_read(text: bytes, value: Any) -> None:
    assert codec.loads(text, 20_000) == value


def test_members_that_are_given_twice_are_remembered_wherever_they_are() -> None:
    value = codec.loads(b'{"a":[{"b":1,"b":1,"c":1,"c":1,"d":1}]}', 100)

    assert not isinstance(value, codec.RepeatedMembers)
    assert isinstance(value["a"][0], codec.RepeatedMembers)
    assert value["a"][0].repeated == ["b", "c"]


def test_a_message_is_written_with_the_names_of_json_and_every_field() -> None:
    message = error_details_pb2.RequestInfo(request_id="é")

    assert codec.of_message(message) == '{"requestId":"é","servingData":""}\n'.encode()


def test_an_enum_value_without_a_name_is_written_as_its_number() -> None:
    text = codec.of_message(idp_pb.IDP(styling_type=9))  # type: ignore[arg-type]

    assert json.loads(text)["stylingType"] == 9


def test_whole_numbers_are_written_without_a_fraction() -> None:
    struct = struct_pb2.Struct()
    struct.update({"a": [300000, -7, 2.5, 0, 2**53 - 1, 1e300, True, {"b": 1}]})

    assert codec.of_message(struct) == (
        b'{"a":[300000,-7,2.5,0,9007199254740991,1e+300,true,{"b":1}]}\n'
    )
