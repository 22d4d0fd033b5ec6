"""Declarations of the schema that the console needs. `make page` writes them.

`access.ts`: the permission of each method of the console, and the permissions of each role.
`forms.ts`: the fields of each request of a method that writes, with their limits, as in the OpenAPI
document.
`reasons.ts`: the reasons of refusals that the console can meet.
`recipes.ts`: the recipes of programs.
`presets.ts`: the presets of identity providers.
`sentences.ts`: the sentences of events.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pool

from keystead.options.v1 import options_pb2
from server.access.roles import PERMISSIONS_EVERYWHERE, PERMISSIONS_OF, Role
from server.application.recipes import NAMES, recipe
from server.cli.sentences import SENTENCES
from server.idp.oidc.presets import PRESETS, UNSUPPORTED, VALUES, Preset
from tests.support.openapi.served import description

_ROOT = Path(__file__).parents[2]
_WEB = _ROOT / "web"
METHODS = _WEB / "console" / "buf.gen.yaml"
_LISTED = re.compile(r"^ +- (keystead\.\S+Service\.\w+)$", re.MULTILINE)
# How the server writes the reason of a refusal.
_REFUSED = re.compile(r'Failure\(\s*(?:[^"()]+,\s*)?"([A-Z][A-Z_]+)"|\bNotFound\(\s*"([a-z_]+)"')
# Packages whose methods the console does not call, except for the grants of users.
_OTHERS = re.compile(
    r"server/(?:oauth/(?!grant|preview)|signup|gate|idp/(?:signin|relying_party)|rpc/health)"
)
_RECIPE = """
/** Of `server/application/recipes`. */
export interface Recipe {
  readonly name: string;
  readonly program: string;
  readonly note: string;
  readonly application: object;
  readonly settings: readonly { readonly where: string; readonly text: string }[];
}
"""
_PRESET = """
/** Of `server/idp/oidc/presets.toml`. `values` are the names of the placeholders of the issuer. */
export interface Preset {
  readonly presetId: string;
  readonly name: string;
  readonly kind: string;
  readonly issuer: string;
  readonly values: readonly (keyof typeof VALUES)[];
  readonly source: string;
  readonly note: string;
  readonly backgroundColor: string;
  readonly textColor: string;
  readonly authMethod: string;
  readonly scopes: readonly string[];
  readonly openIssuers: readonly string[];
}
"""
# Members of JSON Schema that the forms use.
_USED = (
    *("type", "format", "pattern", "minLength", "maxLength", "minimum", "maximum", "maxItems"),
    *("enum", "items", "properties", "required", "examples"),
)


def access() -> str:
    """The permissions as TypeScript: of each method, and whether it must be held everywhere."""
    methods = {
        f"{method.containing_service.name}/{method.name}": [
            rule.permission,
            rule.scope == options_pb2.SCOPE_INSTANCE,
        ]
        for method in _methods()
        for rule in [method.GetOptions().Extensions[options_pb2.access]]
        if rule.permission
    }
    roles = {
        f"ROLE_{role}": sorted(PERMISSIONS_OF[role] | PERMISSIONS_EVERYWHERE.get(role, set()))
        for role in Role
        if role in PERMISSIONS_OF
    }
    return _module(METHODS=methods, ROLES=roles)


def forms() -> str:
    """The requests of methods that write, as TypeScript, by the names of their messages."""
    document = description()
    components = document["components"]["schemas"]
    names = (method.input_type.full_name for method in _methods())
    # A request without a body, such as that of GET, has no component.
    requests = {name: components[name] for name in names if name in components}
    plain = {name: _plain(schema, components) for name, schema in requests.items()}
    return _module(FORMS={name.rpartition(".")[2]: schema for name, schema in plain.items()})


def reasons() -> str:
    """The reasons as TypeScript."""
    found = {
        fixed or f"{resource_type.upper()}_NOT_FOUND"
        for file in (_ROOT / "server").rglob("*.py")
        if not _OTHERS.match(file.relative_to(_ROOT).as_posix())
        for fixed, resource_type in _REFUSED.findall(file.read_text())
    }
    return _module(REASONS=sorted(found))


def recipes() -> str:
    """The recipes as TypeScript, with their type."""
    named = sorted((recipe(name) for name in NAMES), key=lambda each: each.program.casefold())
    return _module(RECIPES=[asdict(each) for each in named]) + _RECIPE


def presets() -> str:
    """The presets as TypeScript, with their type."""
    named = sorted(PRESETS.values(), key=lambda each: (each.name.casefold(), each.kind))
    return (
        _module(
            PRESETS=[_preset(each) for each in named],
            UNSUPPORTED=[asdict(each) for each in UNSUPPORTED.values()],
            VALUES={name: value.pattern for name, value in VALUES.items()},
        )
        + _PRESET
    )


def _preset(preset: Preset) -> dict[str, Any]:
    return {
        "presetId": preset.preset_id,
        "name": preset.name,
        "kind": preset.kind,
        "issuer": preset.issuer,
        "values": preset.placeholders,
        "source": preset.source,
        "note": preset.note,
        "backgroundColor": preset.background_color,
        "textColor": preset.text_color,
        "authMethod": f"TOKEN_ENDPOINT_AUTH_METHOD_{preset.auth_method.name}",
        "scopes": preset.scopes,
        "openIssuers": preset.open_issuers,
    }


def sentences() -> str:
    """The sentences by the keys of their texts as TypeScript."""
    return _module(SENTENCES={f"event.{name}": text for name, text in SENTENCES.items()})


def _methods() -> Iterator[Any]:
    for name in _LISTED.findall(METHODS.read_text()):
        yield descriptor_pool.Default().FindMethodByName(name)


def _plain(schema: Mapping[str, Any], components: Mapping[str, Any]) -> dict[str, Any]:
    """The schema without references, texts, and limits that depend on each other."""
    if "$ref" in schema:
        return _plain(components[schema["$ref"].rpartition("/")[2]], components)
    plain = {name: value for name, value in schema.items() if name in _USED}
    if "then" in schema and "format" in schema["then"]:
        plain["format"] = schema["then"]["format"]
    if "items" in plain:
        plain["items"] = _plain(plain["items"], components)
    if "properties" in plain:
        plain["properties"] = {
            name: _plain(field, components) for name, field in plain["properties"].items()
        }
    return plain


def _module(**constants: object) -> str:
    lines = ["// Generated by `make page` from the schema of the server.", ""]
    for name, value in constants.items():
        lines.append(f"export const {name} = {json.dumps(value, ensure_ascii=False)} as const;")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    folder = _WEB / "gen" / "console"
    (folder / "access.ts").write_text(access())
    (folder / "forms.ts").write_text(forms())
    (folder / "reasons.ts").write_text(reasons())
    (folder / "recipes.ts").write_text(recipes())
    (folder / "presets.ts").write_text(presets())
    (folder / "sentences.ts").write_text(sentences())
