"""The comments and errors of the API in the words of the command line.

Methods become commands, fields become options, and values of enums become choices.
"""

import re
from collections import ChainMap
from collections.abc import Mapping, Sequence
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, MethodDescriptor

from keystead.comments import COMMENTS
from server.cli.declared.results import names_of, prefix
from server.cli.declared.table import COMMAND_OF_METHOD, GROUPS
from server.cli.parameters import OBJECTS

_METHOD: Final = re.compile(r"`?\b(?:[A-Z]\w+Service\.)?([A-Z][A-Za-z]+)\b`?")
_FIELD: Final = re.compile(r"`([a-z]\w+)`")
# A reference to a method or message that a command does not have.
_SEE: Final = re.compile(r"; see [A-Z]\w+\.\w+")
_SENTENCE: Final = re.compile(r"(?<=[.:]) (?=[A-Z])")
# Sentences about the call, not about what it does.
_OF_CALLS: Final = re.compile(
    "unchanged details|part of the response|the deadline of the call|`page_size`|`update_mask`"
)
_VERBS: Final = {"Returns": "Show", "Retries": "Retry"}
_CONSTANT: Final = re.compile(r"`?\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b`?")


def in_commands(text: str) -> str:
    """The text with commands in place of methods."""

    def command(found: re.Match[str]) -> str:
        words = COMMAND_OF_METHOD.get(found[1])
        return f"`keystead {words}`" if words else found[0]

    return _METHOD.sub(command, text)


def _translated(text: str, constants: Mapping[str, str], options: Mapping[str, str]) -> str:
    text = _CONSTANT.sub(lambda found: constants.get(found[1], found[0]), _SEE.sub("", text))
    text = _FIELD.sub(lambda found: options.get(found[1], found[0]), text)
    return in_commands(text).replace("Unspecified:", "Default:")


def _constants(request: Descriptor) -> dict[str, str]:
    """The choices for the values of enums in the file of a request."""
    return {
        value.name: value.name.removeprefix(prefix(kind)).lower()
        for kind in request.file.enum_types_by_name.values()
        for value in kind.values
    }


def help_of(method: MethodDescriptor) -> str:
    """The help of the command for a method: the first paragraph of its comment, as imperative."""
    paragraph = COMMENTS[method.full_name].partition("\n")[0]
    sentences = [each for each in _SENTENCE.split(paragraph) if not _OF_CALLS.search(each)]
    sentences = [*_of_patch(method.input_type), *sentences]
    text = " ".join([_imperative(sentences[0]), *sentences[1:]])
    return _translated(text, _constants(method.input_type), {})


def _of_patch(request: Descriptor) -> list[str]:
    """The first sentences about a patch, whose comment is about its mask."""
    if "update_mask" not in request.fields_by_name:
        return []
    changed: Any = request.fields[0].message_type
    # The first one is the ID of the object itself.
    noun = next(OBJECTS[name].noun for name in changed.fields_by_name if name in OBJECTS)
    article = "an" if noun[0] in "AIO" else "a"
    return [f"Changes {article} {noun.lower()}.", "Omitted options change nothing."]


def _imperative(sentence: str) -> str:
    verb, _, rest = sentence.partition(" ")
    return f"{_VERBS.get(verb, verb.removesuffix('s'))} {rest}"


class Wording:
    """The help of options for the fields of requests. `options` has their names."""

    def __init__(
        self, requests: Sequence[Descriptor], options: Mapping[str, str], group: str
    ) -> None:
        self._options = options
        self._group = group
        self._constants = dict(ChainMap(*map(_constants, requests)))

    def of_field(self, field: Any) -> str:
        """The comment of a field, with those of its values and a command that lists them."""
        parts = [COMMENTS.get(field.full_name, "").replace("\n", " ")]
        if field.enum_type:
            parts += self._of_values(field)
        if field.name.endswith("_id") and (words := self._listing(field.name)):
            parts.append(f"See `keystead {words}`.")
        text = " ".join(part for part in parts if part)
        return _translated(text, self._constants, self._options)

    def _of_values(self, field: Any) -> list[str]:
        unspecified, *values = field.enum_type.values
        full_name = field.enum_type.full_name
        default = COMMENTS.get(f"{full_name}.{unspecified.name}", "")
        return [
            *(
                f"{self._constants[value.name]}: {comment}"
                for value in values
                if (comment := COMMENTS.get(f"{full_name}.{value.name}"))
            ),
            *([default.replace("The default:", "Default:")] if "default:" in default else []),
        ]

    def _listing(self, field: str) -> str:
        """The command that shows the IDs for this field."""
        for group, declared in GROUPS.items():
            for name, row in declared.commands.items():
                if row.columns and next(names_of(row.columns)) == field:
                    return f"{group} {name}"
        return f"{self._group} show" if "show" in GROUPS[self._group].commands else ""
