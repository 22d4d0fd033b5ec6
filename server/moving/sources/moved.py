"""The common parts of the exports: IDs, groups, times and what cannot move."""

import base64
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias
from uuid import UUID

Json: TypeAlias = Mapping[str, Any]

_NO_ID: Final = re.compile(r"[^A-Za-z0-9._:-]")
_NO_GROUP: Final = re.compile(r"[^a-z0-9._-]+")
_MAX_GROUP: Final = 64


class SourceError(ValueError):
    """A file is not an export of the system; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices of a migration: the relying party of the passkeys, and attributes that move.

    `namespace` tells users without an ID from those of other tables.
    """

    rp_id: str = ""
    attributes: frozenset[str] = frozenset()
    namespace: str = ""


@dataclass(slots=True)
class Left:
    """What cannot move, by sentences with the number of users or objects, and what is renamed."""

    counts: Counter[str] = field(default_factory=Counter)
    _renamed: dict[tuple[str, str], str] = field(default_factory=dict)

    def note(self, sentence: str, number: int = 1) -> None:
        """Counts something that stays behind."""
        self.counts[sentence] += number

    def rename(self, kind: str, old: str, new: str) -> None:
        """Notes a new name. SourceError, if another old one got it, since the two would be one."""
        if not new:
            raise SourceError(f"The {kind} {old!r} has no letter or digit of ASCII. Rename it.")
        other = self._renamed.setdefault((kind, new), old)
        if other != old:
            raise SourceError(
                f"The {kind}s {other!r} and {old!r} would both be {new!r} here. Rename one of them."
            )


Read: TypeAlias = Callable[[bytes, Choices, Left], Iterator[dict[str, Any]]]


def user_id_of(text: str, left: Left) -> str:
    """The ID in the form of Keystead; others change, so applications see another `sub`.

    SourceError: there is none, or two IDs would become one.
    """
    changed = _NO_ID.sub(":", text)
    left.rename("user ID", text, changed)
    if changed != text:
        left.note("user IDs have characters that IDs cannot have; they are colons now")
    return changed


def group_of(name: str, left: Left) -> str:
    """The name of a group in the form of Keystead. SourceError, as for IDs."""
    path = name.strip("/")
    changed = _NO_GROUP.sub("-", path.lower().replace("/", "."))[:_MAX_GROUP].strip("-")
    left.rename("group", path, changed)
    if changed != path:
        left.note(f"group {name} is named {changed}", 0)
    return changed


def time_of(value: float | str | None, *, unit: int = 1) -> str:
    """An instant in ISO 8601, from text or from a number of units since 1970; empty: unknown."""
    if not value:
        return ""
    if isinstance(value, str):
        return value
    return datetime.fromtimestamp(value / unit, UTC).isoformat().replace("+00:00", "Z")


def base64url(data: bytes) -> str:
    """base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def url_of_base64(text: str) -> str:
    """The same text in base64url without padding."""
    return text.replace("+", "-").replace("/", "_").rstrip("=")


def aaguid_of(text: str) -> str:
    """The AAGUID of the base64 of its bytes; empty if it has none."""
    data = base64.b64decode(text or "")
    return str(UUID(bytes=data)) if len(data) == 16 else ""


def without_empty(value: Json) -> dict[str, Any]:
    """The members with a value."""
    return {name: each for name, each in value.items() if each not in ("", None, [], (), {}, False)}


def documents(content: bytes) -> list[Any]:
    """The JSON values of a file: one, or one a line. SourceError for another file."""
    try:
        return [json.loads(content)]
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in content.splitlines() if line.strip()]
    except ValueError:
        raise SourceError("The file is neither JSON nor lines of JSON.") from None


def with_one_address(users: Iterable[dict[str, Any]], left: Left) -> Iterator[dict[str, Any]]:
    """The users, without addresses that one before them has."""
    seen = set[str]()
    for user in users:
        address = user.get("email", "").casefold()
        if address in seen:
            left.note("users have the address of another one, so theirs is left out")
            yield {name: each for name, each in user.items() if not name.startswith("email")}
        else:
            yield user
        seen |= {address} - {""}
