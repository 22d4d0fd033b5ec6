"""The limits of commands as JSON Schema, for whoever describes the API."""

from collections.abc import Collection
from types import ModuleType
from typing import Any

from server.validation.fields import Command
from server.validation.paging import Page

Schema = dict[str, Any]


def limits_of(method: str, fields: Collection[str], commands: ModuleType) -> dict[str, Schema]:
    """What the fields of a method's request may be, by name; nothing if no command reads it.

    The command of a method has its name. One that several methods share has exactly the fields of
    their requests.
    """
    candidates = [each for each in (*vars(commands).values(), Page) if _is_command(each)]
    for command in candidates:
        if command.__name__ == method:
            return _limits(command)
    for command in candidates:
        if command.model_fields.keys() == set(fields):
            return _limits(command)
    return {}


def _is_command(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Command)


def _limits(command: type[Command]) -> dict[str, Schema]:
    schema = command.model_json_schema()
    properties: dict[str, Schema] = _plain(schema, schema.get("$defs", {})).get("properties", {})
    return properties


def _plain(schema: Schema, definitions: dict[str, Schema]) -> Schema:
    """Without references, and without null, which stands for a field that is absent."""
    if "$ref" in schema:
        return _plain(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in schema and "type" not in schema:
        value = next(option for option in schema["anyOf"] if option != {"type": "null"})
        return _plain(value, definitions) | {
            name: rest for name, rest in schema.items() if name not in ("anyOf", "title")
        }
    plain = {name: value for name, value in schema.items() if name not in ("title", "$defs")}
    if "properties" in plain:
        plain["properties"] = {
            name: _plain(field, definitions) for name, field in plain["properties"].items()
        }
    return plain
