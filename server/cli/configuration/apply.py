"""Makes the changes of a plan, each at most once and only to the version that the plan has seen.

Objects of a section are changed at the same time, sections one after the other: an object after
those that it names, removals last and in the opposite order.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from google.rpc import code_pb2

from server.cli.configuration.changes import ObjectChange, PlacePlan
from server.cli.configuration.client import Api, RefusalError
from server.cli.configuration.fields import method_of, named
from server.cli.configuration.kinds import ORGANIZATIONS, ObjectKind
from server.cli.configuration.reading import FoundObject, read_kind

Outcome: TypeAlias = Literal["done", "conflict", "refused"]

# Errors of a change that somebody else was faster with.
_CONFLICTS: Final = {code_pb2.ALREADY_EXISTS, code_pb2.NOT_FOUND}
_MISMATCH: Final = "ETAG_MISMATCH"
DOUBLE: Final = "somebody else created one too; the one of this run was removed."
# Another run removes its object with a larger ID within this time, if it has seen the smaller one.
_READS_OF_DOUBLES: Final = 5
_SECONDS_BETWEEN_READS: Final = 1


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """The end of a change. `problem` is empty if it was made."""

    change: ObjectChange
    outcome: Outcome
    problem: str = ""


class Applier:
    """Makes changes. `tell` gets each result when it is there."""

    def __init__(self, api: Api, tell: Callable[[ChangeResult], None]) -> None:
        self._api = api
        self._tell = tell
        self.results: list[ChangeResult] = []

    async def apply(self, plans: Sequence[PlacePlan]) -> None:
        """Makes the changes of all places."""
        await asyncio.gather(*(self._place(plan) for plan in plans))

    async def _place(self, plan: PlacePlan) -> None:
        if plan.organization is not None:
            await self._one(plan.organization)
            if "org_id" not in plan.ids:
                return
        for kind in plan.kinds:
            of_kind = [each for each in plan.changes if each.kind is kind]
            if kind is ORGANIZATIONS:
                _renew(of_kind)
            await self._all(each for each in of_kind if each.action != "remove")
            # Before the objects that name these: of two of one name, neither can be named.
            async for change in _withdraw(self._api, plan, kind):
                self._note(ChangeResult(change, "conflict", DOUBLE))
        for kind in reversed(plan.kinds):
            of_kind = [each for each in plan.changes if each.kind is kind]
            await self._all(each for each in of_kind if each.action == "remove")

    async def _all(self, changes: Iterable[ObjectChange]) -> None:
        await asyncio.gather(*(self._one(change) for change in changes))

    async def _one(self, change: ObjectChange) -> None:
        try:
            await self._make(change)
            result = ChangeResult(change, "done")
        except RefusalError as refusal:
            is_conflict = refusal.reason == _MISMATCH or refusal.code in _CONFLICTS
            result = ChangeResult(
                change, "conflict" if is_conflict else "refused", refusal.sentence
            )
        self._note(result)

    def _note(self, result: ChangeResult) -> None:
        self.results.append(result)
        self._tell(result)

    async def _make(self, change: ObjectChange) -> None:
        """Makes a change with its parts. Each step gives the version that the next one needs."""
        etag = change.etag
        if change.action != "change" or change.has_update:
            etag = await self._main(change, etag)
        if change.action == "change" and change.kind.secrets_by:
            for name, text in change.secrets.items():
                etag = await self._step(change, change.kind.secrets_by, etag, **{name: text})
        for field, members in change.kind.members.items():
            for value in change.adds.get(field, ()):
                etag = await self._step(change, members.add, etag, **{members.field: value})
            for value in change.removes.get(field, ()):
                etag = await self._step(change, members.remove, etag, **{members.field: value})
        for part in change.parts:
            if part.found is not None and not part.kind.read:
                part.found.etag = etag
            await self._make(part)

    async def _main(self, change: ObjectChange, etag: str) -> str:
        method = method_of(change.kind, change.method)
        answer = await self._api.change(
            method,
            change.request(),
            organization_id=change.organization_id,
            etag=etag,
            has_key=change.is_creation,
        )
        if change.is_creation and change.kind.id and change.kind.id not in change.own:
            change.own[change.kind.id] = getattr(answer.message, change.kind.id)
        return answer.etag

    async def _step(self, change: ObjectChange, name: str, etag: str, **values: str) -> str:
        method = method_of(change.kind, name)
        request = named(method, change.ids, **values)
        answer = await self._api.change(
            method, request, organization_id=change.organization_id, etag=etag
        )
        return answer.etag


def _renew(renamed: Sequence[ObjectChange]) -> None:
    """Lets organizations get their names, whose sections have changed their versions."""
    for found in filter(None, (change.found for change in renamed)):
        found.etag = ""


async def _withdraw(api: Api, plan: PlacePlan, kind: ObjectKind) -> AsyncIterator[ObjectChange]:
    """Removes objects of this run with the name of one that somebody else created meanwhile.

    Names of some kinds may repeat, so no constraint refuses the second of two. Every run leaves the
    object with the smallest ID. IDs are given out before commits, so the run of a larger one may
    have read before the smaller one was there: if the larger one stays, the smaller one is removed.
    Objects whose ID the file gives stay, and those that were there before are no doubles. Gives the
    creations that it has undone.
    """
    created = [each for each in plan.changes if each.kind is kind and each.is_creation and each.own]
    creations = [each for each in created if _may_be_double(each)]
    settled = plan.known | {each.own[kind.id] for each in created}
    reads = _READS_OF_DOUBLES
    while creations:
        reads -= 1
        found = await read_kind(api, kind, creations[0].organization_id)
        others = [each for each in found if each.id not in settled]
        etags = {each.id: each.etag for each in found}
        waiting = []
        for change in creations:
            own, ids = change.own[kind.id], _same_name(change, others)
            if not ids or own not in etags:
                continue
            if own < min(ids) and reads:
                waiting.append(change)
            else:
                await _undo(api, change, etags[own])
                yield change
        creations = waiting
        if creations:
            await asyncio.sleep(_SECONDS_BETWEEN_READS)


def _may_be_double(creation: ObjectChange) -> bool:
    """Whether the name of the object may repeat, and its ID is the server's."""
    kind, wanted = creation.kind, creation.wanted
    return bool(kind.key and not kind.unique and wanted and not wanted.id)


def _same_name(creation: ObjectChange, others: Iterable[FoundObject]) -> list[str]:
    """The IDs of the others with the name of the created object."""
    return [each.id for each in others if creation.wanted and each.name == creation.wanted.name]


async def _undo(api: Api, creation: ObjectChange, etag: str) -> None:
    method = method_of(creation.kind, creation.kind.remove)
    request = named(method, creation.ids)
    await api.change(method, request, organization_id=creation.organization_id, etag=etag)
