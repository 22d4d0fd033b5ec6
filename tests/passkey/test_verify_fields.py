"""VerifyPasskeyRegistration: the limits of its fields, at both edges."""

import json
from typing import Any

import grpc
import pytest
from google.protobuf import struct_pb2

from server.rpc.requests import MAX_MESSAGE_BYTES
from tests.passkey.ceremonies import Begun, passkeys
from tests.support import given

SMALLEST, LARGEST = 55, 1_048_576
NOT_JSON = "must be a JSON object of at most 1000 values, its numbers finite"
# The depth of objects that protobuf reads: each has three messages, and protobuf reads 100.
DEEPEST = 33


def _padded(credential: dict[str, Any], size: int, character: str) -> dict[str, Any]:
    """The credential with a further member, so that its compact JSON has `size` characters."""
    padded = credential | {"padding": ""}
    used = len(json.dumps(padded, ensure_ascii=False, separators=(",", ":")))
    return padded | {"padding": character * (size - used)}


# One, two and three bytes in UTF-8; one and two units in UTF-16.
_CHARACTERS = pytest.mark.parametrize("character", ["x", "é", "€", "😀"])


@_CHARACTERS
async def test_the_largest_credential_is_accepted_and_one_character_more_is_refused(
    character: str, begun: Begun
) -> None:
    larger = _padded(begun.credential(), LARGEST + 1, character)

    _assert_size_is_refused(await given.refusal(begun.verify(larger)), LARGEST + 1)
    await begun.verify(_padded(begun.credential(), LARGEST, character))


@_CHARACTERS
async def test_the_smallest_credential_is_read_and_one_character_less_is_refused(
    character: str, begun: Begun
) -> None:
    smallest = await given.refusal(begun.verify(_padded({}, SMALLEST, character)))
    smaller = await given.refusal(begun.verify(_padded({}, SMALLEST - 1, character)))

    assert smallest.reason == "CREDENTIAL_MALFORMED"
    assert smallest.metadata == {"path": "id"}
    _assert_size_is_refused(smaller, SMALLEST - 1)


@pytest.mark.parametrize("empty", [None, struct_pb2.Struct()], ids=["absent", "empty"])
async def test_a_request_without_a_credential_is_refused(
    empty: struct_pb2.Struct | None, begun: Begun
) -> None:
    refused = await given.refusal(begun.verify(public_key_credential=empty))

    _assert_size_is_refused(refused, len("{}"))


async def test_more_than_a_message_may_have_is_refused(begun: Begun) -> None:
    refused = await given.refusal(begun.verify({"padding": "x" * MAX_MESSAGE_BYTES}))

    assert refused.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refused.reason == "MESSAGE_TOO_LARGE"


# Numbers in the notation of ECMAScript, which browsers and ProtoJSON send: -7 and not -7.0.
NUMBERS = "[-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,0,0,1.5,-0.1,5e-324,1e+21]"


async def test_numbers_count_as_browsers_write_them_in_the_largest_credential(begun: Begun) -> None:
    larger = _with_numbers(begun.credential(), LARGEST + 1)

    _assert_size_is_refused(await given.refusal(begun.verify(larger)), LARGEST + 1)
    await begun.verify(_with_numbers(begun.credential(), LARGEST))


async def test_numbers_count_as_browsers_write_them_in_the_smallest_credential(
    begun: Begun,
) -> None:
    compact = '{"n":[-7,-7,-7,-7,-7],"padding":"%s"}'
    shortest = json.loads(compact % ("x" * (SMALLEST - len(compact % ""))))

    assert await given.outcome(begun.verify(shortest)) == "CREDENTIAL_MALFORMED"

    shorter = shortest | {"padding": shortest["padding"][1:]}
    _assert_size_is_refused(await given.refusal(begun.verify(shorter)), SMALLEST - 1)


def _with_numbers(credential: dict[str, Any], size: int) -> dict[str, Any]:
    used = len(json.dumps(credential, separators=(",", ":")))
    used += len(',"numbers":,"padding":""') + len(NUMBERS)
    return credential | {"numbers": json.loads(NUMBERS), "padding": "x" * (size - used)}


