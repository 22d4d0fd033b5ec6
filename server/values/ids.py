"""Identifiers of objects."""

from datetime import UTC, datetime

import uuid_utils


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
