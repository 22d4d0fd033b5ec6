"""Keycloak: the export of a realm, or of its users (`kc.sh export`).

https://github.com/keycloak/keycloak: UserRepresentation, CredentialRepresentation and
WebAuthnCredentialData (a text of JSON in `credentialData`).
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from server.moving.sources.keycloak_configuration import issuer_of
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

_PASSKEY: Final = "webauthn-passwordless"
_NO_PASSKEYS: Final = {
    "webauthn": "second factors of WebAuthn stay: they sign nobody in alone",
    "password": "passwords stay",
    "otp": "one-time codes stay",
    "recovery-authn-codes": "recovery codes stay",
}
_MILLISECONDS: Final = 1000


def users(content: bytes, choices: Choices, left: Left) -> Iterator[dict[str, Any]]:
    """The users of the realms of a file.

    SourceError: it has none, or no relying party, or one name of providers with two issuers.
    """
    for document in documents(content):
        for realm in document if isinstance(document, list) else [document]:
            if "users" not in realm:
                raise SourceError(
                    "The file has no users. Export them too: kc.sh export --users same_file"
                )
            rp_id = choices.rp_id or realm.get("webAuthnPolicyPasswordlessRpId", "")
            issuers = {
                each["alias"]: issuer_of(each) for each in realm.get("identityProviders", ())
            }
            for user in realm["users"]:
                if user.get("serviceAccountClientId"):
                    left.note("service accounts stay: create applications of the kind SERVICE")
                else:
                    _tell_apart(user, realm, issuers, left)
                    yield _user(user, rp_id, choices, left)


def _tell_apart(user: Json, realm: Json, issuers: Mapping[str, str], left: Left) -> None:
    """Refuses a name of providers with two issuers: users of one would become those of another."""
    for link in user.get("federatedIdentities", ()):
        name = link["identityProvider"]
        unknown = f"{name} of the realm {realm.get('realm', '')}"
        left.rename("identity provider", issuers.get(name, unknown), name)


def _user(user: Json, rp_id: str, choices: Choices, left: Left) -> dict[str, Any]:
    attributes = dict(user.get("attributes", {}))
    [locale, *_] = attributes.pop("locale", [""]) or [""]
    names = [user.get("firstName", ""), user.get("lastName", "")]
    links = [
        {"idp": each["identityProvider"], "subject": each["userId"]}
        for each in user.get("federatedIdentities", ())
    ]
    for each in links:
        left.note(f"links need an identity provider named {each['idp']}")
    if user.get("realmRoles") or user.get("clientRoles"):
        left.note("users have roles, which stay: applications read groups")
    return without_empty(
        {
            "userId": user_id_of(user["id"], left),
            "userName": user["username"],
            "displayName": " ".join(filter(None, names)),
            "givenName": names[0],
            "familyName": names[1],
            "email": user.get("email", ""),
            "emailVerified": bool(user.get("email")) and user.get("emailVerified", False),
            "locale": locale,
            "attributes": _attributes(attributes, choices, left),
            "groups": [group_of(each, left) for each in user.get("groups", ())],
            "idpLinks": links,
            "passkeys": _passkeys(user, rp_id, left),
            "createdAt": time_of(user.get("createdTimestamp"), unit=_MILLISECONDS),
            "isLocked": not user.get("enabled", True),
            "lockReason": "" if user.get("enabled", True) else "Disabled in Keycloak",
        }
    )


def _attributes(attributes: Json, choices: Choices, left: Left) -> dict[str, Any]:
    for name in attributes.keys() - choices.attributes:
        left.note(f"attribute {name} stays: declare it, and name it by --attribute")
    return {
        name: values[0] if len(values) == 1 else values
        for name, values in attributes.items()
        if name in choices.attributes and values
    }


def _passkeys(user: Json, rp_id: str, left: Left) -> list[dict[str, Any]]:
    passkeys = []
    for credential in user.get("credentials", ()):
        kind = credential.get("type", "")
        if kind == _PASSKEY:
            passkeys.append(_passkey(user["id"], credential, rp_id))
        else:
            left.note(_NO_PASSKEYS.get(kind, f"credentials of the type {kind} stay"))
    return passkeys


def _passkey(user_id: str, credential: Json, rp_id: str) -> dict[str, Any]:
    """A passkey, whose user handle is the ID of the user in UTF-8 (WebAuthnRegister)."""
    if not rp_id:
        raise SourceError("The realm names no relying party. Name the host of Keycloak by --rp-id.")
    data = json.loads(credential["credentialData"])
    return without_empty(
        {
            "credentialId": url_of_base64(data["credentialId"]),
            "publicKey": url_of_base64(data["credentialPublicKey"]),
            "userHandle": base64url(user_id.encode()),
            "rpId": rp_id,
            "signCount": data.get("counter", 0),
            "transports": data.get("transports", ()),
            "aaguid": data.get("aaguid", ""),
            "name": credential.get("userLabel", ""),
            "createdAt": time_of(credential.get("createdDate"), unit=_MILLISECONDS),
        }
    )
