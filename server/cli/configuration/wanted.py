"""What a file wants: its objects, checked against the schema.

A field that a file does not name is not managed: it keeps its value, and a new object has the
default. So a file of an older release leaves newer fields alone.
"""

import base64
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor

from bridge.json.codec import RepeatedMembers
from bridge.json.shape import shape_of
from server.cli.configuration.document import ConfigurationFile, Place, path_of
from server.cli.configuration.fields import KindFields, fields_of
from server.cli.configuration.kinds import INSTANCE, ORGANIZATION, ORGANIZATIONS, ObjectKind
from server.values.errors import OperatorError, Violation

SCHEMA: Final = "$schema"
ID: Final = "id"
FROM_ENV: Final = "from_env"
FROM_FILE: Final = "from_file"
ROTATED_AT: Final = "rotated_at"
_MAX_FILE: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class SecretSource:
    """Where the text of a secret, or the content of an image, comes from."""

    variable: str
    file: Path | None
    rotated_at: datetime | None = None

    def read(self) -> bytes:
        """The content. `OperatorError`, without it."""
        if self.file is None:
            if (text := os.environ.get(self.variable)) is None:
                raise OperatorError(f"the environment variable {self.variable} is not set")
            return text.encode(errors="surrogateescape")
        try:
            with self.file.open("rb") as file:
                content = file.read(_MAX_FILE + 1)
        except OSError as error:
            raise OperatorError(f"{self.file} cannot be read: {error.strerror}") from None
        if len(content) > _MAX_FILE:
            raise OperatorError(f"{self.file} has more than {_MAX_FILE // 1024**2} MiB")
        return content

    def secret(self) -> str:
        """The text without the end of its line. `OperatorError`."""
        try:
            return self.read().decode().removesuffix("\n").removesuffix("\r")
        except UnicodeDecodeError:
            raise OperatorError("the secret is not text in UTF-8") from None


@dataclass(slots=True, eq=False)
class WantedObject:
    """An object of the file. `name` is empty for a single object; a part that is None is absent.

    `values` are those of its fields, as JSON and by the names of the schema.
    """

    kind: ObjectKind
    fields: KindFields
    place: Place
    name: str = ""
    id: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    secrets: dict[str, SecretSource] = field(default_factory=dict)
    parts: dict[str, "WantedObject | None"] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """The path of the object, as errors name it."""
        return path_of(self.place)

    @property
    def given_id(self) -> dict[str, str]:
        """Its ID before it is created, if that is its name."""
        kind = self.kind
        return {kind.id: self.name} if kind.id and kind.id == kind.key else {}


@dataclass(slots=True, eq=False)
class WantedPlace:
    """The sections of an organization or of the instance, each with its objects.

    A section with the single object None is there to be empty. `organization` is the object of
    `organizations`; None: the instance, or the organization that the command names.
    """

    place: Place
    kinds: Sequence[ObjectKind]
    organization: WantedObject | None = None
    sections: dict[str, list[WantedObject] | None] = field(default_factory=dict)


