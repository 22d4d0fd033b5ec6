"""Exports of other systems, made by hand after the sources that each names."""

import base64
import json
from typing import Any
from uuid import UUID

from examples.software_authenticator import EDDSA, ES256, RS256, unb64
from tests.moving import people
from tests.moving.people import Passkey

RP_ID = people.RP_ID


def _b64(data: bytes) -> str:
    """Standard base64, as Java and Go write bytes."""
    return base64.b64encode(data).decode()


def _key(passkey: Passkey) -> bytes:
    return unb64(passkey.message.public_key)


def keycloak(*passkeys: Passkey, user_id: str, **user: Any) -> dict[str, Any]:
    """A user of a realm: RepresentationToModel of keycloak/keycloak, WebAuthnCredentialProvider."""
    credentials = [
        {
            "id": f"c{n}",
            "type": "webauthn-passwordless",
            "userLabel": f"Key {n}",
            "createdDate": 1_700_000_000_000,
            "secretData": "{}",
            "credentialData": json.dumps(
                {
                    "aaguid": str(UUID(int=n)),
                    "credentialId": _b64(passkey.credential_id),
                    "counter": 3 + n,
                    "credentialPublicKey": passkey.message.public_key,
                    "attestationStatementFormat": "none",
                    "transports": ["internal"],
                }
            ),
        }
        for n, passkey in enumerate(passkeys)
    ]
    return {
        "id": user_id,
        "username": f"user-{user_id}",
        "enabled": True,
        "createdTimestamp": 1_600_000_000_000,
        "credentials": credentials,
    } | user


def realm(*users: dict[str, Any], rp_id: str = RP_ID) -> dict[str, Any]:
    """The export of a realm with its users in the same file."""
    return {"realm": "company", "webAuthnPolicyPasswordlessRpId": rp_id, "users": list(users)}


def pocket_id(passkey: Passkey, user_id: str) -> dict[str, Any]:
    """`database.json`: export_service.go of pocket-id/pocket-id. A key of UTF-8 bytes is text."""
    return {
        "provider": "sqlite",
        "version": 20260101000000,
        "tables": {
            "users": [
                {
                    "id": user_id,
                    "username": f"user-{user_id}",
                    "email": f"{user_id}@example.com",
                    "first_name": "渡辺",
                    "last_name": None,
                    "display_name": "渡辺 直美",
                    "is_admin": True,
                    "disabled": False,
                    "locale": None,
                    "created_at": 1_700_000_000,
                },
                {"id": f"{user_id}-2", "username": f"b-{user_id}", "disabled": True},
            ],
            "user_groups": [{"id": "g", "name": "Staff Members"}],
            "user_groups_users": [{"user_id": user_id, "user_group_id": "g"}],
            "custom_claims": [{"key": "a"}],
            "webauthn_credentials": [
                {
                    "user_id": user_id,
                    "name": "Phone",
                    "credential_id": {"__binary__": _b64(passkey.credential_id)},
                    "public_key": {"__binary__": _b64(_key(passkey))},
                    "transport": '["internal"]',
                    "backup_eligible": True,
                    "backup_state": True,
                    "created_at": 1_700_000_000,
                },
                {
                    "user_id": f"{user_id}-2",
                    "credential_id": f"text-{user_id}",
                    "public_key": {"__binary__": _b64(_key(passkey))},
                    "transport": None,
                },
            ],
        },
    }


def kratos(passkey: Passkey, user_id: str) -> list[dict[str, Any]]:
    """Identities: identity.go, credentials_webauthn.go, credentials_oidc.go of ory/kratos."""
    email = f"{user_id}@example.com"
    factor = {"id": "AA==", "public_key": "AA==", "is_passwordless": False}
    key = {
        "id": _b64(passkey.credential_id),
        "public_key": _b64(_key(passkey)),
        "authenticator": {"aaguid": _b64(bytes(16)), "sign_count": 3},
        "display_name": "Key",
        "added_at": "2024-01-01T00:00:00Z",
        "is_passwordless": True,
    }
    handle = _b64(passkey.user_handle)
    return [
        {
            "id": user_id,
            "state": "active",
            "traits": {"email": email, "name": {"first": "Σωκράτης", "last": "Π"}},
            "verifiable_addresses": [{"value": email, "verified": True, "via": "email"}],
            "created_at": "2023-01-01T00:00:00Z",
            "credentials": {
                "password": {"type": "password", "config": {}},
                "webauthn": {"config": {"credentials": [factor, key], "user_handle": handle}},
            },
        },
        {
            "id": f"{user_id}-2",
            "state": "inactive",
            "traits": {"username": f"b-{user_id}", "name": "Bob"},
            "credentials": {"oidc": {"config": {"providers": []}}},
        },
    ]


def auth0(passkey: Passkey, user_id: str) -> list[dict[str, Any]]:
    """Users of an export, with the answer of their authentication methods."""
    method = {
        "type": "passkey",
        "key_id": passkey.message.credential_id,
        "public_key": _b64(_key(passkey)),
        "user_handle": passkey.message.user_handle,
        "credential_device_type": "single_device",
        "credential_backed_up": False,
        "transports": ["usb"],
        "created_at": "2025-06-26T10:28:12.580Z",
    }
    return [
        {
            "user_id": f"auth0|{user_id}",
            "email": f"{user_id}@example.com",
            "email_verified": True,
            "name": "Ada",
            "created_at": "2020-01-01T00:00:00.000Z",
            "identities": [{"provider": "auth0", "connection": "Users", "user_id": user_id}],
            "user_metadata": {"a": 1},
            "authentication_methods": [method, {"type": "phone"}],
        },
        {"user_id": f"{user_id}-2", "username": f"b-{user_id}", "blocked": True},
    ]


def zitadel(user_id: str) -> dict[str, Any]:
    """ExportData: docs/docs/guides/migrate/users.md of zitadel/zitadel."""
    user = {
        "userName": f"user-{user_id}",
        "profile": {"firstName": "أحمد", "lastName": "X", "preferredLanguage": "de"},
        "email": {"email": f"{user_id}@example.com", "isEmailVerified": True},
        "hashedPassword": {"value": "$2a$14$x"},
        "otpCode": "x",
    }
    return {
        "orgs": [
            {
                "orgId": "1",
                "humanUsers": [{"userId": user_id, "user": user}],
                "machineUsers": [{"userId": "2"}],
            }
        ]
    }


ALGORITHMS = (EDDSA, ES256, RS256)
