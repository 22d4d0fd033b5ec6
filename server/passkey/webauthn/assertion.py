"""The sign-in ceremony (WebAuthn Level 3 §7.2), as pure functions.

`credential.py` reads the credential (steps 1 to 4 and 7 to 9), `challenge.py` verifies the
challenge (step 11), and `verify_assertion` performs the other steps. The database stores the new
state (step 24). Extension outputs (step 23) are only parsed. Decision 18 lists the deviations.

The `webauthn` library verifies only the signature. Its own ceremony would accept a foreign
credential ID or user handle, and compare sign counts before it verifies signatures.

https://www.w3.org/TR/webauthn-3/#sctn-verifying-assertion
"""

import hmac
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from webauthn.helpers.cose import COSEAlgorithmIdentifier
from webauthn.helpers.verify_signature import verify_signature

from server.passkey import refusals
from server.passkey.webauthn import cbor, checks, cose
from server.passkey.webauthn.authenticator_data import read_assertion_data
from server.passkey.webauthn.checks import PagePolicy
from server.passkey.webauthn.credential import Assertion
from server.values.errors import Failure


@dataclass(frozen=True, slots=True)
class StoredCredential:
    """A stored passkey; `public_key` is the registered COSE key."""

    credential_id: bytes
    public_key: bytes
    user_handle: bytes
    sign_count: int
    backup_eligible: bool


@dataclass(frozen=True, slots=True)
class VerifiedAssertion:
    """A verified sign-in with the new state of the passkey (step 24).

    `sign_count` is the greater of the stored and the received one. The caller records
    `sign_count_went_back` and `backup_eligible_changed`.
    """

    sign_count: int
    sign_count_went_back: bool
    backup_eligible: bool
    backup_eligible_changed: bool
    backed_up: bool
    user_verified: bool
    origin: str
    top_origin: str


class ClonedPasskeyError(Failure):
    """The sign count of a device-bound passkey did not increase, so a copy may exist."""

    def __init__(self, *, stored: int, received: int) -> None:
        failed = refusals.sign_in_failed(f"the counter is {received}, it was {stored}")
        super().__init__(failed.kind, failed.reason, failed.message, log_detail=failed.log_detail)
        self.stored, self.received = stored, received


def verify_assertion(
    assertion: Assertion,
    *,
    stored: StoredCredential,
    policy: PagePolicy,
    allowed: Collection[bytes] = (),
) -> VerifiedAssertion:
    """Verify an assertion with the passkey of its credential ID.

    `allowed` are the credential IDs of `allowCredentials`: none for a sign-in, those of the user
    for a reauthentication. Takes about 0.2 ms, so it may run in the event loop.

    `Failure` UNAUTHENTICATED with the reason `SIGN_IN_FAILED`, INVALID_ARGUMENT
    `CREDENTIAL_MALFORMED`, `ORIGIN_NOT_ALLOWED` (metadata `origin`) or `USER_NOT_VERIFIED`.
    ClonedPasskeyError (`SIGN_IN_FAILED`) by step 22.
    """
    client_data = assertion.response.client_data
    data = read_assertion_data(assertion.response.authenticator_data)  # step 18
    _check_owner(assertion, stored, allowed)  # steps 5 and 6
    checks.check(  # steps 10 and 12 to 17
        assertion.type,
        client_data,
        data,
        expected="webauthn.get",
        policy=policy,
        refused=refusals.sign_in_failed,
    )
    _check_signature(assertion, stored)  # steps 20 and 21
    went_back = _check_sign_count(data.sign_count, stored)  # step 22
    return VerifiedAssertion(
        sign_count=max(data.sign_count, stored.sign_count),
        sign_count_went_back=went_back,
        backup_eligible=data.backup_eligible,
        backup_eligible_changed=data.backup_eligible != stored.backup_eligible,  # step 19
        backed_up=data.backed_up,
        user_verified=data.user_verified,
        origin=client_data.origin,
        top_origin=client_data.top_origin or "",
    )


def _check_owner(
    assertion: Assertion, stored: StoredCredential, allowed: Collection[bytes]
) -> None:
    """Steps 5 and 6: credential ID and user handle match the stored passkey.

    Without `allowCredentials` only the user handle identifies the user, so it is required.
    """
    if allowed and assertion.credential_id not in allowed:
        raise refusals.sign_in_failed("the credential id is not in allowCredentials")
    if assertion.credential_id != stored.credential_id:
        raise refusals.sign_in_failed("the credential id is not that of the passkey")
    user_handle = assertion.response.user_handle
    if not user_handle:
        if not allowed:
            raise refusals.sign_in_failed("there is no user handle")
    elif not hmac.compare_digest(user_handle, stored.user_handle):
        raise refusals.sign_in_failed("the user handle is not that of the passkey's user")


def _check_signature(assertion: Assertion, stored: StoredCredential) -> None:
    """Steps 20 and 21: the signature."""
    response = assertion.response
    signed = response.authenticator_data + sha256(response.client_data_json).digest()
    try:
        key, _ = cbor.read(stored.public_key, canonical=True)
        cose_key = cose.read(key)
        verify_signature(
            public_key=cose.load(cose_key),
            signature_alg=COSEAlgorithmIdentifier(cose_key[3]),
            signature=response.signature,
            data=signed,
        )
    except InvalidSignature:
        raise refusals.sign_in_failed("the signature is wrong") from None
    except (ValueError, UnsupportedAlgorithm) as error:
        # The key was registered when `cose.load` accepted it.
        raise refusals.sign_in_failed(f"the stored key cannot be used: {error}") from error


def _check_sign_count(received: int, stored: StoredCredential) -> bool:
    """Step 22: returns whether the sign count of a synchronizable passkey did not increase.

    Synchronized passkeys count per device or not at all, so this indicates a copy only for a
    device-bound passkey with a nonzero count. The stored flag decides: a copy can sign any flag.
    """
    if received > stored.sign_count or received == stored.sign_count == 0:
        return False
    if stored.sign_count and not stored.backup_eligible:
        raise ClonedPasskeyError(stored=stored.sign_count, received=received)
    return True
