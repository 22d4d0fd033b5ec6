"""Writes an organization, or the instance with its organizations, as a file of configuration."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import yaml
from google.rpc import code_pb2

from server.cli.configuration.client import Api, RefusalError
from server.cli.configuration.fields import fields_of, shown
from server.cli.configuration.kinds import INSTANCE, ORGANIZATION, ORGANIZATIONS, ObjectKind
from server.cli.configuration.reading import (
    FoundObject,
    complete_all,
    has_secret,
    read_kind,
)
from server.cli.configuration.references import with_names
from server.cli.configuration.wanted import FROM_ENV, ID, SCHEMA

SCHEMA_PATH: Final = "configuration.schema.json"

# IDs that a server has assigned (RFC 9562, section 5.7).
_ASSIGNED: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


class Exporter:
    """Reads what a token may read. `hidden` are the paths of sections that it may not.

    With `is_whole`, fields without a value are written too.
    """

    def __init__(self, api: Api, *, is_whole: bool) -> None:
        self._api = api
        self._is_whole = is_whole
        self.hidden: list[str] = []

    async def organization(self, org_id: str) -> dict[str, Any]:
        """The sections of an organization. `RefusalError`."""
        return await self._place(ORGANIZATION, org_id, "")

    async def instance(self) -> dict[str, Any]:
        """The sections of the instance, and its organizations. `RefusalError`."""
        organizations = await read_kind(self._api, ORGANIZATIONS, "")
        of_instance = await self._place(INSTANCE, "", "instance.")
        contents = await asyncio.gather(
            *(self._place(ORGANIZATION, each.id, f"{each.name}.") for each in organizations)
        )
        names = (each.name for each in organizations)
        return {
            "instance": of_instance,
            "organizations": dict(zip(names, contents, strict=True)),
        }

    async def _place(self, kinds: Sequence[ObjectKind], org_id: str, prefix: str) -> dict[str, Any]:
        read = await asyncio.gather(*(self._read(kind, org_id, prefix) for kind in kinds))
        found = {kind.section: objects for kind, objects in zip(kinds, read, strict=True)}
        ids = {
            section: {each.name: each.id for each in objects} for section, objects in found.items()
        }
        return {
            kind.section: self._section(kind, found[kind.section], ids)
            for kind in kinds
            if found[kind.section]
        }

    async def _read(self, kind: ObjectKind, org_id: str, prefix: str) -> list[FoundObject]:
        try:
            found = await read_kind(self._api, kind, org_id)
            field, values = kind.exported
            if field:
                fields = fields_of(kind)
                found = [each for each in found if values & {*_list(fields, each, field)}]
            if kind.get or any(part.read for part in kind.parts):
                await complete_all(self._api, found, org_id)
        except RefusalError as refusal:
            if refusal.code != code_pb2.PERMISSION_DENIED:
                raise
            self.hidden.append(f"{prefix}{kind.section}")
            return []
        return found

    def _section(
        self, kind: ObjectKind, found: Sequence[FoundObject], ids: Mapping[str, Mapping[str, str]]
    ) -> dict[str, Any]:
        names = {path: ids[section] for path, section in kind.references.items()}
        if not kind.key:
            return self._object(found[0], None, names, kind.section)
        counted = Counter(each.name for each in found)
        section = {}
        for each in found:
            content = self._object(each, None, names, f"{kind.section}_{each.name}")
            is_double = counted[each.name] > 1
            if is_double or (kind.chosen_id and not _ASSIGNED.fullmatch(each.id)):
                content = {ID: each.id, **content}
            if is_double:
                content = {kind.key: each.name, **content}
            section[f"{each.name} ({each.id})" if is_double else each.name] = content
        return section

    def _object(
        self,
        found: FoundObject,
        parent: ObjectKind | None,
        names: Mapping[str, Mapping[str, str]],
        place: str,
    ) -> dict[str, Any]:
        fields = fields_of(found.kind, parent)
        values = shown(fields, found.message, is_whole=self._is_whole)
        content = {name: with_names(name, value, names) for name, value in values.items()}
        for secret in sorted(fields.secrets):
            if has_secret(found, secret):
                variable = re.sub("[^A-Z0-9]+", "_", f"{place}_{secret}".upper())
                content[secret] = {FROM_ENV: variable}
        for section, part in found.parts.items():
            content[section] = self._object(part, found.kind, {}, f"{place}_{section}")
        return content


def _list(fields: Any, found: FoundObject, name: str) -> list[str]:
    values: list[str] = shown(fields, found.message).get(name, [])
    return values


def text_of(content: Mapping[str, Any], url: str, *, as_json: bool) -> str:
    """The file, with the URL of its JSON Schema for editors."""
    schema = f"{url.rstrip('/')}/{SCHEMA_PATH}"
    whole = {SCHEMA: schema, **content}
    if as_json:
        return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"
    return f"# yaml-language-server: $schema={schema}\n{dumped(whole)}"


class _Dumper(yaml.CSafeDumper):
    """Writes equal values each time, because a file can have no aliases."""

    def ignore_aliases(self, _data: Any) -> bool:
        return True


def dumped(content: Mapping[str, Any]) -> str:
    """The content as YAML that `read_document` takes."""
    text: str = yaml.dump(content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return text
