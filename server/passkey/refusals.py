"""The errors of registrations, links and sign-ins, each with a remedy for the person."""

from datetime import timedelta

from server.values.errors import Failure, Kind, failed_precondition, not_found


def passkey_not_found(passkey_id: str) -> Failure:
    """Neither a passkey nor a ceremony of this user."""
    return not_found(
        "passkey",
        passkey_id,
        "The user has no such passkey. List the user's passkeys to find the right id, or begin a"
        " registration with RegisterPasskey.",
    )


def challenge_used() -> Failure:
    """The ceremony was completed."""
    return failed_precondition(
        "CHALLENGE_USED",
        "The registration was completed already. Begin another one with RegisterPasskey.",
    )


def challenge_expired() -> Failure:
    """The ceremony was not completed in time."""
    return failed_precondition(
        "CHALLENGE_EXPIRED",
        "The registration took too long and has expired. Begin it again with RegisterPasskey.",
    )


def too_many_tries() -> Failure:
    """The ceremony has had the maximum number of attempts."""
    return failed_precondition(
        "TOO_MANY_ATTEMPTS",
        "The registration failed too many times and has ended."
        " Begin it again with RegisterPasskey.",
    )


def credential_already_registered() -> Failure:
    """A user has this credential; the error does not reveal which user."""
    return Failure(
        Kind.ALREADY_EXISTS,
        "CREDENTIAL_ALREADY_REGISTERED",
        "This passkey is registered already. Use another authenticator.",
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


def link_used() -> Failure:
    """A passkey was registered by the link."""
    return failed_precondition(
        "LINK_USED",
        "A passkey was already registered with this link. Ask for a new link to register another.",
    )


def link_replaced() -> Failure:
    """A newer link has replaced the link."""
    return failed_precondition(
        "LINK_REPLACED", "A newer link has replaced this one. Use the newest link."
    )


def link_expired() -> Failure:
    """The link was not used in time."""
    return failed_precondition("LINK_EXPIRED", "This link has expired. Ask for a new link.")


def recovery_not_allowed() -> Failure:
    """After the link was mailed, recovery was disallowed or the last passkey was removed."""
    return failed_precondition(
        "RECOVERY_NOT_ALLOWED",
        "Recovery by mail is not allowed here any more. Ask the people who run this service for"
        " a registration link.",
    )


def link_tried_too_often() -> Failure:
    """The link has begun the maximum number of ceremonies."""
    return failed_precondition(
        "TOO_MANY_ATTEMPTS",
        "This link has begun too many registrations without a result. Ask for a new link.",
    )


def sign_in_failed(log_detail: str) -> Failure:
    """One message for all reasons that strangers must not distinguish; the log has the reason."""
    return Failure(
        Kind.UNAUTHENTICATED,
        "SIGN_IN_FAILED",
        "Signing in with this passkey failed. Try again, or use another passkey.",
        log_detail=log_detail,
    )


def sign_in_expired() -> Failure:
    """The challenge of a sign-in is too old."""
    return failed_precondition(
        "CHALLENGE_EXPIRED", "The sign-in took too long and has expired. Start it again."
    )


def sign_in_used() -> Failure:
    """The challenge of a sign-in was used."""
    return failed_precondition(
        "CHALLENGE_USED", "This sign-in was completed already. Start another one."
    )


def passkey_unknown() -> Failure:
    """No user has this passkey for the relying party."""
    return Failure(
        Kind.UNAUTHENTICATED,
        "PASSKEY_UNKNOWN",
        "The service does not know this passkey. It may have been removed; use another one.",
    )


def user_has_no_email() -> Failure:
    """The user has no address to mail a link to."""
    return failed_precondition(
        "USER_HAS_NO_EMAIL",
        "The user has no mail address. Have the link returned, and deliver it yourself.",
    )
