"""An owner of an organization names the objects of another one: all methods, each identifier.

A valid request whose identifiers are foreign must be answered as if the objects did not exist, also
with the headers of preconditions, and must change nothing.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from uuid import uuid4

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from keystead.options.v1 import options_pb2
from keystead.user.v1 import user_service_pb2 as user_pb
from server.rpc.preconditions.changes import IDEMPOTENCY_KEY, IF_MATCH, VALIDATE_ONLY
from server.wiring.services import OBJECTS
from tests.hostile.target import Target, Victim
from tests.support import given
from tests.support.given import Client, Refusal
from tests.support.openapi.headers import headers_of

_SCOPES = {options_pb2.SCOPE_SELECTED_ORGANIZATION, options_pb2.SCOPE_USER}
_METHODS = [
    method
    for method in given.METHODS
    if method.GetOptions().Extensions[options_pb2.access].scope in _SCOPES
]
# The identifiers of other systems: of this server at a provider, and of a user.
_OF_OTHERS = {"client_id", "external_id"}
# An ETag that no object has would tell that there is one.
_HEADERS = [("", ""), (IF_MATCH, "*"), (IF_MATCH, '"1"'), (VALIDATE_ONLY, "true")]


@dataclass(frozen=True)
class House:
    """An organization: its owner, and its objects."""

    owner: Client
    objects: Victim


@dataclass(frozen=True)
class Case:
    """A request with foreign identifiers, and the same one with identifiers of nothing."""

    fields: tuple[str, ...]
    foreign: Message
    unknown: Message


async def _house(target: Target) -> House:
    owner = await given.user(target.admin, roles=[user_pb.ROLE_ORG_OWNER])
    return House(owner, await target.victim(owner))


@pytest.fixture(scope="module")
async def own(target: Target) -> House:
    return await _house(target)


@pytest.fixture(scope="module")
async def foreign(target: Target) -> House:
    return await _house(target)


def _identifiers(message: Message) -> Iterator[tuple[Message, str]]:
    """The fields that name objects, with the messages that have them."""
    for field in message.DESCRIPTOR.fields:
        if field.name.endswith("_id") and field.name not in _OF_OTHERS:
            yield message, field.name
        elif field.message_type and not field.is_repeated and message.HasField(field.name):
            yield from _identifiers(getattr(message, field.name))


def _cases(method: MethodDescriptor, own: House, foreign: House) -> Iterator[Case]:
    """Each identifier alone is foreign, the others are of the own organization; then all are."""
    names = foreign.objects.names(method.name)
    fields = tuple(
        name
        for _, name in _identifiers(own.objects.right_request(method))
        if name in names and name not in method.output_type.fields_by_name  # else it is assigned
    )
    for chosen in {*((name,) for name in fields), fields} - {()}:
        requests = []
        for named in (names, {name: str(uuid4()) for name in chosen}):
            request = own.objects.right_request(method)
            for message, name in _identifiers(request):
                if name in chosen:
                    setattr(message, name, named[name])
            requests.append(request)
        yield Case(chosen, *requests)


async def _answer(
    caller: Client, method: MethodDescriptor, request: Message, **headers: str
) -> Refusal | str:
    """The refusal or answer, with the names of the identifiers in place of their values."""
    try:
        answer = str(await caller.invoke(method, request, **headers))
    except grpc.aio.AioRpcError as error:
        refused = replace(given.read_refusal(error), request_id="")
        kind, name = refused.resource or ("", "")
        return replace(refused, resource=(kind, _without(request, name)))
    return _without(request, answer)


def _without(request: Message, text: str) -> str:
    for message, name in _identifiers(request):
        if value := getattr(message, name):
            text = text.replace(value, name)
    return text


@pytest.mark.parametrize(("header", "value"), [*_HEADERS, (IDEMPOTENCY_KEY, "")])
async def test_a_foreign_object_is_as_one_that_does_not_exist(
    own: House, foreign: House, header: str, value: str
) -> None:
    wrong: list[object] = []
    tried = 0
    for method in _METHODS:
        if header and header not in headers_of(method, OBJECTS):
            continue
        for case in _cases(method, own, foreign):
            headers = {header.replace("-", "_"): value or uuid4().hex} if header else {}
            answers = [
                await _answer(own.owner, method, request, **headers)
                for request in (case.foreign, case.unknown)
            ]
            is_read = not headers_of(method, OBJECTS)
            is_refused = isinstance(answers[0], Refusal)
            if answers[0] != answers[1] or not (is_read or is_refused):
                wrong.append((method.name, case.fields, answers))
            tried += 1

    assert not wrong
    assert tried > 40


def _lists(method: MethodDescriptor, own: House, identifiers: Collection[str]) -> Iterator[Message]:
    """The example with its filters, and lists of all objects, by each state, kind and query."""
    yield own.objects.right_request(method)
    yield GetMessageClass(method.input_type)()
    for field in method.input_type.fields:
        values: Collection[object] = identifiers if field.name == "query" else ()
        if field.enum_type:
            values = [each.number for each in field.enum_type.values]
        for value in values:
            request = GetMessageClass(method.input_type)()
            setattr(request, field.name, value)
            yield request


async def test_no_list_has_a_foreign_object(own: House, foreign: House) -> None:
    lists = [each for each in _METHODS if each.name.startswith(("List", "Watch"))]
    names = foreign.objects.names("")
    identifiers = {value for name, value in names.items() if name.endswith("_id")}

    found = [
        (method.name, each)
        for method in lists
        for request in _lists(method, own, identifiers)
        for answer in [str(await _answer(own.owner, method, request))]
        for each in identifiers
        if each in answer
    ]

    assert len(lists) > 10
    assert not found


async def test_no_method_with_an_identifier_is_left_out(own: House, foreign: House) -> None:
    """A new kind of object needs a name in `Target.victim`."""
    left_out = {
        (method.name, name)
        for method in _METHODS
        for message, name in _identifiers(own.objects.right_request(method))
        if getattr(message, name) and name not in foreign.objects.names(method.name)
    }

    assert left_out == set()


async def test_nothing_of_the_other_organization_has_changed(
    target: Target, own: House, foreign: House
) -> None:
    async with given.sql(target.instance.dsn) as rows:
        written = await rows.fetchval(
            "select count(*) from events where creator = $1 and owner <> (select owner from users"
            " where id = $1)",
            own.owner.user_id,
        )
        state = await rows.fetchval(
            "select state from push_deliveries where delivery_id = $1",
            foreign.objects.names("")["delivery_id"],
        )

    assert (written, state) == (0, "failed")
