"""The kinds of input that strangers send, each with its reader in the server.

A reader that chooses one of several forms does so by the first byte of the input. Sealed and signed
inputs begin with `s` if the reader seals or signs them first, and with another byte if they are
read as they are: mutations of a token alone would never get past its signature.
"""

import base64
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from random import Random
from typing import Any, Final

import cbor2
import httptools
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from google.protobuf.message import Message
from joserfc import jws
from joserfc.jwk import ECKey
from starlette.types import Message as AsgiMessage
from starlette.types import Receive, Scope, Send

from bridge.cookies import SessionCookies
from bridge.http import request_head
from bridge.http.errors import HttpError
from bridge.http.limits import Limits
from bridge.http.request_head import RequestHead
from bridge.json.binding import Binding
from bridge.json.routing import routes_of
from bridge.metadata import Headers
from bridge.oauth.endpoints import ENDPOINTS
from keystead.event.v1 import event_service_pb2 as pb
from server.crypto.keyring import Keyring
from server.crypto.sealed import Sealed
from server.event import commands
from server.event.commands import ListEvents
from server.idp.relying_party import id_token
from server.idp.relying_party.reasons import ProviderError
from server.idp.signin.flow_token import Flow, flow_tokens, new_flow
from server.oauth.request import StartAuthorization
from server.passkey.webauthn import cbor, cose
from server.passkey.webauthn.credential import read_registration
from server.passkey.webauthn.registration import verify_registration
from server.rpc.messages import instant
from server.rpc.requests import OF_CALLERS, OF_OPEN_METHODS
from server.user.commands import ListUsers
from server.validation.fields import read
from server.values.errors import Failure
from tests.hostile.fuzzing import Kind, RefusedError
from tests.passkey.attacks import CBOR_ATTACKS, SHAPES, STRANGE, mutate, mutated
from tests.passkey.credentials import CHALLENGE, POLICY, made
from tests.support import given

_SEALED = b"s"
_NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
_PARENT: Final = "0198c5a0-0000-7000-8000-000000000000"


@cache
def _binding(method: str) -> Binding:
    services = {each.containing_service.full_name for each in given.UNARY_METHODS}
    own = [name for name in services if name.startswith("keystead.")]
    return Binding(next(route for route in routes_of(own) if route.method.name == method))


def _mutate_json(data: bytes, random: Random) -> bytes:
    """In half of the cases, a member with another value or name behind the first byte."""
    try:
        value = json.loads(data[1:])
    except ValueError:
        return mutated(data, random)
    if random.random() < 0.5 or not isinstance(value, dict):
        return mutated(data, random)
    members = value
    while True:
        name = random.choice([*members, "new"])
        inner = members.get(name)
        if not isinstance(inner, dict) or random.random() < 0.3:
            break
        members = inner
    members[random.choice([name, f"{name}X"])] = random.choice([*STRANGE, 2**63, inner, [inner]])
    return data[:1] + json.dumps(value).encode()


# JSON: messages with a mask, with a Struct, and with repeated and nested fields.
_MESSAGES: Final = ("PatchIDP", "VerifyPasskeyRegistration", "AddApplication", "AddSMTPConfig")


def _read_json(data: bytes) -> Message:
    binding = _binding(_MESSAGES[data[0] % len(_MESSAGES)] if data else _MESSAGES[0])
    values = [b"1"] * len(binding._variables)  # noqa: SLF001 -- as many as the path has
    return binding.request(values, b"", data[1:], OF_CALLERS)


def _json_seeds() -> Iterator[bytes]:
    yield b"\0" + json.dumps({"idp": {"name": "a"}, "updateMask": "name,stylingType"}).encode()
    yield b"\1" + json.dumps({"publicKeyCredential": made(), "passkeyName": "\u00e9"}).encode()
    yield b"\2" + json.dumps({"name": "a", "redirectUris": ["https://a.example"]}).encode()
    yield b'\3{"tls":true,"host":"\\ud83d\\ude00","user":null,"x":[1e3,-0.5,{"a":1,"a":2}]}'


# CBOR and COSE
def _read_cbor(data: bytes) -> None:
    _, end = cbor.read(data[1:], canonical=data[:1] == b"c")
    if end != len(data) - 1:
        raise RefusedError("bytes after the value")


def _cbor_seeds() -> Iterator[bytes]:
    values = ({"fmt": "none", "attStmt": {}, "authData": b"x" * 30}, [1, -300, True, None, "é"])
    for prefix in (b"c", b"x"):
        yield from (prefix + cbor2.dumps(value, canonical=True) for value in values)
        yield from (prefix + attack[:2000] for attack in CBOR_ATTACKS.values())


def _read_cose(data: bytes) -> None:
    value, _ = cbor.read(data, canonical=True)
    cose.load(cose.read(value))


def _cose_seeds() -> Iterator[bytes]:
    for shape in SHAPES:
        credential = made(**shape)
        encoded = credential["response"]["attestationObject"]
        members = cbor2.loads(base64.urlsafe_b64decode(encoded + "==="))
        data = members["authData"]
        yield data[55 + int.from_bytes(data[53:55]) :]  # after the credential ID


