"""A call without a token costs at most three times the plain request, whatever is sent.

The cost is the number of instructions of the interpreter (`tests/support/open_methods.py`), not a
time. Lines take less time to count, so instructions are counted only of attacks with many lines.
The methods are found by their descriptors; a new one is attacked without changes here.
"""

import base64
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from statistics import median_low
from typing import Any
from urllib.parse import quote_from_bytes, unquote_to_bytes

import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given
from hypothesis import strategies as st

from bridge.percent import unescaped
from server.access.tokens import TokenKind, new_token
from server.rpc.requests import MAX_ANONYMOUS_VALUES, MAX_OPEN_MESSAGE_BYTES
from tests.conftest import MakeInstance
from tests.hostile.messages import paths_of
from tests.hostile.wire import bytes_field, double_field, number_field
from tests.session import sessions
from tests.support.given import Client, Instance, refusal, struct
from tests.support.grpcweb_client import frame
from tests.support.open_methods import OpenMethods, instructions, lines, open_methods
from tests.support.openapi.examples import example_of
from tests.support.transports import InexpressibleError, http_request
from tests.support.web_client import web_client

MOST_TIMES = 3
SUSPECT_TIMES = 2
# Of the body, and of the head of a request: slightly less than the limits.
SIZE = 16_000
FITS = MAX_ANONYMOUS_VALUES - 20  # beside the values of the plain request
# The headers of Chromium and of a proxy, beside the content type.
BROWSER = (
    (b"connection", b"keep-alive"),
    (b"sec-ch-ua-platform", b'"Linux"'),
    (b"user-agent", b"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0"),
    (b"sec-ch-ua", b'"Chromium";v="142", "Not_A Brand";v="99"'),
    (b"sec-ch-ua-mobile", b"?0"),
    (b"accept", b"*/*"),
    (b"origin", b"http://localhost:8080"),
    (b"sec-fetch-site", b"same-origin"),
    (b"sec-fetch-mode", b"cors"),
    (b"sec-fetch-dest", b"empty"),
    (b"referer", b"http://localhost:8080/signin/"),
    (b"accept-encoding", b"gzip, deflate, br, zstd"),
    (b"accept-language", b"en-US,en;q=0.9"),
    (b"x-keystead-session", b"cookie"),
    (b"cookie", b"theme=dark"),
    (b"via", b"1.1 proxy"),
    (b"x-forwarded-for", b"192.0.2.1"),
    (b"x-forwarded-proto", b"https"),
    (b"x-request-id", b"0199d3a8-5f1c-7c3a-9b7e-2f60d8a1c4b5"),
)
JSON = (b"content-type", b"application/json")
GRPC_WEB = (b"content-type", b"application/grpc-web")
FORM = (b"content-type", b"application/x-www-form-urlencoded")
HTML = (b"accept", b"text/html")

# JSON values, of which a list is filled.
ATOMS = (
    b"[]", b"{}", b"null", b"1.0", b"1e3", b'""', b'"\\u0000"', b'"\\""', b'{"a":[{}]}',
    b'{"a":1,"a":2}', b"-0.1" + b"0" * 300 + b"1e5",
)  # fmt: skip
# Characters, of which a text is filled.
CHARACTERS = (
    "a", ",", "@", "a=b&", "%41", "\u0301", "\U0001f600", "\\", "\0", "\ufdfa", "\u00e9.", "xn--a.",
    "\u05d0\u05d1.", "\ud55c",
)  # fmt: skip
# The headers that a part of the server reads, and a separator or a character of each.
HEADERS = (
    (b"accept", b","), (b"accept", b";,"), (b"accept", b"text/html;,"), (b"accept-encoding", b","),
    (b"accept-encoding", b"x;,"), (b"accept-language", b","), (b"accept-language", b"a,"),
    (b"authorization", b" "),
    (b"baggage", b"a=b,"), (b"content-type", b";"), (b"cookie", b";"),
    (b"cookie", b"__Host-keystead=;"), (b"grpc-timeout", b"1"), (b"if-match", b'"1",'),
    (b"if-none-match", b","),
    (b"origin", b"/"), (b"traceparent", b"-"), (b"tracestate", b"a=b,"), (b"user-agent", b"\xe9"),
    (b"x-any-bin", b","), (b"x-any-bin", b"AA,"), (b"x-forwarded-for", b","),
    (b"x-idempotency-key", b"a"), (b"x-request-id", b"a"), (b"x-service-orgid", b"a"),
    (b"x-validate-only", b"true,"),
)  # fmt: skip