def _assert_size_is_refused(refused: given.Refusal, size: int) -> None:
    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.reason == "INVALID_FIELDS"
    assert refused.violations == {
        "publicKeyCredential": f"must have 55 to 1048576 characters as JSON; it has {size}"
    }


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("depth", [0, 3])
async def test_a_number_that_is_not_finite_is_refused(
    number: float, depth: int, begun: Begun
) -> None:
    value: Any = number
    for _ in range(depth):
        value = [{"deeper": value}]

    refused = await given.refusal(begun.verify(begun.credential() | {"number": value}))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations == {
        "publicKeyCredential": NOT_JSON,
    }
    await begun.verify()


async def test_more_values_than_any_credential_has_are_refused(begun: Begun) -> None:
    refused = await given.refusal(begun.verify(begun.credential() | {"many": [None] * 1_000}))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations == {"publicKeyCredential": NOT_JSON}


async def test_a_value_without_a_kind_counts_as_null(begun: Begun) -> None:
    credential = given.struct(begun.credential())
    credential.fields["authenticatorAttachment"].CopyFrom(struct_pb2.Value())

    await begun.verify(public_key_credential=credential)

    assert [p.authenticator_attachment for p in await passkeys(begun.caller)] == [""]


async def test_numbers_of_any_size_are_no_obstacle(begun: Begun) -> None:
    await begun.verify(begun.credential() | {"numbers": [1e308, -5e-324, 0.1, -0.0, 2.0**63]})


async def test_a_credential_as_deep_as_protobuf_reads_is_accepted(begun: Begun) -> None:
    await _verify_nested(begun, DEEPEST)


@pytest.mark.parametrize("depth", [DEEPEST + 1, 50, 10_000])
async def test_a_deeper_credential_is_refused(depth: int, begun: Begun) -> None:
    refused = await given.refusal(_verify_nested(begun, depth))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.reason == "MALFORMED_MESSAGE"


async def _verify_nested(begun: Begun, depth: int) -> None:
    # protobuf in the client refuses to write these bytes.
    nested = _field(1, _field(1, b"x") + _field(2, b"\x08\x00"))  # an object: {"x": null}
    for _ in range(depth - 1):
        nested = _field(1, _field(1, b"x") + _field(2, _field(5, nested)))
    # protobuf merges repeated fields
    await _verify_bytes(begun, begun.request().SerializeToString() + _field(3, nested))


async def _verify_bytes(begun: Begun, message: bytes) -> None:
    method: Any = begun.caller.channel.unary_unary(
        "/keystead.passkey.v1.PasskeyService/VerifyPasskeyRegistration"
    )
    await begun.caller.call(method, message)


def _field(number: int, value: bytes) -> bytes:
    """A length-delimited field of a protobuf message."""
    length, size = bytearray(), len(value)
    while size > 0x7F:
        length.append(size & 0x7F | 0x80)
        size >>= 7
    length.append(size)
    return bytes([number << 3 | 2]) + bytes(length) + value


@pytest.mark.parametrize("name", ["x", "é" * 200, "😀" * 200], ids=["1", "200", "200 emoji"])
async def test_a_name_within_the_limits_is_stored(name: str, begun: Begun) -> None:
    await begun.verify(passkey_name=name)

    assert [passkey.name for passkey in await passkeys(begun.caller)] == [name]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "must not be empty"),
        ("x" * 201, "must be at most 200 characters"),
        ("😀" * 201, "must be at most 200 characters"),
        ("Key\n", "must not contain control characters"),
        ("\0", "must not contain control characters"),
    ],
    ids=["empty", "201", "201 emoji", "newline", "NUL"],
)
async def test_a_name_outside_the_limits_is_refused(name: str, problem: str, begun: Begun) -> None:
    refused = await given.refusal(begun.verify(passkey_name=name))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations == {"passkeyName": problem}


async def test_all_invalid_fields_are_named_at_once(begun: Begun) -> None:
    refused = await given.refusal(begun.verify({}, passkey_id="", passkey_name=""))

    assert list(refused.violations) == ["passkeyId", "publicKeyCredential", "passkeyName"]


async def test_a_message_that_is_none_is_refused(begun: Begun) -> None:
    assert await given.outcome(_verify_bytes(begun, b"\xff")) == "MALFORMED_MESSAGE"
