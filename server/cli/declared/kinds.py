"""The types of parameters for the types of fields, and the values that they make."""

from collections.abc import Callable
from functools import partial
from typing import IO, Any, Final, NamedTuple

import click
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp

from server.cli.declared.results import prefix
from server.cli.parameters import Time
from server.cli.secret_files import content_of, secret_of

TIMESTAMP: Final = "google.protobuf.Timestamp"
STRUCT: Final = "google.protobuf.Struct"
_INT32: Final = 2**31


class FieldKind(NamedTuple):
    """The type of a parameter, the value of its field, and a note for its help."""

    type: Any
    value_of: Callable[[Any], Any]
    note: str = ""


class Choice(click.Choice[str]):
    """A value of an enum, regardless of case, with or without the prefix of its values."""

    def __init__(self, kind: EnumDescriptor) -> None:
        self._kind = kind
        names = (value.name.removeprefix(prefix(kind)).lower() for value in kind.values)
        super().__init__([name for name in names if name != "unspecified"], case_sensitive=False)

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        return super().normalize_choice(choice, ctx).removeprefix(prefix(self._kind).lower())

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Also an empty text, which stands for no value."""
        return "" if value == "" else super().convert(value, param, ctx)

    def number(self, choice: str) -> int:
        """The number of a choice."""
        if not choice:
            return 0
        return self._kind.values_by_name[f"{prefix(self._kind)}{choice.upper()}"].number


def kind_of(field: Any, option: str, *, is_file: bool) -> FieldKind:
    """The kind of the parameter for a field; `option` is its name in errors."""
    if field.GetOptions().debug_redact:
        prompt = field.name.replace("_", " ").capitalize()
        read = partial(secret_of, prompt=prompt, option=option)
        return FieldKind(click.File(), read, "File; -: standard input, or a hidden prompt.")
    if is_file or field.type == FieldDescriptor.TYPE_BYTES:
        mode = "rb" if field.type == FieldDescriptor.TYPE_BYTES else "r"
        return FieldKind(
            click.File(mode), partial(content_of, option=option), "File; -: standard input."
        )
    if field.enum_type:
        choice = Choice(field.enum_type)
        return FieldKind(choice, choice.number)
    if field.message_type:
        return _kind_of_messages(field, option)
    if field.type == FieldDescriptor.TYPE_BOOL:
        return FieldKind(click.BOOL, given)
    if field.type == FieldDescriptor.TYPE_INT32:
        return FieldKind(int, partial(_int32, option))
    return FieldKind(str, _texts, "Repeatable.") if field.is_repeated else FieldKind(str, given)


def given(value: Any) -> Any:
    """The value that is given."""
    return value


def _kind_of_messages(field: Any, option: str) -> FieldKind:
    kind = field.message_type
    if is_map(field):
        return FieldKind(str, partial(_map, option), "NAME=VALUE. Repeatable.")
    if field.is_repeated:
        names = ", ".join(kind.fields_by_name)
        read = partial(_messages, kind, option)
        return FieldKind(click.File(), read, f"File with a JSON list of objects of {names}.")
    if kind.full_name == TIMESTAMP:
        return FieldKind(Time(), _timestamp, "Date, time, or +30d for 30 days from now.")
    if kind.full_name == STRUCT:
        return FieldKind(str, partial(_struct, option), "JSON object.")
    return FieldKind(click.BOOL, lambda _: GetMessageClass(kind)())  # it has no fields


def is_map(field: Any) -> bool:
    """Whether the field is a map, of texts to texts."""
    return bool(field.message_type and field.message_type.GetOptions().map_entry)


def _map(option: str, values: tuple[str, ...]) -> dict[str, str]:
    """The entries of a repeatable option. `BadParameter`."""
    entries = dict[str, str]()
    for name, equals, value in (each.partition("=") for each in values):
        if not equals or name in entries:
            raise click.BadParameter("Give NAME=VALUE once for each name.", param_hint=option)
        entries[name] = value
    return entries


def _texts(values: tuple[str, ...]) -> list[str]:
    """The values of a repeatable option. A single empty one stands for none."""
    return [value for value in values if value]


def _int32(option: str, number: int) -> int:
    if not -_INT32 <= number < _INT32:
        raise click.BadParameter(f"{number} is too large.", param_hint=option)
    return number


def _timestamp(moment: Any) -> Timestamp:
    message = Timestamp()
    message.FromDatetime(moment)
    return message


def _struct(option: str, text: str) -> Struct:
    """The object of a JSON text. `BadParameter`."""
    from server.validation import json_text  # noqa: PLC0415 -- help texts do without it

    try:
        value = json_text.loads(text)
        if not isinstance(value, dict):
            raise ValueError("it is another JSON value")  # noqa: TRY004, TRY301
        message = Struct()
        message.update(value)
    except ValueError as error:
        problem = f"It is not a JSON object: {error}."
        raise click.BadParameter(problem, param_hint=option) from None
    return message


def _messages(kind: Descriptor, option: str, file: IO[str]) -> list[Message]:
    """The messages of a file with a JSON list of objects. `BadParameter`."""
    # Imported here: help texts do without them.
    from google.protobuf import json_format  # noqa: PLC0415

    from server.validation import json_text  # noqa: PLC0415

    try:
        found = json_text.loads(content_of(file, option=option))
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            raise ValueError("it is another JSON value")  # noqa: TRY301
        return [json_format.ParseDict(each, GetMessageClass(kind)()) for each in found]
    except (ValueError, json_format.ParseError) as error:
        names = ", ".join(kind.fields_by_name)
        problem = f"The file is not a JSON list of objects of {names}: {error}."
        raise click.BadParameter(problem, param_hint=option) from None
