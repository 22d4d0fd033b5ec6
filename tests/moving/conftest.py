"""OpenID providers, and a server that may connect to them."""

from tests.idp.conftest import oidc_authority, provider, relying, site, zone

__all__ = ["oidc_authority", "provider", "relying", "site", "zone"]  # fixtures
