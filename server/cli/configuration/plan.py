"""Compares a file with a server: the changes that would make the server what the file wants.

Every change is tried with `x-validate-only`, so that a wrong one is found before the first is made,
and one that the server would not notice (another spelling of the same value) is none.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from google.api import field_behavior_pb2
from google.protobuf import json_format
from google.rpc import code_pb2

from bridge.json.types import behavior
from server.cli.configuration.changes import Action, ObjectChange, PlacePlan
from server.cli.configuration.client import Api, RefusalError
from server.cli.configuration.document import path_of
from server.cli.configuration.fields import is_same, method_of, parsed, shown
from server.cli.configuration.kinds import ORGANIZATIONS, ObjectKind
from server.cli.configuration.reading import (
    FoundObject,
    complete_all,
    own_organization,
    read_kind,
    secret_set_at,
)
from server.cli.configuration.references import referred, with_names
from server.cli.configuration.wanted import WantedObject, WantedPlace
from server.values.errors import OperatorError, Violation

_MOST_TRIED: Final = 1000
# Reasons of refusals that ask for the secret: it is bound to a value that changes.
_SECRET_REQUIRED: Final = re.compile(r"\w+_(SECRET|PASSWORD)_REQUIRED")


class Planner:
    """Plans the changes of places. `wrong` collects what the server would refuse."""

    def __init__(self, api: Api, *, prunes: bool, tries_all: bool) -> None:
        """Without `tries_all`, creations are tried only if there are not many."""
        self._api = api
        self._prunes = prunes
        self._tries_all = tries_all
        self.wrong: list[Violation] = []
        # The IDs that the file gives organizations.
        self._claimed: set[str] = set()

    async def plan(self, wanted: Sequence[WantedPlace], org_id: str) -> list[PlacePlan]:
        """The plan of each place. `org_id` is the organization of the command. `RefusalError`."""
        known = await self._organizations(wanted)
        self._claimed = {each.organization.id for each in wanted if each.organization}
        plans = await asyncio.gather(*(self._place(each, org_id, known) for each in wanted))
        changes = [change for plan in plans for change in plan.all]
        creations = [change for change in changes if change.is_creation]
        if not self._tries_all and len(creations) > _MOST_TRIED:
            changes = [change for change in changes if not change.is_creation]
        await asyncio.gather(*(self._try(change) for change in changes))
        for plan in plans:
            plan.changes = [change for change in plan.changes if not change.is_empty]
        return plans

    async def _organizations(self, wanted: Sequence[WantedPlace]) -> list[FoundObject]:
        if not any(place.organization for place in wanted):
            return []
        return await read_kind(self._api, ORGANIZATIONS, "")

    async def _place(self, place: WantedPlace, org_id: str, known: list[FoundObject]) -> PlacePlan:
        plan = PlacePlan(place.kinds, {})
        if place.organization is not None:
            own = place.organization.id
            free = [each for each in known if each.id == own or each.id not in self._claimed]
            [(wanted, found)], _ = self._matched(ORGANIZATIONS, [place.organization], free)
            if found is None:
                plan.organization = self._change(wanted, None, {}, {})
                plan.organization.own = plan.ids
            else:
                plan.ids["org_id"] = found.id
                plan.kinds = (*plan.kinds, ORGANIZATIONS)
                plan.changes.append(self._change(wanted, found, {}, {}))
        elif place.place != ("instance",):
            plan.ids["org_id"] = org_id or await own_organization(self._api)
        await self._sections(place, plan)
        return plan

    async def _sections(self, place: WantedPlace, plan: PlacePlan) -> None:
        """Plans all sections; those that others name come first."""
        ids_of_names: dict[str, dict[str, str]] = {}
        kinds = [kind for kind in place.kinds if kind.section in place.sections]
        named_by_others = {each for kind in kinds for each in kind.references.values()}
        for kind in place.kinds:
            if kind.section not in place.sections and kind.section not in named_by_others:
                continue
            found = await self._read(kind, plan)
            plan.known |= {each.id for each in found}
            wanted = place.sections.get(kind.section, [])
            pairs, rest = self._matched(kind, wanted or [], found)
            ids_of_names[kind.section] = {each.name: each.id for each in rest} | {
                each.name: there.id for each, there in pairs if there
            }
            await self._complete(pairs, plan)
            plan.unfinished += _unfinished(kind, pairs)
            names = {path: ids_of_names[section] for path, section in kind.references.items()}
            changes = [self._change(*pair, plan.ids, names) for pair in pairs]
            for change in changes:
                change.is_pending |= plan.organization is not None
            plan.changes += changes
            if kind.section in place.sections:
                self._surplus(kind, place, rest, plan)

    async def _read(self, kind: ObjectKind, plan: PlacePlan) -> list[FoundObject]:
        if plan.organization is not None:  # it does not exist yet
            return []
        return await read_kind(self._api, kind, plan.ids.get("org_id", ""))

    async def _complete(
        self, pairs: Iterable[tuple[WantedObject, FoundObject | None]], plan: PlacePlan
    ) -> None:
        incomplete = [
            found
            for wanted, found in pairs
            if found and (wanted.kind.unlisted & wanted.values.keys() or wanted.parts)
        ]
        await complete_all(self._api, incomplete, plan.ids.get("org_id", ""))

    def _matched(
        self, kind: ObjectKind, wanted: Sequence[WantedObject], found: Sequence[FoundObject]
    ) -> tuple[list[tuple[WantedObject, FoundObject | None]], list[FoundObject]]:
        """Each wanted object with that of the server, and the objects that nothing wants."""
        by_id = {each.id: each for each in found if each.id}
        claimed = {each.id for each in wanted if each.id}
        by_name: dict[str, list[FoundObject]] = {}
        for each in found:
            if each.id not in claimed or not each.id:
                by_name.setdefault(each.name, []).append(each)
        pairs = [(each, self._match(each, by_id, by_name)) for each in wanted]
        matched = {id(there) for _, there in pairs}
        return pairs, [each for each in found if id(each) not in matched]

    def _match(
        self,
        wanted: WantedObject,
        by_id: Mapping[str, FoundObject],
        by_name: Mapping[str, list[FoundObject]],
    ) -> FoundObject | None:
        if wanted.id:
            if wanted.id not in by_id and not wanted.kind.chosen_id:
                self._is_wrong(wanted, "id", f"no {wanted.kind.noun} has this ID")
            return by_id.get(wanted.id)
        same = by_name.get(wanted.name, [])
        if len(same) > 1:
            ids = ", ".join(each.id for each in same)
            problem = f"{len(same)} objects have this name: choose one of them by id: {ids}"
            self._is_wrong(wanted, "", problem)
        return same[0] if same else None

    def _change(
        self,
        wanted: WantedObject,
        found: FoundObject | None,
        place: dict[str, str],
        names: Mapping[str, Mapping[str, str]],
        parent: ObjectChange | None = None,
    ) -> ObjectChange:
        action: Action = "change" if found else "create"
        # A part has the ID of its parent, which gets its own when it is created.
        own = parent.own if parent else found.ids if found else wanted.given_id
        change = ObjectChange(action, wanted.kind, wanted.path, place, own, wanted, found)
        values, unknown = referred(wanted.values, names)
        change.is_pending = unknown or (parent is not None and parent.is_creation)
        change.desired = parsed(wanted.fields, values)
        self._compare(change, wanted, found, values, names)
        self._choose_secrets(change, wanted, found)
        for section, part in wanted.parts.items():
            [kind] = [each for each in wanted.kind.parts if each.section == section]
            there = found.parts.get(section) if found else None
            if part is not None:
                change.parts.append(self._change(part, there, place, {}, change))
            elif there is not None and self._prunes:
                path = f"{wanted.path}.{section}"
                change.parts.append(ObjectChange("remove", kind, path, place, own, found=there))
        return change

    def _compare(
        self,
        change: ObjectChange,
        wanted: WantedObject,
        found: FoundObject | None,
        values: Mapping[str, Any],
        names: Mapping[str, Mapping[str, str]],
    ) -> None:
        """Notes the fields that differ."""
        kind, before = wanted.kind, shown(wanted.fields, found.message) if found else {}
        if kind.key and (found is None or found.name != wanted.name):
            setattr(change.desired, kind.key, wanted.name)
            if found is not None:
                self._rename(change, wanted, found)
        for name in values:
            if name in kind.members:
                _compare_members(change, name, wanted.values[name], before.get(name, []))
                continue
            is_readable = name in wanted.fields.message.fields_by_name
            if found and (not is_readable or is_same(name, change.desired, found.message)):
                continue
            old = with_names(name, before.get(name), names)
            if found and name in wanted.fields.initial:
                self._is_wrong(wanted, name, f"cannot be changed; it is {old}")
            change.fields[name] = (old, wanted.values[name])

    def _rename(self, change: ObjectChange, wanted: WantedObject, found: FoundObject) -> None:
        key = wanted.kind.key
        change.fields[key] = (found.name, wanted.name)
        field_ = wanted.fields.message.fields_by_name[key]
        if field_behavior_pb2.OUTPUT_ONLY in behavior(field_):
            self._is_wrong(wanted, "", f"cannot be renamed; it is {found.name}")

    def _choose_secrets(
        self, change: ObjectChange, wanted: WantedObject, found: FoundObject | None
    ) -> None:
        """Reads the secrets that have to be written: those that the server has not got."""
        for name, source in wanted.secrets.items():
            stored = secret_set_at(found, name) if found else None
            if _is_due(stored, source.rotated_at):
                self._add_secret(change, wanted, name)

    def _add_secret(self, change: ObjectChange, wanted: WantedObject, name: str) -> None:
        try:
            change.secrets[name] = wanted.secrets[name].secret()
        except OperatorError as error:
            self._is_wrong(wanted, name, str(error))

    def _surplus(
        self, kind: ObjectKind, place: WantedPlace, rest: Iterable[FoundObject], plan: PlacePlan
    ) -> None:
        """Plans the removal of objects that the file lacks, or names them."""
        if not kind.remove:
            return
        for found in rest:
            name = (found.name,) if kind.key else ()
            path = path_of((*place.place, kind.section, *name))
            if self._prunes:
                removal = ObjectChange("remove", kind, path, plan.ids, found.ids, found=found)
                plan.changes.append(removal)
            else:
                plan.unnamed.append(path)

    async def _try(self, change: ObjectChange) -> None:
        """Tries a change without effect, unless it depends on one that has not been made."""
        for part in change.parts:
            await self._try(part)
        change.parts = [part for part in change.parts if not part.is_empty]
        if not change.is_pending and (change.action != "change" or change.has_update):
            await self._preview(change)

    async def _preview(self, change: ObjectChange) -> None:
        try:
            answer = await self._api.preview(
                method_of(change.kind, change.method),
                change.request(),
                organization_id=change.organization_id,
                etag=change.etag,
            )
        except RefusalError as refusal:
            if self._needs_secrets(change, refusal):
                await self._preview(change)
            else:
                self._refused(change, refusal)
            return
        if change.found and answer.etag == change.found.etag:
            change.fields.clear()
        change.notes += _previewed(answer.message)

    def _needs_secrets(self, change: ObjectChange, refusal: RefusalError) -> bool:
        """Adds the secrets that are stored, if they are bound to a value that changes."""
        wanted, before = change.wanted, {*change.secrets}
        if wanted is None or not _SECRET_REQUIRED.fullmatch(refusal.reason):
            return False
        for name in wanted.secrets.keys() - before:
            self._add_secret(change, wanted, name)
        return bool(change.secrets.keys() - before)

    def _refused(self, change: ObjectChange, refusal: RefusalError) -> None:
        wanted = change.wanted
        if wanted and refusal.code == code_pb2.INVALID_ARGUMENT:
            self.wrong.append(Violation(wanted.path, refusal.sentence.rstrip(".")))
        elif refusal.code == code_pb2.PERMISSION_DENIED:
            self.wrong.append(Violation(change.path, refusal.sentence.rstrip(".")))
        else:
            change.notes.append(f"would be refused now: {refusal.sentence}")

    def _is_wrong(self, wanted: WantedObject, name: str, problem: str) -> None:
        self.wrong.append(Violation(f"{wanted.path}.{name}" if name else wanted.path, problem))


def _unfinished(
    kind: ObjectKind, pairs: Iterable[tuple[WantedObject, FoundObject | None]]
) -> Iterator[str]:
    """A sentence about each object that needs a step outside of the file."""
    name, sentence = kind.unfinished
    for wanted, found in pairs if name else ():
        if found is not None and not found.message.HasField(name):
            fields = {each.name: value for each, value in found.message.ListFields()}
            yield f"{wanted.path} {sentence.format_map(fields)}"


def _compare_members(change: ObjectChange, name: str, wanted: list[str], found: list[str]) -> None:
    change.adds |= (
        {name: added} if (added := [each for each in wanted if each not in found]) else {}
    )
    removed = [each for each in found if each not in wanted]
    change.removes |= {name: removed} if removed else {}


def _is_due(stored: datetime | None, rotated_at: datetime | None) -> bool:
    """Whether a secret has to be written: there is none, or it is older than its rotation."""
    return stored is None or (rotated_at is not None and stored < rotated_at)


def _previewed(answer: Any) -> list[str]:
    """What a trial says of its effects."""
    values = json_format.MessageToDict(answer, preserving_proto_field_name=True)
    return [f"ends {name.replace('_', ' ')}: {value}" for name, value in values.items()]
