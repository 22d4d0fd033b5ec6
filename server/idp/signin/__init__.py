"""Signing in with an identity provider (OpenID Connect Core, authorization code flow with PKCE).

RPCs: ListSignInOptions, GetSignInDomain, StartIDPSignIn, CompleteIDPSignIn. LinkIDP completes a
flow, too.

The rule: nothing is stored at the start (decision 20). The page keeps the flow token, which holds
the state of the flow. A callback requires the token whose hash is its `state` parameter. The
completion locks the provider, then the user; the settings must not have changed since the start.
"""
