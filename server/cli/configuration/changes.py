"""The changes of a plan, and the requests that make them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from google.protobuf.message import Message

from server.cli.configuration.fields import method_of, named, request
from server.cli.configuration.kinds import ObjectKind
from server.cli.configuration.reading import FoundObject
from server.cli.configuration.wanted import WantedObject

Action: TypeAlias = Literal["create", "change", "remove"]


@dataclass(slots=True, eq=False)
class ObjectChange:
    """The change of one object with its parts.

    `place` has the ID of its organization and `own` its own, both as soon as these are created.
    `fields` are the values before and after; None is none. `secrets` are the texts to write.
    `adds` and `removes` are values of lists with methods of their own. `is_pending`: it depends on
    an object that is created first.
    """

    action: Action
    kind: ObjectKind
    path: str
    place: dict[str, str]
    own: dict[str, str]
    wanted: WantedObject | None = None
    found: FoundObject | None = None
    desired: Any = None
    fields: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict, repr=False)
    adds: dict[str, list[str]] = field(default_factory=dict)
    removes: dict[str, list[str]] = field(default_factory=dict)
    parts: list["ObjectChange"] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    is_pending: bool = False

    @property
    def ids(self) -> dict[str, str]:
        """The IDs that name the object in requests."""
        return self.place | self.own

    @property
    def is_empty(self) -> bool:
        """Whether nothing has to be done."""
        own = self.fields or self.secrets or self.adds or self.removes
        return self.action == "change" and not own and not self.parts

    @property
    def has_update(self) -> bool:
        """Whether the method of a change has to be called."""
        return bool(self.fields) or bool(self.secrets and not self.kind.secrets_by)

    @property
    def organization_id(self) -> str:
        """The organization of the object; empty: of the instance, or not created yet."""
        return self.place.get("org_id", "")

    @property
    def etag(self) -> str:
        """The version of the object that the plan has seen; empty: there is none yet."""
        return self.found.etag if self.found else ""

    def request(self) -> Message:
        """The request that creates, changes or removes the object."""
        wanted, kind = self.wanted, self.kind
        if wanted is None:
            removal: Message = named(method_of(kind, self.method), self.ids)
            return removal
        extra: dict[str, Any] = {**self.secrets} if self.is_creation or not kind.secrets_by else {}
        if self.is_creation:
            extra |= {
                name: wanted.values[name] for name in wanted.fields.initial & wanted.values.keys()
            }
            extra |= {kind.chosen_id: wanted.id} if wanted.id else {}
        method = method_of(kind, self.method)
        has_mask = "update_mask" in method.input_type.fields_by_name
        names = [*self.fields] if has_mask else [*wanted.values]
        current = self.found.message if self.found and not kind.replaces else None
        return request(method, self.desired, names, ids=self.ids, extra=extra, current=current)

    @property
    def is_creation(self) -> bool:
        """Whether the object is not there yet."""
        return self.action == "create"

    @property
    def method(self) -> str:
        """The method that makes the change."""
        methods = {"create": self.kind.create or self.kind.update, "change": self.kind.update}
        return methods.get(self.action, self.kind.remove)


@dataclass(slots=True, eq=False)
class PlacePlan:
    """The changes of an organization or of the instance, and its objects that a file lacks.

    `unfinished` are sentences about objects that need a step outside of the file.

    `organization` creates it first. `ids` have its ID then. `known` are the IDs of the objects that
    were there when it was read.
    """

    kinds: Sequence[ObjectKind]
    ids: dict[str, str]
    organization: ObjectChange | None = None
    changes: list[ObjectChange] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)
    known: set[str] = field(default_factory=set)

    @property
    def all(self) -> list[ObjectChange]:
        """All changes, in their order."""
        return [*([self.organization] if self.organization else []), *self.changes]
