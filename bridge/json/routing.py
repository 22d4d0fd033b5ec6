"""The routes that the schema declares, and the matching of requests to them.

The rules are those of `google/api/http.proto`. A path is matched as it was sent: decoded first,
`a%2Fb` would be two segments. Of two templates that match, the more literal one wins if it has the
verb: `/v1/users/me` is not the user `me`.

The rule: a route that cannot be served stops the server at its start.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from google.api import annotations_pb2, http_pb2
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor

from bridge.json.event_stream import id_field
from bridge.percent import has_malformed_escape, unescaped

# `{field.path}`, `{field.path=segments}`, `**`, `*`; the rest is literal.
_WILDCARD = re.compile(r"\{(?P<path>[\w.]+)(?:=(?P<segments>[^{}]+))?\}|(?P<wildcard>\*\*?)")
# `:start` is the end of `{id}:start` with an empty ID, never an ID. An ID may contain `%3A`.
_SEGMENT = "(?!:)[^/]+"
_SEGMENTS = f"(?:{_SEGMENT}(?:/{_SEGMENT})*)?"
_SLASH = re.compile(b"(%2F)", re.IGNORECASE)


class RouteError(Exception):
    """A method of the schema declares a route that cannot be served."""


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """One way to call a method over HTTP.

    `verb` is `GET`, `POST`, ...; `template` as in the schema, `/v1/users/{user_id}/passkeys`.
    `body` is empty (no body), `*` (the whole request) or the name of a field. `variables` are
    the paths of the fields that the template binds, `("idp.idp_id",)`, in its order.
    """

    verb: str
    template: str
    method: MethodDescriptor
    body: str
    variables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """The route of a request and the values that its path gives.

    `values` belong to `route.variables`. They are percent-decoded and not necessarily UTF-8; None
    stands for a value with a malformed escape.
    """

    route: Route
    values: tuple[bytes | None, ...]


@dataclass(frozen=True, slots=True)
class WrongVerb:
    """The path exists, but only for the verbs `allowed`."""

    allowed: tuple[str, ...]


def routes_of(services: Iterable[str]) -> list[Route]:
    """The routes of services, by their full names, in the order of the schema.

    A method without `google.api.http` has no route. RouteError for a route that cannot be served.
    """
    pool = descriptor_pool.Default()
    return [
        route
        for service in services
        for method in pool.FindServiceByName(service).methods
        for route in _declared(method)
    ]


class Router:
    """Finds the route of a request."""

    def __init__(self, routes: Iterable[Route]) -> None:
        """RouteError if two routes are the same."""
        by_pattern: dict[str, _Template] = {}
        for route in routes:
            pattern = _pattern(route.template)
            template = by_pattern.setdefault(pattern, _Template(route.template, pattern))
            if route.verb in template.routes:
                raise RouteError(f"{route.verb} {route.template} is declared twice")
            template.routes[route.verb] = route
            # HEAD is not for streams, which have no end.
            if route.verb == "GET" and not route.method.server_streaming:
                template.routes["HEAD"] = route
        self._literal = {
            template.text.encode(): template
            for template in by_pattern.values()
            if not _WILDCARD.search(template.text)
        }
        self._variable = sorted(
            (template for template in by_pattern.values() if _WILDCARD.search(template.text)),
            key=lambda template: _literalness(template.text),
        )

    def match(self, verb: str, raw_path: bytes) -> Match | WrongVerb | None:
        """The route of a request; None for a path that no verb has.

        HEAD takes the route of GET.
        """
        literal = self._literal.get(raw_path)
        if literal is not None and verb in literal.routes:
            return Match(literal.routes[verb], ())
        allowed = {} if literal is None else dict.fromkeys(literal.routes)
        for template in self._variable:
            found = template.regex.fullmatch(raw_path)
            if found is None:
                continue
            if verb in template.routes:
                values = found.groups()
                if b"%" in raw_path:
                    values = template.decoded(values)
                return Match(template.routes[verb], values)
            allowed |= dict.fromkeys(template.routes)
        return WrongVerb(tuple(allowed)) if allowed else None


class _Template:
    """The routes of one path, by verb."""

    __slots__ = ("_is_multiple", "regex", "routes", "text")

    def __init__(self, text: str, pattern: str) -> None:
        self.text = text
        self.regex = re.compile(pattern.encode())
        self.routes: dict[str, Route] = {}
        self._is_multiple = [
            "/" in (segments or "") or segments == "**"
            for segments in (found["segments"] for found in _variables(text))
        ]

    def decoded(self, values: tuple[bytes, ...]) -> tuple[bytes | None, ...]:
        return tuple(map(_decoded, values, self._is_multiple))


def _decoded(value: bytes, is_multiple: bool) -> bytes | None:
    """Percent-decodes a value. An escaped slash in a value of several segments stays escaped."""
    if has_malformed_escape(value):
        return None
    parts = _SLASH.split(value) if is_multiple else [value]
    parts[::2] = map(unescaped, parts[::2])
    return b"".join(parts)


def _variables(template: str) -> Iterator[re.Match[str]]:
    return (found for found in _WILDCARD.finditer(template) if found["path"])


def _pattern(template: str) -> str:
    """A regular expression with a group for every variable."""
    pattern, end = "", 0
    for found in _WILDCARD.finditer(template):
        pattern += re.escape(template[end : found.start()])
        if found["path"]:
            pattern += f"({_pattern(found['segments'] or '*')})"
        else:
            pattern += _SEGMENTS if found["wildcard"] == "**" else _SEGMENT
        end = found.end()
    return pattern + re.escape(template[end:])


def _literalness(template: str) -> str:
    """A sort key that puts the more literal template first.

    A wildcard comes after every letter; the end, after the colon of a verb.
    """
    flat = _WILDCARD.sub(lambda found: found["segments"] or found["wildcard"] or "*", template)
    return flat.replace("*", "\uffff") + "\ufffe"


def _declared(method: MethodDescriptor) -> Iterator[Route]:
    options = method.GetOptions()
    if not options.HasExtension(annotations_pb2.http):
        return
    rule = options.Extensions[annotations_pb2.http]
    for binding in (rule, *rule.additional_bindings):
        yield _route(binding, method)


def _route(rule: http_pb2.HttpRule, method: MethodDescriptor) -> Route:
    pattern = rule.WhichOneof("pattern")
    if pattern is None:
        raise _route_error(method, "has a rule without a verb and a path")
    if pattern == "custom":
        verb, template = rule.custom.kind, rule.custom.path
    else:
        verb, template = pattern.upper(), getattr(rule, pattern)
    variables = tuple(found["path"] for found in _variables(template))
    problem = _problem(rule, method, variables)
    if problem:
        raise _route_error(method, problem)
    return Route(verb, template, method, rule.body, variables)


def _route_error(method: MethodDescriptor, problem: str) -> RouteError:
    return RouteError(f"{method.full_name} {problem}: correct its (google.api.http)")


def _problem(
    rule: http_pb2.HttpRule, method: MethodDescriptor, variables: tuple[str, ...]
) -> str | None:
    if method.client_streaming:
        return "takes a stream, which a route cannot carry"
    if method.server_streaming and id_field(method) is None:
        return "gives a stream, but no numbers after_NAME in its request and NAME in its messages"
    if rule.response_body:
        return "names a response_body, which is not supported"
    if rule.body not in ("", "*") and rule.body not in method.input_type.fields_by_name:
        return f"has the body '{rule.body}', which is no field of its request"
    for path in variables:
        field = _field(method.input_type, path)
        if field is None or field.message_type is not None or field.is_repeated:
            return f"binds '{path}', which is no single value of its request"
    return None


def _field(message: Descriptor | None, path: str) -> FieldDescriptor | None:
    field = None
    for name in path.split("."):
        field = message.fields_by_name.get(name) if message else None
        message = field.message_type if field else None
    return field
