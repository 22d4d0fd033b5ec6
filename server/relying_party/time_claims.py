"""The checks of the times in a token (RFC 7519, section 4.1). Pure.

A token may be as old as its `exp` allows: some issuers date `iat` and `nbf` back, Microsoft Entra
by five minutes.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from server.relying_party.reasons import ProviderError, Reason, quoted

# Maximum difference of the clocks of issuer and server.
LEEWAY: Final = timedelta(seconds=60)


def check_expiry(claims: Mapping[str, Any], now: datetime, *, leeway: timedelta = LEEWAY) -> float:
    """`exp` is in the future, within the leeway. Returns its seconds."""
    expires_at, earliest = seconds_of(claims.get("exp")), (now - leeway).timestamp()
    if expires_at is None or expires_at <= earliest:
        raise _unexpected(claims, "exp", f"a time after {told(earliest)}", Reason.ID_TOKEN_EXPIRED)
    return expires_at


def check_not_before(claims: Mapping[str, Any], now: datetime) -> None:
    """`nbf`, if present, is in the past, within the leeway."""
    if claims.get("nbf") is not None:
        _check_past(claims, "nbf", now, Reason.ID_TOKEN_NOT_YET_VALID)


def check_issued_at(claims: Mapping[str, Any], now: datetime) -> float:
    """`iat` is in the past, within the leeway. Returns its seconds."""
    return _check_past(claims, "iat", now, Reason.ISSUED_AT_INVALID)


def check_authenticated_at(claims: Mapping[str, Any], now: datetime) -> None:
    """`auth_time`, if present, is in the past, within the leeway (OpenID Connect Core, 2)."""
    if claims.get("auth_time") is not None:
        at = _check_past(claims, "auth_time", now, Reason.AUTHENTICATED_AT_INVALID)
        if at < 0:
            raise _unexpected(
                claims, "auth_time", "a time after 1970", Reason.AUTHENTICATED_AT_INVALID
            )


def _check_past(claims: Mapping[str, Any], name: str, now: datetime, reason: Reason) -> float:
    at, latest = seconds_of(claims.get(name)), (now + LEEWAY).timestamp()
    if at is None or at > latest:
        raise _unexpected(claims, name, f"a time until {told(latest)}", reason)
    return at


def _unexpected(
    claims: Mapping[str, Any], name: str, expected: str, reason: Reason
) -> ProviderError:
    value = claims.get(name)
    if value is None:
        came = "missing"
    else:
        seconds = seconds_of(value)
        came = quoted(value) if seconds is None else told(seconds)
    return ProviderError(reason, f"{name} of the token is {came}, expected was {expected}.")


def seconds_of(value: object) -> float | None:
    """The time of a NumericDate (RFC 7519, section 2). None: it is not one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 2**53 else None


def told(seconds: float) -> str:
    """A time as people read it; one beyond the years 1 to 9999 in seconds since 1970."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        return f"{seconds:.0f}"
