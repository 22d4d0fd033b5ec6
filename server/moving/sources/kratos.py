"""Ory Kratos: identities of `GET /admin/identities?include_credential=...`, an array or lines.

https://github.com/ory/kratos: identity.go, credentials_webauthn.go and credentials_oidc.go; bytes
are base64 as Go writes them. The traits are those of Ory's presets: email, username, and name with
first and last.
"""

from collections.abc import Iterator
from typing import Any, Final

from server.moving.sources.moved import (
    Choices,
    Json,
    Left,
    SourceError,
    aaguid_of,
    documents,
    time_of,
    url_of_base64,
    user_id_of,
    without_empty,
)

_KEYS: Final = ("webauthn", "passkey")


def users(content: bytes, choices: Choices, left: Left) -> Iterator[dict[str, Any]]:
    """The identities of a file. SourceError for another file, or without a relying party."""
    found = documents(content)
    identities = found[0] if len(found) == 1 and isinstance(found[0], list) else found
    for identity in identities:
        if not isinstance(identity, dict) or "traits" not in identity:
            raise SourceError("The file has no identities with traits.")
        yield _user(identity, choices, left)


def _user(identity: Json, choices: Choices, left: Left) -> dict[str, Any]:
    traits, credentials = identity["traits"], identity.get("credentials") or {}
    email = traits.get("email", "")
    name = traits.get("name") or {}
    full = name if isinstance(name, str) else ""
    first, last = ("", "") if full else (name.get("first", ""), name.get("last", ""))
    verified = {
        each["value"] for each in identity.get("verifiable_addresses") or () if each["verified"]
    }
    for kind in credentials.keys() - {*_KEYS, "oidc"}:
        left.note(f"credentials of the type {kind} stay")
    return without_empty(
        {
            "userId": user_id_of(identity["id"], left),
            "userName": traits.get("username") or email or identity["id"],
            "displayName": full or " ".join(filter(None, (first, last))),
            "givenName": first,
            "familyName": last,
            "email": email,
            "emailVerified": bool(email) and email in verified,
            "idpLinks": _links(credentials, left),
            "passkeys": _passkeys(credentials, choices.rp_id, left),
            "createdAt": identity.get("created_at"),
            "isLocked": identity.get("state") == "inactive",
            "lockReason": "Inactive in Kratos" if identity.get("state") == "inactive" else "",
        }
    )


def _links(credentials: Json, left: Left) -> list[dict[str, str]]:
    providers = credentials.get("oidc", {}).get("config", {}).get("providers", ())
    for each in providers:
        left.note(f"links need an identity provider named {each['provider']}")
    return [{"idp": each["provider"], "subject": each["subject"]} for each in providers]


def _passkeys(credentials: Json, rp_id: str, left: Left) -> list[dict[str, Any]]:
    passkeys = []
    for kind in _KEYS:
        config = credentials.get(kind, {}).get("config", {})
        for credential in config.get("credentials", ()):
            if kind == "webauthn" and not credential.get("is_passwordless"):
                left.note("second factors of WebAuthn stay: they sign nobody in alone")
            elif not rp_id:
                raise SourceError("Name the relying party of Kratos (rp.id) by --rp-id.")
            else:
                passkeys.append(_passkey(credential, config["user_handle"], rp_id))
    return passkeys


def _passkey(credential: Json, user_handle: str, rp_id: str) -> dict[str, Any]:
    authenticator, flags = credential.get("authenticator", {}), credential.get("flags") or {}
    return without_empty(
        {
            "credentialId": url_of_base64(credential["id"]),
            "publicKey": url_of_base64(credential["public_key"]),
            "userHandle": url_of_base64(user_handle),
            "rpId": rp_id,
            "signCount": authenticator.get("sign_count", 0),
            "aaguid": aaguid_of(authenticator.get("aaguid", "")),
            "backupEligible": flags.get("backup_eligible", False),
            "backedUp": flags.get("backup_state", False),
            "name": credential.get("display_name"),
            "createdAt": time_of(credential.get("added_at")),
        }
    )
