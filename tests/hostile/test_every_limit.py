"""Every limit in `/openapi.json`, at both edges, in characters as Unicode counts them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx2

from tests.hostile.target import Json, Operation, Target, Victim, snake_case
from tests.support.json_client import read_refusal

# One code point each; the second one has four bytes in UTF-8 and two units in UTF-16.
_CHARACTERS = ("x", "💥")
_NOT_FOUND = "not found"
# In requests of open methods, which are read up to this number of bytes.
_TOO_LARGE, _OPEN_BYTES = "too large", 16 * 1024
_WITHOUT_MAXIMUM = {
    # Compared with values that the server has made.
    *("code", "pageToken"),
    # In a credential, which has a maximum as a whole.
    *("id", "rawId", "clientDataJSON"),
    *("attestationObject", "authenticatorData", "signature"),
    # The contract has no maximum, except that of a message.
    *("user", "password"),
    # Names of fields, times, positions, and images with a maximum in bytes.
    *("updateMask", "expiresAt", "since", "until", "afterCursor"),
    *("logo", "picture"),
}
# The settings list the valid values, or the user has one.
_LISTED = {"audience", "redirectUri", "rpId", "workload.audience"}
# Another field is their maximum, too.
_BELOW_ANOTHER = {"refreshTokenIdleSeconds"}
# Other lists of texts have no numbers.
_OF_AN_ENUM = re.compile("[A-Z0-9]+(_[A-Z0-9]+)+")


@dataclass(frozen=True)
class Field:
    """A field of an operation's request: a path in the body, or a parameter."""

    operation: Operation
    path: Sequence[str]
    place: str
    schema: Json

    @property
    def name(self) -> str:
        """The field name in a violation."""
        return ".".join(self.path)

    @property
    def is_text(self) -> bool:
        """Whether it is a string, and not an object whose JSON has a maximum length."""
        return "string" in self.schema["type"]

    def takes(self, text: str) -> bool:
        """Whether a text satisfies the schema of the field, except for its format."""
        pattern = self.schema.get("pattern", "")
        is_free = "format" not in str(self.schema) and self.name not in _LISTED
        return is_free and re.search(pattern, text) is not None


def _fields(target: Target) -> Iterator[Field]:
    for operation in target.operations:
        for parameter in operation.parameters:
            yield Field(operation, [parameter["name"]], parameter["in"], parameter["schema"])
        if operation.body:
            schema = target.resolved(operation.body["schema"])
            yield from _members(target, operation, (), schema)


def _members(
    target: Target, operation: Operation, path: Sequence[str], schema: Json
) -> Iterator[Field]:
    for name, described in schema.get("properties", {}).items():
        if described.get("readOnly"):
            continue
        member = target.resolved(described)
        yield Field(operation, [*path, name], "body", member)
        yield from _members(target, operation, [*path, name], member)


async def _send(target: Target, victim: Victim, field: Field, value: Any) -> httpx2.Response:
    """Sends the operation's example with one changed value."""
    operation = field.operation
    body = _replaced(operation.body["example"], field, value) if operation.body else None
    path, query = operation.path, {}
    names = victim.names(operation.name)
    for parameter in operation.parameters:
        name = parameter["name"]
        named = names.get(snake_case(name), parameter.get("example", ""))
        chosen = value if field.place != "body" and field.path == [name] else named
        if parameter["in"] == "path":
            path = path.replace(f"{{{name}}}", quote(str(chosen), safe="").replace(".", "%2E"))
        elif field.path == [name]:
            query[name] = chosen
    return await target.http.request(
        operation.verb,
        path,
        params=query,
        json=body,
        headers={"authorization": f"Bearer {target.admin.token}"}
        | ({"grpc-timeout": "100m"} if operation.streams else {}),
    )


def _replaced(example: Json, field: Field, value: Any) -> Json:
    if field.place != "body":
        return example
    changed = dict(example)
    inside = changed
    for name in field.path[:-1]:
        inside[name] = dict(inside.get(name, {}))
        inside = inside[name]
    inside[field.path[-1]] = value
    if "updateMask" in changed and field.name != "updateMask":
        changed["updateMask"] = "*"
    return changed


