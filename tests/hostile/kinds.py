"""The kinds of input that outsiders and users send, each with its place in requests.

Signatures and encryption hide most readers from mutations. So the inputs of some places are
claims, which are signed or sealed with the keys of the server or of a client after the mutation.
"""

import base64
import json
import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Self, TypeAlias
from urllib.parse import quote, urlencode
from uuid import uuid4

import cbor2
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from examples.software_authenticator import EDDSA, ES256, RS256, b64, cose_key, unb64
from keystead.application.v1 import application_service_pb2 as application_pb
from server.crypto.keyring import Keyring, load_keyring
from server.crypto.sealed import Sealed
from server.idp.signin.flow_token import Flow, flow_tokens
from tests.application import calls as applications
from tests.hostile.bombs import BOMBS, OBJECTS
from tests.hostile.fuzzing import Input, Kind, with_names
from tests.hostile.target import Target, Victim
from tests.oauth import devices, flow
from tests.passkey.attacks import CBOR_ATTACKS, SHAPES, STRANGE, mutate, mutated
from tests.passkey.credentials import CHALLENGE, ORIGIN, POLICY, data_of, key_of, made
from tests.signup import calls as sign_ups
from tests.support import given

_ID: Final = bytes(32)
_YEAR_2100: Final = 4_102_444_800
_KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
_PUBLIC_KEY: Final = {
    "kty": "OKP",
    "crv": "Ed25519",
    "kid": "1",
    "x": b64(_KEY.public_key().public_bytes_raw()),
}
_ASSERTION: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_RAW: Final = "raw "  # the input is the whole token
_FORM: Final = b"content-type: application/x-www-form-urlencoded"
_OF_QUERIES: Final = "%/?&=+:;,@!$()*[]~"
_UNTIL: Final = re.compile(rb'("(?:expiry|expires_at|started_at)":)\d+')
_SECRETS: Final = (
    *("client_secret", "session_token", "user_token", "admin_token", "sealed_request"),
    *("id_token", "access_token", "refresh_token", "code", "code_verifier", "sign_up_token"),
)
_LISTS: Final = ("ListUsers", "ListEvents", "ListGroups", "ListApplications")
# Large values are among the seeds.
_SHORT: Final = [each for each in STRANGE if len(str(each)) < 100]
# Shorter values occur in inputs by chance.
_SHORTEST_NAMED: Final = 10

# The ceremony waits for the credentials of `made`, however many of them are refused.
_FIXED_CEREMONY: Final = """
update passkey_ceremonies set attempts = -1000000000, challenge = $2, rp_id = $3, origins = $4,
    expires_at = now() + interval '1 day'
where passkey_id = $1"""
Part: TypeAlias = Callable[[bytes], dict[str, Any]]
# The parts of a credential for the places in it that are CBOR, and for its public key.
_CBOR_PLACES: Final[Mapping[str, Part]] = {
    "the attestation object": lambda attack: {"attestation_object": attack},
    "the statement": lambda attack: {
        "attestation_object": b"\xa3\x63fmt\x64none\x67attStmt\xa1\x61x"
        + attack
        + b"\x68authData\x40"
    },
    "the extensions": lambda attack: {
        "data": data_of(credential_id=_ID, extensions={})[:-1] + b"\xa1\x61x" + attack
    },
}
_COSE_PLACES: Final[Mapping[str, Part]] = {
    "the public key": lambda attack: {"public_key": attack},
    "inside the public key": lambda attack: {"public_key": b"\xa1\x01" + attack},
}
# The methods that open sealed values: the field, and the purpose of the key.
_SEALED: Final = {
    "CompleteIDPSignIn": ("flowToken", "keystead sign-in flow"),
    "ConfirmSignUp": ("signUpToken", "keystead sign-up"),
    "DescribeAuthorization": ("sealedRequest", "keystead authorization request"),
    "DescribeLogout": ("sealedRequest", "keystead logout request"),
    "OpenAuthorizationResponse": ("sealedResponse", "keystead authorization response"),
}


