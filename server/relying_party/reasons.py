"""The reasons why a provider cannot be used or an ID token is refused, with a remedy for each."""

import enum
from collections.abc import Mapping
from typing import Final


class Reason(enum.StrEnum):
    """The reasons; TestOIDCConfig reports the first ones."""

    NAME_NOT_FOUND = "NAME_NOT_FOUND"
    NAME_LOOKUP_FAILED = "NAME_LOOKUP_FAILED"
    ADDRESS_NOT_ALLOWED = "ADDRESS_NOT_ALLOWED"
    UNREACHABLE = "UNREACHABLE"
    TIMEOUT = "TIMEOUT"
    CERTIFICATE_NOT_ACCEPTED = "CERTIFICATE_NOT_ACCEPTED"
    CERTIFICATE_NOT_CONFORMANT = "CERTIFICATE_NOT_CONFORMANT"
    TLS_FAILED = "TLS_FAILED"
    NOT_HTTP = "NOT_HTTP"
    REDIRECTED = "REDIRECTED"
    ANSWER_TOO_LARGE = "ANSWER_TOO_LARGE"
    UNEXPECTED_STATUS = "UNEXPECTED_STATUS"
    NOT_JSON = "NOT_JSON"
    METADATA_INVALID = "METADATA_INVALID"
    ISSUER_MISMATCH = "ISSUER_MISMATCH"
    ALGORITHMS_NOT_SUPPORTED = "ALGORITHMS_NOT_SUPPORTED"
    KEYS_UNUSABLE = "KEYS_UNUSABLE"
    RESPONSE_INVALID = "RESPONSE_INVALID"
    STATE_MISMATCH = "STATE_MISMATCH"
    DENIED = "DENIED"
    PROVIDER_FAILED = "PROVIDER_FAILED"
    CLIENT_REFUSED = "CLIENT_REFUSED"
    CODE_REFUSED = "CODE_REFUSED"
    TOKEN_ANSWER_INVALID = "TOKEN_ANSWER_INVALID"  # noqa: S105
    ID_TOKEN_MALFORMED = "ID_TOKEN_MALFORMED"  # noqa: S105
    ALGORITHM_NOT_ALLOWED = "ALGORITHM_NOT_ALLOWED"
    CRITICAL_HEADER = "CRITICAL_HEADER"
    KEY_UNKNOWN = "KEY_UNKNOWN"
    SIGNATURE_INVALID = "SIGNATURE_INVALID"
    AUDIENCE_MISMATCH = "AUDIENCE_MISMATCH"
    AUTHORIZED_PARTY_MISMATCH = "AUTHORIZED_PARTY_MISMATCH"
    ID_TOKEN_EXPIRED = "ID_TOKEN_EXPIRED"  # noqa: S105
    ID_TOKEN_NOT_YET_VALID = "ID_TOKEN_NOT_YET_VALID"  # noqa: S105
    ISSUED_AT_INVALID = "ISSUED_AT_INVALID"
    AUTHENTICATED_AT_INVALID = "AUTHENTICATED_AT_INVALID"
    NONCE_MISMATCH = "NONCE_MISMATCH"
    SUBJECT_INVALID = "SUBJECT_INVALID"
    ACCESS_TOKEN_HASH_MISMATCH = "ACCESS_TOKEN_HASH_MISMATCH"  # noqa: S105
    USERINFO_SUBJECT_MISMATCH = "USERINFO_SUBJECT_MISMATCH"


# The provider cannot be reached, or reports a temporary failure.
UNAVAILABLE: Final = frozenset(
    {
        Reason.NAME_NOT_FOUND,
        Reason.NAME_LOOKUP_FAILED,
        Reason.ADDRESS_NOT_ALLOWED,
        Reason.UNREACHABLE,
        Reason.TIMEOUT,
        Reason.CERTIFICATE_NOT_ACCEPTED,
        Reason.CERTIFICATE_NOT_CONFORMANT,
        Reason.TLS_FAILED,
        Reason.NOT_HTTP,
        Reason.REDIRECTED,
        Reason.ANSWER_TOO_LARGE,
        Reason.UNEXPECTED_STATUS,
        Reason.NOT_JSON,
        Reason.METADATA_INVALID,
        Reason.ALGORITHMS_NOT_SUPPORTED,
        Reason.KEYS_UNUSABLE,
        Reason.PROVIDER_FAILED,
    }
)

_ADVICE: Mapping[Reason, str] = {
    Reason.NAME_NOT_FOUND: "Correct the issuer.",
    Reason.NAME_LOOKUP_FAILED: "Check the DNS servers of the machine that Keystead runs on.",
    Reason.ADDRESS_NOT_ALLOWED: "If the provider is yours, add its address or network to"
    " KEYSTEAD_IDP_ALLOWED_NETWORKS and restart Keystead.",
    Reason.UNREACHABLE: "Check the issuer, and that no firewall blocks connections from Keystead.",
    Reason.TIMEOUT: "Check that the provider works and answers within five seconds.",
    Reason.CERTIFICATE_NOT_ACCEPTED: "The provider must renew or correct its certificate."
    " If your own authority issued it, add the authority's certificate to KEYSTEAD_IDP_CA_FILE.",
    Reason.TLS_FAILED: "The provider must support TLS 1.2 or newer; ask its operator.",
    Reason.NOT_HTTP: "No web server listens at this address: correct the issuer.",
    Reason.REDIRECTED: "Redirects are not followed: set the issuer to the value of `issuer`"
    " in the provider's discovery document.",
    Reason.ANSWER_TOO_LARGE: "Answers are limited to 256 KiB: ask the operator of the provider.",
    Reason.UNEXPECTED_STATUS: "Correct the issuer, or ask the operator of the provider.",
    Reason.NOT_JSON: "Correct the issuer, or ask the operator of the provider.",
    Reason.METADATA_INVALID: "The discovery document must follow OpenID Connect Discovery"
    " 1.0; ask the operator of the provider.",
    Reason.ISSUER_MISMATCH: "Set the issuer exactly as the provider writes it, with or"
    " without a slash at its end.",
    Reason.ALGORITHMS_NOT_SUPPORTED: "Have the provider sign ID tokens with an asymmetric"
    " algorithm, such as RS256 or ES256.",
    Reason.KEYS_UNUSABLE: "The provider must publish the keys that it signs with.",
    Reason.CLIENT_REFUSED: "Correct the client ID, the client secret and the authentication"
    " method with SetOIDCConfig.",
    Reason.CODE_REFUSED: "Check that the redirect URI is registered with the provider.",
}
_OTHERWISE = "Ask the operator of the provider. If the provider did not send this, an attacker did."


class ProviderError(Exception):
    """The provider failed, or sent an unacceptable answer, callback or token.

    `observed` is a sentence, with at most 200 characters of the provider's own text. `advice`
    replaces the remedy of the reason.
    """

    def __init__(self, reason: Reason, observed: str, *, advice: str | None = None) -> None:
        super().__init__(f"{reason}: {observed}")
        self.reason = reason
        # For an administrator.
        self.message = f"{observed} {advice or _ADVICE.get(reason, _OTHERWISE)}"


def quoted(value: object) -> str:
    """A bounded, printable part of a provider's value."""
    return repr(str(value)[:200])
