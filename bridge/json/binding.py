"""The request of a method from the parts of an HTTP request: path, query and body.

The rules are those of `google/api/http.proto`, with two exceptions: input that would be ignored is
refused, and the body may repeat a field of the path if the values are equal.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, TypeAlias, cast

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from bridge.json import codec
from bridge.json.checks import member_path
from bridge.json.event_stream import id_field
from bridge.json.routing import Route
from bridge.json.shape import Member, parse, shape_of
from bridge.percent import pairs
from server.rpc.requests import RequestLimits
from server.values.errors import Failure, Kind, Violation, invalid

# The members from the request to a field.
_FieldPath: TypeAlias = tuple[Member, ...]

# Violations in one answer, however many mistakes the request has.
_MAX_VIOLATIONS = 50


class Binding:
    """Reads the requests of one route.

    `path` is that of its method, `/package.Service/Method`. `id_field` is that of a method whose
    messages are sent as events.
    """

    def __init__(self, route: Route) -> None:
        self.path = f"/{route.method.containing_service.full_name}/{route.method.name}"
        self.id_field = id_field(route.method) if route.method.server_streaming else None
        self._route = route
        self._message: type[Message] = GetMessageClass(route.method.input_type)
        self._shape = shape_of(route.method.input_type)
        self._variables = [self._shape.find(path) for path in route.variables]
        # The fields of the path, which a query may not give.
        self._bound = {_dotted(field_path) for field_path in self._variables}
        known = dict.fromkeys(
            member.name
            for member in self._shape.members.values()
            if member.is_text and member.name not in self._bound
        )
        listed = f"known are {', '.join(known)}" if known else "there are none"
        self._unknown = f"is unknown as a query parameter; {listed}"

    def request(
        self, values: Sequence[bytes | None], query: bytes, body: bytes, limits: RequestLimits
    ) -> Message:
        """The message. Failure INVALID_ARGUMENT with all violations.

        `values` are the values of the route's variables in the path.
        """
        members = self._members(body, limits)
        unbound = (
            [*self._bind_query(members, _parameters(query, limits.parameters))] if query else []
        )
        unbound += self._bind_path(members, values)
        # Checked after binding, with the values of the path and the query.
        violations = chain(self._shape.violations(members), unbound)
        found = tuple(islice(violations, _MAX_VIOLATIONS))
        if found:
            raise invalid(*found)
        return parse(members, self._message)

    def _members(self, body: bytes, limits: RequestLimits) -> dict[str, Any]:
        """The members that the body gives."""
        if not self._route.has_body:
            if body:
                raise Failure(
                    Kind.INVALID_ARGUMENT,
                    "UNEXPECTED_BODY",
                    f"A {self._route.verb} request takes no body here. Send its fields in the path"
                    " and in the query.",
                )
            return {}
        value = codec.loads(body, limits.values) if body else {}
        if not isinstance(value, dict):
            raise codec.malformed("It must be an object")
        return value

    def _bind_query(
        self, members: dict[str, Any], parameters: Sequence[tuple[str, str]]
    ) -> Iterator[Violation]:
        """Adds the parameters. A request with a body has none."""
        texts: dict[Member, list[str]] = {}
        for name, text in parameters:
            member = self._shape.members.get(name)
            if self._route.has_body:
                yield Violation(member_path("", name), "must be in the body, not in the query")
            elif member is None or not member.is_text:
                yield Violation(member_path("", name), self._unknown)
            elif member.name in self._bound:
                yield Violation(member.name, "must not be in the query, because it is elsewhere")
            else:
                texts.setdefault(member, []).append(text)
        for member, given in texts.items():
            values = [member.of_text(text) for text in given]
            if member.field.is_repeated:
                members[member.name] = values
            elif len(values) == 1:
                members[member.name] = values[0]
            else:
                yield Violation(member.name, "must not be given twice")

    def _bind_path(
        self, members: dict[str, Any], values: Sequence[bytes | None]
    ) -> Iterator[Violation]:
        for field_path, value in zip(self._variables, values, strict=True):
            if value is None:
                yield Violation(_dotted(field_path), "must be percent-encoded: write % as %25")
                continue
            try:
                text = value.decode()
            except UnicodeDecodeError:
                yield Violation(_dotted(field_path), "must be UTF-8")
            else:
                yield from _put(members, field_path, field_path[-1].of_text(text))


def _put(members: dict[str, Any], field_path: _FieldPath, value: Any) -> Iterable[Violation]:
    """Adds a value of the path, unless the body contradicts it."""
    *parents, member = field_path
    for parent in parents:
        key = parent.key(members)
        if members.get(key) is None:
            members[key] = {}
        members = members[key]
        if not isinstance(members, dict):
            return ()  # the shape reports that the body is not an object
    key = member.key(members)
    given = members.get(key)
    if given is None:
        members[key] = value
        return ()
    path = _dotted(field_path)
    violations = tuple(member.check(value, path, len(field_path)))
    if not violations and not any(member.check(given, path, len(field_path))):
        message = GetMessageClass(cast(Descriptor, member.field.containing_type))
        if parse({key: given}, message) not in (parse({key: value}, message), message()):
            return (Violation(path, "must be the same in the path and in the body"),)
        members[key] = value
    return violations


def _dotted(field_path: _FieldPath) -> str:
    return ".".join(member.name for member in field_path)


def _parameters(query: bytes, most: int) -> list[tuple[str, str]]:
    found = pairs(query, most)
    if found is None:
        raise Failure(
            Kind.INVALID_ARGUMENT,
            "MALFORMED_QUERY",
            "The query cannot be read. It must be percent-encoded UTF-8 (% is %25), of at most"
            f" {most} parameters.",
        )
    return found