@dataclass(frozen=True)
class Site:
    """The attacked server, and identifiers and secrets of its objects by their names in inputs."""

    target: Target
    victim: Victim
    keyring: Keyring
    names: Mapping[str, str]

    @classmethod
    async def of(cls, target: Target) -> Self:
        """Makes the objects."""
        admin, victim, data_dir = target.admin, await target.victim(), target.instance.data_dir
        app = await flow.app(admin)
        tokens = await flow.tokens(app, victim.session, scope="openid offline_access")
        approved = await flow.approved(app, victim.session)
        service_id = await applications.application(
            admin,
            kind=application_pb.APPLICATION_KIND_SERVICE,
            token_endpoint_auth_method=application_pb.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT,
            jwks=json.dumps({"keys": [_PUBLIC_KEY]}),
            scopes=["orders"],
        )
        discovery = await target.http.get("/.well-known/openid-configuration")
        named = victim.names("VerifyPasskeyRegistration")
        sign_up = sign_ups.sealed(data_dir).opened(named["sign_up_token"])
        assert sign_up
        names = {
            **named,
            "sign_up_email": sign_up.email,
            **app.credentials,
            "service_id": service_id,
            "session_token": victim.session.token,
            "user_token": victim.user.token,
            "admin_token": admin.token,
            "id_token": tokens.id_token,
            "access_token": tokens.access_token,
            "refresh_token": tokens.refresh_token,
            "code": approved.code,
            "code_verifier": approved.verifier,
            "issuer": discovery.json()["issuer"],
            **{method: await _page_token_of(target, method) for method in _LISTS},
        }
        async with given.sql(target.instance.dsn) as rows:
            fixed = (names["passkey_id"], CHALLENGE, POLICY.rp_id, [ORIGIN])
            await rows.execute(_FIXED_CEREMONY, *fixed)
        return cls(target, victim, load_keyring((), data_dir / "encryption.keys"), names)

    def values(self) -> Mapping[str, str]:
        """The names, and a time and an identifier for JWTs, which are used once."""
        values = {**self.names, "soon": str(int(time.time()) + 300), "once": uuid4().hex}
        return {name: text for name, text in values.items() if len(text) >= _SHORTEST_NAMED}

    def leaked(self) -> Collection[str]:
        """The names of the secrets that the log contains. All of it is written."""
        log = self.target.server.errors
        return [name for name in _SECRETS if self.names[name] in log]


Request: TypeAlias = Callable[[Input], bytes]
Made: TypeAlias = tuple[Sequence[Input], Request]


def _request(verb: str, target: str, *lines: str | bytes, body: bytes = b"") -> bytes:
    """A request on a connection of its own. Bytes that a target cannot have are escaped."""
    head = (
        f"{verb} {target} HTTP/1.1",
        *("host: localhost", "connection: close", f"content-length: {len(body)}"),
    )
    encoded = [line.encode() if isinstance(line, str) else line for line in (*head, *lines)]
    return b"\r\n".join([*encoded, b"", body])


def _escaped(data: bytes) -> str:
    """Mutated escapes stay as they are."""
    return quote(data, safe=_OF_QUERIES)


def _call(site: Site, method: str, body: bytes = b"", token: str = "", query: str = "") -> bytes:
    """A call of a method with a route. With a token, it changes nothing."""
    operation = site.target.operation(method)
    assert operation, method
    lines = ["content-type: application/json"]
    if token:
        lines += [f"authorization: Bearer {token}", "x-validate-only: true"]
    path = site.victim.path(operation)
    return _request(operation.verb, path + query, *lines, body=body)


def _mutated_json(data: bytes, random: Random) -> bytes:
    """In half of the cases, a strange value or name of a member in one of the lines."""
    lines = data.split(b"\n")
    at = random.randrange(len(lines))
    try:
        value = json.loads(lines[at])
    except ValueError:
        return mutated(data, random)
    if random.random() < 0.5 or not isinstance(value, dict):
        return mutated(data, random)
    members, name = value, random.choice([*value, "new"])
    while isinstance(inner := members.get(name), dict) and inner and random.random() < 0.7:
        members, name = inner, random.choice(list(inner))
    members[random.choice([name, f"{name}X"])] = random.choice([*_SHORT, "\ud800", 2**63, [inner]])
    lines[at] = json.dumps(value).encode()
    return b"\n".join(lines)


