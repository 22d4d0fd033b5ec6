"""The refusals of sign-up, each with a remedy for the user."""

from typing import Final

from server.values.errors import FixedFailure

# The organization does not exist, or its people do not register themselves.
not_allowed: Final = FixedFailure(
    "SIGN_UP_NOT_ALLOWED",
    "People cannot register themselves in this organization. Ask its administrator for an"
    " invitation.",
)

expired: Final = FixedFailure(
    "SIGN_UP_EXPIRED",
    "The link is incomplete, or older than 24 hours. Ask for another one on the sign-in page.",
)

# The user of the link has or had a passkey, has another address or a role, or was removed.
used: Final = FixedFailure(
    "SIGN_UP_USED",
    "This link has registered its account already. Sign in with your passkey, or ask the"
    " administrator for a link.",
)

# Only the holder of the mailbox is told.
user_exists: Final = FixedFailure(
    "SIGN_UP_USER_EXISTS",
    "An account with this mail address exists. Sign in, or ask for a new passkey on the sign-in"
    " page.",
)
