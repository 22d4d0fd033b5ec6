"""The requests that the gate allows, and the headers that the application gets."""

from collections.abc import Callable
from typing import Any

import grpc
import pytest
import structlog
from google.protobuf.field_mask_pb2 import FieldMask

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.gate.v1 import gate_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.gate.forwarded import spelling
from tests.application import calls
from tests.gate import behind
from tests.gate.behind import COOKIE, Browser, EnvoyProxy, check_request
from tests.group import calls as groups
from tests.session import jwts, sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance

_ALL = {"x-keystead-jwt", "x-auth-request-user", "x-auth-request-email", "x-auth-request-groups"}


@pytest.fixture
def envoy(gate: Client, host: str) -> Browser:
    """A browser behind a proxy that asks over gRPC."""
    return Browser(EnvoyProxy(gate), host)


async def test_the_application_gets_a_token_for_it(
    instance: Instance, browser: Browser, owner: Client, host: str, ada: SignedIn, org_id: str
) -> None:
    client_id = await behind.application(owner, host)

    answer = await browser.enter(ada.client)

    assert answer.headers.keys() == {"authorization"}
    token = answer.headers["authorization"].removeprefix("Bearer ")
    issuer = jwts.unverified(token)["iss"]
    keys = await jwts.key_set(instance)
    claims = jwts.verified(token, keys, audience=client_id, issuer=issuer)
    assert claims["sub"] == ada.person.user_id
    assert claims["org_id"] == org_id
    assert claims["client_id"] == client_id
    assert claims["sid"] == ada.session_id
    assert claims["preferred_username"]
    assert claims["groups"] == []
    assert claims["exp"] - claims["iat"] == 300


async def test_the_api_refuses_the_token(
    envoy: Browser, owner: Client, host: str, ada: SignedIn
) -> None:
    await behind.application(owner, host)
    answer = await envoy.enter(ada.client)
    token = answer.headers["authorization"].removeprefix("Bearer ")

    refused = await given.refusal(sessions.current(owner.with_token(token)))

    assert refused.code is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ({}, {"authorization"}),
        ({"gate_jwt_header": application_pb.GATE_JWT_HEADER_X_KEYSTEAD_JWT}, {"x-keystead-jwt"}),
        (
            {"gate_identity_headers": True},
            {"authorization", "x-auth-request-user", "x-auth-request-email"},
        ),
        (
            {"gate_identity_headers": True, "scopes": ["openid"]},
            {"authorization", "x-auth-request-user"},
        ),
    ],
)
async def test_the_application_gets_the_headers_that_it_asks_for(
    browser: Browser,
    owner: Client,
    org_id: str,
    host: str,
    admin: Client,
    fields: dict[str, Any],
    names: set[str],
) -> None:
    await behind.application(owner, host, **fields)
    person = await sessions.person(admin, org_id=org_id)
    zoe = user_pb.User(user_id=person.user_id, email="z\u00f6e@example.com")
    await admin.call(
        admin.users.PatchUser,
        user_pb.PatchUserRequest(user=zoe, update_mask=FieldMask(paths=["email"])),
    )

    answer = await browser.enter((await person.sign_in()).client)

    # The user is in no group, so its header is empty; over HTTP it then is not given.
    assert answer.headers.keys() - {"x-auth-request-groups"} == names
    assert {*answer.removed} >= _ALL - answer.headers.keys()
    assert answer.headers.get("x-auth-request-user", person.user_id) == person.user_id
    assert answer.headers.get("x-auth-request-email", "z%C3%B6e@example.com").isascii()


async def test_groups_are_names_with_commas(
    browser: Browser, owner: Client, host: str, ada: SignedIn
) -> None:
    await behind.application(owner, host, gate_identity_headers=True)
    for name in ("staff", "admins"):
        group_id = await groups.group(owner, name)
        await groups.add_member(owner, group_id, ada.person.user_id)

    answer = await browser.enter(ada.client)

    assert answer.headers["x-auth-request-groups"] == "admins,staff"


@pytest.mark.parametrize(
    "name",
    [
        *("x-auth-request-user", "X-Auth-Request-User", "X_Auth_Request_User"),
        *("x-auth_request-email", "x.auth.request.groups", "x-auth-request-preferred-username"),
        *("X-Keystead-JWT", "x_keystead_jwt", "x~keystead~jwt"),
    ],
)
@pytest.mark.parametrize("gives", [True, False])
async def test_copies_of_the_client_are_removed(
    envoy: Browser, owner: Client, host: str, ada: SignedIn, name: str, gives: bool
) -> None:
    await behind.application(owner, host, gate_identity_headers=gives)
    await envoy.enter(ada.client)

    answer = await envoy.proxy.ask(
        "GET",
        host,
        "/",
        [("cookie", f"{COOKIE}={envoy.cookies[COOKIE]}"), (name, "admin"), (name, "admin")],
        "https",
    )

    assert answer.is_allowed
    assert name.lower() in {*answer.removed, *answer.headers}
    assert "admin" not in answer.headers.values()
    assert not {*answer.removed} & answer.headers.keys()


async def test_other_headers_and_cookies_of_the_client_stay(
    browser: Browser, owner: Client, host: str, ada: SignedIn
) -> None:
    await behind.application(owner, host)
    await browser.enter(ada.client)
    browser.cookies |= {"theme": "dark", f"x{COOKIE}": "a"}

    answer = await browser.get("/", **{"x-custom": "a", "x-auth": "b"})

    assert answer.headers["cookie"] == f"theme=dark; x{COOKIE}=a"
    assert not {"x-custom", "x-auth", "accept", "cookie"} & {*answer.removed}


