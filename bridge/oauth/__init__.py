"""The methods of OAuthService as OAuth 2.0 and OpenID Connect spell them over HTTP (decision 24).

Forms in; JSON, redirects and errors with `error` and `error_description` out. The discovery
documents describe these endpoints.

The rule: these paths neither use nor set a cookie, and decide nothing that a method decides.
"""
