"""Secrets of OAuth clients: the checks when one is set, and the assertions that a key signs.

The rule: an assertion begins five minutes before the clock of this machine and ends ten minutes
after it, so that a clock which is five minutes off does no harm.
"""

import json
import time
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final
from uuid import uuid4

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey
from joserfc.util import urlsafe_b64encode

from server.validation import json_text

_RSA_BITS: Final = 2048
_BEFORE_SECONDS: Final = 300
_AFTER_SECONDS: Final = 600


class TokenMethod(StrEnum):
    """The kinds of secrets. The values are the names in the API."""

    CLIENT_SECRET = "CLIENT_SECRET"  # noqa: S105 -- a name
    PRIVATE_KEY_JWT = "PRIVATE_KEY_JWT"
    SERVICE_ACCOUNT = "SERVICE_ACCOUNT"
    REFRESH_TOKEN = "REFRESH_TOKEN"  # noqa: S105 -- a name


# The field of the API with the secret of a method.
FIELDS: Final[Mapping[TokenMethod, str]] = {
    TokenMethod.CLIENT_SECRET: "client_secret",
    TokenMethod.PRIVATE_KEY_JWT: "private_key",
    TokenMethod.SERVICE_ACCOUNT: "service_account_key",
    TokenMethod.REFRESH_TOKEN: "refresh_token",
}


def check_private_key(text: str) -> None:
    """A private key in PEM, perhaps with its certificate. ValueError with the correction."""
    _certificate(text, _private_key(text))


def check_service_account(text: str) -> str:
    """The key file of a service account; gives its client. ValueError with the correction."""
    try:
        file = json_text.loads(text)
    except ValueError:
        file = None
    names = ("client_email", "private_key", "private_key_id")
    if not isinstance(file, dict) or not all(isinstance(file.get(name), str) for name in names):
        raise ValueError(
            "must be the JSON file of a key of a service account, with client_email, private_key"
            " and private_key_id"
        )
    if not isinstance(_private_key(file["private_key"]), rsa.RSAPrivateKey):
        raise ValueError("must have an RSA key")  # noqa: TRY004 -- of the text
    return str(file["client_email"])


def client_assertion(pem: str, *, client_id: str, audience: str) -> str:
    """An assertion that authenticates the client (RFC 7523, section 2.2).

    With a certificate it is signed by PS256 and names the certificate, as Microsoft requires:
    https://learn.microsoft.com/entra/identity-platform/certificate-credentials
    """
    key = _private_key(pem)
    certificate = _certificate(pem, key)
    header = {"alg": "RS256"}
    if certificate is not None:
        digest = urlsafe_b64encode(certificate.fingerprint(hashes.SHA256()))
        header = {"alg": "PS256", "x5t#S256": digest.decode()}
    if isinstance(key, ec.EllipticCurvePrivateKey):
        header["alg"] = "ES256"
    claims = {"iss": client_id, "sub": client_id, "jti": str(uuid4())}
    return _signed(header, claims, key, audience)


def account_assertion(file: str, *, mailbox: str, scope: str, audience: str) -> str:
    """An assertion of a service account for a mailbox (RFC 7523, section 2.1).

    https://developers.google.com/identity/protocols/oauth2/service-account
    """
    account = json.loads(file)
    header = {"alg": "RS256", "kid": account["private_key_id"]}
    claims = {"iss": account["client_email"], "sub": mailbox, "scope": scope}
    return _signed(header, claims, _private_key(account["private_key"]), audience)


_Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


def _signed(header: Mapping[str, Any], claims: Mapping[str, Any], key: _Key, audience: str) -> str:
    now = int(time.time())
    begin, end = now - _BEFORE_SECONDS, now + _AFTER_SECONDS
    jwk = RSAKey(key, key) if isinstance(key, rsa.RSAPrivateKey) else ECKey(key, key)
    whole = {**claims, "aud": audience, "iat": begin, "nbf": begin, "exp": end}
    return jwt.encode({"typ": "JWT", **header}, whole, jwk, algorithms=[header["alg"]])


def _private_key(text: str) -> _Key:
    try:
        key = load_pem_private_key(text.encode(), None)
    except (TypeError, ValueError, UnsupportedAlgorithm):
        key = None
    if isinstance(key, rsa.RSAPrivateKey) and key.key_size >= _RSA_BITS:
        return key
    if isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1):
        return key
    raise ValueError(
        "must have a private key in PEM without a passphrase, RSA of at least 2048 bits or P-256"
    )


def _certificate(text: str, key: _Key) -> x509.Certificate | None:
    if "-----BEGIN CERTIFICATE-----" not in text:
        return None
    try:
        certificate = x509.load_pem_x509_certificates(text.encode())[0]
    except ValueError:
        raise ValueError("must have its certificate in PEM") from None
    if certificate.public_key() != key.public_key():
        raise ValueError("must belong to the certificate: put its certificate first")
    return certificate
