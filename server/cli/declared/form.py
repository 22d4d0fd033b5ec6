"""The arguments and options of a command, and the values that they give the fields of a request."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pkgutil import resolve_name
from typing import Any, Final, NamedTuple, TypeAlias

import click
from google.api import field_behavior_pb2 as behavior_pb2
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from server.cli.declared.kinds import STRUCT, TIMESTAMP, FieldKind, given, is_map, kind_of
from server.cli.declared.table import OPTIONS, CommandRow
from server.cli.declared.wording import Wording
from server.cli.parameters import OBJECTS

# The values of fields, by their paths.
Values: TypeAlias = dict[tuple[str, ...], Any]

# Fields of requests that a command sets itself.
_OF_COMMANDS: Final = {"page_size", "page_token", "update_mask"}
# Beginnings of the names of fields that options do without.
_VERBS: Final = ("allows_", "requires_", "admits_", "is_")


class Input(NamedTuple):
    """A parameter of a command. `value_of` makes the value of the field at the path."""

    path: tuple[str, ...]
    parameter: click.Parameter
    value_of: Callable[[Any], Any] = given


class Form:
    """The parameters of a command that are fields of its request."""

    def __init__(self, requests: Sequence[Descriptor], row: CommandRow, group: str) -> None:
        self._row = row
        self._is_patch = "update_mask" in requests[0].fields_by_name
        is_change = not requests[0].name.startswith(("Create", "Remove"))
        self._changes = self._is_patch or (bool(row.apply) and is_change)
        fields = [each for request in requests for each in self._fields(request)]
        words = {
            field.name: self._name(field) for _, field in fields if not self._is_argument(field)
        }
        self._wording = Wording(requests, words, group)
        self.inputs = [self._input(path, field) for path, field in fields]
        self.inputs += [_other(name) for name in row.by]
        self.inputs += resolve_name(row.options) if row.options else ()

    def read(self, parameters: Mapping[str, Any]) -> Values:
        """The values of the fields that are given. `UsageError`."""
        found = {
            each.path: (each, value)
            for each in self.inputs
            if (value := parameters[str(each.parameter.name)]) not in (None, ())
        }
        options = [each for each, _ in found.values() if isinstance(each.parameter, click.Option)]
        if self._changes and all(each.path in _PLACES for each in options):
            raise click.UsageError("Give at least one option with a new value.")
        return {path: each.value_of(value) for path, (each, value) in found.items()}

    def _fields(
        self, message: Descriptor, path: tuple[str, ...] = ()
    ) -> Iterator[tuple[tuple[str, ...], Any]]:
        """The fields that the command takes, with their paths."""
        field: Any
        for field in message.fields:
            behavior = _behavior(field)
            if (
                field.name in _OF_COMMANDS
                or field.name in self._row.without
                or behavior_pb2.OUTPUT_ONLY in behavior
                or (behavior_pb2.IDENTIFIER in behavior and not self._is_patch)
                or (behavior_pb2.IMMUTABLE in behavior and self._is_patch)
            ):
                continue
            if _has_options(field):
                yield from self._fields(field.message_type, (*path, field.name))
            else:
                yield (*path, field.name), field

    def _input(self, path: tuple[str, ...], field: Any) -> Input:
        option = self._name(field)
        kind, value_of, text = self._kind(field)
        if self._is_argument(field):
            name = OBJECTS[field.name].parameter if self._is_object(field) else field.name
            required = field.name not in self._row.optional
            metavar = name.upper() if required else f"[{name.upper()}]"
            argument = click.Argument(
                [name], type=kind, metavar=metavar, help=text, required=required
            )
            return Input(path, argument, value_of)
        further: dict[str, Any] = {"type": kind, "multiple": field.is_repeated}
        if kind is click.BOOL:
            is_pair = field.has_presence or self._changes or bool(self._row.apply)
            option = f"{option}/{option.replace('--', '--no-', 1)}" if is_pair else option
            further = {"is_flag": True, "default": None}
        elif field.name.endswith("_seconds"):
            further["metavar"] = "SECONDS"
        elif (field.message_type and not is_map(field)) or field.name in self._row.files:
            further["multiple"] = False
        is_optional = self._changes or bool(self._row.apply)
        is_required = behavior_pb2.REQUIRED in _behavior(field) and not is_optional
        declared = click.Option([option, field.name], help=text, required=is_required, **further)
        return Input(path, declared, value_of)

    def _is_argument(self, field: Any) -> bool:
        behavior = _behavior(field)
        if self._row.arguments is not None:
            return field.name in self._row.arguments
        is_value = self._is_patch and not self._is_object(field)
        return behavior_pb2.IDENTIFIER in behavior or (
            behavior_pb2.REQUIRED in behavior and not is_value
        )

    def _is_object(self, field: Any) -> bool:
        """Whether the field names an object that there is."""
        return field.name in OBJECTS and field.name != self._row.chooses

    def _name(self, field: Any) -> str:
        """The option of a field."""
        if self._is_object(field):
            return f"--{OBJECTS[field.name].parameter}"
        name = OPTIONS.get(field.name, field.name)
        for verb in _VERBS:
            name = name.removeprefix(verb)
        name = name.removesuffix("_seconds").replace("_", "-")
        if field.is_repeated and (is_map(field) or not field.message_type):
            name = name.removesuffix("s")
        return f"--{name}-file" if field.GetOptions().debug_redact else f"--{name}"

    def _kind(self, field: Any) -> FieldKind:
        """The type of the parameter, the value of its field, and its help."""
        if self._is_object(field):
            return FieldKind(None, given, OBJECTS[field.name].help)
        kind = kind_of(field, self._name(field), is_file=field.name in self._row.files)
        note = kind.note
        if field.is_repeated and self._changes:
            note += " All of them replace the stored ones; empty: none."
        return kind._replace(note=f"{self._wording.of_field(field)} {note}".strip())


# The paths of options that choose where a method works, and change nothing.
_PLACES: Final = {(name,) for name in OBJECTS}


def set_fields(request: Message, values: Values) -> None:
    """Sets the fields of a request, and names those of a patch in its mask."""
    for path, value in values.items():
        message: Any = request
        for name in path[:-1]:
            message = getattr(message, name)
        field = message.DESCRIPTOR.fields_by_name[path[-1]]
        if is_map(field):
            getattr(message, field.name).update(value)
        elif field.is_repeated:
            getattr(message, field.name).extend(value)
        elif field.message_type:
            getattr(message, field.name).CopyFrom(value)
        else:
            setattr(message, field.name, value)
        is_named = path in _PLACES or behavior_pb2.IDENTIFIER in _behavior(field)
        if "update_mask" in request.DESCRIPTOR.fields_by_name and not is_named:
            request.update_mask.paths.append(field.name)  # type: ignore[attr-defined]


def _other(name: str) -> Input:
    """The parameter of an object whose method is another one."""
    named = OBJECTS[name]
    if name == "org_id":
        option = click.Option(
            ["--org", named.parameter], help=f"{named.help}  [default: the instance]"
        )
        return Input((name,), option)
    return Input((name,), click.Argument([named.parameter], required=False, help=named.help))


def _behavior(field: Any) -> set[int]:
    return set(field.GetOptions().Extensions[behavior_pb2.field_behavior])


def _has_options(field: Any) -> bool:
    """Whether the fields of a message are options themselves."""
    kind = field.message_type
    return bool(
        kind and kind.fields and not field.is_repeated and kind.full_name not in (TIMESTAMP, STRUCT)
    )
