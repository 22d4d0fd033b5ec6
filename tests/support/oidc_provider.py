"""An OpenID provider on loopback, with faults that a test chooses."""

import asyncio
import base64
import contextlib
import hashlib
import itertools
import json
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias
from urllib.parse import parse_qs, parse_qsl, urlencode

from joserfc import jws
from joserfc.jwk import RSAKey

from tests.support import rsa_keys
from tests.support.certificates import Authority
from tests.support.closing import serving

# Names of keys, used in turns, so that two providers of a test differ.
_KEYS = itertools.cycle(("one provider", "another provider"))
CLIENT_ID, CLIENT_SECRET, CODE = "keystead", "a-client-secret", "a-right-code"

# A server remembers the documents and keys of an issuer, so no two providers have the same port.
_USED_PORTS: set[int] = set()

# Answers a request in its own way, given the stream to the client.
Handler: TypeAlias = Callable[[asyncio.StreamWriter], Awaitable[None]]


class Provider:
    """Answers correctly, except for the replacements of a test.

    `documents` are the JSON answers by path, `handlers` whole answers by path. `claims` change
    those of ID tokens; one that is None is left out.
    """

    def __init__(self, port: int) -> None:
        self.issuer = f"https://localhost:{port}"
        self.key = rsa_keys.jwk(next(_KEYS), "first")
        self.documents: dict[str, Any] = {
            "/.well-known/openid-configuration": {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
                "userinfo_endpoint": f"{self.issuer}/userinfo",
                "id_token_signing_alg_values_supported": ["RS256"],
            },
            "/userinfo": {"sub": "ada", "email": "ada@example.com", "email_verified": True},
        }
        self.publish(self.key)
        self.handlers: dict[str, Handler] = {}
        self.claims: dict[str, Any] = {}
        self.token_answer: dict[str, Any] = {}
        self.id_token: Callable[[dict[str, Any]], str] = self.signed
        self.nonce = "a-nonce"
        # The query parameters of browsers, by the authorization code that they got.
        self._asked: dict[str, dict[str, str]] = {}
        self.requests: list[str] = []
        self.connections = 0

    @property
    def metadata(self) -> dict[str, Any]:
        """The discovery document."""
        return self.documents["/.well-known/openid-configuration"]

    def publish(self, *keys: RSAKey) -> None:
        """Sets the keys that the provider publishes."""
        self.documents["/keys"] = {"keys": [key.as_dict(private=False) for key in keys]}

    def signed(self, claims: dict[str, Any], **header: Any) -> str:
        """An ID token with these claims. A member of the header that is None is left out."""
        header = {"alg": "RS256", "kid": self.key.kid} | header
        protected = {name: value for name, value in header.items() if value is not None}
        registry = jws.JWSRegistry(algorithms=["RS256"], strict_check_header=False)
        return jws.serialize_compact(protected, json.dumps(claims), self.key, registry=registry)

    def right_claims(self) -> dict[str, Any]:
        """The claims of a valid ID token, with the changes of the test."""
        now = int(time.time())
        digest = hashlib.sha256(b"an-access-token").digest()
        claims = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "sub": "ada",
            "nonce": self.nonce,
            "iat": now,
            "exp": now + 300,
            "at_hash": base64.urlsafe_b64encode(digest[:16]).rstrip(b"=").decode(),
        } | self.claims
        return {name: value for name, value in claims.items() if value is not None}

    def speak_of(self, subject: str, **claims: Any) -> None:
        """Sets the user who signs in from now on, and its claims."""
        self.claims = {"sub": subject, **claims}
        self.documents["/userinfo"] = {"sub": subject}

    def authorize(self, url: str) -> str:
        """Signs in a browser that opens this URL. Returns the query of its return."""
        asked = dict(parse_qsl(url.partition("?")[2]))
        code = secrets.token_urlsafe(8)
        self._asked[code] = asked
        return urlencode({"code": code, "state": asked["state"]})

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers the requests of a connection until the client closes it."""
        self.connections += 1
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while await self._serve_one(reader, writer):
                pass
        writer.close()

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answers a request. False: it was the last one of the connection."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        path = head.split(" ")[1]
        self.requests.append(path)
        headers = dict(line.split(": ", 1) for line in head.lower().split("\r\n")[1:-2])
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        if path in self.handlers:
            await self.handlers[path](writer)
            return False
        if path == "/token":
            status, document = self._token(headers, parse_qs(body.decode()))
        else:
            status, document = "200 OK", self.documents[path]
        writer.write(answer(json.dumps(document).encode(), status=status, closes=False))
        await writer.drain()
        return True

    def _token(
        self, headers: dict[str, str], form: dict[str, list[str]]
    ) -> tuple[str, dict[str, Any]]:
        pair = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        by_form = form.get("client_id"), form.get("client_secret")
        if headers.get("authorization") != f"basic {pair}".lower() and by_form != (
            [CLIENT_ID],
            [CLIENT_SECRET],
        ):
            return "401 Unauthorized", {"error": "invalid_client"}
        claims = self.right_claims()
        [code] = form["code"]
        if code != CODE:
            asked = self._asked.pop(code, {})
            digest = hashlib.sha256(form["code_verifier"][0].encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            if (asked.get("code_challenge"), [asked.get("redirect_uri")]) != (
                challenge,
                form["redirect_uri"],
            ):
                return "400 Bad Request", {"error": "invalid_grant"}
            claims |= {"nonce": asked["nonce"]}
        return "200 OK", {
            "token_type": "Bearer",
            "access_token": "an-access-token",
            "id_token": self.id_token(claims),
        } | self.token_answer


def answer(
    content: bytes, *, status: str = "200 OK", headers: str = "", closes: bool = True
) -> bytes:
    """An HTTP answer. Each header line ends with a line break."""
    end = "connection: close\r\n" if closes else ""
    head = f"HTTP/1.1 {status}\r\ncontent-length: {len(content)}\r\n{headers}{end}"
    return f"{head}\r\n".encode() + content


def answering(content: bytes, **answered: Any) -> Handler:
    """Gives the same answer to every request."""

    async def handle(writer: asyncio.StreamWriter) -> None:
        writer.write(answer(content, **answered))
        await writer.drain()

    return handle


@contextlib.asynccontextmanager
async def oidc_provider(authority: Authority, **certificate: Any) -> AsyncIterator[Provider]:
    """Runs a provider at https://localhost until the end of the block."""
    context = authority.certificate(**certificate).context()
    provider: Provider | None = None

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert provider is not None
        await provider.serve(reader, writer)

    async with serving(serve, context, not_at=_USED_PORTS) as port:
        _USED_PORTS.add(port)
        provider = Provider(port)
        yield provider
