"""The messages of the schema as JSON Schema (2020-12), in the JSON that `json_format` speaks.

https://protobuf.dev/programming-guides/json. A request and an answer are described differently: a
request has limits and no further members; an answer may gain members, and has every field that
cannot be absent.

The rule: a request uses only keywords that common client generators understand or ignore (decision
9): no null, although the server accepts it for an absent field, and no defaults.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from google.api import field_behavior_pb2
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from bridge.json.types import JsonType, Schema, behavior, is_required, oneofs, type_of, value_of_map
from keystead.comments import COMMENTS

# The limits by field name. Those of a message are under `properties`, by field name.
FieldLimits: TypeAlias = Mapping[str, Schema]

_SNAKE_CASE = re.compile(r"`[a-z0-9]+(_[a-z0-9]+)+`")


class Spelling(NamedTuple):
    """How a description names fields, and where it keeps the schemas that it refers to."""

    name: Callable[[FieldDescriptor], str]
    comment: Callable[[str], str]
    components: str


class Schemas:
    """Describes messages and collects them in `components`, by their full names."""

    def __init__(self, spelling: Spelling | None = None) -> None:
        self.components: dict[str, Schema] = {}
        self._spelling = spelling or OF_JSON

    def of_request(
        self, message: Descriptor, limits: FieldLimits, *, without: Collection[str] = ()
    ) -> Schema:
        """A reference to the schema of a body.

        `without` are the paths of fields that are not part of it.
        """
        self.components[message.full_name] = self._request(message, limits, without)
        return self._reference(message.full_name)

    def of_parameter(self, field: FieldDescriptor, limits: FieldLimits) -> Schema:
        """The schema of a field in a path or in a query."""
        return self._limited(field, limits, ())

    def of_response(self, message: Descriptor) -> Schema:
        """A reference to the schema of an answer, or of a part of one."""
        if message.full_name not in self.components:
            always = [
                self._spelling.name(field) for field in message.fields if not field.has_presence
            ]
            self.components[message.full_name] = {
                "title": message.name,
                "type": "object",
                **self._description(message.full_name),
                "properties": {
                    self._spelling.name(field): self._of_field(field) | self._about(field)
                    for field in message.fields
                },
                **({"required": always} if always else {}),
            }
        return self._reference(message.full_name)

    def _request(
        self, message: Descriptor, limits: FieldLimits, without: Collection[str]
    ) -> Schema:
        fields = [field for field in settable_fields(message) if field.name not in without]
        required = [self._spelling.name(field) for field in fields if is_required(field)]
        return {
            "title": message.name,
            "type": "object",
            **self._description(message.full_name),
            "properties": {
                self._spelling.name(field): self._limited(field, limits, without)
                | self._about(field)
                for field in fields
            },
            **({"required": required} if required else {}),
            **self._oneofs(message),
            "additionalProperties": False,
        }

    def _limited(
        self, field: FieldDescriptor, limits: FieldLimits, without: Collection[str]
    ) -> Schema:
        """The schema of the field with the limits that apply to its JSON type."""
        limit = limits.get(field.name, {})
        kind = type_of(field)
        if not isinstance(kind, JsonType) and not value_of_map(field):
            of_one = limit.get("items", {}) if field.is_repeated else limit
            one = self._request(kind, of_one.get("properties", {}), paths_below(field, without))
            return {**limit, "type": "array", "items": one} if field.is_repeated else one
        schema = self._of_field(field)
        # An enum is a reference; limits on its numbers do not apply to its names.
        json_type = "string" if field.enum_type else schema.get("type")
        return schema | limit if limit.get("type") == json_type else schema

    def _of_field(self, field: FieldDescriptor) -> Schema:
        if value := value_of_map(field):
            return {"type": "object", "additionalProperties": self._of_value(value)}
        if field.is_repeated:
            return {"type": "array", "items": self._of_value(field)}
        return self._of_value(field)

    def _of_value(self, field: FieldDescriptor) -> Schema:
        kind, enum = type_of(field), field.enum_type
        if not isinstance(kind, JsonType):
            return self.of_response(kind)
        if enum is None:
            return dict(kind.schema)
        self.components[enum.full_name] = kind.schema | self._about_enum(enum)
        return self._reference(enum.full_name)

    def about(self, field: FieldDescriptor, limits: FieldLimits) -> Schema:
        """The schema of a field with its description."""
        return self._limited(field, limits, ()) | self._about(field)

    def _reference(self, name: str) -> Schema:
        return {"$ref": f"{self._spelling.components}{name}"}

    def _description(self, full_name: str) -> Schema:
        text = self._spelling.comment(full_name)
        return {"description": text} if text else {}

    def _about(self, field: FieldDescriptor) -> Schema:
        return {
            **self._description(field.full_name),
            **({"writeOnly": True} if field_behavior_pb2.INPUT_ONLY in behavior(field) else {}),
            **({"readOnly": True} if field_behavior_pb2.OUTPUT_ONLY in behavior(field) else {}),
            **({"deprecated": True} if field.GetOptions().deprecated else {}),
        }

    def _oneofs(self, message: Descriptor) -> Schema:
        """At most one member of each oneof. Client generators fail on `not` in a composition."""
        name = self._spelling.name
        alone = {
            name(field): {"properties": {name(each): False for each in fields if each != field}}
            for fields in oneofs(message)
            for field in fields
        }
        return {"dependentSchemas": alone} if alone else {}

    def _about_enum(self, enum: EnumDescriptor) -> Schema:
        comment = self._spelling.comment
        values = (f"{enum.full_name}.{value.name}" for value in enum.values)
        lines = [
            f"- `{value.name}`: {comment(name)}" if comment(name) else f"- `{value.name}`"
            for value, name in zip(enum.values, values, strict=True)
        ]
        return {
            "title": enum.name,
            "description": "\n".join([comment(enum.full_name), "", *lines]).strip(),
        }


def comment(full_name: str) -> str:
    """The comment in the schema, as Markdown, with field names as in JSON."""
    return _SNAKE_CASE.sub(_json_name, COMMENTS.get(full_name, "")).replace("\n", "\n\n")


def settable_fields(message: Descriptor) -> Iterable[FieldDescriptor]:
    """The fields that a request may set."""
    return (
        field for field in message.fields if field_behavior_pb2.OUTPUT_ONLY not in behavior(field)
    )


def paths_below(field: FieldDescriptor, paths: Collection[str]) -> Collection[str]:
    """The paths that lie inside this field, relative to it."""
    prefix = f"{field.name}."
    return {path.removeprefix(prefix) for path in paths if path.startswith(prefix)}


def _json_name(found: re.Match[str]) -> str:
    return re.sub("_([a-z0-9])", lambda letter: letter[1].upper(), found[0])


OF_JSON: Final = Spelling(
    name=lambda field: field.json_name, comment=comment, components="#/components/schemas/"
)