# Credentials
def _read_credential(data: bytes) -> None:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise RefusedError("a string of protobuf is UTF-8") from None
    verify_registration(read_registration(text), expected_challenge=CHALLENGE, policy=POLICY)


def _credential_seeds() -> Iterator[bytes]:
    yield from (json.dumps(made(**shape)).encode() for shape in SHAPES)


def _mutate_credential(data: bytes, random: Random) -> bytes:
    """One wrong part at any depth, if the input is a credential with an attestation object."""
    try:
        return json.dumps(mutate(json.loads(data), random)).encode()
    except Exception:  # noqa: BLE001 -- an earlier mutation, which decoders of tests refuse variously
        return mutated(data, random)


# Cookies: header lines of a request, which the session cookie turns into `authorization`.
_PAGE: Final = "https://id.example.com"


def _read_cookies(data: bytes) -> None:
    headers = [(b"host", b"id.example.com"), *_lines(data[1:])]
    method = ("GET", "POST")[data[:1] == b"P"]
    seen: list[Headers] = []

    async def application(scope: Scope, _receive: Receive, _send: Send) -> None:
        seen.append(scope["headers"])

    async def receive() -> AsgiMessage:
        raise NotImplementedError

    async def send(_message: AsgiMessage) -> None:
        raise NotImplementedError

    scope = {"type": "http", "method": method, "headers": headers, "scheme": "https"}
    running = SessionCookies(application, [_PAGE])(scope, receive, send)
    _run(running)
    if any(name == b"cookie" for name, _ in seen[0]):
        raise AssertionError("the application sees a cookie")


