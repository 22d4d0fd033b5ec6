"""The reasons why a provider cannot be used or an ID token is refused, with a remedy for each."""

import enum
from collections.abc import Mapping
from typing import Final


class ProviderReason(enum.StrEnum):
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
    ISSUED_AT_NOT_NOW = "ISSUED_AT_NOT_NOW"
    NONCE_MISMATCH = "NONCE_MISMATCH"
    SUBJECT_INVALID = "SUBJECT_INVALID"
    ACCESS_TOKEN_HASH_MISMATCH = "ACCESS_TOKEN_HASH_MISMATCH"  # noqa: S105
    USERINFO_SUBJECT_MISMATCH = "USERINFO_SUBJECT_MISMATCH"


# The provider cannot be reached, or reports a temporary failure.
UNAVAILABLE: Final = frozenset(
    {
        *(
            ProviderReason.NAME_NOT_FOUND,
            ProviderReason.NAME_LOOKUP_FAILED,
            ProviderReason.ADDRESS_NOT_ALLOWED,
        ),
        *(
            ProviderReason.UNREACHABLE,
            ProviderReason.TIMEOUT,
            ProviderReason.CERTIFICATE_NOT_ACCEPTED,
            ProviderReason.CERTIFICATE_NOT_CONFORMANT,
            ProviderReason.TLS_FAILED,
        ),
        *(
            ProviderReason.NOT_HTTP,
            ProviderReason.REDIRECTED,
            ProviderReason.ANSWER_TOO_LARGE,
            ProviderReason.UNEXPECTED_STATUS,
        ),
        *(
            ProviderReason.NOT_JSON,
            ProviderReason.METADATA_INVALID,
            ProviderReason.ALGORITHMS_NOT_SUPPORTED,
        ),
        *(ProviderReason.KEYS_UNUSABLE, ProviderReason.PROVIDER_FAILED),
    }
)

_ADVICE: Mapping[ProviderReason, str] = {
    ProviderReason.NAME_NOT_FOUND: "Correct the issuer.",
    ProviderReason.NAME_LOOKUP_FAILED: "Check the DNS servers of the machine that Keystead runs"
    " on.",
    ProviderReason.ADDRESS_NOT_ALLOWED: "If the provider is yours, add its address or network to"
    " KEYSTEAD_IDP_ALLOWED_NETWORKS and restart Keystead.",
    ProviderReason.UNREACHABLE: "Check the issuer, and that no firewall blocks connections from"
    " Keystead.",
    ProviderReason.TIMEOUT: "Check that the provider works and answers within five seconds.",
    ProviderReason.CERTIFICATE_NOT_ACCEPTED: "The provider must renew or correct its certificate."
    " If your own authority issued it, add the authority's certificate to KEYSTEAD_IDP_CA_FILE.",
    ProviderReason.TLS_FAILED: "The provider must support TLS 1.2 or newer; ask its operator.",
    ProviderReason.NOT_HTTP: "No web server listens at this address: correct the issuer.",
    ProviderReason.REDIRECTED: "Redirects are not followed: set the issuer to the value of `issuer`"
    " in the provider's discovery document.",
    ProviderReason.ANSWER_TOO_LARGE: "Answers are limited to 256 KiB: ask the operator of the"
    " provider.",
    ProviderReason.UNEXPECTED_STATUS: "Correct the issuer, or ask the operator of the provider.",
    ProviderReason.NOT_JSON: "Correct the issuer, or ask the operator of the provider.",
    ProviderReason.METADATA_INVALID: "The discovery document must follow OpenID Connect Discovery"
    " 1.0; ask the operator of the provider.",
    ProviderReason.ISSUER_MISMATCH: "Set the issuer exactly as the provider writes it, with or"
    " without a slash at its end.",
    ProviderReason.ALGORITHMS_NOT_SUPPORTED: "Have the provider sign ID tokens with an asymmetric"
    " algorithm, such as RS256 or ES256.",
    ProviderReason.KEYS_UNUSABLE: "The provider must publish the keys that it signs with.",
    ProviderReason.CLIENT_REFUSED: "Correct the client ID, the client secret and the authentication"
    " method with SetOIDCConfig.",
    ProviderReason.CODE_REFUSED: "Check that the redirect URI is registered with the provider.",
}
_OTHERWISE = "Ask the operator of the provider. If the provider did not send this, an attacker did."


class ProviderError(Exception):
    """The provider failed, or sent an unacceptable answer, callback or token.

    `observed` is a sentence, with at most 200 characters of the provider's own text. `advice`
    replaces the remedy of the reason.
    """

    def __init__(self, reason: ProviderReason, observed: str, *, advice: str | None = None) -> None:
        super().__init__(f"{reason}: {observed}")
        self.reason = reason
        self.observed = observed
        self._advice = advice or _ADVICE.get(reason, _OTHERWISE)

    @property
    def message(self) -> str:
        """The observation and the remedy, for an administrator."""
        return f"{self.observed} {self._advice}"


def quoted(value: object) -> str:
    """A bounded, printable part of a provider's value."""
    return repr(str(value)[:200])
