"""Values of fields that name other objects: by names in a file, by IDs on the server."""

from collections.abc import Iterable, Mapping
from typing import Any


def referred(
    values: Mapping[str, Any], names: Mapping[str, Mapping[str, str]]
) -> tuple[dict[str, Any], bool]:
    """The values with IDs in place of names; whether a name belongs to no object yet.

    `names` are the IDs by names, by paths of fields such as `resource_scopes.allowed_groups`.
    """
    found, is_unknown = {**values}, False
    for path, ids in names.items():
        field_, _, inner = path.partition(".")
        if field_ not in values:
            continue
        found_in = [each.get(inner, []) for each in values[field_]] if inner else [values[field_]]
        lists = [_texts(one) for one in found_in]
        is_unknown |= any(
            each not in ids and each not in ids.values() for one in lists for each in one
        )
        found[field_] = _replaced(found[field_], inner, ids)
    return found, is_unknown


def _texts(value: Any) -> Iterable[str]:
    """The names or IDs in the value of a field; an empty text is none."""
    if isinstance(value, Mapping):
        return value.values()
    return filter(None, [value]) if isinstance(value, str) else value


def _replaced(value: Any, inner: str, texts: Mapping[str, str]) -> Any:
    """The text, list or map, or those in the objects of a list, with other texts."""
    if inner:
        return [
            each | {inner: _replaced(each[inner], "", texts)} if inner in each else each
            for each in value
        ]
    if isinstance(value, Mapping):
        return {key: texts.get(each, each) for key, each in value.items()}
    if isinstance(value, str):
        return texts.get(value, value)
    return [texts.get(each, each) for each in value]


def with_names(field_: str, value: Any, names: Mapping[str, Mapping[str, str]]) -> Any:
    """The value of a field with names in place of IDs."""
    for path, ids in names.items():
        of_path, _, inner = path.partition(".")
        if of_path == field_ and value:
            value = _replaced(value, inner, {id_: name for name, id_ in ids.items()})
    return value
