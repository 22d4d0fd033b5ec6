"""Checks shared by registration and sign-in: origin, relying party, user.

The steps are those of WebAuthn Level 3.
"""

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from server.passkey.webauthn.authenticator_data import AuthenticatorData
from server.passkey.webauthn.client_data import ClientData
from server.values.errors import Failure, FixedFailure, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePolicy:
    """The origins of a relying party, and whether the user must be verified.

    `origins` are web origins (`https://example.org`) and Android facets
    (`android:apk-key-hash:...`). `top_origins` are the origins of pages that may embed them in a
    frame; without any, frames are refused. `user_verification` is a value of WebAuthn L3 §5.8.6.
    """

    rp_id: str
    origins: tuple[str, ...]
    top_origins: tuple[str, ...] = ()
    user_verification: str = "required"


def check(
    credential_type: str,
    client_data: ClientData,
    data: AuthenticatorData,
    *,
    expected: str,
    policy: PagePolicy,
    refused: Callable[[str], Failure],
    is_present: bool = True,
) -> None:
    """Steps 7, 9 to 11 and 14 to 16 of §7.1; steps 10 and 12 to 17 of §7.2.

    The browser made a public key credential by the expected call, on a page of the relying party,
    for its RP ID. Presence of the user is required if `is_present`, verification if the policy
    requires it.
    `refused` is the error for a credential of another ceremony.
    """
    if credential_type != "public-key":
        raise refused(f"type is {shown(credential_type)}, not 'public-key'")
    if client_data.type != expected:
        raise refused(f"client data type is {shown(client_data.type)}")
    _check_origin(client_data, policy=policy)
    if not hmac.compare_digest(data.rp_id_hash, sha256(policy.rp_id.encode()).digest()):
        raise refused(f"rpIdHash is not that of {policy.rp_id}")
    if is_present and not data.user_present:
        raise _user_not_verified("the flag UP (user present) is missing")
    if policy.user_verification == "required" and not data.user_verified:
        raise _user_not_verified("the flag UV (user verified) is missing")


def _check_origin(client_data: ClientData, *, policy: PagePolicy) -> None:
    """The origin is allowed, and the page is framed only if frames are expected."""
    if client_data.origin not in policy.origins:
        raise _origin_not_allowed(client_data.origin, "the origin is not allowed")
    top_origin = client_data.top_origin
    if top_origin is not None and top_origin not in policy.top_origins:
        raise _origin_not_allowed(top_origin, "the page around the frame is not allowed")
    # The specification only requires that frames are expected. Level 2 clients do not send
    # topOrigin, so the previous check has nothing to compare (decision 18).
    if client_data.cross_origin and not policy.top_origins:
        raise _origin_not_allowed(client_data.origin, "frames of other pages are not allowed")


def invalid_credential(
    reason: str, message: str, log_detail: str, metadata: Mapping[str, str] | None = None
) -> Failure:
    """The error for a credential that cannot be accepted."""
    return Failure(
        Kind.INVALID_ARGUMENT, reason, message, metadata=metadata or {}, log_detail=log_detail
    )


def shown(text: str) -> str:
    """Text of a client, quoted for the log."""
    return repr(_printable(text))


_user_not_verified: Final = FixedFailure(
    "USER_NOT_VERIFIED",
    "Your device did not confirm that it is you. Try again and unlock it with your PIN,"
    " fingerprint or face when it asks.",
    kind=Kind.INVALID_ARGUMENT,
)


def _origin_not_allowed(received: str, problem: str) -> Failure:
    return invalid_credential(
        "ORIGIN_NOT_ALLOWED",
        "This page or app may not use passkeys of the service."
        " Open the usual address of the service and try again there.",
        f"{problem}: {shown(received)}",
        {"origin": _printable(received)},
    )


def _printable(text: str) -> str:
    """At most 256 characters; no control characters, lone surrogates or direction marks."""
    return "".join(character for character in text[:256] if character.isprintable())
