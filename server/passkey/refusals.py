"""The errors of registrations, links and sign-ins, each with a remedy for the user."""

from datetime import timedelta
from typing import Final

from server.values.errors import Failure, FixedFailure, Kind, NotFound

# Neither a passkey nor a ceremony of this user.
passkey_not_found: Final = NotFound(
    "passkey",
    "The user has no such passkey. Find the right id with ListPasskeys, or begin a registration"
    " with RegisterPasskey.",
)

# The ceremony was completed.
challenge_used: Final = FixedFailure(
    "CHALLENGE_USED",
    "The registration was completed already. Begin another one with RegisterPasskey.",
)

# The ceremony was not completed in time.
challenge_expired: Final = FixedFailure(
    "CHALLENGE_EXPIRED",
    "The registration took too long and has expired. Begin it again with RegisterPasskey.",
)

# The ceremony has had the maximum number of attempts.
too_many_tries: Final = FixedFailure(
    "TOO_MANY_ATTEMPTS",
    "The registration failed too many times and has ended. Begin it again with RegisterPasskey.",
)

# A user has this credential; the error does not reveal which user.
credential_already_registered: Final = FixedFailure(
    "CREDENTIAL_ALREADY_REGISTERED",
    "This passkey is registered already. Use another authenticator.",
    kind=Kind.ALREADY_EXISTS,
)


def too_many_passkeys(limit: int) -> Failure:
    """The user has the maximum number of passkeys."""
    return Failure(
        Kind.RESOURCE_EXHAUSTED,
        "TOO_MANY_PASSKEYS",
        f"The user has {limit} passkeys, which is the maximum. Remove one that is no longer used.",
    )


def too_many_ceremonies(limit: int, lifetime: timedelta) -> Failure:
    """The user has the maximum number of pending ceremonies."""
    minutes = lifetime // timedelta(minutes=1)
    return Failure(
        Kind.RESOURCE_EXHAUSTED,
        "TOO_MANY_CEREMONIES",
        f"{limit} registrations of this user are pending, which is the maximum."
        f" Complete or remove one, or wait until they expire after {minutes} minutes.",
        retry_after=lifetime,
    )


# A passkey was registered by the link.
link_used: Final = FixedFailure(
    "LINK_USED",
    "A passkey was already registered with this link. Ask for a new link to register another.",
)

# A newer link has replaced the link.
link_replaced: Final = FixedFailure(
    "LINK_REPLACED",
    "A newer link has replaced this one. Use the newest link.",
)

# The link was not used in time.
link_expired: Final = FixedFailure(
    "LINK_EXPIRED",
    "This link has expired. Ask for a new link.",
)

# After the link was mailed, recovery was disallowed or the last passkey was removed.
recovery_not_allowed: Final = FixedFailure(
    "RECOVERY_NOT_ALLOWED",
    "Recovery by mail is not allowed here any more. Ask the people who run this service for a"
    " registration link.",
)

# The link has begun the maximum number of ceremonies.
link_tried_too_often: Final = FixedFailure(
    "TOO_MANY_ATTEMPTS",
    "This link has begun too many registrations without a result. Ask for a new link.",
)

# One message for all reasons, which clients must not distinguish; the log has the reason.
sign_in_failed: Final = FixedFailure(
    "SIGN_IN_FAILED",
    "Signing in with this passkey failed. Try again, or use another passkey.",
    kind=Kind.UNAUTHENTICATED,
)

# The challenge of a sign-in is too old.
sign_in_expired: Final = FixedFailure(
    "CHALLENGE_EXPIRED",
    "The sign-in took too long and has expired. Start it again.",
)

# The challenge of a sign-in was used.
sign_in_used: Final = FixedFailure(
    "CHALLENGE_USED",
    "This sign-in was completed already. Start another one.",
)

# No user has this passkey for the relying party.
passkey_unknown: Final = FixedFailure(
    "PASSKEY_UNKNOWN",
    "The service does not know this passkey. It may have been removed; use another one.",
    kind=Kind.UNAUTHENTICATED,
)

# Somebody without the permissions of the user could read its mail.
email_set_by_others: Final = FixedFailure(
    "EMAIL_SET_BY_OTHERS",
    "The mail address of this user was set by somebody without all permissions of the user."
    " Check the address, set it by PatchUser, even to the same value, and try again.",
)

# The user has no address to mail a link to.
user_has_no_email: Final = FixedFailure(
    "USER_HAS_NO_EMAIL",
    "The user has no mail address. Set one with PatchUser, or have the link returned and deliver it"
    " yourself.",
)
