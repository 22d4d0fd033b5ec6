"""OpenID Connect settings of identity providers.

RPCs: SetOIDCConfig, GetOIDCConfig, RemoveOIDCConfig, TestOIDCConfig.

The rule: the client secret is bound to an issuer and a client ID. A change of the issuer or the
client ID requires the secret again. The provider's row is locked before any user's.
"""