def _mutated_credential(data: bytes, random: Random) -> bytes:
    """One wrong part, or other bytes of an input that is no credential any more."""
    try:
        return json.dumps(mutate(json.loads(data), random)).encode()
    except (ValueError, LookupError, TypeError, AttributeError, cbor2.CBORError):
        return mutated(data, random)


def _json(site: Site) -> Made:
    """Bodies of calls by the administrator."""
    seeds = [
        Input(each.name, json.dumps(each.body["example"]).encode())
        for each in site.target.operations
        if each.body and each.described.get("security", True)
    ]
    return seeds, lambda each: _call(site, each.place, each.data, site.target.admin.token)


def _verify(site: Site, credential: bytes) -> bytes:
    body = b'{"passkeyName":"Key","publicKeyCredential":%b}' % credential
    return _call(site, "VerifyPasskeyRegistration", body, site.victim.user.token)


def _credential(site: Site) -> Made:
    """Credentials for a ceremony."""
    seeds = [Input("", json.dumps(made(**shape)).encode()) for shape in SHAPES]
    seeds += [Input("", json.dumps(each, ensure_ascii=False).encode()) for each in OBJECTS.values()]
    return seeds, lambda each: _verify(site, each.data)


def _parts(places: Mapping[str, Part], right: Sequence[bytes]) -> Callable[[Site], Made]:
    """Parts of credentials, at these places."""

    def kind(site: Site) -> Made:
        attacks = [*right, *CBOR_ATTACKS.values(), *BOMBS.values()]
        seeds = [Input(place, attack) for place in places for attack in attacks]
        return seeds, lambda each: _verify(
            site, json.dumps(made(credential_id=_ID, **places[each.place](each.data))).encode()
        )

    return kind


def _public_keys() -> Sequence[bytes]:
    """A key of each algorithm."""
    return [cbor2.dumps(cose_key(key_of(each))) for each in (EDDSA, ES256, RS256)]


def _cookie(site: Site) -> Made:
    """Lines of the head of a request, which the session cookie authenticates."""
    cookie = b"cookie: a=b; __Host-keystead={session_token}; c=d"
    origins = (b"origin: https://localhost", b"sec-fetch-site: same-origin", b"origin: null")
    methods = ("GetCurrentSession", "IssueSessionJWT")
    seeds = [Input(method, cookie + b"\n" + origin) for method in methods for origin in origins]
    seeds += [Input(methods[0], cookie + b"\nauthorization: Bearer {user_token}")]

    def request(each: Input) -> bytes:
        operation = site.target.operation(each.place)
        assert operation
        body = json.dumps(operation.body["example"]).encode() if operation.body else b""
        head, _, rest = _call(site, each.place, body).partition(b"\r\n")
        return b"\r\n".join([head, *each.data.split(b"\n"), rest])

    return seeds, request