def _run(coroutine: Any) -> None:
    """Runs a coroutine that waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    raise AssertionError("the coroutine waits")


def _lines(data: bytes) -> list[tuple[bytes, bytes]]:
    pairs = (line.partition(b":") for line in data.split(b"\n") if line)
    return [(name.strip().lower(), value.strip()) for name, _, value in pairs]


def _cookie_seeds() -> Iterator[bytes]:
    cookie = b"cookie: a=b; __Host-keystead=kss_abcDEF-_123; c=d\n"
    yield b"P" + cookie + b"content-type: application/json\norigin: https://id.example.com"
    yield b"G" + cookie + b"sec-fetch-site: same-origin"
    yield (
        b"P"
        + cookie
        + b"content-type: application/json\nauthorization: Bearer x\nx-keystead-session: cookie"
    )


# Forms of OAuth: the endpoint, an `authorization` header up to the first line break, the form.
def _read_form(data: bytes) -> None:
    endpoint = ENDPOINTS[data[0] % len(ENDPOINTS)] if data else ENDPOINTS[0]
    header, _, form = data[1:].partition(b"\n")
    headers = [(b"authorization", header)] if header else []
    message = endpoint.read(form, headers, OF_OPEN_METHODS)
    if endpoint.method == "StartAuthorization":
        read(StartAuthorization, message, max_age=None)


def _form_seeds() -> Iterator[bytes]:
    basic = b"Basic " + base64.b64encode(b"app%3A1:secret")
    start = b"client_id=a&redirect_uri=https%3A%2F%2Fa.example&max_age=5&response_type=code"
    token = (
        b"grant_type=authorization_code&code=a+b&code_verifier=%C3%A9&resource=https://r.example"
    )
    signed = _signed(b'{"sub":"app"}').encode()
    assertion = b"client_assertion=" + signed + b"&client_assertion_type=a"
    for index in range(len(ENDPOINTS)):
        first = bytes([index])
        yield first + b"\n" + start
        yield first + basic + b"\n" + token
        yield first + b"\n" + assertion


# JWTs
@cache
def _key() -> ECKey:
    private = ec.derive_private_key(2**200 + 1, ec.SECP256R1())
    return ECKey.import_key(
        private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


def _signed(claims: bytes) -> str:
    return jws.serialize_compact({"alg": "ES256", "kid": "1"}, claims, _key())


@cache
def _keys() -> Sequence[id_token.PublicKey]:
    return id_token.read_keys({"keys": [{**_key().as_dict(private=False), "kid": "1"}]})


_EXPECTED: Final = id_token.Expected("https://op.example", "app", "nonce", "access")


def _read_jwt(data: bytes) -> None:
    token = _signed(data[1:]) if data[:1] == _SEALED else data.decode("latin-1")
    algorithms = ("RS256", "ES256")
    id_token.verify(token, keys=_keys(), algorithms=algorithms, expected=_EXPECTED, now=_NOW)


def _jwt_seeds() -> Iterator[bytes]:
    seconds = int(_NOW.timestamp())
    claims = {
        "iss": _EXPECTED.issuer,
        "sub": "ada",
        "aud": ["app"],
        "azp": "app",
        "nonce": "nonce",
        "iat": seconds,
        "nbf": seconds,
        "exp": seconds + 60,
        "at_hash": "x",
    }
    without_hash = {name: value for name, value in claims.items() if name != "at_hash"}
    for each in (claims, without_hash):
        text = json.dumps(each).encode()
        yield _SEALED + text
        yield _signed(text).encode()


# Flow tokens
_KEYRING: Final = Keyring([bytes(range(32))])


@cache
def _flows() -> Sealed[Flow]:
    return flow_tokens(_KEYRING)


@cache
def _fernet() -> Fernet:
    key = _KEYRING.derive(_KEYRING.writing_key_id, purpose="keystead sign-in flow")
    return Fernet(base64.urlsafe_b64encode(key))


def _read_flow_token(data: bytes) -> None:
    token = _fernet().encrypt(data[1:]) if data[:1] == _SEALED else data
    if _flows().opened(token.decode("latin-1")) is None:
        raise RefusedError("not of this server")


def _flow_seeds() -> Iterator[bytes]:
    flow = new_flow(idp_id=_PARENT, sequence=1, redirect_uri=_PAGE, now=_NOW)
    token = _flows().sealed(flow).encode()
    yield token
    yield _SEALED + _fernet().decrypt(token)


# HTTP heads
class _Head:
    """The callbacks of the parser."""

    def __init__(self) -> None:
        self.parser = httptools.HttpRequestParser(self)
        self.url = b""
        self.fields: Headers = []
        self.heads = 0

    def on_message_begin(self) -> None:
        self.url, self.fields = b"", []

    def on_url(self, url: bytes) -> None:
        self.url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self.fields.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        version = self.parser.get_http_version()
        head = RequestHead(self.parser.get_method(), self.url, version, self.fields)
        request_head.checked(head, Limits()).without(b"upgrade")
        self.heads += 1


def _read_head(data: bytes) -> None:
    head = _Head()
    try:
        head.parser.feed_data(data)
    except httptools.HttpParserUpgrade:
        return  # the port reads the request without its upgrade
    except httptools.HttpParserCallbackError as error:
        raise error.__context__ or error from None
    if not head.heads:
        raise RefusedError("an incomplete head")


def _head_seeds() -> Iterator[bytes]:
    yield b"GET /v1/users/me?a=%20b HTTP/1.1\r\nHost: id.example.com:443\r\nAccept: */*\r\n\r\n"
    yield b"POST http://a.example/ HTTP/1.1\r\nHost: b\r\nTransfer-Encoding: chunked\r\n\r\n0"
    yield b"OPTIONS * HTTP/1.1\r\nHost: [::1]:80\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n"
    yield b"CONNECT a:1 HTTP/1.0\r\n\r\n"
    yield b"OPTIONS http://a HTTP/1.1\r\nHost: \r\nContent-Length: 1\r\n\r\nx"


# Page tokens, and the filters of the log as a query
def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise RefusedError("a string of protobuf is UTF-8") from None


def _events(page_token: str) -> ListEvents:
    return read(ListEvents, pb.ListEventsRequest(page_token=page_token), since=None, until=None)


def _users(page_token: str) -> ListUsers:
    return ListUsers(page_size=0, page_token=page_token, query="")


def _read_page_token(data: bytes) -> None:
    token = _text(data[1:])
    if data[:1] == b"e":
        _events(token).position("list", commands._POSITION)  # noqa: SLF001 -- as `list_page`
    else:
        _users(token).after(_PARENT)


def _page_seeds() -> Iterator[bytes]:
    yield b"e" + _events("").token("list", f"-17:{_PARENT}").encode()
    yield b"u" + _users("").token(_PARENT, _PARENT).encode()
    yield b"u"


def _read_filter(data: bytes) -> None:
    message: Any = _binding("ListEvents").request((), data, b"", OF_CALLERS)
    command = read(
        ListEvents,
        message,
        since=instant(message.since) if message.HasField("since") else None,
        until=instant(message.until) if message.HasField("until") else None,
    )
    command.list_name(command.conditions(_PARENT))


def _filter_seeds() -> Iterator[bytes]:
    yield b"aggregateType=user&eventType=idp.added&pageSize=3&oldestFirst=true"
    yield b"since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:00.5%2B01:00&creator=a"
    yield f"aggregateId={_PARENT}&allOrganizations=1&pageToken=%C3%A9".encode()


KINDS: Final = (
    Kind("json", _read_json, (Failure,), _json_seeds, _mutate_json),
    Kind("cbor", _read_cbor, (cbor.CborError,), _cbor_seeds),
    Kind("cose", _read_cose, (ValueError, UnsupportedAlgorithm), _cose_seeds),
    Kind("credential", _read_credential, (Failure,), _credential_seeds, _mutate_credential),
    Kind("cookie", _read_cookies, (), _cookie_seeds),
    Kind("oauth_form", _read_form, (Failure,), _form_seeds),
    Kind("jwt", _read_jwt, (ProviderError,), _jwt_seeds, _mutate_json),
    Kind("flow_token", _read_flow_token, (), _flow_seeds, _mutate_json),
    Kind("http_head", _read_head, (HttpError, httptools.HttpParserError), _head_seeds),
    Kind("page_token", _read_page_token, (Failure,), _page_seeds),
    Kind("filter", _read_filter, (Failure,), _filter_seeds),
)
