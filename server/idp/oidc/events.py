"""Events of the OpenID Connect settings of an identity provider.

Events contain the id of a client secret, never the secret.
"""

from server.log.event import Event, ForOperators, Shown, event


@event("idp.oidc_config_set")
class OIDCConfigSet(Event):
    """The settings were set; the event contains all of them."""

    issuer: Shown[str]
    client_id: Shown[str]
    client_secret_id: ForOperators[str | None]
    scopes: Shown[tuple[str, ...]]
    token_endpoint_auth_method: Shown[str]
    # base64
    logo: ForOperators[str]
    background_color: Shown[str]
    text_color: Shown[str]
    auto_register_mail_domains: Shown[tuple[str, ...]] = ()
    auto_register_hosted_domains: Shown[tuple[str, ...]] = ()
    update_name_at_sign_in: Shown[bool] = False
    update_email_at_sign_in: Shown[bool] = False


@event("idp.oidc_config_removed")
class OIDCConfigRemoved(Event):
    """The settings were removed, and the client secret was erased."""