def _oauth_form(_site: Site) -> Made:
    """An `authorization` header up to the first line break, and the form."""
    client = {"client_id": "{client_id}", "client_secret": "{client_secret}"}
    start = {
        "client_id": "{client_id}",
        "redirect_uri": flow.CALLBACK,
        "response_type": "code",
        "scope": "openid profile",
        "state": "s",
        "max_age": "5",
        "claims": '{"userinfo": {"sub": null}, "id_token": {"acr": {"value": "phr"}}}',
        **flow.with_challenge("v" * 43),
    }
    token = {"grant_type": "authorization_code", "redirect_uri": flow.CALLBACK, "code": "{code}"}
    token["code_verifier"] = "{code_verifier}"
    refresh = {"grant_type": "refresh_token", "refresh_token": "{refresh_token}"}
    device = {"grant_type": devices.GRANT_TYPE, "device_code": "x", "client_id": "{client_id}"}
    forms = [
        ("authorize", start),
        ("par", {**start, **client}),
        *(("token", {**client, **each}) for each in (token, refresh)),
        ("token", device),
        ("token", {**client, "grant_type": "client_credentials", "resource": "https://a.example"}),
        ("device", {"client_id": "{client_id}", "scope": "openid"}),
        *((path, {**client, "token": "{access_token}"}) for path in ("introspect", "revoke")),
        ("logout", {"id_token_hint": "{id_token}", "state": "s"}),
        ("form_post", {"response": "{sealed_response}"}),
    ]
    seeds = [Input(path, b"\n" + urlencode(form, safe="{}").encode()) for path, form in forms]
    seeds += [Input("userinfo", b"Bearer {access_token}\n"), Input("token", b"Basic YTpi\na=b")]

    def request(each: Input) -> bytes:
        header, _, form = each.data.partition(b"\n")
        lines = [b"authorization: " + header] if header else []
        if each.place == "form_post":
            return _request("GET", f"/oauth/form_post?{_escaped(form)}", *lines)
        lines.append(_FORM)
        return _request("POST", f"/oauth/{each.place}", *lines, body=form)

    return seeds, request


def _jwt(_site: Site) -> Made:
    """Whole tokens, or the header and the claims of an assertion of an application, in lines."""
    claims = {"iss": "{service_id}", "sub": "{service_id}", "aud": "{issuer}", "jti": "{once}"}
    text = json.dumps({**claims, "exp": 0}).replace(" 0}", " {soon}}")
    signed = [
        Input("signed", f'{{"alg": "{algorithm}", "kid": "1"}}\n{text}'.encode())
        for algorithm in ("EdDSA", "none", "HS256")
    ]
    tokens = [Input("id_token_hint", b"{id_token}"), Input("bearer", b"{access_token}")]

    def request(each: Input) -> bytes:
        if each.place == "id_token_hint":
            return _request("GET", f"/oauth/logout?id_token_hint={_escaped(each.data)}")
        if each.place == "bearer":
            return _request("GET", "/oauth/userinfo", b"authorization: Bearer " + each.data)
        header, _, claims = each.data.partition(b"\n")
        message = f"{b64(header)}.{b64(claims)}"
        form = {
            "grant_type": "client_credentials",
            "client_assertion_type": _ASSERTION,
            "client_assertion": f"{message}.{b64(_KEY.sign(message.encode()))}",
        }
        return _request("POST", "/oauth/token", _FORM, body=urlencode(form).encode())

    return [*signed, *tokens], request


def _flow_token(site: Site) -> Made:
    """Whole tokens of methods, or the JSON that a method unseals."""
    fernets = {
        method: Sealed(site.keyring, object, purpose=purpose)._fernet  # noqa: SLF001 -- it seals any bytes
        for method, (_, purpose) in _SEALED.items()
    }
    started = Flow(site.names["idp_id"], 1, flow.CALLBACK, _YEAR_2100, "n" * 43, "v" * 43)
    tokens = {
        "CompleteIDPSignIn": flow_tokens(site.keyring).sealed(started),
        "ConfirmSignUp": site.names["sign_up_token"],
        "DescribeAuthorization": site.names["sealed_request"],
        "DescribeLogout": site.names["sealed_logout"],
        "OpenAuthorizationResponse": site.names["sealed_response"],
    }
    seeds = [Input(f"{_RAW}{method}", token.encode()) for method, token in tokens.items()]
    for method, token in tokens.items():
        opened = _UNTIL.sub(rb"\g<1>%d" % _YEAR_2100, fernets[method].decrypt(token))
        seeds.append(Input(method, opened))

    def request(each: Input) -> bytes:
        method = each.place.removeprefix(_RAW)
        is_raw = method != each.place
        # The server refuses NUL in requests, so it seals none.
        token = each.data if is_raw else fernets[method].encrypt(each.data.replace(rb"\u0000", b""))
        operation = site.target.operation(method)
        assert operation
        assert operation.body
        example = operation.body["example"]
        body = {**example, _SEALED[method][0]: token.decode("latin-1")}
        return _call(site, method, json.dumps(body).encode())

    return seeds, request


