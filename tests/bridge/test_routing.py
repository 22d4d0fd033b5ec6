"""The routes of the schema, and the route that a request takes."""

import itertools
from typing import Any

import pytest
from google.api import annotations_pb2, http_pb2
from google.protobuf import descriptor_pb2, descriptor_pool

from bridge.json.routing import Match, Route, RouteError, Router, routes_of
from tests.support import given

_SERVICES = list(dict.fromkeys(method.containing_service.full_name for method in given.METHODS))
_numbers = itertools.count()


def _router(*declared: str) -> Router:
    """A router with routes like `GET /v1/users/{user_id}`."""
    routes = []
    for text in declared:
        verb, template = text.split()
        routes.append(Route(verb, template, given.METHODS[0], "", ()))
    return Router(routes)


def _found(router: Router, verb: str, path: str) -> tuple[Any, ...]:
    match = router.match(verb, path.encode())
    assert isinstance(match, Match), match
    return match.route.template, *match.values


def test_every_method_has_its_route() -> None:
    routes = routes_of(_SERVICES)

    assert [route.method for route in routes] == given.METHODS
    patch = next(route for route in routes if route.method.name == "PatchIDP")
    assert (patch.verb, patch.template) == ("PATCH", "/v1/idps/{idp.idp_id}")
    assert (patch.body, patch.variables) == ("*", ("idp.idp_id",))


def test_a_method_without_one_has_none() -> None:
    assert routes_of(["grpc.health.v1.Health"]) == []


@pytest.mark.parametrize(
    ("template", "path", "values"),
    [
        ("/v1/idps", "/v1/idps", []),
        ("/v1/smtp:test", "/v1/smtp:test", []),
        ("/v1/idps/{idp_id}", "/v1/idps/1", [b"1"]),
        ("/v1/idps/{idp.idp_id}", "/v1/idps/1", [b"1"]),
        ("/v1/{a}/x/{b}", "/v1/1/x/2", [b"1", b"2"]),
        ("/v1/{a}:go", "/v1/1:go", [b"1"]),
        ("/v1/{a}", "/v1/1:go", [b"1:go"]),
        ("/v1/*/{a}", "/v1/any/1", [b"1"]),
        ("/v1/{a=x/*}", "/v1/x/1", [b"x/1"]),
        ("/v1/{a=x/*/y/*}:go", "/v1/x/1/y/2:go", [b"x/1/y/2"]),
        ("/v1/{a=**}", "/v1/1/2/3", [b"1/2/3"]),
        ("/v1/{a=**}", "/v1/", [b""]),
        ("/v1/{a=x/**}/end", "/v1/x/1/2/end", [b"x/1/2"]),
        ("/v1/**", "/v1/1/2", []),
    ],
)
def test_a_path_matches(template: str, path: str, values: list[bytes]) -> None:
    assert _found(_router(f"GET {template}"), "GET", path) == (template, *values)


@pytest.mark.parametrize(
    ("template", "path"),
    [
        ("/v1/idps", "/v1/idps/"),
        ("/v1/idps", "/v1/IDPs"),
        ("/v1/idps", "/v1/idps\n"),
        ("/v1/idps", "/v1//idps"),
        ("/v1/idps", "/v1/%69dps"),
        ("/v1/idps/{a}", "/v1/idps/"),
        ("/v1/idps/{a}", "/v1/idps/1/"),
        ("/v1/idps/{a}", "/v1/idps/1/2"),
        ("/v1/idps/{a}", "/v1/idps/1\n/2"),
        ("/v1/{a}/x", "/v1//x"),
        ("/v1/{a}:go", "/v1/:go"),
        ("/v1/{a}", "/v1/:go"),
        ("/v1/{a}:go", "/v1/1:gone"),
        ("/v1/{a}:go", "/v1/1%3Ago"),
        ("/v1/{a=x/*}", "/v1/y/1"),
        ("/v1/{a=x/*}", "/v1/x%2F1"),
        ("/v1/{a=**}", "/v1/1//2"),
        ("/v1.2", "/v1x2"),
    ],
)
def test_a_path_does_not_match(template: str, path: str) -> None:
    assert _router(f"GET {template}").match("GET", path.encode()) == ()


@pytest.mark.parametrize(
    ("template", "path", "value"),
    [
        ("/v1/{a}", "/v1/a%2Fb", b"a/b"),
        ("/v1/{a}", "/v1/a%20b+c", b"a b+c"),
        ("/v1/{a}", "/v1/%C3%A9", "é".encode()),
        ("/v1/{a}", "/v1/%ff", b"\xff"),
        ("/v1/{a}", "/v1/%252F", b"%2F"),
        ("/v1/{a}", "/v1/100%", None),
        ("/v1/{a}", "/v1/%zz", None),
        ("/v1/{a}", "/v1/a%2", None),
        ("/v1/{a}", "/v1/%%32", None),
        ("/v1/{a}", "/v1/%25zz", b"%zz"),
        ("/v1/{a=**}", "/v1/a/%2x/c", None),
        ("/v1/{a}", "/v1/..", b".."),
        ("/v1/{a=**}", "/v1/a%2fb/c%20d%2F", b"a%2fb/c d%2F"),
        ("/v1/{a=x/*}", "/v1/x/a%2Fb%3A", b"x/a%2Fb:"),
    ],
)
def test_a_value_is_decoded_after_the_path_was_split(
    template: str, path: str, value: bytes | None
) -> None:
    assert _found(_router(f"GET {template}"), "GET", path) == (template, value)


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize(
    ("path", "template"),
    [
        ("/v1/users/me", "/v1/users/me"),
        ("/v1/users/you", "/v1/users/{a}"),
        ("/v1/users/you:go", "/v1/users/{a}:go"),
        ("/v1/users/me/tokens", "/v1/users/me/{a}"),
        ("/v1/users/you/tokens", "/v1/users/{a}/tokens"),
        ("/v1/orgs/you", "/v1/{a}/{b}"),
        ("/v1/orgs/you/tokens", "/v1/{a=**}"),
    ],
)
def test_the_more_literal_template_wins_in_any_order_of_declaration(
    path: str, template: str, backwards: bool
) -> None:
    declared = [
        "GET /v1/users/me",
        "GET /v1/users/{a}:go",
        "GET /v1/users/{a}",
        "GET /v1/users/me/{a}",
        "GET /v1/users/{a}/tokens",
        "GET /v1/{a}/{b}",
        "GET /v1/{a=**}",
    ]

    router = _router(*(reversed(declared) if backwards else declared))

    assert _found(router, "GET", path)[0] == template


