"""The limits of commands as JSON Schema."""

from collections.abc import Mapping
from typing import Final

from bridge.json.types import Schema
from server.validation.fields import Command

_LEFT_OUT: Final = frozenset({"$defs", "default", "title"})


def limits_of(command: type[Command]) -> Mapping[str, Schema]:
    """The limits of each field of a command, by name."""
    schema = command.model_json_schema()
    properties: dict[str, Schema] = _plain(schema, schema.get("$defs", {})).get("properties", {})
    return properties


def _plain(schema: Schema, definitions: dict[str, Schema]) -> Schema:
    """Without references, defaults, and null, which stands for a field that is absent."""
    if "$ref" in schema:
        return _plain(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in schema and "type" not in schema:
        value = next(option for option in schema["anyOf"] if option != {"type": "null"})
        return _plain(value, definitions) | {
            name: rest for name, rest in schema.items() if name not in {"anyOf", *_LEFT_OUT}
        }
    plain = {name: value for name, value in schema.items() if name not in _LEFT_OUT}
    if "properties" in plain:
        plain["properties"] = {
            name: _plain(field, definitions) for name, field in plain["properties"].items()
        }
    if "items" in plain:
        plain["items"] = _plain(plain["items"], definitions)
    return plain
