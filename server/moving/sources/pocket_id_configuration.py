"""The clients of Pocket ID, which has no other identity providers.

https://github.com/pocket-id/pocket-id: model/oidc.go. Its secrets are hashed, and its callback
URLs can have wildcards.
"""

import json
from collections import defaultdict
from typing import Any, Final

from server.moving.sources.configured import Configured, public_kind
from server.moving.sources.moved import Json, documents, group_of

_MINUTE: Final = 60
# The lifetime of access tokens that nobody chose.
_DEFAULT_MINUTES: Final = 60


def configure(content: bytes, found: Configured) -> None:
    """Adds the clients of an export, and the groups to which they are restricted."""
    [export, *_] = documents(content)
    tables = export.get("tables", {})
    names = {each["id"]: each for each in tables.get("user_groups", ())}
    groups = defaultdict[str, list[str]](list)
    for each in tables.get("oidc_clients_allowed_user_groups", ()):
        group = names[each["user_group_id"]]
        name = group_of(group["name"], found.left)
        groups[each["oidc_client_id"]].append(name)
        found.group(name, group.get("friendly_name") or group["name"])
    for client in tables.get("oidc_clients", ()):
        if client.get("client_type") == "cimd":
            found.left.note("clients with a metadata document stay: they need none here")
        else:
            _client(client, groups[client["id"]], found)


def _client(client: Json, groups: list[str], found: Configured) -> None:
    name, is_public = client["name"], client.get("is_public", False)
    uris = _value(client.get("callback_urls")) or []
    credentials = _value(client.get("credentials")) or {}
    minutes = client.get("access_token_duration_minutes") or _DEFAULT_MINUTES
    if credentials.get("federatedIdentities"):
        found.left.note(f"client {name}: its federated client credentials stay", 0)
    if client.get("requires_reauthentication"):
        found.left.note(f"client {name}: it must ask for a new sign-in by max_age or prompt", 0)
    is_restricted = bool(client.get("is_group_restricted", groups))
    found.application(
        client["id"],
        name,
        kind=public_kind(uris) if is_public else "WEB",
        uris=uris,
        logout_uris=_value(client.get("logout_callback_urls")) or (),
        secret=None,
        access_seconds=0 if minutes == _DEFAULT_MINUTES else minutes * _MINUTE,
        first_party=bool(client.get("skip_consent")),
        pkce="APPLICATION_PKCE_REQUIRED" if client.get("pkce_enabled") else "",
        requires_pushed_authorization_requests=client.get("requires_pushed_authorization_requests"),
        allowed_groups=groups if is_restricted else (),
        admits_groups_only=is_restricted,
    )


def _value(column: Any) -> Any:
    """A column of JSON, which the export has as text."""
    return json.loads(column) if isinstance(column, str) and column else column
