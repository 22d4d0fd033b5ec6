"""Pocket ID: `database.json` of `pocket-id export`.

https://github.com/pocket-id/pocket-id: export_service.go, and the models of users, groups and
credentials. It stores no sign counts.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from server.moving.sources.moved import (
    Choices,
    Json,
    Left,
    SourceError,
    base64url,
    documents,
    group_of,
    time_of,
    url_of_base64,
    user_id_of,
    without_empty,
)


def users(content: bytes, choices: Choices, left: Left) -> Iterator[dict[str, Any]]:
    """The users of an export. SourceError for another file, or without a relying party."""
    [export, *_] = documents(content)
    tables = export.get("tables", {})
    if "users" not in tables:
        raise SourceError("The file has no table of users. Unpack database.json of the export.")
    names = {each["id"]: each["name"] for each in tables.get("user_groups", ())}
    groups, credentials = defaultdict[str, list[str]](list), defaultdict[str, list[Json]](list)
    for each in tables.get("user_groups_users", ()):
        groups[each["user_id"]].append(group_of(names[each["user_group_id"]], left))
    for each in tables.get("webauthn_credentials", ()):
        credentials[each["user_id"]].append(each)
    if credentials and not choices.rp_id:
        raise SourceError("Name the host of Pocket ID by --rp-id: its passkeys are for this host.")
    if tables.get("custom_claims"):
        left.note("custom claims stay: declare attributes", len(tables["custom_claims"]))
    for user in tables["users"]:
        passkeys = [_passkey(user, each, choices.rp_id) for each in credentials[user["id"]]]
        yield _user(user, groups[user["id"]], passkeys, left)


def _user(
    user: Json, groups: list[str], passkeys: list[dict[str, Any]], left: Left
) -> dict[str, Any]:
    if user.get("is_admin"):
        left.note("administrators are users here: grant them roles")
    names = [user.get("first_name") or "", user.get("last_name") or ""]
    return without_empty(
        {
            "userId": user_id_of(user["id"], left),
            "userName": user["username"],
            "displayName": user.get("display_name") or " ".join(filter(None, names)),
            "givenName": names[0],
            "familyName": names[1],
            "email": user.get("email"),
            "emailVerified": bool(user.get("email")) and user.get("email_verified", False),
            "locale": user.get("locale"),
            "groups": groups,
            "passkeys": passkeys,
            "createdAt": time_of(user.get("created_at")),
            "isLocked": bool(user.get("disabled")),
            "lockReason": "Disabled in Pocket ID" if user.get("disabled") else "",
        }
    )


def _passkey(user: Json, credential: Json, rp_id: str) -> dict[str, Any]:
    """A passkey, whose user handle is the ID of the user in UTF-8 (`WebAuthnID`)."""
    return without_empty(
        {
            "credentialId": _bytes(credential["credential_id"]),
            "publicKey": _bytes(credential["public_key"]),
            "userHandle": base64url(user["id"].encode()),
            "rpId": rp_id,
            "backupEligible": bool(credential.get("backup_eligible")),
            "backedUp": bool(credential.get("backup_state")),
            "transports": _transports(credential.get("transport")),
            "name": credential.get("name"),
            "createdAt": time_of(credential.get("created_at")),
        }
    )


def _bytes(value: str | Json) -> str:
    """A column of bytes, which the export has as text if it is UTF-8, in base64url."""
    if isinstance(value, str):
        return base64url(value.encode())
    return url_of_base64(value["__binary__"])


def _transports(value: str | list[str] | None) -> list[str]:
    """A column of JSON, which the export has as text."""
    if isinstance(value, str):
        return list(documents(value.encode())[0] or ())
    return list(value or ())