class _Reader:
    """Reads the content of a document, and collects what is wrong with it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.wrong: list[Violation] = []

    def places(self, content: Any) -> Iterator[WantedPlace]:
        """The organization of the command, the instance, and its organizations."""
        root = self._members(
            content, (), {SCHEMA, "instance", "organizations", *_sections(ORGANIZATION)}
        )
        if any(name in root for name in _sections(ORGANIZATION)):
            yield self._place(root, (), ORGANIZATION)
        if "instance" in root:
            members = self._members(root["instance"], ("instance",), _sections(INSTANCE))
            yield self._place(members, ("instance",), INSTANCE)
        organizations = self._named(root.get("organizations", {}), ("organizations",))
        for name, content_of_one in organizations.items():
            place: Place = ("organizations", name)
            members = self._members(content_of_one, place, {ID, *_sections(ORGANIZATION)})
            organization = WantedObject(ORGANIZATIONS, fields_of(ORGANIZATIONS), place, name)
            organization.id = self._text(members.get(ID, ""), (*place, ID))
            yield self._place(members, place, ORGANIZATION, organization)

    def _place(
        self,
        members: Mapping[str, Any],
        place: Place,
        kinds: Sequence[ObjectKind],
        organization: WantedObject | None = None,
    ) -> WantedPlace:
        found = WantedPlace(place, kinds, organization)
        for kind in kinds:
            if kind.section in members:
                content = members[kind.section]
                found.sections[kind.section] = self._section(kind, content, (*place, kind.section))
        return found

    def _section(self, kind: ObjectKind, content: Any, place: Place) -> list[WantedObject] | None:
        if not kind.key:
            one = self._single(kind, content, place)
            return [one] if one else None
        named = self._named(content, place)
        objects = [
            self._object(kind, None, each, (*place, name), name) for name, each in named.items()
        ]
        for id_, same in _grouped(objects).items():
            for each in same[1:]:
                self._is(each.place, f"has the ID {id_} of {same[0].path}, too")
        return objects

    def _single(
        self, kind: ObjectKind, content: Any, place: Place, parent: ObjectKind | None = None
    ) -> WantedObject | None:
        """A single object; None if null says that there is none."""
        if content is None and kind.remove:
            return None
        return self._object(kind, parent, content, place)

    def _object(
        self,
        kind: ObjectKind,
        parent: ObjectKind | None,
        content: Any,
        place: Place,
        name: str = "",
    ) -> WantedObject:
        fields = fields_of(kind, parent)
        wanted = WantedObject(kind, fields, place, name)
        parts = {part.section: part for part in kind.parts}
        known = {*fields.settable, *parts, *({ID, kind.key} if kind.key else ())}
        for member, value in self._members(content, place, known).items():
            inner: Place = (*place, member)
            if member == ID:
                wanted.id = self._text(value, inner)
            elif member == kind.key:
                wanted.name = self._text(value, inner)
            elif member in parts:
                wanted.parts[member] = self._single(parts[member], value, inner, kind)
            elif member in fields.secrets:
                if source := self._source(value, inner, is_secret=True):
                    wanted.secrets[member] = source
            else:
                self._field(wanted, fields.settable[member], value, inner)
        return wanted

    def _field(
        self, wanted: WantedObject, field_: FieldDescriptor, value: Any, place: Place
    ) -> None:
        if field_.type == FieldDescriptor.TYPE_BYTES and isinstance(value, dict):
            value = self._content(value, place)
        if value is None:
            self._is(place, "must not be null; leave the field out to keep its value")
            return
        check = shape_of(field_.containing_type).members[field_.name].check
        self.wrong += check(value, path_of(place), 1)
        wanted.values[field_.name] = value

    def _content(self, value: Any, place: Place) -> str:
        source = self._source(value, place, is_secret=False)
        try:
            return base64.b64encode(source.read()).decode() if source else ""
        except OperatorError as error:
            self._is(place, str(error))
            return ""

    def _source(self, value: Any, place: Place, *, is_secret: bool) -> SecretSource | None:
        names = (FROM_ENV, FROM_FILE) if is_secret else (FROM_FILE,)
        if not isinstance(value, dict) or len({*names} & {*value}) != 1:
            forms = " or ".join(f"{{{name}: ...}}" for name in names)
            self._is(
                place,
                f"must be {forms}: a secret is no part of the file"
                if is_secret
                else f"must be {forms}",
            )
            return None
        known = {*names, ROTATED_AT} if is_secret else {*names}
        members = self._members(value, place, known)
        variable = self._text(members.get(FROM_ENV, ""), (*place, FROM_ENV))
        file = self._text(members.get(FROM_FILE, ""), (*place, FROM_FILE))
        moment = self._moment(members.get(ROTATED_AT), (*place, ROTATED_AT))
        return SecretSource(variable, self._folder / file if file else None, moment)

    def _moment(self, value: Any, place: Place) -> datetime | None:
        if value is None:
            return None
        try:
            moment = datetime.fromisoformat(self._text(value, place))
        except ValueError:
            self._is(place, "must be a time like 2026-11-29T08:00:00Z")
            return None
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if moment > datetime.now(UTC):
            self._is(place, "must not be in the future: the secret would be written each time")
        return moment

    def _members(self, value: Any, place: Place, known: Iterable[str]) -> Mapping[str, Any]:
        """The members of an object; unknown ones are violations."""
        named = self._named(value, place)
        names = sorted(known)
        for name in named:
            if name not in names:
                self._is(
                    (*place, name), f"is unknown to this release; known are {', '.join(names)}"
                )
        return {name: item for name, item in named.items() if name in names}

    def _named(self, value: Any, place: Place) -> Mapping[str, Any]:
        if value is None:  # `groups:` without anything
            return {}
        if not isinstance(value, dict):
            self._is(place, "must be an object, with a name before each of its values")
            return {}
        if isinstance(value, RepeatedMembers):
            for name in value.repeated:
                self._is((*place, name), "must not be given twice")
        return value

    def _text(self, value: Any, place: Place) -> str:
        if isinstance(value, str):
            return value
        self._is(place, "must be a text; put it in quotes")
        return ""

    def _is(self, place: Place, problem: str) -> None:
        self.wrong.append(Violation(path_of(place) or "the file", problem))


def wanted_of(document: ConfigurationFile, folder: Path) -> list[WantedPlace]:
    """What a document wants. `OperatorError` names everything that is wrong.

    Files of secrets are relative to the folder.
    """
    reader = _Reader(folder)
    places = [*reader.places(document.content)]
    if reader.wrong:
        raise document.problem(reader.wrong)
    return places


def _sections(kinds: Iterable[ObjectKind]) -> list[str]:
    return [kind.section for kind in kinds]


def _grouped(objects: Iterable[WantedObject]) -> dict[str, list[WantedObject]]:
    found: dict[str, list[WantedObject]] = {}
    for each in objects:
        if each.id:
            found.setdefault(each.id, []).append(each)
    return found
