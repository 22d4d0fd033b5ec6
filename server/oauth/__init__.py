"""The OpenID provider (OAuth 2.0, RFC 6749 with RFC 9700; OpenID Connect Core 1.0).

RPCs: all methods of OAuthService. `bridge/oauth/` spells them as the paths below `/oauth/`.

The rule: an authorization request is stored nowhere; it travels sealed, and is approved once. An
approval is one row, of which a code and then refresh tokens are used, each by one statement. Access
tokens are JWTs; where this server takes one, its row must still be alive.
"""
