"""The routes that the schema declares, and the matching of requests to them.

The rules are those of `google/api/http.proto`. A path is matched as it was sent: decoded first,
`a%2Fb` would be two segments. Only if it has no route, an encoded colon in its last segment counts
as the colon of a custom verb: clients encode whole segments. Of two templates that match, the more
literal one wins if it has the verb: `/v1/users/me` is not the user `me`.

The rule: the schema uses a part of `google.api.http`, which `tests/rpc/test_schema.py` checks.
A method has one route, whose variables are segments, and whose body is the whole request.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from google.api import annotations_pb2
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import MethodDescriptor

from bridge.percent import unescaped

_VARIABLE = re.compile(r"\{([\w.]+)\}")
_ENCODED_VERB = re.compile(rb"%3[Aa](?=[^/%]*\Z)")
# `:start` is the end of `{id}:start` with an empty ID, never an ID. An ID may contain `%3A`.
_SEGMENT = "((?!:)[^/]+)"


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """The way to call a method over HTTP.

    `verb` is `GET`, `POST`, ...; `template` as in the schema, `/v1/users/{user_id}/passkeys`.
    `has_body`: the body is the request; otherwise fields are in the query. `variables` are the
    paths of the fields that the template binds, `["idp.idp_id"]`, in its order.
    """

    verb: str
    template: str
    method: MethodDescriptor
    has_body: bool
    variables: Sequence[str]


@dataclass(frozen=True, slots=True)
class Match:
    """The route of a request and the values that its path gives.

    `values` belong to `route.variables`. They are percent-decoded and not necessarily UTF-8; None
    stands for a value with a malformed escape.
    """

    route: Route
    values: tuple[bytes | None, ...]


# The routes of one path, by verb.
_Routes: TypeAlias = dict[str, Route]


def routes_of(services: Iterable[str]) -> list[Route]:
    """The routes of services, by their full names, in the order of the schema.

    A method without `google.api.http` has no route.
    """
    pool = descriptor_pool.Default()
    return [
        _route(method)
        for service in services
        for method in pool.FindServiceByName(service).methods
        if method.GetOptions().HasExtension(annotations_pb2.http)
    ]


def _route(method: MethodDescriptor) -> Route:
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    verb = rule.WhichOneof("pattern")
    template = getattr(rule, verb)
    return Route(verb.upper(), template, method, bool(rule.body), _VARIABLE.findall(template))


class Router:
    """Finds the route of a request."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._literal: dict[bytes, _Routes] = {}
        by_pattern: dict[str, _Routes] = {}
        for route in sorted(routes, key=_literalness):
            if route.variables:
                path = by_pattern.setdefault(_pattern(route.template), {})
            else:
                path = self._literal.setdefault(route.template.encode(), {})
            path[route.verb] = route
            # HEAD is not for streams, which have no end.
            if route.verb == "GET" and not route.method.server_streaming:
                path["HEAD"] = route
        self._variable = [(re.compile(each.encode()), by_pattern[each]) for each in by_pattern]

    def match(self, verb: str, raw_path: bytes) -> Match | Sequence[str]:
        """The route of a request; without one, the other verbs of its path.

        HEAD takes the route of GET.
        """
        found = self._match(verb, raw_path)
        if isinstance(found, Match) or not (colon := _ENCODED_VERB.search(raw_path)):
            return found
        with_verb = raw_path[: colon.start()] + b":" + raw_path[colon.end() :]
        return self._match(verb, with_verb) or found

    def _match(self, verb: str, raw_path: bytes) -> Match | Sequence[str]:
        literal = self._literal.get(raw_path, {})
        if verb in literal:
            return Match(literal[verb], ())
        allowed = dict.fromkeys(literal)
        for pattern, routes in self._variable:
            found = pattern.fullmatch(raw_path)
            if found is None:
                continue
            if verb in routes:
                values = found.groups()
                if b"%" in raw_path:
                    values = tuple(map(_decoded, values))
                return Match(routes[verb], values)
            allowed |= dict.fromkeys(routes)
        return tuple(allowed)


def _literalness(route: Route) -> str:
    """A sort key that puts the more literal template first.

    A variable comes after every letter; the end, after the colon of a verb.
    """
    return _VARIABLE.sub("\uffff", route.template) + "\ufffe"


def _pattern(template: str) -> str:
    """A regular expression with a group for every variable."""
    return _SEGMENT.join(map(re.escape, _VARIABLE.split(template)[::2]))


def _decoded(value: bytes) -> bytes | None:
    with suppress(UnicodeDecodeError):
        return unescaped(value)
    return None
