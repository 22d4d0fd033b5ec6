"""The authentication of applications, in the header or in the body (RFC 6749, section 2.3)."""

import base64
import binascii
from typing import TypeAlias

from bridge.metadata import Headers, values
from bridge.oauth import refusals
from bridge.percent import unescaped
from keystead.oauth.v1 import oauth_service_pb2 as pb
from server.validation import json_text

ClientRequestMessage: TypeAlias = (
    pb.PushAuthorizationRequestRequest
    | pb.ExchangeTokenRequest
    | pb.IntrospectTokenRequest
    | pb.RevokeOAuthTokenRequest
    | pb.StartDeviceAuthorizationRequest
)


def complete(request: ClientRequestMessage, headers: Headers) -> None:
    """Puts the client_id, and the secret of the header, into a request with the body's parameters.

    `Failure` INVALID_ARGUMENT `INVALID_REQUEST`, UNAUTHENTICATED `INVALID_CLIENT`.
    """
    has_assertion = bool(request.client_assertion or request.client_assertion_type)
    sent = values(headers, b"authorization")
    if sum((bool(sent), bool(request.client_secret), has_assertion)) > 1:
        raise refusals.two_authentications()
    if sent:
        client_id, secret = _basic(sent)
        if request.client_id not in ("", client_id):
            raise refusals.two_clients()
        request.client_id, request.client_secret = client_id, secret
    elif has_assertion and not request.client_id:
        request.client_id = _subject(request.client_assertion)


def _basic(sent: list[bytes]) -> tuple[str, str]:
    """The client_id and the secret, form-urlencoded (RFC 6749, section 2.3.1) or not.

    Many programs send them as they are. Both ways are the same, since neither has a space or a
    percent sign (`server/application/chosen.py`); so a plus is one.
    """
    scheme, _, credentials = sent[0].partition(b" ")
    try:
        decoded = base64.b64decode(credentials.strip(), validate=True)
        client_id, colon, secret = (unescaped(part).decode() for part in decoded.partition(b":"))
    except (binascii.Error, UnicodeDecodeError):
        raise refusals.malformed_authorization("not base64, or not form-urlencoded") from None
    if len(sent) != 1 or scheme.lower() != b"basic" or not colon:
        raise refusals.malformed_authorization("not one Basic")
    return client_id, secret


def _subject(assertion: str) -> str:
    """The `sub` of an assertion, which the method verifies; empty if it has none.

    With an assertion, the client_id may be left out (RFC 7521, section 4.2).
    """
    payload = assertion.partition(".")[2].partition(".")[0]
    try:
        claims = json_text.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except ValueError:
        return ""
    subject = claims.get("sub") if isinstance(claims, dict) else None
    # JSON can contain lone surrogates, and messages cannot. No client_id has any.
    return subject if isinstance(subject, str) and subject.isascii() else ""
