"""Verifies the tokens of workloads, by which they act as an application (RFC 8693) or as a user.

The checks are those of RFC 7523, section 3. A token can be used several times until it expires: it
need not have a `jti`, and a job gets one token for all its steps.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias

from server.relying_party.id_token import (
    Claims,
    PublicKey,
    check_issuer,
    unverified_claims,
    verify_signature,
)
from server.relying_party.provider import RETRY_SECONDS, Providers
from server.relying_party.reasons import UNAVAILABLE, ProviderError
from server.relying_party.time_claims import check_expiry, check_issued_at, check_not_before
from server.relying_party.workload_issuers import WILDCARD, WorkloadIssuer
from server.values.errors import Failure, FixedFailure, Kind

# Of a token of a workload. A longer one is as good as a stored secret. Those of managed identities
# of Microsoft Entra live for 24 hours, and are dated back by five minutes.
_LONGEST: Final = timedelta(hours=24, minutes=10)

# The refusal of a token; its argument names the check, for the log.
Refusal: TypeAlias = Callable[[str], Failure]

# The same for every reason, so that nobody learns of hosts beyond the Internet.
workload_issuer_unreachable: Final = FixedFailure(
    "WORKLOAD_ISSUER_UNREACHABLE",
    "The discovery document or the keys of the issuer cannot be read at present. Try again later,"
    " and check that the issuer answers over https, without a redirect.",
    kind=Kind.UNAVAILABLE,
    retry_after=timedelta(seconds=RETRY_SECONDS),
)


@dataclass(frozen=True, slots=True)
class Workload:
    """A workload whose token passed all checks; `trusted` is the entry that it fits."""

    trusted: WorkloadIssuer
    subject: str
    expires_at: datetime

    @property
    def claim(self) -> Mapping[str, str]:
        """The claim `workload` of the tokens that it gets."""
        return {"iss": self.trusted.issuer, "sub": self.subject}


async def verified_workload(
    providers: Providers,
    trusted: Sequence[WorkloadIssuer],
    token: str,
    *,
    now: datetime,
    refused: Refusal,
) -> Workload:
    """The workload of a token that fits one of the trusted issuers.

    The claims are compared before the signature is verified, so that a token that fits none causes
    no request; and again afterwards, as they were signed.

    `Failure`: that of `refused`; UNAVAILABLE `WORKLOAD_ISSUER_UNREACHABLE`.
    """
    try:
        expected = _fitting(unverified_claims(token), trusted, refused)
        claims = await _signed_claims(providers, expected.issuer, token)
        fitting = _fitting(claims, trusted, refused)
        check_not_before(claims, now)
        expires_at = _expiry(claims, now, refused)
    except ProviderError as error:
        if error.reason in UNAVAILABLE:
            raise workload_issuer_unreachable(str(error)) from None
        raise refused(str(error)) from None
    return Workload(fitting, claims["sub"], expires_at)


def _fitting(claims: Claims, trusted: Sequence[WorkloadIssuer], refused: Refusal) -> WorkloadIssuer:
    """The first of the trusted issuers whose claims these are. `Failure`."""
    mismatches = dict[str, None]()
    for each in trusted:
        if each.issuer == claims.get("iss"):
            if not (mismatch := _mismatch(claims, each)):
                return each
            mismatches[mismatch] = None
    raise refused(", ".join(mismatches) or "issuer")


async def _signed_claims(providers: Providers, issuer: str, token: str) -> Claims:
    """The claims that the issuer has signed. `ProviderError`."""
    metadata = await providers.issuer(issuer)

    def verify(keys: Sequence[PublicKey]) -> Claims:
        claims, _ = verify_signature(token, keys=keys, algorithms=metadata.algorithms)
        check_issuer(claims, issuer)
        return claims

    return await providers.verified(metadata.jwks_uri, verify)


def _expiry(claims: Claims, now: datetime, refused: Refusal) -> datetime:
    """The second in which the token expires. `ProviderError`; `Failure`.

    Without leeway, so that what a workload gets never outlives its own token.
    """
    expires_at = check_expiry(claims, now, leeway=-timedelta(seconds=1))
    issued_at = now.timestamp() if claims.get("iat") is None else check_issued_at(claims, now)
    lifetime = expires_at - issued_at
    if lifetime > _LONGEST.total_seconds():
        raise refused(f"it is valid for {lifetime:.0f} seconds")
    return datetime.fromtimestamp(int(expires_at), UTC)


def _mismatch(claims: Claims, trusted: WorkloadIssuer) -> str:
    """The name of the claim that does not fit; empty if all fit."""
    audience = claims.get("aud")
    if trusted.audience not in (audience if isinstance(audience, list) else [audience]):
        return "aud"
    if not _is_subject(claims.get("sub"), trusted.subject):
        return "sub"
    wrong = (name for name, value in trusted.claims.items() if _text(claims.get(name)) != value)
    return next(wrong, "")


def _is_subject(subject: object, trusted: str) -> bool:
    # JSON can contain lone surrogates, and the claims of our tokens cannot.
    if not isinstance(subject, str) or not subject.isprintable():
        return False
    if trusted.endswith(WILDCARD):
        return subject.startswith(trusted.removesuffix(WILDCARD))
    return subject == trusted


def _text(value: Any) -> str:
    """A string, or a whole number or a boolean as JSON writes it; empty for other values."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return value
        case int() if abs(value) < 2**64:  # Python refuses to print thousands of digits
            return str(value)
        case _:
            return ""
