"""Identifiers of objects."""

import re
from datetime import UTC, datetime
from typing import Final

import uuid_utils

_USER_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}")


def new_id() -> str:
    """An identifier: a UUIDv7, so that ids sort by creation (RFC 9562, section 5.7).

    The 12 bits of `rand_a` have room for the number of a database (decision 1), and are zero.
    """
    text = str(uuid_utils.uuid7())
    return f"{text[:15]}000{text[18:]}"


def created_at(new_id: str) -> datetime | None:
    """The time of an identifier that `new_id` gave, to the millisecond; None for an empty one."""
    if not new_id:
        return None
    return datetime.fromtimestamp(uuid_utils.UUID(new_id).timestamp / 1000, UTC)


def is_user_id(text: str) -> bool:
    """Whether the text has the form of the ID of a user, which an import can choose."""
    return _USER_ID.fullmatch(text) is not None
