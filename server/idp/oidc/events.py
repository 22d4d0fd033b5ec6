"""Events of the OpenID Connect settings of an identity provider.

Events contain the id of a client secret, never the secret.
"""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event


@dataclass(frozen=True, slots=True)
class OIDCConfigSet(Event):
    """The settings were set; the event contains all of them."""

    event_type: ClassVar[str] = "idp.oidc_config_set"

    issuer: str
    client_id: str
    client_secret_id: str | None
    scopes: tuple[str, ...]
    token_endpoint_auth_method: str
    # base64
    logo: str
    background_color: str
    text_color: str


@dataclass(frozen=True, slots=True)
class OIDCConfigRemoved(Event):
    """The settings were removed, and the client secret was erased."""

    event_type: ClassVar[str] = "idp.oidc_config_removed"
