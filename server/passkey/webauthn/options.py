"""Options for `navigator.credentials.create()` and `get()`, as plain JSON values.

WebAuthn Level 3, §5.4 and §5.5. `timeout` is a hint to the browser.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from webauthn import generate_registration_options
from webauthn.helpers import bytes_to_base64url, options_to_json_dict
from webauthn.helpers.structs import (
    AttestationConveyancePreference,
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from server.passkey.webauthn.checks import PagePolicy
from server.passkey.webauthn.registration import CeremonyPolicy


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
    timeout: timedelta,
) -> dict[str, Any]:
    """Options for `PublicKeyCredential.parseCreationOptionsFromJSON()`.

    `challenge` has 16 bytes or more, `user_handle` 1 to 64 (§5.4.3).

    Raises:
        ValueError: a challenge or user handle of the wrong size (the library would silently replace
            an empty one by a random one), or an empty name.
    """
    if len(challenge) < 16 or not 1 <= len(user_handle) <= 64:
        raise ValueError("a challenge has 16 bytes or more, a user handle 1 to 64")
    options = generate_registration_options(
        rp_id=policy.rp_id,
        rp_name=policy.rp_name,
        user_id=user_handle,
        user_name=user_name,
        user_display_name=user_display_name,
        challenge=challenge,
        timeout=timeout // timedelta(milliseconds=1),
        attestation=AttestationConveyancePreference(policy.attestation),
        authenticator_selection=AuthenticatorSelectionCriteria(
            # A passkey is a discoverable credential. The browser does not offer other credentials
            # for a sign-in without a user name.
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement(policy.user_verification),
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=e.credential_id) for e in exclude],
    )
    ready = options_to_json_dict(options)
    # Plain numbers, as in parsed JSON; the library has enum members.
    ready["pubKeyCredParams"] = [{"type": "public-key", "alg": a} for a in policy.algorithms]
    # Set here, because the library supports only the seven transports of its release.
    for descriptor, known in zip(ready["excludeCredentials"], exclude, strict=True):
        if known.transports:
            descriptor["transports"] = list(known.transports)
    ready["extensions"] = {"credProps": True}
    return ready


def request_options(
    *,
    policy: PagePolicy,
    challenge: bytes,
    timeout: timedelta,
    allowed: Sequence[CredentialDescriptor] = (),
) -> dict[str, Any]:
    """Options for `PublicKeyCredential.parseRequestOptionsFromJSON()`.

    Without `allowed`, any discoverable passkey of the relying party may answer.
    """
    return {
        "challenge": bytes_to_base64url(challenge),
        "timeout": timeout // timedelta(milliseconds=1),
        "rpId": policy.rp_id,
        "allowCredentials": [
            {
                "type": "public-key",
                "id": bytes_to_base64url(each.credential_id),
                "transports": list(each.transports),
            }
            for each in allowed
        ],
        "userVerification": policy.user_verification,
    }
