"""The errors of flows, each with a remedy for the person."""

from datetime import timedelta

from server.idp.relying_party.provider import RETRY_SECONDS
from server.idp.relying_party.reasons import UNAVAILABLE, ProviderError, ProviderReason
from server.values.errors import Failure, Kind, failed_precondition


def sign_in_failed(log_detail: str) -> Failure:
    """One message for all reasons that strangers must not distinguish; the log has the reason."""
    return Failure(
        Kind.UNAUTHENTICATED,
        "SIGN_IN_FAILED",
        "Signing in with this identity provider failed. Start again, or sign in in another way.",
        log_detail=log_detail,
    )


def by_provider(error: ProviderError) -> Failure:
    """The provider denies the sign-in, cannot be reached, or fails a check."""
    if error.reason is ProviderReason.DENIED:
        return Failure(
            Kind.PERMISSION_DENIED,
            "IDP_DENIED",
            "The identity provider did not confirm the sign-in. Start again, or sign in in another"
            " way.",
            log_detail=str(error),
        )
    if error.reason in UNAVAILABLE:
        return unreachable(error)
    return sign_in_failed(str(error))


def unreachable(error: ProviderError) -> Failure:
    """The provider cannot be used now."""
    return Failure(
        Kind.UNAVAILABLE,
        "IDP_UNREACHABLE",
        "The identity provider cannot be reached at present. Try again later, or sign in in another"
        " way.",
        log_detail=str(error),
        retry_after=timedelta(seconds=RETRY_SECONDS),
    )


def flow_expired() -> Failure:
    """The flow has expired, or the provider's settings have changed since its start."""
    return failed_precondition(
        "FLOW_EXPIRED", "The sign-in took too long and has expired. Start it again."
    )


def flow_used() -> Failure:
    """The flow was completed already."""
    return failed_precondition(
        "FLOW_USED", "This sign-in was completed already. Start another one."
    )


def not_configured(log_detail: str = "") -> Failure:
    """No such provider, or no usable settings; the error does not reveal which."""
    return failed_precondition(
        "IDP_NOT_CONFIGURED",
        "Signing in with this identity provider is not possible. Sign in in another way.",
        log_detail=log_detail,
    )


def not_registered() -> Failure:
    """No user has the identity, and the provider does not register users."""
    return failed_precondition(
        "NOT_REGISTERED",
        "No account here is linked to this identity. Sign in in another way and link it, or ask the"
        " people who run this service for an account.",
    )


def user_exists() -> Failure:
    """A user has the name or the address, perhaps the same person."""
    return failed_precondition(
        "USER_EXISTS_LINK_FIRST",
        "An account with this name or mail address exists. If it is yours, sign in to it in another"
        " way and link this identity.",
    )


def identity_linked() -> Failure:
    """A user has the identity, perhaps the caller."""
    return Failure(
        Kind.ALREADY_EXISTS,
        "IDENTITY_LINKED",
        "This identity is linked to an account already. Remove that link first, or use another"
        " identity.",
    )
