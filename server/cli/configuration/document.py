"""Reads a file of configuration: YAML 1.2, or JSON, with the lines of its values.

Texts such as `no` and `on` are texts: plain scalars have the types of the core schema of YAML 1.2
(section 10.3), and keys are always texts. https://yaml.org/spec/1.2.2/
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import yaml

from bridge.json.codec import RepeatedMembers
from server.values.errors import OperatorError, Violation

# The names of the members and the indexes of the items that lead to a value.
Place: TypeAlias = tuple[str | int, ...]

_MAX_BYTES: Final = 64 * 1024 * 1024
_NULL: Final = re.compile(r"null|Null|NULL|~|")
_BOOLEAN: Final = re.compile(r"true|True|TRUE|false|False|FALSE")
_INTEGER: Final = re.compile(r"[-+]?[0-9]+")
# The tags that PyYAML gives to values without one.
_TAGS: Final = {
    f"tag:yaml.org,2002:{name}"
    for name in ["bool", "float", "int", "map", "merge", "null", "seq", "str", "timestamp", "value"]
}


@dataclass(frozen=True, slots=True)
class ConfigurationFile:
    """The content of a file, and the line of each of its values."""

    name: str
    content: Any
    lines: dict[Place, int] = field(repr=False)

    def problem(self, wrong: Iterable[Violation]) -> OperatorError:
        """The error that names all wrong values with their lines."""
        lines = [f"  {self.where(each.field)}: {each.description}." for each in wrong]
        return OperatorError("\n".join([f"{self.name} cannot be applied:", *lines]))

    def where(self, path: str) -> str:
        """A path with the line of its value, if the file has lines."""
        return f"line {self.line(path)}: {path}" if self.lines else path

    def line(self, path: str) -> int:
        """The line of the value at a path, or of the nearest one around it."""
        place = tuple(_steps(path))
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)


def path_of(place: Iterable[str | int]) -> str:
    """The path of a value as errors name it: `groups."a.b".display_name`, `uris[0]`."""
    text = ""
    for step in place:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            name = step if re.fullmatch(r"[\w$-]+", step) else f'"{step}"'
            text += f".{name}" if text else name
    return text


def _steps(path: str) -> Iterator[str | int]:
    for quoted, index, name in re.findall(r'"((?:[^"])*)"|\[([0-9]+)\]|([^.\[\]"]+)', path):
        yield int(index) if index else quoted or name


def read_document(path: Path) -> ConfigurationFile:
    """Reads a file. `OperatorError`."""
    try:
        with path.open("rb") as file:
            text = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise OperatorError(f"{path} cannot be read: {error.strerror}.") from None
    if len(text) > _MAX_BYTES:
        raise OperatorError(f"{path} has more than {_MAX_BYTES // 1024**2} MiB. Split it.")
    lines: dict[Place, int] = {}
    try:
        if path.suffix == ".json":  # its escapes of surrogate pairs are not those of YAML
            return ConfigurationFile(path.name, json.loads(text, object_pairs_hook=_members), lines)
        node = yaml.compose(text.decode(), Loader=yaml.CSafeLoader)
        return ConfigurationFile(path.name, _value(node, (), lines, set()) if node else {}, lines)
    except UnicodeDecodeError:
        raise OperatorError(f"{path} is not text in UTF-8.") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise OperatorError(f"{path} is neither YAML nor JSON: {error}") from None


def _value(node: yaml.Node, place: Place, lines: dict[Place, int], seen: set[yaml.Node]) -> Any:
    """The value of a node. The lines of all values are added, and the nodes with further ones.

    Aliases of these are refused, since a small file could have a huge value.
    """
    lines[place] = node.start_mark.line + 1
    if node.tag not in _TAGS:
        raise yaml.YAMLError(f"line {lines[place]}: tags such as {node.tag} have no meaning here")
    if not isinstance(node, yaml.CollectionNode):
        return _scalar(node.value) if _is_plain(node) else node.value
    if node in seen:
        raise yaml.YAMLError(
            f"line {lines[place]}: only a text can have an alias. Write this value again at"
            f" {path_of(place)}"
        )
    seen.add(node)
    if isinstance(node, yaml.SequenceNode):
        return [_value(each, (*place, at), lines, seen) for at, each in enumerate(node.value)]
    members = [(_key(key), value) for key, value in node.value]
    return _members([(name, _value(each, (*place, name), lines, seen)) for name, each in members])


def _is_plain(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and not node.style


def _members(found: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(found)
    return values if len(values) == len(found) else RepeatedMembers(found)


def _key(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    raise yaml.YAMLError(f"line {node.start_mark.line + 1}: a key must be a text")


def _scalar(text: str) -> Any:
    if _NULL.fullmatch(text):
        return None
    if _BOOLEAN.fullmatch(text):
        return text.lower() == "true"
    return int(text) if _INTEGER.fullmatch(text) and len(text) < 30 else text