def _http_head(_site: Site) -> Made:
    """Whole requests."""
    host = b"Host: a\r\n"
    heads = (
        b"GET /v1/users/me?a=%20b HTTP/1.1\r\nHost: id.example.com:443\r\nAccept: */*\r\n\r\n",
        b"POST http://a.example/ HTTP/1.1\r\n%bTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" % host,
        b"OPTIONS * HTTP/1.1\r\nHost: [::1]:80\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
        b"CONNECT a:1 HTTP/1.0\r\n\r\n",
        b"POST / HTTP/1.1\r\n%bContent-Length: 1\r\nExpect: 100-continue\r\n\r\nx" % host,
        b"GET / HTTP/1.1\r\n%bX: %b\r\n\r\n" % (host, b"x" * 20_000),
    )
    return [Input("", head) for head in heads], lambda each: each.data


async def _page_token_of(target: Target, method: str) -> str:
    """The token of the second page, decoded."""
    operation = target.operation(method)
    assert operation
    headers = {"authorization": f"Bearer {target.admin.token}"}
    answer = await target.http.get(operation.path, params={"pageSize": 1}, headers=headers)
    return base64.urlsafe_b64decode(answer.json()["nextPageToken"]).decode()


def _page_token(site: Site) -> Made:
    """Page tokens of lists, in base64url or before it is encoded."""
    seeds = [
        Input(f"{form}{method}", token)
        for method in _LISTS
        for token in (b"{%b}" % method.encode(), b"", b"\xff", f"{method}::{{org_id}}".encode())
        for form in ("", _RAW)
    ]

    def request(each: Input) -> bytes:
        method = each.place.removeprefix(_RAW)
        token = each.data if method != each.place else base64.urlsafe_b64encode(each.data)
        query = f"?pageToken={_escaped(token)}"
        return _call(site, method, token=site.target.admin.token, query=query)

    return seeds, request


def _filter(site: Site) -> Made:
    """Queries of lists."""
    queries = (
        b"aggregateType=user&eventTypes=idp.added&pageSize=3&oldestFirst=true",
        b"since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:00.5%2B01:00&creator=a",
        b"aggregateId={user_id}&allOrganizations=1&pageToken=%C3%A9",
        b"query=a%00&pageSize=-1",
    )
    methods = ("ListEvents", "ListUsers", "ListOrganizationSessions")
    seeds = [Input(method, query) for method in methods for query in queries]
    return seeds, lambda each: _call(
        site, each.place, token=site.target.admin.token, query=f"?{_escaped(each.data)}"
    )


_VALUES: Final = (
    unb64(made(credential_id=_ID)["response"]["attestationObject"]),
    cbor2.dumps([1, -300, True, None, "\u00e9"], canonical=True),
)
_KINDS: Final[Mapping[str, Callable[[Site], Made]]] = {
    "json": _json,
    "cbor": _parts(_CBOR_PLACES, _VALUES),
    "cose": _parts(_COSE_PLACES, _public_keys()),
    "credential": _credential,
    "cookie": _cookie,
    "oauth_form": _oauth_form,
    "jwt": _jwt,
    "flow_token": _flow_token,
    "http_head": _http_head,
    "page_token": _page_token,
    "filter": _filter,
}
KINDS: Final = tuple(_KINDS)
_MUTATE: Final = {
    "json": _mutated_json,
    "credential": _mutated_credential,
    "jwt": _mutated_json,
    "flow_token": _mutated_json,
}
_INCOMPLETE: Final = {"cookie", "http_head"}  # mutations may change the end of the head


def kind(site: Site, name: str) -> Kind:
    """The kind with this name of `KINDS`."""
    (seeds, request), values = _KINDS[name](site), site.values()
    return Kind(
        name,
        site.target.instance.web_port,
        [Input(each.place, with_names(each.data, values)) for each in seeds],
        request,
        _MUTATE.get(name, mutated),
        may_be_incomplete=name in _INCOMPLETE,
        names=site.values,
    )