def test_a_literal_path_is_another_one_for_a_verb_that_it_lacks() -> None:
    router = _router("GET /v1/users/me", "DELETE /v1/users/{a}")

    assert _found(router, "DELETE", "/v1/users/me") == ("/v1/users/{a}", b"me")


def test_a_wrong_verb_is_answered_with_all_allowed_ones() -> None:
    router = _router("GET /v1/users/me", "DELETE /v1/users/{a}", "GET /v1/users/{a}")

    assert router.match("PUT", b"/v1/users/me") == ("GET", "HEAD", "DELETE")
    assert router.match("put", b"/v1/users/1") == ("DELETE", "GET", "HEAD")


def test_head_takes_the_route_of_get() -> None:
    router = _router("GET /v1/idps", "POST /v1/orgs")

    assert _found(router, "HEAD", "/v1/idps") == ("/v1/idps",)
    assert router.match("HEAD", b"/v1/orgs") == ("POST",)


@pytest.mark.parametrize("other", ["/v1/{a}", "/v1/{b}", "/v1/{b.c}", "/v1/{a=*}"])
def test_two_routes_for_the_same_requests_stop_the_start(other: str) -> None:
    with pytest.raises(RouteError, match="declared twice"):
        _router("GET /v1/{a}", f"GET {other}")


def _declare(rule: http_pb2.HttpRule, *, streams: bool = False) -> list[Route]:
    """The routes of a method with this declaration. Its request is a Status."""
    package = f"tests.routing{next(_numbers)}"
    file = descriptor_pb2.FileDescriptorProto(
        name=f"{package}.proto", package=package, dependency=["google/rpc/status.proto"]
    )
    method = file.service.add(name="Service").method.add(
        name="Method",
        input_type=".google.rpc.Status",
        output_type=".google.rpc.Status",
        server_streaming=streams,
    )
    method.options.Extensions[annotations_pb2.http].CopyFrom(rule)
    descriptor_pool.Default().AddSerializedFile(file.SerializeToString())
    return routes_of([f"{package}.Service"])


def test_further_bindings_and_verbs_of_ones_own_are_routes_too() -> None:
    rule = http_pb2.HttpRule(
        post="/v1/status/{message}",
        body="details",
        additional_bindings=[
            http_pb2.HttpRule(get="/v1/status"),
            http_pb2.HttpRule(custom=http_pb2.CustomHttpPattern(kind="QUERY", path="/v1/status")),
        ],
    )

    routes = _declare(rule)

    assert [(route.verb, route.template, route.body, route.variables) for route in routes] == [
        ("POST", "/v1/status/{message}", "details", ("message",)),
        ("GET", "/v1/status", "", ()),
        ("QUERY", "/v1/status", "", ()),
    ]


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        (http_pb2.HttpRule(get="/v1/{nothing}"), "binds 'nothing'"),
        (http_pb2.HttpRule(get="/v1/{details}"), "binds 'details'"),
        (http_pb2.HttpRule(get="/v1/{code.nothing}"), "binds 'code.nothing'"),
        (http_pb2.HttpRule(post="/v1", body="nothing"), "has the body 'nothing'"),
        (http_pb2.HttpRule(get="/v1", response_body="code"), "names a response_body"),
    ],
)
def test_an_invalid_route_stops_the_start(rule: http_pb2.HttpRule, problem: str) -> None:
    with pytest.raises(RouteError, match=rf"Service\.Method {problem}.*correct its"):
        _declare(rule)


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(http_pb2.HttpRule(), id="empty"),
        pytest.param(http_pb2.HttpRule(body="*"), id="body alone"),
        pytest.param(
            http_pb2.HttpRule(get="/v1", additional_bindings=[http_pb2.HttpRule()]), id="further"
        ),
    ],
)
def test_a_rule_without_a_pattern_stops_the_start(rule: http_pb2.HttpRule) -> None:
    with pytest.raises(RouteError, match=r"Service\.Method has a rule without a verb and a path"):
        _declare(rule)


def test_a_stream_that_nobody_can_resume_has_no_route() -> None:
    with pytest.raises(RouteError, match="no numbers after_NAME"):
        _declare(http_pb2.HttpRule(get="/v1/status"), streams=True)
