"""The JSON Schema of a file of configuration, which the server serves and editors use.

`make generate` writes it, from the table of kinds and the limits of the commands that read the
requests. Limits that the file cannot show, such as those of texts together, are the server's.
"""

import json
from collections.abc import Iterable
from typing import Final

from google.protobuf.descriptor import FieldDescriptor

from bridge.json.types import Schema
from bridge.pages.docs import CONFIGURATION
from keystead.comments import COMMENTS
from server.cli.configuration.fields import KindFields, fields_of, method_of
from server.cli.configuration.kinds import INSTANCE, ORGANIZATION, ObjectKind
from server.cli.configuration.wanted import FROM_ENV, FROM_FILE, ID, ROTATED_AT, SCHEMA
from server.wiring.services import COMMANDS
from tests.support.openapi.json_schema import FieldLimits, Schemas, Spelling
from tests.support.openapi.limits import limits_of

_DEFINITIONS: Final = "#/$defs/"
_IN_FILES: Final = Spelling(
    name=lambda field: field.name,
    comment=lambda name: COMMENTS.get(name, "").replace("\n", "\n\n"),
    components=_DEFINITIONS,
)
_TEXT: Final[Schema] = {"type": "string", "minLength": 1}
_FILE: Final[Schema] = {
    "type": "object",
    "description": "The content of a file, by a path relative to this one.",
    "properties": {FROM_FILE: _TEXT},
    "required": [FROM_FILE],
    "additionalProperties": False,
}
_SECRET: Final[Schema] = {
    "type": "object",
    "description": "Where the secret comes from. It is written if none is stored, or an older one"
    f" than `{ROTATED_AT}`.",
    "properties": {
        FROM_ENV: _TEXT | {"description": "Name of an environment variable."},
        FROM_FILE: _TEXT | {"description": "Path of a file, relative to this one."},
        ROTATED_AT: {
            "type": "string",
            "format": "date-time",
            "description": "Time since which this secret is the right one.",
        },
    },
    "oneOf": [{"required": [FROM_ENV]}, {"required": [FROM_FILE]}],
    "additionalProperties": False,
}


def schema() -> Schema:
    """The JSON Schema (2020-12)."""
    schemas = Schemas(_IN_FILES)
    sections = _sections(schemas, ORGANIZATION)
    organization = _object({ID: _TEXT | {"description": "ID of the organization."}, **sections})
    root = {
        SCHEMA: {"type": "string"},
        "instance": _object(_sections(schemas, INSTANCE)),
        "organizations": _by_name(organization, "Organizations of the instance, by name."),
        **sections,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Configuration of Keystead",
        "description": "An organization of Keystead, or the instance, for `keystead apply`. Fields"
        " that are not given are not changed.",
        **_object(root),
        "$defs": {**schemas.components, "secret": _SECRET},
    }


def _sections(schemas: Schemas, kinds: Iterable[ObjectKind]) -> dict[str, Schema]:
    return {kind.section: _section(schemas, kind) for kind in kinds}


def _section(schemas: Schemas, kind: ObjectKind, parent: ObjectKind | None = None) -> Schema:
    one = _kind(schemas, kind, parent)
    if kind.key:
        return _by_name(_or_null(one), f"Objects of the kind {kind.noun}, by name.")
    return _or_null(one) if kind.remove else one


def _kind(schemas: Schemas, kind: ObjectKind, parent: ObjectKind | None) -> Schema:
    fields, limits = fields_of(kind, parent), _limits(kind)
    properties = {
        name: _field(schemas, fields, field, limits) for name, field in fields.settable.items()
    }
    if kind.key:
        about = f"ID of the {kind.noun}. Its name, the key, is changed if it differs."
        properties[ID] = _TEXT | {"description": about}
        properties[kind.key] = _TEXT | {"description": "Name, if it is not the key."}
    for part in kind.parts:
        properties[part.section] = _section(schemas, part, kind)
    return _object(properties) | {"description": COMMENTS.get(fields.message.full_name, kind.noun)}


def _field(
    schemas: Schemas, fields: KindFields, field: FieldDescriptor, limits: FieldLimits
) -> Schema:
    described = schemas.about(field, limits)
    if field.name in fields.secrets:
        return {"$ref": f"{_DEFINITIONS}secret", "description": described.get("description", "")}
    if field.type == FieldDescriptor.TYPE_BYTES:
        about = {"description": described.pop("description", "")}
        return {"anyOf": [described, _FILE], **about}
    return described


def _limits(kind: ObjectKind) -> FieldLimits:
    """The limits of the fields, from the command that reads the request."""
    method = method_of(kind, kind.create or kind.update)
    command = COMMANDS[method.containing_service.full_name].get(method.name)
    found = limits_of(command) if command else {}
    message = fields_of(kind).message if kind.read else None
    for field in method.input_type.fields:
        if field.message_type is not None and field.message_type is message:
            found = found.get(field.name, {}).get("properties", {})
    return found


def _object(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _by_name(one: Schema, description: str) -> Schema:
    return {"type": ["object", "null"], "description": description, "additionalProperties": one}


def _or_null(one: Schema) -> Schema:
    return one | {"type": ["object", "null"]}


def text() -> str:
    """The content of the file."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    CONFIGURATION.write_text(text())