async def test_the_cookie_of_another_application_opens_nothing(
    browser: Browser,
    browsers: Callable[[str], Browser],
    owner: Client,
    host: str,
    ada: SignedIn,
) -> None:
    other = browsers(f"sibling.{host}")
    await behind.application(owner, host)
    await behind.application(owner, other.host)
    await browser.enter(ada.client)
    await other.enter(ada.client)

    browser.cookies = other.cookies
    assert (await browser.ask("GET", "/")).status == 401
    assert (await browser.get("/")).status == 302


async def test_of_two_cookies_none_counts(
    envoy: Browser, owner: Client, host: str, ada: SignedIn
) -> None:
    await behind.application(owner, host)
    await envoy.enter(ada.client)
    value = envoy.cookies[COOKIE]

    for cookie in (f"{COOKIE}={value}; {COOKIE}={value}", f"{COOKIE}={value};{COOKIE}=a;;"):
        answer = await envoy.proxy.ask("GET", host, "/", [("cookie", cookie)], "https")
        assert answer.status == 401


@pytest.mark.parametrize(
    ("requested", "scheme", "status"),
    [
        ("{host}", "https", 200),
        ("{upper}", "https", 200),
        ("{host}:443", "https", 200),
        ("{host}:80", "https", 403),
        ("{host}:8443", "https", 403),
        ("{host}.", "https", 403),
        ("{host}", "http", 403),
        ("x{host}", "https", 403),
        ("{host}@evil.example", "https", 403),
    ],
)
async def test_an_origin_is_that_of_an_application_or_of_none(
    envoy: Browser,
    owner: Client,
    host: str,
    ada: SignedIn,
    requested: str,
    scheme: str,
    status: int,
) -> None:
    await behind.application(owner, host)
    await envoy.enter(ada.client)
    envoy.host = requested.format(host=host, upper=host.upper())

    assert (await envoy.ask("GET", "/", scheme=scheme)).status == status


async def test_an_application_of_another_organization_is_not_behind_this_gate(
    envoy: Browser, admin: Client, host: str
) -> None:
    other = await given.user(
        admin, org_id=await given.organization(admin), roles=[user_pb.ROLE_ORG_OWNER]
    )
    await behind.application(other, host)

    answer = await envoy.get("/")

    assert answer.status == 403
    assert "Not behind this gate" in answer.body


@pytest.mark.parametrize("name", ["host", "Host", ":authority"])
async def test_a_request_with_two_hosts_is_refused(
    envoy: Browser, owner: Client, host: str, ada: SignedIn, name: str
) -> None:
    await behind.application(owner, host)
    await envoy.enter(ada.client)

    same = await envoy.proxy.ask("GET", host, "/", [(name, host)], "https")
    other = await envoy.proxy.ask("GET", host, "/", [(name, "evil.example")], "https")

    assert same.status == 401
    assert other.status == 400


async def test_every_invalid_field_is_named(gate: Client) -> None:
    refused = await given.refusal(gate.call(gate.gate.Check, pb.CheckRequest()))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    http = "attributes.request.http"
    assert refused.violations.keys() == {
        f"{http}.{name}" for name in ("method", "scheme", "host", "path")
    }


async def test_envoy_calls_by_its_own_name(gate: Client, host: str) -> None:
    check = gate.channel.unary_unary(
        "/envoy.service.auth.v3.Authorization/Check",
        request_serializer=pb.CheckRequest.SerializeToString,
        response_deserializer=pb.CheckResponse.FromString,
    )

    answer = await gate.call(check, check_request("GET", host, "/"))

    assert answer.denied_response.status.code == 403
    refused = await given.refusal(gate.with_token("").call(check, check_request("GET", host, "/")))
    assert refused.code is grpc.StatusCode.UNAUTHENTICATED


async def test_an_older_server_leaves_the_header_of_the_token_empty(
    envoy: Browser, owner: Client, host: str, ada: SignedIn, sql: Any
) -> None:
    application_id = await behind.application(owner, host)
    forgotten = "update applications set gate_jwt_header = '' where id = $1"
    await sql.execute(forgotten, application_id)

    assert (await envoy.enter(ada.client)).headers.keys() == {"authorization"}


def test_names_that_programs_take_for_one_header_have_one_spelling() -> None:
    names = ["x-auth-request-user", "X_AUTH_REQUEST_USER", "x.auth+request~user"]

    assert len({*map(spelling, names)}) == 1
    assert spelling("x-auth-request-users") != spelling("x-auth-request-user")


async def test_a_removed_origin_is_not_behind_the_gate(
    envoy: Browser, owner: Client, host: str
) -> None:
    application_id = await behind.application(owner, host)
    await calls.remove(owner, application_id)

    assert (await envoy.get("/")).status == 403


async def test_a_refusal_of_the_gate_is_in_its_log_line(
    envoy: Browser, owner: Client, host: str
) -> None:
    client_id = await behind.application(owner, host)
    other = Browser(envoy.proxy, f"unknown.{host}")
    with structlog.testing.capture_logs() as logs:
        await other.ask("GET", "/")
        line = await given.call_line(logs, refused="UNKNOWN_ORIGIN")
        assert (line["parameter"], line["value"]) == ("origin", f"https://{other.host}")
        await envoy.ask("GET", "/")
        line = await given.call_line(logs, refused="SIGN_IN_NEEDED")
        assert (line["endpoint"], line["client_id"]) == ("gate", client_id)
