"""Whatever is sent to whatever method, gRPC, grpc-web and JSON have one answer to it.

Requests are right but for what is drawn. Nothing changes: the stranger may nothing, and what the
administrator would change is not there or spoiled.
"""

import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from keystead.options.v1 import options_pb2
from tests.bridge.callers import METHODS, Callers
from tests.conftest import MakeInstance
from tests.support.transports import InexpressibleError

_NOT_THERE = ["<unknown>", "nope", "a/b", "..", "é ", "\0", "x" * 201]
_THERE = {
    "user_id": ["<user>", "<owner>", "<full>", "<enrolled>"],
    "passkey_id": ["<ceremony>", "<owner's ceremony>"],
    "token_id": ["<token>"],
    "idp_id": ["<idp>", "<away idp>"],
    "org_id": ["<home>", "<away>"],
}
# What says which object a method is about, the nearest first.
_TARGETS = ("idp", "user", "idp_id", "passkey_id", "token_id", "user_id")
# Those that are messages say it by this field.
_ID_OF = {"idp": "idp_id", "user": "user_id"}
# With a control character in it, nothing is created.
_SPOILED = {
    "AddIDP": "name",
    "CreateUser": "user_name",
    "CreateOrganization": "name",
    "UpdateSMTPConfig": "sender_name",
    "UpdateSMTPConfigPassword": "password",
    "TestSMTPConfig": "receiver_address",
}
# Who has as many as allowed gets no more.
_FULL = {"CreateToken": ["<full>"], "RegisterPasskey": ["<full>", "<enrolled>"]}

_CHARACTERS = st.characters(codec="utf-8")
_TEXTS = (
    st.text(_CHARACTERS, max_size=12)
    | st.builds(lambda one, times: one * times, _CHARACTERS, st.integers(199, 201))
    | st.sampled_from(["h:25", "[::1]:25", "a@b.co", "%2F%00", "a&b=c#d?e", "true", "1", "null"])
)
_NUMBERS = st.floats() | st.integers(-(2**60), 2**60).map(float)
_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | _NUMBERS | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=8,
)
_WELL_KNOWN: Mapping[str, st.SearchStrategy[Any]] = {
    "google.protobuf.Struct": st.dictionaries(_TEXTS, _JSON, max_size=4),
    "google.protobuf.Timestamp": st.fixed_dictionaries(
        {
            "seconds": st.integers(-62135596801, 253402300800),
            "nanos": st.sampled_from([0, 1, 1_000, 999_999_999]),
        }
    ),
    "google.protobuf.FieldMask": st.fixed_dictionaries(
        {
            "paths": st.lists(
                st.sampled_from(["name", "styling_type", "*", "idp_id", "no_such", "Name", "a,b"]),
                max_size=4,
            )
        }
    ),
}
_SCALARS: Mapping[int, st.SearchStrategy[Any]] = {
    FieldDescriptor.TYPE_STRING: _TEXTS,
    FieldDescriptor.TYPE_BOOL: st.booleans(),
    FieldDescriptor.TYPE_INT32: st.integers(-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_UINT64: st.integers(0, 2**64 - 1),
    FieldDescriptor.TYPE_ENUM: st.integers(-1, 4) | st.sampled_from([-(2**31), 2**31 - 1]),
}
_HEADERS = st.lists(
    st.tuples(
        st.just("x-service-orgid"), st.sampled_from(["<home>", "<away>", "<unknown>", "nope", ""])
    ),
    max_size=2,
)
_SETTINGS = settings(derandomize=True, database=None, deadline=None, max_examples=12)


def _values(field: FieldDescriptor, ids: Mapping[str, list[str]]) -> st.SearchStrategy[Any]:
    return st.lists(_items(field, ids), max_size=3) if field.is_repeated else _items(field, ids)


def _items(field: FieldDescriptor, ids: Mapping[str, list[str]]) -> st.SearchStrategy[Any]:
    if field.name in ids:
        return st.sampled_from(ids[field.name])
    message = field.message_type
    if message is None:
        return _SCALARS[field.type]
    if message.full_name in _WELL_KNOWN:
        return _WELL_KNOWN[message.full_name]
    return _fields(message, ids)


def _fields(message: Descriptor, ids: Mapping[str, list[str]]) -> st.SearchStrategy[dict[str, Any]]:
    """Any of the fields of a message, with any values; identifiers are some of `ids`."""
    return st.fixed_dictionaries(
        {}, optional={field.name: _values(field, ids) for field in message.fields}
    )


def _target(request: Descriptor) -> str:
    """The field that says which object is meant, if there is one."""
    there = {
        name
        for name, field in request.fields_by_name.items()
        if name not in _ID_OF or field.message_type  # the `user` of an SMTP server is a text
    }
    return next((name for name in _TARGETS if name in there), "")


# Every start of a sign-in has another challenge.
_COMPARED = METHODS.keys() - {"StartPasskeySignIn"}


def _changes(method: MethodDescriptor) -> bool:
    permission: str = method.GetOptions().Extensions[options_pb2.access].permission
    return permission.endswith(".write") or method.name == "CreateToken"


@pytest.fixture(scope="module")
async def callers(make_instance: MakeInstance) -> AsyncIterator[Callers]:
    async with Callers.on(make_instance) as callers:
        yield callers


@pytest.mark.parametrize("method", sorted(_COMPARED))
@_SETTINGS
@for_all(data=st.data())
async def test_a_stranger_is_answered_alike(
    callers: Callers, method: str, data: st.DataObject
) -> None:
    ids = {name: _NOT_THERE + there for name, there in _THERE.items()}
    fields = data.draw(_fields(METHODS[method].input_type, ids))
    headers = data.draw(_HEADERS)

    with contextlib.suppress(InexpressibleError):
        answer = await callers.one_answer(method, fields, by="stranger", headers=headers)

        assert answer.code is not grpc.StatusCode.OK or method == "GetCurrentUser"


@pytest.mark.parametrize("method", sorted(_COMPARED - {"RemoveSMTPConfig"}))
@_SETTINGS
@for_all(data=st.data())
async def test_an_administrator_is_answered_alike(
    callers: Callers, method: str, data: st.DataObject
) -> None:
    descriptor = METHODS[method]
    changes = _changes(descriptor)
    ids = {name: _NOT_THERE + there for name, there in _THERE.items()}
    target = _target(descriptor.input_type)
    if changes and target:
        ids[_ID_OF.get(target, target)] = _NOT_THERE + _FULL.get(method, [])
    fields = data.draw(_fields(descriptor.input_type, ids))
    if changes and target and target not in fields:
        fields[target] = {_ID_OF[target]: "nope"} if target in _ID_OF else "nope"
    if method in _SPOILED:
        fields[_SPOILED[method]] = f"{fields.get(_SPOILED[method], '')}\n"
    headers = data.draw(_HEADERS)

    with contextlib.suppress(InexpressibleError):
        answer = await callers.one_answer(method, fields, headers=headers)

        assert not (changes and answer.code is grpc.StatusCode.OK), "something was changed"
