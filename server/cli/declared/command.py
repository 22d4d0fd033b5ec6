"""Makes the groups of commands from their rows.

The rule: nothing is imported here that only a call needs, so that help texts come at once.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import resolve_name
from typing import Any, Final

import click
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message_factory import GetMessageClass

from keystead.options.v1 import options_pb2
from server.cli.declared.form import Form, Values
from server.cli.declared.results import names_of
from server.cli.declared.table import GROUPS, SERVICES, CommandRow
from server.cli.declared.wording import help_of
from server.cli.groups import CommandGroup
from server.cli.parameters import (
    OBJECTS,
    csv_option,
    instance_option,
    json_option,
    limit_option,
    organization_option,
)

_OF_ORGANIZATION: Final = options_pb2.SCOPE_SELECTED_ORGANIZATION
_OF_INSTANCE: Final = options_pb2.SCOPE_INSTANCE_OR_ORGANIZATION


def group(name: str) -> click.Group:
    """The group of commands with this name."""
    declared = GROUPS[name]
    return CommandGroup(
        name,
        {each: command(name, each) for each in declared.commands},
        help=declared.help,
    )


def command(group: str, name: str) -> click.Command:
    """The command of a row."""
    row = GROUPS[group].commands[name]
    if row.place:
        written: click.Command = resolve_name(row.place)
        return written
    method = method_of(group, row.method)
    methods = [method, *([method_of(group, row.also)] if row.also else [])]
    form = Form([each.input_type for each in methods], row, group)
    made = click.Command(
        name,
        params=[each.parameter for each in form.inputs],
        callback=lambda **given: _called(group, row, method, form, given),
        help=_help(row, method),
    )
    if _scope_of(method) == _OF_INSTANCE:
        instance_option(made)
    elif _takes_organization(method, form):
        organization_option(made)
    if row.limit:
        limit_option(row.limit)(made)
    if row.columns:
        csv_option(made)
    json_option(made)
    return made


def method_of(group: str, name: str) -> MethodDescriptor:
    """The descriptor of a method, `Method` of the service of the group or `Service.Method`."""
    service, _, method = name.rpartition(".")
    return service_of(service or GROUPS[group].service).methods_by_name[method]


def service_of(name: str) -> ServiceDescriptor:
    """The descriptor of a service."""
    module = import_module(f"keystead.{SERVICES[name]}_pb2")
    service: ServiceDescriptor = module.DESCRIPTOR.services_by_name[name]
    return service


def _scope_of(method: MethodDescriptor) -> int:
    return int(method.GetOptions().Extensions[options_pb2.access].scope)


def _takes_organization(method: MethodDescriptor, form: Form) -> bool:
    """Whether a command has --org, in which objects are named or to which they are added."""
    fields = [each.path[-1] for each in form.inputs if each.path[-1] in OBJECTS]
    is_selected = _scope_of(method) == _OF_ORGANIZATION
    return "org_id" not in fields and (is_selected or bool(fields))


def _help(row: CommandRow, method: MethodDescriptor) -> str:
    """The help of a command, with its output."""
    paragraphs = [row.help or help_of(method)]
    if "steps" in method.output_type.fields_by_name:
        paragraphs.append("Exits with status 1 if a step fails.")
    for title, names in (("Columns", names_of(row.columns)), ("Prints", row.prints)):
        if words := ", ".join(names).replace("_", " "):
            paragraphs.append(f"{title}: {words}.")
    return "\n\n".join(paragraphs)


def _called(
    group: str, row: CommandRow, method: MethodDescriptor, form: Form, given: Mapping[str, Any]
) -> None:
    """Calls the method with what is given, or the other one of a named object."""
    values = form.read(given)
    for name, other in row.by.items():
        if (name,) in values:
            method = method_of(group, other)
            _must_have(method, values)
    if row.otherwise and not any(path[0] in _alternatives(method, row) for path in values):
        field: Any = method.input_type.fields_by_name[row.otherwise]
        values[(row.otherwise,)] = GetMessageClass(field.message_type)()

    from server.cli.declared.call import call  # noqa: PLC0415 -- with the database

    call(row, method, values, given)


def _alternatives(method: MethodDescriptor, row: CommandRow) -> set[str]:
    """The fields of which one is set."""
    oneof = method.input_type.fields_by_name[row.otherwise].containing_oneof
    return {field.name for field in oneof.fields} if oneof else set()


def _must_have(method: MethodDescriptor, values: Values) -> None:
    """`UsageError` if a value is not one of the other method."""
    unknown = [path[0] for path in values if path[0] not in method.input_type.fields_by_name]
    if unknown:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in unknown)
        raise click.UsageError(f"{names} cannot be combined with a name.")