Call = Callable[[], Awaitable[None]]
Attacks = Iterator[tuple[str, Call]]


@dataclass(frozen=True)
class Target:
    """The open methods of a server, and a plain request for each."""

    methods: OpenMethods
    requests: Mapping[str, Message]

    def native(self, path: str, message: bytes) -> Call:
        """A call over gRPC."""
        return lambda: self.methods.native(path, message)

    def text(self, path: str, body: bytes) -> Call:
        """A call over grpc-web in base64."""
        content_type = (b"content-type", b"application/grpc-web-text")
        return self.http("POST", path.encode(), body, content_type)

    def http(self, verb: str, target: bytes, body: bytes, *headers: tuple[bytes, bytes]) -> Call:
        """A call over HTTP."""
        return lambda: self.methods.http(verb, target, body, [*BROWSER, *headers])


@pytest.fixture(scope="module")
async def target(make_instance: MakeInstance) -> AsyncIterator[Target]:
    async with open_methods(make_instance) as (instance, methods):
        person = await sessions.person(instance.admin)
        credential = person.assertion(
            await sessions.start(instance.admin),
            credential_id=b"unknown",
            key=person.authenticator.credentials[person.credential_id],
        )
        requests = {path: _example(methods, path) for path in methods.paths}
        for request in requests.values():
            if "email" in request.DESCRIPTOR.fields_by_name:
                request.email = "ada@b\u00fccher.example"  # IDNA is most of the work
            if "code" in request.DESCRIPTOR.fields_by_name:
                request.code = new_token(TokenKind.LINK)  # well-formed, so that it is looked up
            if "public_key_credential" in request.DESCRIPTOR.fields_by_name:
                # With a challenge of this server: other ones are refused before they are read.
                request.public_key_credential.CopyFrom(struct(credential))
        yield Target(methods, requests)


async def test_the_open_methods_are_attacked(target: Target) -> None:
    names = {path.rpartition("/")[2] for path in target.methods.paths}

    assert {"CompletePasskeySignIn", "RequestPasskeyRecovery", "RegisterPasskey", "Check"} <= names


async def test_protobuf_costs_no_more(target: Target) -> None:
    for path, request in target.requests.items():
        attacks = ((what, target.native(path, message)) for what, message in _messages(request))
        plain = target.native(path, request.SerializeToString())
        await _check(path, attacks, plain, target.native(path, b""))


async def test_base64_costs_no_more(target: Target) -> None:
    for path, request in target.requests.items():
        bodies = [b"AA==" * 4_000, base64.b64encode(frame(b"")) * 1_000, b"=" * SIZE, b"A" * SIZE]
        attacks = ((f"{body[:8]!r}", target.text(path, body)) for body in bodies)
        plain = target.text(path, base64.b64encode(frame(request.SerializeToString())))
        await _check(path, attacks, plain)


async def test_json_costs_no_more(target: Target) -> None:
    """Methods share the code that reads JSON, so each is called with a third of the texts."""
    for number, (path, request) in enumerate(target.requests.items()):
        if (plain := _http(target, path, request)) is None:
            continue
        verb, url, body = plain
        attacks: list[tuple[str, Call]] = []
        if body:
            bodies = islice(_bodies(body, request), number % 3, None, 3)
            attacks += [(what, target.http(verb, url, text, JSON)) for what, text in bodies]
        attacks += [(what, target.http(verb, to, body, JSON)) for what, to in _urls(url)]
        empty = target.http(verb, url, b"{}" if body else b"", JSON)
        await _check(path, iter(attacks), target.http(verb, url, body, JSON), empty)


