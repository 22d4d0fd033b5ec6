"""Auth0: lines of a bulk export of users, each with its authentication methods, if there are any.

https://auth0.com/docs/manage-users/user-migration/bulk-user-exports; passkeys are in
`GET /api/v2/users/{id}/authentication-methods`, whose answer is the member
`authentication_methods` of a line.
"""

from collections.abc import Iterator
from typing import Any, Final

from server.moving.sources.auth0_configuration import is_client, is_connection, objects
from server.moving.sources.moved import (
    Choices,
    Json,
    Left,
    SourceError,
    time_of,
    url_of_base64,
    user_id_of,
    without_empty,
)

# The provider of connections with a password.
_DATABASE: Final = "auth0"


def users(content: bytes, choices: Choices, left: Left) -> Iterator[dict[str, Any]]:
    """The users of a file. SourceError for another file, or without a relying party."""
    for user in objects(content):
        if is_client(user) or is_connection(user):
            continue
        if not isinstance(user, dict) or "user_id" not in user:
            raise SourceError("The file has no users with user_id. Export this field, too.")
        yield _user(user, choices, left)


def _user(user: Json, choices: Choices, left: Left) -> dict[str, Any]:
    email = user.get("email", "")
    for name in ("app_metadata", "user_metadata"):
        if user.get(name):
            left.note(f"{name} stays: declare attributes")
    return without_empty(
        {
            "userId": user_id_of(user["user_id"], left),
            "userName": user.get("username") or email or user["user_id"],
            "displayName": user.get("name"),
            "givenName": user.get("given_name"),
            "familyName": user.get("family_name"),
            "locale": user.get("locale"),
            "email": email,
            "emailVerified": bool(email) and user.get("email_verified", False),
            "idpLinks": _links(user, left),
            "passkeys": _passkeys(user, choices.rp_id, left),
            "createdAt": time_of(user.get("created_at")),
            "isLocked": bool(user.get("blocked")),
            "lockReason": "Blocked in Auth0" if user.get("blocked") else "",
        }
    )


def _links(user: Json, left: Left) -> list[dict[str, str]]:
    links = []
    for each in user.get("identities", ()):
        if each["provider"] == _DATABASE:
            left.note("passwords stay")
        else:
            left.note(f"links need an identity provider named {each['connection']}")
            links.append({"idp": each["connection"], "subject": str(each["user_id"])})
    return links


def _passkeys(user: Json, rp_id: str, left: Left) -> list[dict[str, Any]]:
    passkeys = []
    for method in user.get("authentication_methods", ()):
        if method["type"] == "passkey":
            passkeys.append(_passkey(method, rp_id))
        else:
            left.note(f"authentication methods of the type {method['type']} stay")
    return passkeys


def _passkey(method: Json, rp_id: str) -> dict[str, Any]:
    rp_id = method.get("relying_party_identifier") or rp_id
    if not rp_id:
        raise SourceError("Name the domain of Auth0 by --rp-id: its passkeys are for this domain.")
    return without_empty(
        {
            "credentialId": url_of_base64(method["key_id"]),
            "publicKey": url_of_base64(method["public_key"]),
            "userHandle": method["user_handle"],
            "rpId": rp_id,
            "backupEligible": method.get("credential_device_type") == "multi_device",
            "backedUp": method.get("credential_backed_up", False),
            "transports": method.get("transports", ()),
            "name": method.get("name"),
            "createdAt": time_of(method.get("created_at")),
        }
    )
