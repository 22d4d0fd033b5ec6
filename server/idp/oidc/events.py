"""Events of the OpenID Connect settings of an identity provider.

Events contain the id of a client secret, never the secret.
"""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event, ForOperators, Shown


@dataclass(frozen=True, slots=True)
class OIDCConfigSet(Event):
    """The settings were set; the event contains all of them."""

    event_type: ClassVar[str] = "idp.oidc_config_set"

    issuer: Shown[str]
    client_id: Shown[str]
    client_secret_id: ForOperators[str | None]
    scopes: Shown[tuple[str, ...]]
    token_endpoint_auth_method: Shown[str]
    # base64
    logo: ForOperators[str]
    background_color: Shown[str]
    text_color: Shown[str]


@dataclass(frozen=True, slots=True)
class OIDCConfigRemoved(Event):
    """The settings were removed, and the client secret was erased."""

    event_type: ClassVar[str] = "idp.oidc_config_removed"
