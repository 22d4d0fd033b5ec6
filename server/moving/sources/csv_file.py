"""CSV (RFC 4180), whose header has names of fields: user_name, and any of the others below."""

import csv
import io
from collections.abc import Iterator
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from server.moving.sources.moved import (
    Choices,
    Left,
    SourceError,
    group_of,
    user_id_of,
    without_empty,
)

_TEXTS: Final = {
    "user_id": "userId",
    "user_name": "userName",
    "display_name": "displayName",
    "email": "email",
    "given_name": "givenName",
    "family_name": "familyName",
    "locale": "locale",
    "zoneinfo": "zoneinfo",
    "external_id": "externalId",
    "created_at": "createdAt",
}
_FURTHER: Final = ("email_verified", "groups")
_YES: Final = frozenset({"1", "true", "yes"})


def users(content: bytes, choices: Choices, left: Left) -> Iterator[dict[str, Any]]:
    """The rows of a file. Groups are separated by semicolons. SourceError for another file."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SourceError("The file is not UTF-8. Save it as CSV in UTF-8.") from None
    rows = csv.DictReader(io.StringIO(text))
    header = rows.fieldnames or ()
    if "user_name" not in header:
        raise SourceError(f"The first line has no user_name. Its names are {', '.join(_TEXTS)}.")
    known = {*_TEXTS, *_FURTHER}
    for name in header:
        if name not in known | choices.attributes:
            left.note(f"column {name} stays: declare an attribute, and name it by --attribute")
    for row in rows:
        yield _user(row, choices, left)


def _user(row: dict[str, str], choices: Choices, left: Left) -> dict[str, Any]:
    user = {name: row.get(column) for column, name in _TEXTS.items()}
    user_id = row.get("user_id") or _id_of(row["user_name"], choices.namespace)
    groups = filter(None, map(str.strip, (row.get("groups") or "").split(";")))
    return without_empty(
        {
            **user,
            "userId": user_id_of(user_id, left),
            "emailVerified": (row.get("email_verified") or "").lower() in _YES,
            "attributes": {name: row[name] for name in sorted(choices.attributes) if row.get(name)},
            "groups": [group_of(each, left) for each in groups],
        }
    )


def _id_of(user_name: str, namespace: str) -> str:
    """The same ID in every run, and another one in each namespace. SourceError without one."""
    if not namespace:
        raise SourceError(
            f"The user {user_name!r} has no user_id. Name the table by --namespace, such as the"
            " domain of its people: IDs are made of it and the user name."
        )
    return str(uuid5(uuid5(NAMESPACE_URL, namespace), user_name))