@pytest.mark.parametrize("content_type", [JSON, GRPC_WEB], ids=["json", "grpc-web"])
async def test_headers_cost_no_more(target: Target, content_type: tuple[bytes, bytes]) -> None:
    """Methods share the code that reads headers, so each is called with a quarter of the heads."""
    for number, (path, request) in enumerate(target.requests.items()):
        plain: tuple[str, bytes, bytes] | None
        if content_type is GRPC_WEB:
            plain = "POST", path.encode(), frame(request.SerializeToString())
        else:
            plain = _http(target, path, request)
        if plain is not None:
            heads = islice(_heads(content_type), number % 4, None, 4)
            attacks = ((what, target.http(*plain, *headers)) for what, headers in heads)
            await _check(path, attacks, target.http(*plain, content_type))


_PAGES = (
    "/",
    "/signin/?org_id=a",
    "/openapi.json",
    "/metrics",
    "/brand/logo?v=a",
    "/.well-known/jwks.json",
    "/.well-known/openid-configuration",
    "/nowhere",
)


@pytest.mark.parametrize("path", _PAGES)
async def test_pages_cost_no_more(target: Target, path: str) -> None:
    """No more than a call, since a plain page costs less."""
    attacks = [(what, path.encode(), headers) for what, headers in _heads(HTML)]
    attacks += [(what, url, [HTML]) for what, url in _urls(path.encode())]
    # Without the headers of a browser, of which one could be read in place of those here.
    called = ((what, _page(target, url, headers)) for what, url, headers in attacks)

    await _check(path, called, target.http("POST", b"/v1/signin/passkey:start", b"{}", JSON))


def _page(target: Target, url: bytes, headers: list[tuple[bytes, bytes]]) -> Call:
    return lambda: target.methods.http("GET", url, b"", headers)


_FORMS: Mapping[str, bytes] = {
    "/oauth/authorize": b"client_id=a&redirect_uri=b&response_type=code&scope=openid&state=c"
    b"&nonce=d&code_challenge=e&code_challenge_method=S256",
    "/oauth/token": b"grant_type=authorization_code&client_id=a&client_secret=b&code=c"
    b"&redirect_uri=d&code_verifier=e",
    "/oauth/device": b"client_id=a&client_secret=b&scope=openid",
    "/oauth/introspect": b"client_id=a&client_secret=b&token=c",
    "/oauth/revoke": b"client_id=a&client_secret=b&token=c",
}


@pytest.mark.parametrize("path", _FORMS)
async def test_forms_cost_no_more(target: Target, path: str) -> None:
    url, form = path.encode(), _FORMS[path]
    attacks = [
        (what, target.http("POST", url, form + b"&" + text.partition(b"?")[2], FORM))
        for what, text in _urls(b"?state=1")
    ]
    for authorization in (b"Basic " + b"A" * SIZE, b"Basic " + b"JTQx" * 4_000, b"Basic" * 3_000):
        headers = (FORM, (b"authorization", authorization))
        attacks.append((f"{authorization[:10]!r}", target.http("POST", url, form, *headers)))
    assertion = b"client_assertion=a." + base64.urlsafe_b64encode(b"[" * 5_000) + b".c"
    attacks.append(("assertion", target.http("POST", url, assertion, FORM)))

    await _check(path, iter(attacks), target.http("POST", url, form, FORM))


async def _check(path: str, attacks: Attacks, *plain: Call) -> None:
    """Every attack costs at most three times the most expensive plain request."""
    few = max([await _usual(lines, each) for each in plain])
    allowed = MOST_TIMES * max([await _usual(instructions, each) for each in plain])
    # Lines are of different lengths: an attack with slightly more of them is judged, too.
    judged = [(what, call) for what, call in attacks if await lines(call()) > SUSPECT_TIMES * few]
    dear = [what for what, call in judged if await _usual(instructions, call) > allowed]
    assert not dear, f"{path}: more than {allowed} instructions"


