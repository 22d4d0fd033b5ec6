"""The checks of the times in a token (RFC 7519, section 4.1). Pure."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from server.idp.relying_party.reasons import ProviderError, Reason

# Maximum difference of the clocks of issuer and server.
LEEWAY: Final = timedelta(seconds=60)


def check_expiry(claims: Mapping[str, Any], now: datetime) -> None:
    """`exp` is in the future, within the leeway."""
    expires_at = seconds_of(claims.get("exp"))
    if expires_at is None or expires_at + LEEWAY.total_seconds() <= now.timestamp():
        observed = "The ID token has expired, or has no expiry time."
        raise ProviderError(Reason.ID_TOKEN_EXPIRED, observed)


def check_not_before(claims: Mapping[str, Any], now: datetime) -> None:
    """`nbf`, if present, is in the past, within the leeway (RFC 7519, section 4.1.5)."""
    if "nbf" not in claims:
        return
    not_before = seconds_of(claims["nbf"])
    if not_before is None or not_before > now.timestamp() + LEEWAY.total_seconds():
        observed = "The ID token is not valid yet. Compare the clocks."
        raise ProviderError(Reason.ID_TOKEN_NOT_YET_VALID, observed)


def check_issued_at(claims: Mapping[str, Any], now: datetime) -> None:
    """`iat` is now, within the leeway: the token endpoint has just issued it."""
    issued_at = seconds_of(claims.get("iat"))
    if issued_at is None or abs(issued_at - now.timestamp()) > LEEWAY.total_seconds():
        observed = "The ID token was not issued within a minute of now. Compare the clocks."
        raise ProviderError(Reason.ISSUED_AT_NOT_NOW, observed)


def check_authenticated_at(claims: Mapping[str, Any], now: datetime) -> None:
    """`auth_time`, if present, is in the past, within the leeway (section 2)."""
    if "auth_time" not in claims:
        return
    authenticated_at = seconds_of(claims["auth_time"])
    latest = now.timestamp() + LEEWAY.total_seconds()
    if authenticated_at is None or not 0 <= authenticated_at <= latest:
        observed = "The ID token has an invalid time of the sign-in. Compare the clocks."
        raise ProviderError(Reason.AUTHENTICATED_AT_INVALID, observed)


def seconds_of(value: object) -> float | None:
    """The time of a NumericDate (RFC 7519, section 2). None: it is not one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 2**53 else None
