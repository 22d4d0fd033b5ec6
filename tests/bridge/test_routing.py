"""The routes of the schema, and the route that a request takes."""

import re
from typing import Any

import pytest

from bridge.json.routing import Match, Route, Router, routes_of
from tests.support import given

_SERVICES = list(dict.fromkeys(method.containing_service.full_name for method in given.METHODS))


def _router(*declared: str) -> Router:
    """A router with routes like `GET /v1/users/{user_id}`."""
    routes = []
    for text in declared:
        verb, template = text.split()
        routes.append(
            Route(verb, template, given.METHODS[0], False, re.findall("{(.*?)}", template))
        )
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
    assert (patch.has_body, patch.variables) == (True, ["idp.idp_id"])


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
        # Like grpc-gateway, which matches the decoded path (`runtime/mux.go`).
        ("/v1/smtp:test", "/v1/smtp%3Atest", []),
        ("/v1/{a}:go", "/v1/1%3Ago", [b"1"]),
        ("/v1/{a}:go", "/v1/a%2Fb%3ago", [b"a/b"]),
        ("/v1/{a}:go", "/v1/1%3A2%3Ago", [b"1:2"]),
        ("/v1/{a}", "/v1/1%3Ago", [b"1:go"]),
    ],
)
def test_a_path_gives_the_values_of_its_template(
    template: str, path: str, values: list[bytes]
) -> None:
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
        ("/v1/{a}:go", "/v1/%3Ago"),
        ("/v1/{a}:go", "/v1/1%3Ag%6f"),
        ("/v1/{a}:go/x", "/v1/1%3Ago/x"),
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
        ("/v1/{a}", "/v1/..", b".."),
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


def test_an_encoded_colon_is_that_of_a_verb_only_where_no_value_has_it() -> None:
    router = _router("GET /v1/users/{a}", "POST /v1/users/{a}:go")

    assert _found(router, "GET", "/v1/users/1%3Ago") == ("/v1/users/{a}", b"1:go")
    assert _found(router, "POST", "/v1/users/1%3Ago") == ("/v1/users/{a}:go", b"1")
    assert router.match("PUT", b"/v1/users/1%3Ago") == ("POST", "GET", "HEAD")
    assert router.match("PUT", b"/v1/users/1%3Agone") == ("GET", "HEAD")


def test_head_takes_the_route_of_get() -> None:
    router = _router("GET /v1/idps", "POST /v1/orgs")

    assert _found(router, "HEAD", "/v1/idps") == ("/v1/idps",)
    assert router.match("HEAD", b"/v1/orgs") == ("POST",)