async def _usual(work: Callable[[Awaitable[None]], Awaitable[int]], call: Call) -> int:
    """The median of five calls.

    The first ones differ: they open connections and fill caches, and Python 3.12 and newer do not
    count every instruction of code that is traced for the first time.
    """
    return median_low([await work(call()) for _ in range(5)])


def _example(methods: OpenMethods, path: str) -> Any:
    """The example of the schema."""
    input_type = methods.descriptor(path).input_type
    message = GetMessageClass(input_type)()
    return json_format.ParseDict(example_of(input_type, in_request=True), message)


def _http(target: Target, path: str, request: Message) -> tuple[str, bytes, bytes] | None:
    """Verb, target and body; None for a method without a route."""
    method = target.methods.descriptor(path)
    try:
        verb, url, body = http_request(method, request)
    except (InexpressibleError, TypeError):
        return None
    return verb, url.encode(), body or b""


def _bodies(plain: bytes, request: Message) -> Iterator[tuple[str, bytes]]:
    """JSON texts in place of a value of each kind of a plain one, and beside them."""
    replaced = [*_replaced({**json.loads(plain), "x": ""}, request.DESCRIPTOR)]  # type: ignore[arg-type]
    for hostile in _texts():
        for name, text in replaced:
            yield f"{name}: {hostile[:30]!r}", text.replace(_SIGN, hostile)
        yield f"{hostile[:30]!r}", hostile