async def _refusal(target: Target, victim: Victim, field: Field, value: Any) -> str:
    """The violation of the field in the answer; empty if there is none."""
    answer = await _send(target, victim, field, value)
    # On a busy machine, the deadline of a stream can pass before it begins.
    if answer.is_success or (field.operation.streams and answer.status_code == 504):
        return ""
    refused = read_refusal(answer)
    assert refused.status < 500 or refused.status == 501, refused
    if field.place == "path" and refused.status == 404:
        return _NOT_FOUND
    if refused.status == 413 and len(answer.request.content) > _OPEN_BYTES:
        return _TOO_LARGE
    # A parameter of the path may belong to an object within the request.
    names = {field.name} | {name for name in refused.violations if name.endswith(f".{field.name}")}
    return next((said for name, said in refused.violations.items() if name in names), "")


async def test_every_method_is_in_the_document_and_every_text_in_it_has_a_limit(
    target: Target,
) -> None:
    """So no field escapes the tests below; the exceptions are named here."""
    methods = {each.name for each in target.methods if each.full_name.startswith("keystead.")}
    texts = {
        each.path[-1]: each
        for each in _fields(target)
        if "type" in each.schema and each.is_text and not {"maxLength", "enum"} & each.schema.keys()
    }

    assert methods == {each.name for each in target.operations}
    assert texts.keys() == _WITHOUT_MAXIMUM


async def test_a_text_may_reach_its_maximum_length_and_no_more(target: Target) -> None:
    victim = await target.victim()
    fields = [each for each in _fields(target) if "maxLength" in each.schema and each.is_text]
    assert len(fields) > 25
    for field in fields:
        longest = field.schema["maxLength"]
        too_long = f"must be at most {longest} characters"
        for character in _CHARACTERS:
            right = await _refusal(target, victim, field, character * longest)
            wrong = await _refusal(target, victim, field, character * (longest + 1))

            # The user is looked up before anything else is read.
            assert wrong in (too_long, _NOT_FOUND, _TOO_LARGE), (field, character)
            assert right != too_long, (field, character)
            if field.takes(character * longest):
                assert right in ("", _NOT_FOUND, _TOO_LARGE), (field, character)


async def test_a_text_that_must_not_be_empty_may_have_one_character(target: Target) -> None:
    victim = await target.victim()
    fields = [each for each in _fields(target) if each.schema.get("minLength") == 1]
    assert len(fields) > 25
    for field in fields:
        for character in _CHARACTERS:
            said = await _refusal(target, victim, field, character)

            assert not said.startswith("must not be empty"), (field, character)
            if field.takes(character):
                assert said in ("", _NOT_FOUND), (field, character)
        if field.place != "path":  # it would be another path
            said = await _refusal(target, victim, field, "")
            assert said.startswith("must not be empty"), field


async def test_a_number_that_an_enum_does_not_define_is_refused(target: Target) -> None:
    victim = await target.victim()
    fields = [
        each
        for each in _fields(target)
        if "enum" in each.schema and all(map(_OF_AN_ENUM.fullmatch, each.schema["enum"]))
    ]
    assert len(fields) >= 20
    for field in fields:
        for number in (-1, 99, 2**31 - 1):
            said = await _refusal(target, victim, field, number)
            assert said.startswith("must be one of "), (field, number, said)


async def test_a_number_is_within_its_limits(target: Target) -> None:
    victim = await target.victim()
    fields = [each for each in _fields(target) if "minimum" in each.schema]
    assert fields
    for field in fields:
        lowest, highest = field.schema["minimum"], field.schema["maximum"]
        if "then" in field.schema:  # 0 is the default
            lowest = field.schema["then"]["minimum"]
        valid = {lowest, lowest + 1, highest} if field.path[-1] not in _BELOW_ANOTHER else {lowest}
        for number in valid:
            assert not await _refusal(target, victim, field, number), (field, number)
        for number in (lowest - 1, -(2**31), highest + 1, 2**63, 10**400):
            assert await _refusal(target, victim, field, number), (field, number)
