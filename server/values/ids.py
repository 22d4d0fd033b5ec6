"""Identifiers of objects."""

import uuid_utils


def new_id() -> str:
    """An identifier: a UUIDv7, so that ids sort by creation (RFC 9562, section 5.7)."""
    return str(uuid_utils.uuid7())