def _texts() -> Iterator[bytes]:
    """Hostile JSON values: as large as a body, and with as many values as are read."""
    for atom in ATOMS:
        yield _filled(atom, SIZE)
        yield b"[" + b",".join([atom] * (FITS // max(sum(map(atom.count, b",[{")), 1))) + b"]"
    for members in (FITS, 1_500):
        yield b"{" + b",".join(b'"%d":1' % number for number in range(members)) + b"}"
        yield b"{" + b",".join([b'"a":1'] * members) + b"}"
    for depth in (30, FITS, 2_000):
        yield b"[" * depth + b"]" * depth
        yield b'{"a":' * depth + b"1" + b"}" * depth
    for character in CHARACTERS:
        encoded = json.dumps(character)[1:-1].encode()
        for count in (195 // len(character), SIZE // len(encoded)):
            yield b'"' + encoded * count + b'"'


def _filled(atom: bytes, size: int) -> bytes:
    """A list of as many of these values as fit."""
    return b"[" + b",".join([atom] * max(size // (len(atom) + 1), 1)) + b"]"


_SIGN = b'"hostile value"'


def _replaced(value: Any, descriptor: Descriptor | None) -> Iterator[tuple[str, bytes]]:
    """The text of the object with a sign in place of its first value of each kind.

    The kind of a value is that of its field, by which JSON is converted.
    """
    kinds = set()
    for name, item in value.items():
        field = descriptor and descriptor.fields_by_camelcase_name.get(name)
        below = field.message_type if field else None
        kind = (field.type, field.is_repeated, below, field.enum_type) if field else type(item)
        if kind not in kinds:
            kinds.add(kind)
            yield name, json.dumps({**value, name: "hostile value"}).encode()
            if isinstance(item, dict):
                for inner, text in _replaced(item, below):
                    outer = json.dumps({**value, name: "hostile value"}).encode()
                    yield f"{name}.{inner}", outer.replace(_SIGN, text)


def _urls(plain: bytes) -> Iterator[tuple[str, bytes]]:
    """Targets with a long path, a long query or many parameters."""
    path, _, query = plain.partition(b"?")
    name = query.partition(b"=")[0] or b"x"
    for character in (b"a", b"%41", b"%c3%a9", b"+", b"/", b";", b"%"):
        yield f"path {character!r}", path + character * (SIZE // len(character))
        filled = character * (SIZE // len(character))
        yield f"value {character!r}", path + b"?" + name + b"=" + filled
        yield f"name {character!r}", path + b"?" + filled + b"=1"
    for count in (95, 3_000):
        yield f"{count} parameters", path + b"?" + b"&".join([name + b"=1"] * count)
        yield f"{count} unknown", path + b"?" + b"&".join([b"y=1"] * count)
        yield f"{count} others", path + b"?" + b"&".join(b"%d=1" % each for each in range(count))


def _heads(content_type: tuple[bytes, bytes]) -> Iterator[tuple[str, list[tuple[bytes, bytes]]]]:
    """Heads with one long header, or with many short ones."""
    for name, part in HEADERS:
        value = part * (SIZE // len(part))
        if name == b"content-type":
            yield f"{name!r} {part!r}", [(name, content_type[1] + value)]
        else:
            yield f"{name!r} {part!r}", [content_type, (name, value)]
            yield f"many {name!r}", [content_type, *[(name, part)] * (98 - len(BROWSER))]


def _messages(plain: Message) -> Iterator[tuple[str, bytes]]:
    """Messages with one field that is long, or repeated, beside those of a plain one."""
    right = plain.SerializeToString()
    yield "unknown", right + number_field(255, 1) * 3_000
    for path in paths_of(plain.DESCRIPTOR):  # type: ignore[arg-type]
        name = ".".join(field.name for field in path)
        for what, value in _wires(path[-1]):
            hostile = reduce(
                lambda inner, field: bytes_field(field.number, inner), reversed(path[:-1]), value
            )
            yield f"{name}: {what}", right + hostile


def _long(part: bytes) -> bytes:
    return part * (SIZE // len(part))


def _wires(field: FieldDescriptor) -> Iterator[tuple[str, bytes]]:
    """Hostile values of a field, with its tag."""
    number = field.number
    if field.type == FieldDescriptor.TYPE_STRING:
        for character in CHARACTERS:
            encoded, short = character.encode(), 195 // len(character)
            for value in (encoded * short, b"a@" + encoded * short + b"com", _long(encoded)):
                yield f"{value[:20]!r}, {len(value)}", bytes_field(number, value)
    elif field.message_type is None:
        yield "repeated", number_field(number, 1) * 4_000
    elif field.message_type.GetOptions().map_entry:
        for value in (b"", bytes_field(5, b""), bytes_field(6, b"")):
            entries = (bytes_field(1, b"%d" % key) + bytes_field(2, value) for key in range(1_200))
            yield f"entries {value!r}", b"".join(bytes_field(number, each) for each in entries)
    else:
        for value in (
            b"",
            number_field(1, 0),
            double_field(2, 1.5),
            bytes_field(3, b"x"),
            bytes_field(5, b""),
            bytes_field(6, b""),
        ):
            one = bytes_field(number, value)
            yield f"repeated {value!r}", one * (SIZE // len(one))


@pytest.mark.parametrize(("padding", "status"), [(15_000, 400), (15_900, 413)])
async def test_a_message_of_json_is_as_small_as_that_of_other_content_types(
    instance: Instance, padding: int, status: int
) -> None:
    credential = {"numbers": [1] * 60, "padding": "x" * padding}
    text = json.dumps({"publicKeyCredential": credential}, separators=(",", ":"))
    assert len(text) < MAX_OPEN_MESSAGE_BYTES

    async with web_client(instance.web_port) as http:
        answer = await http.post("/v1/signin/passkey", content=text, headers=[JSON])

    assert answer.status_code == status


@pytest.mark.parametrize(
    ("most", "reason"), [(100, "CREDENTIAL_MALFORMED"), (101, "INVALID_FIELDS")]
)
async def test_an_assertion_has_at_most_a_hundred_values(
    admin: Client, most: int, reason: str
) -> None:
    # The list and the text are values, too.
    credential = {"list": [None] * (most - 2), "padding": "x" * 55}

    refused = await refusal(sessions.complete(admin, credential))

    assert refused.reason == reason


@given(st.binary(max_size=20))
def test_escapes_are_decoded_as_by_the_standard_library(text: bytes) -> None:
    for form in (quote_from_bytes(text).encode(), text.replace(b"%", b"%25")):
        assert unescaped(form) == unquote_to_bytes(form) == text
