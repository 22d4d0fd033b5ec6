"""Calls the method of a command as the operator, and prints its response."""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pkgutil import resolve_name
from typing import Any, Final

import click
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass

from server.access.caller import OPERATOR, Acting, Operator
from server.cli import terminal
from server.cli.declared.command import service_of
from server.cli.declared.form import Values, set_fields
from server.cli.declared.results import columns_of, names_of, values_of
from server.cli.declared.services import handler_of
from server.cli.declared.table import CommandRow, Keys
from server.cli.installation import Installation, run
from server.cli.lists import ListRow, print_all, print_csv, print_list, print_object, print_part
from server.cli.names import FINDERS, organization_id_of
from server.cli.paging import pages
from server.cli.parameters import OBJECTS
from server.crypto.keyring import Keyring

# By methods: what happened to the object.
_DONE: Final = {"Patch": "changed", "Remove": "removed"}

# Calls the method with the request.
Answer = Callable[[], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class OperatorCall:
    """The call that methods get in this process: by the operator, without a transport."""

    organization_id: str
    caller: Operator = OPERATOR
    thumbprint: None = None
    seconds_left: float = 600.0

    @property
    def by_caller(self) -> Acting:
        """The arguments of a command that the operator gives."""
        return {"actor": self.caller, "organization_id": self.organization_id}


def call(
    row: CommandRow, method: MethodDescriptor, values: Values, given: Mapping[str, Any]
) -> None:
    """Calls the method. Exits with status 1 if a step of a test fails."""

    async def work(at: Installation) -> bool | None:
        found, organization_id = await _found(at, row, values, given.get("organization"))
        operator = OperatorCall(organization_id)
        if row.apply:
            applied = await resolve_name(row.apply)(at, operator, found)
            _print_done(row, applied, given)
            await _look_after(row, at, operator, found)
            return None
        request = GetMessageClass(method.input_type)()
        set_fields(request, found)
        keyring = await _keyring(at, row, found)
        handler = handler_of(at, method.containing_service.name, method.name, keyring)
        if row.parts:
            _print_whole(
                row, await handler(request, operator), await _parts(at, row, operator, found), given
            )
            return None
        succeeded = await _print(row, method, partial(handler, request, operator), request, given)
        await _look_after(row, at, operator, found)
        return succeeded

    if run(work) is False:
        sys.exit(1)


async def _look_after(
    row: CommandRow, at: Installation, operator: OperatorCall, found: Values
) -> None:
    if row.then:
        await resolve_name(row.then)(at, operator, found)


async def _found(
    at: Installation, row: CommandRow, values: Values, organization: str | None
) -> tuple[Values, str]:
    """The values with IDs in place of names, and the organization of the first object.

    Further objects are named in this organization; without an object it is that of --org.
    """
    found, place = dict(values), ""
    for path, name in values.items():
        is_object = path[-1] in OBJECTS and path[-1] != row.chooses
        if is_object and (name or len(path) == 1):  # a field can be emptied
            finder = FINDERS[path[-1]]
            found[path], owner = await finder(at.database, name, place or organization or "")
            place = place or owner
    if not place and organization:
        place = await organization_id_of(at.database, organization)
    return found, place


async def _keyring(at: Installation, row: CommandRow, values: Values) -> Keyring | None:
    if row.keys is Keys.NONE:
        return None
    # A server decrypts the link in a mail.
    is_of_servers = row.keys is Keys.OF_SERVERS or ("send_link",) in values
    return await at.keyring_of_servers() if is_of_servers else at.keyring()


async def _print(
    row: CommandRow,
    method: MethodDescriptor,
    answer: Answer,
    request: Any,
    given: Mapping[str, Any],
) -> bool | None:
    """Prints a list, the steps of a test, an object or the result of a change."""
    as_json: bool = given["as_json"]
    if row.columns:
        objects = _objects(answer, request, given.get("limit"))
        rows = (each if as_json else columns_of(each, row.columns) async for each in objects)
        if given["as_csv"]:
            await print_csv(rows, [*names_of(row.columns)])
        else:
            await print_all(
                rows, as_json=as_json, narrow=list(names_of(row.narrow)) if row.narrow else ()
            )
        return None
    values: Any = values_of(await answer())
    if "steps" in values:
        print_list(values["steps"], as_json=as_json)
        return bool(values["steps"][-1]["succeeded"])
    if method.name.startswith("Get"):
        [(_, shown)] = values.items()
        print_object(shown if as_json else _narrowed(row, shown), as_json=as_json)
        return None
    _print_done(row, values, given, method.name)
    return None


async def _parts(
    at: Installation, row: CommandRow, operator: OperatorCall, found: Values
) -> dict[str, list[ListRow]]:
    """The lists that are shown with an object, by their names."""
    ids = {path[-1]: value for path, value in found.items()}
    parts = dict[str, list[ListRow]]()
    for name, part in row.parts.items():
        service, _, method_name = part.method.partition(".")
        method = service_of(service).methods_by_name[method_name]
        request: Any = GetMessageClass(method.input_type)()
        if part.filter:
            request.filter = part.filter.format(**ids)
        else:
            set_fields(request, found)
        answer = partial(handler_of(at, service, method_name, None), request, operator)
        parts[name] = [each async for each in _objects(answer, request, part.limit)]
    return parts


def _print_whole(
    row: CommandRow, response: Any, parts: Mapping[str, Any], given: Mapping[str, Any]
) -> None:
    """Prints an object with its lists: at a terminal in tables, otherwise as further fields."""
    shown: Any
    [shown] = values_of(response).values()
    if given["as_json"] or not terminal.is_terminal():
        print_object({**shown, **parts}, as_json=given["as_json"])
        return
    print_object(
        {name: value for name, value in shown.items() if value not in (None, "", (), False)},
        as_json=False,
    )
    for name, rows in parts.items():
        print_part(name, [columns_of(each, row.parts[name].columns) for each in rows])


def _narrowed(row: CommandRow, shown: Mapping[str, Any]) -> ListRow:
    """The object for a terminal, its lists with the columns of the row."""
    if not terminal.is_terminal():
        return shown
    lists = {
        name: [columns_of(each, columns) for each in shown[name]]
        for name, columns in row.inner.items()
    }
    return {**shown, **lists}


def _print_done(
    row: CommandRow, values: Mapping[str, Any], given: Mapping[str, Any], method: str = ""
) -> None:
    """Prints the result of a change: in text the row says how, otherwise one JSON object."""
    if given["as_json"]:
        print_object(values, as_json=True)
    elif results := [values[name] for name in row.prints if values[name]]:
        click.echo("\n".join(results))
    else:
        click.echo((row.says or _sentence(method, given)).format(**{**values, **given}))


def _sentence(method: str, given: Mapping[str, Any]) -> str:
    done = next(word for verb, word in _DONE.items() if method.startswith(verb))
    # The organization is the last one, since --org names it, too.
    named = next(each for each in OBJECTS.values() if each.parameter in given)
    return f"The {named.noun.lower()} '{{{named.parameter}}}' was {done}."


async def _objects(answer: Answer, request: Any, limit: int | None) -> AsyncIterator[ListRow]:
    """The objects of a list, which is read in pages if it has any; at most `limit`."""
    left = limit or sys.maxsize
    async for page in pages(answer, request, most=limit):
        [field] = [each for each in page.DESCRIPTOR.fields if each.is_repeated]
        objects = getattr(page, field.name)[:left]
        for each in objects:
            yield values_of(each)
        left -= len(objects)
        if not left:
            return
