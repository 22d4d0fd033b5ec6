"""The errors of flows, each with a remedy for the user."""

from datetime import timedelta
from typing import Final

from server.relying_party.provider import RETRY_SECONDS
from server.relying_party.reasons import UNAVAILABLE, ProviderError, Reason
from server.values.errors import Failure, FixedFailure, Kind

# One message for all reasons, which clients must not distinguish; the log has the reason.
sign_in_failed: Final = FixedFailure(
    "SIGN_IN_FAILED",
    "Signing in with this identity provider failed. Start again, or sign in in another way.",
    kind=Kind.UNAUTHENTICATED,
)


def by_provider(error: ProviderError) -> Failure:
    """The provider denies the sign-in, cannot be reached, or fails a check."""
    if error.reason is Reason.DENIED:
        return _denied(str(error))
    if error.reason in UNAVAILABLE:
        return unreachable(str(error))
    return sign_in_failed(str(error))


def at_start(error: ProviderError) -> Failure:
    """The discovery document cannot be read, or is of another issuer than the settings."""
    failure = unreachable if error.reason in UNAVAILABLE else not_configured
    return failure(str(error))


_denied: Final = FixedFailure(
    "IDP_DENIED",
    "The identity provider did not confirm the sign-in. Start again, or sign in in another way.",
    kind=Kind.PERMISSION_DENIED,
)

# The provider cannot be used now.
unreachable: Final = FixedFailure(
    "IDP_UNREACHABLE",
    "The identity provider cannot be reached at present. Try again later, or sign in in another"
    " way.",
    kind=Kind.UNAVAILABLE,
    retry_after=timedelta(seconds=RETRY_SECONDS),
)

# The sign-in at the provider is older than the flow that asked for a new one, or of unknown age.
did_not_reauthenticate: Final = FixedFailure(
    "IDP_DID_NOT_REAUTHENTICATE",
    "The identity provider did not confirm that you signed in there again. Sign out at the"
    " identity provider, and start again.",
)

# The flow has expired, or the provider's settings have changed since its start.
flow_expired: Final = FixedFailure(
    "FLOW_EXPIRED",
    "The sign-in took too long and has expired. Start it again.",
)

# The flow was completed already.
flow_used: Final = FixedFailure(
    "FLOW_USED",
    "This sign-in was completed already. Start another one.",
)

# No such provider, or no usable settings; the error does not reveal which.
not_configured: Final = FixedFailure(
    "IDP_NOT_CONFIGURED",
    "Signing in with this identity provider is not possible. Sign in in another way.",
)

# The provider is switched off.
disabled: Final = FixedFailure(
    "IDP_DISABLED",
    "Signing in with this identity provider is switched off. Sign in in another way.",
)

# No user has the identity, and the provider does not register users.
not_registered: Final = FixedFailure(
    "NOT_REGISTERED",
    "No account here is linked to this identity. Sign in in another way and link it, or ask"
    " the people who run this service for an account.",
)

# The user has permissions that the owners of the provider's organization lack.
roles_exceed_provider: Final = FixedFailure(
    "ROLES_EXCEED_PROVIDER",
    "This account has more permissions than the owners of its organization, who control the"
    " identity provider. Sign in with a passkey.",
)

# A user has the name or the address, perhaps the same person.
user_exists: Final = FixedFailure(
    "USER_EXISTS_LINK_FIRST",
    "An account with this name, one that looks the same, or this mail address exists. If it is"
    " yours, sign in to it in another way and link this identity.",
)

# A user has the identity, perhaps the caller.
identity_linked: Final = FixedFailure(
    "IDENTITY_LINKED",
    "This identity is linked to an account already. Remove that link first, or use another"
    " identity.",
    kind=Kind.ALREADY_EXISTS,
)
