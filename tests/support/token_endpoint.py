"""A token endpoint on loopback that behaves as those of Microsoft and Google are documented.

By https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow,
https://learn.microsoft.com/entra/identity-platform/reference-error-codes and
https://developers.google.com/identity/protocols/oauth2/service-account.
"""

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qs

from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from joserfc import jwt

from tests.support import rsa_keys
from tests.support.certificates import Authority
from tests.support.closing import serving
from tests.support.oidc_provider import answer

CLIENT_ID, MAILBOX = "6731de76-14a6-49ae-97bc-6eba6914391e", "noreply@contoso.com"
ACCOUNT: Final = "mailer@project.iam.gserviceaccount.com"
SCOPE_OF_MICROSOFT: Final = "https://outlook.office365.com/.default"
SCOPE_OF_GOOGLE: Final = "https://mail.google.com/"
# Also of `Authority.certificate(rsa_key=True)`.
_KEY: Final = "of certificates"

# The status and the document of an answer.
Answer: TypeAlias = tuple[str, Mapping[str, Any]]


def pem(name: str = _KEY) -> str:
    """The private key of this name."""
    key = rsa_keys.rsa_key(name)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def account_key() -> str:
    """The key file of the service account."""
    return json.dumps(
        {
            "type": "service_account",
            "client_email": ACCOUNT,
            "private_key_id": "a-key-id",
            "private_key": pem(),
            "token_uri": "https://oauth2.googleapis.com/token",
        }
    )


def refused(error: str, description: str, status: str = "400 Bad Request") -> Answer:
    """An error (RFC 6749, section 5.2)."""
    return status, {"error": error, "error_description": description}


@dataclass
class TokenEndpoint:
    """Answers token requests, and remembers its tokens. Tests change any of these."""

    url: str = ""
    mailbox: str = MAILBOX
    # Verifies assertions.
    key: Any = field(default_factory=lambda: rsa_keys.jwk(_KEY))
    client_secret: str = field(default_factory=lambda: secrets.token_urlsafe(30))
    # The valid refresh token. With `rotates`, each use replaces it.
    refresh_token: str = field(default_factory=lambda: secrets.token_urlsafe(60))
    rotates: bool = False
    expires_in: Any = 3599
    # Its clock minus that of this machine, in seconds.
    clock: float = 0.0
    # The thumbprint that an assertion must name.
    thumbprint: str | None = None
    # Tokens that mail servers accept.
    valid: set[str] = field(default_factory=set)
    # Replaces the answer to the next requests.
    answers: list[Answer | bytes] = field(default_factory=list)
    # The forms of all requests.
    requests: list[dict[str, str]] = field(default_factory=list)
    # Waited for before an answer.
    before: Callable[[], Any] | None = None
    used: set[str] = field(default_factory=set)

    def accepts(self, mailbox: str, token: str) -> bool:
        """Whether the mailbox may log in with the token."""
        return mailbox == self.mailbox and token in self.valid

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers the one request of a connection."""
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
            body = (await reader.readexactly(length)).decode()
            form = {name: value for name, [value] in parse_qs(body, strict_parsing=True).items()}
            self.requests.append(form)
            if self.before:
                await self.before()
            given = self.answers.pop(0) if self.answers else self._answer(form)
            if isinstance(given, bytes):
                writer.write(given)
            else:
                status, document = given
                writer.write(answer(json.dumps(document).encode(), status=status))
            await writer.drain()
        writer.close()

    def _answer(self, form: Mapping[str, str]) -> Answer:
        match form["grant_type"]:
            case "client_credentials":
                return self._of_microsoft(form)
            case "refresh_token":
                return self._refreshed(form)
            case _:
                return self._of_google(form)

    def _of_microsoft(self, form: Mapping[str, str]) -> Answer:
        if form["scope"] != SCOPE_OF_MICROSOFT:
            return refused(
                "invalid_scope", "AADSTS1002012: The provided value for scope is not valid"
            )
        if form["client_id"] != CLIENT_ID:
            return refused(
                "unauthorized_client",
                f"AADSTS700016: Application with identifier '{form['client_id']}' was not found in"
                " the directory 'Contoso'.",
            )
        if "client_assertion" in form:
            return self._asserted(form["client_assertion"])
        if form["client_secret"] != self.client_secret:
            return refused(
                "invalid_client",
                "AADSTS7000215: Invalid client secret provided. Ensure the secret being sent in the"
                " request is the client secret value, not the client secret ID.",
                "401 Unauthorized",
            )
        return self._issued()

    def _asserted(self, assertion: str) -> Answer:
        decoded = jwt.decode(assertion, self.key, algorithms=["PS256", "RS256"])
        assert decoded.header.get("x5t#S256") == self.thumbprint
        assert decoded.header["alg"] == ("PS256" if self.thumbprint else "RS256")
        claims, now = decoded.claims, time.time() + self.clock
        assert (claims["iss"], claims["sub"], claims["aud"]) == (CLIENT_ID, CLIENT_ID, self.url)
        assert claims["jti"] not in self.used
        self.used.add(claims["jti"])
        if not claims["nbf"] <= now < claims["exp"]:
            return refused(
                "invalid_client",
                "AADSTS700024: Client assertion is not within its valid time range.",
            )
        return self._issued()

    def _of_google(self, form: Mapping[str, str]) -> Answer:
        assert form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer"
        decoded = jwt.decode(form["assertion"], self.key, algorithms=["RS256"])
        claims, now = decoded.claims, time.time() + self.clock
        assert decoded.header["kid"] == "a-key-id"
        assert (claims["iss"], claims["aud"]) == (ACCOUNT, self.url)
        if not claims["iat"] <= now < claims["exp"] or claims["exp"] - claims["iat"] > 3600:
            return refused(
                "invalid_grant",
                "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable"
                " timeframe. Check your iat and exp values in the JWT claim.",
            )
        if (claims["sub"], claims["scope"]) != (self.mailbox, SCOPE_OF_GOOGLE):
            return refused(
                "unauthorized_client",
                "Client is unauthorized to retrieve access tokens using this method, or client not"
                " authorized for any of the scopes requested.",
            )
        return self._issued()

    def _refreshed(self, form: Mapping[str, str]) -> Answer:
        if form["refresh_token"] != self.refresh_token:
            return refused("invalid_grant", "Token has been expired or revoked.")
        if self.rotates:
            self.refresh_token = secrets.token_urlsafe(60)
            status, document = self._issued()
            return status, {**document, "refresh_token": self.refresh_token}
        return self._issued()

    def _issued(self) -> Answer:
        token = secrets.token_urlsafe(1200)
        self.valid.add(token)
        document = {"token_type": "Bearer", "expires_in": self.expires_in, "access_token": token}
        return "200 OK", document


@contextlib.asynccontextmanager
async def token_endpoint(authority: Authority) -> AsyncIterator[TokenEndpoint]:
    """An endpoint until the end of the block."""
    endpoint = TokenEndpoint()
    context = authority.certificate(names=["localhost"]).context()
    async with serving(endpoint.serve, context) as port:
        endpoint.url = f"https://localhost:{port}/token"
        yield endpoint
