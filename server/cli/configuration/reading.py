"""Reads the objects of a server that a file names, or that an export writes."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from google.rpc import code_pb2

from server.cli.configuration.client import Api, RefusalError
from server.cli.configuration.fields import method_of, named
from server.cli.configuration.kinds import ORGANIZATIONS, ObjectKind
from server.cli.declared.command import service_of
from server.values.errors import OperatorError

_ETAG: Final = '"{}"'


@dataclass(slots=True, eq=False)
class FoundObject:
    """An object of the server. `etag` is that of its present version; `ids` name it in requests."""

    kind: ObjectKind
    message: Any
    ids: dict[str, str]
    etag: str = ""
    parts: dict[str, "FoundObject"] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its name; empty for a single object."""
        return getattr(self.message, self.kind.key) if self.kind.key else ""

    @property
    def id(self) -> str:
        """Its ID; empty for a single object."""
        return self.ids.get(self.kind.id, "")


def secret_set_at(found: FoundObject, secret: str) -> datetime | None:
    """The time since which a secret is stored. None: none is."""
    message = found.message
    for name in (f"{secret}_set_at", "secret_set_at"):
        if name in message.DESCRIPTOR.fields_by_name:
            return _moment(getattr(message, name)) if message.HasField(name) else None
    secrets = message.secrets
    return _moment(secrets[-1].created_at) if secrets else None


def has_secret(found: FoundObject, secret: str) -> bool:
    """Whether this secret is stored, of those that an object can have."""
    known = found.message.DESCRIPTOR.fields_by_name
    return (f"{secret}_set_at" in known or "secrets" in known) and bool(
        secret_set_at(found, secret)
    )


def _moment(timestamp: Any) -> datetime:
    moment: datetime = timestamp.ToDatetime(UTC)
    return moment


async def read_kind(api: Api, kind: ObjectKind, org_id: str) -> list[FoundObject]:
    """The objects of a kind, without their parts. `RefusalError`, except for NOT_FOUND."""
    method, ids = method_of(kind, kind.read), {"org_id": org_id}
    objects: list[FoundObject] = []
    try:
        pages = api.pages(method, named(method, ids), organization_id=org_id)
        async for page in pages:
            objects += [_found(kind, each, ids) for each in _objects(page)]
    except RefusalError as refusal:
        if kind.key or refusal.code != code_pb2.NOT_FOUND:
            raise
    return objects


def _objects(page: Any) -> Iterable[Any]:
    [field_] = [each for each in page.DESCRIPTOR.fields if each.message_type]
    value = getattr(page, field_.name)
    return value if field_.is_repeated else [value]


def _found(kind: ObjectKind, message: Any, ids: dict[str, str]) -> FoundObject:
    known = {kind.id: getattr(message, kind.id)} if kind.id else {}
    found = FoundObject(kind, message, ids | known, _ETAG.format(message.details.sequence))
    for part in kind.parts:
        if not part.read and message.HasField(part.section):
            inner = getattr(message, part.section)
            found.parts[part.section] = FoundObject(part, inner, found.ids, found.etag)
    return found


async def complete(api: Api, found: FoundObject, org_id: str) -> None:
    """Reads what the list leaves out, and the parts. `RefusalError`."""
    kind = found.kind
    if kind.get:
        method = method_of(kind, kind.get)
        answer = await api.read(method, named(method, found.ids), organization_id=org_id)
        [found.message] = _objects(answer)
        found.etag = _ETAG.format(found.message.details.sequence)
    for part in kind.parts:
        if part.read:
            await _read_part(api, found, part, org_id)


async def _read_part(api: Api, found: FoundObject, part: ObjectKind, org_id: str) -> None:
    method = method_of(part, part.read)
    try:
        answer = await api.read(method, named(method, found.ids), organization_id=org_id)
    except RefusalError as refusal:
        if refusal.code != code_pb2.NOT_FOUND:
            raise
        return
    [message] = _objects(answer)
    etag = _ETAG.format(message.details.sequence)
    found.parts[part.section] = FoundObject(part, message, found.ids, etag)


async def complete_all(api: Api, objects: Iterable[FoundObject], org_id: str) -> None:
    """The same for several objects."""
    await asyncio.gather(*(complete(api, each, org_id) for each in objects))


async def own_organization(api: Api) -> str:
    """The ID of the organization of the token's user. `RefusalError`."""
    method = service_of("UserService").methods_by_name["GetCurrentUser"]
    answer = await api.read(method, named(method, {}))
    organization_id: str = answer.user.details.resource_owner
    return organization_id


async def organization_of(api: Api, text: str) -> str:
    """The ID of an organization by its ID or name. `OperatorError`, `RefusalError`."""
    found = await read_kind(api, ORGANIZATIONS, "")
    same = [each.id for each in found if text in (each.id, each.name)]
    if not same:
        raise OperatorError(f"There is no organization '{text}'. List them: keystead org list")
    return same[0]
