"""Sends every route of `/openapi.json` malformed JSON and requests that do not fit its schema.

No answer is a fault of the server, and `/openapi.json` describes every answer.
"""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.hostile.messages import share
from tests.hostile.target import Json, Operation, Target
from tests.hostile.test_every_method import CALLERS
from tests.passkey.attacks import mutated
from tests.support.given import Client
from tests.support.json_client import read_refusal

_PARTS = 3  # the time limit is that of a test
_STRANGE: tuple[Any, ...] = (
    *(None, True, -1, 0, 0.5, 1e308, 2**31, 2**63, 2**64, 10**400, float("nan"), float("-inf")),
    *([], {}, [[]], {"": ""}, [None], {"@type": "type.googleapis.com/google.protobuf.Any"}),
    *("", "\0", "\ud800", "\udc00\ud800", "\u202e", "💥" * 300, "1e999", "NaN", "-1"),
    "x" * 100_000,
    *("0001-01-01T00:00:00Z", "9999-12-31T23:59:60Z", "10000-01-01T00:00:00Z", "-1s", "a,b,*"),
)
# Whole bodies: not JSON, or too large.
_BODIES = (
    *(b"", b" ", b"null", b"[]", b'""', b"0", b"NaN", b"{", b"{}{}", b"{,}", b'{"a":1,}', b"'{}'"),
    *(b"\xef\xbb\xbf{}", "{}".encode("utf-16"), b"\xff\xfe", b'{"\xc3\x28":1}'),
    b'{"a":"\xed\xa0\x80"}',
    *(b"[" * 100_000, b'{"a":' * 100_000, b'{"a":[' * 10_000 + b"]}" * 10_000),
    *(b"9" * 10_000, b'{"a":1e' + b"9" * 5000 + b"}", b'{"a":1,"a":1}', b'{"a":"' + b"x" * 2**20),
    *(b'{"' + b"k" * 2**20 + b'":1}', b"[" + b"1," * 500_000 + b"1]", b"// no\n{}", b"{}\0"),
)
_PATHS = ("%00", "%ff", "%ED%A0%80", "..", "%2e%2e", "a%2Fb", "%F0%9F%92%A5", "x" * 201, ":", "%")
_QUERIES = (
    *("=", "&&", "a", "a=1&a=2", "%00=%00", "%ff=1", "pageSize=-1", "pageSize=1e9", "pageSize=NaN"),
    *("pageSize=" + "9" * 5000, "pageSize=1&pageSize=2", "pageToken=%00", "pageToken=%F0%9F%92%A5"),
    *("pageToken=" + "A" * 4000, "page_size=1", "$alt=proto", "x[y]=1", "x.y.z=1"),
    "&".join("abc" * 500),
)


def _bodies(example: Json, dice: Random) -> Iterator[bytes]:
    """Bodies that are not JSON, and the example with a wrong value at every place."""
    yield from _BODIES
    right = json.dumps(example).encode()
    for _ in range(16):
        yield mutated(right, dice)
    for end in sorted({len(right) * n // 8 for n in range(8)}):
        yield right[:end]
    yield _text({**example, "noSuchField": 1})
    for changed in _with_strange_values(example):
        yield _text(changed)


def _text(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=True).encode()


def _with_strange_values(example: Json) -> Iterator[Json]:
    for name, value in example.items():
        for strange in _STRANGE:
            yield {**example, name: strange}
        if isinstance(value, dict):
            for changed in _with_strange_values(value):
                yield {**example, name: changed}


async def _attack(
    target: Target, caller: Client, operation: Operation, path: str, body: bytes | None = None
) -> None:
    # Only the client ends a stream.
    headers = {"content-type": "application/json", "grpc-timeout": "10S"}
    if operation.streams:
        headers["grpc-timeout"] = "100m"
    if caller.token:
        headers["authorization"] = f"Bearer {caller.token}"
    answer = await target.http.request(
        operation.verb, "/", content=body, headers=headers, extensions={"target": path.encode()}
    )
    assert not target.misfit(operation, answer), (operation.name, path, body, answer.text)
    if not answer.is_success:
        refused = read_refusal(answer)
        assert refused.status < 500 or refused.status == 501, (operation.name, path, body, refused)


@pytest.mark.parametrize("part", range(_PARTS))
async def test_no_request_is_answered_as_a_fault_of_the_server(target: Target, part: int) -> None:
    await target.errors()
    for turn, operation in list(enumerate(target.operations))[part::_PARTS]:
        victim = await target.victim_of(operation.name)
        path = victim.path(operation)
        body = None if operation.body is None else _text(operation.body["example"])
        for segment in share(_PATHS, turn, 5):
            strange = "/".join(
                segment if part.startswith("{") else part for part in operation.path.split("/")
            )
            await _attack(target, target.admin, operation, strange, body)
        for query in share(_QUERIES, turn, 5):
            await _attack(target, target.admin, operation, f"{path}?{query}", body)
        if operation.body:
            dice = Random(operation.name)  # noqa: S311 -- the same bytes in every run
            bodies = list(_bodies(operation.body["example"], dice))
            for who, every in (("an outsider", 32), ("a user", 32), ("the administrator", 12)):
                for body in share(bodies, turn, every):
                    await _attack(target, CALLERS[who](victim), operation, path, body)
    assert not await target.errors()
