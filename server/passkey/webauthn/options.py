"""Options for `navigator.credentials.create()` and `get()`, as plain JSON values.

WebAuthn Level 3, §5.4 and §5.5. The timeout is a hint to the browser.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from webauthn.helpers import bytes_to_base64url

from server.passkey.webauthn.checks import PagePolicy
from server.passkey.webauthn.registration import CeremonyPolicy

# Shorter than the lifetime of a challenge, so that the browser gives up before the server does.
_TIMEOUT_MILLISECONDS: Final = 300_000


@dataclass(frozen=True, slots=True)
class CredentialDescriptor:
    """A passkey of the user, and the transports of its authenticator (§5.8.3)."""

    credential_id: bytes
    transports: tuple[str, ...] = ()


def creation_options(
    *,
    policy: CeremonyPolicy,
    challenge: bytes,
    user_handle: bytes,
    user_name: str,
    user_display_name: str,
    exclude: Sequence[CredentialDescriptor],
) -> dict[str, Any]:
    """Options for `PublicKeyCredential.parseCreationOptionsFromJSON()`.

    `challenge` has 16 bytes or more, `user_handle` 1 to 64 (§5.4.3).
    """
    return {
        "rp": {"id": policy.rp_id, "name": policy.rp_name},
        "user": {
            "id": bytes_to_base64url(user_handle),
            "name": user_name,
            "displayName": user_display_name,
        },
        "challenge": bytes_to_base64url(challenge),
        "pubKeyCredParams": [
            {"type": "public-key", "alg": algorithm} for algorithm in policy.algorithms
        ],
        "timeout": _TIMEOUT_MILLISECONDS,
        "excludeCredentials": list(map(_descriptor, exclude)),
        "authenticatorSelection": {
            # A passkey is a discoverable credential. The browser does not offer other credentials
            # for a sign-in without a user name.
            "residentKey": "required",
            "requireResidentKey": True,
            "userVerification": policy.user_verification,
        },
        "attestation": "none",
        "extensions": {"credProps": True},
    }


def request_options(
    *,
    policy: PagePolicy,
    challenge: bytes,
    allowed: Sequence[CredentialDescriptor] = (),
) -> dict[str, Any]:
    """Options for `PublicKeyCredential.parseRequestOptionsFromJSON()`.

    Without `allowed`, any discoverable passkey of the relying party may answer.
    """
    return {
        "challenge": bytes_to_base64url(challenge),
        "timeout": _TIMEOUT_MILLISECONDS,
        "rpId": policy.rp_id,
        "allowCredentials": list(map(_descriptor, allowed)),
        "userVerification": policy.user_verification,
    }


def _descriptor(credential: CredentialDescriptor) -> dict[str, Any]:
    return {
        "type": "public-key",
        "id": bytes_to_base64url(credential.credential_id),
        "transports": list(credential.transports),
    }
