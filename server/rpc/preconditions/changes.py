"""The object that a method changes (decision 11)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, TypeAlias

from google.api import annotations_pb2
from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from keystead.options.v1 import options_pb2
from server.store.statement import Statement

IF_MATCH: Final = "if-match"
VALIDATE_ONLY: Final = "x-validate-only"
IDEMPOTENCY_KEY: Final = "x-idempotency-key"
ETAG: Final = "etag"

_DETAILS = "keystead.common.v1.Details"
_VARIABLE = re.compile(r"\{([\w.]+)\}")
_PARENTS = re.compile(r"\{[\w.]+\.")  # `{idp.idp_id}` is `{idp_id}`

# The statements that lock an object and give its sequence, by the path of the object:
# `/v1/idps/{idp_id}`. Their parameters are the variables of the path, `organization_id`, and the
# caller's `user_id` and `session_id`, unless the path has variables of these names.
Objects: TypeAlias = Mapping[str, Statement]


@dataclass(frozen=True, slots=True)
class Change:
    """A method that changes something.

    `lock` is the statement that locks its object, None if the call creates it. `fields` read the
    parameters of the statement from a request. `answer` is the type of the response. `is_removal`:
    the method removes something; `is_removed`: it removes the object itself.
    `refuses`: the reason why the method takes none of the headers; empty if it takes some.
    `sequence` reads the sequence of the object from an answer; None: answers have none.
    """

    lock: Statement | None
    fields: Mapping[str, Callable[[Any], str]]
    is_removal: bool
    is_removed: bool
    refuses: str
    answer: type[Message]
    sequence: Callable[[Any], int] | None


def change_of(method: MethodDescriptor, objects: Objects) -> Change | None:
    """The change of a method, by its options. None: the method changes nothing."""
    options = method.GetOptions()
    rule = options.Extensions[annotations_pb2.http]
    verb = rule.WhichOneof("pattern")
    reads = verb == "get" or options.idempotency_level == options.NO_SIDE_EFFECTS
    if reads or method.server_streaming or method.client_streaming:
        return None
    template = str(getattr(rule, verb)) if verb else ""
    fields = {name.rpartition(".")[2]: attrgetter(name) for name in _VARIABLE.findall(template)}
    path, _, action = _PARENTS.sub("{", template).partition(":")
    found = max(
        (each for each in objects if f"{path}/".startswith(f"{each}/")), key=len, default=""
    )
    makes_it = verb == "post" and not action and path == found
    refuses = _refuses(options)
    return Change(
        lock=None if refuses or makes_it else objects.get(found),
        fields=fields,
        is_removal=verb == "delete",
        is_removed=verb == "delete" and path == found,
        refuses=refuses,
        answer=GetMessageClass(method.output_type),
        sequence=sequence_of(method.output_type),
    )


def _refuses(options: Any) -> str:
    if options.Extensions[options_pb2.access].open:
        return "the method is open to everyone"
    if options.Extensions[options_pb2.acts_outside]:
        return "the method has an effect that cannot be undone"
    return ""


def sequence_of(answer: Descriptor) -> Callable[[Any], int] | None:
    """Reads the sequence of the one object in an answer. None: answers of this type have none."""
    for field in answer.fields:
        if field.message_type is None or field.is_repeated:
            continue
        if field.message_type.full_name == _DETAILS:
            return attrgetter(f"{field.name}.sequence")
        details = field.message_type.fields_by_name.get("details")
        if details and details.message_type and details.message_type.full_name == _DETAILS:
            return attrgetter(f"{field.name}.details.sequence")
    return None
