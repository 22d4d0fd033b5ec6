"""Update masks: which fields of a message a request sets (google.protobuf.FieldMask, AIP-134)."""

from collections.abc import Sequence
from itertools import islice
from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from pydantic.alias_generators import to_camel

from server.validation.fields import Model, read

# A request may contain a mask of megabytes. No message has more fields than this.
_MAX_PATHS = 100
# An error is sent in trailers, which clients limit to some kilobytes.
_MAX_ECHO = 200
_ALL = "*"


def mask_of(fields: Sequence[str]) -> BeforeValidator:
    """A check of the paths of a mask, which is one string in JSON.

    They name these fields, or all by `*`.
    """
    known = ", ".join(map(_in_both_ways, fields))

    def check(paths: tuple[str, ...]) -> tuple[str, ...]:
        if len(paths) > _MAX_PATHS:
            raise ValueError(f"must not have more than {_MAX_PATHS} paths")
        if not paths:
            raise ValueError(f"must not be empty: name fields to change, of {known}, or {_ALL}")
        unknown = ", ".join(
            f"'{path}'" for path in dict.fromkeys(paths) if path not in (*fields, _ALL)
        )
        if unknown:
            echo = unknown if len(unknown) <= _MAX_ECHO else f"{unknown[:_MAX_ECHO]}..."
            raise ValueError(f"must contain only {known}, or be {_ALL}; unknown: {echo}")
        return paths

    pattern = "|".join((*map(to_camel, fields), rf"\{_ALL}"))
    in_json = Annotated[str, Field(pattern=f"^({pattern})(,({pattern}))*$")]
    return BeforeValidator(check, json_schema_input_type=in_json)


def _in_both_ways(field: str) -> str:
    """The name in gRPC and in JSON: clients of both get the same error."""
    in_json = to_camel(field)
    return field if in_json == field else f"{field} (in JSON {in_json})"


def read_patch(
    model: type[Model], request: Any, name: str, key: str, fields: Sequence[str], **further: object
) -> Model:
    """The command of a patch of the message `name`, whose ID is `key`.

    Each of the fields is None unless the mask names it. `further` are fields that the attributes of
    the message do not give.
    """
    paths = tuple(islice(request.update_mask.paths, _MAX_PATHS + 1))
    message = getattr(request, name)
    masked = fields if _ALL in paths else [field for field in fields if field in paths]
    patch = dict.fromkeys([*fields, key])
    for field in (*masked, key):
        patch[field] = further[field] if field in further else getattr(message, field)
    return read(model, request, **{name: patch, "update_mask": paths})
